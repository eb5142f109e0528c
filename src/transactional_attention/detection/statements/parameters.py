"""Parameters that people settle in a sentence: ``use a learning rate of 3e-4``, ``keep the retry
limit at 5``, ``the threshold we agreed on is 0.85``. In files they stand behind signs, where small
numbers are settings of everybody; a sentence tells one because it matters. Defaults do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

SETTLED = 0.7
_NAMES = (
    "learning rate|batch size|weight decay|dropout|warmup steps|step size|temperature|top-p"
    "|top-k|timeout|time-out|ttl|poll interval|interval|threshold|cutoff|cut-off|limit|retry limit"
    "|max retries|maximum retries|retries|rate limit|quota|pool size|cache size|page size"
    "|chunk size|buffer size|window size|context length|upload size|file size|max tokens"
    "|replicas|replica count|worker count|concurrency|gain|tolerance|margin|discount"
    "|commission|interest rate|deposit|backoff|sample rate|sampling rate|bit rate|frame rate"
    "|resolution|grace period|cooldown|lernrate|schwellwert|schwelle|umbral|límite"
    "|tasa de aprendizaje|seuil|limite|soglia|порог|лимит|タイムアウト|しきい値|閾値|学習率"
    "|超时|阈值|学习率|임계값|타임아웃|학습률|eşik|حد|सीमा"
)
_JOINT = (
    r"(?: (?:we|you|they|i|that|which|for|in|on|of|agreed|settled|chose|picked|use|used|want|need"
    r"|the|our|all|now|runs?|this|client|today)){0,6}"
    r"(?: (?:(?:was |is |has been )?(?:raised|lowered|increased|reduced|cut|bumped|capped|changed)"
    r" (?:to|at)|of|to|at|is|was|stays at|should be|must be|has to be|will be|set to|es|será|est"
    r"|sera|ist|auf|è|é|a|sur|на|равен|—)|は|を|为|是|設定は|은|는)[ ]?"
)
_NUMBER = re.compile(
    rf"{_JOINT}(?:about |exactly |at most |now )?"
    r"(?P<value>[-+]?\d{1,6}(?:[.,]\d{1,6})?(?:e-?\d{1,2})?"
    r"(?: ?(?:%|percent|ms|milliseconds|seconds|secs?|minutes|mins?|hours|days|[kKMGT]i?B"
    r"|[kMG]?Hz|fps|dpi|tokens|requests(?: per (?:second|minute|hour))?|Sekunden|segundos"
    r"|secondes|secondi|секунд|秒|分|초|s|m|h|x))?)(?![A-Za-z0-9_%]|[.,]\d|[/:-]\d)"
    r"(?=[.,;:!?)\"'”]|\s*(?:\n|\Z)|[^\x00-\x7f]| (?:for|and|or|until|in|on|per|when|so|but|if|as"
    r"|now|then|from|with|by|at|instead|to|please|y|para|en|et|pour|und|für|bis|e|per|em|и|для|[—–(-])"
    r"(?!\w))"
)
_DEFAULT = re.compile(r"(?:default|typical|usual|example|e\.g\.|standard)\w*[^.\n]{0,40}\Z", re.I)
_BEHIND = re.compile(r" (?:by default|as default|unless|if (?:not|no))\b")
_REACH = 48
_BOOK = Book(phrase(name, None) for name in _NAMES.split("|"))


def parameters(text: str) -> Iterator[Anchor]:
    """Numbers that sentences give to named parameters."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _NUMBER.match(text, end)
        if match is None or _BEHIND.match(text, match.end()):
            continue
        if not _DEFAULT.search(text, max(0, begin - _REACH), begin):
            yield announced(begin, match, SETTLED, "prose:parameter", delimited=False)
