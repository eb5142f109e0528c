"""``ta train gates`` refuses bad input with one line; what it trains is tested under training/."""

import pytest


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--resume",), "no last.pt to resume"),
        (("--steps", 0), "steps and memory must be at least 1"),
        (("--memory", 0), "steps and memory must be at least 1"),
        (("--corpus", "nowhere.txt"), "nowhere.txt cannot be read"),
    ],
)
def test_bad_input_is_refused(ta, tmp_path, options, said):
    done = ta("train", "gates", "--out", tmp_path / "gates.safetensors", *options)
    assert done.status == 2
    assert said in " ".join(done.err.split())
    assert not list(tmp_path.iterdir())
