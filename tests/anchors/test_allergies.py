"""What people cannot have, in thirteen languages."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found, found_in_pieces
from growing import assert_linear

STATED = [
    ("لدي حساسية من الفستق.", ["الفستق"]),
    ("ابني يعاني من حساسية شديدة تجاه البنسلين.", ["البنسلين"]),
    ("مصابة بحساسية مفرطة من دواء الأموكسيسيلين.", ["الأموكسيسيلين"]),
    ("मुझे मूँगफली से एलर्जी है।", ["मूँगफली"]),
    ("दादी को पेनिसिलिन से बहुत एलर्जी है।", ["पेनिसिलिन"]),
    ("蕎麦を食べると蕁麻疹が出ます。", ["蕎麦"]),
    ("エビでアレルギーが出ます。", ["エビ"]),
    ("私は卵にアレルギーがあります。", ["卵"]),
    ("새우를 먹으면 두드러기가 나요.", ["새우"]),
    ("땅콩에 심한 알레르기가 있어요.", ["땅콩"]),
    ("페니실린 알레르기가 있습니다.", ["페니실린"]),
    ("我对青霉素严重过敏。", ["青霉素"]),
    ("她吃芒果会过敏。", ["芒果"]),
    ("孩子对花生和腰果过敏。", ["花生和腰果"]),
    ("Babamın arı sokmasına karşı alerjisi var.", ["arı sokması"]),
    ("Soy alérgica al marisco.", ["marisco"]),
    ("Mi hijo tiene alergia a la penicilina.", ["penicilina"]),
    ("Je suis allergique à la pénicilline.", ["pénicilline"]),
    ("Elle fait une allergie aux noix de cajou.", ["noix de cajou"]),
    ("Ich vertrage kein Ibuprofen.", ["Ibuprofen"]),
    ("Sie ist allergisch gegen Haselnüsse.", ["Haselnüsse"]),
    ("È allergico all'aspirina.", ["aspirina"]),
    ("Ho un'allergia alle arachidi.", ["arachidi"]),
    ("Sou alérgica a camarão.", ["camarão"]),
    ("Ela tem alergia à dipirona.", ["dipirona"]),
    ("У меня аллергия на пенициллин.", ["пенициллин"]),
    ("У сына сильная аллергия на кешью.", ["кешью"]),
    ("Eşimin penisilin alerjisi var.", ["penisilin"]),
    ("동생은 복숭아 알레르기가 심해요.", ["복숭아"]),
    ("아스피린을 복용하면 호흡이 힘들어져요.", ["아스피린"]),
    ("子供はそばアレルギーです。", ["そば"]),
    ("मुझे धूल से एलर्जी है।", ["धूल"]),
    ("Ela é intolerante à lactose.", ["lactose"]),
    ("Sono intollerante al lattosio.", ["lattosio"]),
    ("Elle est allergique à l'arachide.", ["arachide"]),
    ("Annemin arı zehrine karşı alerjisi var.", ["arı zehri"]),
    ("兄はイブプロフェンを飲むと発疹が出る。", ["イブプロフェン"]),
    ("Ich reagiere allergisch auf Bienenstiche.", ["Bienenstiche"]),
    ("أنا أتحسس من السمسم.", ["السمسم"]),
    ("我不能吃海鲜，会过敏。", ["海鲜"]),
]
NOTHING = [
    "아침에 밥을 먹으면 힘이 난다.",
    "花粉症やアレルギーに注意。",
    "食物过敏很常见。",
    "他对这件事很过敏。",
    "الحساسية من الأدوية شائعة.",
    "밥을 먹으면 힘이 난다. 물을 마시면 시원하다.",
    "春になると過敏な人は鼻がつらい。",
    "Alergi değil, alerjik rinit üzerine bir yazı.",
    "Les allergies aux pollens sont fréquentes au printemps.",
    "Die Allergie gegen Pollen ist weit verbreitet.",
]
PIECES = [
    "对过敏",
    "吃过敏",
    "을 먹으면 ",
    "をアレルギー",
    "a karşı alerjisi ",
    "حساسية من ",
    "से एलर्जी",
]


@pytest.mark.parametrize(("text", "values"), STATED)
def test_allergy_is_found(text, values):
    assert found(text) == values


@pytest.mark.parametrize("text", NOTHING)
def test_what_tells_of_none_has_none(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "values"), STATED)
def test_pieces_change_nothing(text, values):
    assert found_in_pieces(text, 3) == values


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text(piece):
    assert_linear(anchors_of, piece, 4_000)
