"""How a language states a value and asks for it: labels, their grammar and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...data import texts


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a value: `name` as a subject, `acc` as an object, `kind` its agreement."""

    name: str
    acc: str
    kind: str = ""

    def marked(self, mark: str) -> Label:
        """The same label with a mark behind it (" (redis)")."""
        return Label(self.name + mark, self.acc + mark, self.kind)


@dataclass(frozen=True, slots=True)
class Phrases:
    """A language: what agrees with each kind of label, the labels, and sentences with slots.

    Slots: `{label}`, `{acc}`, `{value}` and the names in `forms`; a capital slot is capitalised.
    """

    forms: Mapping[str, Mapping[str, str]]
    labels: tuple[Label, ...]
    statements: tuple[str, ...]
    questions: tuple[str, ...]
    mark: str = " ({})"

    def slots(self, label: Label) -> dict[str, str]:
        """What stands in each slot of a sentence about `label`."""
        slots = {"label": label.name, "acc": label.acc, **self.forms.get(label.kind, {})}
        return slots | {_capital(name): _capital(text) for name, text in slots.items()}


def labels(entries: Sequence[str], kinds: bool) -> tuple[Label, ...]:
    """Labels of "m name", "f name>object"; without `kinds` of "name", "name>object"."""
    found = []
    for entry in entries:
        kind, _, rest = entry.partition(" ") if kinds else ("", "", entry)
        name, _, acc = rest.partition(">")
        found.append(Label(name, acc or name, kind))
    return tuple(found)


TEXTS = texts("training/phrases")
ENGLISH = TEXTS.english
"""The labels of every language stand in this order."""
LANGUAGES: dict[str, Phrases] = {
    code: Phrases(
        **{"forms": {}, **language, "labels": labels(language["labels"], "forms" in language)}
    )
    for code, language in TEXTS.languages.items()
}
