"""The transformers engine: a cache, its hooks and its attention function."""

from ...models.installed import need_transformers

need_transformers()

from .cache import RetentionCache  # noqa: E402  (else a ModuleNotFoundError says less)
from .session import attach, detach  # noqa: E402

__all__ = ["RetentionCache", "attach", "detach"]
