"""Attention over the blocks that are left: vLLM's backends with compacted block tables.

A name of ``BACKENDS`` is looked up in this module as the stock backend of that name whose metadata
leaves out null blocks. Keys keep the rotation of their positions; attention is causal by rank,
which is the same where all that is left stands before the new tokens.
"""

from dataclasses import fields
from functools import cache
from typing import Any

import torch
from vllm.utils.import_utils import resolve_obj_by_qualname
from vllm.v1.attention.backend import AttentionCGSupport, CommonAttentionMetadata
from vllm.v1.attention.backends.registry import AttentionBackendEnum
from vllm.v1.kv_cache_interface import FullAttentionSpec

from .manager import RetentionSpec

BACKENDS = ("CPU_ATTN", "FLASH_ATTN", "FLASHINFER")
READS_LENGTHS_ON_HOST = ("FLASHINFER",)  # another one would wait for the device in vain


def compacted(
    metadata: CommonAttentionMetadata, size: int, null: int = 1, *, on_host: bool = False
) -> CommonAttentionMetadata:
    """Block tables [request, block] without null blocks, lengths [request] without their tokens.

    ``size``: tokens of a block. ``null``: ids below it are the null block. Requests whose first
    block is null have none yet (warm-up) and stay as they are. ``on_host``: lengths are read there.
    """
    table, lengths = metadata.block_table_tensor, metadata.seq_lens
    index = torch.arange(table.shape[1], device=table.device)
    used = index < ((lengths + size - 1) // size)[:, None]
    gone = used & (table < null) & (table[:, :1] >= null)
    order = (gone | ~used).to(torch.int8).argsort(dim=1, stable=True)
    missing = gone.sum(1).to(lengths.dtype) * size
    changed: dict[str, Any] = {
        "block_table_tensor": table.gather(1, order),
        "seq_lens": lengths - missing,
        "_num_computed_tokens_cache": None,
    }
    if on_host and metadata.seq_lens_cpu_upper_bound is not None:
        changed["seq_lens_cpu_upper_bound"] = metadata.seq_lens_cpu_upper_bound - missing.cpu()
    return metadata.replace(**changed)


@cache
def _retaining(name: str) -> type:
    stock = resolve_obj_by_qualname(AttentionBackendEnum[name].value)
    builder_class: type = stock.get_builder_cls()

    class Builder(builder_class):  # type: ignore[misc]
        _cudagraph_support = AttentionCGSupport.NEVER  # compacted tables are new tensors

        @classmethod
        def get_cudagraph_support(cls, *_: Any, **__: Any) -> AttentionCGSupport:
            return AttentionCGSupport.NEVER

        def build(
            self,
            common_prefix_len: int,
            common_attn_metadata: CommonAttentionMetadata,
            *args: Any,
            **kwargs: Any,
        ) -> Any:
            # a block of the pool may be several of the kernel's
            size = self.kv_cache_spec.block_size
            null = self.vllm_config.cache_config.block_size // size
            left = compacted(
                common_attn_metadata, size, null, on_host=name in READS_LENGTHS_ON_HOST
            )
            return super().build(common_prefix_len, left, *args, **kwargs)

    class Backend(stock):  # type: ignore[misc, valid-type]
        @staticmethod
        def get_builder_cls() -> type:
            return Builder

        @classmethod
        def customize_spec(cls, spec: Any) -> Any:
            spec = super().customize_spec(spec)
            plain = type(spec) is FullAttentionSpec and not (
                spec.sliding_window or spec.attention_chunk_size
            )
            if not plain:
                return spec
            return RetentionSpec(**{f.name: getattr(spec, f.name) for f in fields(spec) if f.init})

    return Backend


def __getattr__(name: str) -> type:
    if name in BACKENDS:
        return _retaining(name)
    raise AttributeError(name)
