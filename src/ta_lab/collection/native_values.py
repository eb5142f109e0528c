"""Money and moments as each language writes them: kinds ``money_de``, ``when_ja`` and so on."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

Make = Callable[[random.Random], str]
NO_BREAK = "\u00a0"
DAYS: dict[str, tuple[str, str]] = {
    "es": (
        "{d} de {m} de {y} a las {h}:{n}",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    ),
    "fr": (
        "{d} {m} {y} à {h} h {n}",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    ),
    "de": (
        "{d}. {m} {y} um {h}:{n} Uhr",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    ),
    "it": (
        "{d} {m} {y}, ore {h}.{n}",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
        "dicembre",
    ),
    "pt": (
        "{d} de {m} de {y}, às {h}h{n}",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
    "ru": (
        "{d} {m} {y} г., {h}:{n}",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ),
    "ar": (
        "{d} {m} {y} الساعة {h}:{n}",
        "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    ),
    "hi": (
        "{d} {m} {y}, {h}:{n} बजे",
        "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    ),
    "tr": (
        "{d} {m} {y}, saat {h}.{n}",
        "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    ),
    "zh": ("{y}年{m}月{d}日{h}:{n}", "1 2 3 4 5 6 7 8 9 10 11 12"),
    "ja": ("{y}年{m}月{d}日 {h}時{n}分", "1 2 3 4 5 6 7 8 9 10 11 12"),
    "ko": ("{y}년 {m}월 {d}일 {h}시 {n}분", "1 2 3 4 5 6 7 8 9 10 11 12"),
}
"""How a moment is written, and the months from January on."""


def grouped(number: int, mark: str) -> str:
    """Three digits a group."""
    return f"{number:,}".replace(",", mark)


def indian(number: int) -> str:
    """Three digits, then groups of two: 12,34,567."""
    head, tail = divmod(number, 1000)
    groups = [f"{tail:03}"]
    while head:
        head, part = divmod(head, 100)
        groups.insert(0, f"{part:02}" if head else str(part))
    return ",".join(groups)


def _sum(rng: random.Random) -> tuple[int, str]:
    return rng.randrange(1200, 890_000), f"{rng.randrange(100):02}"


def _money(write: Callable[[int, str], str]) -> Make:
    return lambda rng: write(*_sum(rng))


def _when(lang: str, rng: random.Random) -> str:
    form, months = DAYS[lang]
    return form.format(
        d=rng.randrange(1, 29),
        m=rng.choice(months.split()),
        y=rng.randrange(2027, 2049),
        h=rng.randrange(8, 22),
        n=f"{rng.randrange(60):02}",
    )


MONEY: dict[str, Make] = {
    "money_es": _money(lambda whole, cents: f"{grouped(whole, '.')},{cents} €"),
    "money_fr": _money(lambda whole, cents: f"{grouped(whole, NO_BREAK)},{cents}{NO_BREAK}€"),
    "money_de": _money(lambda whole, cents: f"{grouped(whole, '.')},{cents} EUR"),
    "money_it": _money(lambda whole, cents: f"€ {grouped(whole, '.')},{cents}"),
    "money_pt": _money(lambda whole, cents: f"R$ {grouped(whole, '.')},{cents}"),
    "money_ru": _money(lambda whole, cents: f"{grouped(whole, NO_BREAK)} руб. {cents} коп."),
    "money_ar": _money(lambda whole, cents: f"{whole:,}.{cents} درهم"),
    "money_hi": _money(lambda whole, cents: f"₹{indian(whole * 10)}"),
    "money_tr": _money(lambda whole, cents: f"{grouped(whole, '.')},{cents} TL"),
    "money_zh": _money(lambda whole, cents: f"{whole}.{cents}元"),
    "money_ja": _money(lambda whole, cents: f"{whole * 10:,}円"),
    "money_ko": _money(lambda whole, cents: f"{whole * 100:,}원"),
}
NATIVE: dict[str, Make] = {**MONEY, **{f"when_{lang}": partial(_when, lang) for lang in DAYS}}
"""Kinds that are values, by language."""
