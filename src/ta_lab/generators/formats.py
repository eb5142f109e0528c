"""The paper's seven formats (Table 10): a value inside a block of machine-made text."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..cases.cases import Case
from .placing import Asked, Setting, Statement, fill_in, make_cases
from .questions import ask
from .values import SHORT, fresh


class Block(NamedTuple):
    """A paragraph with one ``{value}`` of a kind, and the words that a question uses for it."""

    kind: str
    label: str
    text: str


FORMATS: dict[str, tuple[Block, ...]] = {
    "tool-calls": (
        Block(
            "mixed",
            "api_key",
            '{"type": "function", "function": {"name": "open_ticket", "arguments": '
            '{"queue": "billing", "api_key": "{value}", "urgent": false}}}',
        ),
        Block(
            "code",
            "access_code",
            '<tool_call>\n{"name": "unlock_bay", "arguments": {"bay": 14, "access_code": '
            '"{value}"}}\n</tool_call>',
        ),
        Block(
            "hex",
            "session",
            'resume_upload(part=7, session="{value}", retries=2)',
        ),
    ),
    "http-headers": (
        Block(
            "long",
            "Authorization bearer token",
            "POST /v3/invoices/export HTTP/1.1\nHost: ledger.example.net\nAccept: text/csv\n"
            "Authorization: Bearer {value}\nContent-Length: 318",
        ),
        Block(
            "mixed",
            "X-Api-Key header",
            "GET /status/shards HTTP/2\nUser-Agent: probe/4.1\nX-Api-Key: {value}\n"
            "Cache-Control: no-store",
        ),
        Block(
            "hex",
            "sid cookie",
            "HTTP/1.1 303 See Other\nServer: edge-gw\nSet-Cookie: sid={value}; Path=/; HttpOnly\n"
            "Location: /desk",
        ),
    ),
    "stack-traces": (
        Block(
            "code",
            "rejected token",
            "Traceback (most recent call last):\n"
            '  File "/srv/courier/dispatch.py", line 218, in hand_over\n'
            "    gate.admit(parcel, token)\n"
            "courier.errors.GateRefused: token '{value}' was rejected by gate 3",
        ),
        Block(
            "uuid",
            "requestId",
            'Exception in thread "worker-9" org.example.sync.StaleLease: requestId={value}\n'
            "\tat org.example.sync.Lease.renew(Lease.java:87)\n"
            "\tat org.example.sync.Keeper.run(Keeper.java:143)",
        ),
        Block(
            "serial",
            "unit",
            "panic: lost heartbeat of unit {value} after 3 probes\n\n"
            "goroutine 41 [running]:\nmain.watch(0xc0001a2000)\n"
            "\t/build/watch.go:66 +0x1f4",
        ),
    ),
    "ini": (
        Block(
            "mixed",
            "relay_password",
            "[outbound]\nrelay_host = mx4.example.org\nrelay_port = 587\n"
            "relay_password = {value}\nstarttls = yes",
        ),
        Block(
            "hex",
            "signing_salt",
            "[cookies]\n; rotated each quarter\nlifetime=5400\nsigning_salt={value}\nsamesite=lax",
        ),
        Block(
            "url",
            "mirror_url",
            "[channel:nightly]\nenabled = 1\nmirror_url = {value}\npriority = 30",
        ),
    ),
    "json": (
        Block(
            "mixed",
            "clientSecret",
            '{\n  "tenant": "greenhouse",\n  "scopes": ["read", "plan"],\n'
            '  "clientSecret": "{value}",\n  "ttlMinutes": 45\n}',
        ),
        Block(
            "serial",
            "unit_serial",
            '{"site": 12, "unit_serial": "{value}", "firmware": "5.0.2", "alarms": []}',
        ),
        Block(
            "uuid",
            "ledgerId",
            '{"kind": "account", "owner": {"name": "Okafor", "ledgerId": "{value}"}, "open": true}',
        ),
    ),
    "yaml": (
        Block(
            "mixed",
            "broker_password",
            "ingest:\n  broker: amqp.example.net\n  broker_user: sorter\n"
            "  broker_password: {value}\n  prefetch: 20",
        ),
        Block(
            "code",
            "enrolment_code",
            "classroom:\n  - title: Soil science\n    seats: 24\n    enrolment_code: {value}\n"
            "    language: en",
        ),
        Block(
            "address",
            "standby_endpoint",
            "cluster:\n  quorum: 3\n  standby_endpoint: {value}\n  fencing: true",
        ),
    ),
    "env": (
        Block(
            "long",
            "PAYOUT_API_SECRET",
            "APP_STAGE=canary\nPAYOUT_REGION=eu-north\nPAYOUT_API_SECRET={value}\nPAYOUT_RETRIES=4",
        ),
        Block(
            "words",
            "VAULT_PASSPHRASE",
            "export LANG=C.UTF-8\nexport VAULT_PASSPHRASE={value}\nexport VAULT_SLOT=2",
        ),
        Block(
            "url",
            "WEBHOOK_TARGET",
            'LOG_LEVEL="warn"\nWEBHOOK_TARGET="{value}"\nWEBHOOK_TIMEOUT="12"',
        ),
    ),
}
VARIANTS = (*FORMATS, *(f"{name}{SHORT}" for name in FORMATS))
TEMPLATES = tuple(block.text for blocks in FORMATS.values() for block in blocks)


def formats(tokenizer: Any, setting: Setting) -> list[Case]:
    """A block of the format that ``setting.variant`` names, and a question for its value.

    With ``SHORT`` behind the name the value is eight characters, whatever its block holds.
    """
    rng = setting.rng("formats")
    name = setting.variant.removesuffix(SHORT)
    block = rng.choice(FORMATS[name])
    value = fresh(rng, block.kind if name == setting.variant else "code")
    statement = Statement(fill_in(block.text, value=value), value, block.label, setting.depth)
    asked = Asked(ask(rng, block.label), value)
    return make_cases(tokenizer, setting, "formats", [statement], [asked], rng)
