"""Values announced in other languages than English."""

from __future__ import annotations

import pytest
from transactional_attention.detection.languages import Languages

from found_values import anchors_of
from transactional_attention.detection.scanner import Scanner

CASES = {
    "es": [
        ("El código de la puerta es 4471-QX.", "4471-QX"),
        ("La contraseña del wifi es hunter2x, apúntala.", "hunter2x"),
        ("Recuerda: 88-QX-2231", "88-QX-2231"),
        ("447182 es el código de la puerta", "447182"),
        ("Llámame al +34 600 123 456.", "+34 600 123 456"),
    ],
    "fr": [
        ("Le code de la porte est 4471B.", "4471B"),
        ("Ton mot de passe : Xk81QQ7", "Xk81QQ7"),
        ("Notez 88-QX-2231 quelque part.", "88-QX-2231"),
        ("La référence du dossier est QX-7721.", "QX-7721"),
    ],
    "de": [
        ("Das Passwort lautet Xk81-QQ.", "Xk81-QQ"),
        ("Der Schlüssel für den Tresor ist 99281X.", "99281X"),
        ("Am Tor gibst du ACNRET0 ein.", "ACNRET0"),
        ("Merke dir 88-QX-2231.", "88-QX-2231"),
    ],
    "it": [
        ("Il codice della cassaforte è 99281X.", "99281X"),
        ("La chiave del server è Xk81QQ7.", "Xk81QQ7"),
        ("Ricorda 88-QX-2231 per dopo.", "88-QX-2231"),
    ],
    "pt": [
        ("A senha do cofre é QX-7721.", "QX-7721"),
        ("O número da encomenda é ORD-58213.", "ORD-58213"),
        ("A senha do cofre ficou 991107, não conte.", "991107"),
    ],
    "ru": [
        ("Код от сейфа: 99281X", "99281X"),
        ("Пароль от сети — Xk81QQ7", "Xk81QQ7"),
        ("Запомни 88-QX-2231, пожалуйста.", "88-QX-2231"),
        ("Номер заказа ORD-58213.", "ORD-58213"),
    ],
    "ar": [
        ("رمز الباب هو 447182", "447182"),
        ("كلمة المرور: Xk81QQ7", "Xk81QQ7"),
        ("رمز الدخول هو ٤٤٧١٨٢", "٤٤٧١٨٢"),
        ("رقم الطلب ORD-58213", "ORD-58213"),
    ],
    "hi": [
        ("दरवाज़े का कोड 447182 है", "447182"),
        ("पासवर्ड Xk81QQ7 है।", "Xk81QQ7"),
        ("दरवाज़ा खोलने के लिए 03319 दबाइए।", "03319"),
    ],
    "tr": [
        ("Kapı kodu: 447182", "447182"),
        ("Wi-Fi şifresi Xk81QQ7", "Xk81QQ7"),
        ("Kapıdaki panele 9906 yazıp bekleyin.", "9906"),
    ],
    "zh": [
        ("门禁密码是447182。", "447182"),
        ("您的订单号为ORD-58213，请记住", "ORD-58213"),
        ("请拨打555-010-9921联系她", "555-010-9921"),
        ("口令：「Xk81QQ7」", "Xk81QQ7"),
    ],
    "ja": [
        ("暗証番号は４４７１８２です。", "４４７１８２"),
        ("XK81QQ7がドアのコードです", "XK81QQ7"),
        ("パネルに5K7HIK8Wと入力すると開きます。", "5K7HIK8W"),
        ("予約番号：QX-7721", "QX-7721"),
    ],
    "ko": [
        ("비밀번호는 Xk81QQ7입니다.", "Xk81QQ7"),
        ("주문 번호: ORD-58213", "ORD-58213"),
        ("현관에서 4661 누르고 들어오세요.", "4661"),
        ("서버 비밀번호는 tulip-tundra-marble입니다.", "tulip-tundra-marble"),
    ],
}
SILENT = [
    "En 1998 la población era de 447182 habitantes.",
    "¿Cuál es el código 447182?",
    "Am 3. Mai 1998 kam er nach Berlin.",
    "Il a gagné 31 matchs en 1998.",
    "密码是什么？",
    "The secret code is: XK7M9P2Q",
    "Номер 3 в списке.",
    "В 1998 году.",
]


@pytest.mark.parametrize(("text", "value"), [case for cases in CASES.values() for case in cases])
def test_announced(text, value):
    for framed in (text, f"Some English words.\n{text}\nMore of them."):
        found = [framed[a.value.start : a.value.end] for a in Languages().find(framed)]
        assert value in found


@pytest.mark.parametrize("text", SILENT)
def test_nothing_announced(text):
    assert Languages().find(text) == []


def test_a_value_between_letters_without_spaces_may_come_in_pieces():
    text = "门禁密码是447182。"
    reader = Scanner(["languages"])
    found = [a for char in text for a in reader.feed(char)] + reader.feed("", final=True)
    assert found == Languages().find(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("le mot de passe est « lune rousse »", "lune rousse"),
        ("N'oublie pas : le mot de passe est «\u00a0lune rousse\u00a0».", "lune rousse"),
        ("Mot de passe wifi : “lune rousse”", "lune rousse"),
        ('Son mot de passe est "lune rousse".', "lune rousse"),
        ("Le code du portail est « lune ».", "lune"),
        ("Das Passwort lautet „roter Mond“.", "roter Mond"),
        ("Das Codewort ist »roter Mond«.", "roter Mond"),
        ("Das Codewort lautet ›roter Mond‹.", "roter Mond"),
        ("Passwort: „roter Mond“", "roter Mond"),
        ("La contraseña es «luna roja».", "luna roja"),
        ("El código es “sol de mayo”.", "sol de mayo"),
        ("La password è «luna rossa».", "luna rossa"),
        ("A palavra-passe é “lua cheia de agosto”.", "lua cheia de agosto"),
        ("Пароль — «красная луна».", "красная луна"),
        ("Kafenin şifresi “kırmızı ay”.", "kırmızı ay"),
        ("كلمة المرور هي «القمر الأحمر».", "القمر الأحمر"),
        ("पासवर्ड है “लाल चाँद”।", "लाल चाँद"),
        ("密码是“红色月亮”。", "红色月亮"),
        ("合言葉は「月が赤い」。", "月が赤い"),
        ("비밀번호는 “붉은 달”입니다.", "붉은 달"),
    ],
)
def test_quoted_words_are_a_secret_behind_its_name(text, value):
    found = anchors_of(text)
    assert [text[a.value.start : a.value.end] for a in found] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Il dit « bonjour madame » et part.",
        "Das Buch „Der rote Mond“ ist gut.",
        "Le titre est « lune rousse ».",
        "El libro se llama «Luna roja».",
        "la clave no es «luna roja»",
        "彼は「赤い月」と言った。",
        "Он сказал: «красная луна».",
    ],
)
def test_quoted_words_are_no_secret_elsewhere(text):
    assert anchors_of(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Our account manager is Karin Vestergaard.", "Karin Vestergaard"),
        ("The deposit is due on 14 March 2027.", "14 March 2027"),
        ("The queue is named invoices-eu-retry.", "invoices-eu-retry"),
        ("contraseña: «luna roja»", "luna roja"),
    ],
)
def test_a_dotted_capital_elsewhere_hides_nothing(text, value):
    for before in ("Istanbul ofisi.\n", "İstanbul ofisi.\n"):  # small, it is two characters
        found = Scanner(["prose", "languages"]).feed(before + text, final=True)
        assert value in [(before + text)[a.value.start : a.value.end] for a in found]
