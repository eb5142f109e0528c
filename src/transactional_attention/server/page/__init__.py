"""The page at ``/``: a chat box, and beside it what the cache of the session holds."""

import json
from importlib.resources import files

from ...config import Retention


def page(model: str, default: Retention, *, key: bool) -> str:
    """The page as one file; ``key``: it must ask for the server's API key."""
    data = {"model": model, "budget": default.budget, "method": default.method, "key": key}
    parts = {
        "/*STYLE*/": _file("style.css"),
        "/*SCRIPT*/": _file("view.js"),
        "/*DATA*/": json.dumps(data).replace("<", "\\u003c"),
    }
    text = _file("page.html")
    for mark, content in parts.items():
        text = text.replace(mark, content, 1)
    return text


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
