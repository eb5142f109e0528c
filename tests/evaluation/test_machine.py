"""What a record says of the machine: on Linux, on ARM, on macOS, and where nobody says anything."""

import json
import platform

import pytest
import torch

from transactional_attention.inspection.provenance import provenance
from transactional_attention.models import machine as described

LINUX = """processor : 0
model name\t: Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz
flags\t\t: fpu sse2 avx2 avx512f avx512_bf16 avx512_vnni amx_bf16 amx_tile amx_int8 hypervisor

processor : 1
model name\t: another
"""
ARM = "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd sve i8mm bf16\nCPU part\t: 0xd4f\n"
MACOS = """machdep.cpu.brand_string: Apple M3
hw.optional.arm.FEAT_I8MM: 1
hw.optional.arm.FEAT_BF16: 1
hw.optional.arm.FEAT_SME: 0
"""


def test_linux_names_the_processor_and_its_instructions():
    name, instructions = described.read_cpuinfo(LINUX)
    assert name == "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"
    assert instructions == [
        "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["", "Architecture: aarch64\nModel name:   Neoverse-V2\n"])
def test_arm_is_asked_for_its_name(monkeypatch, said):
    monkeypatch.setattr(described, "_output", lambda *_: said)
    name, instructions = described.read_cpuinfo(ARM)
    assert name == ("Neoverse-V2" if said else "")
    assert instructions == ["asimd", "i8mm", "bf16", "sve"]


def test_macos_says_it_in_other_words():
    assert described.read_sysctl(MACOS) == ("Apple M3", ["i8mm", "bf16"])


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_a_system_that_says_nothing_has_its_architecture(monkeypatch, tmp_path, system):
    monkeypatch.setattr(described, "CPUINFO", tmp_path / "none")
    monkeypatch.setattr(described, "_output", lambda *_: "")
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "processor", lambda: "")
    machine = described.machine()
    assert (machine["cpu"], machine["instructions"]) == (platform.machine(), [])


def test_every_record_names_processor_memory_and_threads_and_no_host():
    origin = provenance({}, seed=0, model="embedded")
    machine = origin["machine"]
    assert machine["threads"] == torch.get_num_threads()
    assert machine["cpu"] and machine["memory_gb"] > 0.1
    written = json.dumps(origin)
    assert not platform.node() or f'"{platform.node()}' not in written
    assert "/home" not in written and "/tmp" not in written
