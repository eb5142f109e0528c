"""Values as people of twelve languages say them: sums, days, mobile numbers, streets, plates.

Kinds ``sum_de``, ``day_ja``, ``mobile_tr``, ``street_ru``, each with a few forms. Mobile numbers
lie in ranges for fiction, else in ones that nobody is given; streets are names that every town has.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable
from functools import partial

from ..generators.values import WORDS, characters
from .native_values import grouped

Make = Callable[[random.Random], str]
# A form: {w} the whole amount with the language's mark, {p} without, {c} cents.
SUMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "es": (".", ("{w},{c} €", "{w},{c} euros")),
    "fr": (" ", ("{w},{c} €", "{w},{c} euros")),
    "de": (".", ("{w},{c} €", "{w},{c} Euro", "{w},{c} EUR")),
    "it": (".", ("{w},{c} €", "{w},{c} euro", "{w},{c} EUR")),
    "pt": (".", ("R$ {w},{c}", "{w},{c} reais")),
    "ru": (" ", ("{w} руб.", "{w} ₽", "{w} рублей")),
    "ar": (",", ("{w} ريال", "{w} درهم", "{w} جنيه")),
    "hi": (",", ("₹{w}", "{w} रुपये")),
    "tr": (".", ("{w},{c} TL", "{w},{c} ₺", "{w},{c} lira")),
    "zh": (",", ("¥{w}", "{p}元", "人民币{p}元")),
    "ja": (",", ("{w}円", "¥{w}")),
    "ko": (",", ("{w}원",)),
}
DAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "es": ("{d} de {m} a las {h}:30", ("enero", "marzo", "junio", "octubre")),
    "fr": ("{d} {m} à {h}h30", ("janvier", "mars", "juin", "octobre")),
    "de": ("{d}. {m} um {h}:30 Uhr", ("Januar", "März", "Juni", "Oktober")),
    "it": ("{d} {m} alle {h}:30", ("gennaio", "marzo", "giugno", "ottobre")),
    "pt": ("{d} de {m} às {h}h30", ("janeiro", "março", "junho", "outubro")),
    "ru": ("{d} {m} в {h}:30", ("января", "марта", "июня", "октября")),
    "ar": ("{d} {m} الساعة {h}:30", ("يناير", "مارس", "يونيو", "أكتوبر")),
    "hi": ("{d} {m} को {h}:30 बजे", ("जनवरी", "मार्च", "जून", "अक्टूबर")),
    "tr": ("{d} {m} saat {h}.30", ("Ocak", "Mart", "Haziran", "Ekim")),
    "zh": ("{m}月{d}日下午{h}点", tuple("13579")),
    "ja": ("{m}月{d}日午前{h}時", tuple("13579")),
    "ko": ("{m}월 {d}일 오후 {h}시", tuple("13579")),
}
MOBILES: dict[str, str] = {
    "es": "79# ### ###", "fr": "06 39 98 ## ##", "de": "0171 39200##", "it": "30# #######",
    "pt": "(20) 9####-####", "ru": "+7 1## ###-##-##", "hi": "58### #####", "tr": "052# ### ## ##",
    "zh": "12#########", "ja": "090-0###-####", "ko": "010-0###-####",
}  # fmt: skip
"""A sign ``#`` is a digit."""
# {n} a house number, {k} a small number, ##### a postcode.
STREETS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        ("Elm Street", "Harbour Road", "Mill Lane", "St. Mary's Avenue", "Kingsway Court"),
        ("{n} {s}", "{n} {s}, Springfield", "{n} {s}, Portland, OR #####"),
    ),
    "es": (
        ("calle Mayor", "calle del Olmo", "Avenida de la Paz", "plaza Real"),
        ("{s} {n}", "{s}, {n}", "{s}, {n}, ##### Madrid"),
    ),
    "fr": (
        ("rue des Lilas", "rue Victor-Hugo", "avenue du Port", "place de l'Église"),
        ("{n} {s}", "{n} bis, {s}", "{n} {s}, ##### Lyon"),
    ),
    "de": (
        ("Lindenstraße", "Bachgasse", "Schulweg", "Frankfurter Allee", "Marktplatz"),
        ("{s} {n}", "{s} {n}a", "{s} {n}, ##### Hamburg"),
    ),
    "it": (
        ("via Garibaldi", "via Roma", "piazza Mazzini", "corso Italia"),
        ("{s} {n}", "{s}, {n}", "{s} {n}, ##### Torino"),
    ),
    "pt": (
        ("Rua das Flores", "Rua do Carmo", "Avenida da Paz", "Travessa Nova"),
        ("{s}, {n}", "{s} {n}", "{s}, {n} - Centro"),
    ),
    "ru": (
        ("ул. Лесная", "ул. Садовая", "Речной переулок", "пр. Мира"),
        ("{s}, д. {n}", "{s}, {n}", "{s}, д. {n}, кв. {k}"),
    ),
    "ar": (
        ("شارع النخيل", "شارع الجامعة", "شارع الملك فهد"),
        ("{n} {s}", "{s} رقم {n}", "{s}، مبنى {n}"),
    ),
    "hi": (
        ("महात्मा गांधी मार्ग", "शास्त्री नगर", "स्टेशन रोड"),
        ("{n}, {s}", "मकान नंबर {n}, {s}", "{n}, {s}, जयपुर ######"),
    ),
    "tr": (
        ("Lale Sokak", "Çınar Caddesi", "Gül Sok."),
        ("{s} No: {n}", "{s} No: {n}/{k}", "{s} No: {n}, Kadıköy"),
    ),
    "zh": (
        ("和平路", "解放大道", "中山路", "文化巷"),
        ("{s}{n}号", "{s}{n}号{k}室"),
    ),
    "ja": (
        ("桜町", "緑が丘", "本町", "横浜市中区元町"),
        ("{s}{k}-{k}-{k}", "{s}{k}丁目{k}番{k}号"),
    ),
    "ko": (
        ("서울시 중구 은행로", "벚꽃길", "수원시 강변대로"),
        ("{s} {n}", "{s} {n}-{k}"),
    ),
}  # fmt: skip


def _digits(form: str, rng: random.Random) -> str:
    """A form with a digit for every ``#``; no group of several begins with zero."""
    return "".join(rng.choice("123456789") if char == "#" else char for char in form)


def _sum(lang: str, rng: random.Random) -> str:
    mark, forms = SUMS[lang]
    whole, cents = rng.randrange(1200, 98_000), f"{rng.randrange(100):02}"
    return rng.choice(forms).format(w=grouped(whole, mark), p=whole, c=cents)


def _day(lang: str, rng: random.Random) -> str:
    form, months = DAYS[lang]
    return form.format(d=rng.randrange(2, 29), m=rng.choice(months), h=rng.randrange(8, 12))


def _street(lang: str, rng: random.Random) -> str:
    names, forms = STREETS[lang]
    form = _digits(rng.choice(forms), rng)
    while "{k}" in form:
        form = form.replace("{k}", str(rng.randrange(1, 30)), 1)
    return form.format(s=rng.choice(names), n=rng.randrange(10, 190))


def _plate_ru(rng: random.Random) -> str:
    series = rng.choice(("МН", "ОР", "СТ"))
    return (
        f"{rng.choice('АВЕК')}{characters(rng, 3, string.digits)}{series}{rng.randrange(10, 199)}"
    )


def _plate_zh(rng: random.Random) -> str:
    number = characters(rng, 3, string.digits)
    return f"{rng.choice('京沪粤苏')}{rng.choice('ABCD')}·{number}{rng.choice('KLM')}{number[0]}"


IDIOM: dict[str, Make] = {
    **{f"sum_{lang}": partial(_sum, lang) for lang in SUMS},
    **{f"day_{lang}": partial(_day, lang) for lang in DAYS},
    **{f"mobile_{lang}": partial(_digits, form) for lang, form in MOBILES.items()},
    **{f"street_{lang}": partial(_street, lang) for lang in STREETS},
    "plate_ru": _plate_ru,
    "plate_zh": _plate_zh,
    "pair": lambda rng: f"{rng.uniform(-80, 80):.5f},{rng.uniform(-170, 170):.5f}",
    "base32": lambda rng: base64.b32encode(rng.randbytes(15)).decode(),
    "escaped": lambda rng: (
        f"https\\://{rng.choice(WORDS)}-{rng.randrange(9)}.example.com/"
        f"{characters(rng, 5, string.digits)}"
    ),
    "folder": lambda rng: f"/srv/{rng.choice(WORDS)}/in-{characters(rng, 3, string.digits)}",
}
"""Kinds that are values, by what they are and the language."""
