"""Lines of a keyword and a value, names that SQL and programs report, identifiers of apps."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

SSH = "Host osprey-box\n  HostName osprey.internal\n  User lachlan\n  Port 2207\n"
NGINX = (
    "server {\n    listen 8471 ssl;\n    server_name shop.kestrel.example www.kestrel.example;\n}\n"
    "upstream tea_backend {\n    server teapot.internal:9413 weight=3;\n}\n"
)
DOCKER = "FROM python:3.11-slim\nWORKDIR /srv/tern/app\nEXPOSE 8417\nUSER ternrunner\n"
LINES = [
    (SSH, "osprey-box"),
    (SSH, "osprey.internal"),
    (SSH, "lachlan"),
    ("Host x-1\n    ProxyJump hop@jump.kestrel.example\n", "hop@jump.kestrel.example"),
    (NGINX, "8471"),
    (NGINX, "shop.kestrel.example"),
    (NGINX, "tea_backend"),
    (NGINX, "teapot.internal:9413"),
    ("<VirtualHost *:80>\n    ServerName kestrel.example\n", "kestrel.example"),
    (DOCKER, "8417"),
    (DOCKER, "ternrunner"),
    ("server ntp.tern.example iburst\n", "ntp.tern.example"),
    ("ExecStart=/usr/bin/gull serve --pool=warm\n", "/usr/bin/gull serve --pool=warm"),
    ("ExecStartPre=-/usr/bin/mkdir -p /run/gull\n", "/usr/bin/mkdir -p /run/gull"),
]
NAMES = [
    ("CREATE ROLE rpt_osprey LOGIN;\n", "rpt_osprey"),
    ("create user if not exists lark_writer;\n", "lark_writer"),
    ("CREATE DATABASE ledger_north OWNER fin_writer;\n", "fin_writer"),
    ("GRANT SELECT ON ALL TABLES IN SCHEMA s TO dash_reader;\n", "dash_reader"),
    ("REVOKE ALL ON t FROM kiln_loader;\n", "kiln_loader"),
    ("ALTER TABLE birds OWNER TO bird_keeper;\n", "bird_keeper"),
    ("GRANT ALL ON s.* TO 'kiosk_app'@'%';\n", "kiosk_app"),
    ("created database scratch_heron_mole owned by ci_runner_green\n", "scratch_heron_mole"),
    ('{"role": "tool", "content": "created issue #70412"}\n', "70412"),
    ("We merged PR #8120 yesterday.\n", "8120"),
    ("placed order 61733 with them\n", "61733"),
    ("created database scratch_heron_mole owned by ci_runner_green\n", "ci_runner_green"),
    ('{"stdout": "Created bucket media-puffin"}\n', "media-puffin"),
    ("logged in as heron-deploy.\n", "heron-deploy"),
    ("    runs-on: self-hosted-arm-attic\n", "self-hosted-arm-attic"),
    ("queue_name: invoice_retry_slow\n", "invoice_retry_slow"),
    ('let suite = "group.org.puffin.shared"\n', "group.org.puffin.shared"),
    ('    applicationId "de.kornfeld.radar"\n', "de.kornfeld.radar"),
    ("cal = c(offset = -0.0417, gain = 1.0927)\n", "-0.0417"),
    ('{"bias": -1.318, "on": true}\n', "-1.318"),
    ("x-signature: sha256=6c5341143bee42feca838fbf5b78\n", "sha256=6c5341143bee42feca838fbf5b78"),
    ("kubectl port-forward svc/heron -n watch 14417:http\n", "14417:http"),
    ("openssl rsa -in a -passin pass:Lilac$Noon -out b\n", "Lilac$Noon"),
]
NAMES += [
    ("useradd -m -s /bin/bash lark_deploy\n", "lark_deploy"),
    ("sudo -u lark_deploy ls\n", "lark_deploy"),
    ("psql -U ledger_ro -d ledger_main\n", "ledger_ro"),
    ("psql -U ledger_ro -d ledger_main\n", "ledger_main"),
    ("createdb ledger_archive\n", "ledger_archive"),
    ("docker volume create lark-data\n", "lark-data"),
    ("kubectl create namespace lark-staging\n", "lark-staging"),
    ("chown lark_deploy:lark_ops /srv\n", "lark_deploy:lark_ops"),
    ('git config user.name "Odalys Fenwick"\n', "Odalys Fenwick"),
    ("AllowUsers larkspur_ops\n", "larkspur_ops"),
]
NONE = [
    "Run useradd to add users.\npsql -d database_name -U user_name\nchown root:root /x\n",
    "docker volume create my-vol\nhelm upgrade --install my-release ./chart\n",
    "Host a party. User accounts are listed below. Listen to the music.\n",
    "User guide\nServer is down\nUSER MANUAL\n",
    "They filed 300 cases and opened in case 1999 was late. Case 12 was opened.\n",
    "User lachlan\n",  # below no line of ssh
    "listen 80;\nlisten 8080;\nserver_name localhost;\nserver_name _;\n",
    "FROM node\nUSER node\nEXPOSE 8080\n",
    "ExecStart=\nExecStop=/bin/true\n",
    "CREATE TABLE order_items (n int);\nCREATE DATABASE test_db;\nGRANT ALL ON t TO my_user;\n",
    "The system created user-friendly pages, owned by family-run firms there.\n",
    "    runs-on: ubuntu-latest\n",
    "scale = 1.000\noffset: 0.000\ngain = 1.5\n",
]


@pytest.mark.parametrize(("text", "value"), LINES + NAMES)
def test_it_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NONE)
def test_what_everybody_writes_is_not(text):
    everybodys = ("/bin/true", "8080")  # shapes of their own
    assert [value for value in found(text) if value not in everybodys] == []


@pytest.mark.parametrize(("text", "value"), LINES + NAMES)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


PIECES = [
    "\nHost a",
    "\nHostName ",
    "GRANT a ",
    "create role a_",
    "\nserver a.b",
    "\nExecStart=/a b ",
    "useradd a_b ",
    "psql -U a_",
    "chown a_b:",
]


@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
