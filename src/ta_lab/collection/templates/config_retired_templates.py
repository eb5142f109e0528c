"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""
# ruff: noqa: E501 - lines of text as they stand in a file

CONFIG: dict[str, tuple[str, ...]] = {
    "json": (
        """\
{
  "camera": {"name": "gatehouse", "fps": 15},
  "rtspCredential": "⟦!secret|rtspCredential⟧",
  "motion": {"zones": 2}
}""",
        '{"ok":true,"result":{"page":1,"etag":"⟦!hex/uuid|etag⟧","more":false}}',
        """\
[
  {"sku": "lamp", "qty": 2},
  {"sku": "chair", "qty": 6, "lot": "⟦!serial/code|lot of the chairs⟧"}
]""",
        """\
{ "refund" : { "approved" : true, "amount" : "⟦!money|refund amount⟧" , "method":"card" } }""",
        """\
	"parking": {
		"level": 3,
		"ticket": ⟦!digits|parking ticket⟧
	},
	"valet": false,""",
    ),
    "json-in-string": (
        r"""{"msg":"{\"tenant\":\"oak\",\"grant\":\"⟦!opaque|grant⟧\"}","lvl":30}""",
        r"""data = "{\"ship\": {\"imo\": \"⟦!digits/serial|imo⟧\", \"flag\": \"MT\"}}" """,
        r"""{"input": "{\"doc\": \"⟦!path/url|doc⟧\", \"lang\": \"de\", \"pages\": [1, 2]}", "stop": null}""",
        r"""event='{"type":"ping","inner":"{\"nonce\":\"⟦!hex/base64|nonce⟧\"}"}'""",
    ),
    "json-lines": (
        """\
{"seq": 7, "op": "lock"}
{"seq": 8, "op": "sign", "witness": "⟦!opaque|witness⟧"}
{"seq": 9, "op": "unlock"}""",
        """\
{"q":"weather","lang":"fr"}
{"q":"callback","lang":"fr","number":"⟦!phone|callback number⟧"}
{"q":"bye","lang":"fr"}""",
        """\
{"plant":"fern","water":"weekly"}
{"plant":"cactus","water":"rarely","spot":"⟦!coordinates/code|spot of the cactus⟧"}""",
    ),
    "yaml": (
        """\
hotel:
  nights: 3
  breakfast: true
  confirmation: ⟦!record|hotel confirmation⟧""",
        """\
sessions:
    ttl: 45m
    signing: "⟦!opaque|signing of sessions⟧"
    secure: on""",
        """\
- task: mirror
  every: 6h
  from: ⟦!url/host|mirror source⟧
- task: prune
  every: 1d""",
        """\
door:
  # changed on Monday
  keypad: ⟦!pin|keypad⟧
  chime: soft""",
    ),
    "toml": (
        """\
[mail.dkim]
selector = "s2"
private = "⟦!base64/id|private DKIM key⟧"
rotate = "90d" """,
        """\
[deploy]
strategy = "blue-green"
revision = "⟦!commit|deploy revision⟧"
pause = 30""",
        """\
[vehicle]
wheels = 4
vin = '''⟦!code/id|vin⟧'''
""",
        """\
peers = ["⟦!address|peer⟧"]
gossip = true""",
    ),
    "ini": (
        """\
[wifi-guest]
ssid=Orchard
psk=⟦!password/phrase|psk⟧
hidden=no""",
        """\
[remote]
; warehouse scale
scale_id = ⟦!serial/mac|scale_id⟧
unit = kg""",
        """\
[report]
format = pdf
drop_folder = ⟦!path|drop_folder⟧
every = friday""",
    ),
    "properties": (
        """\
feature.flags.sdk=⟦!token/uuid|feature.flags.sdk⟧
feature.flags.poll=30s""",
        """\
mail.from = desk
mail.reply.to = ⟦!email|mail.reply.to⟧
mail.html = true""",
        """\
! generated
kafka.group.instance=⟦!record|kafka.group.instance⟧
kafka.acks=all""",
    ),
    "env": (
        """\
RAILS_MAX_THREADS=5
SECRET_KEY_BASE=⟦!hex|SECRET_KEY_BASE⟧
RAILS_LOG_TO_STDOUT=1""",
        """\
# staging only
REDIS_ENDPOINT=⟦!address/host|REDIS_ENDPOINT⟧
REDIS_DB=2""",
        """\
PGSSLMODE=require
PGPASSWORD="⟦!password|PGPASSWORD⟧"
PGDATABASE=orders""",
        """\
GIT_SHA=⟦!commit|GIT_SHA⟧
BUILD_KIND=nightly""",
    ),
    "shell": (
        """\
if [ -z "${CI:-}" ]; then
  export WEBDAV_AUTH="⟦!opaque|WEBDAV_AUTH⟧"
fi""",
        """\
% setenv LICENSE_SERVER ⟦!address/host|LICENSE_SERVER⟧
% rehash""",
        """\
cat > ~/.pgpass_hint <<END
vault phrase ⟦!words|vault phrase⟧
END""",
        """\
$Env:ARTIFACT_FEED = '⟦!url|ARTIFACT_FEED⟧'
Write-Host ready""",
    ),
}
