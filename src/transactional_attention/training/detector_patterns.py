"""Patterns that the learned detector is trained and judged on: disjoint, and written out.

``⟦⟧`` is the value; the announcement ends right before it. The paper names seven of its nine
families of evaluation (its table of formats); prose and reminders are the two others here. None of
the paper's own patterns was published.
"""

from __future__ import annotations

VALUE = "⟦⟧"

TRAINING: tuple[str, ...] = tuple(
    line.replace("\\n", "\n").replace("\\t", "\t")
    for line in """\
api_key: ⟦⟧
api_key=⟦⟧
apiKey = "⟦⟧"
"token": "⟦⟧"
"password": "⟦⟧"
"user_id": "⟦⟧",
{"secret": "⟦⟧"}
{"id": "⟦⟧", "ok": true}
{"endpoint": "⟦⟧"}
"checksum" : "⟦⟧"
password: ⟦⟧
  host: ⟦⟧
  access_key: "⟦⟧"
- name: ⟦⟧
bucket: '⟦⟧'
SECRET_KEY=⟦⟧
export TOKEN=⟦⟧
DATABASE_URL="⟦⟧"
AWS_ACCESS_KEY_ID=⟦⟧
PORT=⟦⟧
username = ⟦⟧
password=⟦⟧
[database]\\nserver = ⟦⟧
log.path=⟦⟧
Authorization: Bearer ⟦⟧
X-Request-Id: ⟦⟧
Host: ⟦⟧
Set-Cookie: sid=⟦⟧
ETag: "⟦⟧"
get_user(id="⟦⟧")
login(token='⟦⟧')
send(to="⟦⟧")
fetch(url="⟦⟧")
{"name": "open", "arguments": {"path": "⟦⟧"}}
ValueError: bad key ⟦⟧
KeyError: '⟦⟧'
FileNotFoundError: ⟦⟧
connection refused: ⟦⟧
ERROR request ⟦⟧ failed
commit ⟦⟧
The password is ⟦⟧.
The code is: ⟦⟧
The access code is ⟦⟧
My phone number is ⟦⟧.
The server runs on port ⟦⟧.
The file is at ⟦⟧
Her email address is ⟦⟧.
The order number: ⟦⟧
Your confirmation number is ⟦⟧.
The meeting id is ⟦⟧, do not lose it.
Please remember ⟦⟧.
Remember this code: ⟦⟧
Note: the pin is ⟦⟧.
Do not forget the key ⟦⟧
Keep this token safe: ⟦⟧
Write this down: ⟦⟧
He told me the combination was ⟦⟧.
She said to use ⟦⟧.
Use ⟦⟧ to log in.
You can reach me at ⟦⟧.
| key | ⟦⟧ |
<token>⟦⟧</token>""".split("\n")
)

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
