"""A block whose name promises values gives its role to the keys in it."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[ports]\ngateway = 8443\nadmin_console = 8917\n", ["8917"]),
        ("[app.ports]\nhttp = 28080\nadmin = 29917\n", ["28080", "29917"]),
        ("service:\n  ports:\n    rpc: 7731\n    debug: 17731\n", ["7731", "17731"]),
        ("api_tokens:\n  deploy: marsh-harrier\n  ci: dotterel\n", ["marsh-harrier", "dotterel"]),
        ('{"secrets": {"pager": "wagtail"}}\n', ["wagtail"]),
        (
            '{\n  "secrets": {\n    "pager": "wagtail",\n    "bell": "corncrake"\n  }\n}\n',
            ["corncrake"],
        ),
        ('[credentials]\nftp = "marigold"\n', ["marigold"]),
        ("[Credentials]\nnas = yellowhammer\n", ["yellowhammer"]),
        ("hosts:\n  primary: nas-cellar\n  spare: nas-loft\n", ["nas-cellar", "nas-loft"]),
        ("buckets:\n  archive: frost-kelp\n", ["frost-kelp"]),
        ("accounts:\n  billing: anna_reimers\n", ["anna_reimers"]),
    ],
)
def test_keys_of_a_block_have_its_role(text, values):
    assert set(values) <= set(found(text))
    assert found_in_pieces(text, 9) == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "tokens:\n  max: 512\n  stop: true\n",
        "secrets:\n  enabled: false\n  provider: vault\n",
        "ports:\n  http: 80\n  https: 443\n",
        "users:\n  role: admin\n  locale: en-gb\n",
        "keys:\n  type: rsa\n  rotation: yearly\n",
        "servers:\n  restart: unless-stopped\n  balance: round-robin\n",
        "servers:\n  web:\n    shell: bash-like\n",
        "hosts: all\nstrategy: blue-green\n",
        "The tokens:\nthey are words.\n",
    ],
)
def test_modes_and_kinds_in_a_block_are_no_values(text):
    assert found(text) == []


def test_a_block_reaches_as_far_as_a_label():
    filler = "".join(f"  key{i}: word\n" for i in range(20))
    assert found("tokens:\n" + filler.replace("word", "true") + "  bell: wagtail\n") == []


@pytest.mark.parametrize("piece", ["[ports]\n", "tokens:\n", "hosts:\n  a: b-c\n", '"secrets": {'])
def test_hostile_blocks_take_linear_time(piece):
    found((piece * 40_000)[:40_000])
