"""CI fails on a skip that no list names, under every version of transformers."""

import re
import subprocess
from pathlib import Path

import pytest
import transformers

import tiny_families

CI = Path(__file__).parents[1] / ".ci"
OLMO2 = "OLMo2's configuration refuses its own default (transformers 5.4)"


def check(log, listed):
    command = [CI / "check-skips", log, listed]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("listed", sorted(CI.glob("skips-*.txt")), ids=lambda path: path.stem)
def test_what_a_list_names_may_skip_and_nothing_else(tmp_path, listed):
    log, reasons = tmp_path / "log", listed.read_text().splitlines()
    skipped = "".join(f"SKIPPED [2] tests/a.py:{n}: {why}\n" for n, why in enumerate(reasons))
    log.write_text(skipped + "3 passed\n")
    assert check(log, listed).returncode == 0
    log.write_text(skipped + "SKIPPED [1] tests/b.py:7: a new reason\n")
    done = check(log, listed)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == ["a new reason"]


def test_every_version_of_the_matrix_has_a_list():
    script, constraints = (CI / "matrix").read_text(), CI.parent / "constraints.txt"
    older = re.search(r"set -- ([\d. ]+) ", script)[1].split()
    newest = re.search(r"^transformers==(.+)$", constraints.read_text(), re.MULTILINE)[1]
    assert older and all((CI / f"skips-transformers-{v}.txt").is_file() for v in (*older, newest))
    assert '.ci/check-skips "$log" "$allowed"' in script


def test_a_family_that_a_version_cannot_make_skips_by_name(monkeypatch):
    monkeypatch.setattr(transformers, "__version__", "5.4.0")
    with pytest.raises(pytest.skip.Exception, match=re.escape(OLMO2)):
        tiny_families.build("olmo2")
    assert OLMO2 in (CI / "skips-transformers-5.4.0.txt").read_text()
