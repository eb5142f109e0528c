"""A code in groups, as ``6A12 8840 775`` and ``K7 204 9931 Q``, behind a name that promises a code.

Each group holds a digit or is one or two capitals; some group holds a letter, for numbers in groups
are telephones and sums (see ``notations``).
"""

from __future__ import annotations

import re

REACH = 40  # characters before a code that name it
LEAST, MIXED, FEW = 8, 6, 3
"""Characters of all groups, and where each holds letters and digits; groups that need no end of a
clause."""
_GROUPS = re.compile(
    r"(?=[A-Z\d]{1,9} [A-Z\d])(?:[A-Z]{0,3}\d[A-Z\d]{0,8}|[A-Z]{1,3})"
    r"(?: (?:(?=[A-Z]{0,7}\d)[A-Z\d]{2,8}|[A-Z]{1,2}(?= [A-Z]{0,3}\d|[.,;!?)\n]|\Z|(?<![AEIOY]) ))"
    r"(?![\w\-:/@]|[.,]\w)){1,8}"
)
# Parcels between countries, and the turns of a dial: what they are tells their form.
_OWN = re.compile(
    r"(?:[A-Z]{2}(?: ?\d{3,4}){2,3} ?[A-Z]{2}"
    r"|[LR]\d{1,2}(?:[ ,–-]{1,2}[LR]\d{1,2}){2,4})(?![\w-])"
)
_MIXED = re.compile(r"[A-Z]+\d|\d+[A-Z]")
_CAPITALS = re.compile(r" [A-Z]{1,3}(?![\w.\-])")
_CLAUSE = re.compile(r"[\"'”»)]?(?:[.,;!?)](?!\w)|\s*(?:\n|\Z))")
_NAME = re.compile(
    r"(?:(?<![^\W_])(?:ref|reference|réf|référence|referencia|referenz|riferimento|referência|referans"
    r"|number|no|nr|numéro|numero|número|code|código|codice|kod|kodu|key|id|tracking|parcel|shipment"
    r"|consignment|policy|booking|order|commande|pedido|bestellung|ordine|account|contract|contrat"
    r"|case|ticket|serial|licen[cs]e|passport|permit|claim|docket|voucher|membership|badge|pasaporte"
    r"|passeport|passaporto|passaporte|reisepass|ausweis|suivi|seguimiento|rastreo"
    r"|rastreio|spedizione|envío|expediente|pratica|protocolo|colis|dossier|sendung|vorgang|konto|заказ|номер|код)"
    r"|nummer|zeichen|kennung)[.º°]?"
    r"(?:\s?[:=#]|\s(?:is|was|est|es|ist|lautet|è|é|это))?[\s\"'“«„(*]{0,4}\Z",
    re.IGNORECASE,
)


# Digits alone, behind what only a code has: of other things they are sums and telephones.
_DIGITS = re.compile(
    r"(?:(?!\d00)\d{3}(?: (?!\d00)\d{3}){1,2}|\d{4} \d{4})(?![A-Za-z\d]|[., ]\d)#?"
)
_CODE = re.compile(
    r"(?:(?<![^\W_])(?:(?:(?:confirmation|login|access|security|door|gate|one-time|verification) )?"
    r"(?:code|pin|otp|tan|passcode)|código|codice|kodu?|код[а-я]?|कोड|رمز\w*|الرمز)"
    r"|验证码|驗證碼|取件码|暗证番号|暗証番号|コード|코드|인증번호)"
    r"(?:\s?[:：=]|\s(?:is|was|est|es|ist|lautet|è|é|это|هو)|은|는|は|为|是)?[\s\"'“«„(*]{0,4}\Z",
    re.IGNORECASE,
)


def grouped_begin(text: str, begin: int) -> int:
    """Where capitals begin that stand before the group at ``begin``; ``begin`` in most cases."""
    if text[begin - 1 : begin] != " " or not "A" <= text[begin - 2 : begin - 1] <= "Z":
        return begin
    capitals = _CAPITALS.match(text[max(0, begin - 5) : begin][::-1])
    return begin - capitals.end() if capitals else begin


def grouped_end(text: str, begin: int) -> int:
    """Where the code in groups that begins at ``begin`` ends; ``begin`` where none does."""
    digits = _DIGITS.match(text, begin)
    if digits and _CODE.search(text[max(0, begin - REACH) : begin]):
        return digits.end()
    own = _OWN.match(text, begin)
    if own:
        return own.end()
    match = _GROUPS.match(text, begin)
    if match is None:
        return begin
    groups = match.group().split()
    least = MIXED if all(map(_MIXED.match, groups)) else LEAST
    if sum(map(len, groups)) < least or match.group().replace(" ", "").isdigit():
        return begin
    if len(groups) < FEW and not _CLAUSE.match(text, match.end()):
        return begin
    named = _NAME.search(text[max(0, begin - REACH) : begin])
    return match.end() if named else begin
