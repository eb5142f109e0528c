"""What the extra ``transformers`` brings, which models of transformers need."""

from importlib.util import find_spec

from ..errors import UnsupportedError, install_extra

REMEDY = install_extra("transformers")


def missing() -> str:
    """Which of torch and transformers is not installed; nothing where both are."""
    return " and ".join(name for name in ("torch", "transformers") if find_spec(name) is None)


def need_transformers() -> None:
    """Raises UnsupportedError where torch or transformers is not installed."""
    if absent := missing():
        raise UnsupportedError(f"models of transformers need {absent}: {REMEDY}")
