"""How many threads llama.cpp gets."""

import os

import pytest

from transactional_attention.engines.llama_cpp import processor


def folder_of(path, *siblings):
    """A folder as Linux tells it: of each processor those of its core."""
    for number, text in enumerate(siblings):
        place = path / f"cpu{number}" / "topology"
        place.mkdir(parents=True)
        (place / "thread_siblings").write_text(f"{text}\n")
    return path


@pytest.mark.parametrize(
    ("siblings", "allowed", "cores"),
    [
        (("3", "3"), {0, 1}, 1),
        (("1", "2"), {0, 1}, 2),
        (("5", "a", "5", "a"), {0, 1, 2, 3}, 2),
        (("5", "a", "5", "a"), {0, 2}, 1),
        ((), {0, 1}, 2),
        ((), set(range(16)), 8),
    ],
)
def test_threads_of_a_core_count_once(tmp_path, monkeypatch, siblings, allowed, cores):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: allowed, raising=False)
    assert processor.physical_cores(folder_of(tmp_path, *siblings)) == cores


def test_here_is_at_least_one():
    assert 1 <= processor.physical_cores() <= os.cpu_count()
