"""The training loop: stages, optimisers, checkpoints, a log; it stops and resumes anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from transactional_attention.errors import InputError
from transactional_attention.training import checkpoint, curriculum
from transactional_attention.training.batches import make_batch
from transactional_attention.training.corpus import (
    build_corpus,
    frequent_words,
    read_corpus,
    write_corpus,
)
from transactional_attention.training.curriculum import Stage
from transactional_attention.training.documents import DocumentMaker
from transactional_attention.training.export import export_model, load_llama_weights
from transactional_attention.training.filler import Filler
from transactional_attention.training.metrics import StepFigures, step_figures, weighted_loss
from transactional_attention.training.muon import Muon
from transactional_attention.training.network import Network, fastest_arithmetic
from transactional_attention.training.tokenizer import (
    load_tokenizer,
    save_tokenizer,
    train_tokenizer,
)

MUON_RATE, ADAMW_RATE = 0.02, 2e-3
WARM_UP_STEPS = 100
LOG_EVERY, SAVE_EVERY = 20, 100
CORPUS, TOKENIZER, LOG, MODEL = "corpus.txt", "tokenizer", "log.jsonl", "model"


class Trainer:
    """The state of a run: network, optimisers, the next step."""

    def __init__(self, maker: DocumentMaker, stages: tuple[Stage, ...], seed: int) -> None:
        """Start from random weights of `seed`."""
        torch.manual_seed(seed)
        self.maker, self.stages, self.seed = maker, stages, seed
        self.network = Network(arithmetic=fastest_arithmetic())
        self.muon = Muon(self.network.matrices(), lr=MUON_RATE)
        self.adamw = torch.optim.AdamW(
            self.network.others(), lr=ADAMW_RATE, betas=(0.9, 0.95), weight_decay=0.0
        )
        self.step = 0
        self.tokens = 0
        self.seconds = 0.0

    def train_step(self) -> tuple[StepFigures, str]:
        """One step; returns its figures and the name of its stage."""
        place = curriculum.locate(self.stages, self.step)
        if place is None:
            raise InputError("the run is complete: nothing is left to train")
        stage, index = place
        shape = stage.shape(self.seed, self.step)
        batch = make_batch(self.maker, shape, self.seed, self.step)
        logits = self.network(batch.ids, batch.positions, batch.visible, batch.selected)
        loss, entropies = weighted_loss(logits, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._update(stage.rate(index) * min(1.0, (self.step + 1) / WARM_UP_STEPS))
        self.step += 1
        self.tokens += shape.tokens
        return step_figures(logits, entropies.detach(), batch), stage.name

    def _update(self, factor: float) -> None:
        for optimiser, rate in ((self.muon, MUON_RATE), (self.adamw, ADAMW_RATE)):
            for group in optimiser.param_groups:
                group["lr"] = rate * factor
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)

    def state(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        return {
            "network": self.network.state_dict(),
            "muon": self.muon.state_dict(),
            "adamw": self.adamw.state_dict(),
            "step": self.step,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "seed": self.seed,
            "total_steps": curriculum.total_steps(self.stages),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a checkpoint; raises InputError when it is of another run."""
        if state["seed"] != self.seed:
            raise InputError(f"the checkpoint has seed {state['seed']}, not {self.seed}")
        total = curriculum.total_steps(self.stages)
        if state.get("total_steps", total) != total:
            raise InputError(
                f"the checkpoint is of a run of {state['total_steps']} steps, not {total}: resume "
                "with the options (--init) that the run began with"
            )
        try:
            self.network.load_state_dict(state["network"])
            self.muon.load_state_dict(state["muon"])
            self.adamw.load_state_dict(state["adamw"])
        except (RuntimeError, ValueError) as error:
            raise InputError("the checkpoint is of a network of another size") from error
        self.step, self.tokens = state["step"], state["tokens"]
        self.seconds = state["seconds"]


def prepare(out: Path, resume: bool, seed: int, init: Path | None = None) -> DocumentMaker:
    """Corpus and tokenizer of a run: made at its start, read again when it resumes.

    `init` is a model folder whose tokenizer is used instead of a new one.
    """
    if resume:
        corpus, tokenizer = read_corpus(out / CORPUS), load_tokenizer(out / TOKENIZER)
    else:
        corpus = build_corpus(seed)
        checkpoint.write_atomically(out / CORPUS, lambda path: write_corpus(corpus, path))
        new = load_tokenizer(init) if init else train_tokenizer(corpus, seed)
        save_tokenizer(new, out / TOKENIZER)
        tokenizer = load_tokenizer(out / TOKENIZER)
        record = {
            "seed": seed,
            "init": init is not None,
            "paragraphs": len(corpus.train),
            "corpus": corpus.sha256,
        }
        checkpoint.append_log(out / LOG, record)
    return DocumentMaker(tokenizer, Filler(tokenizer, corpus.train), frequent_words(corpus.train))


def run(trainer: Trainer, out: Path, deadline: float, report: Callable[[str], None]) -> bool:
    """Train until the stages are done (True) or `deadline` (monotonic seconds) is over (False)."""
    last = trainer.step >= curriculum.total_steps(trainer.stages)
    recent: list[StepFigures] = []
    began = time.monotonic()
    while not last:
        figures, stage = trainer.train_step()
        recent.append(figures)
        last = trainer.step >= curriculum.total_steps(trainer.stages)
        stop = last or time.monotonic() > deadline
        if trainer.step % LOG_EVERY == 0 or stop:
            trainer.seconds += time.monotonic() - began
            began = time.monotonic()
            record = summary(trainer, stage, recent)
            checkpoint.append_log(out / LOG, record)
            report(" ".join(f"{name} {value}" for name, value in record.items()))
            recent = []
        if trainer.step % SAVE_EVERY == 0 or stop:
            checkpoint.save_checkpoint(out, trainer.state())
        if stop:
            return last
    return True


def summary(trainer: Trainer, stage: str, recent: list[StepFigures]) -> dict[str, Any]:
    """A line of the log: means over the steps since the last one."""
    record: dict[str, Any] = {"step": trainer.step, "stage": stage, "tokens": trainer.tokens}
    record["seconds"] = round(trainer.seconds)
    for name in asdict(recent[0]):
        values = [value for figures in recent if (value := getattr(figures, name)) is not None]
        if values:
            record[name] = round(sum(values) / len(values), 4)
    return record


def train_model(
    out: Path,
    resume: bool = False,
    minutes: float | None = None,
    threads: int = 1,
    seed: int = 0,
    *,
    init: Path | None = None,
    stages: tuple[Stage, ...] | None = None,
    report: Callable[[str], None] = print,
) -> Path | None:
    """Train the embedded model into the folder `out`; returns the model's folder when complete.

    `resume` continues from the last checkpoint. `minutes` stops sooner (None is returned, and
    `resume` goes on from there); `threads` are those of torch. `init` is a model folder to start
    from, with the shorter curriculum of a warm start, instead of random weights. Raises
    InputError for a folder in use, a missing or damaged checkpoint, an empty corpus or a full
    disk.
    """
    torch.set_num_threads(threads)
    # A trained softmax is full of subnormal numbers, on which processors are several times slower.
    torch.set_flush_denormal(True)
    out.mkdir(parents=True, exist_ok=True)
    if not resume and (out / checkpoint.LAST).exists():
        raise InputError(f"{out} holds a run: continue it with --resume or name a new folder")
    deadline = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    state = checkpoint.load_checkpoint(out) if resume else None
    if stages is None:
        stages = curriculum.WARM if init else curriculum.MAIN
    trainer = Trainer(prepare(out, resume, seed, init), stages, seed)
    if state is not None:
        trainer.restore(state)
    elif init is not None:
        load_llama_weights(trainer.network, load_file(init / "model.safetensors"))
    if not run(trainer, out, deadline, report):
        return None
    recipe = {
        "seed": seed,
        "steps": trainer.step,
        "tokens": trainer.tokens,
        "minutes": round(trainer.seconds / 60),
        "warm_start": init is not None,
    }
    return export_model(trainer.network, out / TOKENIZER, out / MODEL, recipe)
