"""Names under labels that promise nothing: ``index_name: harvest-orchid-59``,
``--job run-teal-17``.

A plain word, or two, may be a mode or a kind. A name has a number in one of its parts, and a word
of a language beside it that names no technique; names of three words need the label of a thing.
"""

from __future__ import annotations

import re

from ...types import Anchor, Span
from ..joining import is_common
from ..name_parts import name_parts

NAME = 0.7
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+(?:[-_][A-Za-z0-9]++){1,6}")
_DIGIT = re.compile(r"\d")
_MIXED = re.compile(r"[A-Za-z]+\d+[A-Za-z]?|\d{2,}[A-Za-z]?|\d[A-Za-z]\w*")
_WORD = re.compile(r"[A-Za-z]{4,}")
_KNOWN = frozenset(
    "utf latin ascii ansi unicode iso rfc sha hmac aes rsa ecdsa curve secp gcm cbc ctr hash blake"
    " base crc tls ssl http https oauth oidc saml ipv python cpython pypy node nodejs java openjdk"
    " ruby perl rust swift kotlin golang clang ubuntu debian alpine centos fedora rocky rhel suse"
    " macos darwin windows linux android bookworm bullseye slim jammy focal noble buster xenial"
    " latest stable preview beta alpha snapshot release version resnet vgg bert roberta llama"
    " mistral mixtral gpt claude gemini qwen turbo instruct chat whisper adam cuda rocm float int"
    " uint double bits byte bytes arm amd x intel level step line item part page section chapter"
    " column row cols rows grid test tests example sample dummy demo phase stage option choice"
    " layer block conv dense heading title text font size width height width max min minutes"
    " seconds hours days weeks months years last next first second third half every west east"
    " north south central region zone generic standard basic premium small medium large xlarge"
    " micro nano tier edition draft schema draft json yaml xml html http2 mpeg video audio image"
    " application type mode web mercator epsg compat legacy strict default none true false only"
    " stateless fixed point factor auth signature encoding encoded protocol".split()
)
# Things that people give names to, at the end of a label.
_THING = re.compile(
    r"(?i)(?:.*[^A-Za-z]|.*[a-z](?=[A-Z]))?(?:pool|dataset|snapshot|volume|workspace|warehouse|runner"
    r"|worker|job|index|index[_\-. ]?name|consumer[_\-. ]?group|group[_\-. ]?id|replica[_\-. ]?set"
    r"|stack|vault|store|experiment|template|dashboard|playbook)(?:[_\-. ]?name)?"
)
# Things of which one is chosen by its name: two words are enough that no mode is made of.
_CHOSEN = re.compile(
    r"(?i)(?:.*[^A-Za-z]|.*[a-z](?=[A-Z]))?(?:name|class|channel|profile|theme|strategy|tier|plan|queue"
    r"|topic|environment|env|stage|flavou?r|variant|preset|namespace|slot|lane|ring|cluster|codename"
    r"|alias|bucket|tenant|group|target)"
)
_MODES = frozenset(
    "read write only case sensitive insensitive free time real multi single cross open source "
    "high low user auto full half self post rolling update round robin least conn recent used "
    "keep alive cache control content type length encoding server client side data access flex "
    "start end center space between around inline block table cell sans serif pull push request "
    "merge commit branch main master feature develop development production staging release "
    "dead letter event stream message task worker service controller manager handler router "
    "proxy gateway cloud native local remote public private internal external global shared "
    "common core plugin module component button input form item list menu header footer sidebar "
    "content container wrapper primary secondary success danger warning info light dark hidden "
    "visible active disabled selected checked file name path root home work config settings "
    "option value field label blue green canary created updated deleted unless stopped always "
    "failure docker image build deploy setup hello world sample foo bar baz john smith jane "
    "user admin guest owner system node react angular next nuxt django flask rails spring boot "
    "maven gradle webpack vite eslint prettier babel typescript javascript kube kubernetes "
    "nginx apache redis postgres mysql mongo elastic search kafka rabbit prometheus grafana "
    "cert".split()
)
_LISTS = re.compile(
    r"(?i).*(?:dependenc(?:y|ie)|dist|package|require|extend|plugin|keyword|extra|module|import|lint|rule|librar(?:y|ie)"
    r"|feature|algorithm|cipher|model|arch|platform|version|locale|font|style|class|region|zone)s?"
)
_ENDS = re.compile(r"(?:\\?[\"'`])?[ \t]*(?:[,;|})\]&]|\r?\n|\Z| )")
_LINE_ENDS = re.compile(r"[ \t]*\r?(?:\n|\Z)")


def is_numbered(value: str) -> bool:
    """Whether a value is a name of several parts with a number in one of them."""
    if "-" not in value and "_" not in value:
        return False
    if not _DIGIT.search(value) or not _NAME.fullmatch(value):
        return False
    parts = name_parts(value)
    words = [part.lower() for part in parts if _WORD.fullmatch(part)]
    if not any(word not in _KNOWN for word in words):
        return False
    if len(parts) > 2:
        return True
    other = next((part for part in parts if _DIGIT.search(part)), "")
    return words[0] not in _KNOWN and _MIXED.fullmatch(other) is not None


def is_named(value: str, label: str) -> bool:
    """Whether a value under an ordinary label is a name."""
    joints = value.count("-") + value.count("_")
    if not joints:
        return False
    if is_numbered(value):
        return _LISTS.fullmatch(label) is None
    if not _NAME.fullmatch(value):
        return False
    parts = name_parts(value)
    if joints == 1:
        return _CHOSEN.fullmatch(label) is not None and all(map(_is_rare, parts)) and bool(parts)
    if not _THING.fullmatch(label):
        return False
    return len(parts) > 2 and max(map(len, parts)) > 3


def _is_rare(part: str) -> bool:
    """Whether a word is in the name of no mode or technique."""
    word = part.lower()
    return _WORD.fullmatch(part) is not None and not (
        word in _KNOWN or word in _MODES or is_common(word)
    )


def name_of(
    text: str, label: tuple[int, int], value: tuple[int, int], sign: str, role: float
) -> Anchor | None:
    """The anchor of a name; ``sign``: what stands between label and value. Code and attributes
    have names of their own, which underscores join, behind a sign of equality."""
    start, stop = value
    words = text[start:stop]
    if not is_named(words, text[slice(*label)]) or not _ENDS.match(text, stop):
        return None
    quoted = text[start - 1 : start] in "\"'`"
    named = text[slice(*label)]
    coded = "=" in sign and "." not in named and "-" not in named  # as settings in files are not
    if "-" not in words and (coded or not (quoted or _LINE_ENDS.match(text, stop))):
        return None
    return Anchor(
        Span(label[0], label[1]), Span(start, stop), NAME * role, "structure:name", quoted
    )
