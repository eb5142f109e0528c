"""Names that hold from now on: ``call it bluebird from now on``, ``d'ora in poi chiamiamo il server
Gabbiano``, ``从今天起，这个项目就叫“青鸟”``.

A sentence that holds words for a beginning and a verb of naming gives a name: what stands between
quotes, the word right before those words, or a last word with a capital behind the verb. Where a
script has no capitals, quotes behind a word for a name are enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from ..text_words import lowered
from .sentence import sentence

NAMED, GOES_BY = 0.68, 0.56
_REACH = 120  # characters of a sentence around the words for a beginning
# Words for a beginning, by languages; each stands beside a verb of naming of its language.
_TONGUES: tuple[tuple[str, str], ...] = (
    (
        "from now on|from here on|from today on|going forward|henceforth|hereafter|for short"
        "|in the rest of|in what follows",
        r"call|calling|name|refer to|known as|called|dub",
    ),
    (
        "desde hoy|a partir de hoy|a partir de ahora|de ahora en adelante|desde ahora",
        r"(?:se |lo |la )?llam\w+",
    ),
    (
        "désormais|dorénavant|à partir de maintenant|à partir d'aujourd'hui|dès maintenant",
        r"s['’]appel\w+|appel\w+|nomm\w+",
    ),
    ("ab sofort|ab jetzt|ab heute|von nun an|künftig|fortan", r"nenn\w+|hei(?:ß|ss)\w+"),
    ("d'ora in poi|d'ora in avanti|da oggi|da ora", r"(?:si )?chiam\w+"),
    ("a partir de hoje|a partir de agora|de agora em diante|doravante", r"(?:se )?cham\w+"),
    ("с этого дня|отныне|с сегодняшнего дня|с этого момента|впредь", r"назыв\w+|зов[её]м"),
    ("من الآن فصاعدا|من الآن|من اليوم", r"\w*سمي\w*|اسم\w*"),
    ("bundan sonra|bundan böyle|artık|bugünden itibaren", r"ad[ıi]\w*|diye\w+|diyoruz"),
    ("अब से|आज से", r"नाम|कह\w+|बुला\w+"),
    ("从今天起|从现在起|今后|从此", "叫|称"),
    ("今後|これから|今日から|以後", "呼|名前"),
    ("앞으로|이제부터|오늘부터", "부르|부릅|이름"),
)
_STARTS = Book(
    phrase(start, re.compile(rf"(?<![a-zà-ÿа-я])(?:{verb})"))
    for starts, verb in _TONGUES
    for start in starts.split("|")
)
_QUOTED = re.compile(
    r"[\"“„«「『‘'] ?(?P<value>[^\W\d_][\w\-]{1,24}(?: [^\W\d_][\w\-]{0,24}){0,3}) ?"
    r"[\"”“»」』’'](?![a-z])"
)
_RIGHT_BEFORE = re.compile(
    r"(?:it|him|her|them|this|that|as) (?P<value>[^\W\d_][\w\-]{2,24}(?: [A-Z][\w\-]{1,24})?) \Z"
)
_LAST = re.compile(
    r"(?:\s[^\s.,;:!?]{1,24}){0,6}?\s(?P<value>(?=[^\W\d_])(?![a-zà-ÿа-яёğışöüç])[\w\-]{3,24})"
    r"(?=[.,;!?]|\s*\Z| in )"
)


# What has a name already: two capitals and more, as a house, a project or a product has.
_GOES_BY = Book(
    phrase(said, None)
    for said in (
        "goes by|going by|it's called|it’s called|is called|are called|codenamed|code-named|dubbed"
        "|known internally as|renamed to|rebranded as|nicknamed|refer to him as"
        "|refer to her as|refer to it as"
        "|refer to them as|refer to the customer as|refer to the client as|refer to the project as"
    ).split("|")
)
_CAPITALS = re.compile(
    r" (?:the )?[\"“']?(?!The |Our |An? )"
    r"(?P<value>[A-Z][\w'’-]{2,24}(?: [A-Z][\w'’-]{1,24}){1,3})(?![\w-])"
)


# Words for a name that stand right before the quotes around it, in scripts that have no capitals.
_NAMES = Book(
    phrase(name, None)
    for name in (
        "名前は|名称は|愛称は|名前を|名称を|愛称を|名字叫|名字是|命名为|取名为|取名|改名为|更名为"
        "|이름은|이름을|이름이|별명은|별명을"
    ).split("|")
)


def aliases(text: str) -> Iterator[Anchor]:
    """Names that sentences give to hold from their time on."""
    for begin, end, verb in spoken(text, _STARTS):
        found = _named(text, begin, end, verb)
        if found:
            value = Span(*found)
            label = min(begin, value.start)
            yield Anchor(Span(label, value.start), value, NAMED, "prose:alias", False)
    for begin, end, _ in spoken(text, _GOES_BY):
        called = _CAPITALS.match(text, end)
        if called:
            value = Span(*called.span("value"))
            yield Anchor(Span(begin, value.start), value, GOES_BY, "prose:alias", False)
    for begin, end, _ in spoken(text, _NAMES):
        quoted = _QUOTED.match(text, end + (text[end : end + 1] == " "))
        if quoted:
            value = Span(*quoted.span("value"))
            yield Anchor(Span(begin, value.start), value, NAMED, "prose:alias", True)


def _named(text: str, begin: int, end: int, verb: re.Pattern[str]) -> tuple[int, int] | None:
    """The name in the sentence around ``text[begin:end]``, which tells of a beginning."""
    first, stop = sentence(text, begin, end, _REACH)
    said = verb.search(lowered(text), first, stop)
    if said is None:
        return None
    match = (
        _RIGHT_BEFORE.search(text, said.start(), begin)
        or _QUOTED.search(text, said.start() if said.group().isascii() else first, stop)
        or _LAST.match(text, said.end(), stop)
    )
    return match.span("value") if match else None
