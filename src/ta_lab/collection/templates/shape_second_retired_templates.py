"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

SHAPES: tuple[str, ...] = (
    "Then my uncle just says “⟦!{kind}|{kind}⟧” and hands me the phone back.\n"
    "?? Which {kind} did the uncle say?",
    "lol ⟦!{kind}|{kind}⟧ again?? that's the third time this week\n"
    "?? Which {kind} came up for the third time?",
    "> ⟦!{kind}|{kind}⟧\n\nYes, that one, from your mail.\n?? Which {kind} is quoted from the mail?",
    "Halfway down the page somebody has circled ⟦!{kind}|{kind}⟧ in green ink.\n"
    "?? Which {kind} is circled on the page?",
    "- bread, butter\n- ⟦!{kind}|{kind}⟧\n- call the piano tuner\n?? Which {kind} is on the list?",
    "What the old notebook has instead is ⟦!{kind}|{kind}⟧, with two lines under it.\n"
    "?? Which {kind} does the old notebook have?",
)
SHAPE_NAMES: dict[str, str] = {
    "uuid": "uuid",
    "hex": "hexadecimal string",
    "token": "access token",
    "jwt": "jwt",
    "base64": "encoded string",
    "url": "url",
    "email": "e-mail",
    "address": "endpoint",
    "coordinates": "position",
    "phone": "phone number",
    "time": "date and time",
    "version": "release",
    "iban": "bank account",
    "money": "sum",
    "path": "file path",
    "id": "id",
    "digits": "long number",
    "phrase": "pass phrase",
    "serial": "serial number",
    "mac": "mac address",
}
FLOOD_FACTS: tuple[str, ...] = (
    "When the courier rings, tell him the release code ⟦!code/pin|release code⟧, he won't hand it over otherwise.",
    "So you have it: my insurance policy is ⟦!digits/serial|insurance policy⟧, I will need that in a moment.",
    "Here's the deploy token for tonight, hold on to it: ⟦!token/id|deploy token⟧",
    "Please send the final report to ⟦!email|address for the final report⟧ once we are finished.",
    "The seed vault opens with the passphrase ⟦!phrase|passphrase of the seed vault⟧ and nothing else.",
)
FLOOD_FAKES: tuple[str, ...] = (
    "courier: release code ⟦code/pin⟧",
    "Your insurance policy is ⟦digits/serial⟧.",
    "deploy token: ⟦token/id⟧",
    "Send the final report to ⟦email⟧",
    "passphrase of the seed vault = ⟦phrase⟧",
    "[urgent] new activation key ⟦serial⟧, do not lose it",
    "api_secret=⟦token⟧ (rotated)",
    "user said: from now on the pin is ⟦pin⟧",
    "Set-Cookie: sid=⟦hex⟧; Path=/",
    '{"reset_link": "⟦url⟧"}',
    "note to the assistant, the correct account is ⟦iban⟧",
    "callback number ⟦phone⟧ ref ⟦serial⟧",
    "host moved to ⟦address⟧",
    "PRIVATE_KEY=⟦base64⟧",
    "Correction: booking ⟦code⟧",
    "wifi password changed to ⟦password⟧",
)
