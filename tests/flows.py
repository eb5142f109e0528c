"""One row that is decided on without a model: it reads texts, is cut, generates, and is saved."""

import json

import numpy as np

from transactional_attention import Span
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.saving.flow import export_flow, resume_flow
from transactional_attention.types import SourceRange

IDLE = "Nothing of note was said for a while, and then they all went home again.\n"


def read(flow, text, *, final=True):
    """A part of a prompt; its ids."""
    ids = flow.tokenizer(text)["input_ids"]
    flow.read(np.array([ids]), np.ones((1, len(ids)), bool), final=final)
    return ids


def read_sources(flow, parts):
    """A prompt of (source, text); the flow."""
    start = end = int(flow.lengths[0])
    ranges = []
    for source, text in parts:
        start, end = end, end + len(flow.tokenizer(text)["input_ids"])
        ranges.append(SourceRange(Span(start, end), source))
    flow.set_sources([ranges])
    read(flow, "".join(text for _, text in parts))
    return flow


def read_and_cut(flow, text, *, final=True):
    """A part of a prompt, and the cut after it; its ids."""
    ids = read(flow, text, final=final)
    for table in flow.tables.values():
        flow.cut(table)
    return ids


def said(flow, text):
    """Tokens that are generated, and then read together; their ids."""
    ids = flow.tokenizer(text)["input_ids"]
    for _ in ids:
        flow.decode(evict=True)
    flow.read_generated([ids])
    return ids


def gone_on(flow, ids=None):
    """The flow through a file's data, with its ids given again or without."""
    plain, arrays = export_flow(flow)
    other = RetentionFlow(flow.retention, flow.tokenizer, len(flow.sequences))
    resume_flow(other, json.loads(json.dumps(plain)), arrays, None if ids is None else [ids])
    return other
