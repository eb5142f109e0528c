"""Names in tables that white space aligns, and in the columns of other tables."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

PODS = """NAME                      READY   STATUS    RESTARTS   AGE   IP            NODE
tide-gauge-0              1/1     Running   0          3d    10.42.7.118   pool-cedar-3
late-fee-6c9f7b8d5-x2x9q  1/1     Running   2          9d    10.42.7.121   pool-cedar-4
"""
CONTAINERS = """CONTAINER ID   IMAGE        STATUS       PORTS      NAMES
7f3ac91be022   redis:7      Up 3 hours              quiet_marmot
19d0e7aa4c31   nginx:1      Up 2 days    80/tcp     ledger_teal_1
"""
ROWS = """ id   | username   | door_code
------+------------+-----------
 7131 | mole_admin | 88412
"""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (PODS, ["tide-gauge-0", "pool-cedar-3", "pool-cedar-4", "late-fee-6c9f7b8d5-x2x9q"]),
        (CONTAINERS, ["quiet_marmot", "ledger_teal_1", "7f3ac91be022"]),
        (ROWS, ["mole_admin", "88412"]),
        ("| Id | Name |\n|---|---|\n| 1 | kiln-runner-4 |\n", ["kiln-runner-4"]),
    ],
)
def test_names_in_columns_are_found(text, values):
    assert set(values) <= set(found(text))
    assert found_in_pieces(text, 13) == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "NAME         DESCRIPTION\nmax-retries  how often it is tried\n",
        "NAME         TYPE    DEFAULT\nmax-retries  int     3\n",
        "NAME          STATUS   AGE\nkube-system   Active   3d\n",
        "| Name | Kind |\n|---|---|\n| max-retries | int |\n",
        "NAME   STATUS\nEach of the well-known ones is told in a sentence.\n",
    ],
)
def test_tables_that_explain_hold_none(text):
    assert found(text) == []


@pytest.mark.parametrize("piece", ["NAME  NODE\n", "A  B  ", "NAME  NODE\na-b1  c-d2\n", "  \n"])
def test_hostile_columns_take_linear_time(piece):
    found((piece * 40_000)[:40_000])
