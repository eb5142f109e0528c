"""Addresses in stacks are no values; the same digits elsewhere may be."""

import pytest

from transactional_attention.anchors.ensemble import ENSEMBLE
from transactional_attention.anchors.frames import is_frame_address
from transactional_attention.anchors.scanner import Scanner

ADDRESS = "0xc0001a2000"
FRAMES = [
    f"main.watch({ADDRESS})\n\t/build/watch.go:66 +0x1f4\n",
    f"main.(*Server).run({ADDRESS}, {{0x1, 0x2}})\n\t/srv/run.go:10 +0x88\n",
    f"net/http.(*conn).serve(0x7b8a10?, {ADDRESS})\r\n",
    f"#3  {ADDRESS} in __libc_start_main () from /lib/libc.so.6\n",
    f"   7: {ADDRESS} - core::panicking::panic\n",
]
OTHERS = [
    f"The register base address is {ADDRESS}.\n",
    f'transfer(to="{ADDRESS}")\n',
    f"flash_offset: {ADDRESS}\n",
    f"open({ADDRESS}, mode)\n",
]


def place(text):
    begin = text.index(ADDRESS)
    return text, begin, begin + len(ADDRESS)


@pytest.mark.parametrize("text", FRAMES)
def test_an_address_of_a_frame_is_no_value(text):
    assert is_frame_address(*place(text))
    whole = f"panic: it broke\n\ngoroutine 41 [running]:\n{text}"
    found = Scanner(ENSEMBLE).feed(whole, final=True)
    assert ADDRESS not in [whole[a.value.start : a.value.end] for a in found]


@pytest.mark.parametrize("text", OTHERS)
def test_elsewhere_it_may_be(text):
    assert not is_frame_address(*place(text))
