"""The transformers engine: a cache, its hooks and its attention function."""

from .cache import RetentionCache
from .session import attach, detach

__all__ = ["RetentionCache", "attach", "detach"]
