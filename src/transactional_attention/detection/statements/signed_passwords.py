"""Passwords with a sign inside, right behind their name in Chinese, Japanese and Korean, which put
neither a colon nor a space between: ``初始口令Qing!Ming#雨，``, ``パスワードはmochi&anko@家です``.

A Chinese character or two may end such a password, up to a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

SIGNED = 0.78
_NAMES = "密码|密碼|口令|パスワード|暗証|비밀번호|비번|암호".split("|")
_ASCII = r"A-Za-z\d!@#$%^&*+~_?=.-"
_OWN = r"(?![了吧的就呢哦啊])[\u3400-\u9fff]"
_PASSWORD = re.compile(
    r"(?:是|为|为：|是：|：|:|は|는|은)? ?[“「『\"']?"
    rf"(?P<value>(?=[{_ASCII}]{{0,30}}?[!@#$%^&*+~])(?=[{_ASCII}]{{0,30}}?[A-Za-z\d])"
    rf"[{_ASCII}]{{5,40}}(?<![.?=])(?:(?:{_OWN}){{1,2}}(?=[”」』\"'，。、；！,.;]|\s|\Z))?)"
    r"(?![\x21-\x2b\x2d\x2f-\x7e])"
)
_BOOK = Book(phrase(said, None) for said in _NAMES)


def signed_passwords(text: str) -> Iterator[Anchor]:
    """Passwords with a sign inside, behind a name for one."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _PASSWORD.match(text, end)
        if match:
            yield announced(begin, match, SIGNED, "prose:words", delimited=False)
