"""Files that are written whole or not at all."""

import contextlib
import os
import re
import secrets
from pathlib import Path

TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp")  # what a file is called until it is whole


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write a file in one step: a reader sees the old one or the whole new one, which is new in its
    owner and its ``mode``, too. Raises OSError; what was there is unchanged."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL  # a file that is there would keep its mode
        with os.fdopen(os.open(temporary, flags, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # an interrupt as well
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
