"""Names that a sentence sets against others that do not hold."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

NEW = [
    ("It is not in the Lotus Room but in the Juniper Room.", "Juniper Room"),
    ("Meet in Fern Lane, not in Moss Lane.", "Fern Lane"),
    ("sorry, otter is the old one. build-heron", "build-heron"),
    ("Deploy not to edge-oak but to edge-elm.", "edge-elm"),
    ("No es en el aula Goya, sino en el aula Zurbarán.", "aula Zurbarán"),
    ("Ce n'est pas la salle Satie mais la salle Fauré.", "salle Fauré"),
    ("Nicht im Saal Elbe, sondern im Saal Weser.", "Saal Weser"),
    ("Nicht in der Birkenallee, sondern in der Tannenallee.", "Tannenallee"),
    ("Non è l'aula Volta ma l'aula Galvani.", "aula Galvani"),
    ("Não é na sala Buriti, mas na sala Angico.", "sala Angico"),
    ("Встреча не в кабинете Павлова, а в кабинете Боткина.", "кабинете Боткина"),
    ("Papatya Sokak değil Leylak Sokak.", "Leylak Sokak"),
    ("test/봄-a 말고 test/봄-b에서 돌려요.", "test/봄-b"),
    ("은하실이 아니라 새벽실입니다.", "새벽실"),
    ("不是梧桐厅，而是银杏厅。", "银杏厅"),
    ("すみれ室ではなくあやめ室です。", "あやめ室"),
    ("ليس في غرفة الورد بل في غرفة الياسمين.", "غرفة الياسمين"),
    ("चंपा कक्ष नहीं, जूही कक्ष में आइए।", "जूही कक्ष"),
]
NOTHING = [
    "Not a well-known author but a little-known one; the old one is better.",
    "It was not the Roman Empire but the Byzantine Empire.",
    "No es oro, sino plata. Pas Paris mais Londres.",
    "Nicht die Stadt, sondern das Land zählt. Nicht Goethe, sondern Schiller.",
    "Non è un caso ma una scelta. Não é sorte, mas trabalho.",
    "Это не Толстой, а Чехов. Не дом, а дворец.",
    "Bu bir rüya değil gerçek. İzmir değil Ankara.",
    "不是经济问题，而是政治问题。他不是坏人，是好人。",
    "夢ではなく現実です。",
    "문제가 아니라 기회입니다. 걱정 말고 오세요.",
    "ليس حلما بل حقيقة.",
    "यह सपना नहीं, सच है।",
    "It is not sys.argv, but group.title and not start_index, but end_index.",
]


@pytest.mark.parametrize(("text", "value"), NEW)
def test_the_name_that_holds_is_found(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NOTHING)
def test_other_contrasts_are_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), NEW)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == found(text)
