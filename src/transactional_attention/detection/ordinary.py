"""Words of techniques and of modes, which make no name of somebody's own."""

from __future__ import annotations

KNOWN = frozenset(
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
    " micro nano tier edition draft schema json yaml xml html http2 mpeg video audio image"
    " application type mode web mercator epsg compat legacy strict default none true false only"
    " stateless fixed point factor auth signature encoding encoded protocol".split()
)
"""Words of techniques, of parts of documents and of time."""
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
    "cert hosted managed limits connections".split()
)


def is_ordinary(word: str) -> bool:
    """Whether a word in lower case is of a technique, a mode or a part of a program."""
    return word in KNOWN or word in _MODES
