"""vLLM's scheduler with budgets: it decides once a step which blocks stay, and workers obey.

Blocks that left are null in the block list of a request. Workers get that list anew, by the way on
which vLLM tells them of a request that goes on after a preemption; so they need no text, and cannot
decide otherwise. Prompts are scheduled at most up to the next cut.
"""

from typing import Any

from vllm.logger import init_logger
from vllm.tokenizers import cached_tokenizer_from_config
from vllm.v1.core.sched.output import CachedRequestData, SchedulerOutput
from vllm.v1.core.sched.scheduler import Scheduler
from vllm.v1.request import Request

from ...config import Retention
from ...errors import InputError, RetentionError, UnsupportedError
from .arguments import Defaults
from .blocks import BlockBudget, BlockFlow
from .figures import Figures
from .manager import Bounded, RetentionManager

logger = init_logger(__name__)


class RetentionScheduler(Scheduler):
    """``Scheduler`` for requests with and without a budget. Raises UnsupportedError for models of
    which some layers have no full attention, and tokenizers whose text cannot be followed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managers = self.kv_cache_manager.coordinator.single_type_managers
        if len(managers) != 1 or not isinstance(managers[0], RetentionManager):
            raise UnsupportedError(
                "a budget needs a model of full attention in every layer, on the backend "
                "CPU_ATTN, FLASH_ATTN or FLASHINFER"
            )
        self.manager = managers[0]
        self.defaults = Defaults.of_environment()
        self.chunk = self.defaults.chunk_in(self.vllm_config)
        self.tokenizer = cached_tokenizer_from_config(self.vllm_config.model_config)
        self.figures = Figures.of_environment()
        self._flow(self.defaults.retention({}) or Retention())  # refused before the first request

    def add_request(self, request: Request) -> None:
        """Take a request in; one that cannot be served ends with an error at the next step."""
        try:
            self._bound(request)
        except RetentionError as error:
            logger.warning("request %s ends: %s", request.request_id, error)
            self.manager.failed.add(request.request_id)
        super().add_request(request)

    def _bound(self, request: Request) -> None:
        sampling, block_size = request.sampling_params, self.manager.block_size
        retention = self.defaults.retention(None if sampling is None else sampling.extra_args)
        pool_blocks = self.manager.block_pool.num_gpu_blocks - 1
        most_tokens = min(request.num_prompt_tokens + request.max_tokens, self.max_model_len)
        needed_blocks = -(-most_tokens // block_size)
        if retention is not None:
            if request.resumable or request.prompt_token_ids is None:
                raise UnsupportedError("a budget needs a prompt of tokens that is given at once")
            flow = self._flow(retention)
            flow.foresee(request.prompt_token_ids)
            needed_blocks = min(needed_blocks, flow.budget.most)
            request.skip_reading_prefix_cache = True
            self.manager.bounded[request.request_id] = Bounded(request, flow)
        if needed_blocks > pool_blocks:
            raise InputError(
                f"it needs {needed_blocks} blocks, the pool has {pool_blocks}: "
                "give a smaller budget, or more"
            )

    def _flow(self, retention: Retention) -> BlockFlow:
        budget = BlockBudget(retention, self.manager.block_size, self.chunk)
        return BlockFlow(budget, self.tokenizer)

    def schedule(self, *args: Any, **kwargs: Any) -> SchedulerOutput:
        """Run a step; requests whose decision failed then end, as those with a bad grammar do."""
        output = super().schedule(*args, **kwargs)
        self.grammar_compile_error_reqs |= self.manager.failed
        self.figures.write(self.manager.figures())
        return output

    def _reserve_prefill_lookahead(
        self, request: Request, num_computed_tokens: int, num_new_tokens: int
    ) -> int:
        entry = self.manager.bounded.get(request.request_id)
        if entry is not None:
            border = entry.flow.budget.border(num_computed_tokens, request.num_prompt_tokens)
            num_new_tokens = min(num_new_tokens, border - num_computed_tokens)
        return super()._reserve_prefill_lookahead(request, num_computed_tokens, num_new_tokens)

    def _make_cached_request_data(self, *args: Any) -> CachedRequestData:
        data = super()._make_cached_request_data(*args)
        for i, request_id in enumerate(data.req_ids):
            entry = self.manager.bounded.get(request_id)
            if entry is not None and entry.moved:
                data.new_block_ids[i] = self.kv_cache_manager.get_block_ids(request_id)
                data.resumed_req_ids.add(request_id)
                entry.moved = False
        return data

    def _free_request(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        entry = self.manager.bounded.get(request.request_id)
        report = None if entry is None else {"retention": entry.report()}
        parameters, *rest = super()._free_request(request, *args, **kwargs)
        self.manager.bounded.pop(request.request_id, None)
        self.manager.failed.discard(request.request_id)
        return parameters if report is None else {**(parameters or {}), **report}, *rest
