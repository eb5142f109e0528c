"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

AGENT: dict[str, tuple[str, ...]] = {
    "tool-call-json": (
        '{"type": "tool_use", "name": "get_invoice", "input": {"invoice_no": "⟦!record|invoice_no⟧", "format": "pdf"}}',
        '{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "dial", "arguments": {"number": "⟦!phone|number to dial⟧", "speaker": true}}}',
        'Thought: I have to see the lease first.\nAction: read_document\nAction Input: {"path": "⟦!path|document⟧", "pages": "all"}',
        '<|python_tag|>{"name": "check_in", "parameters": {"locator": "⟦!code|locator⟧", "seat": "window"}}',
        '[TOOL_CALLS] [{"name": "ssh_exec", "arguments": {"host": "⟦!address/host|ssh host⟧", "command": "uptime"}}]',
        '{"functionCall": {"name": "create_reminder", "args": {"text": "water the figs", "at": "⟦!time|reminder time⟧"}}}',
        '{"tool_name": "redeem", "parameters": {"gift_card": "⟦!serial/digits|gift_card⟧", "partial": false}}',
        r'{"role":"assistant","tool_calls":[{"function":{"name":"add_secret","arguments":"{\"env\":\"prod\",\"key\":\"MAPS\",\"value\":\"⟦!opaque|value of MAPS⟧\"}"}}]}',
        '<invoke name="fetch_page">\n<parameter name="url">⟦!url|page to fetch⟧</parameter>\n<parameter name="max_chars">5000</parameter>\n</invoke>',
    ),
    "tool-call-python": (
        'restore_snapshot("⟦!uuid/id|snapshot to restore⟧", onto="spare", wait=True)',
        '<execute>\nawait garage.open(door="left", pin="⟦!pin|garage pin⟧")\n</execute>',
        '```tool_code\nprint(default_api.track_parcel(number="⟦!digits/serial|parcel number⟧"))\n```',
        "memory.save(topic=\"guest wifi\", text='⟦!phrase/password|guest wifi⟧')",
        '[pay(payee="nursery", account="⟦!iban|account of the nursery⟧", amount=35, currency="EUR")]',
        "drone.goto('⟦!coordinates|waypoint⟧', altitude_m=60)",
        "set_alarm(at='⟦!time|alarm time⟧', text='pick up ⟦name⟧')\n>>> 'ok'",
        "df = run_query(f\"SELECT * FROM visits WHERE chart = '⟦!code/serial/digits|chart⟧'\")\ndf.head()",
        'session = login(user="desk", totp_seed="⟦!code/id|totp_seed⟧")',
        'mail.send(to=["⟦!email|recipient⟧"], subject="Minutes", attach=None)',
    ),
    "tool-results": (
        '{"jsonrpc": "2.0", "result": {"content": [{"type": "text", "text": "Appointment booked. Your reference is ⟦!code/serial/digits|appointment reference⟧."}], "isError": false}}',
        "<function_results>\nAnyone with this link can view the folder:\n⟦!url|link to the folder⟧\n</function_results>",
        "$ docker run -d --name web nginx:alpine\n⟦!hex|container id⟧",
        "contacts.find('plumber') -> 1 match\n  ⟦name⟧ (plumber), mobile ⟦!phone|mobile of the plumber⟧, prefers texts",
        'ocr(photo_3.jpg): "GAS METER / No. ⟦!digits/serial|number of the gas meter⟧ / TYPE G4 / DO NOT PAINT"',
        "Event 'Dentist' added, starts ⟦!time|start of the dentist event⟧, reminder one day before.",
        "[exec] nix hash file cover.png\n⟦!base64|hash of cover.png⟧\n[exit code 0]",
        'New SMS (1):\n"Your parcel waits in the locker by the station. Pickup code ⟦!code/pin|pickup code⟧. Two days."',
        "geocode('Old Lighthouse') = ⟦!coordinates|Old Lighthouse⟧ (confidence: high)",
        "pytest: 1 failed\nE   AssertionError: fixture says ⟦!version|version in the fixture⟧, package says something else",
        "Balance check complete. Available: ⟦!money|available balance⟧. No pending transfers.",
    ),
    "chat-turns": (
        """\
§user
before I forget!! my mum's flight home has the booking code ⟦!code|booking code of the flight⟧, I'll ask you on the day
§assistant
No problem, ask me whenever you need it.
§...""",
        """\
§system
You answer for Riverside Vets. If a caller says an animal is in danger, give them the emergency line, ⟦!phone|emergency line⟧, at once.
§user
Do you also see rabbits?
§assistant
We do, on weekdays.
§...""",
        """\
§user
whats the thing called where the bread rises twice
§assistant
A second proof.
§user
thx. unrelated: new phone so new number, ⟦!phone|new number of the user⟧
§assistant
Got it.
§...""",
        """\
§assistant
Welcome back. To go on with your claim I need the claim number from the letter.
§user
⟦!code/serial/digits|claim number⟧
§assistant
Thank you. And was anybody hurt?
§user
no, only the fence
§...""",
        """\
§user
I set up the NAS like you said. What would have been a good name for it?
§assistant
Whatever you can remember. Did it show a recovery key at the end?
§user
yes it did: ⟦!words/serial|recovery key of the NAS⟧
should I write it down somewhere?
§assistant
On paper, yes. I have it from this chat as well.
§...""",
        """\
§user
Can you make me a strong wifi password my kids can still type?
§assistant
How about ⟦!phrase|suggested wifi password⟧? It is long, but every part is a plain word.
§user
love it, I've set it on the router
§...""",
        """\
§system
Today's opening hours: nine to five. Tours start hourly.
§user
Hello, we are the school group. Our bus parks at ⟦!coordinates|parking position of the bus⟧, please tell the guide.
§assistant
I will pass that on. How many of you are there?
§user
Twenty-two and three teachers
§...""",
        """\
§user
hey so the landlord finally answered
§user
deposit goes here: ⟦!iban|account for the deposit⟧
§user
remind me on payday ok?
§assistant
Will do.
§...""",
        """\
§user
Explain like I'm five what a seed is in a random generator.
§assistant
It is the number you start counting from, so that the same start gives the same surprise.
§user
Then for this whole experiment use ⟦!digits|seed of the experiment⟧ as the seed, please.
§assistant
Understood, every run will start from it.
§...""",
    ),
    "agent-transcript": (
        """\
§system
You are a shopping agent. Pay only with the virtual card the user names.
§user
Use the card ending ⟦int⟧. If checkout asks for it, the loyalty id is ⟦!digits/code|loyalty id⟧.
§assistant
Opening the shop now.
§tool
page loaded: garden hoses (12 results)
§...""",
        """\
§user
Create an API token for the build box and keep it until we configure the mirror.
§assistant
{"name": "create_token", "arguments": {"owner": "build-box", "days": 30}}
§tool
Token created. Copy it now, it will not be shown again.
⟦!token/id|token for the build box⟧
§assistant
The token exists. What shall I do before the mirror?
§user
Tidy up the disk first.
§...""",
        """\
§system
Research helper. Cite nothing you have not opened.
§user
Which dataset did the herring paper use?
§assistant
open_pdf("herring.pdf", page=4)
§tool
...all catches are archived under accession ⟦!serial/id|accession of the herring data⟧ and may be reused freely. We thank the crews for their patience...
§assistant
They name an accession. Now the second paper.
§...""",
        """\
§system
On-call bot for the web team. The incident bridge is ⟦!url|incident bridge⟧.
§user
Anything red right now?
§assistant
check_alerts(team="web")
§tool
no alerts
§...""",
        """\
§user
Book the boat for Saturday. If they are full take the kayak.
§assistant
bookings.create(kind="boat", day="saturday")
§tool
error: fully booked
§assistant
bookings.create(kind="kayak", day="saturday")
§tool
ok, locker ⟦int⟧, paddle lock opens with ⟦!pin|code of the paddle lock⟧
§assistant
The boat was taken, you have the kayak.
§...""",
        """\
§user
Reproduce the crash from ticket nine.
§assistant
run("make fuzz")
§tool
fuzz: elapsed 31s, crash!
fuzz: input written to ⟦!path|crashing input⟧
make: *** [fuzz] Error 1
§assistant
I can reproduce it. I will read the parser before I minimise the input.
§...""",
        """\
§system
You file expense reports. Every report carries the cost centre.
§user
New quarter, new cost centre: it's ⟦!code/digits|cost centre⟧ now. Start with the train tickets please.
§assistant
list_receipts(kind="train")
§tool
4 receipts
§...""",
        """\
§user
The greenhouse controller stopped answering, can you find it on the network?
§assistant
scan(range="lan")
§tool
printer  up
tv       up
greenhouse-ctl  up  ⟦!mac|hardware address of the greenhouse controller⟧
§assistant
It is there. I would give it a fixed lease later on; first let me see its log.
§...""",
        """\
§system
Personal assistant with mail and calendar.
§user
Read me the mail from the school.
§assistant
mail.read(from="school")
§tool
From: School office
Dear parents, the online meeting takes place on ⟦!time|time of the online meeting⟧. Please bring questions in writing.
Kind regards
§assistant
It is about an online meeting for parents. Shall I answer?
§user
not yet
§...""",
    ),
}
