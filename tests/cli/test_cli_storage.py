"""``ta generate --storage``: fewer bytes for as many tokens; a file says its own format."""

import json

TEXT = "The access token is: Zx81Qw77Lm\n" + "And more words follow here. " * 20


def test_less_is_stored_for_as_many_tokens(ta, tmp_path):
    found = {}
    for storage in ((), ("--storage", "int8")):
        out, path = tmp_path / "figures.json", tmp_path / "cache"
        flags = ("--budget", 96, "--max-new-tokens", 2, "--json", out, "--save", path)
        assert ta("generate", "-", *flags, *storage, stdin=TEXT.encode()).status == 0
        found[bool(storage)] = json.loads(out.read_text()), path.stat().st_size
    (plain, whole), (low, saved) = found[False], found[True]
    assert low["stored_bytes"] < 0.6 * plain["stored_bytes"] and saved < whole
    assert low["max_live_tokens"] == plain["max_live_tokens"] == 96
    assert low["provenance"]["arguments"]["storage"] == "int8"
    refused = ta("generate", "-", "--load", path, "--storage", "fp8", stdin=b"B")
    assert refused.status == 2 and "--storage" in refused.err and "leave it out" in refused.err
