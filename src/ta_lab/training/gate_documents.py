"""What gates learn from: the training documents, as the ids of any model's tokenizer."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder

from .batches import PARTS, make_batch
from .corpus import Corpus
from .curriculum import Shape, shape_of
from .documents import VALUE_WEIGHT, DocumentMaker
from .filler import Filler
from .tokenizer import BEGIN, BEGIN_ID, END, END_ID, PAD, PAD_ID, load_tokenizer

# One document a part, nothing hidden and positions without gaps.
SHAPES = tuple(shape_of(name, pruned=0.0, gaps=0.0, sequences=PARTS) for name in ("512", "1024"))
SHARES = (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class Sample:
    """Ids (1, length), and the places (count) whose next token has a loss."""

    ids: Tensor
    places: Tensor

    @property
    def targets(self) -> Tensor:
        """The ids after these places, (count)."""
        return self.ids[0, self.places + 1]


class GateDocuments:
    """One document a step, the same for the same seed and step.

    A tokenizer of this project gets the documents as the embedded model does. For others they are
    written with the embedded model's, decoded, and encoded anew: what comes before the first answer
    and what comes after it apart, so that the places of the answers are known.
    """

    def __init__(self, tokenizer: Any, corpus: Corpus, seed: int) -> None:
        """Raises InputError for a tokenizer without a backend of its own when it is needed."""
        self.tokenizer, self.seed = tokenizer, seed
        backend = getattr(tokenizer, "backend_tokenizer", None)
        self.native = backend is not None and is_ours(backend)
        writer = backend if self.native else load_tokenizer(folder())
        assert isinstance(writer, Tokenizer)
        self.maker = DocumentMaker(writer, Filler(writer, corpus.train), corpus.words)

    def sample(self, shape: Shape, step: int) -> Sample:
        """The document of a step."""
        batch = make_batch(self.maker, shape, self.seed, step)
        if self.native:
            (places,) = batch.selected[0].nonzero(as_tuple=True)
            return Sample(batch.ids, places)
        ids = batch.ids[0]
        answers = (batch.weights[0] >= VALUE_WEIGHT).nonzero()
        first = int(answers[0]) if len(answers) else len(ids)
        rng = random.Random(f"{self.seed}:{step}:places")
        return self._translated(ids[:first].tolist(), ids[first:].tolist(), shape, rng)

    def _translated(
        self, before: list[int], after: list[int], shape: Shape, rng: random.Random
    ) -> Sample:
        parts = []
        for ids in (before, after):
            text = self.maker.tokenizer.decode(ids)
            parts.append(self.tokenizer.encode(text, add_special_tokens=False))
        begin = self.tokenizer.bos_token_id
        ids = [*([] if begin is None else [begin]), *parts[0], *parts[1]]
        if len(ids) < 2:
            raise InputError("the model's tokenizer makes nothing of a training document")
        cut = max(0, len(ids) - shape.length)
        first = len(ids) - len(parts[1]) - 1 - cut
        ids = ids[cut:]
        places = [
            place for place in range(len(ids) - 1) if place >= first or rng.random() < shape.prose
        ]
        return Sample(torch.tensor([ids]), torch.tensor(places))


def is_ours(tokenizer: Tokenizer) -> bool:
    """Whether the marks of the training documents are entries of a tokenizer, at their ids."""
    marks = {BEGIN: BEGIN_ID, END: END_ID, PAD: PAD_ID}
    return all(tokenizer.token_to_id(mark) == number for mark, number in marks.items())
