"""The paper's experiments, measured again: ``ta reproduce NAME``."""

from .experiment import Context, Experiment, Record, Row
from .registry import EXPERIMENTS, get_experiment

__all__ = ["EXPERIMENTS", "Context", "Experiment", "Record", "Row", "get_experiment"]
