"""Labels that are easily taken for each other, things with several values, and idle sentences."""

from __future__ import annotations

from . import concept_values as v

NOUNS = tuple(
    (
        "password|API key|port|PIN|access code|token|endpoint|hostname|account number|room number|"
        "door code|phone number|username|license key|budget|deadline|serial number|address|url|"
        "version|server|order number|ticket number|limit|price|wifi password|badge number|quota|"
        "invoice number|passphrase|meeting room|database name|bucket|path|start date|signature|"
        "reference number|extension|branch|checksum|bay|combination|user id|rate|seat|codename"
    ).split("|")
)
# Owners that distinguish otherwise equal labels; {n} is the noun.
AXES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(forms.split("|")), tuple(owners.split("|")))
    for forms, owners in (
        (
            "{x} {n}|{n} for {x}|{n} ({x})|{n} in {x}",
            "production|staging|development|test|QA|preview|sandbox",
        ),
        ("{x} {n}|{n}, {x}", "prod|dev|stage|uat|ci|demo"),
        ("{x} {n}", "primary|backup|secondary|emergency|spare"),
        ("{x} {n}", "old|new|current|previous|temporary|future"),
        (
            "{x}'s {n}|{n} of {x}|{n} for {x}",
            "Alice|Bob|Carol|Dave|Erin|Frank|Grace|Heidi|Ivan|Judy|Mallory|Oscar",
        ),
        (
            "{n} of {x}|{x} {n}|{n} for {x}",
            "node 1|node 2|node 3|node 4|node 5|node 10|node 11|node 12",
        ),
        ("{n} {x}|{n} ({x})", "v1|v2|v3|v4|v10|v11"),
        ("{n} {x}", "A|B|C|D|E|AA|AB|BA"),
        ("{n} {x}|{n} no. {x}", "1|2|3|4|5|6|7|8|9|10|11|12"),
        ("{x} {n}", "read|write|admin|delete"),
        ("{x} {n}", "internal|external|public|private|shared"),
        (
            "{n} in {x}|{x} {n}|{n} for {x}|{n} of the {x} office",
            "Paris|London|Tokyo|Berlin|Madrid|Oslo|Rome|Lima|Cairo|Austin|Seoul|Dublin",
        ),
        ("{n} for {x}|{x} {n}|{n} in {x}", "|".join(v.MONTHS)),
        ("{n} for {x}|{x} {n}", "|".join(v.WEEKDAYS)),
        ("{x} {n}", "first|second|third|fourth|fifth|last"),
        ("{x} {n}", "home|work|holiday|school|mobile"),
        ("{x} {n}", "inbound|outbound|incoming|outgoing"),
        ("{x} {n}|{n} at the {x} side", "left|right|upper|lower|front|back"),
        ("{n} of the {x} gate|{x} {n}", "north|south|east|west|northeast|northwest"),
        ("{x} {n}", "client|server|guest|host|owner|visitor"),
        ("{x} {n}", "morning|noon|evening|night"),
        ("{n} for the {x}|{x} {n}", "red team|blue team|green team|yellow team|black team"),
        (
            "{n} for {x}|{x} {n}",
            "Redis|Postgres|Kafka|MySQL|MongoDB|Elastic|RabbitMQ|Grafana|Vault|Consul|Nginx",
        ),
        ("{x} {n}", "minimum|maximum|default|average"),
        ("{n} on the {x} floor|{x} floor {n}", "ground|first|second|third|top"),
        ("{n} of project {x}|{x} {n}", "Orion|Apollo|Atlas|Gemini|Mercury|Juno|Vega|Argo"),
        ("{n} for the {x}|{x} {n}", "bank|insurance|library|gym|clinic|hotel|university|airline"),
    )
)
# An entity with several values: its names, its attributes with their makers.
ENTITIES: tuple[tuple[tuple[str, ...], tuple[tuple[str, v.Maker], ...]], ...] = (
    (
        ("server atlas", "server titan", "the build server", "the mail gateway", "node seven"),
        (
            *(("hostname", v.host), ("IP address", v.private_address), ("port", v.port)),
            *(("root password", v.credential), ("kernel version", v.version), ("rack", v.room)),
        ),
    ),
    (
        ("the trip to Lisbon", "our Oslo journey", "the Denver trip", "the honeymoon"),
        (
            *(("flight number", v.tagged("LH", "BA", low=3, high=4)), ("seat", v.seat)),
            *(("booking reference", v.upper_code), ("departure date", v.date)),
            *(("hotel room", v.room), ("total price", v.money), ("check-in time", v.clock)),
        ),
    ),
    (
        ("Mr. Okafor", "Ms. Lindqvist", "Dr. Haddad", "Jane Doe", "Miguel", "Priya"),
        (
            *(("phone number", v.phone), ("e-mail address", v.email), ("desk", v.room)),
            *(("badge number", v.digits(4, 6)), ("birthday", v.date), ("username", v.slug)),
        ),
    ),
    (
        ("order Maple", "the Hansen order", "the furniture order", "order Delta"),
        (
            *(("order number", v.tagged("PO-", "O-")), ("tracking number", v.upper_code)),
            *(("total", v.money), ("delivery date", v.date), ("delivery slot", v.time_window)),
        ),
    ),
    (
        ("the blue car", "the van", "the rental car", "our camper", "the company car"),
        (
            *(("licence plate", v.plate), ("parking spot", v.room), ("key number", v.digits(3, 5))),
            *(("insurance policy", v.upper_code), ("radio code", v.digits(4, 4))),
        ),
    ),
    (
        ("project Nimbus", "the website relaunch", "the billing service", "project Kestrel"),
        (
            *(("repository", v.url), ("branch", v.branch), ("version", v.version)),
            *(("deadline", v.date), ("budget", v.money), ("API key", v.credential)),
            *(("database", v.slug), ("log file", v.path), ("commit", v.hex_id)),
        ),
    ),
    (
        ("the holiday flat", "the cottage", "the Berlin apartment", "the new office"),
        (
            *(("door code", v.digits(4, 6)), ("wifi name", v.network), ("rent", v.money)),
            *(("wifi password", v.passphrase), ("safe combination", v.combination)),
            *(("alarm code", v.digits(4, 6)), ("landlord's phone", v.phone)),
        ),
    ),
    (
        ("patient Weber", "the patient in bed four", "patient Ito", "the child"),
        (
            *(("patient id", v.tagged("P-", "MRN")), ("dose", v.dose), ("room", v.room)),
            *(("appointment", v.appointment), ("insurance number", v.upper_code)),
        ),
    ),
    (
        ("the quarterly meeting", "Monday's workshop", "the interview", "the budget review"),
        (
            *(("room", v.room), ("start time", v.clock), ("dial-in number", v.phone)),
            *(("meeting id", v.digits(8, 10)), ("passcode", v.digits(4, 6)), ("link", v.url)),
        ),
    ),
)
ABOUT = (
    *(
        "{Key} of {entity}: {value}",
        "The {key} of {entity} is {value}.",
        "{Entity} ({key}: {value})",
    ),
    *("For {entity} the {key} is {value}.", "{Entity} has the {key} {value}."),
    *("We registered {value} as the {key} of {entity}.", "{value} is the {key} of {entity}."),
    *("{Entity}: {key} {value}", "As the {key} for {entity} we noted {value}."),
)
IN_LIST = (
    *(" {Key}: {value}.", "\n- {Key}: {value}", " Its {key} is {value}.", " The {key} is {value}."),
    *(" {key} {value},", " {key}={value};", " with the {key} {value},", "\n{key}: {value}"),
    *(" the {key} ({value}),", " {key} \u2013 {value};", " and the {key} being {value},"),
)
INTRODUCTIONS = (
    *("About {entity}:", "Here is what we know about {entity}.", "{Entity}:", "Data of {entity}:"),
    *("Notes on {entity}:", "{Entity} is described as follows:", "These belong to {entity}:"),
)
IDLE = tuple(
    (
        "The weather was mild for the season.|Somebody should water the plants.|"
        "No values were recorded that day.|The password is never written on paper.|"
        "We forgot to ask for the number.|A code is needed, but nobody has it.|"
        "They talked about keys and doors for an hour.|The meeting was shorter than planned.|"
        "Tokens expire, as everybody knows.|The report has no numbers yet.|"
        "Ask the front desk if you have lost your key.|The old sign was painted over.|"
        "The port was full of ships.|He could not recall the address.|Lunch was late again."
    ).split("|")
)
