"""Retention gates for a frozen model (TRIM-KV, 2512.03324): trained and written, in minutes.

Their documents are some that the embedded model was trained on, as the ids of any model's
tokenizer; the losses are of section 4.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface

from transactional_attention.config import Retention
from transactional_attention.engines.transformers.attach import detach, is_attached
from transactional_attention.engines.transformers.attention import (
    retention_attention,
    retention_mask,
)
from transactional_attention.engines.transformers.cache import RetentionCache
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.gating import input_of, watch_inputs
from transactional_attention.errors import InputError
from transactional_attention.methods.observation import AttentionRule, logits, normalise
from transactional_attention.models.embedded.derived import weights_sha256
from transactional_attention.models.tensors import save_tensors

from ..baselines.gates import WIDTH, Gate, log_decay, metadata_of, tensors_of
from ..data import packed

BEGIN, MARK = "<|begin|>", re.compile(r"<\|\w+\|>")  # what the embedded model's special tokens are
PROSE = 0.25  # tokens before the first answer that have a loss


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
    """One document a step, again from the first after the last; the same for the same seed and
    step.

    Text with questions and answers at its end, made for the embedded model. Its special tokens are
    left out for tokenizers that are not of this project."""

    def __init__(self, tokenizer: Any, seed: int) -> None:
        self.tokenizer, self.seed = tokenizer, seed
        self.native = tokenizer.bos_token == BEGIN
        self.texts: list[tuple[int, str, str]] = list(packed("frozen/documents"))
        """Each its most tokens, what comes before the first answer, and the rest."""

    def sample(self, step: int) -> Sample:
        """The document of a step. Raises InputError when the tokenizer finds no tokens in it."""
        most, *texts = self.texts[step % len(self.texts)]
        if not self.native:
            texts = [MARK.sub("", text) for text in texts]
        # Apart, so that the places of the answers are known.
        before, after = (self.tokenizer.encode(text, add_special_tokens=False) for text in texts)
        begin = self.tokenizer.bos_token_id
        ids = [*([] if begin is None else [begin]), *before, *after]
        if len(ids) < 2:
            raise InputError("the model's tokenizer makes nothing of a training document")
        cut = max(0, len(ids) - most)
        first = len(ids) - len(after) - 1 - cut
        ids = ids[cut:]
        rng = random.Random(f"{self.seed}:{step}:places")
        places = [place for place in range(len(ids) - 1) if place >= first or rng.random() < PROSE]
        return Sample(torch.tensor([ids]), torch.tensor(places))


NAME = "gated"
LOG_BETA = "_gated_log_beta"


@contextmanager
def gated(
    decoder: nn.Module, gates: Mapping[int, Callable[[Tensor], Tensor]]
) -> Iterator[dict[int, Tensor]]:
    """Let layers attend through gates, by their index, in a model of attention `gated`.

    Yields log beta (row, kv head, token) of every layer, filled by each forward."""
    log_betas: dict[int, Tensor] = {}

    def read(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
        hidden, index = input_of(args, kwargs), module.layer_idx
        if hidden is not None and index in gates:
            assert isinstance(index, int)
            log_betas[index] = gates[index](hidden)
            setattr(module, LOG_BETA, log_betas[index])

    handles = watch_inputs(decoder, read)
    try:
        yield log_betas
    finally:
        for handle in handles:
            handle.remove()


def gated_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Equation 3: o_t = sum over i <= t of softmax_i(q_t . k_i + (t - i) log beta_i) v_i.

    Arguments and result as for `retention_attention`, which serves layers without a gate."""
    log_beta = module.__dict__.pop(LOG_BETA, None)
    if log_beta is None:
        return retention_attention(
            module, query, key, value, attention_mask, dropout, scaling, **kwargs
        )
    scale = scaling if scaling is not None else query.shape[-1] ** -0.5
    rule = AttentionRule(scale, kwargs.get("softcap"), kwargs.get("s_aux"))
    groups = query.shape[1] // key.shape[1]
    scores = logits(query, key, rule) + log_decay(log_beta).repeat_interleave(groups, 1)
    weights = normalise(scores, rule).to(query.dtype)
    output = weights @ value.repeat_interleave(groups, 1)
    return output.transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, gated_attention)
AttentionMaskInterface.register(NAME, retention_mask)


def capacity_loss(log_beta: Tensor, memory: int) -> Tensor:
    """1/T sum over t of max(0, sum over i <= t of beta_i^(t-i) - M) / t, a mean over heads.

    `log_beta` is (row, kv head, token), `memory` is M: tokens that a head is meant to hold."""
    held = log_decay(log_beta).exp().sum(-1)
    steps = torch.arange(1, held.shape[-1] + 1, device=held.device)
    return (F.relu(held - memory) / steps).mean()


def quality_loss(student: Tensor, teacher: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """KL(teacher || student) and the next-token loss, nats per token.

    `student` and `teacher` are logits (token, vocabulary), `targets` ids (token)."""
    predictions, wanted = student.float().log_softmax(-1), teacher.float().log_softmax(-1)
    divergence = F.kl_div(predictions, wanted, reduction="batchmean", log_target=True)
    return divergence, F.nll_loss(predictions, targets)


BIAS = 10.0  # beta = 0.99995 at the start: nothing is forgotten yet
RATE, LAST_RATE, WARM_UP_STEPS = 3e-3, 0.05, 10  # the rate falls linearly to a share of it
LOG_EVERY = 10
LOSSES = ("divergence", "next_token", "capacity")


class TrainedGate(nn.Module):
    """The gate of a layer while it is trained; `gate` is what it stands for."""

    def __init__(self, hidden: int, kv_heads: int) -> None:
        super().__init__()
        self.up = nn.Linear(hidden, WIDTH)
        self.down = nn.Linear(WIDTH, kv_heads)
        nn.init.constant_(self.down.bias, BIAS)

    @property
    def gate(self) -> Gate:
        """The gate with the weights of now."""
        return Gate(self.up.weight, self.up.bias, self.down.weight, self.down.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        """Log beta (row, kv head, token) of hidden states (row, token, hidden)."""
        return self.gate(hidden)


class GateTrainer:
    """The state of a run: gates, optimiser, the next step. The model stays as it is."""

    def __init__(
        self, model: Any, documents: GateDocuments, steps: int, seed: int, memory: int
    ) -> None:
        """Gates of `seed` for every full-attention layer; `memory` is M of the capacity loss."""
        torch.manual_seed(seed)
        self.model, self.decoder = model, find_decoder(model)
        self.documents, self.steps, self.memory = documents, steps, memory
        self.seed, self.step = seed, 0
        config = model.config.get_text_config(decoder=True)
        kv_heads = getattr(config, "num_key_value_heads", config.num_attention_heads)
        gates = {index: TrainedGate(config.hidden_size, kv_heads) for index in managed(model)}
        self.gates = gates
        self.network = nn.ModuleDict({str(index): gate for index, gate in gates.items()})
        self.network.to(model.device)
        self.adamw = torch.optim.AdamW(self.network.parameters(), lr=RATE, weight_decay=0.01)

    def train_step(self) -> dict[str, float]:
        """One document: KL to the model itself + next-token loss + capacity loss; each by its name
        in LOSSES, nats per token, and the capacity loss in [0, 1]."""
        losses = self.losses(self.documents.sample(self.step))
        torch.stack(losses).sum().backward()
        factor = 1 + (LAST_RATE - 1) * self.step / self.steps
        factor *= min(1.0, (self.step + 1) / WARM_UP_STEPS)
        for group in self.adamw.param_groups:
            group["lr"] = RATE * factor
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.adamw.step()
        self.adamw.zero_grad(set_to_none=True)
        self.step += 1
        return {name: float(loss.detach()) for name, loss in zip(LOSSES, losses)}

    def losses(self, sample: Sample) -> list[Tensor]:
        """Divergence, next-token loss and capacity loss of a document."""
        with torch.no_grad():
            teacher = self._logits(sample)
        with gated(self.decoder, self.gates) as log_betas:
            student = self._logits(sample)
        capacity = [capacity_loss(log_beta, self.memory) for log_beta in log_betas.values()]
        targets = sample.targets.to(student.device)
        return [*quality_loss(student, teacher, targets), torch.stack(capacity).mean()]

    def _logits(self, sample: Sample) -> Tensor:
        device = self.model.device
        output = self.model(
            input_ids=sample.ids.to(device),
            logits_to_keep=sample.places.to(device),
            use_cache=False,
        )
        return output.logits[0]

    def save(self, path: Path) -> None:
        """Write the gates with the checksum of the model's weights; InputError where it fails."""
        tensors = tensors_of({index: gate.gate for index, gate in self.gates.items()})
        run = {"seed": self.seed, "steps": self.steps, "memory": self.memory}
        made = {name: tensor.numpy() for name, tensor in tensors.items()}
        save_tensors(path, made, metadata_of(weights_sha256(self.decoder), **run))


def managed(model: Any) -> list[int]:
    """Indices of the full-attention layers; raises UnsupportedError when there is none."""
    attached = is_attached(model)
    cache = RetentionCache(model, None, Retention(None, "full"))
    if not attached:
        detach(model)
    return [index for index, layer in enumerate(cache.layers) if layer in cache.managed]


@contextmanager
def frozen(model: Any) -> Iterator[None]:
    """Freeze a model and let it attend through `gated`; it gets everything back at the end."""
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    previous, training = model.config._attn_implementation, model.training
    for weight in trained:
        weight.requires_grad_(False)
    model.eval()
    model.set_attn_implementation(NAME)
    try:
        yield
    finally:
        model.set_attn_implementation(previous)
        model.train(training)
        for weight in trained:
            weight.requires_grad_(True)


def train_gates(
    model: Any,
    tokenizer: Any,
    out: Path,
    *,
    steps: int,
    memory: int,
    seed: int = 0,
    report: Callable[[str], None] = print,
) -> Path:
    """Train gates for a model on `steps` training documents into the file `out`; returns it.

    `memory` is the number of tokens that a kv head is meant to hold, M; best the budget of use.
    Raises InputError for a file that cannot be written, UnsupportedError for a model without full
    attention."""
    if steps < 1 or memory < 1:
        raise InputError(f"steps and memory must be at least 1, got {steps} and {memory}")
    trainer = GateTrainer(model, GateDocuments(tokenizer, seed), steps, seed, memory)
    with frozen(model):
        for step in range(1, steps + 1):
            losses = trainer.train_step()
            if step % LOG_EVERY == 0 or step == steps:
                loss_texts = (f"{name} {value:.4f}" for name, value in losses.items())
                report(f"step {step} {' '.join(loss_texts)}")
    trainer.save(out)
    return out
