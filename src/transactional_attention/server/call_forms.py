"""How a model writes calls and thoughts, read from what its chat template makes of a probe.

A conversation with one call, and with two, is rendered: what stands before, between and after the
names and arguments that are known is the form. ``call_forms.toml`` has what no probe shows.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal

from ..engines.prompts import templates

Kind = Literal["json", "named", "fields", "python", "channels"]
ID = "\ufffc"  # in a form: where the id of a call stands
COUNT = "\ufffb"  # in a form: where the number of a call stands
NAMES, IDS = ("probe_one", "probe_two"), ("Probe0001", "Probe0002")
GIVEN = {"first_key": "alpha beta", "other_key": 7}
SAID, THOUGHT = "Qx said zQ", "Qx thought zQ"
OTHER = "Another answer."  # begins with another letter than SAID and THOUGHT
THOUGHTS = ("reasoning_content", "thinking", "tool_plan")  # what templates call a thought
USER = {"role": "user", "content": "Hello."}
TOOL = {
    "type": "function",
    "function": {
        "name": NAMES[0],
        "description": "Probe.",
        "parameters": {
            "type": "object",
            "properties": {
                "first_key": {"type": "string", "description": "First."},
                "other_key": {"type": "integer", "description": "Other."},
            },
            "required": list(GIVEN),
        },
    },
}  # some templates refuse a tool without descriptions or required parameters
TABLE = tomllib.loads(files(__package__).joinpath("call_forms.toml").read_text(encoding="utf-8"))
_MARKS = re.compile(r"<[^<>\s]*>?|[^<\s]+")
_PARTS = re.compile(r"<[^<>\s]*>?|\s+|[^<>\s]+|>")


@dataclass(frozen=True)
class Fields:
    """Marks around arguments that are written one by one: ``key`` stands before a key, ``value``
    between key and value, ``close`` after the value (``<parameter=``, ``>``, ``</parameter>``)."""

    key: str
    value: str
    close: str


@dataclass(frozen=True)
class CallForm:
    """How a model writes calls of tools. One that many models write::

        <tool_call>
        {"name": "NAME", "arguments": ARGUMENTS}
        </tool_call>

    Here ``head`` is all before NAME, ``between`` what stands between NAME and ARGUMENTS, and
    ``tail`` all after them. ``middle`` stands between the ARGUMENTS of a call and the NAME of the
    next one; None: an answer has one call. ``mark`` (``<tool_call>``) begins calls, "" where
    nothing does; ``close`` (``</tool_call>``) ends them, "" where the answer's end does.

    ``kind``: how NAME and ARGUMENTS are written.

    - "json": one JSON object has both, as above, or a list of such objects. ``keys``: what it calls
      the name and the arguments. ``bare``: how many characters at the end of ``head`` and at the
      begin of ``tail`` belong to the object (10 and 1 above), for models that leave out the rest.
    - "named": the name stands before the arguments, which are a JSON object.
    - "fields": the arguments are written one by one, with the marks that ``fields`` has.
    - "python": a call as in Python, ``NAME(key="value")``.
    - "channels": a message of harmony, the format of gpt-oss.

    ``rendered``: whether the chat template itself writes calls that a conversation holds.
    """

    kind: Kind
    head: str
    between: str
    tail: str
    middle: str | None = None
    mark: str = ""
    close: str = ""
    bare: tuple[int, int] = (0, 0)
    fields: Fields | None = None
    keys: tuple[str, str] = ("name", "arguments")
    rendered: bool = True

    def texts(self) -> list[str]:
        """All that it writes."""
        known = [] if self.fields is None else [self.fields.key, self.fields.value]
        known += [] if self.fields is None else [self.fields.close]
        return [self.mark, self.head, self.between, self.middle or "", self.tail, *known]


@dataclass(frozen=True)
class Forms:
    """What a chat template can write.

    ``calls``: the form of its tool calls, None if it has none. ``thought``: the marks around a
    thought; ``thinks``: it takes one as ``reasoning_content``, ``beside_text``: also with a text
    and calls. ``as_text``: it takes arguments as JSON text. ``long_ids``: it takes ids of calls of
    any length."""

    calls: CallForm | None = None
    thought: tuple[str, str] = ("<think>", "</think>")
    thinks: bool = False
    beside_text: bool = True
    as_text: bool = False
    long_ids: bool = True

    def texts(self) -> list[str]:
        """All that it writes and an answer may hold."""
        calls = [] if self.calls is None else self.calls.texts()
        channels = TABLE["channels"]["marks"] if calls and self.channels else []
        return [*self.thought, *calls, *channels]

    @property
    def channels(self) -> bool:
        """Whether an answer is several messages, each with a channel."""
        return self.calls is not None and self.calls.kind == "channels"


@dataclass(frozen=True)
class TemplateProbe:
    """A template that renders conversations with tools."""

    tokenizer: Any = field(repr=False)
    ends: frozenset[int]
    as_text: bool = False
    ids: tuple[str, ...] = IDS

    def written(
        self,
        message: Mapping[str, Any],
        after: Sequence[Mapping[str, Any]] = (),
        *,
        ends_after: str = "",
    ) -> str | None:
        """What a template writes of a reply, up to the end of its turn; None when it refuses.
        ``after``: messages that follow it; ``ends_after``: a text before its end."""
        begin, whole = self._render([USER], asks=True), self._render([USER, message, *after])
        if begin is None or whole is None:
            return None
        if not whole.startswith(begin):  # it has something of its own where a reply is asked for
            begin = self._render([USER, {"role": "assistant", "content": OTHER}]) or begin
        text = whole[_common(begin, whole) :]
        start = max(0, text.find(ends_after))
        stops = [at for mark in self._ends() if mark and (at := text.find(mark, start)) >= 0]
        return text[: min(stops, default=len(text))]

    def call(self, number: int) -> dict[str, Any]:
        """One call as messages have it."""
        arguments = json.dumps(GIVEN) if self.as_text else dict(GIVEN)
        function = {"name": NAMES[number], "arguments": arguments}
        return {"id": self.ids[number], "type": "function", "function": function}

    def calls(self, count: int, **more: Any) -> str | None:
        """What it writes of a reply of calls; ``more``: other fields of it."""
        calls = [self.call(number) for number in range(count)]
        message = {"role": "assistant", "content": "", "tool_calls": calls, **more}
        return self.written(message, ends_after=NAMES[count - 1])

    def _ends(self) -> list[str]:
        """What may stand after a reply: marks, and what some write after each conversation."""
        text = self._render([USER, {"role": "assistant", "content": SAID}]) or ""
        after = text.partition(SAID)[2]
        marks = [mark for id_ in self.ends if (mark := self.tokenizer.decode([id_]))]
        return [after.strip(), *marks, *(after.partition(mark)[2].strip() for mark in marks)]

    def _render(self, messages: Sequence[Mapping[str, Any]], *, asks: bool = False) -> str | None:
        try:
            return self.tokenizer.apply_chat_template(  # type: ignore[no-any-return]
                list(messages),
                tools=[TOOL],
                add_generation_prompt=asks,
                tokenize=False,
            )
        except Exception:  # whatever a template raises
            return None


def _common(one: str, other: str) -> int:
    """Characters that both begin with; a mark is whole or not of them."""
    pairs = zip(one, other, strict=False)
    size = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    if size < len(one):
        while size and not (one[size - 1].isspace() or one[size - 1] in ">]"):
            size -= 1
    return size


@functools.lru_cache(8)
def forms_of(tokenizer: Any, ends: frozenset[int] = frozenset()) -> Forms:
    """How a model writes calls and thoughts. ``ends``: tokens that end its answers."""
    text = "\n".join(templates(tokenizer))
    known = [e for e in TABLE["form"] if e["if"] in text and e.get("also_if", "") in text]
    ends = ends or frozenset({tokenizer.eos_token_id})
    probes = [
        TemplateProbe(tokenizer, ends, as_text, ids)
        for ids in (("call_" + "0" * 24, "call_" + "1" * 24), IDS)
        for as_text in (False, True)
    ]
    written = [(probe, _form(probe)) for probe in probes if NAMES[0] in (probe.calls(1) or "")]
    probe, form = next((pair for pair in written if pair[1]), [*written, (probes[0], None)][0])
    for entry in known[:1]:
        fields = {name: value for name, value in entry.items() if name not in ("if", "also_if")}
        form = _marked(CallForm(**fields, rendered=form is not None))
    for entry in TABLE["mark"]:
        if form is not None and not form.mark and entry["if"] in text:
            form = replace(form, mark=entry["mark"])
    marks, thinks = _thought(probe)
    said = {"content": SAID, **dict.fromkeys(THOUGHTS, THOUGHT)}
    beside_text = probe.calls(1, content=SAID) is None or probe.calls(1, **said) is not None
    return Forms(form, marks, thinks, beside_text, probe.as_text, long_ids=probe.ids != IDS)


def _thought(probe: TemplateProbe) -> tuple[tuple[str, str], bool]:
    """The marks of a thought, and whether the template writes one that is given."""
    given = dict.fromkeys(THOUGHTS, THOUGHT)
    text = probe.written({"role": "assistant", "content": SAID, **given}, ends_after=SAID) or ""
    before, thought, after = text.partition(THOUGHT)
    close, content, _ = after.partition(SAID)
    if thought and content and before.strip() and close.strip():
        return (before.strip(), close.split()[0]), True
    before, called, after = (probe.calls(1, **given) or "").partition(THOUGHT)
    close, content, _ = after.partition(NAMES[0])
    if called and content and before.strip() and close.strip():  # it writes one before calls alone
        return (before.strip(), _MARKS.findall(close)[0]), True
    return Forms.thought, bool(thought)


def _form(probe: TemplateProbe) -> CallForm | None:
    one, two = probe.calls(1), probe.calls(2) or ""
    if not one or NAMES[0] not in one:
        return None
    for id_ in probe.ids:
        one, two = one.replace(id_, ID), two.replace(id_, ID)
    head, _, rest = one.partition(NAMES[0])
    form = _object(head, rest) or _named(head, rest) or _python(head, rest)
    form = form or _fields(head, rest)
    if form is None:
        return None
    _, second, after = two.partition(NAMES[1])
    if second and len(after) == len(rest):  # otherwise the calls are not written alike
        start = len(head) + len(NAMES[0]) + len(rest) - len(form.tail)
        middle = two[start : len(two) - len(after) - len(second)]
        between = _counted(form.between, after[: len(form.between)])
        head, middle = _counted(head, middle), _counted(middle, head)
        form = replace(form, head=head, between=between, middle=middle)
    opened, closed = map(re.escape, _thought(probe)[0])
    head = re.sub(rf"{opened}\s*{closed}", "", form.head, count=1)  # an empty thought
    return _marked(replace(form, head=head.lstrip()))


def _counted(text: str, other: str) -> str:
    """A text with ``COUNT`` for digits that are one more or less in another one, up to where both
    end alike."""
    for at in range(1, min(len(text), len(other)) + 1):
        pair = text[-at], other[-at]
        if pair[0] == pair[1]:
            continue
        if not all(map(str.isdecimal, pair)) or abs(int(pair[0]) - int(pair[1])) != 1:
            break
        text = text[: len(text) - at] + COUNT + text[len(text) - at + 1 :]
    return text


def _marked(form: CallForm) -> CallForm:
    """With the mark that calls begin with and the one that ends them."""
    inside = form.head.rfind("{") if form.kind == "json" else len(form.head)
    begin = form.head[:inside].strip()
    begin = begin.removesuffix("[") if form.kind == "json" else begin
    size, close = 0, form.tail
    if form.kind == "json":
        size = form.head.count("{", inside)  # objects that are open
        size = next((n for n in range(len(close) + 1) if close[:n].count("}") == size), 0)
        close = close[size:].strip().removeprefix("]")
    mark = next(iter(_MARKS.findall(begin)), "")
    close = next(reversed(_MARKS.findall(close)), "")
    if form.kind == "python":
        close = close.lstrip(")]")
        mark = mark.removesuffix("[")
    if form.kind == "json" and mark and close and close in form.head.partition(mark)[2]:
        close = ""  # one mark opens and ends (```), so it does not tell the end
    bare = (len(form.head) - inside, size) if form.kind == "json" else (0, 0)
    return replace(form, mark=mark.strip(), close=close.strip(), bare=bare)


def _object(head: str, rest: str) -> CallForm | None:
    """A call that is an object of JSON with name and arguments."""
    text = head + NAMES[0] + rest
    for match in re.finditer(r"\{", head):
        pair = json_at(text, match.start())
        if pair is None or not isinstance(pair[0], dict):
            continue
        call = pair[0].get("function", pair[0])
        keys = {json.dumps(value): key for key, value in call.items()} if call else {}
        name, arguments = keys.get(json.dumps(NAMES[0])), keys.get(json.dumps(GIVEN))
        split = _split(rest)
        if name and arguments and split:
            return CallForm("json", head, *split, keys=(name, arguments))
    return None


def _named(head: str, rest: str) -> CallForm | None:
    """A name, then its arguments as an object of JSON."""
    split = _split(rest)
    return CallForm("named", head, *split) if split and head.strip() else None


def _split(rest: str) -> tuple[str, str] | None:
    """What stands before and after the arguments as JSON."""
    for match in re.finditer(r"\{", rest):
        pair = json_at(rest, match.start())
        if pair is not None and pair[0] == GIVEN:
            return rest[: match.start()], rest[pair[1] :]
    return None


def _python(head: str, rest: str) -> CallForm | None:
    """A call as Python has it, with arguments by name."""
    for match in re.finditer(r"\)", rest):
        try:
            node = ast.parse(f"f{rest[: match.end()]}", mode="eval").body
            given = {k.arg: ast.literal_eval(k.value) for k in node.keywords}  # type: ignore[attr-defined]
        except (SyntaxError, ValueError, AttributeError):
            continue
        if given == GIVEN:
            return CallForm("python", head, "(", rest[match.start() :])
    return None


def _fields(head: str, rest: str) -> CallForm | None:
    """A name, then each argument between marks of its own."""
    (first, text), (second, _) = GIVEN.items()
    match = re.fullmatch(
        rf"(.*?){first}(.*?){text}(.*?){second}\2(?:{GIVEN[second]})(.*)", rest, re.DOTALL
    )
    if match is None or not head.strip():
        return None
    between, value, joint, tail = match.groups()
    before, inner = _PARTS.findall(between), _PARTS.findall(joint)
    size = 0
    while size < min(len(before), len(inner)) and before[-1 - size] == inner[-1 - size]:
        size += 1
    close = "".join(inner[: len(inner) - size])
    if not (size and value.strip() and close.strip() and tail.startswith(close)):
        return None
    opened = "".join(before[len(before) - size :])
    fields = Fields(opened, value, close)
    return CallForm(
        "fields", head, between[: len(between) - len(opened)], tail[len(close) :], fields=fields
    )


def json_at(text: str, start: int) -> tuple[Any, int] | None:
    """The JSON that begins at a place, and where it ends."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
