"""Answers in harmony, the format of gpt-oss: several messages, each with a channel.

The marks are data (``call_forms.toml``). A message of a channel of thoughts is one, a message to a
function is a call, and any other is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .call_forms import TABLE
from .quoted import find_outside
from .tool_calls import Call, long_id, object_text
from .turn import begun

START, CHANNEL, _, MESSAGE, *_ = MARKS = TABLE["channels"]["marks"]
THOUGHTS = TABLE["channels"]["thoughts"]
CALLED = re.compile(r"\bto=functions\.([A-Za-z0-9_.-]{1,128})")


class ChannelParser:
    """Parts a streamed answer in channels (``<|channel|>``) into thoughts, text and calls."""

    def __init__(self, id_of: Callable[[], str] = long_id) -> None:
        self._id_of = id_of
        self._pending, self._kind, self._begun = "", "header", False
        self._name = ""
        self.calls: list[Call] = []
        self.spoken = 0

    def add(self, text: str, *, final: bool = False) -> tuple[str, str, list[Call]]:
        """Text that is sure to be of a thought, text that is said, and calls that are complete;
        ``final``: no more comes."""
        self._pending += text
        self.spoken += len(text)
        thought, content, calls = "", "", list[Call]()
        while self._pending:
            if self._kind == "header" and not self._headed(final=final):
                break
            at, mark = self._next(final=final)
            held = 0 if at >= 0 or final else max(begun(self._pending, m) for m in MARKS)
            end = at if at >= 0 else len(self._pending) - held
            if self._kind == "call":
                if at < 0 and not final:
                    break
                body, end = self._pending[:end], end
                arguments = object_text(body.strip())
                if arguments is None:
                    content += body
                else:
                    calls.append(Call(self._name, arguments, self._id_of()))
            elif self._kind == "thought":
                thought += self._pending[:end]
            else:
                content += self._pending[:end]
            self._pending = self._pending[end:]
            if at < 0:
                break
            self._kind = "header"
            if mark not in (START, CHANNEL):
                self._pending = self._pending[len(mark) :]
        self.calls += calls
        return thought, content, calls

    @property
    def thinking(self) -> bool:
        """As ``Parser`` has it."""
        return self._kind == "thought"

    def _next(self, *, final: bool) -> tuple[int, str]:
        """The first mark that comes, (-1, "") for none; one in a text of arguments is of them, if
        that text ends."""
        matches = [(at, mark) for mark in MARKS if (at := self._pending.find(mark)) >= 0]
        if matches and self._kind == "call":
            places = ((find_outside(self._pending, mark, 0), mark) for _, mark in matches)
            outside = [(at, mark) for at, mark in places if at >= 0]
            broken = final and object_text(self._pending.strip()) is None
            matches = outside if outside or not broken else matches
        return min(matches, default=(-1, ""))

    def _headed(self, *, final: bool) -> bool:
        """Go after the header of a message; whether it is whole. A text without one is said."""
        text = self._pending.lstrip()
        marked = any(text.startswith(m) or m.startswith(text) for m in (START, CHANNEL, "to="))
        if text and not marked:
            self._kind = "said"
            return True
        header, separator, rest = self._pending.partition(MESSAGE)
        if not separator:
            self._pending = "" if final else self._pending  # cut off in the middle of it
            return False
        self._pending = rest
        channel = header.rpartition(CHANNEL)[2].split()
        called = CALLED.search(header)
        self._name = called.group(1) if called else ""
        if CHANNEL in header:  # the latest message is all that is spoken of it
            self.spoken = len(header.rpartition(CHANNEL)[2] + CHANNEL + MESSAGE + rest)
        self._kind = "call" if called else "said"
        if not called and channel and channel[0] in THOUGHTS:
            self._kind = "thought"
        return True
