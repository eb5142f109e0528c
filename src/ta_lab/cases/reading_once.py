"""A model as a reader that reads a text once for all detectors of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transactional_attention.detection.reading import Floats, Tokens
from transactional_attention.engines.transformers.reading import Cost, ModelReader
from transactional_attention.retention.flow import RetentionFlow


class ReadingOnce(ModelReader):
    """Every asker is charged with what reading took, whoever asked first."""

    def __init__(self, reader: ModelReader) -> None:
        self.__dict__.update(reader.__dict__)
        self._known: dict[
            tuple[int, tuple[str, ...]], tuple[list[tuple[Tokens, Floats]], Cost]
        ] = {}

    def hidden(self, texts: Sequence[str], asker: str, layer: int) -> list[tuple[Tokens, Floats]]:
        """See ``ModelReader``; arrays are shared by those who ask for the same texts."""
        key, before = (layer, tuple(texts)), self.costs.get(asker, Cost())
        if key not in self._known:
            read = super().hidden(texts, asker, layer)
            self._known[key] = read, self.costs[asker] - before
        read, cost = self._known[key]
        self.costs[asker] = before + cost
        return read


def read_once(flow: RetentionFlow) -> None:
    """Forks of the flow read a text once; what is remembered goes with the flow."""
    if flow.shape is not None and isinstance(flow.shape.reader, ModelReader):
        flow.shape = replace(flow.shape, reader=ReadingOnce(flow.shape.reader))
