"""Whether there is memory for what a turn will hold; asked before any of it is taken."""

from collections.abc import Iterable

from ..engines.prompts import Prompt, num_pinned
from ..engines.session import Engine, Session
from ..errors import InputError

Asked = tuple[Session, Prompt]


def check_room(engine: Engine, session: Session, prompt: Prompt, others: Iterable[Asked]) -> None:
    """Refuse a turn for whose tokens there is no memory beside what ``others``, which have begun,
    will still take. Nothing is refused where nobody knows how much is free. Raises InputError."""
    free = engine.free_bytes()
    if free is None or not (needed := session.needs(prompt)):
        return
    free = max(0, free - sum(other.needs(given) for other, given in others))
    if needed <= free:
        return
    retention = session.retention
    pinned, budget = num_pinned(retention, prompt.sources), max(retention.budgets(), default=None)
    held = f"all {len(prompt.ids)} tokens" if budget is None else f"K = {budget}"
    raise InputError(
        f"{pinned} pinned tokens and {held} take {needed / 1e6:,.1f} MB more of memory, and "
        f"{free / 1e6:,.1f} MB are free: shorten the system message, offer fewer tools, or serve "
        f"with --pin none, {engine.smaller}"
    )
