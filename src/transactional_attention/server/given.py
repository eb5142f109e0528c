"""JSON that a client gives: which fields are known, and which one is wrong."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

HALF = re.compile(r"\\u[dD][89a-fA-F]")
ESCAPE = re.compile(
    r"(?:\\(?!u[dD][89a-fA-F]).)+"  # others, of which one may be a backslash
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})",
    re.DOTALL,
)


NOT_SERVED = PydanticCustomError("unserved", "this is not served: leave it out")


def _refused(given: Any) -> None:
    if given:  # not switched off
        raise NOT_SERVED


Unserved = Annotated[None, BeforeValidator(_refused)]
"""A field that would change the answer: refused by name."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


class ClientData(BaseModel):
    """What a client gives; fields that are not named here are let through unread."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)


def _names(kind: type[BaseModel]) -> Iterator[str]:
    names = (field.alias or name for name, field in kind.model_fields.items())
    yield from (*names, *getattr(kind, "unserved", ()))
    for below in kind.__subclasses__():
        yield from _names(below)


def _other_type(kind: str) -> bool:
    """Whether a fault says that something is of another type."""
    return kind.endswith("_type") or kind == "literal_error"


def mended(text: str) -> str:
    """JSON in which half a surrogate pair, which no text can hold, is U+FFFD."""
    return ESCAPE.sub(_whole, text) if HALF.search(text) else text


def _whole(match: re.Match[str]) -> str:
    return "\\ufffd" if match.group("half") else match.group()


@cache
def known() -> frozenset[str]:
    """Names of fields."""
    return frozenset(_names(ClientData))


def reason(error: ValidationError) -> tuple[str, str]:
    """A field that is wrong and what is wrong with it; nothing of what was given.

    Of the alternatives of a field it is the one in which the fault lies deepest, and of these one
    that has the type of what was given.
    """
    faults = error.errors(include_input=False, include_url=False, include_context=False)
    deepest = max(faults, key=lambda fault: (len(fault["loc"]), not _other_type(fault["type"])))
    # numbers and names of fields: other keys are the client's own text
    named = (str(part) for part in deepest["loc"] if isinstance(part, int) or part in known())
    why = deepest["msg"]
    if deepest["type"] == "json_invalid":
        why = "the body is no JSON"
    elif deepest["type"] == "extra_forbidden":
        meant = get_close_matches(str(deepest["loc"][-1]), known(), n=1)
        why = "unknown field" + "".join(f", did you mean {name}?" for name in meant)
    return ".".join(named), why
