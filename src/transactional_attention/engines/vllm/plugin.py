"""What the plugin changes in a process of vLLM, all of it here.

Backends and the spec are registered where vLLM lets a plugin do so. Two methods of vLLM are wrapped
because there is no such place: the making of an engine's configuration, to choose the scheduler,
and the check of a request's parameters, to refuse what cannot be read before it is queued.
"""

import os
from functools import wraps
from typing import Any

import vllm
from vllm.engine.arg_utils import EngineArgs
from vllm.exceptions import VLLMValidationError
from vllm.sampling_params import SamplingParams
from vllm.v1.attention.backends.registry import AttentionBackendEnum, register_backend

from ...errors import InputError, RetentionError, UnsupportedError
from . import backends, figures
from .arguments import ENVIRONMENT, Defaults

TESTED = "0.32."  # its scheduler and managers are no public interface
SCHEDULER = f"{__package__}.scheduler.RetentionScheduler"
OLD_RUNNER = "VLLM_USE_V2_MODEL_RUNNER"
_done: list[bool] = []


def activate() -> None:
    """Change this process, once. Raises InputError for what ``TA_VLLM`` may not say;
    UnsupportedError for a version of vLLM that was not tested."""
    if _done:
        return
    _done.append(True)
    if not vllm.__version__.startswith(TESTED):
        raise UnsupportedError(f"vLLM {vllm.__version__} was not tested: install {TESTED}0")
    Defaults.of_environment()
    os.environ.setdefault(OLD_RUNNER, "0")
    for name in backends.BACKENDS:
        register_backend(AttentionBackendEnum[name], f"{backends.__name__}.{name}")
    EngineArgs.create_engine_config = _configured(EngineArgs.create_engine_config)  # type: ignore[method-assign]
    SamplingParams.verify = _checked(SamplingParams.verify)  # type: ignore[method-assign]


def _configured(create: Any) -> Any:
    @wraps(create)
    def create_engine_config(self: EngineArgs, *args: Any, **kwargs: Any) -> Any:
        if self.scheduler_cls is not None and self.scheduler_cls != SCHEDULER:
            raise UnsupportedError(f"{ENVIRONMENT} brings a scheduler: leave out --scheduler-cls")
        if self.async_scheduling:
            raise UnsupportedError(f"{ENVIRONMENT} schedules a step at a time: leave out "
                                   "--async-scheduling")  # fmt: skip
        self.scheduler_cls, self.async_scheduling = SCHEDULER, False
        figures.serve()
        config = create(self, *args, **kwargs)
        check_configuration(config)
        return config

    return create_engine_config


def check_configuration(config: Any) -> None:
    """Refuse what was not made for blocks that leave. Raises UnsupportedError naming it."""
    parallel, model = config.parallel_config, config.model_config
    refused = {
        "speculative decoding": config.speculative_config is not None,
        "KV connectors": config.kv_transfer_config is not None,
        "pipeline parallelism": parallel.pipeline_parallel_size > 1,
        "decode context parallelism": parallel.decode_context_parallel_size > 1,
        f"the new model runner ({OLD_RUNNER}=1)": config.use_v2_model_runner,
        "multimodal models": model.is_multimodal_model,
        "encoder-decoder models": model.is_encoder_decoder,
        "pooling models": model.runner_type != "generate",
        "--skip-tokenizer-init": model.skip_tokenizer_init,
    }
    unsupported = [name for name, in_use in refused.items() if in_use]
    if unsupported:
        raise UnsupportedError(f"{ENVIRONMENT} does not serve {', '.join(unsupported)}")


def _checked(verify: Any) -> Any:
    @wraps(verify)
    def verify_with_budget(self: SamplingParams, *args: Any, **kwargs: Any) -> None:
        verify(self, *args, **kwargs)
        try:
            retention = Defaults.of_environment().retention(self.extra_args)
            if retention is not None and self.prompt_logprobs is not None:
                raise InputError("prompt_logprobs are not served with a budget: ask with "
                                 "ta_budget 0")  # fmt: skip
        except RetentionError as error:
            raise VLLMValidationError(str(error), parameter="vllm_xargs") from None

    return verify_with_budget
