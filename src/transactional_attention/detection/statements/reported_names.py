"""Names that programs and people report of what they made or run as: ``created database
scratch_heron``, ``Switched to branch 'fix/heron'``, ``owned by ci_runner``; and numbers that what
they made was given: ``opened pull request #5521``.

A name has several parts, one of them a rare word; where a mere participle announces it, an
underscore joins them, or it ends what is said, as no English compound does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken
from ..structure.named import is_own

REPORTED = 0.8
_REACH = 32  # characters before a kind that hold the verb
_NAME = (
    r"(?:[ ]named|[ ]called)?[: ][\"'`]?(?P<value>[a-z][a-z0-9]{1,31}(?:[-_][a-z0-9]{1,31}){1,6})"
)
_SAID = re.compile(_NAME + r"(?=[\"'`]?[.,;)\]}\\]?(?:\s|[\"'\\]|\Z))")
_NUMBER = re.compile(r"(?: number| no\.?| id)?:? ?#?(?P<value>\d{3,9})(?![\w%]|[.,:]\d)")
_MADE = re.compile(
    r"\b(?:creat(?:ed|ing)|add(?:ed|ing)|restor(?:ed|ing)|provision(?:ed|ing)|drop(?:ped|ping)"
    r"|delet(?:ed|ing)|remov(?:ed|ing)|us(?:ed|ing)|connect(?:ed|ing) to|switch(?:ed|ing) to"
    r"|attach(?:ed|ing)|mount(?:ed|ing)|launch(?:ed|ing)|start(?:ed|ing)|open(?:ed|ing)|fil(?:ed|ing)|rais(?:ed|ing)|logg(?:ed|ing)|queu(?:ed|ing)"
    r"|submitt(?:ed|ing)|trigger(?:ed|ing)|merg(?:ed|ing)|plac(?:ed|ing)|register(?:ed|ing)"
    r"|made|target(?:ed|ing))(?: to)?(?: the| a| an?other)?(?: new| temporary| scratch)? \Z",
    re.IGNORECASE,
)
_KINDS = (
    "database schema role user bucket queue topic namespace volume cluster container network"
    " instance tenant repository secret workspace branch index collection stream group pod"
).split()
_COUNTED = (
    "issue|ticket|pull request|merge request|pr|mr|case|incident|order|invoice|job|build|pipeline"
    "|task|deployment|change|work item|work order|purchase order"
).split("|")
_PARTICIPLES = (
    "owned by|run by|triggered by|running as|logged in as|authenticated as|connecting as"
    "|connected as|granted to|deployed to|published to|impersonating"
).split("|")
_BOOK = Book(
    [
        *(phrase(kind, (_SAID, True)) for kind in _KINDS),
        *(phrase(kind, (_NUMBER, True)) for kind in _COUNTED),
        *(phrase(said, (_SAID, False)) for said in _PARTICIPLES),
    ]
)


def reported_names(text: str) -> Iterator[Anchor]:
    """Names and numbers behind what was made and of whom things are."""
    for begin, end, (pattern, made) in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match is None or not (match["value"].isdigit() or is_own(match["value"])):
            continue
        ended = "_" in match["value"] or text[match.end() : match.end() + 1] != " "
        if _MADE.search(text, max(0, begin - _REACH), begin) if made else ended:
            yield announced(begin, match, REPORTED, "prose:resource", delimited=False)
