"""Words that join others: no name is one of them, and no words that chance has drawn hold any."""

from __future__ import annotations

import re

_COMMON = frozenset(
    "the and for not are was with from that this into out off over under all one two three "
    "four five six seven eight nine ten week month hour minute mile only like than its you "
    "your our his her they has had have will can how what when who but per end day year old "
    "time level based side free non self type more most some any been there where which about "
    "after before would could should must does did very just then them".split()
)
_BENT_ENDS = ("ing", "ed", "ly", "tion", "ment", "ness", "able", "ous", "ive", "ally", "ies")
BENT = re.compile(rf"\w+(?:{'|'.join(_BENT_ENDS)})")  # by a sentence


# Words that no list of a passphrase holds: they join others, in a few languages.
JOINING = frozenset(
    "a an i he she it we of to in on at by as is be no or so up if do go my me us am pm through "
    "while"
    " until because please nothing everything something never always again also both each every "
    "other"
    " such same own still even well much many few good new first last use used make made get "
    "let set may might shall"
    " see say said yes now here today hello were being upon onto towards without within between "
    "along"
    " por para con sin una uno los las del que muy más siempre nunca sigue todos todo para está "
    "como"
    " les des une pour avec sans dans sur pas est sont que qui très plus moins toujours jamais même"
    " depuis longtemps bien encore nous vous tous der die das den dem des ein eine und oder mit "
    "ohne"
    " von für ist sind war immer noch nicht nur auch schon wieder sehr bald wie früher kein keine"
    " gli della dello delle degli con senza per una uno sempre stesso stessa molto già ancora tutti"
    " dos das uma com sem não mais ainda muito segredo por todos на не из для как уже ещё очень тот"
    " что это так или был была слишком trop beaucoup demasiado troppo".split()
)


def is_common(word: str) -> bool:
    """Whether a word in lower case joins others or is bent by a sentence."""
    return (len(word) < 3 and word.isascii()) or joins(word) or word.endswith(_BENT)


def joins(word: str) -> bool:
    """The same for words of a list, which are not short and of which some end so by chance."""
    if word in JOINING or word in _COMMON:
        return True
    return word.endswith(_BENT_ENDS) and BENT.fullmatch(word) is not None


_BENT = ("mente", "ment", "lich", "isch", "zione", "ción", "ção")
