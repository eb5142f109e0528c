"""How transformers hands a cache on: ``cache`` since 5.24, ``past_key_values`` before it.

No other file knows these names: a cache among arguments is found by its kind (``find_cache``),
whatever it is called there, and given under the installed version's name (``cache_argument``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from transformers import __version__
from transformers.modeling_outputs import BaseModelOutputWithPast

TESTED = "4.57 to 5.24"  # pyproject.toml caps at it
_NEW = any(field.name == "cache" for field in fields(BaseModelOutputWithPast))
NAMES = ("cache", "past_key_values")
NAME = NAMES[0] if _NEW else NAMES[1]


def cache_argument(cache: Any) -> dict[str, Any]:
    """The keyword argument of ``generate`` or of a model's forward that holds ``cache``."""
    return {NAME: cache}


def find_cache(values: Iterable[Any], kind: Any) -> Any:
    """The first of a call's arguments that is a cache of this kind; None without one."""
    return next((value for value in values if isinstance(value, kind)), None)


def given_cache(arguments: Mapping[str, Any]) -> Any:
    """The cache of any kind among keyword arguments; None without one."""
    return next((arguments[name] for name in NAMES if arguments.get(name) is not None), None)


def versions() -> str:
    """The installed transformers and what is tested, for errors that another one may explain."""
    return f"transformers is {__version__}, tested are {TESTED}"
