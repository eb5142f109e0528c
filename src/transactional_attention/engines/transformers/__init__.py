"""The transformers engine: a cache, its hooks and its attention function."""

from ...models.installed import need_transformers

need_transformers()

from .attach import attach, detach  # noqa: E402
from .cache import RetentionCache  # noqa: E402  (otherwise the error says less)

__all__ = ["RetentionCache", "attach", "detach"]
