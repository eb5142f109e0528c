"""The transformers engine: a cache, its hooks and its attention function."""

from .attention import retention_attention
from .cache import RetentionCache
from .session import attach, detach

__all__ = ["RetentionCache", "attach", "detach", "retention_attention"]
