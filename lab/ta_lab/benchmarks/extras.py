"""What a benchmark imports that only an extra installs."""

import contextlib
from collections.abc import Iterator

from transactional_attention.errors import UnsupportedError


@contextlib.contextmanager
def extra(benchmark: str, remedy: str) -> Iterator[None]:
    """Around imports for a benchmark. Raises UnsupportedError, with the ``remedy``, for one that is
    not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise UnsupportedError(f"ta bench {benchmark} needs {missing.name}: {remedy}") from None
