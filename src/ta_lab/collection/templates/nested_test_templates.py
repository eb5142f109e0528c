"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

NESTED: dict[str, tuple[str, ...]] = {
    "yaml": (
        """\
x-common: &common
  restart: on-failure
  logging: {driver: local}

services:
  grinder:
    <<: *common
    environment:
      - GRINDER_MODE=fine
      - GRINDER_UNLOCK=⟦!opaque|GRINDER_UNLOCK⟧""",
        """\
- hosts: greenhouses
  become: true
  vars:
    mist_seconds: 20
    valve_pin: "⟦!pin|valve_pin⟧"
  roles: [common, mist]""",
        """\
on:
  push: {branches: [main]}
jobs:
  ship:
    runs-on: self-hosted
    env:
      ARTIFACT_URL: ⟦!url|ARTIFACT_URL⟧   # read-only mirror
    steps:
      - run: make ship""",
        """\
certificate: |-
  issued to: Pebble Laundry
  fingerprint: ⟦!fingerprint|fingerprint of the certificate⟧
  usage: server
ocsp: off""",
        """\
%YAML 1.2
---
crew:
- {name: ⟦name⟧, watch: first}
- {name: ⟦name⟧, watch: second, beacon: ⟦!mac/serial|beacon of the second watch⟧}
...""",
        """\
note: >
  The caretaker keeps the spare under the mat;
  the alarm is silenced with ⟦!pin/code|code that silences the alarm⟧
  within thirty seconds.
floor: 2""",
        """\
openapi: 3.1.0
servers:
  - url: ⟦!url|server url⟧
    description: rehearsal
paths: {}""",
        """\
homeassistant:
  unit_system: metric
  time_zone: Europe/Oslo
zone:
  - name: Cabin
    icon: mdi:pine-tree
    position: ⟦!coordinates|position of the cabin⟧""",
        """\
accounts:
    ? main
    : iban: ⟦!iban|iban of the main account⟧
      currency: EUR
    ? petty cash
    : drawer: 3""",
        """\
users:
- name: clerk
  user:
    client-certificate: clerk.crt
    token: !!str ⟦!jwt/token/id|token of clerk⟧
current-context: office""",
        """\
receipt:
  shop: "Corner Bakery"
  sum: '⟦!amount|sum of the receipt⟧'
  tip: ~
  split_by: 3""",
        """\
dependencies:
- name: cache
  version: ⟦!version|version of the cache chart⟧
  repository: "@internal"
- name: ingress
  condition: ingress.enabled""",
        """\
backup:  # see the wiki before touching this
  cron: "15 3 * * *"
  target:   ⟦!path/urn|target of the backup⟧
  retention: {daily: 7, weekly: 4}""",
        """\
alertmanager:
  receivers:
    - name: phone-chain
      webhook_configs:
        - send_resolved: true
          http_config:
            authorization: {type: Bearer, credentials: "⟦!secret|credentials of the phone chain⟧"}""",
    ),
    "toml": (
        """\
[package]
name = "sluice"
edition = "2021"

[package.metadata.release]
signing-key = "⟦!fingerprint/hex|signing-key⟧"
push = false""",
        """\
[servers.eu]
weight = 3
[servers.eu.primary]
addr = "⟦!address/host/ipv6|addr of the primary in eu⟧"
tls  = true""",
        """\
motd = \"\"\"
Welcome aboard.
Engine room lock: ⟦!pin/code|engine room lock⟧
Mind your head.\"\"\"
beep = false""",
        """\
# rotated each quarter, next by the treasurer
"recovery phrase" = "⟦!words/phrase|recovery phrase⟧"
attempts = 3""",
        """\
[[member]]
since = 2029-04-01
card = "⟦card|card of the first member⟧"

[[member]]
since = 2031-09-15
card = "⟦!card|card of the second member⟧" """,
        """\
[mail]
from.address = "⟦!email|from.address⟧"
from.name    = 'The Reading Room'
port = 465""",
        """\
[build]
command = "npm run build"
publish = "site"
[build.environment]
  NODE_VERSION = "20"
  PREVIEW_PASSWORD = "⟦!password/phrase|PREVIEW_PASSWORD⟧" """,
        """\
points = [
  "⟦!coordinates|first of the points⟧", # trailhead
]
units = "km"
snap = true""",
        """\
[lease]
flat = "4B"
deposit = "⟦!amount/money|deposit of the lease⟧"
pets = true
ends = ⟦date⟧""",
        """\
[tool.poetry.source]
name = "house"
url = "⟦!url|url of the house source⟧"
priority = "explicit" """,
        """\
state = 'locked'
machine-id = '⟦!hex/uuid|machine-id⟧'
first-boot = 2030-01-17T08:00:00Z""",
        """\
[library.reader]
branch = "harbour"
barcode = ⟦!digits|barcode⟧
fines = 0.0""",
        """\
tunnel = { id = "⟦!uuid/ulid|id of the tunnel⟧", protocol = "quic", grace = "30s" }
metrics = "off" """,
    ),
}
