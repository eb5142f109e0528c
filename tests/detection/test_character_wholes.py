"""What the network over characters is offered around numbers."""

from __future__ import annotations

import pytest

from growing import assert_linear
from transactional_attention.detection.character_spans import chunks
from transactional_attention.detection.character_wholes import wholes


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("the kiln sits at 1,265 °C for long", "1,265 °C"),
        ("it read 42.4 m³ then.", "42.4 m³"),
        ("we meet at 8 p.m. there", "8 p.m."),
        ("due on 26 April, sharp", "26 April"),
        ("he can only do November 27, so", "November 27"),
        ("left eye +2.25, right none", "+2.25"),
        ("painted in Elephant Breath 229, twice", "Elephant Breath 229"),
        ("Aktenzeichen ist KD 53 973 683; ohne", "KD 53 973 683"),
        ("stands at QA 66.81 .N33 behind", "QA 66.81 .N33"),
        ("火车下午3点25分到站", "下午3点25分"),
        ("换到了A909室，门口", "A909室"),
        ("写上京行字第5788号这个", "京行字第5788号"),
        ("보관함 가-47번 칸", "가-47"),
        ("본관에서 B동 306호로", "B동 306호"),
        ("لوحتها س ل م 9097، نرجو", "س ل م 9097"),
        ("through nectar-mirror.northwind.org, which", "nectar-mirror.northwind.org"),
        ("just exported CACHE_MAX_FANOUT before", "CACHE_MAX_FANOUT"),
        ("swears that --force-reindex did it", "--force-reindex"),
        ("had to export PGTEST_POOL=88 before", "PGTEST_POOL=88"),
        ("the label `rn-tidal-walnut`. Caches", "rn-tidal-walnut"),
        ("it is 2025/ص/5598 now", "2025/ص/5598"),
    ],
)
def test_a_number_is_offered_with_what_belongs_to_it(text, whole):
    begin = text.index(whole)
    assert (begin, begin + len(whole)) in set(wholes(text))


def test_what_is_taken_or_struck_through_is_passed_over():
    text = "at 1,265 °C"
    assert list(wholes(text, b"\1" * len(text))) == []
    assert not any(text.startswith("~~44", begin) for begin, _ in wholes("~~4471 kg~~ now"))


def test_parts_of_known_forms_are_not_offered():
    text = "Informamos que foi remarcada para 16 de maio, às 11h45, na agência."
    found = {text[begin:end] for begin, end in chunks(text)}
    assert "16 de maio, às 11h45" in found and "16 de maio" not in found


@pytest.mark.parametrize(
    "piece",
    [
        "1 ",
        "1-",
        "1年",
        "1.com",
        "A1=",
        '"a.',
        "May 1 ",
        "가1",
        "-1/a/",
        "x_1 ",
        "1 km, ",
        "9,",
        "第1号",
    ],
)
def test_time_grows_with_the_text(piece):
    assert_linear(lambda text: list(chunks(text)), piece, 6_000)
