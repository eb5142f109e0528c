"""Classes, modules and functions that a setting names by their dotted path: ``driver:
org.pelican.jdbc.PelicanDriver``, ``DJANGO_SETTINGS_MODULE=shop.settings.staging``.

Code has such paths everywhere: one fills its line or stands between quotes, behind a label of what
is loaded by its name, and does not come from a library that everybody has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import words_of

PATH = 0.76
_LABELS = (
    "class handler driver provider module factory entrypoint backend listener processor"
    " serializer deserializer partitioner interceptor callback plugin middleware resolver"
    " authenticator implementation impl runner loader validator converter hook"
    " handlerclass driverclass driverclassname classname mainclass factoryclass settings"
    " application bundle bundleid applicationid appid appgroup suite identifier"
    " productbundleidentifier"
).split()
_WORDS = frozenset(word.encode() for word in _LABELS)
# The second dot of a path, and read backwards from it what stands before the path.
_CHAIN = re.compile(r"\.(?<=\w\.)[A-Za-z_]\w{0,60}\.(?=[A-Za-z_])")
_LABELLED = re.compile(
    r"\.[\w.]{1,120}+[\"']?(?:[ \t]{0,8}[:=][ \t]{0,8}|[ \t]{1,8})[\"']?"
    r"(?:(?:eman|ssalc|htap|di)[_.\-]?)?"
    rf"(?P<label>{'|'.join(sorted((word[::-1] for word in _LABELS), key=len, reverse=True))})",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:[_.\-]?(?:[Nn]ame|NAME|[Cc]lass|CLASS|[Pp]ath|PATH|[Ii]d|ID))?[\"']?"
    r"(?P<sign>[ \t]*[:=][ \t]*|[ \t]+)"
    r"(?P<open>[\"']?)(?P<value>[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,60}){1,9}+"
    r"(?::[A-Za-z_]\w{1,40})?)(?P=open)(?=(?P<end>[ \t]*[,;}]?[ \t]*\r?(?:\n|\Z|\})|[ \t/>]|\Z))"
)
_KNOWN = re.compile(
    r"(?:java|javax|jakarta|logging|django|typing|collections|concurrent|asyncio|unittest|torch|tf"
    r"|tensorflow|numpy|np|pandas|pd|keras|sklearn|flask|celery|rest_framework|self|this|cls|args"
    r"|kwargs|config|settings|options|opts|request|req|response|res|event|ctx|context|os|sys|json"
    r"|process|module|exports|window|document|console|props|state|math|string|http|logger|log|cfg"
    r"|params|data|env|process|app|base|core|utils|models|abc|types|any|std|system|microsoft|react"
    r"|org\.(?:springframework|apache|hibernate|postgresql|junit|slf4j|eclipse)|com\.(?:mysql|google"
    r"|sun|example|microsoft|amazonaws)|io\.(?:netty|grpc|micrometer)|example|foo|my\w*|your\w*)\."
)
_OPTION = re.compile(r"(?<!\S)--?[\w\-]{0,24}\Z")
_REACH = 224  # characters that are read for a label, and before it for an option
_FILE = re.compile(
    r".*\.(?:py|js|ts|so|jar|ya?ml|json|toml|ini|cfg|conf|html?|css|sh|go|rs|c|h|txt|md|log|sock"
    r"|com|org|net|io|local|lan|dev|exe|dll)"
)


def dotted(text: str, minimum: float) -> Iterator[Anchor]:
    """Dotted paths of what is loaded by its name."""
    present = words_of(text)
    if present.isdisjoint(_WORDS):
        return
    last = 0
    for chain in _CHAIN.finditer(text):
        if chain.start() < last:
            continue
        last = chain.end()
        found = _LABELLED.match(text[max(0, last - _REACH) : last][::-1])
        place = last - found.end() if found else last
        match = _AFTER.match(text, last - found.start("label")) if found else None
        if match and match.end() >= last and _is_path(text, place, match):
            label, value = Span(place, match.start("value")), Span(*match.span("value"))
            yield Anchor(label, value, PATH, "structure:class", bool(match["open"]))


def _is_path(text: str, place: int, match: re.Match[str]) -> bool:
    """Whether the value of a label is a path of a class or a module, in a configuration."""
    value = match["value"]
    parts = value.replace(":", ".").split(".")
    if len(parts) < 3 or _FILE.fullmatch(value):
        return False
    known = _KNOWN.match(value.lower() + ".")
    deep = len(parts) > 3 and parts[-1][:1].isupper()
    if known and not (deep and known.group() in ("app.", "core.", "base.", "models.", "utils.")):
        return False
    if match["open"]:
        return match["sign"].strip() != "" or text[place] in "aAbB"  # applicationId "de.tern.app"
    if not match["sign"].strip():
        return _OPTION.search(text, max(0, place - _REACH), place) is not None
    if match["end"] in (" ", "\t", "/", ">"):
        return False  # something else stands on the line
    line = text[text.rfind("\n", max(0, place - 64), place) + 1 : place].lstrip(" \t-")
    if " " in line.removeprefix("export ").removeprefix("set ").removeprefix("ENV "):
        return False  # a sentence, or a statement of code
    if "=" in match["sign"] and " " in match["sign"]:
        return deep  # as code writes it
    indent = place - text.rfind("\n", max(0, place - 64), place) - 1 - len(line)
    return deep or line.isupper() or parts[-1].islower() or indent < 4
