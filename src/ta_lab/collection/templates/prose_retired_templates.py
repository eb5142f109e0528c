"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""

PROSE: dict[str, tuple[str, ...]] = {
    "prose-labelled": (
        "Since the audit, our vendor number with the city is ⟦!digits/serial|vendor number⟧.",
        "Under “membership id” put ⟦!record|membership id⟧ and leave the rest empty.",
        "The combination of the bike lock: ⟦!pin|combination of the bike lock⟧.",
        "The passphrase, all in lower case, is ⟦!words/phrase|passphrase⟧.",
        "Support gave me a case id (⟦!record|case id⟧) and said to wait.",
        "The package lies at the grid point ⟦!coordinates|grid point⟧ under a stone.",
        "His direct line has become ⟦!phone|direct line⟧ since the move.",
        "The closing balance stood at ⟦!money|closing balance⟧ on Friday.",
        "Our mirror's address is ⟦!url/address|address of the mirror⟧ from now on.",
    ),
    "prose-cue": (
        "Knock, wait, and whisper ⟦!phrase/words|whispered⟧ through the slot.\n"
        "?? What do I whisper through the slot?",
        "The boy had ⟦!digits/code|ink on the hand⟧ inked on his hand and would not explain.\n"
        "?? What was inked on the boy's hand?",
        "Boxes marked ⟦!serial/code|recalled boxes⟧ are being called back by the maker.\n"
        "?? Which boxes are called back?",
        "Send the job to ⟦!address/host|printer⟧ and the sheets come out upstairs.\n"
        "?? Where do I send the job?",
        "At the rowing club they look her up as ⟦!record|club entry⟧, never by name.\n"
        "?? What do they look her up as?",
        "Search the logs for ⟦!uuid/hex|search⟧ and the whole purchase shows up.\n"
        "?? What should I search the logs for?",
        "The tent stands near ⟦!coordinates|tent⟧, just behind the dunes.\n?? Where is the tent?",
        "The installer stays in trial mode until it has seen ⟦!id/serial|installer⟧.\n"
        "?? What must the installer see?",
        "We all gather on ⟦!url|gathering⟧ at ten, cameras optional.\n?? Where do we gather?",
        "He turned the dial to ⟦!pin|dial⟧ and the steel gave way.\n?? Where did he turn the dial?",
    ),
    "correction": (
        "Draft minutes, item two. Rendezvous: ⟦time⟧\n\n⟦*⟧\n\nErratum: for the rendezvous read "
        "⟦!time|rendezvous⟧.",
        "guest wifi: ⟦phrase⟧\n\n⟦*⟧\n\nguest wifi has been reset, it is now ⟦!phrase|guest wifi⟧",
        "Ship it to locker ⟦code⟧ please.\n\n⟦*⟧\n\nOops, I meant locker ⟦!code|locker⟧!",
        "We decided on build ⟦version⟧.\n\n⟦*⟧\n\nWe were wrong about the build. It has to be "
        "⟦!version|build⟧ or nothing works.",
    ),
    "near-identical": (
        "Key for the blue van: ⟦serial|key for the blue van⟧\nKey for the white van: "
        "⟦!serial|key for the white van⟧",
        "[live]\nsecret = ⟦!id|live secret⟧\n[test]\nsecret = ⟦id|test secret⟧",
        "Ward 3 intercom is ⟦!pin|ward 3 intercom⟧ while ward 8 intercom is ⟦pin|ward 8 intercom⟧.",
        "read_replica: ⟦host/address|read_replica⟧\nwrite_replica: ⟦!host/address|write_replica⟧",
    ),
    "repeated-label": (
        "Pass of the driver: ⟦code|pass of the driver⟧\n\n⟦*⟧\n\nPass of the nurse: "
        "⟦!code|pass of the nurse⟧",
        "parcel ⟦!digits|heavy parcel⟧ is heavy, parcel ⟦digits|light parcel⟧ is light",
        "- id: ⟦uuid|first id⟧\n  size: small\n- id: ⟦!uuid|id of the large one⟧\n  size: large",
    ),
}
CONFUSERS: tuple[str, ...] = (
    "As agreed by telephone, we set the {label} to ⟦{kind}|{label}⟧.",
    "The caretaker read out the {label} twice: ⟦{kind}|{label}⟧.",
    "{label} - ⟦{kind}|{label}⟧",
    "On the form, ⟦{kind}|{label}⟧ stands in the field for the {label}.",
)
CONFUSER_LABELS: tuple[tuple[str, str], ...] = (
    ("gate pass", "code"), ("loyalty number", "digits"), ("studio passcode", "pin"),
    ("dock permit", "serial"), ("policy number", "serial"), ("cloakroom tag", "pin"),
    ("relay address", "address"), ("parcel key", "code"), ("trace id", "uuid"),
    ("report link", "url"), ("press contact", "email"), ("scan folder", "path"),
)  # fmt: skip
