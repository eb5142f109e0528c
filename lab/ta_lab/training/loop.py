"""The training loop: stages, optimisers, checkpoints, a log; it stops and resumes anywhere."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from transactional_attention.errors import InputError, UnknownNameError
from transactional_attention.models.embedded import folder as shipped
from transactional_attention.models.embedded import read_card

from . import checkpoint
from .batches import Batch, make_batch, step_figures, weighted_loss
from .corpus import build_corpus, read_corpus, refuse_evaluation, write_corpus
from .curriculum import RECIPES, Stage, locate
from .documents import DocumentMaker, Filler, load_tokenizer

MUON_RATE, ADAMW_RATE = 0.02, 2e-3
WARM_UP_STEPS = 100
LOG_EVERY = 20
CORPUS, LOG, MODEL = "corpus.txt", "log.jsonl", "model"
HEAD = "lm_head.weight"
BESIDE = ("tokenizer.json", "tokenizer_config.json", "generation_config.json")
"""Files of a model folder that training leaves as they are."""


def new_network(layers: int) -> LlamaForCausalLM:
    """Random weights in the shape of the model that ships, with so many layers."""
    config = json.loads((shipped() / "config.json").read_text(encoding="utf-8"))
    return LlamaForCausalLM(LlamaConfig(**config | {"num_hidden_layers": layers}))


class Trainer:
    """The state of a run: network, optimisers, the next step.

    Matrices of the layers are trained by Muon, embeddings and norms by AdamW. Arithmetic is
    bfloat16 on a GPU, float32 on a CPU."""

    def __init__(
        self,
        maker: DocumentMaker,
        stages: tuple[Stage, ...],
        seed: int,
        layers: int,
        device: str = "cpu",
    ) -> None:
        """Start from random weights of `seed`."""
        torch.manual_seed(seed)
        self.maker, self.stages, self.seed = maker, stages, seed
        self.device = torch.device(device)
        self.network = new_network(layers)
        torch.nn.Module.to(self.network, self.device)
        inner = [w for w in self.network.model.layers.parameters() if w.dim() == 2]
        others = [w for w in self.network.parameters() if all(w is not other for other in inner)]
        self.muon = torch.optim.Muon(inner, MUON_RATE, weight_decay=0.0)
        self.adamw = torch.optim.AdamW(others, ADAMW_RATE, betas=(0.9, 0.95), weight_decay=0.0)
        self.step = self.tokens = 0
        self.seconds, self.stage = 0.0, ""

    @property
    def steps(self) -> int:
        """Steps of all stages."""
        return sum(stage.steps for stage in self.stages)

    def logits(self, batch: Batch) -> Tensor:
        """Logits (selected rows, vocabulary) of a batch."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type != "cpu"):
            hidden = self.network.model(
                input_ids=batch.ids,
                position_ids=batch.positions,
                attention_mask=batch.visible[:, None],
                use_cache=False,
            ).last_hidden_state
            return self.network.lm_head(hidden[batch.selected])

    def train_step(self) -> dict[str, float]:
        """One step; returns its figures. Raises InputError behind the last one."""
        stage, index = locate(self.stages, self.step)
        self.stage, shape = stage.name, stage.shape(self.seed, self.step)
        batch = make_batch(self.maker, shape, self.seed, self.step).to(self.device)
        logits = self.logits(batch)
        loss, entropies = weighted_loss(logits, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._update(stage.rate(index) * min(1.0, (self.step + 1) / WARM_UP_STEPS))
        self.tokens += batch.ids.numel()
        self.step += 1
        return step_figures(logits.detach(), entropies.detach(), batch)

    def _update(self, factor: float) -> None:
        for optimiser, rate in ((self.muon, MUON_RATE), (self.adamw, ADAMW_RATE)):
            for group in optimiser.param_groups:
                group["lr"] = rate * factor
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)

    def state(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        parts = {name: getattr(self, name).state_dict() for name in ("network", "muon", "adamw")}
        names = ("step", "tokens", "seconds", "seed")
        return parts | {n: getattr(self, n) for n in names} | {"total_steps": self.steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a checkpoint; raises InputError when it is of another run."""
        if state["seed"] != self.seed:
            raise InputError(f"the checkpoint has seed {state['seed']}, not {self.seed}")
        if state["total_steps"] != self.steps:
            raise InputError(
                f"the checkpoint is of a run of {state['total_steps']} steps, not {self.steps}: "
                "resume with the recipe that the run began with"
            )
        try:
            for name in ("network", "muon", "adamw"):
                getattr(self, name).load_state_dict(state[name])
        except (RuntimeError, ValueError) as error:
            raise InputError("the checkpoint is of a network of another size") from error
        self.step, self.tokens, self.seconds = (state[n] for n in ("step", "tokens", "seconds"))

    def start_from(self, init: Path) -> None:
        """Load the weights of a model folder; raises InputError when they do not fit."""
        try:
            weights = load_file(init / "model.safetensors")
            weights[HEAD] = weights["model.embed_tokens.weight"]
            self.network.load_state_dict(weights)
        except (OSError, KeyError, RuntimeError) as error:
            raise InputError("the initial weights do not fit this network") from error


def prepare(
    out: Path, resume: bool, seed: int, languages: Path | None = None, text: Path | None = None
) -> DocumentMaker:
    """The corpus of a run, made at its start and read again when it resumes, and the tokenizer of
    the model that ships.

    `languages` is a folder with text in other languages; `text` a corpus that was made before."""
    if resume:
        corpus = read_corpus(out / CORPUS)
    else:
        corpus = read_corpus(text) if text else build_corpus(seed, languages)
        refuse_evaluation(corpus)
        write_corpus(corpus, out / CORPUS)
        paragraphs = {kind: len(lines) for kind, lines in corpus.train.items()}
        made = {"seed": seed, "paragraphs": paragraphs, "corpus": corpus.sha256}
        _append(out / LOG, made)
    tokenizer = load_tokenizer()
    return DocumentMaker(tokenizer, Filler(tokenizer, corpus.train), corpus.words)


def _append(log: Path, record: dict[str, Any]) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")


def run_steps(
    trainer: Trainer, folder: Path, deadline: float, report: Callable[[str], None]
) -> bool:
    """Train until the steps are done (True) or `deadline` (monotonic seconds) is over (False).

    A line of the log every LOG_EVERY steps, with the means over them, a checkpoint every five
    lines."""
    begun, recent = time.monotonic() - trainer.seconds, list[dict[str, float]]()
    while trainer.step < trainer.steps:
        recent.append(trainer.train_step())
        last = trainer.step == trainer.steps
        stop = last or time.monotonic() > deadline
        if trainer.step % LOG_EVERY == 0 or stop:
            trainer.seconds = time.monotonic() - begun
            record: dict[str, Any] = {"step": trainer.step, "stage": trainer.stage}
            record |= {"tokens": trainer.tokens, "seconds": round(trainer.seconds)}
            for name in dict.fromkeys(name for figures in recent for name in figures):
                values = [figures[name] for figures in recent if name in figures]
                record[name] = round(sum(values) / len(values), 4)
            _append(folder / LOG, record)
            report(" ".join(f"{name} {value}" for name, value in record.items()))
            recent = []
        if trainer.step % (5 * LOG_EVERY) == 0 or stop:
            checkpoint.save_checkpoint(folder, trainer.state())
        if stop:
            return last
    return True


def check_device(device: str) -> None:
    """Raises InputError for a device that is not there."""
    try:
        kind = torch.device(device).type
        there = kind == "cpu" or torch.get_device_module(kind).is_available()
    except (RuntimeError, AttributeError):
        there = False
    if not there:
        raise InputError(f"device {device!r} is not there: use cpu, or cuda where there is a GPU")


def train_model(
    out: Path,
    resume: bool = False,
    minutes: float | None = None,
    seed: int = 0,
    *,
    recipe: str = "main",
    init: Path | None = None,
    languages: Path | None = None,
    corpus: Path | None = None,
    device: str = "cpu",
    report: Callable[[str], None] = print,
) -> Path | None:
    """Train the embedded model into the folder `out`; returns the model's folder when complete.

    `resume` continues from the last checkpoint. `minutes` stops sooner (None is returned, and
    `resume` goes on from there). `recipe` is one of curriculum.RECIPES; `init` a model folder of
    the same tokenizer and layers whose weights it starts from; `languages` a folder with text in
    other languages; `corpus` the corpus.txt of an earlier run, used as it is. Raises InputError for
    a folder in use, a missing or damaged checkpoint, an empty corpus, a full disk, or a device that
    is not there."""
    if recipe not in RECIPES:
        raise UnknownNameError("recipe", recipe, list(RECIPES))
    check_device(device)
    out.mkdir(parents=True, exist_ok=True)
    if not resume and (out / checkpoint.LAST).exists():
        raise InputError(f"{out} holds a run: continue it with --resume or name a new folder")
    deadline = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    chosen, state = RECIPES[recipe], checkpoint.load_checkpoint(out) if resume else None
    maker = prepare(out, resume, seed, languages, corpus)
    trainer = Trainer(maker, chosen.stages, seed, chosen.layers, device)
    if state is not None:
        trainer.restore(state)
    elif init is not None:
        trainer.start_from(init)
    if not run_steps(trainer, out, deadline, report):
        return None
    made = {
        "recipe": recipe,
        "seed": seed,
        "steps": trainer.step,
        "tokens": trainer.tokens,
        "minutes": round(trainer.seconds / 60),
        "started_from": init and read_card(init)["sha256"],
    }
    return export_model(trainer.network, out / MODEL, made)


def export_model(network: LlamaForCausalLM, folder: Path, recipe: dict[str, Any]) -> Path:
    """Write a folder that `from_pretrained` and `load_embedded` read, in bfloat16; returns it.

    `recipe` says how the weights were made; the card has it, the checksum, the size and the date.
    Raises InputError when the disk is full."""
    state = network.state_dict()
    weights = {name: w.cpu().bfloat16().clone() for name, w in state.items() if name != HEAD}
    content = save(weights, {"format": "pt"})
    checkpoint.write(folder / "model.safetensors", content)
    config = json.loads((shipped() / "config.json").read_text(encoding="utf-8"))
    card = {
        "name": recipe["recipe"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "parameters": sum(weight.numel() for weight in weights.values()),
        "dtype": "bfloat16",
        "date": datetime.now(UTC).date().isoformat(),
        "recipe": recipe,
    }
    layers = {"num_hidden_layers": network.config.num_hidden_layers}
    for name, made in (("config.json", config | layers), ("card.json", card)):
        text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
        checkpoint.write(folder / name, text.encode())
    for name in BESIDE:
        shutil.copyfile(shipped() / name, folder / name)
    return folder
