"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .pair_test_templates import PAIRS

PROSE: dict[str, tuple[str, ...]] = {
    "prose-labelled": (
        "Hi both, quick handover before my leave: the alarm company knows us as ⟦!filing/serial|customer number at the alarm company⟧, everything else is in the blue folder.",
        "re: printer - toner arrived. Asset tag ⟦!serial/code|asset tag⟧. Pls confirm.",
        "THE PARTIES AGREE that the purchase price (the “Price”) shall be ⟦!amount/money|purchase price⟧, payable upon completion.",
        "Standup notes\n- search is slow again\n- rehearsal database now at ⟦!host/address|rehearsal database⟧\n- cake on Friday",
        "Our records show the following e-mail address for your household: ⟦!email|e-mail address of the household⟧. If it is out of date, tell us at the desk.",
        "PS The wifi in the cottage (it is slow, sorry) has the password ⟦!password/phrase|password of the wifi in the cottage⟧; the owner changes it in winter.",
        "Voicemail from the school nurse, call back number ⟦!telephone/phone|call back number⟧, nothing urgent.",
        "Your one-time passcode is ⟦!pin/digits|one-time passcode⟧. We never ask for it by telephone.",
        "Specimen ⟦!code/serial|specimen⟧ was photographed, weighed and returned to the drawer.",
        "> Which build is on the tablets?\n\nBuild ⟦!version/commit|build on the tablets⟧, since last week.",
        "Wreck of the sloop (position ⟦!coordinates|position of the sloop⟧, depth unknown): do not anchor.",
        "Username: ⟦!username|username⟧ — the password goes to you by letter, as always.",
        "The estate agent wants the rent on account no. ⟦!iban|account for the rent⟧ from next month on; cancel the old standing order.",
        "In the matter of the fence (file ref. ⟦!filing|file ref. of the fence⟧) the court has set no date yet.",
    ),
    "prose-cue": (
        "Turn the dial left twice, then enter ⟦!pin/code|what is entered after the dial⟧ and pull hard.\n?? What is entered after turning the dial?",
        "The parrot has learnt to say “⟦!words|what the parrot says⟧”, which used to be our safe.\n?? What does the parrot say?",
        "Take the forest road until the navigation shows ⟦!coordinates|where to park⟧, park there and walk.\n?? Where does one park?",
        "It says ⟦!serial/code|what the rim says⟧ on the rim, and the mechanic says that is the one to order.\n?? What does it say on the rim?",
        "Mum left the car with the plate ⟦!plate|plate of the car⟧ at the station, can you fetch it?\n?? Which plate does the car have?",
        "Point your client at ⟦!address/host|where to point the client⟧ and you should see the lobby.\n?? Where do I point my client?",
        "For refunds the till wants ⟦!pin/digits|what the till wants⟧ from a supervisor; it is the same in every branch.\n?? What does the till want for refunds?",
        "They settled, after two years, for ⟦!amount/money|what they settled for⟧ and an apology.\n?? What did they settle for?",
        "Ring ⟦!telephone/phone|whom to ring⟧ twice and hang up, then she knows that it is you.\n?? Which number do I ring twice?",
        "When it asks who you are, say ⟦!username/phrase|who to say one is⟧; nobody checks.\n?? Who should I say I am?",
        "Rolled back to ⟦!version/commit|what was rolled back to⟧ around noon and the errors stopped.\n?? What did we roll back to?",
        "Under the wallpaper, in pencil: ⟦!filing/words|what was under the wallpaper⟧. The restorers were delighted.\n?? What was written under the wallpaper?",
        "You'll find the recordings if you look in ⟦!path/url|where the recordings are⟧, newest first.\n?? Where are the recordings?",
        "Everyone meets again ⟦!time/moment|when everyone meets again⟧, same pub, no gifts.\n?? When does everyone meet again?",
    ),
    **PAIRS,
}
CONFUSERS: tuple[str, ...] = (
    "Quick note for whoever has the next shift: {label} ⟦{kind}|{label}⟧, as per the whiteboard.",
    "» {label} » ⟦{kind}|{label}⟧",
    "On the form, next to “{label}”, the applicant wrote ⟦{kind}|{label}⟧ in capitals.",
    "fyi the {label} has been set to ⟦{kind}|{label}⟧ by the office",
    "The letter gives ⟦{kind}|{label}⟧ as the {label}.",
    "* {label}: `⟦{kind}|{label}⟧`",
    "If anybody asks for the {label}, it's ⟦{kind}|{label}⟧; write it down.",
)
CONFUSER_LABELS: tuple[tuple[str, str], ...] = (
    ("garage keypad code", "pin"), ("permit number", "filing"), ("hotline", "telephone"),
    ("deposit slip number", "digits"), ("mirror", "url"), ("tenant id", "uuid"),
    ("patch panel label", "serial"), ("reply address", "email"), ("monitor endpoint", "address"),
    ("pilot licence", "code"), ("export folder", "path"), ("radio handle", "username"),
    ("settlement", "amount"), ("build hash", "commit"), ("well position", "coordinates"),
    ("door camera mac", "mac"),
)  # fmt: skip
