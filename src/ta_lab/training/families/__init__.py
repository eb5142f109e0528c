"""Families of training documents: a name, and what makes its scenes. One line a family."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ..facts import labelled_scene, pairs_scene, plain_scene
from ..scene import Scene
from . import chat, formats, languages, prose, tools, woven

FAMILIES: dict[str, Callable[[random.Random, int, Sequence[str]], Scene]] = {
    "pairs": pairs_scene,
    "plain": plain_scene,
    "labelled": labelled_scene,
    "prose": prose.MAKERS["plain"],
    **{kind: make for kind, make in prose.MAKERS.items() if kind != "plain"},
    "formats": formats.scene,
    "tools": tools.scene,
    "languages": languages.scene,
    "chat": chat.scene,
    "woven": woven.scene,
}
