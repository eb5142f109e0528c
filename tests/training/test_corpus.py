from pathlib import Path
from pydoc_data import topics

import pytest

from ta_lab.training import corpus, sources
from transactional_attention.errors import InputError


def test_the_evaluation_filler_is_never_read():
    files = sources.standard_library_files()
    assert len(files) > 100
    assert not [path for path in files if "pydoc_data" in path.parts]


def test_paragraphs_shared_with_the_evaluation_filler_are_dropped(monkeypatch, tmp_path: Path):
    topic = max(topics.topics.values(), key=len)
    shared = next(line for line in sources.paragraphs(topic) if len(line.split()) > 30)
    own = [f"Paragraph number {n} speaks of gardens, rivers and letters only. " for n in range(9)]
    body = "\n\n".join([shared, *(line * 2 for line in own)])
    source = tmp_path / "module.py"
    source.write_text(f'"""{body}"""\n', encoding="utf-8")
    monkeypatch.setattr(sources, "standard_library_files", lambda: [source])
    monkeypatch.setattr(sources, "package_files", lambda name: [])
    monkeypatch.setattr(sources, "licence_texts", lambda: iter(()))
    monkeypatch.setattr(corpus, "LEAST", 2)
    built = corpus.build_corpus()
    found = built.train["prose"]
    assert len(found) == len(own)
    assert shared not in found


def test_the_held_out_key_is_in_no_paragraph():
    text = "Nobody may ever read the secret code that is written upon this particular wall."
    assert not list(sources.paragraphs(text))
    assert list(sources.paragraphs(text.replace("secret", "public")))


def test_a_written_corpus_reads_back(tmp_path: Path):
    lines = [f"line {n}" for n in range(20)]
    built = corpus.Corpus({"prose": lines, "code": ["def f():\n    return 1"]})
    corpus.write_corpus(built, tmp_path / "corpus.txt")
    assert corpus.read_corpus(tmp_path / "corpus.txt") == built
    (tmp_path / "corpus.txt").write_text("")
    with pytest.raises(InputError, match="empty"):
        corpus.read_corpus(tmp_path / "corpus.txt")


def test_a_folder_without_translations_is_refused_before_anything_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(sources, "prose_groups", lambda: pytest.fail("prose was read"))
    with pytest.raises(InputError, match="holds no translation"):
        corpus.build_corpus(languages=tmp_path)


def test_translations_are_read_by_language(tmp_path: Path):
    (tmp_path / "spa.html").write_text("<h1>No</h1><p>Todos los seres\n humanos</p><p>Y otro</p>")
    assert sources.translations(tmp_path) == {"es": ["Todos los seres humanos", "Y otro"]}
    assert sources.translations(None) == {}
    with pytest.raises(InputError, match="holds no translation"):
        sources.translations(tmp_path / "elsewhere")
