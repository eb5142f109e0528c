"""Flags of well-known commands that take no value: ``curl -s`` is followed by the next argument."""

from __future__ import annotations

import re

from ..line_begins import line_begin

MOST_LETTERS = 4
REACH = 128  # characters of a line before a flag
_ALONE = {
    "curl": "afgiIjJklLnNOpqRsSvVZ#012346",
    "wget": "bcdEFHkKLmNpqrSvVx46",
    "ls": "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    "grep": "bcEFGhHiIlLnoPqrRsTvVwxyzZ",
    "ssh": "46AaCfGgKkMNnqsTtVvXxYy",
}
_COMMAND = re.compile(r"(?<![\w./-])(?:[\w./-]*/)?[ef]?(curl|wget|ls|grep|ssh)[ \t]")
_NEXT = re.compile(r"[|;&]")


def takes_none(text: str, begin: int, label: str) -> bool:
    """Whether the flag ``label``, of one letter or of several, takes no value in the command that
    stands before ``begin`` on its line: the last letter says so."""
    line = text[line_begin(text, begin, REACH) : begin]
    commands = _COMMAND.findall(_NEXT.split(line)[-1])
    single = text[begin : begin + 2] != "--"
    return bool(commands) and single and label[-1] in _ALONE[commands[0]]
