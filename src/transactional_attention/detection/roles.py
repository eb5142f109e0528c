"""What an identifier that labels a value promises: ``dbPassword``, ``X-Request-Id``, ``door code``.

The last words of an identifier decide, as in ``labels``, whose table is read; the identifier is
split at joints and at changes of case. Unknown identifiers promise something, dull ones nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .labels import DISTANCE, STRENGTHS
from .tongues import ENDINGS, NAMING, SECRETS

UNKNOWN, DULL = 0.73, 0.3
NAMED = 0.9  # of a word that names values in another language
OF_LEAST = 0.9  # strength of the words before a preposition from which they decide

_DULL = frozenset(
    "description desc comment comments note notes type kind class style color colour lang language"
    " format encoding charset content text body message msg title summary level severity logger"
    " module method function func import from return returns default true false if else while for"
    " author authors copyright category group section enabled disabled debug verbose"
    " replicas retries width height weight padding margin example examples usage error warning"
    " info apiversion protocol scheme role required optional help print def raise accept year age"
    " server-time connection content-type content-length user-agent accept-encoding cache-control"
    " page pages alg typ iat exp status duration elapsed took ms bytes see todo fixme q a max min"
    " unit units currency gender sort order-by limit offset step epoch loss lr seed-count"
    " ts utm-source utm-medium utm-campaign utm-content utm-term"
    " call-id tool-call-id tool-use-id function-call-id".replace("-", "").split()
)
_SECRET = re.compile(r"passw|passwd|secret|token|passphrase|credential|apikey|pwd|pass$")
_EXTRA = {
    1.0: "pass pw psk hmac webhookurl cred creds access licence-key license-key bic swift pass-code"
    " door safe vault locker alarm sig signature-key recovery backup-code wpa wifi"
    " seed-phrase recovery-phrase mnemonic safe-word code-word motdepasse parolă heslo hasło"
    " palavrapasse كلمةالمرور كلمةالسر claveapi cléapi cleapi chiaveapi chaveapi ключapi"
    " apianahtarı apischlüssel токен jeton 令牌 トークン 토큰 टोकन",
    0.9: "machine tracking trace span request correlation transaction txn hostname dbname uid gid"
    " account customer client tenant session device serial sn imei nonce lot batch plate vin"
    " version sku part release digest image tag remote origin bucket key-id keyid registry"
    " dir root home base cwd output input dest src sock socket dsn conn broker upstream"
    " backend listen bind subnet gateway vpc cidr dns ns wallet ref iban amount price cost fee"
    " deposit rent salary due deadline"
    " expires expiry eta license licence paid sum owner contact tel cell row whatsapp extension"
    " ext ssid holder shelf pguser pghost pgdatabase hôte hote anfitrión datenbank basededatos"
    " basedatos basededonnées basededonnees bancodedados veritabanı veritabani kullanici"
    " kullanıcıadı kullaniciadi anahtari база базаданных хост 用户 数据库 ユーザー データベース"
    " 主机 ホスト ホスト名 호스트 데이터베이스 المضيف قاعدةالبيانات होस्ट डेटाबेस",
    0.75: "consumer-group node-group replica-set group-id",
}
_LETTER = r"(?:[^\W\d_A-Z]|[\u0900-\u0dff\u064b-\u0652])"
_WORDS = re.compile(rf"[A-Z]+(?!{_LETTER})|[A-Z]?{_LETTER}+|\d+")

# What a label speaks of stands before the preposition: combination of the bike lock.
_OF = re.compile(
    r"[ ](?:of|for|to|on|at|in|from|de|du|des|do|da|del|della|von|für|para|per|pour)[ ]"
)
_NUMBERED = re.compile(r" \d+\.\d")  # in version 3.11


def _table() -> dict[str, float]:
    table: dict[str, float] = {}
    for source in ({s: (words,) for s, words in _EXTRA.items()}, STRENGTHS):
        for strength, lines in source.items():
            for word in " ".join(lines).split():
                table.setdefault(word.replace("-", ""), strength)
    for word in SECRETS:
        table.setdefault(word, 1.0)
    for word in NAMING:
        if len(word) > 3 or not word.isascii():
            table.setdefault(word, NAMED)
    return table


_STRENGTH = _table()


@lru_cache(maxsize=4096)
def label_role(identifier: str) -> float:
    """Strength in [0, 1] of a label, given as it is written, at most a few words."""
    if _NUMBERED.search(identifier):
        return DULL
    head = _OF.search(identifier)
    if head and head.start():
        named = label_role(identifier[: head.start()])
        return max(named * DISTANCE if named >= OF_LEAST else 0.0, _role(identifier))
    return _role(identifier)


def _role(identifier: str) -> float:
    """Strength of a label by its last words."""
    words = [word.lower() for word in _WORDS.findall(identifier)]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    joined = "".join(words)
    if not joined or joined in _DULL or (len(words) == 1 and len(joined) == 1):
        return DULL
    for back in range(min(len(words), 4)):
        end = len(words) - back
        for size in (3, 2, 1):
            strength = _STRENGTH.get("".join(words[max(0, end - size) : end]))
            if strength is not None and size <= end:
                return strength * DISTANCE**back
        if not back and words[-1] in _DULL:
            return DULL
    if words[-1].endswith(ENDINGS):
        return NAMED
    return 1.0 if _SECRET.search(joined) else UNKNOWN
