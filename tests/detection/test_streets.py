"""Street addresses: found whole in thirteen languages, and nowhere in prose about other things."""

from __future__ import annotations

import pytest

from found_values import anchors_of
from transactional_attention.detection.streets import is_street

STATED = (
    "Ship it to ⟦42 Elm Street, Springfield⟧.",
    "We live at ⟦1600 Birch Avenue NW, Washington, DC 20500⟧ now.",
    "He moved to ⟦15 North Harbour Lane⟧, Mary said.",
    "Please come to ⟦7 St. Mary's Rd⟧ at noon.",
    "Send it to ⟦9 Kingsway Court, Flat 3, Leeds⟧.",
    "Adresse: ⟦Frankfurter Allee 110, 10247 Berlin⟧",
    "On se retrouve au ⟦12 rue des Lilas⟧.",
    "We live at ⟦17 Gannet Row⟧. Come by.",
    "On habite désormais ⟦12 rue de la Paix⟧, troisième étage.",
    "Adresse : ⟦12 bis, rue des Lilas, 75011 Paris⟧",
    "La oficina está en ⟦Calle de Alcalá, 47, 3º B, 28014 Madrid⟧.",
    "Ci vediamo in ⟦via Garibaldi 12⟧, citofono Bianchi.",
    "Indirizzo: ⟦Via Roma 10, 00184 Roma (RM)⟧",
    "Mande para ⟦Avenida Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200⟧.",
    "Приезжай по адресу ⟦ул. Лесная, д. 5, кв. 12⟧, вход со двора.",
    "Мы переехали: ⟦г. Москва, ул. Большая Ордынка, д. 17, стр. 2⟧.",
    "Жду на ⟦Невский проспект, 28⟧ в семь",
    "Adresimiz ⟦Lale Sokak No: 15⟧, postanenin yanı.",
    "公司搬到了⟦和平路123号⟧，地铁出来走几步就到。",
    "地址：⟦北京市朝阳区建国路88号院3号楼501室⟧。",
    "引っ越し先は⟦桜町1-2-3⟧です。遊びに来てね。",
    "新居は⟦緑が丘3丁目5番10号⟧になりました。",
    "이사 간 곳은 ⟦은행로 34⟧이고 역에서 가까워요.",
    "주소는 ⟦서울시 강남구 테헤란로 152⟧입니다.",
    "نسكن في ⟦12 شارع التحرير، القاهرة⟧.",
    "المكتب في ⟦شارع الجامعة، مبنى رقم 45⟧ قرب البنك",
    "हम ⟦मकान नंबर 45, शास्त्री नगर, जयपुर⟧ में रहते हैं।",
    "address: ⟦42 Elm Street, Springfield⟧",
    "| Ines | ⟦12 rue de la Paix, 75002 Paris⟧ |",
)
OTHERWISE = (
    "In 1990 Wall Street fell.",
    "Chapter 3 The Long Walk begins.",
    "He ran 5 laps around the Square in 12 minutes.",
    "It is sent via Port 8080 or via Python 3.",
    "In Spring 2010 the choir sang; String 12 broke.",
    "Em 2019 a rua ficou fechada.",
    "카드로 300번 결제했고 버스로 12분 걸립니다.",
    "Площадь России 17 млн км².",
    "Il y a 12 places et 2 cours de français.",
    "Plaza Mayor 1998 was a film.",
    "12 साल पुरानी सड़क, गाँव।",
    "U.S. Route 66 meets Interstate 5.",
)


def streets(text):
    whole = f"Nothing happened.\n\n{text}\n\nAll is quiet."
    found = anchors_of(whole)
    return [whole[a.value.start : a.value.end] for a in found]


@pytest.mark.parametrize("statement", STATED)
def test_an_address_is_found_whole(statement):
    value = statement[statement.index("⟦") + 1 : statement.index("⟧")]
    assert streets(statement.replace("⟦", "").replace("⟧", "")) == [value]


@pytest.mark.parametrize("text", OTHERWISE)
def test_a_number_beside_another_word_is_no_address(text):
    assert not any(is_street(found) for found in streets(text))


def test_a_year_before_a_street_is_a_number_where_a_town_or_a_preposition_says_so():
    assert streets("On 5 May 2010 Wall Street fell.") == []
    assert streets("Bring it to 2010 Wall Street.") == ["2010 Wall Street"]
