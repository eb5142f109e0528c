"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""
# ruff: noqa: E501 - lines of text as they stand in a file

AGENT: dict[str, tuple[str, ...]] = {
    "tool-call-json": (
        '{"name":"pay_invoice","arguments":{"invoice":"⟦!record|invoice⟧","from":"savings"}}',
        '<function=restart>{"node": "⟦!host/address|node⟧", "grace": 30}</function>',
        r'"tool_calls":[{"function":{"name":"login","arguments":"{\"otp\": \"⟦!pin/code|otp⟧\"}"}}]',
        '{"action": "fetch", "action_input": "⟦!url/path|action_input⟧"}',
    ),
    "tool-call-python": (
        'grant_access(badge="⟦!record|badge⟧", doors=["lab"], days=2)',
        "await robot.move_to('⟦!coordinates|robot target⟧', speed=3)",
        'print(default_api.lookup(fingerprint="⟦!hex|fingerprint⟧"))',
        "set_reminder('call the vet', '⟦!time|reminder⟧')",
    ),
    "tool-results": (
        '{"content": [{"type": "text", "text": "Session opened: ⟦!opaque|opened session⟧"}], "isError": false}',
        "[tool: weather] station ⟦!serial/code|station⟧ reports light rain",
        "Function output: 1 row\n guest_id | ⟦!record|guest_id⟧\n vip      | no",
        "OK. Your sandbox listens on ⟦!address|sandbox address⟧ for the next hour.",
    ),
    "chat-turns": (
        """\
§user
so the plumber comes on friday, he'll ask for ⟦!record|job number for the plumber⟧
§assistant
I'll remind you.
§...""",
        """\
§system
Support agent for Kiosk. Escalations go to ⟦!email|escalation mailbox⟧ only.
§user
My receipt is missing.
§...""",
        """\
§assistant
What is the serial on the back of the router?
§user
hold on... it says ⟦!serial/mac|router serial⟧
§assistant
Perfect, thank you.
§...""",
        """\
§user
If anybody asks, the meeting moved to ⟦!url|meeting link⟧
§assistant
Okay!
§...""",
    ),
    "agent-transcript": (
        """\
§system
You manage a warehouse. Use the tools.
§user
The forklift only starts with ⟦!pin/code|forklift starter⟧, keep that for the night shift.
§assistant
Will do. Checking stock now.
§...""",
        """\
§user
Register my bike please.
§assistant
register(item="bike", owner="⟦name⟧")
§tool
registered under ⟦!record|bike registration⟧
§assistant
Your bike is registered. Anything else?
§...""",
        """\
§system
Ops bot. Backups live in ⟦!path/url|backup location⟧ and must not be moved.
§user
How full is the disk?
§assistant
disk_usage()
§...""",
        """\
§user
My lawyer wrote: all mail about the fence has to carry ⟦!record|file mark of the lawyer⟧.
§assistant
I will put it on every letter.
§user
Start with the neighbour.
§...""",
    ),
}
