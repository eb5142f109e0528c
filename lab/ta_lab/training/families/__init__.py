"""Families of training documents: a name, and what makes its scenes. One line a family."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

from ..facts import labelled_scene, pairs_scene
from ..scene import Scene
from . import chat, drafts, formats, languages, prose, tools, woven

FAMILIES: dict[str, Callable[[random.Random, int, Sequence[str]], Scene]] = {
    "pairs": pairs_scene,
    "plain": partial(labelled_scene, plain=True),
    "labelled": labelled_scene,
    "prose": partial(prose.scene, make=drafts.plain),
    "confusers": partial(prose.scene, make=drafts.confusers),
    "corrections": partial(prose.scene, make=drafts.corrections),
    "unstructured": partial(prose.scene, make=drafts.unstructured),
    "multi": partial(prose.scene, make=drafts.multi),
    "formats": formats.scene,
    "tools": tools.scene,
    "languages": languages.scene,
    "chat": chat.scene,
    "woven": woven.scene,
}
