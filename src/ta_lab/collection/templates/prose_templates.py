"""Prose: labelled statements, unstructured cues, corrections, labels alike (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .correction_templates import CORRECTIONS
from .cue_templates import CUES
from .read_templates import READ_CONFUSERS, READ_CUES, READ_LABELS
from .restated_templates import RESTATED
from .spoken_cue_templates import SPOKEN
from .told_cue_templates import TOLD_CUES
from .told_frame_templates import TOLD_CONFUSERS, TOLD_LABELS

PROSE: dict[str, tuple[str, ...]] = {
    "prose-labelled": (
        "After the inspection the archive key was changed to ⟦!code/id|archive key⟧ and the old one returned.",
        "Please note that our new customer reference is ⟦!record|customer reference⟧, effective immediately.",
        "The door code for the studio: ⟦!pin/code|door code⟧ (press the bell twice).",
        "As of today the tracker reports its position as ⟦!coordinates|position of the tracker⟧.",
        "Dear all, the recovery phrase reads “⟦!words|recovery phrase⟧”, in that order.",
        "Invoices go to a new account, number ⟦!iban|account number for invoices⟧, please update your records.",
        "You can reach the night desk on ⟦!phone|number of the night desk⟧ if the gate is shut.",
        "The agreed price is ⟦!money|agreed price⟧ including delivery.",
        "Her username on the forum is still ⟦!id/phrase|forum username⟧, as far as I know.",
        "The hearing has been scheduled for ⟦!time|date of the hearing⟧ in room four.",
        "We froze dependencies at release ⟦!version|frozen release⟧ because of the printer driver.",
    ),
    "prose-cue": (
        "To get in, type ⟦!pin/code|entry⟧ on the little keypad and push.\n?? What do I type to get in?",
        "A grey van with ⟦!code|plate of the van⟧ on its bumper has stood here since Tuesday.\n"
        "?? What was on the van's bumper?",
        "The guard will let you pass if you say “⟦!words|what to say⟧” first.\n"
        "?? What must I say to the guard?",
        "It worked until ⟦!commit|culprit⟧ was merged on Friday night.\n?? What broke it?",
        "Grandmother wrote ⟦!pin/digits|what grandmother wrote⟧ on the back of the photograph and smiled.\n"
        "?? What did grandmother write on the photograph?",
        "Everything is stored on ⟦!host/address|storage⟧ now; the old machine is off.\n"
        "?? Where is everything stored?",
        "Whoever handles our invoices reads mail at ⟦!email|invoice mail⟧ every morning.\n"
        "?? Where do I write about invoices?",
        "They dropped us at ⟦!coordinates|drop-off⟧ and drove away without a word.\n"
        "?? Where were we dropped?",
        "Scribbled in the margin, in red: ⟦!id/code|note in the margin⟧.\n?? What is in the margin?",
        "If the siren starts, ⟦!pin/code|what stops the siren⟧ makes it stop.\n?? What stops the siren?",
        "Ask for ⟦!serial/code|what to ask for⟧ at the counter, they keep it under that.\n"
        "?? What do I ask for at the counter?",
        "Only ⟦!password/phrase|what opens the vault⟧ opens the copy in the vault.\n"
        "?? What opens the copy in the vault?",
        "The slip in his coat said ⟦!digits/serial|slip⟧ and nothing else.\n?? What did the slip say?",
        "We signed for ⟦!money|sum⟧ in the end, more than planned.\n?? How much did we sign for?",
        *CUES,
        *SPOKEN,
        *READ_CUES,
        *TOLD_CUES,
    ),
    "correction": (
        "For everybody who asked: the pickup code is ⟦code⟧.\n\n⟦*⟧\n\n"
        "Scratch that, the pickup code is ⟦!code|pickup code⟧ after all.",
        "Meter serial: ⟦serial⟧\n\n⟦*⟧\n\nCorrection. Meter serial: ⟦!serial|meter serial⟧",
        "I told you the gate opens with ⟦pin⟧.\n\n⟦*⟧\n\nNo wait, they changed it: ⟦!pin|gate code⟧ from today.",
        "The server is at ⟦address⟧ for now.\n\n⟦*⟧\n\n"
        "The server has moved, use ⟦!address|server⟧ in place of the earlier one.",
        "Dana's number is ⟦phone⟧.\n\n⟦*⟧\n\nSorry, I misread my own writing. Dana's number is "
        "actually ⟦!phone|Dana's number⟧.",
        "deposit = ⟦money⟧\n\n⟦*⟧\n\ndeposit = ⟦!money|deposit⟧  # amended, supersedes the line above",
        *CORRECTIONS,
        *RESTATED,
    ),
    "near-identical": (
        "prod api key: ⟦!token/id|prod api key⟧\nstaging api key: ⟦token/id|staging api key⟧",
        "The password of the production database is ⟦!password|production database password⟧.\n\n⟦*⟧\n\n"
        "The password of the development database is ⟦password|development database password⟧.",
        "DEPLOY_SECRET_EU1=⟦!opaque|DEPLOY_SECRET_EU1⟧\nDEPLOY_SECRET_EU2=⟦opaque|DEPLOY_SECRET_EU2⟧",
        "first floor alarm: ⟦pin|first floor alarm⟧; second floor alarm: ⟦!pin|second floor alarm⟧",
        "Token of the north cluster: ⟦uuid|north token⟧\n\n⟦*⟧\n\n"
        "Token of the south cluster: ⟦!uuid|south token⟧",
        '{"primary": {"serial": "⟦!serial|primary serial⟧"}, "backup": {"serial": "⟦serial|backup serial⟧"}}',
    ),
    "repeated-label": (
        "Token for Alice: ⟦id|token for Alice⟧\n\n⟦*⟧\n\nToken for Bruno: ⟦!id|token for Bruno⟧\n\n⟦*⟧\n\n"
        "Token for Chen: ⟦id|token for Chen⟧",
        "Order ⟦!record|first order⟧ was packed, order ⟦record|second order⟧ waits for the courier.",
        "room: A\ncode: ⟦!code|code of room A⟧\nroom: B\ncode: ⟦code|code of room B⟧\nroom: C\n"
        "code: ⟦code|code of room C⟧",
        "My old id was ⟦serial|old id⟧, the id on the new card is ⟦!serial|id on the new card⟧.",
    ),
}
CONFUSERS: tuple[str, ...] = (
    "Before she left, the clerk wrote down that the {label} is ⟦{kind}|{label}⟧ and went home.",
    "The {label} will be ⟦{kind}|{label}⟧ until further notice.",
    "{label}: ⟦{kind}|{label}⟧",
    "Somebody had pencilled ⟦{kind}|{label}⟧ next to “{label}” on the receipt.",
    "Our {label} reads ⟦{kind}|{label}⟧ for the record.",
    *READ_CONFUSERS,
    *TOLD_CONFUSERS,
)
CONFUSER_LABELS: tuple[tuple[str, str], ...] = (
    ("boarding code", "code"), ("locker combination", "pin"), ("pairing pin", "pin"),
    ("customs reference", "serial"), ("ticket number", "digits"), ("voucher", "code"),
    ("warranty id", "serial"), ("courier tracking number", "digits"), ("lab badge", "code"),
    ("backup host", "address"), ("upload link", "url"), ("session key", "hex"),
    ("billing contact", "email"), ("archive folder", "path"), *READ_LABELS, *TOLD_LABELS,
)  # fmt: skip
