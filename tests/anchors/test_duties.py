"""People by what they do for the reader, in thirteen languages."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

ENGLISH = [
    ("The health and safety officer for the site will be Maribel Thorne.", "Maribel Thorne"),
    ("Stellan Moberg looks after the lease and signs for repairs.", "Stellan Moberg"),
    ("Opal Hendry chairs from now on.", "Opal Hendry"),
    ("Today Opal Hendry takes over our stall.", "Opal Hendry"),
    ("Our new bookkeeper is Rufus de Graaf, ask away.", "Rufus de Graaf"),
    ("- Lead nurse: Imke van Dalen\n", "Imke van Dalen"),
    ("Expenses must be approved by Carys Whitlock.", "Carys Whitlock"),
    ("Please send the meter readings to Carys Whitlock.", "Carys Whitlock"),
    ("For keys, ask Dr. O'Malley about the safe.", "Dr. O'Malley"),
    ("Carys Whitlock is your new tutor.", "Carys Whitlock"),
    ("Questions about rent go to Carys Whitlock.", "Carys Whitlock"),
    ("The spare keys are held by Carys Whitlock from now on.", "Carys Whitlock"),
]
FOREIGN = [
    ("La nueva coordinadora será Inés Valcárcel.", "Inés Valcárcel"),
    ("Gonzalo Prat se encarga de las llaves.", "Gonzalo Prat"),
    ("Adressez-vous à Maëlle Tessier.", "Maëlle Tessier"),
    ("La nouvelle trésorière est Maëlle Tessier.", "Maëlle Tessier"),
    ("Um die Heizung kümmert sich Arvid Lorenzen.", "Arvid Lorenzen"),
    ("Ab Juni leitet Arvid Lorenzen die Gruppe.", "Arvid Lorenzen"),
    ("Desde hoy lleva la caja Gonzalo Prat.", "Gonzalo Prat"),
    ("Il nuovo custode sarà Ettore Zamboni.", "Ettore Zamboni"),
    ("Quem trata das faturas é Graça Teles.", "Graça Teles"),
    ("За ключи отвечает Пётр Лунин.", "Пётр Лунин"),
    ("Bahçeyle Ece Aydın ilgileniyor.", "Ece Aydın"),
    ("Anahtarları Ece Aydın'a sorun.", "Ece Aydın"),
    ("المنسقة الجديدة هي د. ريم الشامي.", "ريم الشامي"),
    ("किराए की जिम्मेदारी अब सुधीर वाजपेयी संभालेंगे।", "सुधीर वाजपेयी"),
    ("机房钥匙由陆文博保管。", "陆文博"),
    ("来月から受付は長谷川さんが担当します。", "長谷川さん"),
    ("새 담당자는 문지호 님입니다.", "문지호"),
    ("급여 담당자가 문지호 님으로 바뀝니다.", "문지호"),
]
NOTHING = [
    "Alex Grant was the manager of the club for years, and the coach was Ian Moss.",
    "Angela Stern leads the country with calm, and the press follows.",
    "The Supreme Court handles appeals. Customer Support handles refunds from now on.",
    "He asked John Locke about the soul and spoke to David Hume.",
    "Every manager is responsible for our goals, and will handle them.",
    "Ab Mai übernimmt die Stadt Köln die Kosten. Das Rote Kreuz kümmert sich darum.",
    "La Cruz Roja se ocupa de los heridos. Il Comune di Milano si occupa delle strade.",
    "Le président de la République est Jean Morel.",
    "Красный Крест занимается помощью. Он отвечает за порядок.",
    "Devlet bundan sorumlu. Bunu size sorun.",
    "该项目由政府负责，由任何人负责都一样。",
    "政府が担当します。お客さんが行います。",
    "정부가 담당합니다. 사람이 맡습니다.",
    "الحكومة مسؤولة عن ذلك كله.",
    "सरकार इसकी जिम्मेदारी संभालेगी। राम घर आया है।",
]


@pytest.mark.parametrize(("text", "value"), ENGLISH + FOREIGN)
def test_the_name_is_found(text, value):
    assert found(text) == [value]


@pytest.mark.parametrize("text", NOTHING)
def test_a_name_without_a_duty_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), ENGLISH + FOREIGN)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == [value]
