"""Words that take something back: what was said earlier no longer holds, and what follows does.

They need not stand next to the value: "Erratum: for the rendezvous read V", "wrong seed, it is V".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .letter_tree import letter_tree
from .text_words import split

# Whoever says one of these speaks of a mistake or a change; written in lower case.
MARKERS: tuple[str, ...] = tuple(
    "erratum|errata|corrigendum|correction|correcting|typo|mistyped|misspoke|misheard|misread"
    "|miswrote|mix-up|fat finger|slip of the|transposed|mixed up|mixed them up|mixed it up"
    "|mixed those up|got it wrong|was wrong|were wrong|is wrong|wrong about|the wrong|a wrong"
    "|wrong one|my bad|my mistake|my error|oops|whoops|scratch that"
    "|scratch my|strike that|scrap that|cancel that|never mind|nevermind|on reflection|i meant"
    "|i mean "
    "|meant to say|meant to write|meant to be|disregard|ignore the|ignore that|ignore my|ignore "
    "what"
    "|forget the|forget that|forget what|change of plan|plans changed|amendment|amended|revised"
    "|revision:|apologies|apologise|apologize|superseded|supersedes|superseding|outdated|no "
    "longer|should have been|fat fingers|misspelled|bad paste|pasted the wrong|stale now|as of"
    " today"
    "|any more|anymore|gone now"
    "|should have read|should read|should say|ought to be|ought to read|on second thought"
    "|second thoughts|changed my mind|changed their mind|let me retract|walk that back|hold off on"
    "|copied the wrong|read the wrong|gave the wrong|looked again|looking again|checked again"
    "|double-checked|clerical error|closer look|small fix|misprint|digits swapped|swapped two"
    "|had it wrong|please ignore|kindly ignore"
    "|ignore previous|let me correct|stand corrected|erroneous|forgive me"
    "|corrección|corrijo|rectifico|me lié|me equivoqu|perdón|perdona|quise decir|quería decir"
    "|mejor dicho"
    "|error mío|fe de errata|rectification|rectificatif|je corrige|emmêl|je me suis tromp|erreur"
    " de ma"
    "|je voulais dire"
    "|pardon|excusez|ou plutôt|korrektur|zahlendreher|vertauscht|verwechselt|berichtigung"
    "|vertippt|verschrieben|war falsch|ich meinte|quatsch"
    "|doch lieber|lieber doch|doch besser|gemeint war|entschuldigung|muss heißen|soll heißen"
    "|richtig ist|correzione|mi correggo"
    "|confuso|confusione|scusa"
    "|volevo dire|mi sono sbagliat|ho sbagliato|errata corrige|correção|corrigindo|me enganei"
    "|troquei|confundi|errei|aliás|ой, нет"
    "|desculpa|desculpe|desculpem|quis dizer|queria dizer|поправка|исправление|ошиб|перепута"
    "|описк|извини"
    "|простите|имел в виду|вернее"
    "|точнее|неверно|düzeltme|yanlış|özür|karıştır|kusura bak|demek istedi|doğrusu|rettelse"
    "|تصحيح|خطأ|أخطأت|اختلط|آسف|عذرا|أقصد"
    "|الصحيح|सुधार|गलती|गड़बड़|माफ|ग़लत|माफ़|मतलब|更正|纠正|糾正|搞错|弄混|搞混|弄错|不好意思"
    "|说错|写错|打错|不对|抱歉|应该是|应为|訂正"
    "|間違|取り違え|ごめん|正しくは|失礼|すみません|誤り|정정|틀렸|헷갈|미안|잘못|아니요|죄송"
    "|정확히는".split("|")
)


def _any_of(markers: Iterable[str]) -> re.Pattern[str]:
    return re.compile(letter_tree([re.escape(char) for char in marker] for marker in markers))


_MARKER = _any_of(MARKERS)
_ASCII_MARKER = _any_of(marker for marker in MARKERS if marker.isascii())
# Of what changed, these speak only beside the new value.
_CHANGED = re.compile(
    r"(?:[.,;!?(—–-]|\A|\n) ?(?:hm+,? |oh,? |ugh,? |ah,? )?(?:no|nope|nah|wait|sorry|ugh|argh"
    r"|edit|update|hm+)\b ?[,.:;!—–-]"
    r"|(?:\A|\n)[^\n]{0,14}(?<![*\w])\*(?=\w[\w ]{0,30}:|\S{3,40}\Z)|\b(?:until|till) \w+\."
    r"|(?:\A|\n)-[^\n]{0,80}\n\+(?!\+)[^\n]{0,80}\Z"  # a line of a patch
    r"|\b(?:really|in fact|turns out|i take (?:that|it) back|(?:is|are) (?:dead|obsolete|invalid)"
    r"|closed now|has been (?:rotated|reissued|cancelled|revoked|reassigned)|from now on"
    r"|with immediate effect|from (?:here|then|today) on|rolled back|roll ?back|successor"
    r"|(?:i|we|they|he|she) (?:\w+ )?(?:rotated|reissued|regenerated|revoked|rebooked|relocated)"
    r"|(?:one|it|that|token|key|password|code|link|secret|credentials|card|above|account)"
    r" (?:(?:has|had|have|was|were|is|are|got|been|just|now|already|since) ){0,3}"
    r"(?:expired|revoked|rotated|leaked|reissued|regenerated|retired|closed|void)"
    r"|the (?:new|right|correct) one(?!,))\b"
    r"|\b(?:no,? wait|make that|(?:has|have) (?:changed|moved)"
    r"|moved (?:\w+ ){0,2}(?:and|to)|rescheduled|renamed|changed (?:it|to)|now changed"
    r"|updated? to|instead|used to be|been (?:reset|replaced|changed))|改为|改成|换成|変更|수정"
)
_REPLACING = re.compile(
    r"\W{0,12}(?:[\w'’]{1,12} ){0,4}?(?:in place of|instead|supersed\w+|amended|replac(?:es|ing)"
    r"|fixes|corrects|not the (?:old|earlier|former|previous|one|number|same)|no longer"
    r"|is the (?:valid|right|correct"
    r"|new) one"
    r"|after all|rather than|from now on|fat finger|typo|my bad|now)\b|[ ]?\*(?:\s|\Z)"
)
# What a correction consists of beside the words that name its value.
WORDS = frozenset(
    "changed wait no correction corrected actually meant make scratch strike sorry rather should"
    " instead use updated replaced read have been has latest right correct one exact switch became"
    " amended moved superseded final answer oops whoops typo erratum errata wrong mistake bad meant"
    " mean means ignore disregard forget reset amendment revised change changes plan i we say said"
    " not but before earlier gave update hers his its theirs mine ours yours works work only makes"
    " opens unlocks it one fix last message note post"
    " 間違えました 間違いました 間違いです 失礼しました".split()
) | {word for marker in MARKERS for word in marker.split()}
_FIRST = {split(marker)[0] for marker in MARKERS if marker.isascii()}
# Where none of these words stands, ``_CHANGED`` is not searched; in some only these beginnings do.
_CHANGING = frozenset(
    b"no nope nah wait sorry ugh argh edit update hm hmm until till really fact turns take dead"
    b" obsolete invalid closed been from effect make changed moved rescheduled renamed now updated"
    b" instead"
    b" used expired revoked reissued regenerated rotated rebooked relocated rolled roll rollback"
    b" successor leaked retired withdrawn superseded void right correct new".split()
)
_CHANGING_STEMS = ("changed", "moved", "rescheduled", "renamed", "instead", "hmm")
# Where none of these stands, nothing is: what is new needs no correction.
_HINTS = _CHANGING - {b"new"} | {word + end for word in _FIRST for end in (b"", b"s")}


def corrected(before: str, after: str) -> bool:
    """Whether the words before a value, of its sentence and the one before, or the words after it
    on its line, take something back."""
    if _takes_back(before.lower()):
        return True
    line = after.split("\n", 1)[0].lower()
    return len(line) > 6 and _REPLACING.match(line) is not None


def _takes_back(lower: str) -> bool:
    """Whether the words before a value, in lower case, take something back."""
    if not lower.isascii():
        return bool(_MARKER.search(lower) or _CHANGED.search(lower))
    words, signed = split(lower), "*" in lower or "\n+" in lower
    if not signed and _HINTS.isdisjoint(words):
        return False  # most windows
    if _ASCII_MARKER.search(lower):
        return True
    changing = signed or not _CHANGING.isdisjoint(words)
    changing = changing or any(map(lower.__contains__, _CHANGING_STEMS))
    return changing and _CHANGED.search(lower) is not None
