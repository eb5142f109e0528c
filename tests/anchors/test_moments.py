"""Clocks told in words, where their sentence says what happens then."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

MOMENTS = [
    ("Le car du retour part le 12 octobre à 16 h 50 sans attendre.", "12 octobre à 16 h 50"),
    ("Rendez-vous le 3 mai 2031 à 14 h 30 devant la gare.", "3 mai 2031 à 14 h 30"),
    ("答辩改到6月7日下午两点一刻。", "6月7日下午两点一刻"),
    ("后天上午十点半开会。", "后天上午十点半"),
    ("船は8月9日の午後五時半に出ます。", "8月9日の午後五時半"),
    ("면접은 모레 오전 열한 시 반입니다.", "모레 오전 열한 시 반"),
    ("6월 4일 저녁 여섯 시에 만나요.", "6월 4일 저녁 여섯 시"),
    ("उड़ान परसों रात पौने नौ बजे है।", "परसों रात पौने नौ बजे"),
    ("La barque part à 9 h 05.", "9 h 05"),
    ("La réunion commence à dix heures et quart.", "dix heures et quart"),
    ("La cita es el lunes a las once menos cuarto.", "lunes a las once menos cuarto"),
    ("Der Bus fährt um Viertel vor acht.", "Viertel vor acht"),
    ("La nave parte alle cinque e mezza.", "cinque e mezza"),
    ("A consulta é às dez e meia.", "dez e meia"),
    ("Встреча в половине пятого.", "половине пятого"),
    ("Randevu saat dokuz buçukta.", "dokuz buçuk"),
    ("القطار يغادر الساعة الثالثة والنصف.", "الثالثة والنصف"),
    ("The ferry leaves at quarter past ten.", "quarter past ten"),
]
NOTHING = [
    "他下午三点回家，然后睡觉。三点水是偏旁。两点之间直线最短。",
    "午後になると雨が降った。三時間かかった。",
    "오후가 되자 비가 왔다. 세 시간 걸렸다.",
    "वह शाम को घर आया। दो घंटे लगे।",
    "Il avait marché 3 h 20 avant midi.",
    "Eran las siete y media y llovía. Invitó a las dos hermanas.",
    "Es war halb acht, und es regnete. Er ist halb tot.",
    "Erano le sette e mezza. Eram seis e meia.",
    "It was half past six and the birds sang.",
    "Была половина восьмого.",
]


@pytest.mark.parametrize(("text", "value"), MOMENTS)
def test_the_moment_is_found(text, value):
    assert found(text) == [value]


@pytest.mark.parametrize("text", NOTHING)
def test_the_clock_of_a_story_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), MOMENTS)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == [value]
