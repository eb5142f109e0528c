"""Statements and questions in other languages than English, in words that training never sees.

The first label of a language names a secret code: no training label does.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A statement with the slot `{value}`, the question for it, and the label in both."""

    statement: str
    question: str
    label: str


# Language: labels that agree alike, statements, questions.
_TEXTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "es": (
        ("código secreto", "número de pedido", "nombre de usuario", "código de acceso"),
        (
            "Que no se te olvide: el {label} es {value}.",
            "Te paso el {label}, es este: {value}",
            "En la carta pone que el {label} asignado es {value}.",
        ),
        (
            "¿Puedes decirme cuál es el {label}?",
            "Necesito el {label}. ¿Me lo das?",
            "Escribe aquí el {label}:",
        ),
    ),
    "fr": (
        ("code secret", "mot de passe", "numéro de commande", "code d'accès"),
        (
            "N'oublie pas le {label}, c'est {value}.",
            "Le {label} que tu cherchais est le suivant : {value}",
            "Le courriel indique {value} comme {label}.",
        ),
        (
            "Sais-tu quel est le {label} ?",
            "J'ai oublié le {label}, tu peux me le redire ?",
            "Indique ici le {label} :",
        ),
    ),
    "de": (
        ("Geheimcode", "Zugangscode", "API-Schlüssel", "Aktivierungscode"),
        (
            "Vergiss nicht: {value} ist unser {label}.",
            "Laut E-Mail gilt ab heute der {label} {value}.",
            "Den {label} habe ich dir aufgeschrieben: {value}",
        ),
        (
            "Weißt du noch, wie der {label} war?",
            "Ich brauche den {label}. Wie lautete er?",
            "Gib hier den {label} an:",
        ),
    ),
    "it": (
        ("codice segreto", "numero d'ordine", "nome utente", "codice di accesso"),
        (
            "Non dimenticare il {label}, che è {value}.",
            "Ti mando il {label} richiesto: {value}",
            "Nella lettera c'è scritto che il {label} assegnato è {value}.",
        ),
        (
            "Sai dirmi qual è il {label}?",
            "Mi serve il {label}, puoi darmelo?",
            "Scrivi qui il {label}:",
        ),
    ),
    "pt": (
        ("código secreto", "número do pedido", "nome de usuário", "código de acesso"),
        (
            "Não esqueça o {label}, que é {value}.",
            "Segue o {label} solicitado: {value}",
            "No e-mail está escrito que o {label} passou a ser {value}.",
        ),
        (
            "Você sabe qual é o {label}?",
            "Preciso do {label}. Pode me passar?",
            "Escreva aqui o {label}:",
        ),
    ),
    "ru": (
        ("секретный код", "номер заказа", "пароль", "код доступа"),
        (
            "Не забудь {label}: это {value}.",
            "В письме указан {label} {value}.",
            "Присылаю {label}, который ты просил: {value}",
        ),
        (
            "Ты помнишь, какой был {label}?",
            "Мне нужен {label}. Какой он?",
            "Укажи здесь {label}:",
        ),
    ),
    "ar": (
        ("الرمز السري", "رقم الطلب", "اسم المستخدم", "رمز الدخول"),
        (
            "لا تنسَ {label}، فهو {value}.",
            "ورد في الرسالة {label} التالي: {value}",
            "أرسل إليك {label} المطلوب: {value}",
        ),
        (
            "هل تعرف ما هو {label}؟",
            "أحتاج إلى {label}. هل يمكنك إعطائي إياه؟",
            "أدخل {label} هنا:",
        ),
    ),
    "hi": (
        ("गुप्त कोड", "पासवर्ड", "ऑर्डर नंबर", "एक्सेस कोड"),
        (
            "{label} मत भूलना, वह {value} है।",
            "ईमेल में {label} के तौर पर {value} लिखा है।",
            "आपका नया {label} यह है: {value}",
        ),
        (
            "क्या तुम्हें याद है कि {label} क्या था?",
            "मैं {label} भूल गया, वह कौन-सा था?",
            "यहाँ {label} भरें:",
        ),
    ),
    "tr": (
        ("gizli kod", "sipariş numarası", "kullanıcı adı", "API anahtarı"),
        (
            "Sakın aklından çıkmasın: {label} {value}.",
            "E-postada yazan {label} şu şekilde: {value}",
            "Bundan sonra geçerli {label} {value} olacak.",
        ),
        (
            "Acaba {label} neydi?",
            "Bana verilen {label} hangisiydi?",
            "Buraya yazılacak {label}:",
        ),
    ),
    "zh": (
        ("秘密代码", "密码", "订单号", "用户名"),
        (
            "别忘了{label}，它是{value}。",
            "老王发来的{label}如下：{value}",
            "我们这次用的{label}是“{value}”。",
        ),
        ("刚才说的{label}是哪个？", "麻烦把{label}再发我一遍。", "在此填写{label}："),
    ),
    "ja": (
        ("秘密のコード", "パスワード", "注文番号", "部屋番号"),
        (
            "忘れないように、{label}は{value}になります。",
            "メールには{label}が{value}と書いてありました。",
            "お送りする{label}はこちら→{value}",
        ),
        ("{label}を覚えていますか？", "{label}が必要です。何でしょうか？", "ここに{label}を入力："),
    ),
    "ko": (
        ("비밀 코드", "비밀번호", "주문 번호", "API 키"),
        (
            "{label}를 잊지 마세요, {value}입니다.",
            "메일에 적힌 {label}를 보냅니다: {value}",
            "새로 바뀐 {label}가 바로 {value}입니다.",
        ),
        (
            "{label}가 무엇이었는지 기억하세요?",
            "{label}가 필요한데 뭐죠?",
            "여기에 {label}를 쓰세요:",
        ),
    ),
    "nl": (
        ("geheime code", "toegangscode", "API-sleutel", "activeringscode"),
        (
            "Vergeet de {label} niet, die is {value}.",
            "In de mail staat {value} als {label}.",
            "Hierbij stuur ik de {label} waar je om vroeg: {value}",
        ),
        (
            "Weet jij nog wat de {label} is?",
            "Ik heb de {label} nodig. Welke is dat?",
            "Vul hier de {label} in:",
        ),
    ),
    "pl": (
        ("tajny kod", "numer zamówienia", "kod dostępu", "klucz API"),
        (
            "Nie zapomnij, {label} brzmi {value}.",
            "W mailu podano następujący {label}: {value}",
            "Od dziś obowiązuje {label} {value}.",
        ),
        (
            "Czy pamiętasz, jaki był {label}?",
            "Potrzebny mi {label}. Jaki on jest?",
            "Wpisz tutaj {label}:",
        ),
    ),
}


def _phrasings(language: str) -> tuple[Phrasing, ...]:
    """Each label in each statement; the questions take turns."""
    labels, statements, questions = _TEXTS[language]
    found = []
    for turn, label in enumerate(labels):
        for place, statement in enumerate(statements):
            question = "\n\n" + questions[(turn + place) % len(questions)].format(label=label)
            found.append(Phrasing(statement.replace("{label}", label), question, label))
    return tuple(found)


PHRASINGS: dict[str, tuple[Phrasing, ...]] = {language: _phrasings(language) for language in _TEXTS}
