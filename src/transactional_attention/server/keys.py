"""API keys, of which each has a tenant; what is kept of a key is its digest."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import InputError
from .tenants import ALONE, LABEL, Tenant


class ApiKeys:
    """Keys and whose they are. Several keys of one label are one tenant's, so that a key can be
    exchanged for another."""

    def __init__(self, known: Iterable[tuple[Tenant, str]]) -> None:
        self._known = [(_digest(key.encode()), tenant) for tenant, key in known]

    @classmethod
    def of(cls, key: str) -> "ApiKeys":
        """One key, of a tenant without a label."""
        return cls([(ALONE, key)])

    @classmethod
    def read(cls, path: Path) -> "ApiKeys":
        """A file with one key alone, or with a line ``LABEL KEY`` for each; empty lines and those
        that begin with # are none. Raises InputError for any other, quoting nothing of it."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", "no UTF-8")
            raise InputError(f"cannot read {path}: {why}") from None
        numbered = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1)]
        lines = [(number, words) for number, words in numbered if words and words[0][0] != "#"]
        if not lines:
            raise InputError(f"{path} holds no key")
        if len(lines) == 1 and len(lines[0][1]) == 1:
            return cls.of(lines[0][1][0])
        known: dict[str, Tenant] = {}
        for number, words in lines:
            where = f"{path}, line {number}"
            if len(words) != 2 or re.fullmatch(LABEL, words[0]) is None:
                raise InputError(
                    f"{where}: write LABEL KEY, a space between them; a label has up to 64 of "
                    "A-Z a-z 0-9 _ . -"
                )
            if words[1] in known:
                raise InputError(f"{where}: this key stands above: every key has one line")
            known[words[1]] = Tenant(words[0])
        return cls((tenant, key) for key, tenant in known.items())

    def tenant(self, *given: bytes) -> Tenant | None:
        """Whose the key is that was given, None for no key of these. Its time tells nothing of
        them."""
        owner = None
        for key_digest in map(_digest, given):
            for digest, tenant in self._known:
                if hmac.compare_digest(key_digest, digest):
                    owner = tenant
        return owner


def is_open(path: Path) -> bool:
    """Whether others than its owner may read a file."""
    return bool(path.stat().st_mode & 0o007)


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()
