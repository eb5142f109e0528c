"""Blocks in which the same fields stand under several owners: environments, people, services.

A pattern: sources, name styles, opening, opening of an owner, field, joint, closing of an owner,
joint of owners, closing. ``{s}`` is the owner, ``{names}`` all names with the joint between.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from .format_blocks import Pattern, breakable, put_field, rows
from .format_keys import Field, fill

SECTIONS: tuple[Pattern, ...] = rows(
    "YAML|config¦snake camel kebab¦¦{s}:\n¦  {n}: {v}¦\n¦¦\n¦",
    "YAML|config¦snake camel kebab¦~w~:\n¦  {s}:\n¦    {n}: {q}¦\n¦¦\n¦",
    "YAML|list¦snake camel kebab¦~w~:\n¦  - name: {s}\n¦    {n}: {v}¦\n¦¦\n¦",
    "INI file|config¦snake camel kebab¦¦[{s}]\n¦{n} = {v}¦\n¦¦\n\n¦",
    "credentials file|profiles¦snake¦¦[profile {s}]\n¦{n}={v}¦\n¦¦\n¦",
    "TOML|config¦snake kebab¦¦[~w~.{s}]\n¦{n} = {q}¦\n¦¦\n\n¦",
    'JSON|config¦snake camel kebab¦{¦"{s}": {¦"{n}": {q}¦, ¦}¦, ¦}',
    'JSON|config¦snake camel kebab¦{\n¦  "{s}": {\n¦    "{n}": {q}¦,\n¦\n  }¦,\n¦\n}',
    'JSON|list|JSON array¦snake camel kebab¦[¦{"name": "{s}", ¦"{n}": {q}¦, ¦}¦, ¦]',
    'JSON lines|log¦snake camel kebab¦¦{"service":"{s}",¦"{n}":{q}¦,¦}¦\n¦',
    'XML¦snake camel kebab¦<~w~>\n¦<env name="{s}">\n¦  <{n}>{v}</{n}>¦\n¦\n</env>¦\n¦',
    'XML¦snake camel kebab¦<~w~>\n¦  <entry id="{s}" ¦{n}="{v}"¦ ¦/>¦\n¦\n</~w~>',
    "CSV|CSV file¦snake words¦name,{names}\n¦{s},¦{v}¦,¦¦\n¦",
    "CSV|export¦snake¦~w~;{names}\n¦{s};¦{v}¦;¦¦\n¦",
    "table¦words title¦| Name | {names} |\n|---|---|\n¦| {s} | ¦{v}¦ | ¦ |¦\n¦",
    "table¦snake¦| ~w~ | {names} |\n|---|---|\n¦| `{s}` | ¦{v}¦ | ¦ |¦\n¦",
    "SQL|INSERT statement¦snake¦INSERT INTO ~w~ (name, {names}) VALUES\n¦  ('{s}', ¦'{v}'¦, ¦)¦,\n¦"
    ";",
    'Python code|dict¦snake¦~w~ = {\n¦    "{s}": {¦"{n}": {q}¦, ¦},¦\n¦\n}',
    "JavaScript code|object¦camel¦const ~w~ = {\n¦  {s}: { ¦{n}: {q}¦, ¦ },¦\n¦\n};",
    "Ruby code|YAML¦snake¦¦{s}: &{s}\n¦  {n}: {q}¦\n¦¦\n¦",
    'Terraform file|Terraform¦snake¦¦resource "~w~" "{s}" {\n¦  {n} = {q}¦\n¦\n}¦\n¦',
    "notes|document¦words title¦¦### {s}\n¦- {n}: {v}¦\n¦¦\n¦",
    "notes|list¦words¦¦{s}: ¦{n} {v}¦, ¦¦\n¦",
    "log|log lines¦snake¦¦~ts~ ~lv~ [{s}] ¦{n}={v}¦ ¦¦\n¦",
    "log|log lines¦snake¦¦~t~ {s}[~p~]: ~w~ ¦{n}={v}¦ ¦¦\n¦",
    "inventory|hosts file¦snake¦[~w~]\n¦{s} ¦{n}={v}¦ ¦¦\n¦",
    "compose file|YAML¦env¦services:\n¦  {s}:\n    environment:\n¦      {n}: {v}¦\n¦¦\n¦",
    "manifests|YAML¦kebab env¦¦kind: Secret\nmetadata:\n  name: {s}\ndata:\n¦"
    "  {n}: {v}¦\n¦¦\n---\n¦",
    "properties file|properties¦dotted camel¦¦# {s}\n¦{s}.{n}={v}¦\n¦¦\n¦",
    "SSH config|config¦pascal¦¦Host {s}\n¦  {n} {v}¦\n¦¦\n¦",
    "env file|environment¦env¦¦# {s}\n¦{S}_{n}={v}¦\n¦¦\n¦",
)


def section_block(
    rng: random.Random,
    pattern: Pattern,
    sections: Sequence[tuple[str, Sequence[Field]]],
    words: Sequence[str],
) -> str:
    """The text of (owner, fields) pairs; all owners have the same names in the same order."""
    _, _, opening, begin, each, joint, end, between, closing = pattern
    names = joint.join(field.name for field in sections[0][1])
    blocks = []
    for owner, fields in sections:
        owned = [part.replace("{s}", owner).replace("{S}", owner.upper()) for part in (begin, each)]
        body = joint.join(put_field(fill(rng, owned[1], words), field) for field in fields)
        blocks.append(fill(rng, owned[0], words) + body + end)
    first = fill(rng, opening, words).replace("{names}", names)
    return first + breakable(between).join(blocks) + fill(rng, closing, words)
