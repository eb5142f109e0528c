"""What the extra ``transformers`` brings, which models of transformers need."""

from importlib.util import find_spec

from ..errors import UnsupportedError, install_extra

REMEDY = install_extra("transformers")


def need_transformers() -> None:
    """Raises UnsupportedError where torch or transformers is not installed."""
    if missing := [name for name in ("torch", "transformers") if find_spec(name) is None]:
        raise UnsupportedError(f"models of transformers need {' and '.join(missing)}: {REMEDY}")
