"""The chat form of ``toolcall``: run where the tokenizer has one, else refused with its reason."""

import copy

import pytest

from ta_lab.cases.conversation import PLAIN, asking
from ta_lab.experiments import Context, toolcall
from ta_lab.experiments.plan import cell_of
from ta_lab.experiments.rendering import render

STRICT = "{{ raise_exception('roles must alternate: ' + messages[0].content) }}"
CHAT = ["12 characters, chat form", "32 characters, chat form"]


@pytest.fixture
def asked(monkeypatch):
    """Names of the blocks that would run; what a record holds is all that comes of them."""
    found = []

    def noted(context, blocks):
        found.extend(dict.fromkeys(block.name for block in blocks))
        return {"rows": list(context.rows)}

    monkeypatch.setattr(toolcall, "run_blocks", noted)
    return found


def full_run(tokenizer, **settings):
    return Context(lambda: (None, tokenizer), size="full", **settings)


def with_template(tokenizer, template):
    chat = copy.deepcopy(tokenizer)
    chat.chat_template = template
    return asking((None, chat), raw=True)[1]


@pytest.mark.parametrize(
    ("template", "reason"),
    [(None, "no chat template"), (STRICT, "the chat template refuses these turns")],
)
def test_a_form_that_cannot_be_made_is_refused_with_its_reason(tokenizer, asked, template, reason):
    context = full_run(with_template(tokenizer, template))
    rows = toolcall.run(context)["rows"]
    assert asked == ["12 characters", "32 characters"]
    assert list(dict.fromkeys(row["block"] for row in rows)) == CHAT
    assert all(reason in row["refused"] and not row["contexts"] for row in rows)
    assert len(rows) == len({cell_of(row) for row in rows}) > 20
    again = full_run(context.loaded[1], rows=rows)
    assert toolcall.run(again)["rows"] == rows  # none twice
    assert f"- {'; '.join(CHAT)}: " in render({"experiment": "toolcall", "rows": rows})


def test_a_form_that_can_be_made_is_run(tokenizer, asked):
    turns = "{% for m in messages %}{{ m.role }} {{ m.content }}\n{% endfor %}"
    tail = "{% if add_generation_prompt %}assistant{% endif %}"
    assert toolcall.run(full_run(with_template(tokenizer, turns + tail)))["rows"] == []
    assert asked == ["12 characters", "32 characters", *CHAT]


def test_a_model_that_is_asked_in_its_chat_form_has_no_other(tokenizer, asked):
    chat = with_template(tokenizer, STRICT)
    del chat.init_kwargs[PLAIN]
    assert toolcall.run(full_run(chat))["rows"] == []
    assert asked == ["12 characters", "32 characters"]


def test_other_sizes_have_no_chat_form(tokenizer, asked):
    assert toolcall.run(Context(lambda: (None, tokenizer)))["rows"] == []
    assert asked == ["12 characters", "32 characters"]
