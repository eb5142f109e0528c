"""Chat templates as transformers renders them, in a sandbox: they come with files of strangers.

After ``transformers.utils.chat_template_utils`` (Apache-2.0), without it: the environment, its
filters and globals, and what is closed there.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from ..errors import InputError

TOOL_USE = "tool_use"  # the template for chats with tools, where there are several
REASONING = ("reasoning_content", "thinking", "reasoning")  # names of a message's thoughts


class Templated:
    """A tokenizer with a chat template, or several by name; ``named``: its special tokens, as
    templates call them; ``name``: what errors call it."""

    chat_template: str | dict[str, str] | None
    named: Mapping[str, str]
    name: str

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Any] | None = None,
        documents: Sequence[Any] | None = None,
        add_generation_prompt: bool = False,
        tokenize: bool = False,
        **options: Any,
    ) -> str:
        """The text of a chat by its template: that for tools where tools are given. Raises
        InputError without a template, or when ids or a message to go on with are asked for;
        otherwise as ``rendered``."""
        if tokenize or options.pop("continue_final_message", False):
            raise InputError("this chat template gives text, up to where a reply begins")
        template = self.chat_template
        if isinstance(template, Mapping):
            template = (template.get(TOOL_USE) if tools else None) or template.get("default")
        if not template:
            raise InputError(f"{self.name} has no chat template for this chat")
        given = {"tools": tools, "documents": documents, **self.named, **options}
        given["add_generation_prompt"] = add_generation_prompt
        return rendered(template, messages, **given)


def rendered(template: str, messages: Sequence[Mapping[str, Any]], **given: Any) -> str:
    """What a template writes of messages. Raises what the template does, jinja2.TemplateError for
    one that cannot be read or leaves the sandbox."""
    return str(_compiled(template).render(messages=[_named(each) for each in messages], **given))


def _named(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message whose thoughts have the names that templates read."""
    thoughts = next((message[name] for name in REASONING if message.get(name) is not None), None)
    if thoughts is None:
        return message
    return {"thinking": thoughts, **message, "reasoning_content": thoughts}


@lru_cache(maxsize=16)
def _compiled(template: str) -> Any:
    import jinja2  # noqa: PLC0415  (slow, as below)
    from jinja2.ext import loopcontrols  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    class Generation(jinja2.ext.Extension):
        """``{% generation %}...{% endgeneration %}``: the tags are ignored, and the text between
        them is written as usual."""

        tags = {"generation"}  # noqa: RUF012  (as jinja has it)

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    class Namespace(jinja2.utils.Namespace):
        """No underscores: they lead to Python's own attributes."""

        def __init__(*given: Any, **named: Any) -> None:
            self, values = given[0], dict(*given[1:], **named)
            for name in values:
                _check_name(name)
            jinja2.utils.Namespace.__init__(self, values)

        def __setitem__(self, name: str, value: Any) -> None:
            _check_name(name)
            super().__setitem__(name, value)

    def _check_name(name: Any) -> None:
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError("a namespace takes no names that begin with _")

    def refuse(message: str) -> None:
        raise jinja2.TemplateError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {
        "raise_exception": refuse,
        "strftime_now": lambda form: datetime.now().strftime(form),
        "dict": _Dict(),
        "namespace": Namespace,
    }
    return environment.from_string(template)


class _Dict:
    """``dict`` without its type."""

    def __call__(self, *given: Any, **named: Any) -> dict[Any, Any]:
        return dict(*given, **named)

    def fromkeys(self, *given: Any) -> dict[Any, Any]:
        """As that of ``dict``."""
        return dict.fromkeys(*given)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON as it is; jinja's own filter escapes characters of HTML."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )
