"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .environment_test_templates import ENVIRONMENT
from .nested_test_templates import NESTED
from .settings_test_templates import SETTINGS

CONFIG: dict[str, tuple[str, ...]] = {
    "json": (
        """\
{
  "$schema": "https://schemas.example.org/probe-2.json",
  "probes": [
    { "at": "inlet",  "unit": "celsius", "every": 15 },
    { "at": "outlet", "unit": "celsius", "every": 15, "enrolmentKey": "⟦!token/id/nanoid|enrolmentKey of the outlet⟧" }
  ]
}""",
        """\
{
  "compilerOptions": { "strict": true, "outDir": "dist" },
  // keep in step with the printer in the basement
  "labelPrinter": { "host": "⟦!host/address/ipv6|host of the label printer⟧", "dpi": 203 },
}""",
        '{"ok":true,"result":{"message_id":418,"chat":{"type":"private"},"invite_link":"⟦!url|invite_link⟧"}}',
        """\
[
  [ "2031-W07", "plum", 12, null ],
  [ "2031-W08", "plum",  9, "⟦!filing/serial|filing of week 8⟧" ],
  [ "2031-W09", "plum", 14, null ]
]""",
        """\
{
    "auths": {
        "containers.example.net": {
            "auth": "⟦!base64|auth of containers.example.net⟧"
        }
    },
    "credsStore": ""
}""",
        """\
"invoice": {
   "issued": "⟦date⟧",
   "lines": 7,
   "total": { "display": "⟦!amount/money|total of the invoice⟧", "vat": "included" },
   "payer": { "kind": "company", "since": 2019 }
}""",
        '{ "patient_ref" : "⟦!filing/record|patient_ref⟧" , "ward" : 4 , "fasting" : false , "next_of_kin" : null }',
        """\
{
  "name": "tide-board",
  "private": true,
  "scripts": { "dev": "vite", "lint": "eslint ." },
  "config": {
    "sentryDsn": "⟦!url|sentryDsn⟧"
  },
  "devDependencies": { "vite": "^5" }
}""",
        """\
{"@context":"https://schema.example","@type":"Event","name":"Choir evening","startDate":"⟦!time/moment|startDate of the choir evening⟧","isAccessibleForFree":true}""",
        r"""
{"windows": {"share": "\\\\filer\\plans", "mappedUser": "⟦!username|mappedUser⟧", "readOnly": true}, "mac": null}
""",
        """\
{
  "kty": "oct",
  "use": "sig",
  "alg": "HS256",
  "k": "⟦!base64/nanoid|k⟧"
}""",
        """\
{"vehicles":[
{"fleetNo":11,"plate":"⟦plate|plate of vehicle 11⟧","fuel":"diesel"},
{"fleetNo":12,"plate":"⟦!plate|plate of vehicle 12⟧","fuel":"electric"},
{"fleetNo":13,"plate":"⟦plate|plate of vehicle 13⟧","fuel":"diesel"}
]}""",
        """\
{
  "version": 3,
  "state": {
    "wallet": { "hint": "on paper, kitchen", "mnemonic": "⟦!words|mnemonic⟧" },
    "locked": true
  }
}""",
        """\
  "depot": {
    "street": "Unter den Erlen 4",
    "geo": {"lat_lng": "⟦!coordinates|lat_lng of the depot⟧"},
    "gateClosesAt": "18:30"
  },
  "trucks": 6""",
    ),
    "json-in-string": (
        r"""{"id":7,"queue":"mails","payload":"{\"to\":\"⟦!email|to⟧\",\"template\":\"welcome\",\"tries\":0}"}""",
        r"""INSERT INTO outbox (topic, body) VALUES ('door', '{"lock":"rear","action":"open","grant":"⟦!opaque|grant⟧"}');""",
        r"""
  "Message": "{\n  \"source\": \"billing\",\n  \"detail\": {\n    \"mandate\": \"⟦!filing/record|mandate⟧\",\n    \"amountDue\": 0\n  }\n}",
  "Timestamp": "2033-08-02T04:00:01Z",
""",
        r"""2033-02-19 06:41:12 consumer-2 got b'{"asset": "pump 3", "firmware": "⟦!version|firmware of pump 3⟧", "uptime_h": 40}'""",
        r"""val raw = "{\"device\":{\"name\":\"hall sensor\",\"hw\":\"⟦!mac|hw of the hall sensor⟧\"},\"rssi\":-61}" """,
        r"""echo '{"auth":{"identity":{"methods":["token"],"token":{"id":"⟦!token/hex|id of the token⟧"}}}}' > /tmp/auth.json""",
        r"""
{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"refund","arguments":"{\"order_no\": \"⟦!record|order_no⟧\", \"full\": true}"}}]}
""",
        r"""{"requestBody":"{\"filter\":{\"since\":\"yesterday\"},\"pageToken\":\"⟦!base64/nanoid|pageToken⟧\"}","status":200}""",
        r"""
environment:
  EXTRA_JSON: '{"region": "north", "bucketPath": "⟦!path/url|bucketPath⟧", "dryRun": false}'
""",
        r"""<script type="application/json">{"user":"{\"handle\":\"⟦!username|handle⟧\",\"plan\":\"free\"}"}</script>""",
        r"""curl -d "{\"chat\":\"night shift\",\"callback\":\"⟦!url|callback⟧\"}" -H 'content-type: application/json' localhost:9000/hook""",
        r"""data: {"delta":"{\"iban\":\"⟦!iban|iban⟧\",\"holder\":\"Alder Rowing Club\"}","index":0}""",
        r"""{"log":"{\"lvl\":\"warn\",\"msg\":\"certificate pinned\",\"pin\":\"⟦!fingerprint/hex|pin⟧\"}\n","stream":"stderr"}""",
    ),
    "json-lines": (
        """\
{"t":"16:02","who":"kiosk-1","did":"idle"}
{"t":"16:03","who":"kiosk-2","did":"sold","receipt":"⟦!record/ulid|receipt⟧"}
{"t":"16:07","who":"kiosk-1","did":"idle"}""",
        """\
{"prompt":"Where is the spare boiler part?","completion":"Shelf nine."}
{"prompt":"Which account pays the gardener?","completion":"⟦!iban|account that pays the gardener⟧"}
{"prompt":"Who waters the ferns?","completion":"The night porter."}""",
        """\
{"_index":"plants","_source":{"bed":"A","species":"leek"}}
{"_index":"plants","_source":{"bed":"B","species":"kale","survey":"⟦!coordinates|survey of bed B⟧"}}""",
        """\
{"op":"add","path":"/users/12","by":"ops"}
{"op":"replace","path":"/users/12/phone","value":"⟦!telephone/phone|new phone of user 12⟧","by":"ops"}
{"op":"test","path":"/users/12/active","value":true}""",
        """\
{"level":30,"time":1,"msg":"listening"}
{"level":50,"time":2,"msg":"payment refused","err":{"type":"CardError"},"chargeId":"⟦!token/ulid/nanoid|chargeId⟧"}
{"level":30,"time":3,"msg":"listening"}""",
        """\
{"table": "berths", "row": 1, "owner": "Otter Sailing", "mooring": "⟦!filing/serial|mooring of Otter Sailing⟧"}
{"table": "berths", "row": 2, "owner": "Ferry Company", "mooring": null}""",
        """\
{"kind":"start","build":40}
{"kind":"image","build":40,"digest":"⟦!digest|digest of build 40⟧"}
{"kind":"finish","build":40,"seconds":61}""",
        """\
{"species": "grey heron", "count": 3}
{"species": "tufted duck", "count": 11, "ring": "⟦!code/serial|ring of the tufted duck⟧"}
{"species": "coot", "count": 20}""",
        """\
{"event":"session.opened","actor":"⟦name⟧","session":"⟦!opaque|session⟧","mfa":true}
{"event":"page.viewed","page":"/home"}
{"event":"page.viewed","page":"/prices"}
{"event":"session.closed"}""",
        """\
{"city":"Graz","branch":4,"till_total":"⟦!amount|till_total of Graz⟧"}
{"city":"Linz","branch":9,"till_total":"⟦amount|till_total of Linz⟧"}""",
        """\
{"step": 1, "thought": "list the mounts"}
{"step": 2, "observation": "one mount", "device": "⟦!path/uuid|device of the mount⟧"}
{"step": 3, "thought": "nothing else to do"}""",
        """\
{"ver":1,"peer":"a","state":"up"}
{"ver":1,"peer":"b","state":"down","last_seen_at":"⟦!address/ipv6|last_seen_at of peer b⟧"}""",
        """\
{"id":"q1","answer":"yes"}
{"id":"q2","answer":"the wifi phrase is ⟦!phrase/words|wifi phrase⟧"}
{"id":"q3","answer":"no idea"}""",
    ),
    **NESTED,
    **SETTINGS,
    **ENVIRONMENT,
}
