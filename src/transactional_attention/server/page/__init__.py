"""The page at ``/``: a chat box, and beside it what the cache of the session holds."""

import json

from ...config import Retention
from ...inspection.page import one_file


def page(model: str, default: Retention, *, key: bool) -> str:
    """The page as one file; ``key``: it must ask for the server's API key."""
    data = {"model": model, "budget": default.budget, "method": default.method, "key": key}
    return one_file(__package__, ("view.js",), json.dumps(data))
