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
NAMES, IDS = ("probe_one", "probe_two"), ("Probe0001", "Probe0002")
GIVEN = {"first_key": "alpha beta", "other_key": 7}
SAID, THOUGHT = "Qx said zQ", "Qx thought zQ"
USER = {"role": "user", "content": "Hello."}
TABLE = tomllib.loads(files(__package__).joinpath("call_forms.toml").read_text(encoding="utf-8"))
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
    thought; ``thinks``: it takes one as ``reasoning_content``. ``as_text``: it takes arguments as
    JSON text. ``long_ids``: it takes ids of calls of any length."""

    calls: CallForm | None = None
    thought: tuple[str, str] = ("<think>", "</think>")
    thinks: bool = False
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
            begin = self._render([USER, {"role": "assistant", "content": SAID}]) or begin
        text = whole[_common(begin, whole) :]
        start = max(0, text.find(ends_after))
        marks = [self._end(), *(self.tokenizer.decode([id_]) for id_ in self.ends)]
        stops = [at for mark in marks if mark and (at := text.find(mark, start)) >= 0]
        return text[: min(stops, default=len(text))]

    def call(self, number: int) -> dict[str, Any]:
        """One call as messages have it."""
        arguments = json.dumps(GIVEN) if self.as_text else dict(GIVEN)
        function = {"name": NAMES[number], "arguments": arguments}
        return {"id": self.ids[number], "type": "function", "function": function}

    def calls(self, count: int) -> str | None:
        """What it writes of a reply of calls."""
        calls = [self.call(number) for number in range(count)]
        message = {"role": "assistant", "content": "", "tool_calls": calls}
        return self.written(message, ends_after=NAMES[count - 1])

    def _end(self) -> str:
        """What stands after a reply."""
        text = self._render([USER, {"role": "assistant", "content": SAID}]) or ""
        return text.partition(SAID)[2].strip()

    def _render(self, messages: Sequence[Mapping[str, Any]], *, asks: bool = False) -> str | None:
        parameters = {"type": "object", "properties": {k: {} for k in GIVEN}}
        function = {"name": NAMES[0], "description": "Probe.", "parameters": parameters}
        try:
            return self.tokenizer.apply_chat_template(  # type: ignore[no-any-return]
                list(messages),
                tools=[{"type": "function", "function": function}],
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
    probes = [
        TemplateProbe(tokenizer, ends or frozenset({tokenizer.eos_token_id}), as_text, ids)
        for ids in (("call_" + "0" * 24, "call_" + "1" * 24), IDS)
        for as_text in (False, True)
    ]
    probe = next((p for p in probes if NAMES[0] in (p.calls(1) or "")), probes[0])
    form = _form(probe)
    for entry in known[:1]:
        fields = {name: value for name, value in entry.items() if name not in ("if", "also_if")}
        form = _marked(CallForm(**fields, rendered=form is not None))
    for entry in TABLE["mark"]:
        if form is not None and not form.mark and entry["if"] in text:
            form = replace(form, mark=entry["mark"])
    marks, thinks = _thought(probe)
    long_ids = probe.ids != IDS
    return Forms(form, marks, thinks, probe.as_text, long_ids)


def _thought(probe: TemplateProbe) -> tuple[tuple[str, str], bool]:
    """The marks of a thought, and whether the template writes one that is given."""
    given = {"reasoning_content": THOUGHT, "thinking": THOUGHT}
    text = probe.written({"role": "assistant", "content": SAID, **given}, ends_after=SAID) or ""
    before, thought, after = text.partition(THOUGHT)
    close, content, _ = after.partition(SAID)
    if not (thought and content and before.strip() and close.strip()):
        return Forms.thought, bool(thought)
    return (before.strip(), close.split()[0]), True


def _form(probe: TemplateProbe) -> CallForm | None:
    one, two = probe.calls(1), probe.calls(2)
    if not one or NAMES[0] not in one:
        return None
    one = one.replace(probe.ids[0], ID)
    head, _, rest = one.partition(NAMES[0])
    form = _object(head, rest) or _named(head, rest) or _python(head, rest)
    form = form or _fields(head, rest)
    if form is None:
        return None
    for id_ in probe.ids:
        two = (two or "").replace(id_, ID)
    _, second, after = (two or "").partition(NAMES[1])
    size = len(after) - len(rest)  # nothing, unless both calls are not written alike
    if second and size == 0:
        arguments = len(rest) - len(form.between) - len(form.tail)
        start = len(head) + len(NAMES[0]) + len(form.between) + arguments
        form = replace(form, middle=(two or "")[start : len(two or "") - len(after) - len(second)])
    return _marked(form)


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
    mark = begin.split()[0] if begin.split() else ""
    close = close.split()[-1] if close.split() else ""
    if form.kind == "python":
        close = close.lstrip(")]")
        mark = mark.removesuffix("[")
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
