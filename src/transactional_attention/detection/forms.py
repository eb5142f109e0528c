"""The forms of values: patterns that a whole chunk matches, and those found by a rare character.

A form is a rule's name, a confidence without any label, and a pattern. Prefixes of tokens are
those that their issuers document (also listed by gitleaks, MIT, and detect-secrets, Apache-2.0).
"""

from __future__ import annotations

import re
from functools import lru_cache

from .call_ids import CALL_ID, is_call_id
from .detector import MAX_VALUE
from .disorder import ALONE, disorder
from .extent import UNSPACED
from .opacity import opacity

OPAQUE = 0.64
"""Confidence of a fully opaque chunk of no known form. Forms stand below most labelled values:
nobody announced them, and documentation holds about one in 4,096 tokens."""
MIN_OPAQUE = 6

_PREFIXES = (
    "sk|pk|rk|ak|gh[oprsu]|github_pat|glpat|xox[abeprs]|xapp|hf|npm|pypi|tok|key|whsec|SG|shpat"
    "|shpss|dop_v1|lin_api|sq0\\w{3}|sess|acct|cus|ey|nfp|figd|dapi|pat|secret|token|api"
)
_DOMAINS = (
    "com|org|net|edu|gov|mil|int|info|biz|dev|app|cloud|tech|online|site|shop|xyz|test|example|lan"
    "|invalid|local|localhost|internal|intranet|corp|home|arpa|onion|name|pro|store|blog|agency"
)
# Names that end with a code of their own: harvest-orchid-59, Heron_Guest_5G. Words of every day
# join no such name, nor do style sheets and code in small letters.
_JOINS = "of|the|and|to|in|on|for|at|by|per|or|vs|year|years|day|days|old|world|war|type|level"
_STYLES = "text|bg|border|ring|from|via|fill|stroke|divide|accent|shadow|col|row|grid|gap|space"

NAMED_CODE = (
    rf"(?=\S*[-A-Z])(?=\S*[A-Za-z]{{3}})(?!(?:{_STYLES})-)(?!(?:\S*[-_])?(?:{_JOINS})[-_])"
    r"[A-Za-z]{2,24}(?:[-_][A-Za-z]{1,24}){1,4}[-_](?:\d{2,6}|[A-Za-z]\d{1,4}|\d{1,4}[A-Za-z])"
    r"(?:[-_][A-Za-z]{1,3})?"
)
FORMS: tuple[tuple[str, float, str, str], ...] = (
    ("uuid", 0.7, "-", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("jwt", 0.7, ".", r"eyJ[\w\-]{5,}\.[\w\-]{5,}\.[\w\-]*"),
    (
        "prefixed",
        0.7,
        "",
        rf"(?:{_PREFIXES})[-_.](?=\D*\d)[\w\-.]{{8,}}|(?:AKIA|ASIA)[A-Z0-9a-z]{{8,}}"
        r"|AIza[\w\-]{20,}|ya29\.[\w\-]{8,}",
    ),
    (
        "hash",
        0.66,
        "",
        r"(?:sha\d{1,3}[:-]|md5:)?(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])"
        r"(?:[0-9a-f]{12,}|[0-9A-F]{16,})",
    ),
    ("email", 0.62, "@.", r"[\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{1,64}){1,8}"),
    ("ip", 0.62, ".", r"(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?::\d{2,5})?"),
    ("mac", 0.62, "", r"[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}"),
    (
        "ip6",
        0.62,
        ":",
        r"\[?(?=[0-9a-fA-F]{1,4}:|::\w)(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{1,4}(?:%\w+)?(?:/\d{1,3})?"
        r"(?:\]:\d{2,5}|\])?",
    ),
    ("remote", 0.62, "@:", r"[\w.\-]+@[\w.\-]+:[\w./~\-]+"),
    ("arn", 0.62, ":", r"(?:arn|urn|did):[\w\-]+:\S{4,}"),
    ("host", 0.58, ":", r"[a-zA-Z][\w\-]*(?:\.[\w\-]+)*:\d{2,5}(?:/\S*)?"),
    (
        "path",
        0.55,
        "",
        r"(?:~|\.{1,2})?(?:/[\w.@+\-~%]+){2,}/?|[A-Z]:\\[\w.\\\-]{3,}|\\\\[\w.\\$\-]{5,}",
    ),
    ("iban", 0.62, "", r"[A-Z]{2}\d{2}[A-Z0-9]{4}\d{7}[A-Z0-9]{0,16}"),
    ("order", 0.6, "-", r"[A-Z]{2,6}-(?:\d{4}-)?\d{4,}(?:-\d+)?"),
    (
        "grouped",
        0.58,
        "-",
        r"(?=\S*(?:\d[A-Z]|[A-Z]\d))[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){2,7}"
        r"|(?=\S*(?:\d[a-z]|[a-z]\d))(?:[a-z0-9]{4}(?:-[a-z0-9]{4}){2,7}"
        r"|[a-z0-9]{5}(?:-[a-z0-9]{5}){2,7})",
    ),
    ("named", 0.58, "", NAMED_CODE),
    ("resource", 0.58, "", r"(?:jdbc|jms|ejb|mail|jca)/[A-Za-z][A-Za-z0-9/_\-]{3,}"),
    (
        "zone",
        0.58,
        "",
        r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)"
        r"(?:/[A-Z][A-Za-z_\-]{2,}){1,2}",
    ),
    ("topic", 0.56, ".", r"[a-z][a-z0-9\-]{2,}(?:\.[a-z][a-z0-9\-]{1,}){1,4}\.v\d{1,3}"),
    (
        "base64",
        0.64,
        "=",
        r"(?=\S*[A-Z])(?=\S*[a-z])(?=\S*\d)(?:[A-Za-z0-9+/]{4}){3,}"
        r"(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)",
    ),
    (
        "version",
        0.52,
        ".",
        r"v\d+\.\d+\.\d+\S*|\d+\.\d+\.\d+[-+](?:rc|beta|alpha|build|dev)[\w.\-]*",
    ),
    ("domain", 0.52, ".", rf"(?=\S*\d)(?:[a-zA-Z][\w\-]*\.){{2,5}}(?:[a-z]{{2}}|{_DOMAINS})"),
    ("number", 0.51, "", r"\d{9,20}"),
)
PHRASE = 0.51
"""Confidence of hyphenated words that make no English compound."""
BARE_VERSION = 0.51
"""Confidence of a version number without a ``v`` (see ``versions``)."""
CHOSEN = 0.51
"""Confidence of a plain number that counts nothing (see ``numbers``)."""
CLIENT = 0.51
"""Confidence of the address that begins each line of a server's log."""
PLACE = 0.64
"""Confidence of a place, in degrees of either form."""
CONFIDENCE = {rule: confidence for rule, confidence, _, _ in FORMS}
_SIGNS = "-.:@="
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=2 ** len(_SIGNS))
def _form(signs: str) -> re.Pattern[str]:
    """The forms, in their order, that a chunk with none but these signs may have."""
    possible = [form for form in FORMS if set(form[2]) <= set(signs)]
    return re.compile("|".join(f"(?P<{rule}>{pattern})" for rule, _, _, pattern in possible))


def _signs(value: str) -> str:
    return "" if value.isalnum() else "".join([sign for sign in _SIGNS if sign in value])


_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MONTH = f"(?:{'|'.join(_MONTHS)})"
# What programs stamp their lines with, and how long something took or how large it is.
_DATE = rf"(?:\d{{4}}[-/.]?\d\d[-/.]?\d\d|\d{{1,2}}[-/]?{_MONTH}[-/]?(?:\d{{4}}|\d\d))"
_TIME = r"(?:[0-2]?\d:?[0-5]\d(?::?[0-5]\d(?:[.,:]\d{1,9})?)?)"
_ZONE = r"(?:Z|UTC|GMT|[-+]\d\d:?\d\d)"
_STAMP = rf"{_DATE}(?:[T_:.\-]{_TIME})?{_ZONE}?|{_TIME}(?:[ap]m|[AP]M)?{_ZONE}?"
_MEASURE = (
    r"\d+(?:\.\d+)?(?:[nuµm]s|[kKMGT]i?[Bb](?:ps|/s)?|[kMG]?Hz)|\d+\.\d+s"
    r"|(?:\d{1,3}[dhm]){1,3}\d{1,3}(?:\.\d+)?s|(?:\d{1,3}[dhm]){2,3}"
)
# Places in a program: loader.js:883:14, src/main.rs:12, node:fs:601:3.
_PLACE = (
    r"(?:\S*/)?[\w\-]+\.(?:py|pyx|[cm]?[jt]sx?|go|rs|java|kt|c|cpp|h|hpp|cs|rb|php|swift|scala|exs?"
    r"|vue|lua):\d{1,6}(?::\d{1,6})?|(?:\d*[^\s:\d][^\s:]*+:){1,2}\d{1,6}:\d{1,6}"
)
_NOTATION = re.compile(
    # numbers as programs write them, escapes, formats, protocol versions, dimensions, times
    r"[-+]?\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?[jJlLuUfF%]{0,2}|[-+]?0[xXbBoO][\w]{0,7}|0x(?:c0|7f|00|5[56])[0-9a-f]{4,14}|0[bBoO][01_]+"
    r"|.*\\[xuUnrtN0-9{].*|[uU]\+\w{1,6}(?:[-.].*)?|%.*|[A-Z]{2,6}/\d(?:\.\d)?|\d+(?:(?:[xX×/:-]|[*+%<>-]{1,3})\d+)+|\d{4}-\d\d-\d\dT.*"
    r"|\d+(?:\.\d+)?[xX×/]\d+(?:\.\d+)?|\d+(?:[.,]\d+)*[a-zA-Zµ]{0,3}/[a-zA-Z]{1,4}\d?|\d+\.\d+[a-z]{1,2}"
    r"|\d{2,4}/\d{1,4}/[A-Z]{2,4}"
    r"|\d{1,4}[a-e]?[-–]\d{1,4}[a-e]?|\d{1,3}\.\.\.\w{2,6}[+#]?|(?:/usr)?/bin/(?:(?:ba|z|da|k|fi)?sh|env|python3?)|/dev/null|utf8mb4\w{0,20}"
    r"|(?:127\.0\.0\.1|0\.0\.0\.0|255(?:\.\d{1,3}){3})(?:/\d+)?"
    r"|[\w.\-]+@[\w.\-]+:[~/][\w./~\-]*\$"  # a prompt of a shell
    rf"|(?:{_STAMP})(?:&\w+)?|{_MEASURE}|{_PLACE}|{CALL_ID}"
)

EXTENSIONS = (
    "pdf|txt|csv|jsonl?|ya?ml|toml|ini|cfg|conf|log|md|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|py|sh|js"
    "|ts|go|rs|java|cpp|html?|xml|sql|db|sqlite|zip|tar|t?gz|env|pem|key|crt|lock|bak|ipynb|parquet"
)


def narrow(pattern: str) -> re.Pattern[str]:
    """A pattern whose borders are those of ASCII words: other scripts write no spaces."""
    return re.compile(pattern, re.ASCII)


# A pattern that begins with a rare character, and what may stand before it, read backwards.
INNER: tuple[tuple[str, float, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "url",
        0.62,
        narrow(rf"://[^\s\"'`<>\\|{{}}“”{UNSPACED}]{{3,{MAX_VALUE}}}"),
        narrow(r"[a-zA-Z0-9+.\-]{1,20}(?<=[a-zA-Z])"),
    ),
    (
        "coordinates",
        PLACE,
        narrow(r"\.\d{3,12}°?(?: ?[NSKG]\b)?[,،] ?[-+]?\d{1,3}\.\d{3,12}(?!\d)°?(?: ?[EWDBO]\b)?"),
        narrow(r"\d{1,3}[-+]?(?![\w.])"),
    ),
    (
        "moment",
        0.6,
        narrow(r"-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w)"),
        # behind a word or between letters that need no space: no stamp of a line
        re.compile(r"\d{4}(?=[ \"'`“«(*]{1,3}[^\W\d_A-Z]|[^\x00-\x7f])"),
    ),
    (
        "time",
        0.52,
        narrow(r"-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w)"),
        narrow(r"\d{4}(?![\w.\-])"),
    ),
    (
        "moment",
        0.6,
        narrow(r":\d\d(?!\w)"),
        narrow(
            rf"\d{{1,2}}(?: ta)? ,?\d{{4}} [a-z]{{0,6}}(?:{'|'.join(m[::-1] for m in _MONTHS)})"
            r" \d{1,2}(?![\w.\-])"
        ),
    ),
    (
        "entry",  # of a directory: cn=backup,ou=services,dc=example
        0.72,
        narrow(r",(?:ou|dc|cn|o|l)=[\w.\- ]{1,48}(?:,(?:ou|dc|cn|o|l|c|st)=[\w.\- ]{1,48}){1,8}\b"),
        narrow(r"[^\s=,;\"'<>()]{1,64}=(?:nc|diu|uo|liam)(?!\w)"),
    ),
    (
        "phone",
        0.6,
        narrow(r"\+\d{1,4}(?:[ -]\(?\d{2,4}\)?){2,5}(?![A-Za-z0-9_\-]|\.\w)"),
        narrow(r"(?!\w)"),
    ),
    (
        "phone",
        0.6,
        narrow(r"\+\d{1,3} ?\(0\) ?\d{1,5}(?:[ /-]\d{2,8}){1,4}(?![\w\-])"),
        narrow(r"(?!\w)"),
    ),
    (
        "email",
        0.62,
        narrow(r"'[\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{1,64}){1,8}"),
        narrow(r"(?=\w)[\w.+\-]{1,64}(?!=)"),
    ),
    (
        "phone",
        0.6,
        narrow(r"\(\d{3}\) \d{3}-\d{4}(?![\w\-])"),
        narrow(r"(?!\w)"),
    ),
    (
        "phone",
        0.55,
        narrow(r"-\d{3}-\d{4}(?![A-Za-z0-9_\-]|\.\w)"),
        narrow(r"\d{3}(?:-1\+?)?(?![\w\-+])"),
    ),
    (
        "ip6",
        0.62,
        narrow(r"\[(?!\d\d?:\d\d[:.\]])(?=[0-9a-f]{0,4}:)[0-9a-f:.]{3,45}\](?::\d{2,5})?"),
        narrow(r"(?!\w)"),
    ),
    (
        "iban",
        0.62,
        narrow(r" (?<=[A-Z]{2}\d\d )[A-Z0-9]{4}(?: \d{4}){2,6}(?: [A-Z0-9]{1,4})?\b"),
        narrow(r"\d\d[A-Z]{2}(?!\w)"),
    ),
    (
        "file",
        0.51,
        re.compile(rf"\.(?:{EXTENSIONS})(?![\w/(\[]|\.\w|:\d)"),
        re.compile(r"[\w\-./]{0,200}\w"),
    ),
)


@lru_cache(maxsize=1024)
def classify(value: str) -> tuple[str, float]:
    """The form of a chunk and its confidence, 0 for a plain word."""
    if "://" in value or _is_notation(value):
        return "", 0.0
    form = _form(_signs(value)).fullmatch(value)
    if form is not None and form.lastgroup is not None:
        return form.lastgroup, CONFIDENCE[form.lastgroup]
    if len(value) >= MIN_OPAQUE and (_is_mixed(value) or disorder(value) >= ALONE):
        return "opaque", OPAQUE * opacity(value)
    return "", 0.0


def _is_notation(value: str) -> bool:
    if value.isdigit() or value[1:3] == ":\\":
        return False
    special = ":" in value or "/" in value or "\\" in value
    if value[:1].isalpha() and value[1:2] != "+" and not special:
        return is_call_id(value)  # most words and codes, without a pattern
    return _NOTATION.fullmatch(value) is not None


def _is_mixed(value: str) -> bool:
    """Whether a chunk holds letters and digits."""
    if value.isascii():
        return value.lower() != value.upper() and _DIGIT.search(value) is not None
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)
