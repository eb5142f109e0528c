"""Whose a session, a response or a call is: names of one tenant are unknown to every other.

A tenant is the label of an API key. In memory and on the disk a name is known as ``LABEL/NAME``;
tenants without a label, of a server with one key or none, have their names as they are.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

LABEL = r"[A-Za-z0-9_.-]{1,64}"
Id = Annotated[str, Field(pattern=rf"^({LABEL}/)?{LABEL}$")]  # of a session, whoever has it


@dataclass(frozen=True)
class Tenant:
    """Who asks, by the ``label`` of the key."""

    label: str = ""

    def id(self, name: str) -> str:
        """What is known to this tenant by a name, which may be any text."""
        return f"{self.label}/{name}" if self.label or "/" in name else name

    def owns(self, id_: str) -> bool:
        """Whether a session is this tenant's."""
        return id_.rpartition("/")[0] == self.label


ALONE = Tenant()


def owner_of(id_: str) -> str:
    """The label of the tenant who has a session."""
    return id_.rpartition("/")[0]


def name_of(id_: str) -> str:
    """A session's name, as its tenant knows it."""
    return id_.rpartition("/")[2]
