"""Channels behind a preposition, a key or in a cell, and branches of remotes."""

from __future__ import annotations

import pytest

from found_values import found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("| Team | Channel |\n|---|---|\n| Ops | #incident-copper |\n", "#incident-copper"),
        ("| On call | `#night-desk` | Anna |\n", "#night-desk"),
        ("Questions go to `#team-harbour` any time.\n", "#team-harbour"),
        ("Keep the discussion in **#cutover-june** until Monday.\n", "#cutover-june"),
        ("Anything odd belongs in #data_quality_north, not in mail.\n", "#data_quality_north"),
        ("- Escalation: #incident-copper, then the pager\n", "#incident-copper"),
        ('{"notify": "#billing-owls"}\n', "#billing-owls"),
        ("* main 1a2b3c4 [mirror/hotfix/rounding-1188] x\n", "mirror/hotfix/rounding-1188"),
        ("  work 77aa1b2 [acme/parcel-weights: ahead 1] x\n", "acme/parcel-weights"),
        ("git diff upstream/feature/tide-gauge\n", "upstream/feature/tide-gauge"),
        ("  remotes/origin/fix/late-fee-3\n", "remotes/origin/fix/late-fee-3"),
    ],
)
def test_it_is_found(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "# release-notes\n## what-is-new\n#todo-later\n",
        "So glad #blessed #throwback-thursday fun\n",
        "Scroll to #main-content or in `#nav-bar` itself.\n",
        "See [the part](#getting-started) and docs/x#how-to-run.\n",
        "#left-nav { top: 0 }\na { color: #fff }\n",
        "Fixed in #1234.\n",
        "origin/main and origin/develop are protected; and/or input/output.\n",
        "see vendor/release/notes\n",
    ],
)
def test_headings_parts_of_pages_and_paths_are_none(text):
    assert found(text) == []
