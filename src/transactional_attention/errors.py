"""Every error that the library raises on purpose.

RetentionError
├── InputError          text, spans, files or options that cannot be used (also a ValueError)
│   ├── DamagedError    a saved file that is missing, cut off or not what was written
│   ├── BudgetError     a budget smaller than what must be kept
│   └── UnknownNameError  a method, detector or preset that is not registered
├── UnsupportedError    a model, tokenizer or operation that retention cannot serve exactly
├── PositionsError      a prompt that outgrows the model's positions
├── CacheStateError     a cache used with another model, without its hooks, or after an error
└── NumericsError       NaN or infinity in the keys of a prefill

Messages name the input and the remedy; they never contain the text of a value.
"""

import difflib
from collections.abc import Iterable

# why either engine refuses a cache after an error
UNFINISHED = "an earlier forward did not finish"
CLOSE = 0.6  # of difflib's ratio: a name that may be meant


class RetentionError(Exception):
    """Base of every deliberate error."""


class InputError(RetentionError, ValueError):
    """Input that cannot be used as given."""


class DamagedError(InputError):
    """A saved file that is missing, cut off or not what was written."""


class BudgetError(InputError):
    """The budget is smaller than the tokens that must be kept."""


class UnknownNameError(InputError):
    """A name that no registry knows; ``hint``: what to do, or the closest known names, without the
    name itself; ``others``: where the rest is told, in place of a list."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], hint: str | None = None, others: str = ""
    ) -> None:
        names = sorted(known)
        close = difflib.get_close_matches(name, names, n=3, cutoff=CLOSE)
        meant = f"did you mean {' or '.join(close)}?" if close else ""
        rest = others if others or close else f"known: {', '.join(names)}"
        self.hint = hint or f"{meant} {rest}".strip()
        super().__init__(f"unknown {kind} {name!r}: {self.hint}")


class UnsupportedError(RetentionError):
    """A model, tokenizer or operation that is not supported exactly."""


class PositionsError(RetentionError):
    """The sequence outgrows the positions of the model."""


class CacheStateError(RetentionError, RuntimeError):
    """A cache that does not fit the model that uses it, or is in the wrong state."""


class NumericsError(RetentionError, ArithmeticError):
    """Keys that are not finite."""


def install_extra(*names: str, of: str = ".") -> str:
    """How to install extras of the library, or of the distribution in folder ``of`` of a clone: for
    the remedy of an error. Nothing is on a package index."""
    return f"in a clone of transactional-attention: pip install '{of}[{','.join(names)}]'"


def named(error: BaseException) -> str:
    """An error's type, file and line, without its text."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = type(error).__name__
    if trace is None:
        return name
    return f"{name} at {trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
