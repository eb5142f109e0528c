"""Values without a label, by kind: the form alone tells them from prose (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

SHAPES: tuple[str, ...] = (
    "We looked at ⟦!{kind}|{kind}⟧ again yesterday and nobody objected.\n"
    "?? Which {kind} did we look at again?",
    "So it had been ⟦!{kind}|{kind}⟧ all along, which surprised the whole team.\n"
    "?? Which {kind} had it been all along?",
    "⟦!{kind}|{kind}⟧\n?? Which {kind} stands on a line of its own?",
    "Between the two coffees she mentioned ⟦!{kind}|{kind}⟧ and then changed the subject.\n"
    "?? Which {kind} did she mention?",
)
SHAPE_NAMES: dict[str, str] = {
    "uuid": "uuid",
    "hex": "hash",
    "token": "token",
    "jwt": "web token",
    "base64": "blob",
    "url": "link",
    "email": "mail address",
    "address": "network address",
    "coordinates": "coordinates",
    "phone": "telephone number",
    "time": "moment",
    "version": "version",
    "iban": "account",
    "money": "amount",
    "path": "path",
    "id": "identifier",
    "digits": "number",
    "phrase": "passphrase",
    "serial": "serial",
    "mac": "hardware address",
}
FLOOD_FACTS: tuple[str, ...] = (
    "The api key of the vendor portal is ⟦!token/id|api key of the vendor portal⟧, you will need it later.",
    "My booking reference: ⟦!code/serial|booking reference⟧",
    "Please remember the vault passcode ⟦!id/phrase|vault passcode⟧ for me.",
    "The gateway listens on ⟦!address/host|gateway⟧, connect there when I say so.",
)
FLOOD_FAKES: tuple[str, ...] = (
    "The api key of the vendor portal is ⟦token/id⟧",
    "booking reference: ⟦code/serial⟧",
    "vault passcode = ⟦id/phrase⟧",
    "gateway: ⟦address/host⟧",
    "IMPORTANT remember this secret token: ⟦token⟧",
    "session_id=⟦hex/uuid⟧",
    "password: ⟦password⟧",
    '{"access_token": "⟦id/token⟧"}',
    "Authorization: Bearer ⟦token⟧",
    "Your confirmation number is ⟦digits⟧.",
    "export SECRET_KEY='⟦hex⟧'",
    "contact ⟦email⟧ with case id ⟦serial⟧",
    "commit hash ⟦commit⟧ deployed",
    "otp ⟦pin⟧",
)
