"""Names of branches and networks, and the keys of property lists."""

from __future__ import annotations

import pytest

from found_values import found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the branch is feature/blue-login", "feature/blue-login"),
        ("push to the branch release/7.2", "release/7.2"),
        ("git checkout -b fix/login-page", "fix/login-page"),
        ("git push origin feature/blue-login", "feature/blue-login"),
        ("switch to the branch bugfix/heron", "bugfix/heron"),
        ("The branch name is feature/login.", "feature/login"),
        ("Please rebase onto release/blue-autumn.", "release/blue-autumn"),
        ("We work on feature/JIRA-123 now.", "feature/JIRA-123"),
        ("the wifi is called BlueHeron", "BlueHeron"),
        ("Our wifi is BlueHeron.", "BlueHeron"),
        ("the network name is BlueHeron", "BlueHeron"),
        ("The wifi network is called Blue Heron.", "Blue Heron"),
        ("The cluster is called Blue Heron.", "Blue Heron"),
        ("SSID: BlueHeron", "BlueHeron"),
        ("WLAN: BlueHeron", "BlueHeron"),
        ("Wi-Fi name: Blue Heron", "Blue Heron"),
        ("Our hotspot is called BlueHeron", "BlueHeron"),
        ("Join the wifi SeaHorse with me", "SeaHorse"),
        ("<key>Password</key>\n\t<string>bluefish</string>", "bluefish"),
        ("<key>Token</key>\n  <string>redbird</string>", "redbird"),
        ("<key>API Key</key><string>blue whale</string>", "blue whale"),
        ("<key>PIN</key><string>4471</string>", "4471"),
        ("<key>Secret</key>\n\n\t<string>red bird nine</string>", "red bird nine"),
        ("<key>Port</key>\n<integer>48213</integer>", "48213"),
    ],
)
def test_the_name_alone_is_found(text, value):
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Either fix/replace the pipe, or wait.",
        "The feature/bug ratio fell.",
        "Acquire and release/acquire semantics differ.",
        "The network TensorFlow uses is old.",
        "The wifi is slow, and the branch is closed on Sundays.",
        "The network is called the internet.",
        "<key>SSID</key>\n<true/>",
        "<key>CLIENT</key>\n",
        "<key>Enabled</key><false/>",
    ],
)
def test_plain_words_are_no_names(text):
    assert found(text) == []
