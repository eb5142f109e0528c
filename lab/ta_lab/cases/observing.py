"""What a prefill has to read, so that methods can be compared on copies of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from transactional_attention.config import Retention
from transactional_attention.methods.observation import NOTHING, Observation
from transactional_attention.methods.registry import get_method


def observed_by(retentions: Iterable[Retention]) -> Observation:
    """What one prefill has to collect so that it can be cut for each of the retentions."""
    wanted = (get_method(item.method).scorer(item).observes for item in retentions)
    return reduce(or_, wanted, NOTHING)
