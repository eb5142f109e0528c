"""Section 5.1: precision, recall and F1 of every detector, by family, and what transfers.

``patterns``: the paper's protocol, announcements of nine families and spans of plain text; the
announcements are this project's own, since the paper's were not published. ``transfer``: whether
the learned detector of one shipped model serves another, without training and with it. A detector
that needs weights trained for the model is named as not available without them. The paper trains
on one model and says that it serves two others without retraining; the library refuses weights of
another model by their checksum (``refusal``), here they are read all the same, as long as the
hidden states have the width that they were trained for. ``ta collection detectors`` counts what
they find in the collection."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from transactional_attention.detection.model_detectors import Reader
from transactional_attention.detection.paper.learned import Probe
from transactional_attention.detection.scanner import Scanner
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.errors import RetentionError
from transactional_attention.models.embedded import SHIPPED, folder, load_embedded
from transactional_attention.models.embedded.derived import NAME, fingerprint, read_detector
from transactional_attention.types import Anchor

from ..cases.fillers import paragraphs
from ..collection.detecting import SETS, WHOLE, bound, lacking, read, reader_of
from ..markdown import NONE, markdown, share
from ..training.detector_data import EVALUATION, Line, lines
from ..training.train_detector import (
    ANCHORS,
    NON_ANCHORS,
    Counts,
    evaluated,
    f1,
    trained,
    usual_layer,
)
from .experiment import Context, Record, Row, main, part_of
from .paper import figure, figures
from .running import Job, run_parts

HEAD = ("precision, %", "recall, %", "F1", "plain words taken")


def tables(record: Record) -> str:
    """The paper's protocol, its families, and transfer between models.

    Of learned and learnrank tokens are counted: the last one of each announcement, two beside it,
    those of plain text. Announcements and plain text are not the paper's."""
    protocol = part_of(record, "patterns")
    measured = ("precision", "recall", "f1")
    stated = (figure("detector", name).shown for name in measured)
    lines = [("the paper's learned one", *stated, NONE)]
    lines += [(row["detector"], *_scored(row)) for row in protocol]
    families = [
        (row["detector"], name, f"{right} of {of}", share(right, of), f"{wrong} of {others}",
         share(right, right + wrong), f"{f1(right, of, wrong):.3f}")
        for row in protocol if "taken" in row
        for (name, (right, of)), (wrong, others) in zip(row["found"].items(), row["taken"].values())
    ]  # fmt: skip
    head = ("detector", "family", "found", "recall, %", "others taken", "precision, %", "F1")
    sections = [markdown(("detector", *HEAD), lines), markdown(head, families)]
    if moved := part_of(record, "transfer"):
        theirs = [
            (f"the paper: {f.model}", f.match["to"], NONE, f"{f.shown} ({f.unstated} unstated)",
             NONE, NONE)
            for f in figures("detector", "transfer")
        ]  # fmt: skip
        ours = [(row["from"], row["to"], *_scored(row)) for row in moved]
        sections.append(markdown(("trained on", "reads", *HEAD), [*theirs, *ours]))
    refused = dict.fromkeys(row["refusal"] for row in moved if "refusal" in row)
    return "\n\n".join(
        [*sections, *(f"The library itself refuses that: {why}." for why in refused)]
    )


def _scored(row: Row) -> tuple[str, str, str, str]:
    """Precision, recall and F1 by the paper's protocol, and plain words taken; or why not."""
    if "not_available" in row:
        return row["not_available"], NONE, NONE, NONE
    right, of = (sum(pair[i] for pair in row["found"].values()) for i in range(2))
    wrong, taken = row["false"], f"{row['false']} of {row['non_anchors']:,}"
    return share(right, right + wrong), share(right, of), f"{f1(right, of, wrong):.3f}", taken


DETECTOR = "learned"


def transfer_jobs(context: Context) -> list[Job]:
    """Between the model at hand and each of its shipped siblings, both ways; none without one."""
    model, jobs = context.model, list[Job]()
    for sibling in context.siblings:
        pair = Pair(context, sibling)
        for source, target in ((model, sibling), (sibling, sibling), (sibling, model)):
            key = {"part": "transfer", "detector": DETECTOR, "from": source, "to": target}
            run = partial(_transferred, context, pair, source, target)
            jobs.append(Job({**key, "seed": context.seed}, run))
    return jobs


class Pair:
    """The model at hand and a shipped sibling: loaded, and their probes made, when asked for."""

    def __init__(self, context: Context, sibling: str) -> None:
        self.context, self.sibling = context, sibling

    @cached_property
    def other(self) -> tuple[Any, Any]:
        """The sibling and its tokenizer."""
        return load_embedded(SHIPPED[self.sibling])

    @cached_property
    def trained(self) -> Probe:
        """The weights of the sibling, which are made here."""
        layers = self.other[0].config.get_text_config(decoder=True).num_hidden_layers
        return trained(self.reader(self.sibling), usual_layer(layers), self.context.seed)[0]

    def model(self, name: str) -> tuple[Any, Any]:
        """A model and its tokenizer."""
        return self.other if name == self.sibling else self.context.loaded

    def reader(self, name: str) -> Reader:
        """What reads text with a model."""
        return reader_of(*self.model(name))

    def probe(self, name: str) -> Probe:
        """The weights of a model. Raises InputError for the one at hand without any."""
        return self.trained if name == self.sibling else probe_of(self.reader(name))

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


def _transferred(context: Context, pair: Pair, source: str, target: str) -> Row:
    refusal = pair.refusal(source, target)
    try:
        probe = pair.probe(source)
    except RetentionError as error:
        return {**refusal, "not_available": lacking(error)}
    return {**refusal, **served(pair.reader(target), probe, context)}


def served(reader: Reader, probe: Probe, context: Context, name: str = DETECTOR) -> Row:
    """What a probe finds in a model's states, or the error of states of another width."""
    rng = random.Random(f"detector/{context.seed}")
    try:
        return counted(evaluated(reader, probe, rng, list(paragraphs(context.filler)))[name])
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


def probe_of(reader: Reader) -> Probe:
    """The weights of the learned detector of a model; raises InputError where there are none."""
    return Probe(**reader.learned_weights())


UNTRAINED = ("regex", "semantic", WHOLE, "embedding")
QUICK = ("regex", WHOLE)
TRAINED = ("learned", "learnrank")
_WORD = re.compile(r"\S+")


def run(context: Context) -> Record:
    """A row a part and detector; what ``context.rows`` holds is not run again."""
    return {"rows": run_parts(context, all_jobs(context))}


def all_jobs(context: Context) -> list[Job]:
    """The protocol for every detector; a quick run has no transfer and few of them."""
    quick = context.size == "quick"
    jobs = [_job(context, name) for name in (QUICK if quick else UNTRAINED)]
    jobs += [_trained(context, name) for name in TRAINED]
    return jobs if quick else [*jobs, *transfer_jobs(context)]


def _job(context: Context, name: str) -> Job:
    """The protocol for a detector that was not trained."""
    size = context.pick(0.2, 1.0, 1.0)
    count = {"anchors": round(size * ANCHORS), "non_anchors": round(size * NON_ANCHORS)}

    def patterns() -> Row:
        sets = SETS[name] if name in SETS else [bound(name, reader_of(*context.loaded))]
        return on_patterns(partial(Scanner, sets), context.seed, context.filler, **count)

    return Job({"part": "patterns", "detector": name, "seed": context.seed, **count}, patterns)


# the paper's protocol


def on_patterns(scanner: Any, seed: int, name: str, *, anchors: int, non_anchors: int) -> Row:
    """Announcements found by family, and words of plain text taken for a value.

    ``found``: [found, of]; an announcement is found when an anchor's value begins where its own
    does. ``taken``: other words of the same lines at which a value begins, and how many there are.
    ``false``: words of plain text at which one begins, of ``non_anchors``."""
    rng = random.Random(f"detector/{seed}")
    around = paragraphs(name)
    hits, taken = {}, {}
    for i, (family, patterns) in enumerate(EVALUATION.items()):
        count = anchors // len(EVALUATION) + (i < anchors % len(EVALUATION))
        made = lines(rng, patterns, count, around)
        read_lines = [(one, read(scanner, one.text)) for one in made]
        right = sum(
            any(a.value.start <= one.value < a.value.end for a in anchors)
            for one, anchors in read_lines
        )
        beside = [_beside(one, anchors) for one, anchors in read_lines]
        hits[family] = [right, count]
        taken[family] = [sum(n for n, _ in beside), sum(of for _, of in beside)]
    false, words = _plain(scanner, rng, around, non_anchors)
    return {"found": hits, "taken": taken, "false": false, "non_anchors": words}


def _beside(one: Line, anchors: Sequence[Anchor]) -> tuple[int, int]:
    """Words of a line at which a value begins, but for the word of its own, and all of them."""
    words = [match.span() for match in _WORD.finditer(one.text)]
    others = [(start, end) for start, end in words if not start <= one.value < end]
    began = [anchor.value.start for anchor in anchors]
    return sum(any(start <= b < end for b in began) for start, end in others), len(others)


def _plain(scanner: Any, rng: random.Random, around: Sequence[str], count: int) -> tuple[int, int]:
    """How many of ``count`` words of paragraphs begin a value, and how many words there were."""
    false = words = 0
    for paragraph in rng.sample(around, len(around)):
        if words >= count:
            break
        starts = [match.start() for match in _WORD.finditer(paragraph)]
        wanted = starts[: count - words]
        began = {anchor.value.start for anchor in read(scanner, paragraph)}
        ends = [*starts[1:], len(paragraph)]
        false += sum(
            any(start <= b < end for b in began) for start, end in zip(wanted, ends, strict=False)
        )
        words += len(wanted)
    return false, words


# learned ones


def _trained(context: Context, name: str) -> Job:
    """The learned detector by the paper's protocol, or why it is not available."""

    def measured() -> Row:
        reader = reader_of(*context.loaded)
        try:
            probe = probe_of(reader)
        except RetentionError as error:
            return {"not_available": lacking(error)}
        return served(reader, probe, context, name)

    return Job({"part": "patterns", "detector": name, "seed": context.seed}, measured)


if __name__ == "__main__":
    main("detector")
