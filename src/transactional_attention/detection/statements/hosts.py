"""Hosts by their dotted names: ``could not resolve host mq-legacy.plant.local``, ``ping
printer-attic.lan``, ``the new mirror is mirror.acme.org``.

A name ends in a suffix that hosts have. Behind an error of the resolver, a command of the network
or what is a host it needs nothing else; anywhere a hyphen and the suffix of a
private network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..mirror import backwards
from ..text_words import lowered, split

CUED, PRIVATE = 0.72, 0.62
_REACH = 72  # characters before a name that may announce it
_LONGEST = 128
_PRIVATE = "lan local internal corp intranet intra home arpa private localdomain test".split()
_PUBLIC = (
    "com org net edu gov mil biz dev cloud tech online shop agency de fr es it pt br ru tr uk nl se"
    " ch at be jp kr cn mx ar cz eu io ai us ca au nz dk no fi"
).split()
_ATTRIBUTES = frozenset("local internal home private test".split())  # code has them as well
_PART = re.compile(r"[-.]")
_SUFFIX = re.compile(
    rf"\.(?:(?P<private>{'|'.join(_PRIVATE)})|(?:{'|'.join(_PUBLIC)}))"
    r"(?![a-z0-9_\u00c0-\u058f\-@/(=\[]|\.\w|:[\d/])"
)
_BEFORE = re.compile(
    r"[a-z0-9\-]{1,63}+(?:\.[a-z0-9\-]{1,63}+){0,5}+(?![a-z0-9_\u00c0-\u058f@./:\\])"
)
_COMMANDS = (
    "ping6?|ssh|nslookup|dig|telnet|traceroute|tracert|tracepath|mtr|ssh-keyscan|ssh-copy-id|nmap"
    "|openssl s_client|arping|drill|kdig|sftp|mosh"
)
_NOUNS = (
    "mirror|server|host|hostname|machine|gateway|proxy|broker|relay|box|domain|endpoint|registry"
    "|nameserver|mx|machines|espelho|servidor|serveur|miroir|spiegel|rechner|maschine|specchio"
    "|macchina|espejo|máquina|зеркало|сервер|хост|домен|sunucu|ayna"
)
_CUE = re.compile(
    rf"(?:(?:\A|[\s$#>;|&`(])(?:{_COMMANDS})(?: -{{1,2}}[\w\-]+(?:[ =]\d+)?){{0,4}}"
    r"|(?:\A|\n)[ \t]*hostname"
    r"|resolv(?:e|ing)(?: the)?(?: host(?:name)?| address)?:?|enotfound|eai_again"
    r"|unknown ?host(?:exception)?:?|no such host:?|name or service not known:?"
    r"|\bpoint (?:[\w'’-]{1,16} ){1,3}(?:at|to)"
    r"|getaddrinfo(?: failed)?(?: for)?:?|lookup|could not connect to(?: host)?"
    rf"|\b(?:{_NOUNS})(?: [^\W\d_][\w'’]*){{0,2}} (?:is|was|now|be|called|named|ist|heißt|lautet"
    r"|est|s'appelle|es|se llama|é|se chama|è|si chiama|—|–|называется))(?: now| still)?"
    r" [\"'“«`]?\Z",
)
_WORDS = frozenset(
    word.encode()
    for word in (
        f"{_COMMANDS}|{_NOUNS}|ping|openssl|ssh|resolve|resolving|enotfound|eai|unknown"
        "|unknownhostexception|unknownhost|such|known|getaddrinfo|lookup|could|point"
    ).split("|")
)
_KNOWN = re.compile(
    r"(?:.*\.)?(?:example|localhost|invalid)(?:\.\w+)?|.*\.cluster\.local|.*\.(?:in-addr|ip6)\.arpa"
    r"|(?:www\.)?(?:google|github|gitlab|python|wikipedia|facebook|amazon|microsoft|pypi)\.\w+"
    r"|(?:self|this|threading|window|process)\..*"
)


def hosts(text: str) -> Iterator[Anchor]:
    """Names of hosts without a port or a scheme."""
    lower = lowered(text)
    for suffix in _SUFFIX.finditer(lower):
        at, end = suffix.span()
        before = _BEFORE.match(*backwards(text, at, _LONGEST))
        begin = at - (before.end() - before.start()) if before else at
        if begin == at or not lower[begin].isalnum() or _KNOWN.fullmatch(lower, begin, end):
            continue
        if suffix["private"] in _ATTRIBUTES and _PART.search(lower, begin, at) is None:
            continue
        first = max(0, begin - _REACH)
        said = lower[first:begin]
        announced = not (said.isascii() and _WORDS.isdisjoint(split(said)))
        cue = _CUE.search(lower, first, begin) if announced else None
        if cue or (suffix["private"] and "-" in lower[begin:at]):
            label = Span(cue.start() if cue else begin, begin)
            confidence = CUED if cue else PRIVATE
            yield Anchor(label, Span(begin, end), confidence, "prose:resource", False)
