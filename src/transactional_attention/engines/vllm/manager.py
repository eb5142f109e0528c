"""Blocks of vLLM's pool: a spec that says how many a request needs, a manager that frees some of
them while it runs. Which ones, ``blocks.BlockFlow`` decides."""

from dataclasses import dataclass
from typing import Any

from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm.v1.core.kv_cache_utils import KVCacheBlock
from vllm.v1.core.single_type_kv_cache_manager import FullAttentionManager
from vllm.v1.kv_cache_interface import FullAttentionSpec
from vllm.v1.kv_cache_spec_registry import register_kv_cache_spec
from vllm.v1.request import Request

from ...errors import RetentionError
from .arguments import Defaults
from .blocks import BlockBudget, BlockFlow

logger = init_logger(__name__)


@dataclass
class Bounded:
    """A request with a budget. ``moved``: its blocks differ from what workers know."""

    request: Request
    flow: BlockFlow
    moved: bool = False

    def report(self) -> dict[str, int]:
        """What the request's budget came to; no text of it."""
        budget, (held, refused) = self.flow.budget, self.flow.values
        return {
            "budget": min(budget.retention.budgets()),
            "blocks": budget.blocks,
            "block_size": budget.size,
            "chunk": budget.chunk,
            "freed_blocks": self.flow.freed,
            "values_held": held,
            "values_refused": refused,
        }


class RetentionManager(FullAttentionManager):
    """Frees the blocks that a request's flow gives up; requests without a budget are as in vLLM.

    ``bounded``: by request id. ``failed``: requests whose protected tokens do not fit.
    """

    def __init__(self, kv_cache_spec: FullAttentionSpec, **kwargs: Any) -> None:
        super().__init__(kv_cache_spec, **kwargs)
        self.bounded: dict[str, Bounded] = {}
        self.failed: set[str] = set()
        self.freed = 0  # blocks, since the server began

    def remove_skipped_blocks(
        self, request_id: str, processed_computed_tokens: int, num_prompt_tokens: int | None = None
    ) -> None:
        """Before the next tokens of a request get their blocks: let its flow decide, and free the
        blocks that it gives up. A request that cannot be served is noted in ``failed``; one without
        a budget is left alone."""
        entry = self.bounded.get(request_id)
        if entry is None or request_id in self.failed:
            return
        request = entry.request
        try:
            gone = entry.flow.advance(
                request.all_token_ids, processed_computed_tokens, request.num_prompt_tokens
            )
        except RetentionError as error:
            logger.warning("request %s ends: %s", request_id, error)
            self.failed.add(request_id)
            return
        if gone:
            blocks = self.req_to_blocks[request_id]
            self.block_pool.free_blocks([blocks[i] for i in gone])
            for i in gone:
                blocks[i] = self._null_block
            entry.moved, self.freed = True, self.freed + len(gone)

    def get_num_blocks_to_allocate(self, request_id: str, *args: Any, **kwargs: Any) -> int:
        """As in vLLM; a request that waits with a budget needs no more than that and a chunk."""
        entry = self.bounded.get(request_id)
        self.max_admission_blocks_per_request = None if entry is None else entry.flow.budget.most
        return super().get_num_blocks_to_allocate(request_id, *args, **kwargs)

    def cache_blocks(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """As in vLLM, but that no other request may begin with blocks of a bounded one: after the
        first cut their keys and values are not those of the whole prefix."""
        if request.request_id not in self.bounded:
            super().cache_blocks(request, *args, **kwargs)

    def figures(self) -> tuple[int, ...]:
        """Bounded requests, blocks that they hold, blocks they gave up, values held and refused."""
        known = self.bounded.items()
        live = [len(self.req_to_blocks.get(i, ())) - entry.flow.freed for i, entry in known]
        values = [entry.flow.values for _, entry in known]
        held, refused = map(sum, zip(*values, strict=True)) if values else (0, 0)
        return len(known), sum(live), self.freed, held, refused

    def pop_blocks_for_free(self, request_id: str) -> list[KVCacheBlock]:
        """All blocks of a request that ended or gave way; then it is computed anew."""
        entry = self.bounded.get(request_id)
        if entry is not None and not entry.request.is_finished():
            entry.flow.restart()
            entry.moved = False
        return super().pop_blocks_for_free(request_id)


@register_kv_cache_spec(manager_class=RetentionManager, uniform_type_base_spec=FullAttentionSpec)
@dataclass(frozen=True, kw_only=True)
class RetentionSpec(FullAttentionSpec):
    """Full attention whose longest request takes K + chunk, where all have a budget by default."""

    def max_memory_usage_bytes(self, vllm_config: VllmConfig) -> int:
        """What one request needs, so that a pool of that size starts."""
        whole, defaults = super().max_memory_usage_bytes(vllm_config), Defaults.of_environment()
        retention = defaults.retention({})
        if retention is None:
            return whole
        budget = BlockBudget(retention, self.block_size, defaults.chunk_in(vllm_config))
        return min(whole, budget.most * self.page_size_bytes)
