"""Sums in numerals of East Asia: ``贰万叁仟元整``, ``三万五千円``, ``삼십칠만 원``, ``3만5천 원``.

Written against forgery they are values; others where their sentence tells what is paid or agreed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from .sentence import sentence

SURE, PAID = 0.66, 0.6
_REACH = 60  # characters of a sentence around a sum that tell of a payment
_LONGEST = 24  # characters before a currency
_FORMAL = re.compile(
    r"[壹贰叁肆伍陆柒捌玖拾佰仟萬万零亿貳參陸億]{3,20}[元圆圓円](?:整|正|[壹贰叁肆伍陆柒捌玖零角分]{2,6})?"
)
_HAN = re.compile(
    r"(?<![第\d.,一二三四五六七八九十百千万])(?:[\d一二三四五六七八九两][\d一二三四五六七八九十百千万零两,]{1,13}|[十百千]万?[一二三四五六七八九千百十]{1,8})"
    r"(?:元|块钱|块|円|圆)(?:整|正)?"
)
_HANGUL = re.compile(
    r"(?<![가-힣\d.,])(?:(?:\d{1,4}억 ?)?\d[\d,]*[만천백](?: ?\d{1,4}[천백]?)?|\d{1,4}억"
    r"|\d{1,3}(?:,\d{3})+"
    r"|[일이삼사오육칠팔구십백천만억]{2,14}(?: ?[일이삼사오육칠팔구십백천]{1,10})?) ?원"
    r"(?!장|인(?!데|지|가)|칙|래|고|본)"
)
_PAYING = re.compile(
    r"付|给了|给他|给她|交了|交给|定金|订金|押金|租金|房租|红包|份子|[讲谈说]好|谈妥|转了|转给|收了|欠|借|报价|成交|尾款|首付"
    r"|费用|收费|报销|罚款|工资|工钱|合计|共计|总共|打款|汇款|花了"
    r"|払|包む|包み|家賃|会費|料|代金|予算|話がつ|決ま|見積|振り?込|敷金|お釣り|貸し|借り|香典|祝儀|手付"
    r"|費用|請求|給料|罰金|合計|修理代|送金|謝礼"
    r"|보내|입금|송금|맞추|맞췄|정했|하기로|월세|보증금|회비|의금|계약금|잔금|가격|빌려|빌렸|냈|내기로|받았|받기로|견적"
    r"|낸 돈|지불|결제|비용|청구|벌금|요금|합의|계산했|들었"
)
_BOOK = Book(
    [
        *(phrase(sign, _HAN) for sign in ("元", "块", "円", "圆")),
        *(phrase(sign, _FORMAL) for sign in ("元", "圆", "圓", "円")),
        phrase("원", _HANGUL),
    ]
)
_FIGURES = frozenset(
    "0123456789一二三四五六七八九十百千万零两壹贰叁肆伍陆柒捌玖拾佰仟萬亿貳參陸億일이삼사오육칠팔구십백천만억"
)
_ZERO_FREE = re.compile(r"[1-9一二三四五六七八九两일이삼사오육칠팔구]")


def word_sums(text: str) -> Iterator[Anchor]:
    """Sums before a currency of East Asia."""
    for at, end, form in spoken(text, _BOOK):
        if _FIGURES.isdisjoint(text[max(0, at - 2) : at]):
            continue  # another word that the sign is a part of
        for begin in range(max(0, at - _LONGEST), at):
            match = form.match(text, begin)
            if match is None or match.end() < end:
                continue
            value = Span(begin, match.end())
            if form is _FORMAL:
                yield Anchor(Span(begin, begin), value, SURE, "shape:money", True)
            elif _is_paid(text, value):
                yield Anchor(Span(begin, begin), value, PAID, "shape:money", True)
            break


def _is_paid(text: str, value: Span) -> bool:
    """Whether a sum of two figures and more, or of an exact number, is paid or agreed."""
    if len(_ZERO_FREE.findall(text, value.start, value.end)) < 2:
        return False
    return _PAYING.search(text, *sentence(text, value.start, value.end, _REACH)) is not None
