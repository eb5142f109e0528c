"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""

WEB: dict[str, tuple[str, ...]] = {
    "xml": (
        """\
<server id="nightly">
  <passphrase>⟦!phrase/password|passphrase⟧</passphrase>
  <timeout>9</timeout>
</server>""",
        '<ns2:Reply status="ok"><ns2:CaseRef>⟦!record|CaseRef⟧</ns2:CaseRef></ns2:Reply>',
        '<string name="maps_key" translatable="false">⟦!token/id|maps_key⟧</string>',
        '<enclosure type="audio/ogg" url="⟦!url|enclosure url⟧" length="904"/>',
    ),
    "html": (
        '<script>window.__boot = {nonce: "⟦!opaque|nonce⟧", debug: false};</script>',
        "<dl><dt>Claim no.</dt><dd>⟦!record|claim number⟧</dd><dt>Status</dt><dd>open</dd></dl>",
        '<img alt="harbour" data-asset-id=\'⟦!uuid/hex|data-asset-id⟧\' loading="lazy">',
        '<span id="total">⟦!money|total⟧</span> <small>incl. tax</small>',
    ),
    "http-headers": (
        """\
PUT /blobs/12 HTTP/1.1
X-Amz-Security-Token: ⟦!base64/id|X-Amz-Security-Token⟧
Expect: 100-continue""",
        """\
< HTTP/2 200
< server: edge
< x-trace: ⟦!hex/uuid|x-trace⟧
< vary: accept""",
        """\
Proxy-Authorization: Basic ⟦!base64|proxy credentials⟧
Connection: close""",
        """\
Digest: sha-256=⟦!base64/hex|Digest⟧
Date: Tue""",
    ),
    "cookies": (
        "Cookie: lang=pt; PHPSESSID=⟦!opaque|PHPSESSID⟧; seen=1",
        "set-cookie: basket=⟦!record|basket⟧; Max-Age=900; Secure",
        "Response cookies: {'tracking_optout': '1', 'visitor': '⟦!uuid/id|visitor⟧'}",
    ),
    "url-query": (
        "Reset here: https://id.example.org/reset?u=desk&k=⟦!id/hex|k⟧ (one hour).",
        "/api/tiles/9/12?style=plain&access_token=⟦!token/id|access_token⟧",
        "https://meet.example.com/j/⟦!digits|meeting number⟧?pwd=⟦!id|pwd⟧",
        "magnet:?dn=album&xt=urn:btih:⟦!hex|btih⟧",
    ),
    "connection-strings": (
        "mysql://root:⟦!id/phrase|root password⟧@203.0.113.9:3306/shop",
        "Endpoint=sb://bus.example.net/;SharedAccessKeyName=send;SharedAccessKey=⟦!base64|SharedAccessKey⟧",
        "ldap://⟦!host|directory host⟧:389/dc=example,dc=com??sub",
        "host=db.example.com port=5432 dbname=stock user=app password=⟦!password/id|password⟧",
    ),
    "csv": (
        """\
Seat,Passenger,Locator
12A,⟦name⟧,⟦!code|locator⟧""",
        """\
sensor|installed|serial
hygro|⟦date⟧|⟦!serial|serial of the hygrometer⟧""",
        """\
"to","subject","thread"
"desk","Boiler","⟦!uuid/id|thread⟧"
""",
        """\
branch;phone;hours
⟦city⟧;⟦!phone|phone⟧;9-17""",
    ),
    "markdown-table": (
        """\
| Env | Dashboard |
| --- | --- |
| live | <⟦!url|live dashboard⟧> |""",
        """\
|Step|Artifact digest|
|:--:|:--|
|pack|⟦!hex|artifact digest⟧|""",
        """\
| who | extension | locker |
|-----|-----------|--------|
| ⟦name⟧ | 14 | **⟦!code/pin|locker⟧** |""",
    ),
    "sql": (
        "INSERT INTO tokens VALUES (4, 'mobile', '⟦!opaque|mobile token⟧', true);",
        "DELETE FROM leases WHERE holder_id = '⟦!uuid/record|holder_id⟧';",
        "CREATE USER 'etl'@'%' IDENTIFIED BY '⟦!password/phrase|etl password⟧';",
        "COPY stock FROM '⟦!path|copy source⟧' WITH (FORMAT csv);",
    ),
    "cli-flags": (
        "$ gh auth login --hostname git.example.com --with-token ⟦!token|gh token⟧",
        "restic -r ⟦!path/url|restic repository⟧ snapshots --compact",
        "kubectl create secret generic pay --from-literal=pin=⟦!pin/code|pin⟧",
        "curl -u desk:⟦!password/id|curl password⟧ https://api.example.com/me",
        "openssl enc -d -aes-256-cbc -in box.enc -K ⟦!hex|openssl key⟧",
    ),
    "netrc": (
        "machine api.example.net login robot password ⟦!secret|robot password⟧ # ci",
        """\
machine pkg.example.com
login reader
password ⟦!id/token|reader password⟧""",
    ),
    "git-remotes": (
        """\
$ git clone https://ci:⟦!token/id|ci token⟧@code.example.net/web/shop.git
Cloning into 'shop'...""",
        """\
commit ⟦!commit|commit⟧
Author: ⟦name⟧
    Tidy the drawer""",
        """\
[submodule "fonts"]
	path = vendor/fonts
	url = ⟦!url|url of the fonts submodule⟧""",
    ),
    "kubernetes": (
        """\
kind: ConfigMap
data:
  callback: ⟦!url/host|callback⟧
  level: info""",
        """\
stringData:
  admin-password: ⟦!password/phrase|admin-password⟧
immutable: true""",
        """\
Events:
  Normal  Pulled  kubelet  Image "shop/web@sha256:⟦!hex|image digest⟧" present""",
    ),
    "terraform": (
        """\
module "queue" {
  source     = "./queue"
  account_id = "⟦!digits/uuid|account_id⟧"
}""",
        """\
output "nat_gateway" {
  value = "⟦!address/id|nat_gateway⟧"
}""",
        """\
locals {
  edge_token = "⟦!token/opaque|edge_token⟧" # expires in June
  zones      = ["a", "b"]
}""",
    ),
}
