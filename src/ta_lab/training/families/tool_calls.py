"""Ways to write a call of a function, with what a system message says about each."""

from __future__ import annotations

import random
from dataclasses import dataclass

# The call: ``{f}`` function, ``{a}`` argument, ``{v}`` value, ``{x}`` further arguments.
PLAIN_CALL = '{f}({a}="{v}"{x})'
JSON_CALL = '{"name": "{f}", "arguments": {"{a}": "{v}"{x}}}'


@dataclass(frozen=True, slots=True)
class CallStyle:
    """How calls are written; `hint` is needed before the first one unless it is empty."""

    call: str
    extra: str
    hint: str


_AS_PYTHON = ', {n}="{w}"'
_AS_JSON = ', "{n}": "{w}"'
STYLES = (
    (CallStyle(PLAIN_CALL, _AS_PYTHON, ""), 10.0),
    (CallStyle(JSON_CALL, _AS_JSON, 'Write calls as {"name": NAME, "arguments": {...}}.'), 4.0),
    (CallStyle(JSON_CALL, _AS_JSON, "Answer with a JSON object with name and arguments."), 2.0),
    (
        CallStyle(
            '{"tool": "{f}", "input": {"{a}": "{v}"{x}}}',
            _AS_JSON,
            'To use a tool, answer {"tool": NAME, "input": {ARGUMENT: VALUE}}.',
        ),
        1.0,
    ),
    (
        CallStyle(
            '{"function": "{f}", "parameters": {"{a}": "{v}"{x}}}',
            _AS_JSON,
            'Use {"function": "NAME", "parameters": {"ARGUMENT": "VALUE"}} for calls.',
        ),
        1.0,
    ),
    (
        CallStyle(
            '<tool_call>{"name": "{f}", "arguments": {"{a}": "{v}"{x}}}</tool_call>',
            _AS_JSON,
            "Put calls in <tool_call></tool_call>, as JSON with name and arguments.",
        ),
        1.5,
    ),
    (
        CallStyle(
            '<function={f}>{"{a}": "{v}"{x}}</function>',
            _AS_JSON,
            'Call with <function=NAME>{"ARGUMENT": "VALUE"}</function>.',
        ),
        0.8,
    ),
    (CallStyle('[{f}({a}="{v}"{x})]', _AS_PYTHON, 'Calls look like [name(arg="value")].'), 0.8),
    (CallStyle("{f}({a}='{v}'{x})", ", {n}='{w}'", "Calls look like name(arg='value')."), 1.0),
    (CallStyle("{f}({a}={v}{x})", ", {n}={w}", "Calls are name(arg=value), no quotes."), 0.7),
    (CallStyle('{f}({"{a}": "{v}"{x}})', _AS_JSON, 'Write name({"arg": "value"}).'), 0.7),
    (CallStyle('{f}({ {a}: "{v}"{x} })', ', {n}: "{w}"', 'Write name({ arg: "value" }).'), 0.7),
    (CallStyle("{f} --{a} {v}{x}", " --{n} {w}", "Tools run as: name --argument value"), 0.8),
    (CallStyle("/{f} {a}={v}{x}", " {n}={w}", "Use slash commands: /name argument=value"), 0.6),
    (CallStyle("{f}[{v}]", "", "Act with Name[value], for example search[cat]."), 0.6),
    (CallStyle('{f}("{v}")', "", 'Call functions as name("value").'), 0.8),
    (CallStyle("Action: {f}\nAction Input: {v}", "", "Action: NAME\nAction Input: VALUE"), 0.6),
    (
        CallStyle(
            '<invoke name="{f}"><parameter name="{a}">{v}</parameter></invoke>',
            "",
            '<invoke name="NAME"><parameter name="ARGUMENT">VALUE</parameter></invoke>',
        ),
        0.7,
    ),
)
JSON_STYLE = CallStyle(JSON_CALL, _AS_JSON, "")  # what a list of functions in JSON calls for
_STYLES = [style for style, _ in STYLES]
_SHARES = [share for _, share in STYLES]


def random_style(rng: random.Random) -> CallStyle:
    """A style by its share."""
    return rng.choices(_STYLES, _SHARES)[0]


def call_text(
    style: CallStyle, function: str, argument: str, value: str, extra: tuple[str, str] | None = None
) -> str:
    """A call of `function`; a style without further arguments leaves `extra` out."""
    more = style.extra.replace("{n}", extra[0]).replace("{w}", extra[1]) if extra else ""
    text = style.call.replace("{f}", function).replace("{a}", argument).replace("{x}", more)
    return text.replace("{v}", value)
