"""The training loop: stages, optimisers, checkpoints, a log; it stops and resumes anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from transactional_attention.errors import InputError
from transactional_attention.models.embedded import read_card

from . import checkpoint, curriculum, workers
from .batches import PARTS, StepFigures, step_figures, weighted_loss
from .checkpoint import CORPUS, LOG
from .corpus import build_corpus, read_corpus, refuse_evaluation, write_corpus
from .curriculum import Stage
from .documents import DocumentMaker, Filler
from .export import EMBEDDINGS, export_model, load_llama_weights
from .initial import carried_embeddings, grown, layers_of
from .network import LAYERS, Muon, Network, NetworkSize, fastest_arithmetic
from .prefetch import Prefetcher
from .tokenizer import load_tokenizer, save_tokenizer, train_tokenizer, train_wide_tokenizer

MUON_RATE, ADAMW_RATE = 0.02, 2e-3
WARM_UP_STEPS = 100
LOG_EVERY = 20
TOKENIZER, MODEL = "tokenizer", "model"


class Trainer:
    """The state of a run: network, optimisers, the next step."""

    def __init__(
        self,
        maker: DocumentMaker,
        stages: tuple[Stage, ...],
        seed: int,
        rank: int = 0,
        processes: int = 1,
        *,
        layers: int = LAYERS,
        device: str = "cpu",
        num_workers: int = 0,
    ) -> None:
        """Start from random weights of `seed`; this is process `rank` of `processes`.

        `num_workers` processes make the batches (0: a thread)."""
        parts = range(rank, PARTS, processes)
        self.batches = Prefetcher(maker, stages, seed, parts, num_workers, device)
        torch.manual_seed(seed)
        self.processes = processes
        self.maker, self.stages, self.seed = maker, stages, seed
        size = NetworkSize(vocabulary=maker.tokenizer.get_vocab_size(), layers=layers)
        arithmetic = fastest_arithmetic(device)
        self.network = Network(size, arithmetic).to(device)
        self.muon = Muon(self.network.matrices(), lr=MUON_RATE, arithmetic=arithmetic)
        self.adamw = torch.optim.AdamW(
            self.network.others(), lr=ADAMW_RATE, betas=(0.9, 0.95), weight_decay=0.0
        )
        self.step = 0
        self.tokens = 0
        self.seconds = 0.0
        self.stage, self._counted = "", 0.0

    @property
    def steps(self) -> int:
        """Steps of all stages."""
        return curriculum.total_steps(self.stages)

    def train_step(self) -> StepFigures:
        """One step; returns the figures of its first part here."""
        self._counted = self._counted or time.monotonic()
        place = curriculum.locate(self.stages, self.step)
        if place is None:
            raise InputError("the run is complete: nothing is left to train")
        stage, index = place
        self.stage, figures = stage.name, None
        for batch in self.batches.of_step(self.step):
            logits = self.network(batch.ids, batch.positions, batch.visible, batch.selected)
            loss, entropies = weighted_loss(logits, batch)
            (loss / PARTS).backward()
            figures = figures or step_figures(logits.detach(), entropies.detach(), batch)
            self.tokens += batch.ids.numel() * self.processes
        workers.add_gradients(self.network, self.processes)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._update(stage.rate(index) * min(1.0, (self.step + 1) / WARM_UP_STEPS))
        self.step += 1
        assert figures is not None
        return figures

    def told(self) -> dict[str, Any]:
        """What a line of the log begins with; `seconds` are counted up to now."""
        now = time.monotonic()
        self.seconds, self._counted = self.seconds + now - self._counted, now
        where = {"step": self.step, "stage": self.stage, "tokens": self.tokens}
        return {**where, "seconds": round(self.seconds)}

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
            "total_steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a checkpoint; raises InputError when it is of another run."""
        if state["seed"] != self.seed:
            raise InputError(f"the checkpoint has seed {state['seed']}, not {self.seed}")
        if state.get("total_steps", self.steps) != self.steps:
            raise InputError(
                f"the checkpoint is of a run of {state['total_steps']} steps, not {self.steps}: "
                "resume with the options (--init) that the run began with"
            )
        try:
            self.network.load_state_dict(state["network"])
            self.muon.load_state_dict(state["muon"])
            self.adamw.load_state_dict(state["adamw"])
        except (RuntimeError, ValueError) as error:
            raise InputError("the checkpoint is of a network of another size") from error
        self.step, self.tokens = state["step"], state["tokens"]
        self.seconds = state["seconds"]


def prepare(
    out: Path,
    resume: bool,
    seed: int,
    recipe: str,
    languages: Path | None = None,
    text: Path | None = None,
) -> DocumentMaker:
    """Corpus and tokenizer of a run: made at its start, read again when it resumes.

    `languages` is a folder with text in other languages; `text` a corpus that was made before."""
    if resume:
        corpus, tokenizer = read_corpus(out / CORPUS), load_tokenizer(out / TOKENIZER)
    else:
        corpus = read_corpus(text) if text else build_corpus(seed, languages)
        refuse_evaluation(corpus)
        checkpoint.write_atomically(out / CORPUS, lambda path: write_corpus(corpus, path))
        new = train_wide_tokenizer(corpus) if recipe == "wide" else train_tokenizer(corpus, seed)
        save_tokenizer(new, out / TOKENIZER)
        tokenizer = load_tokenizer(out / TOKENIZER)
        record = {
            "seed": seed,
            "recipe": recipe,
            "paragraphs": {kind: len(lines) for kind, lines in corpus.train.items()},
            "corpus": corpus.sha256,
        }
        checkpoint.append_log(out / LOG, record)
    return DocumentMaker(tokenizer, Filler(tokenizer, corpus.train), corpus.words)


def train_model(
    out: Path,
    resume: bool = False,
    minutes: float | None = None,
    processes: int = 1,
    seed: int = 0,
    *,
    recipe: str = "main",
    init: Path | None = None,
    languages: Path | None = None,
    corpus: Path | None = None,
    stages: tuple[Stage, ...] | None = None,
    device: str = "cpu",
    num_workers: int = 0,
    report: Callable[[str], None] = print,
) -> Path | None:
    """Train the embedded model into the folder `out`; returns the model's folder when complete.

    `resume` continues from the last checkpoint. `minutes` stops sooner (None is returned, and
    `resume` goes on from there); `processes` (1 or 2) of one thread each share a step, with the
    same result. `recipe` is one of curriculum.RECIPES; `init` a model folder whose weights it
    starts from instead of random ones, its embeddings mapped to the new tokenizer; `languages` a
    folder with text in other languages; `corpus` the corpus.txt of an earlier run, used as it is.
    On another `device` than "cpu", `num_workers` processes make the batches. Raises InputError for
    a recipe without the `init` that it needs, a folder in use, a missing or damaged checkpoint, an
    empty corpus, a full disk, or a device that is not there."""
    chosen = curriculum.choose_recipe(recipe, trained=init is not None)
    stages = stages or chosen.stages
    layers = chosen.layers or (layers_of(init) if init else LAYERS)
    workers.check_device(device, processes)
    out.mkdir(parents=True, exist_ok=True)
    if not resume and (out / checkpoint.LAST).exists():
        raise InputError(f"{out} holds a run: continue it with --resume or name a new folder")
    deadline = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    state = checkpoint.load_checkpoint(out) if resume else None
    maker = prepare(out, resume, seed, recipe, languages, corpus)

    def trainer(rank: int) -> Trainer:
        new = Trainer(
            *(maker, stages, seed, rank, processes),
            layers=layers,
            device=device,
            num_workers=num_workers,
        )
        if state is not None:
            new.restore(state)
        elif init is not None:
            start_from(new, init)
        return new

    def help_train(rank: int) -> None:
        """The work of a further process: the same steps, other parts of their batches."""
        helper = trainer(rank)
        while helper.step < helper.steps:
            helper.train_step()

    with workers.helpers(help_train, processes, out):
        first = trainer(0)
        if not checkpoint.run_steps(first, out, deadline, report, LOG_EVERY):
            return None
    made = {
        "recipe": recipe,
        "seed": seed,
        "steps": first.step,
        "tokens": first.tokens,
        "minutes": round(first.seconds / 60),
        "started_from": init and read_card(init)["sha256"],
    }
    return export_model(first.network, out / TOKENIZER, out / MODEL, made)


def start_from(trainer: Trainer, init: Path) -> None:
    """Load the weights of a model folder.

    Its embeddings are mapped to the trainer's tokenizer, and it is grown to the trainer's layers.
    """
    weights = load_file(init / "model.safetensors")
    old, new = load_tokenizer(init), trainer.maker.tokenizer
    if old.to_str() != new.to_str():
        weights[EMBEDDINGS] = carried_embeddings(old, weights[EMBEDDINGS].float(), new)
    load_llama_weights(trainer.network, grown(weights, trainer.network.size.layers))
