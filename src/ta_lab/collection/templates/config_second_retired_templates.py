"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .settings_second_retired_templates import SETTINGS

CONFIG: dict[str, tuple[str, ...]] = {
    "json": (
        """\
{
  "auths": {
    "registry.example.com": {
      "auth": "⟦!base64|auth for registry.example.com⟧"
    }
  },
  "credsStore": "desktop"
}""",
        """\
{
  "Logging": { "LogLevel": { "Default": "Warning" } },
  "AllowedHosts": "*",
  "Jwt": { "Issuer": "kiosk", "SigningKey": "⟦!opaque|Jwt SigningKey⟧", "ExpiryMinutes": 15 }
}""",
        '{"resourceType":"Patient","active":true,"identifier":[{"use":"official","system":"urn:clinic:mrn",'
        '"value":"⟦!code/digits/serial|medical record number⟧"}],"gender":"female"}',
        """\
{
  "mcpServers": {
    "notes": {
      "command": "npx",
      "args": ["-y", "notes-server"],
      "env": { "NOTES_TOKEN": "⟦!token/id|NOTES_TOKEN⟧" }
    }
  }
}""",
        """\
        "node_modules/left-trim": {
            "version": "⟦!version|version of left-trim⟧",
            "license": "MIT",
            "engines": { "node": ">=14" }
        },""",
        '{"id":3,"jsonrpc":"2.0","result":{"accepted":true,"worker":"shed","pool":"⟦!address/host|pool⟧"}}',
        """\
{ "vet": "Dr. Akande",
  "pet": { "name": "Biscuit", "species": "dog", "chip": "⟦!digits|chip number⟧", "neutered": true },
  "next_visit": null }""",
        """\
{
  "files.autoSave": "afterDelay",
  "editor.tabSize": 2,
  "python.defaultInterpreterPath": "⟦!path|python.defaultInterpreterPath⟧",
  "window.zoomLevel": 1
}""",
    ),
    "json-in-string": (
        r"""{"Type":"Notification","Subject":"door","Message":"{\"alarm\":\"cellar\",\"ack\":\"⟦!record|ack⟧\",\"sev\":2}"}""",
        r"""localStorage.setItem("session", "{\"remember\":true,\"refresh\":\"⟦!opaque|refresh⟧\"}");""",
        """\
id,created,meta
18,yesterday,"{""channel"":""web"",""voucher"":""⟦!code/serial|voucher⟧"",""used"":false}\"""",
        r"""  annotations:
    deploy/last-applied: '{"replicas":2,"image":{"name":"cart","digest":"⟦!hex|image digest⟧"},"paused":false}'""",
        r"""const fixture = JSON.parse('{"user":{"plan":"free","email":"⟦!email|email in the fixture⟧"},"seats":1}');""",
        r"""{"statusCode":201,"headers":{},"body":"{\"message\":\"stored\",\"location\":\"⟦!url|location⟧\"}"}""",
        r"""redis> GET lock:reindex
"{\"owner\":\"worker-b\",\"fence\":\"⟦!uuid/id|fence⟧\",\"ttl\":30}" """,
        r"""INSERT INTO outbox (topic, body) VALUES ('sms', '{"to": "⟦!phone|number in the outbox⟧", "text": "Your table is ready"}');""",
    ),
    "json-lines": (
        """\
{"seq":40,"type":"heartbeat"}
{"seq":41,"type":"handshake","nonce":"⟦!base64/hex|nonce⟧"}
{"seq":42,"type":"heartbeat"}
{"seq":43,"type":"heartbeat"}""",
        """\
{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}
{"messages":[{"role":"user","content":"where is my parcel?"},{"role":"assistant","content":"It is with the courier under ⟦!digits/serial|parcel number⟧."}]}
{"messages":[{"role":"user","content":"bye"},{"role":"assistant","content":"Take care!"}]}""",
        """\
{"log":"listening\\n","stream":"stdout"}
{"log":"admin password generated: ⟦!password/id|generated admin password⟧\\n","stream":"stdout"}
{"log":"ready\\n","stream":"stdout"}""",
        """\
{"bird":"heron","count":2}
{"bird":"bittern","count":1,"seen_at":"⟦!coordinates|position of the bittern⟧"}
{"bird":"coot","count":11}""",
        """\
{"invoice":"paid","shop":"bakery"}
{"invoice":"open","shop":"joiner","remit_to":"⟦!iban|remit_to⟧"}
{"invoice":"paid","shop":"florist"}""",
        """\
{"level":30,"msg":"migration started"}
{"level":30,"msg":"migration finished","snapshot":"⟦!path/uuid|snapshot⟧"}
{"level":30,"msg":"server restarted"}""",
    ),
    "yaml": (
        """\
version: "3.8"
services:
  db:
    image: postgres:16
    environment:
      POSTGRES_USER: shop
      POSTGRES_PASSWORD: ⟦!password/phrase|POSTGRES_PASSWORD⟧
    restart: unless-stopped""",
        """\
# secrets.yaml
wifi_ssid: Nook
latitude_longitude: "⟦!coordinates|latitude_longitude⟧"
time_zone: Europe/Lisbon""",
        """\
- hosts: printers
  become: true
  vars:
    snmp_community: ⟦!phrase/id|snmp_community⟧
  roles:
    - cups""",
        """\
name: nightly
on:
  schedule:
    - cron: "0 3 * * *"
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: example/checkout@⟦!commit|pinned commit of checkout⟧""",
        """\
replicaCount: 1
ingress:
  enabled: true
  host: ⟦!host|ingress host⟧
  tls: false
resources: {}""",
        """\
receivers:
- name: night-shift
  webhook_configs:
  - url: ⟦!url|webhook of the night shift⟧
    send_resolved: true
route:
  receiver: night-shift""",
        """\
camp:
  leader: ⟦name⟧
  emergency_phone: ⟦!phone|emergency_phone⟧
  children: 23
  packing:
    - raincoat
    - torch""",
        """\
esphome:
  name: greenhouse
api:
  encryption:
    key: "⟦!base64|api encryption key⟧"
ota:
  safe_mode: true""",
    ),
    "toml": (
        """\
# .streamlit/secrets.toml
openai_org = "none"
weather_key = "⟦!opaque|weather_key⟧"
""",
        """\
concurrent = 2
check_interval = 0

[[runners]]
  name = "attic-runner"
  url = "https://ci.example.org/"
  token = "⟦!token/id|token of attic-runner⟧"
  executor = "docker\"""",
        """\
[dependencies]
serde = "1"
tide-tables = { git = "https://git.example.net/tide-tables", rev = "⟦!commit|rev of tide-tables⟧" }""",
        """\
name = "edge-cache"
main = "src/index.js"
account_id = "⟦!hex|account_id⟧"
workers_dev = true""",
        """\
[params]
author = "⟦name⟧"
contact = '⟦!email|contact⟧'
math = false

[markup]
unsafe = true""",
        """\
[[station]]
call = "north pier"
mac = "⟦!mac|mac of the north pier station⟧"

[[station]]
call = "south pier"
mac = \"\"""",
    ),
    **SETTINGS,
}
