"""Tool calls, results, chats and agent transcripts (development).

In a transcript ``§role`` begins a turn and ``§...`` stands for turns that state nothing.
"""
# ruff: noqa: E501 - lines of text as they stand in a file

AGENT: dict[str, tuple[str, ...]] = {
    "tool-call-json": (
        '{"type": "function", "function": {"name": "open_ticket", "arguments": {"queue": "billing", '
        '"account": "⟦!record|account⟧", "urgent": false}}}',
        '<tool_call>\n{"name": "unlock_bay", "arguments": {"bay": 14, "access": "⟦!secret|access⟧"}}\n'
        "</tool_call>",
        r'{"id":"call_7","type":"function","function":{"name":"send_file","arguments":"{\"to\":\"'
        r'⟦!email|recipient⟧\",\"kind\":\"draft\"}"}}',
        '[{"name": "drive_to", "parameters": {"destination": "⟦!coordinates|destination⟧", "avoid": '
        '["tolls"]}}]',
        '{"tool": "transfer", "input": {"iban": "⟦!iban|iban⟧", "memo": "rent"}}',
    ),
    "tool-call-python": (
        "resume_upload(part=7, session='⟦!opaque|session⟧', retries=2)",
        '[book_table(venue="Harbour", guests=4, phone="⟦!phone|phone⟧")]',
        'result = client.files.read(path="⟦!path|path⟧", mode="text")\nprint(result.ok)',
        'cancel_order(⟦!digits|order to cancel⟧, reason="late")',
        'functions.connect({host: "⟦!address/host|host⟧", tls: true})',
    ),
    "tool-results": (
        '<tool_response>\n{"status": "created", "ticket": "⟦!record|ticket⟧", "eta_days": 3}\n'
        "</tool_response>",
        "Observation: The nearest charger is at ⟦!coordinates|nearest charger⟧ and has two free plugs.",
        '{"tool_call_id": "call_3", "role": "tool", "content": "Uploaded to ⟦!url|upload location⟧"}',
        "stdout:\nBuilding...\nArtifact written to ⟦!path|artifact⟧\nexit status 0",
        "Search result 1 of 1\nGuest: ⟦name⟧\nReservation: ⟦!record|reservation⟧\nNights: 2",
        "read_sensor -> ok (unit ⟦!serial/mac|unit⟧, battery low)",
    ),
    "chat-turns": (
        """\
§user
hi, quick one: my locker is on the second floor and opens with ⟦!pin/code|locker code⟧, remember that for later
§assistant
Sure, I will keep it in mind.
§...""",
        """\
§system
You are the concierge of a small hotel. The staff line is ⟦!phone|staff line⟧.
§user
Good evening! Is breakfast included?
§assistant
It is, from seven to ten.
§...""",
        """\
§user
Our staging box moved.
§assistant
Where to?
§user
⟦!address/host|staging box⟧
§assistant
Thanks, noted.
§...""",
        """\
§user
what should i quote when i call about the boiler?
§assistant
Quote ⟦!record|boiler reference⟧; they will find the whole file with it.
§user
great
§...""",
        """\
§user
Forward everything to ⟦!email|forwarding address⟧ please, not to my old mailbox.
§assistant
Done.
§...""",
    ),
    "agent-transcript": (
        """\
§system
You operate the vendor portal with tools. Never guess an identifier.
§user
Before we start, the portal gave me this client secret: ⟦!secret|client secret⟧. You will need it at the end.
§assistant
Understood. I will look at the open invoices first.
§...""",
        """\
§system
Help with travel plans.
§user
Find me a room in ⟦city⟧ for two nights.
§assistant
{"name": "search_rooms", "arguments": {"city": "⟦city⟧", "nights": 2}}
§tool
{"hits": 1, "hotel": "Old Mill", "offer": "⟦!record|offer of the Old Mill⟧", "breakfast": true}
§assistant
The Old Mill has a room, shall I look at the trains as well?
§...""",
        """\
§user
Clone the site repository and check which commit broke the build.
§assistant
git_bisect(start="main~20", end="main")
§tool
Bisecting: 0 revisions left to test after this
⟦!commit|first bad commit⟧ is the first bad commit
§assistant
Found it. I will read the change before I revert.
§...""",
        """\
§system
Deployment assistant. Production changes need the change number ⟦!record|change number⟧ in the message.
§user
Which services run at the moment?
§assistant
list_services()
§tool
web: healthy
mail: healthy
§...""",
        """\
§user
I'm moving. New place: third floor, the concierge wants ⟦!phrase/words|concierge password⟧ from movers.
§assistant
Got it. What should I book first?
§user
The van.
§...""",
        """\
§user
Send 40 to my sister whenever I say "pizza". Her account is ⟦!iban|account of the sister⟧.
§assistant
All right.
§tool
calendar: nothing today
§...""",
    ),
}
