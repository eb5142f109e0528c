"""What the full cache says of a whole text, and how likely less makes it."""

import json

import numpy as np
import pytest
import torch

from session_runs import recorded, refusal, tiny_model
from ta_lab.sessions.calls import pinned_of
from ta_lab.sessions.likelihood import (
    FULL,
    REQUESTS,
    likelihoods,
    lines_of_likelihoods,
    replies,
    requested,
    rows_of_likelihoods,
)
from ta_lab.sessions.playing import TRUNCATE, Arm, truncated
from ta_lab.sessions.talks import Question, Talk
from ta_lab.sessions.texts import NEXT, READ, read_texts
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.errors import InputError

WALK = "We walked along the river, and the heron stood there again. " * 12
MESSAGES = [
    {"role": "system", "content": "You answer briefly."},
    {"role": "user", "content": WALK},
    {"role": "assistant", "content": "I have read it."},
]


@pytest.fixture(scope="module")
def model():
    return tiny_model()


@torch.no_grad()
def reference(model, prompt, reply):
    """First choices and nats of a reply, in one forward without a cache."""
    given = torch.tensor([[*prompt.ids.tolist(), *reply]])
    scores = model.engine.model(given).logits[0, len(prompt.ids) - 1 : -1].log_softmax(-1)
    chosen = int((scores.argmax(-1) == torch.tensor(reply)).sum())
    return chosen, float(-scores[torch.arange(len(reply)), torch.tensor(reply)].mean())


def test_the_full_caches_replies_are_judged_as_one_forward_judges_them(model):
    talk = requested(Talk("t", MESSAGES, ()))
    asked = [
        chat_prompt(model.tokenizer, [*MESSAGES, {"role": "user", "content": question.text}])
        for question in talk.questions
    ]
    pinned = pinned_of(asked[0])
    said = replies(model, talk, pinned, "strict")
    assert len(said) == len(REQUESTS) and all(said)
    for arm in (FULL, Arm("streaming-llm", 2000), Arm(TRUNCATE, 120)):
        outcomes = list(likelihoods(arm, model, talk, said, pinned, "strict"))
        assert [one.request for one in outcomes] == list(REQUESTS)
        for one, prompt, reply in zip(outcomes, asked, said, strict=True):
            if arm.method == TRUNCATE:
                prompt, _ = truncated(prompt, pinned, arm.budget)
            chosen, nats = reference(model, prompt, reply)
            assert (one.tokens, one.first) == (len(reply), chosen)
            assert one.nats == pytest.approx(nats, abs=2e-4)
            assert arm.method == TRUNCATE or one.first == one.tokens


def test_what_follows_in_a_text_is_judged_in_place_of_a_reply(model):
    follows = tuple(model.tokenizer("The heron flew away.")["input_ids"])
    talk = Talk("t", MESSAGES[:1], (Question(WALK, "", (), "next", follows),))
    assert requested(talk) is talk
    prompt = chat_prompt(model.tokenizer, [*MESSAGES[:1], {"role": "user", "content": WALK}])
    pinned = pinned_of(prompt)
    said = replies(model, talk, pinned, "strict")
    assert said == [list(follows)]
    [one] = likelihoods(FULL, model, talk, said, pinned, "strict")
    assert (one.request, one.tokens) == ("next", len(follows))
    assert (one.first, one.nats) == pytest.approx(reference(model, prompt, follows), abs=2e-4)


def test_texts_are_cut_where_the_seed_says(tmp_path, tokenizer):
    (path := tmp_path / "t.txt").write_text(" ".join(map(str, range(9_000))))
    ids = tokenizer(path.read_text(), add_special_tokens=False)["input_ids"]
    texts = read_texts(path, tokenizer, 3, 2)
    assert texts == read_texts(path, tokenizer, 3, 2)
    for talk in texts:
        start = int(talk.id.rpartition("-")[2])
        [question] = talk.questions
        assert question.text == tokenizer.decode(ids[start : start + READ])
        assert list(question.follows) == ids[start + READ : start + READ + NEXT]
    with pytest.raises(InputError, match="too few for 99 streams"):
        read_texts(path, tokenizer, 3, 99)


def test_rows_tell_what_is_lost_beside_the_full_cache():
    def unit(session, method, nats, first):
        about = {"session": session, "method": method, "memory": False, "budget": None}
        return {**about, "request": "whole", "tokens": 10, "first": first, "nats": nats}

    units = [unit("a", "full", 0.5, 10), unit("b", "full", 0.7, 10)]
    units += [unit("a", "ta", 0.75, 6), unit("b", "ta", 0.95, 7)]
    full, ours = rows_of_likelihoods(units)
    assert "minus" not in full and full["nats"] == 0.6
    assert ours["minus"] == [0.25, 0.25, 0.25] and (ours["tokens"], ours["first"]) == (20, 13)
    head, lines = lines_of_likelihoods([full, ours])
    assert head == ["method", "K", "whole: nats", "whole: beside full", "whole: of 20"]
    assert lines[1] == ["ta", "all", "0.85", "+0.25 [0.25, 0.25]", "13"]


def test_the_command_judges_replies_about_documents(tmp_path):
    (path := tmp_path / "t.jsonl").write_text(
        json.dumps({"id": "t", "messages": MESSAGES, "questions": []})
    )
    out = tmp_path / "out.json"
    options = ("--questions", "--likelihood", "--budgets", 200)
    record = recorded(out, path, "--methods", "full,streaming-llm", *options)
    assert [(row["method"], row["request"]) for row in record["rows"]] == [
        (method, request) for method in ("full", "streaming-llm") for request in REQUESTS
    ]
    assert all(np.isfinite(row["nats"]) for row in record["rows"])
    again = recorded(out, path, "--methods", "full,streaming-llm", *options)
    assert again["rows"] == record["rows"]
    assert "--likelihood" in refusal(path, "--likelihood", "--json", tmp_path / "other.json")
    (text := tmp_path / "t.txt").write_text(WALK)
    assert "too few" in refusal(text, "--likelihood", "--json", tmp_path / "other.json")
