"""Chat templates of GGUF files: as transformers renders them, and closed."""

from pathlib import Path

import jinja2
import pytest
from jinja2.exceptions import SecurityError

from chat_templates import AGENT, PLAIN, READ, chat_tokenizer
from transactional_attention.gguf.templates import rendered

NAMES = sorted(path.stem for path in (Path(__file__).parents[1] / "templates").glob("*.jinja"))
MARKED = (
    "{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}"
    "{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    "{{ tools | tojson(indent=1) }}{{ strftime_now('%Y')[:2] }}{{ dict(a=1) | tojson }}"
    "{% set found = namespace(last='é <b>') %}{% set found.last = found.last ~ '!' %}"
    "{{ found.last | tojson }}"
)


def both(tokenizer, messages, **given):
    """What transformers and we write, or that it is refused."""
    given = {"tools": None, "documents": None, "add_generation_prompt": False, **given}
    named = tokenizer.special_tokens_map
    outcomes = []
    for write in (
        lambda: tokenizer.apply_chat_template(messages, tokenize=False, **given),
        lambda: rendered(tokenizer.chat_template, messages, **named, **given),
    ):
        try:
            outcomes.append(write())
        except (jinja2.TemplateError, TypeError) as error:
            outcomes.append(type(error))
    return outcomes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chat", [PLAIN, AGENT], ids=["plain", "agent"])
def test_a_chat_is_written_as_transformers_writes_it(name, chat):
    for given in ({}, {"tools": [READ]}, {"add_generation_prompt": True}):
        theirs, ours = both(chat_tokenizer(name), chat, **given)
        assert ours == theirs


def test_filters_and_tags_of_transformers_are_there():
    tokenizer = chat_tokenizer("chatml")
    tokenizer.chat_template = MARKED
    theirs, ours = both(tokenizer, PLAIN, tools=[{"name": "<é>"}])
    assert ours == theirs and '"<é>"' in ours and '"é <b>!"' in ours


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ messages.append(1) }}",
        "{{ namespace(__init__=1) }}",
        "{{ dict.__class__.__mro__ }}",
        "{% set found = namespace() %}{% set found._own = 1 %}",
    ],
)
def test_a_template_does_not_leave_the_sandbox(template):
    with pytest.raises(SecurityError):
        rendered(template, [])


def test_a_template_refuses_in_its_own_words():
    with pytest.raises(jinja2.TemplateError, match="no such role"):
        rendered("{{ raise_exception('no such role') }}", [])


def test_thoughts_have_the_names_that_templates_read():
    template = "{{ messages[0].reasoning_content }}, {{ messages[0].thinking }}"
    assert rendered(template, [{"role": "assistant", "reasoning": "Hm"}]) == "Hm, Hm"
