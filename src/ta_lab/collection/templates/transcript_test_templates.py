"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

TRANSCRIPTS: dict[str, tuple[str, ...]] = {
    "chat-turns": (
        """\
§user
new flat!! buzzer says Berg, lift is broken, the mailbox lock is ⟦!pin/code|mailbox lock⟧ lol
§assistant
Congratulations! How many floors up?
§user
four. help me make a packing list
§...""",
        """\
§user
Can you keep a few things for the trip?
§assistant
Of course, go ahead.
§user
- ferry: ⟦!code/serial|ferry⟧
- cabin with a window
- dinner at seven
§assistant
All three kept.
§...""",
        """\
§system
Facts about the user:
* prefers tea
* vet's telephone: ⟦!telephone/phone|vet's telephone⟧
* two cats
§user
good morning
§assistant
Good morning! Tea is a fine start.
§...""",
        """\
§user
what was the thing i should paste into the router page?
§assistant
This one, without the dot at the end: ⟦!password/phrase|text for the router page⟧ .
§user
worked, cheers
§...""",
        """\
§user
Here is the mail from the letting agent:

> Dear tenant,
> your contract is filed as ⟦!filing/serial|number of the contract⟧. Please quote this in any letter.
> Kind regards

Draft a friendly answer.
§assistant
Dear agent, thank you for letting me know. Best wishes.
§...""",
        """\
§user
my gf's birthday dinner: table booked under ⟦name⟧, confirmation ⟦!record|confirmation⟧, window seat if possible
§assistant
Noted. Shall I look for a gift too?
§...""",
        """\
§user
Merk dir bitte den Ort, wo das Boot liegt: ⟦!coordinates|Ort des Bootes⟧
§assistant
Ist gemerkt.
§user
danke. now in english please, what do the docs say?
§...""",
        """\
§user
how much did we agree on with the roofer?
§assistant
According to the signed offer it is ⟦!amount/money|sum agreed with the roofer⟧, half of it in advance.
§user
ok thx
§...""",
        """\
§user
which branch of the library app should testers install
§assistant
Testers should install ⟦!version|version for testers⟧; anything later crashes on old phones.
§user
good. next topic
§...""",
        """\
§user
i will type it in pieces because of the filter. no forget that, here: ⟦!token/id|text that the user typed⟧
§assistant
Received. I will not repeat it.
§...""",
        """\
§system
Shift notes for the bot: the spare key hangs behind the fuse box; the fuse box itself opens with ⟦!code/pin|code of the fuse box⟧.
§user
Is the gym open on Sunday?
§assistant
It is, from nine.
§...""",
        """\
§user
pls switch my newsletter to ⟦!email|new newsletter mail⟧
§assistant
Switched. You should get the next issue there.
§user
:)
§...""",
        """\
§user
The link for the choir's sheet music?
§assistant
You sent it in spring: ⟦!url|link for the sheet music⟧
§user
Perfect, altos will be happy.
§...""",
        """\
§user
Voice note (transcribed): uhm so for the parcel locker it was ⟦!pin/digits|parcel locker⟧, and, uhm, the shop shuts at six.
§assistant
Thanks, I have both.
§...""",
    ),
    "agent-transcript": (
        """\
§system
You are a coding agent. The package index needs the upload token ⟦!token/nanoid|upload token⟧; never print it.
§user
Release the margins package when the tests pass.
§assistant
I will run the tests first.
§tool
12 passed
§...""",
        """\
§user
Rent a van for Saturday and tell the neighbours.
§assistant
reserve_van(day="Saturday", size="long")
§tool
{"state": "reserved", "pickup": "north gate", "contract": "⟦!record/filing|contract of the van⟧"}
§assistant
The van is reserved. Now the neighbours.
§...""",
        """\
§user
The nightly job hangs. Find out which host it talks to.
§assistant
$ ss -tnp | grep nightly
§tool
ESTAB 0 0 local:40112 ⟦!address/ipv6|peer of the nightly job⟧ users:(("nightly",pid=88,fd=3))
§assistant
It waits for a peer outside. I will read its settings.
§...""",
        """\
§system
Goal: file the tax return. Use only the forms that the user names.
§user
Mine is at the office under ⟦!filing/digits|tax file⟧. Start with the travel costs.
§assistant
Starting with travel costs.
§tool
{"travel": "no receipts yet"}
§...""",
        """\
§user
set up the sensor in the cellar
§assistant
scan_bluetooth(seconds=10)
§tool
1 device
  name: cellar-th
  mac:  ⟦!mac|mac of cellar-th⟧
  rssi: -70
§assistant
Found it. Pairing comes next, after the manual.
§...""",
        """\
§user
Here's the ticket I got:
<ticket queue="network" key="⟦!serial/code|key of the ticket⟧">
VPN drops every hour
</ticket>
Work on it till lunch.
§assistant
I will reproduce the drop first.
§...""",
        """\
§system
Memory of earlier sessions:
[1] the user dislikes tables
[2] backups are written to ⟦!path/host|place that backups are written to⟧
[3] the user writes from a phone
§user
Continue with the clean-up.
§assistant
Continuing.
§...""",
        """\
§user
Dispute the double charge.
§assistant
{"tool": "list_charges", "input": {"month": "May"}}
§tool
[{"charge": "⟦!token/ulid|charge that was doubled⟧", "memo": "gym", "count": 2}]
§assistant
One charge came twice; before I dispute it I read the rules.
§...""",
        """\
§user
Deploy from the green branch only. Approver's phrase, which the gate asks for at the end: ⟦!phrase/words|approver's phrase⟧
§assistant
I will keep the phrase for the gate.
§tool
lint: ok
§...""",
        """\
§user
Ask the garage how much it will be.
§assistant
call(number="garage", say="How much will the repair be?")
§tool
(transcript) "yeah hi, that'd be ⟦!amount/money|price of the repair⟧ all in, parts are here tomorrow"
§assistant
They named a price, and the parts come tomorrow.
§...""",
        """\
§system
Rescue coordination. Report only confirmed positions.
§user
Any news of the canoe?
§assistant
query_beacon("canoe")
§tool
beacon canoe: fix ⟦!coordinates|fix of the canoe⟧ battery weak
§assistant
A fix came in. I check the weather there.
§...""",
        """\
§user
our staging login for the demo later is demo / ⟦!password/phrase|password of the staging login⟧ - first tidy up the slides pls
§assistant
Slides first, demo later.
§tool
{"slides": 14, "typos": 2}
§...""",
        """\
§user
Revert what broke search.
§assistant
git log --oneline -3
§tool
⟦commit|commit of the banner⟧ banner: shorter text
⟦!commit|commit of the tokenizer change⟧ search: new tokenizer
⟦commit|commit of the typo⟧ typo
§assistant
The tokenizer change is the suspect; the tests will tell.
§...""",
        """\
§user
Tell me when the permit hearing is.
§assistant
open_letter(sender="council")
§tool
Page 1 of 1. The hearing takes place on ⟦!time/moment|time of the hearing⟧ in the annexe. Parking is limited.
§assistant
The letter has it. Should I look up the parking?
§...""",
    ),
}
