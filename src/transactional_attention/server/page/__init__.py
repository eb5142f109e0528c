"""The page at ``/``: a chat box, and beside it what the cache of the session holds."""

import base64
import hashlib
import json
import re

from ...config import Retention
from ...inspection.page import one_file
from ..answering import MAX_TOKENS

SCRIPTS = ("vendor/markdown-it.umd.min.js", "api.js", "messages.js", "cache.js", "view.js")


def page(model: str, default: Retention, *, key: bool) -> str:
    """The page as one file; ``key``: it must ask for the server's API key."""
    data = {
        "model": model,
        "budget": default.budget,
        "method": default.method,
        "memory": bool(default.memory),
        "pinned": bool(default.pinned),
        "limit": MAX_TOKENS,
        "key": key,
    }
    return one_file(__package__, SCRIPTS, json.dumps(data))


def policy(html: str = "") -> str:
    """The Content-Security-Policy of a page: its own scripts and styles, known by their digests,
    and this server to ask; nobody may frame it."""
    rules = ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"]
    for tag in ("script", "style"):
        for text in re.findall(rf"(?s)<{tag}>(.*?)</{tag}>", html):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            rules.append(f"{tag}-src 'sha256-{digest}'")
    return "; ".join([*rules, "frame-ancestors 'none'"])
