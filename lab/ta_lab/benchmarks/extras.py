"""What a benchmark imports that only an extra installs."""

import contextlib
from collections.abc import Iterator

from transactional_attention.errors import UnsupportedError, install_extra


@contextlib.contextmanager
def extra(benchmark: str, *names: str) -> Iterator[None]:
    """Around imports for a benchmark, of extras of the library. Raises UnsupportedError for what is
    not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise UnsupportedError(
            f"ta bench {benchmark} needs {missing.name}: {install_extra(*names)}"
        ) from None
