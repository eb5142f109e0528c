"""Patterns that the learned detector is trained and judged on: disjoint, and written out.

``⟦⟧`` is the value; the announcement ends right before it. Those to train on lie in
``announcements.txt``, by family; what is tuned is tuned on parts of them, never on the others. The
paper names seven of its nine families of evaluation (its table of formats); prose and reminders are
the two others here. None of the paper's own patterns was published.
"""

from __future__ import annotations

from pathlib import Path

VALUE = "⟦⟧"


def _training() -> tuple[str, ...]:
    text = Path(__file__).with_name("announcements.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("# "))
    return tuple(line.replace("\\n", "\n").replace("\\t", "\t") for line in lines)


TRAINING = _training()

EVALUATION: dict[str, tuple[str, ...]] = {
    "tool calls": (
        'create_ticket(customer="⟦⟧")',
        'book(flight="⟦⟧", seats=2)',
        '{"tool": "lookup", "args": {"tracking": "⟦⟧"}}',
        'transfer(account="⟦⟧", amount=20)',
        '<call name="read"><arg>⟦⟧</arg></call>',
        'open_file(filename="⟦⟧")',
    ),
    "http headers": (
        "X-Api-Token: ⟦⟧",
        "Cookie: session=⟦⟧",
        "Location: ⟦⟧",
        "X-Correlation-ID: ⟦⟧",
        "Authorization: Basic ⟦⟧",
        "If-None-Match: ⟦⟧",
    ),
    "stack traces": (
        "PermissionError: [Errno 13] Permission denied: '⟦⟧'",
        "RuntimeError: session ⟦⟧ expired",
        "ConnectionError: cannot reach ⟦⟧",
        "LookupError: no record with id ⟦⟧",
        "TimeoutError: job ⟦⟧ did not finish",
    ),
    "ini": (
        "[auth]\nclient_secret = ⟦⟧",
        "[mail]\nsmtp_user=⟦⟧",
        "license = ⟦⟧",
        "cache_dir = ⟦⟧",
        "[service]\nuuid = ⟦⟧",
    ),
    "json": (
        '{"device": "⟦⟧"}',
        '"sessionToken": "⟦⟧",',
        '{"order": {"number": "⟦⟧"}}',
        '"webhook_url": "⟦⟧"',
        '{"hash":"⟦⟧"}',
    ),
    "yaml": (
        "  clientId: ⟦⟧",
        "image_tag: ⟦⟧",
        "auth:\n  bearer: ⟦⟧",
        "- address: ⟦⟧",
        "serial: '⟦⟧'",
    ),
    "env": (
        "STRIPE_SECRET=⟦⟧",
        "export REDIS_PASSWORD='⟦⟧'",
        "JWT_KEY=⟦⟧",
        "SMTP_HOST=⟦⟧",
        'BUILD_ID="⟦⟧"',
    ),
    "prose": (
        "The gate opens with ⟦⟧.",
        "The reference for your claim is ⟦⟧.",
        "The wifi key on the ground floor is ⟦⟧.",
        "Our supplier number is ⟦⟧.",
        "The backup lies under ⟦⟧.",
        "Its serial number reads ⟦⟧.",
    ),
    "reminders": (
        "Remember this number: ⟦⟧",
        "Memorise ⟦⟧ for later.",
        "Please make a note of ⟦⟧.",
        "Keep in mind that the voucher is ⟦⟧.",
        "Don't lose this: ⟦⟧",
    ),
}
