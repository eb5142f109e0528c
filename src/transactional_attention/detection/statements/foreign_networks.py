"""Names of networks, servers and databases in other languages than English: ``الشبكة اسمها
Nakheel_Guest``, ``无线网叫“云上小院_5G”``, ``Wi-Fi 名は Sakura_Cafe``, ``das WLAN heißt „Laube“``.

A word for the thing and one for its name, in the order of the language. Between quotes the name is
what they hold; else it is ASCII, with a joint, a number or a capital inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

NAMED = 0.72
_KINDS = (
    "الشبكة|شبكة|واي فاي|قاعدة البيانات|الخادم|السيرفر|无线网|無線網|网络|wi-fi|wifi|热点|数据库"
    "|服务器|ネットワーク|無線lan|データベース|サーバー|와이파이|네트워크|데이터베이스|서버|नेटवर्क"
    "|वाई-फ़ाई|वाई-फाई|वाईफ़ाई|वाईफाई|डेटाबेस|सर्वर|ağın|ağının|ağımızın|sunucunun|veritabanının"
    "|réseau|base de données|red|rete|rede|netz|netzwerk|gastnetz|wlan|сеть|вайфай"
).split("|")
_NAMES = (
    "اسم الشبكة|اسم شبكة الواي فاي|اسم قاعدة البيانات|имя сети|название сети|имя базы"
    "|nombre de la red|nombre del wifi|nom du réseau|nom du wifi|nome della rete|nome da rede"
    "|netzwerkname|wlan-name|网络名|网络名称|wifi名|wifi名称|wi-fi名|无线名称|数据库名|ネットワーク名"
    "|データベース名|サーバー名|wi-fi adı|wifi adı|ağ adı|ağ adımız|sunucu adı|veritabanı adı"
).split("|")
_BETWEEN = r"[^人\n.!?。！？،؛;,，、\"'“”„«»‘’「」『』]{0,24}?"
_CALLING = (
    r"(?:اسمها|اسمه|باسم|名叫|叫做|叫|名称是|名字是|名为|名字叫|名前は|名は|という名前|이름은|이름이"
    r"|का नाम(?: है)?|adı|ismi|heißt|s['’]appelle|se llama|si chiama|chama-se|se chama"
    r"|называется)"
)
_SIGN = (
    r"(?:(?:称|字)?(?:是|为|叫|は)|은|는| (?:es|est|ist|è|é|هو|هي|है))?"
    r"[ \u00a0]?(?:[:：—–-] ?)?"
)
_QUOTED = r"[^\n\"'“”„«»‘’「」『』,.;:!?。，、]{2,32}?(?=[ \u00a0]?[\"'”“»’」』])"
_BARE = (
    r"(?=[A-Za-z\d_-]{0,31}?(?:[_\d]|[a-z][A-Z]|[A-Za-z]-[A-Za-z\d]))"
    r"[A-Za-z][A-Za-z\d]{0,31}+(?:[-_.][A-Za-z\d]{1,32}+){0,6}+"
    r"(?=[,.;:!?)]{0,2}(?:\s|\Z)|[^\x00-\x7f])"
)
_VALUE = (
    r"(?P<quote>[\"'“„«‘「『][ \u00a0]?)?"
    rf"(?P<value>(?(quote){_QUOTED}|{_BARE}))"
)
_IS_NAMED = re.compile(_BETWEEN + _CALLING + _SIGN + _VALUE)
_SAID = re.compile(_SIGN + _VALUE)
# Of a wireless network no word for its name is needed where a joint shows one.
_WIRELESS = "واي فاي|الواي فاي|wi-fi|wifi|无线网|와이파이|वाई-फ़ाई|वाई-फाई|वाईफाई|kablosuz ağ".split(
    "|"
)
_JOINED = re.compile(
    r"(?:[ \u0600-\u0652]{0,16} |は、?|는 ?|은 ?|是|[:：] ?| )"
    r"(?P<value>[A-Za-z][A-Za-z\d]{1,31}+(?:[-_][A-Za-z\d]{1,32}+){1,6}+)"
    r"(?=[,.;:!?)]{0,2}(?:\s|\Z)|[^\x00-\x7f])"
)
_BOOK = Book(
    [
        *(phrase(said, _IS_NAMED) for said in _KINDS),
        *(phrase(said, _SAID) for said in _NAMES),
        *(phrase(said, _JOINED) for said in _WIRELESS),
    ]
)


def foreign_networks(text: str) -> Iterator[Anchor]:
    """Names that a sentence of another language gives to a network, a server or a database."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match and (pattern is not _JOINED or not text.isascii()):
            quoted = match.groupdict().get("quote") is not None
            yield announced(begin, match, NAMED, "prose:resource", delimited=quoted)
