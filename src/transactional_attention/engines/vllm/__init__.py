"""Requests of vLLM at K tokens, in whole blocks of its pool (docs/vllm.md); the extra ``vllm``.

``register`` is an entry point of ``vllm.general_plugins``: without ``TA_VLLM`` it does nothing.
"""

import os

from .arguments import ENVIRONMENT


def register() -> None:
    """Serve requests with a budget in this process; called by vLLM, in every process of its own."""
    if ENVIRONMENT in os.environ:
        from .plugin import activate  # noqa: PLC0415  (vLLM is an extra)

        activate()
