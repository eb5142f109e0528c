"""JSON Schemas that a client gives, as rules of a grammar."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError

SPACE = r"[ ]|\n[ ]{0,16}"  # between parts of JSON: without a bound a small model writes no end


@dataclass(frozen=True)
class Schema:
    """A JSON Schema; ``exact``: what of it cannot be followed is refused, otherwise it is left
    out."""

    given: Mapping[str, Any] = field(repr=False)
    exact: bool = False

    def lark(self) -> str:
        """As what a rule is. Raises InputError for one that is nested too deep."""
        options = {"whitespace_pattern": SPACE, "lenient": not self.exact}
        try:
            return f"%json {json.dumps({**self.given, 'x-guidance': options})}"
        except RecursionError:
            raise InputError("a schema is nested too deep: simplify it") from None
