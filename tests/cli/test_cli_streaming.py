"""``ta generate`` with a prompt that streams: the same answer, bounded, bad input named by byte."""

import pytest

from transactional_attention.cli import prompts
from transactional_attention.text import text_blocks

TEXT = "Some words come first.\nThe access token is: Zx81Qw77Lm\n" + "It rained all day. " * 60
QUESTION = "\nWhat is the access token?\n"
FLAGS = ("--max-new-tokens", 4, "--question", QUESTION)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(text_blocks, "BLOCK", 100)


def test_a_streamed_prompt_says_what_the_whole_one_says(recorded, prompt, small):
    whole, a = recorded("generate", prompt, *FLAGS, "--budget", 4000)
    flags = ("--budget", 4000, "--chunk", 32)
    streamed, b = recorded("generate", "-", *FLAGS, *flags, stdin=TEXT.encode())
    assert streamed.out == whole.out
    assert b["prompt_tokens"] == a["prompt_tokens"]
    assert b["max_live_tokens"] == a["max_live_tokens"]


def test_a_long_prompt_streams_by_itself_and_is_saved(
    recorded, prompt, tmp_path, small, monkeypatch
):
    monkeypatch.setattr(prompts, "LONG", 500)
    saved = tmp_path / "cache.safetensors"
    flags = ("--budget", 32, "--report", "--reveal", "--save", saved)
    done, figures = recorded("generate", prompt, *FLAGS, *flags)
    assert figures["provenance"]["arguments"]["chunk"] == 512
    assert figures["peak_live_tokens"] <= 32 + 512
    assert "Zx81Qw77Lm" in done.err
    _, more = recorded("generate", prompt, *FLAGS, "--load", saved)
    seen = figures["prompt_tokens"] + figures["generated_tokens"]
    assert more["prompt_tokens"] == seen + figures["prompt_tokens"] - 1  # begins no text anew
    assert more["max_live_tokens"] == 32


@pytest.mark.parametrize(
    ("bad", "words"), [(b"\xe2\x82", "is not valid UTF-8"), (b"\0", "holds a NUL character")]
)
@pytest.mark.parametrize("file", ["p.txt", "-"])
def test_bad_bytes_are_named_far_into_a_stream(ta, prompt, small, bad, words, file):
    data = TEXT.encode()[:699] + bad + b"and more"
    prompt.write_bytes(data)
    done = ta("generate", prompt if file != "-" else "-", "--chunk", 16, stdin=data)
    name = "standard input" if file == "-" else "p.txt"
    assert done.status == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1
    assert f"{name} {words} (byte 699)" in done.err


def test_only_long_prompts_stream_by_themselves(prompt, small):
    assert prompts.read_prompt(str(prompt), "?", stream=None) == TEXT + "?"
    assert prompts.read_prompt(str(prompt), "", stream=False) == TEXT
    blocks = list(prompts.read_prompt(str(prompt), "?", stream=True))
    assert len(blocks) > 10
    assert "".join(blocks) == TEXT + "?"
