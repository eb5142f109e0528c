"""What people are called online, and where they talk: ``my Telegram is @quiet_marmot``,
``find me on GitHub as quiet-marmot``, ``post it in #ops-ledger-eu``.

A sign alone says nothing (code decorates, headings begin with it): a word for a service or a handle
stands before the name of a person, a word for a talk before that of a channel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..name_parts import name_parts
from ..text_words import places, words_of

HANDLE, CHANNEL, UNSIGNED = 0.72, 0.68, 0.62
_REACH = 56  # characters before a name that may announce it
_SERVICES = (
    "telegram github gitlab instagram insta mastodon twitter threads tiktok discord slack bluesky"
    " matrix linkedin skype snapchat twitch reddit steam keybase codeberg"
).split()
_HANDLES = r"handle|nickname|nick|username|account|pseudo|usuario|usuário|utente|konto|alias"
_FOREIGN = (
    "телеграме?|телега|ник|инста(?:грам)?е?|аккаунт"
    "|تيليجرام|حسابي|텔레그램|インスタ|テレグラム|电报"
)
_WORDS = r"(?:[ ,:(—–=-]{1,3}[^\W\d_@][^\s@.!?:;,]{0,15}){0,3}"
_PERSON = re.compile(
    rf"(?<![\w@/.])(?:{'|'.join(_SERVICES)}|{_HANDLES}|{_FOREIGN}){_WORDS}[ :(—–=-]{{1,3}}\Z",
    re.IGNORECASE,
)
_AT = re.compile(
    r"@[A-Za-z][A-Za-z0-9_]{0,38}+(?:[.\-][A-Za-z0-9_]{1,38}+){0,6}+(?![\w@/(\-]|\.\w)"
)
_HASH = re.compile(r"#[a-z][a-z0-9]{0,38}+(?:[_\-][a-z0-9]{1,38}+){1,6}+(?![\w/#=(\-]|\.\w)")
_TALK = re.compile(
    r"\b(?:(?:channels?|slack|discord|irc|canal|kanal|canale|канал[еа]?)(?: (?:is|called|named|ist"
    r"|est|es|è|é))?:?|(?:post|ask|write|announce|discuss|shout|report|ping|talk|reply|drop|say|meet"
    r"|share|put|escribe|pregunta|frag|schreib|demande|écris|scrivi|chiedi|escreve|pergunta)\b"
    r"[^\n.;:#!?]{0,32} (?:in|to|on|at|en|dans|sur|su|em|no)"
    r"|(?:join|mute|leave))(?: the)? [`*(]?\Z",
    re.IGNORECASE,
)
# Where a channel is meant whatever is done there: behind a preposition, a key, the bar of a cell.
_PLACED = re.compile(
    r"(?:(?:\b(?:in|to|on|into|via|join|from|with)(?: the| our)?(?: [`*\"']|[ ])"
    r"|(?:channel|slack|notify|notification|room|irc|alert|chat|escalation|discord|contact|support"
    r"|kanal|canal|canale|mattermost|escalate|announcement)(?:s|_to|_channel| to| channel)?)"
    r"[\"'`*]{0,2} ?[:=|]?[ ]?[\"'`*]{0,2}|\|[ ]{0,24}[`*]?)\Z",
    re.IGNORECASE,
)
# What pages call their parts, which stand behind the same sign.
_PAGE_PARTS = frozenset(
    "main nav header footer menu btn button page content sidebar app root container form modal tab"
    " tabs section site top bottom left right list item link wrapper table row col input text title"
    " search toc id my div box panel body image img logo icon back skip go intro usage install"
    " installation getting quick how what why step example examples api faq see note".split()
)
_AS = re.compile(
    r" ?(?:(?:user(?:name)?|handle|account|name|nick(?:name)?|id) )?"
    r"(?:as|is|under|ist|als|est|es|como|è|come|é|:) [\"'`“]?"
    r"(?P<value>[a-zA-Z][A-Za-z0-9]{1,30}+(?:[-_.][A-Za-z0-9]{1,30}+){1,4}+)"
    r"(?=[\"'`”]?[.,;!?)]?(?:\s|\Z))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d")
# Whose name it is: of a service itself much is said.
_OF_ONE = re.compile(
    r"\b(?:me|us|him|her|them|my|our|his|mi|mein|mon|meu|mio)(?: on| at| in)? \Z", re.I
)


def handles(text: str) -> Iterator[Anchor]:
    """Handles of people and names of channels."""
    for sign, form, cue, confidence in (("@", _AT, _PERSON, HANDLE), ("#", _HASH, _TALK, CHANNEL)):
        for place in places(text, sign):
            match = form.match(text, place)
            if match is None or match.end() - place < 4 or not _stands_apart(text, place):
                continue
            said = cue.search(text, max(0, place - _REACH), place)
            if said is None and sign == "#" and _is_channel(text, *match.span()):
                said = _PLACED.search(text, max(0, place - _REACH), place)
            if said:
                value = Span(place, match.end())
                label = Span(said.start(), place)
                yield Anchor(label, value, confidence, "prose:resource", False)
    yield from _unsigned(text)


def _stands_apart(text: str, place: int) -> bool:
    """Whether a sign begins a word of a line, not the line."""
    return text[place - 1 : place] in " (`*|\"'" and place > 0


def _is_channel(text: str, begin: int, end: int) -> bool:
    """Whether no part of a name is one that pages have, or that joins words of a heading."""
    parts = name_parts(text[begin + 1 : end])
    return bool(parts) and _PAGE_PARTS.isdisjoint(parts) and max(map(len, parts)) > 3


def _unsigned(text: str) -> Iterator[Anchor]:
    """Handles behind a service, without their sign."""
    present = words_of(text)
    for service in _SERVICES:
        if service.encode() not in present:
            continue
        for written in (service, service.capitalize(), "GitHub" if service == "github" else ""):
            for place in places(text, written) if written else ():
                named = _AS.match(text, place + len(written))
                if named is None or text[place - 1 : place].isalnum():
                    continue
                parts = name_parts(named["value"])
                if not parts or max(map(len, parts)) < 3:
                    continue
                odd = "_" in named["value"] or _NUMBERED.search(named["value"])
                if not odd and not _OF_ONE.search(text, max(0, place - _REACH), place):
                    continue
                value = Span(*named.span("value"))
                yield Anchor(Span(place, value.start), value, UNSIGNED, "prose:resource", False)
