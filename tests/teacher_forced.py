"""The judge of every engine path: one plain forward in which evicted tokens are hidden.

A cache that evicts is exact when its logits equal those of a single teacher-forced forward over the
whole sequence whose mask lets each query see just what the cache held for it. The mask is built
from the cache's trace alone, in a few lines that share nothing with the engine; a token that
was computed again counts with what its last computation saw. Keys and values that the cache held in
low precision are seen as it handed them out (``low_precision.py``).
"""

import torch
from transformers import AttentionInterface, LlamaConfig, LlamaForCausalLM
from transformers.masking_utils import AttentionMaskInterface

NAME = "teacher_forced"
_state: dict = {}


def _hidden_attention(module, query, key, value, attention_mask, scaling=None, **kwargs):
    if "embed" in _state:
        query, key = (_plain(x, module.layer_idx) for x in (query, key))
    groups, low = query.shape[1] // key.shape[1], _held_low(key, value, module.layer_idx)
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scaling = scaling if scaling is not None else query.shape[-1] ** -0.5
    visible = _state["visible"].get(module.layer_idx)
    if "embed" in _state:
        scores = _compact_scores(query, key, module.layer_idx) * scaling
    else:
        scores = query @ key.transpose(-1, -2) * scaling
    for columns, ranks, held, _ in low:
        asked, held = query[:, :, columns], held.repeat_interleave(groups, 1)
        if "embed" in _state:
            asked = _rotate(asked, ranks[:, :, columns], module.layer_idx)
            held = _rotate(held, ranks, module.layer_idx)
        scores[:, :, columns] = asked @ held.transpose(-1, -2) * scaling
    if kwargs.get("softcap") is not None:
        scores = kwargs["softcap"] * torch.tanh(scores / kwargs["softcap"])
    if visible is None:  # a native sliding layer: the model's own window
        n = scores.shape[-1]
        gap = torch.arange(n)[:, None] - torch.arange(n)
        visible = (gap >= 0) & (gap < kwargs["sliding_window"]) & _state["valid"][:, None, :]
    visible = visible if visible.ndim == 4 else visible[:, None]
    visible = visible | torch.eye(scores.shape[-1], dtype=torch.bool)
    visible = visible.repeat_interleave(scores.shape[1] // visible.shape[1], 1)
    scores = scores.masked_fill(~visible, -1e30)
    weights = scores.softmax(-1)
    _state["weights"][module.layer_idx] = weights
    output = weights @ value
    for columns, _, _, held in low:
        output[:, :, columns] = weights[:, :, columns] @ held.repeat_interleave(groups, 1)
    return output.transpose(1, 2).contiguous(), None


def _held_low(key, value, layer):
    """For each forward that read low precision: its columns, ranks, and what it read."""
    steps = []
    for number, handed in _state["low"].get(layer, ()):
        queries, ranks = _state["ranks"][layer][number]
        states = (
            handed.put(tensor, _state["columns"], values=tensor is value) for tensor in (key, value)
        )
        steps.append((queries, ranks, *states))
    return steps


def reference_weights(model, cache, sequences, mask):
    """Attention [row, query_head, query, column] of every layer in that forward."""
    reference_logits(model, cache, sequences, mask)
    return list(_state["weights"].values())


def _compact_scores(query, key, layer):
    """Scores with every key at its rank among what the query's own forward could see.

    Native sliding layers have no ranks: there all are at their true positions.
    """
    if layer not in _state["ranks"]:
        places = _state["positions"][:, None]
        return _rotate(query, places, layer) @ _rotate(key, places, layer).transpose(-1, -2)
    scores = torch.zeros(*query.shape[:3], key.shape[2])
    for columns, key_ranks in _state["ranks"][layer]:
        q = _rotate(query[:, :, columns], key_ranks[:, :, columns], layer)
        scores[:, :, columns] = q @ _rotate(key, key_ranks, layer).transpose(-1, -2)
    return scores


def _plain(x, layer):
    """States of position 0 without the factor that some rope types put on the rotated part."""
    factor = _state["embed"](torch.zeros(1, 1, dtype=torch.long), layer)[0][0, 0]
    return torch.cat([x[..., : len(factor)] / factor, x[..., len(factor) :]], -1)


def _rotate(x, ranks, layer):
    """Rotate states [row, query_head, column, dim] to ranks [row, kv_head or 1, column]."""
    cos, sin = _state["embed"](ranks.flatten(0, 1), layer)
    cos, sin = cos.unflatten(0, ranks.shape[:2]), sin.unflatten(0, ranks.shape[:2])
    groups = x.shape[1] // ranks.shape[1]
    cos, sin = cos.repeat_interleave(groups, 1), sin.repeat_interleave(groups, 1)
    x, rest = x[..., : cos.shape[-1]], x[..., cos.shape[-1] :]
    half = x.shape[-1] // 2
    turned = torch.cat([-x[..., half:], x[..., :half]], -1)
    return torch.cat([x * cos + turned * sin, rest], -1)


def _embedder(model, config):
    """Cosines and sines of positions in a layer, by a rotary module that has seen nothing else.

    Its rope type may depend on the largest position, as transformers has it.
    """
    decoder = next(m for m in model.modules() if hasattr(m, "rotary_emb"))
    kinds = getattr(config, "layer_types", None) or ["full_attention"] * config.num_hidden_layers

    def embed(positions, layer):
        embedding = decoder.rotary_emb
        if kinds[layer] == "sliding_attention":
            embedding = getattr(decoder, "rotary_emb_local", embedding)
        fresh = type(embedding)(config=embedding.config)
        by_kind = (kinds[layer],) if isinstance(fresh.rope_type, dict) else ()
        return fresh(torch.empty(0), positions, *by_kind)

    return embed


AttentionInterface.register(NAME, _hidden_attention)
AttentionMaskInterface.register(NAME, lambda *args, **kwargs: None)


def reference_logits(model, cache, sequences, mask):
    """Logits [row, column, vocab] of one forward that hides what the cache had evicted."""
    _state.clear()
    valid = mask.bool()
    columns = _columns_of_positions(valid)
    indices = [i for i, layer in enumerate(cache.layers) if layer in cache.managed]
    _state["valid"], _state["visible"], _state["ranks"] = valid, {}, {}
    _state["weights"], _state["low"], _state["columns"] = {}, {}, columns
    handed = getattr(cache, "handed", {})
    for managed, index in enumerate(indices):
        _state["visible"][index] = _visible(cache.trace, managed, columns, valid)
        _state["ranks"][index] = _ranks(cache, managed, columns, valid)
        _state["low"][index] = [(n, h) for (n, which), h in handed.items() if which == managed]
    positions = (valid.long().cumsum(-1) - 1).clamp(min=0)
    if cache.positions.rotary is not None:
        _state["embed"] = _embedder(model, model.config.get_text_config(decoder=True))
        _state["positions"], positions = positions, torch.zeros_like(positions)
    previous = model.config._attn_implementation
    model.set_attn_implementation(NAME)
    try:
        with torch.no_grad():
            return model(sequences, position_ids=positions, use_cache=False).logits
    finally:
        model.set_attn_implementation(previous)


def _columns_of_positions(valid):
    return [torch.nonzero(row)[:, 0] for row in valid]


def _visible(trace, managed, columns, valid):
    """Bool [row, head, query, column]; a trace has one lane a row, or one for each kv head."""
    rows, n = valid.shape
    heads = len(trace[0][managed][0]) // rows
    visible = torch.zeros(rows, heads, n, n, dtype=torch.bool)
    for step in trace:
        held, new = (torch.from_numpy(positions) for positions in step[managed])
        for row in range(rows):
            asking = new[row][new[row] >= 0]
            queries = columns[row][asking][:, None]
            for head in range(heads):
                lane = held[row * heads + head]
                seen = lane[lane >= 0]
                visible[row, head, columns[row][asking]] = False  # what is computed again
                visible[row, head, queries, columns[row][seen]] = seen <= asking[:, None]
    return visible


def _ranks(cache, managed, columns, valid):
    """Where tokens stand: at their ranks, or above them where positions roll."""
    (rows, n), trace = valid.shape, cache.trace
    heads = len(trace[0][managed][0]) // rows
    steps, start = [], 0
    for step in trace:
        held, new = step[managed]
        ranks = torch.zeros(rows, heads, n, dtype=torch.long)
        for lane in range(rows * heads):
            row, head = divmod(lane, heads)
            live = torch.from_numpy(held[lane][held[lane] >= 0]).sort().values
            places = torch.tensor(_places(cache, live.tolist()), dtype=torch.long)
            ranks[row, head, columns[row][live]] = places
        start = min(start, _first(new[0], columns[0]))
        steps.append((torch.arange(start, start + new.shape[1]), ranks))
        start += new.shape[1]
    return steps


def _places(cache, live):
    """Places of the positions that a forward sees, the newest one last."""
    place, lower, limit = -1, 0, cache.positions.trained_length
    if cache.retention.positions == "compact":
        lower = limit = 1 << 30
    while live and live[-1] + 1 - lower > limit:
        lower += limit // 4
    return [place := max(place + 1, position - lower) for position in live]


def _first(new, columns):
    """The first column of a step, where it computes one row's newest tokens again."""
    return min((int(columns[p]) for p in new.tolist() if p >= 0), default=1 << 30)


def tiny_llama(layers=3, factor=3.0, **options):
    """A random Llama with attention sharp enough that a wrong mask shows."""
    torch.manual_seed(0)
    defaults = dict(
        vocab_size=211,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=None,
    )
    return sharpen(LlamaForCausalLM(LlamaConfig(**{**defaults, **options})), factor)


def sharpen(model, factor=3.0):
    """Scale random weights up, so that attention is far from uniform."""
    for parameter in model.parameters():
        parameter.data *= factor
    return model.eval()
