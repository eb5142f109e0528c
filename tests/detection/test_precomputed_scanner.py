"""A text that is known before it is read: its values are given as it comes, each once."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.detection.scanner import PrecomputedScanner, Scanner

TEXT = (
    "The door code is 4471.\nNotes: nothing else happened today, it rained.\n"
    'host: db7.example.net\nconfig = {"port": 8443, "api_key": "sk_live_51Hx8ZqKpT02vWm"}\n'
    "cert: |\n  line-9f8e7d6c\n  line-0a1b2c3d\nThen we left. My user id is nia_4471 and"
)
FOUND = Scanner(["values"]).feed(TEXT, final=True)


@given(st.lists(st.integers(0, len(TEXT))))
def test_a_precomputed_scanner_gives_what_a_scanner_finds(cuts):
    precomputed, anchors = PrecomputedScanner(["values"], TEXT), []
    for begin, end in pairwise(sorted({0, len(TEXT), *cuts})):
        settled, begun = precomputed.copy().read(TEXT[begin:end])
        assert precomputed.read(TEXT[begin:end]) == (settled, begun)
        assert all(a.value.end <= end for a in settled)
        assert all(a.value.start < end for a in begun)
        anchors += settled
        assert [*anchors, *begun] == [a for a in FOUND if a.value.start < end]
        waiting = FOUND[len(anchors) :]
        assert precomputed.start <= min([end, *(a.label.start for a in waiting if a.label)])
    assert anchors == FOUND and len(anchors) > 4
