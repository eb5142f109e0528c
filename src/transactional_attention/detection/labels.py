"""The words that announce a value, and how strongly: the paper's pattern set P, as a table.

A label is read backwards from the separator, since its last words decide: the pattern runs over
reversed lower-case text and is anchored there, so it needs no search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .detector import LOOKBACK
from .letter_tree import letter_tree
from .mirror import backwards

# 1.0: the words promise an opaque value. 0.9: they promise a value of some kind.
# 0.75: they often announce a value, and as often do not.
STRENGTHS: dict[float, tuple[str, ...]] = {
    1.0: (
        "key code password passwd pwd passphrase passcode passkey secret token credential",
        "credentials pin otp nonce authorization auth bearer session sid cookie csrf salt dsn",
        "apikey sessionid csrftoken webhook coordinates iban cvv vin ssn combination combo keycode",
        "recovery-phrase seed-phrase secret-phrase backup-phrase",
        "api-key session-id client-id user-id order-id ticket-id request-id trace-id device-id",
        "customer-id tenant-id project-id build-id account-id message-id tracking-id",
        "serial-number account-number order-number tracking-number invoice-number pin-number",
        "reference-number confirmation-number card-number phone-number ticket-number magic-number",
        "secret-number case-number badge-number locker-number flight-number room-number",
        "secret-word connection-string booking-reference commit-hash service-account",
    ),
    0.9: (
        "id identifier uuid guid username user login account url uri endpoint link host hostname",
        "server address ip port path file filename directory folder bucket email mail phone",
        "mobile fax serial reference ref order ticket invoice booking confirmation reservation",
        "flight commit hash sha sha1 sha256 md5 checksum digest etag fingerprint signature",
        "revision latitude longitude lat lon lng location region zone cluster database db tenant",
        "project branch tag release build zip zipcode postcode plate badge seed instance",
        "container image pod node namespace channel topic queue schema device mac imei meeting",
        "room gate seat row bay dock suite locker sku isbn doi coupon voucher codename callsign"
        " handle proxy extension",
        "redirect callback pid tid arn digits user-name host-name file-name bucket-name",
        "keypad intercom padlock parcel shipment consignment waybill docket permit policy",
        "membership contract claim receipt passport registration prescription meter barcode",
        "locator licence license certificate",
        "cluster-name database-name code-name version-string",
    ),
    0.75: (
        "number no name value word string phrase date time version amount balance total limit",
        "timeout threshold size count rate quota answer result setting option mode model status",
        "label title service target source destination domain",
    ),
}

DISTANCE = 0.97
"""What is left of a label's strength with every word between keyword and separator."""

_JOINT = re.compile(r"[ \t_.\-]")
_JOIN = r"[ \t_.\-]?"
_WORD = r"[\w'’&/#\-]{1,32}+"


@dataclass(frozen=True, slots=True)
class Label:
    """Words that announce a value. ``start`` is a character of the text; ``adjacent``: the keyword
    is the last word."""

    start: int
    strength: float
    adjacent: bool


def _table() -> dict[str, float]:
    """Keyword, without its joints, to strength; the first mention counts."""
    table: dict[str, float] = {}
    for strength, lines in STRENGTHS.items():
        for word in " ".join(lines).split():
            table.setdefault(word.replace("-", ""), strength)
    return table


_STRENGTH = _table()


_KEYWORDS = letter_tree(
    [_JOIN if char == "-" else char for char in reversed(word)]
    for lines in STRENGTHS.values()
    for word in " ".join(lines).split()
)


_LABEL = re.compile(
    # a quote or bracket that closes the label; up to four words after the keyword, an index
    r"-?[\s\"'`*)\]\\]{0,6}"
    r"(?:(?:si|saw|era|eb)[ \t])?"
    rf"(?P<after>(?:{_WORD}[ \t]){{0,4}}?)(?:[^\W_]{{1,16}}[_.\-]){{0,2}}?(?:\d{{1,3}})?"
    rf"(?P<keyword>{_KEYWORDS})(?P<before>.?)",
    re.DOTALL,
)
# From the nearest "the" or "my", if there is one, else up to three words; of what, before it.
_THE = r"[ \t](?:eht|ym|ruoy|ruo|rieht|sih|reh|sti|na|a)(?!\w)"
_QUALIFIERS = re.compile(
    rf"(?:[ \t]?{_WORD}){{0,3}}?{_THE}(?:[ \t](?:fo|rof)(?:[ \t]{_WORD}){{1,3}}?{_THE})?"
    rf"|(?:[ \t_.\-]?{_WORD}){{0,3}}[\"'`*]{{0,2}}"
)


def find_label(text: str, end: int) -> Label | None:
    """The label whose last character is before ``end``, at most ``LOOKBACK`` characters back."""
    mirror, begin, stop = backwards(text, end, LOOKBACK)
    match = _LABEL.match(mirror, begin, stop)
    if match is None or not _stands_alone(text, end + begin, match):
        return None
    keyword = _JOINT.sub("", match["keyword"][::-1])
    first = match.end("keyword")
    qualifiers = _QUALIFIERS.match(mirror, first, stop)
    start = end + begin - (qualifiers.end() if qualifiers else first)
    words = match["after"].count(" ")
    return Label(start, _STRENGTH[keyword] * DISTANCE**words, words == 0)


def _stands_alone(text: str, last: int, match: re.Match[str]) -> bool:
    """No letter joins the keyword on its left, unless as in ``apiKey``.

    ``last``: what a place in the string that was matched and its place in the text add up to.
    """
    if not match["before"].isalpha():
        return True
    at = last - match.end("keyword")
    return text[at].isupper() and text[at - 1].islower()
