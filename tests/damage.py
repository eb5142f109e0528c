"""Files that somebody else wrote: parts of a saved file replaced, with a checksum that fits."""

import copy

import torch
from hypothesis import strategies as st
from safetensors.torch import save_file

from transactional_attention.engines import cache_file
from transactional_attention.engines.transformers.tensor_file import arrays_of

GONE = object()
VALUES = st.sampled_from(
    [None, True, -1, 0, 3, 10**6, 2**70, 1.5, float("nan"), "", "x", [], {}, [[]], [1, 2, 3], GONE]
)


def places(record, at=()):
    """Where something is in plain data, outermost first; of long lists the ends."""
    inner = []
    if isinstance(record, dict):
        inner = list(record.items())
    elif isinstance(record, list):
        inner = list(enumerate(record))[:: max(1, len(record) - 1)]
    for name, part in inner:
        yield (*at, name)
        yield from places(part, (*at, name))


def replaced(record, place, value):
    """The plain data with another value at a place, or nothing there."""
    changed_record = copy.deepcopy(record)
    at = changed_record
    for name in place[:-1]:
        at = at[name]
    if value is GONE:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return changed_record


def _last(tensor, number):
    """The tensor with another last number, or its opposite where there is none such."""
    if tensor.dtype in (torch.bool, torch.int8, torch.uint8):
        return ~tensor
    changed = tensor.clone()
    changed.view(-1)[-1:] = number
    return changed


CHANGES = {
    "gone": None,
    "type": lambda t: t.to(torch.int16 if t.is_floating_point() else torch.float64),
    "flat": lambda t: t.reshape(-1) if t.ndim > 1 else t[None],
    "fewer": lambda t: t[:-1],
    "more": lambda t: torch.cat([t, t]),
    "narrower": lambda t: t[..., :-1],
    "large": lambda t: _last(t, float("nan") if t.is_floating_point() else 2**30),
    "below": lambda t: _last(t, -5),
}


@st.composite
def damaged(draw, tensors, record):
    """The tensors and the record of a file with one or two changes."""
    tensors, known = dict(tensors), list(places(record))
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.booleans()):
            place = draw(st.sampled_from(known))
            try:
                record = replaced(record, place, draw(VALUES))
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change took it away
        else:
            name, change = draw(st.sampled_from(sorted(tensors))), draw(st.sampled_from([*CHANGES]))
            if change == "gone":
                del tensors[name]
            else:
                tensors[name] = CHANGES[change](tensors[name]).contiguous()
    return tensors, record


def write_text(path, tensors, text):
    """The file with a text in place of its record."""
    about = {"format": cache_file.FORMAT, "version": str(cache_file.VERSION), "record": text}
    save_file(tensors, path, {**about, "sha256": cache_file.checksum(arrays_of(tensors), about)})
