"""Configuration files, one value each (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .properties_templates import PROPERTIES

CONFIG: dict[str, tuple[str, ...]] = {
    "json": (
        """\
{
  "service": "ledger-sync",
  "region": "eu-north",
  "clientSecret": "⟦!secret|clientSecret⟧",
  "retry": {"times": 4, "backoffMs": 250},
  "verbose": false
}""",
        '{"v":2,"cart":{"items":3,"holdRef":"⟦!record|holdRef⟧","gift":false},"locale":"en-GB"}',
        """\
{
    "payees": [
        {"name": "Harbour Café", "active": true, "iban": "⟦!iban|iban⟧"}
    ],
    "schedule": "monthly"
}""",
        """\
{"type": "station", "properties": {"title": "Buoy nine", "depth_m": 41,
 "position": "⟦!coordinates|position of buoy nine⟧", "crew": []}}""",
        """\
{
  "household": {
    "members": 4,
    "customerNo": ⟦!digits|customerNo⟧,
    "paperless": true
  }
}""",
        """\
  "limits": {"perHour": 120},
  "upstream": "⟦!url/address/host|upstream⟧",
  "fallback": null,
  "features": ["dark", "beta"]
""",
    ),
    "json-in-string": (
        r"""{"level":"info","body":"{\"job\":\"nightly\",\"lease\":\"⟦!opaque|lease⟧\",\"n\":3}"}""",
        r"""payload: "{\"user\": {\"name\": \"⟦name⟧\", \"resetCode\": \"⟦!code/pin|resetCode⟧\"}}" """,
        r"""
curl -s -X POST https://hooks.example.com/in -d "{\"room\": \"lobby\", \"pairing\": \"⟦!record|pairing⟧\"}"
""",
        r"""
{"Records":[{"eventSource":"queue","body":"{\"kind\":\"export\",\"target\":\"⟦!url/path|target⟧\",\"ok\":true}"}]}
""",
        r"""{"arguments": "{\"query\": \"open invoices\", \"cursor\": \"⟦!base64/id|cursor⟧\"}"}""",
    ),
    "json-lines": (
        """\
{"ts": 1, "event": "open", "door": "north"}
{"ts": 2, "event": "badge", "holder": "⟦name⟧", "card": "⟦!record|card⟧"}
{"ts": 3, "event": "close", "door": "north"}""",
        """\
{"step":"fetch","ms":14}
{"step":"store","ms":22,"object":"⟦!path/url/hex|object⟧"}
{"step":"notify","ms":3}
{"step":"done","ms":0}""",
        """\
{"name":"alpha","state":"idle"}
{"name":"beta","state":"running","host":"⟦!address/host|host of beta⟧"}
{"name":"gamma","state":"idle"}""",
        """\
{"role": "sensor", "unit": "rain", "reading": 12}
{"role": "gateway", "unit": "roof", "hwaddr": "⟦!mac|hwaddr of the roof gateway⟧"}
{"role": "sensor", "unit": "wind", "reading": 31}""",
    ),
    "yaml": (
        """\
ingest:
  broker: amqp
  prefetch: 20
  broker_password: ⟦!password/id|broker_password⟧
  durable: yes""",
        """\
# rotated by the platform team
pepper: '⟦!opaque|pepper⟧'
rounds: 12
algorithm: argon2""",
        """\
stores:
  - name: ⟦city⟧
    opens: "08:00"
    till:
      serial: ⟦!serial|serial of the till⟧
      drawer: left""",
        """\
backup:
  keep: 7
  destination: ⟦!path/url|backup destination⟧
  compress: zstd
  notify: [ops, weekend]""",
        """\
welcome_message: |
  Hello and welcome.
  Your seed phrase is ⟦!words|seed phrase⟧
  Do not share it.
theme: light""",
        """\
anchors: {lamp: north, geo: "⟦!coordinates|geo⟧", watch: daily}
crew: 3""",
    ),
    "toml": (
        """\
[registry]
default = true
index = "sparse"
token = "⟦!token/id|registry token⟧"
""",
        """\
[tool.publish]
retries = 2
endpoint = '⟦!url|publish endpoint⟧'
dry-run = false""",
        """\
[[probe]]
name = "cellar"
calibrated = ⟦!time|calibrated of the cellar probe⟧
offset = -2

[[probe]]
name = "attic"
offset = 1""",
        """\
title = "Winter ferry"
[owner]
name = "⟦name⟧"
licence.number = "⟦!serial/code|licence number⟧"
""",
        """\
cache = { dir = "⟦!path|cache dir⟧", size = "2G", strict = true }
jobs = 8""",
    ),
    "ini": (
        """\
[outbound]
relay_port = 587
relay_secret = ⟦!secret|relay_secret⟧
starttls = yes""",
        """\
[printer "second floor"]
duplex=on
uri=⟦!address/host|uri of the printer⟧
tray=2""",
        """\
; do not edit by hand
[identity]
installation = ⟦!uuid/hex|installation⟧
channel = stable""",
        """\
[paths]
spool: ⟦!path|spool⟧
umask: 022
[misc]
color: auto""",
        """\
[alerts]
on_call = ⟦!phone/email|on_call⟧
quiet_hours = 22-06""",
    ),
    "properties": (
        """\
app.name=courier
app.signing.keystore.password=⟦!password/phrase|app.signing.keystore.password⟧
app.threads=6""",
        """\
# database
spring.datasource.hikari.maximumPoolSize=10
spring.datasource.url=jdbc:postgresql://⟦!host|database host in spring.datasource.url⟧/orders
spring.jpa.show-sql=false""",
        """\
license.holder : Blue Kiosk Ltd
license.key    : ⟦!code/id/serial|license.key⟧
license.seats  : 12""",
        """\
sonar.projectKey=⟦!record|sonar.projectKey⟧
sonar.sources=src
sonar.exclusions=**/generated/**""",
        *PROPERTIES,
    ),
    "env": (
        """\
NODE_ENV=production
PORT=8080
STRIPE_RESTRICTED=⟦!token|STRIPE_RESTRICTED⟧
LOG_LEVEL=warn""",
        """\
# .env.local
DEBUG=0
SMTP_PASS="⟦!password/phrase|SMTP_PASS⟧"
SMTP_TLS=on""",
        """\
TZ=UTC
BACKUP_TARGET='⟦!path/url|BACKUP_TARGET⟧'
WORKERS=4""",
        """\
SENTRY_RELEASE=⟦!commit/version|SENTRY_RELEASE⟧
SENTRY_ENVIRONMENT=canary""",
        """\
COMPOSE_PROJECT_NAME=orchard
VAULT_UNSEAL_2=⟦!base64/hex|VAULT_UNSEAL_2⟧
RESTART=always""",
        """\
LANG=C.UTF-8
MEETUP_SPOT="⟦!coordinates|MEETUP_SPOT⟧"
UNITS=metric""",
    ),
    "shell": (
        """\
#!/bin/sh
set -eu
export LANG=C.UTF-8
export DEPLOY_KEY='⟦!opaque|DEPLOY_KEY⟧'
exec ./run --quiet""",
        """\
$ export KUBECONFIG=⟦!path|KUBECONFIG⟧ && kubectl get pods
No resources found.""",
        """\
readonly RELEASE=⟦!version/commit|RELEASE⟧
make clean && make all""",
        """\
setx MAPS_APIKEY "⟦!token/id|MAPS_APIKEY⟧"
echo done""",
        """\
alias work='cd ~/src'
declare -x NTFY_TOPIC="⟦!phrase/id|NTFY_TOPIC⟧"
umask 027""",
    ),
}
