"""Whether the learned detector of one shipped model serves another, without training and with it.

The paper trains on one model and says that it serves two others without retraining. The library
refuses weights of another model by their checksum (``refusal``); here they are read all the same,
as long as the hidden states have the width that they were trained for.
"""

from __future__ import annotations

import random
from typing import Any

from transactional_attention.detection.paper.learned import Probe
from transactional_attention.detection.reading import Reader
from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.engines.transformers.session import find_decoder
from transactional_attention.errors import RetentionError
from transactional_attention.models.embedded import SHIPPED, folder, load_embedded
from transactional_attention.models.embedded.derived import fingerprint
from transactional_attention.models.embedded.detector import NAME, read_detector

from ..cases.fillers import paragraphs
from ..collection.detecting import lacking
from ..training.train_detector import Counts, evaluated, trained, usual_layer
from .experiment import Context, Row
from .jobs import Job
from .models import others

DETECTOR = "learned"


def transfer_jobs(context: Context) -> list[Job]:
    """Between the model at hand and each of its shipped siblings, both ways; none without one."""
    return [
        job
        for sibling in others(context)
        for job in _between(context, context.model, sibling, Pair(context, sibling))
    ]


class Pair:
    """The model at hand and a shipped sibling: loaded, and their probes made, when asked for."""

    def __init__(self, context: Context, sibling: str) -> None:
        self.context, self.sibling = context, sibling
        self._loaded: dict[str, Any] = {}
        self._probes: dict[str, Probe] = {}

    def model(self, name: str) -> tuple[Any, Any]:
        """A model and its tokenizer."""
        if name not in self._loaded:
            own = name != self.sibling
            self._loaded[name] = self.context.loaded if own else load_embedded(SHIPPED[name])
        found: tuple[Any, Any] = self._loaded[name]
        return found

    def reader(self, name: str) -> Reader:
        """What reads text with a model."""
        return reader_of(*self.model(name))

    def probe(self, name: str) -> Probe:
        """The weights that a model has; a sibling's are trained here.

        Raises:
            InputError: for the model at hand without weights.
        """
        if name not in self._probes:
            own, reader = name != self.sibling, self.reader(name)
            self._probes[name] = probe_of(reader) if own else self._trained(name)
        return self._probes[name]

    def _trained(self, name: str) -> Probe:
        layers = self.model(name)[0].config.get_text_config(decoder=True).num_hidden_layers
        return trained(self.reader(name), usual_layer(layers), self.context.seed)[0]

    def refusal(self, source: str, target: str) -> Row:
        """What the library says to weights of another model; nothing where no file holds any."""
        path = folder(SHIPPED[source]) / NAME
        if source == target or not path.is_file():
            return {}
        try:
            read_detector(path, fingerprint(find_decoder(self.model(target)[0])))
        except RetentionError as error:
            return {"refusal": str(error).partition(":")[0]}
        return {}


def _between(context: Context, own: str, sibling: str, pair: Pair) -> list[Job]:
    ways = ((own, sibling), (sibling, sibling), (sibling, own))

    def job(source: str, target: str) -> Job:
        def measured() -> Row:
            refusal = pair.refusal(source, target)
            try:
                probe = pair.probe(source)
            except RetentionError as error:
                return {**refusal, "not_available": lacking(error)}
            return {**refusal, **served(pair.reader(target), probe, context)}

        key = {"part": "transfer", "detector": DETECTOR, "from": source, "to": target}
        return Job({**key, "seed": context.seed}, measured)

    return [job(*way) for way in ways]


def served(reader: Reader, probe: Probe, context: Context) -> Row:
    """What a probe finds in a model's states, or the error of states of another width."""
    rng = random.Random(f"detector/{context.seed}")
    try:
        return counted(evaluated(reader, probe, rng, list(paragraphs(context.filler)))[DETECTOR])
    except ValueError as error:  # of numpy: its shapes do not fit
        return {"not_available": str(error).splitlines()[0]}


def counted(counts: Counts) -> Row:
    """The counts of a probe as a row has them."""
    return {
        "found": {family: list(pair) for family, pair in counts.found.items()},
        "taken": {family: list(pair) for family, pair in counts.taken.items()},
        "false": counts.false,
        "non_anchors": counts.non_anchors,
    }


def reader_of(model: Any, tokenizer: Any) -> Reader:
    """What reads text with a model."""
    reader = model_shape(model, tokenizer).reader
    assert reader is not None
    return reader


def probe_of(reader: Reader) -> Probe:
    """The weights of the learned detector of a model; raises InputError where there are none."""
    return Probe(**reader.learned_weights())
