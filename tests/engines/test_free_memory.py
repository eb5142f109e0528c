"""Memory that may still be taken, as files of Linux say it."""

import pytest

from transactional_attention.engines.free_memory import free_memory

KIB = 1 << 10


def written(folder, **texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(f"{text}\n")


@pytest.fixture
def machine(tmp_path):
    """A machine with 900 KiB free; its folders of processes and of groups."""
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    written(proc, meminfo="MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 900 kB")
    written(proc / "self", cgroup="0::/a/b")
    return proc, groups


def test_a_machine_without_groups_and_one_that_says_nothing(machine, tmp_path):
    assert free_memory(*machine) == 900 * KIB
    assert free_memory(tmp_path / "none", tmp_path / "none") is None


def test_the_narrowest_group_above_the_process_counts(machine):
    proc, groups = machine
    written(groups / "a" / "b", memory__max="max", memory__current=5)
    written(groups / "a", memory__max=500 * KIB, memory__current=300 * KIB)
    assert free_memory(proc, groups) == 200 * KIB
    written(groups / "a", memory__stat=f"anon 7\ninactive_file {90 * KIB}\nactive_file {9 * KIB}")
    assert free_memory(proc, groups) == 299 * KIB  # files are read again
    written(groups / "a", memory__current=700 * KIB)
    assert free_memory(proc, groups) == 0


def test_groups_of_version_1_whose_names_are_not_seen_in_a_container(machine):
    proc, groups = machine
    written(proc / "self", cgroup="5:cpu:/\n4:hugetlb,memory:/docker/name\n1:name=systemd:/\n0::/")
    written(
        groups / "memory",
        memory__limit_in_bytes=400 * KIB,
        memory__usage_in_bytes=300 * KIB,
        memory__stat=f"inactive_file 1\ntotal_inactive_file {20 * KIB}\ntotal_active_file 0",
    )
    assert free_memory(proc, groups) == 120 * KIB
