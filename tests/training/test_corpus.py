from __future__ import annotations

from pathlib import Path
from pydoc_data import topics

import pytest

from transactional_attention.errors import InputError
from transactional_attention.training import corpus


def test_the_evaluation_filler_is_never_read():
    files = corpus.standard_library_files()
    assert len(files) > 100
    assert not [path for path in files if "pydoc_data" in path.parts]


def test_paragraphs_shared_with_the_evaluation_filler_are_dropped(monkeypatch, tmp_path: Path):
    topic = max(topics.topics.values(), key=len)
    shared = next(line for line in corpus.paragraphs(topic) if len(line.split()) > 30)
    own = [f"Paragraph number {n} speaks of gardens, rivers and letters only. " for n in range(9)]
    body = "\n\n".join([shared, *(line * 2 for line in own)])
    source = tmp_path / "module.py"
    source.write_text(f'"""{body}"""\n', encoding="utf-8")
    monkeypatch.setattr(corpus, "standard_library_files", lambda: [source])
    monkeypatch.setattr(corpus, "package_files", lambda name: [])
    monkeypatch.setattr(corpus, "_licence_texts", lambda: iter(()))
    monkeypatch.setattr(corpus, "HELD_OUT_PARAGRAPHS", 2)
    built = corpus.build_corpus()
    found = built.train + built.held_out
    assert len(found) == len(own)
    assert shared not in found


def test_the_held_out_key_is_in_no_paragraph():
    text = "Nobody may ever read the secret code that is written upon this particular wall."
    assert not list(corpus.paragraphs(text))
    assert list(corpus.paragraphs(text.replace("secret", "public")))


def test_docstrings_and_long_comments_are_found():
    source = 'def work():\n    """What it does."""\n    # one\n    # two\n    # three\n'
    assert list(corpus.docstrings(source)) == ["What it does.", "one\ntwo\nthree\n"]
    assert not list(corpus.docstrings("def broken("))


def test_too_small_a_corpus_is_refused():
    with pytest.raises(InputError, match="paragraphs"):
        corpus.split_corpus(["one"], 0)


def test_a_written_corpus_reads_back(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(corpus, "HELD_OUT_PARAGRAPHS", 3)
    built = corpus.split_corpus([f"line {n}" for n in range(20)], seed=1)
    corpus.write_corpus(built, tmp_path / "corpus.txt")
    assert corpus.read_corpus(tmp_path / "corpus.txt") == built
    (tmp_path / "corpus.txt").write_text("")
    with pytest.raises(InputError, match="empty"):
        corpus.read_corpus(tmp_path / "corpus.txt")
