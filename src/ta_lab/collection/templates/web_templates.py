"""Markup, protocols, tables, commands and infrastructure (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .query_templates import QUERIES

WEB: dict[str, tuple[str, ...]] = {
    "xml": (
        """\
<credentials>
  <username>deployer</username>
  <password>⟦!password/id|password⟧</password>
</credentials>""",
        '<parcel weight="2kg"><depot>⟦city⟧</depot><trackingNumber>⟦!record|trackingNumber⟧'
        "</trackingNumber></parcel>",
        """\
<connection timeout="30" endpoint="⟦!url/address|endpoint⟧" keepAlive="true"/>""",
        """\
<wpt><name>Spring</name><desc>⟦!coordinates|position of the spring⟧</desc><sym>Water</sym></wpt>""",
        """\
<Ustrd><![CDATA[⟦!serial/words|Ustrd⟧]]></Ustrd>
<Purp><Cd>OTHR</Cd></Purp>""",
    ),
    "html": (
        '<form method="post"><input type="hidden" name="csrf" value="⟦!opaque|csrf value⟧">'
        '<button class="primary">Save</button></form>',
        '<div class="map" data-zoom="9" data-center="⟦!coordinates|data-center⟧"></div>',
        '<meta name="verification" content="⟦!id/hex|verification content⟧">\n<title>Orchard</title>',
        """\
<p>Questions? <a href="mailto:⟦!email|mail address in the link⟧">Write to the desk</a></p>""",
        """\
<tr><td>Booking</td><td><b>⟦!record|booking⟧</b></td></tr>
<tr><td>Guests</td><td>2</td></tr>""",
    ),
    "http-headers": (
        """\
GET /v2/shards HTTP/1.1
Host: ledger.example.net
Authorization: Bearer ⟦!jwt/opaque|bearer token⟧
Accept: application/json""",
        """\
HTTP/1.1 202 Accepted
Content-Type: text/plain
X-Request-Id: ⟦!uuid/hex|X-Request-Id⟧
Retry-After: 30""",
        """\
> POST /upload HTTP/2
> user-agent: probe/4.1
> x-api-key: ⟦!token/id|x-api-key⟧
> content-length: 88""",
        """\
HTTP/1.1 301 Moved Permanently
Location: ⟦!url|Location⟧
Content-Length: 0""",
        """\
If-None-Match: "⟦!hex/id|If-None-Match⟧"
Cache-Control: no-cache""",
    ),
    "cookies": (
        "Set-Cookie: sid=⟦!opaque|sid⟧; Path=/; HttpOnly; SameSite=Lax",
        "Cookie: theme=dark; cart=⟦!record|cart cookie⟧; consent=yes",
        """\
# Netscape HTTP Cookie File
.example.com	TRUE	/	FALSE	0	remember	⟦!id/base64|remember cookie⟧""",
        """document.cookie = "device=⟦!uuid/hex|device cookie⟧; max-age=3600";""",
    ),
    "url-query": (
        "Open https://shop.example.com/return?step=2&order=⟦!record|order⟧&lang=en to go on.",
        "GET /oauth/callback?state=open&code=⟦!id/hex|code⟧&scope=read",
        "https://files.example.org/s/report.pdf?expires=3600&sig=⟦!hex/id|sig⟧",
        "wss://live.example.net/socket?v=3&ticket=⟦!uuid/id|ticket⟧#main",
        "otpauth://totp/Orchard:desk?issuer=Orchard&secret=⟦!code|otp secret⟧&digits=6",
        *QUERIES,
    ),
    "connection-strings": (
        "postgresql://app:⟦!id/phrase|database password⟧@db.example.com:5432/orders?sslmode=require",
        "Server=tcp:sql.example.net,1433;Database=stock;User Id=app;Password=⟦!id/password|Password⟧;Encrypt=yes;",
        "amqps://worker:⟦!id|broker password⟧@mq.example.org/jobs",
        "DefaultEndpointsProtocol=https;AccountName=attic;AccountKey=⟦!base64|AccountKey⟧;EndpointSuffix=example.net",
        "mongodb+srv://reader:⟦!phrase/id|mongo password⟧@cluster0.example.com/?retryWrites=true",
        "redis://⟦!address|redis address⟧/0",
    ),
    "csv": (
        """\
name,city,member_no,since
⟦name⟧,⟦city⟧,⟦!record|member_no⟧,2031""",
        """\
"device";"room";"mac"
"printer";"hall";"⟦!mac|mac of the printer⟧"
""",
        """\
date	payee	account	note
⟦date⟧	Roofer	⟦!iban|account of the roofer⟧	second half""",
        """\
site,lat_lon,crew
Quarry,"⟦!coordinates|lat_lon of the quarry⟧",4
""",
        """\
id,email,active
7,⟦!email|email⟧,true""",
    ),
    "markdown-table": (
        """\
| service | owner | access token |
|---|---|---|
| billing | ⟦name⟧ | ⟦!opaque|access token of billing⟧ |""",
        """\
| Field | Entry |
|:------|------:|
| Guests | 4 |
| Voucher | `⟦!code/serial|voucher⟧` |
| Dinner | yes |""",
        """\
Host | Port | Address
--- | --- | ---
relay | 25 | ⟦!address/host|address of the relay⟧""",
        """\
| Item | Price |
|------|-------|
| Deposit | ⟦!money|deposit⟧ |
| Key ring | none |""",
    ),
    "sql": (
        "INSERT INTO api_clients (name, secret) VALUES ('kiosk', '⟦!opaque|secret of kiosk⟧');",
        "UPDATE doors SET passcode = '⟦!pin/code|passcode⟧' WHERE floor = 2;",
        "SELECT status FROM shipments WHERE tracking = '⟦!record|tracking⟧' LIMIT 1;",
        "ALTER USER reporting WITH PASSWORD '⟦!password/phrase|reporting password⟧';",
        """\
-- seed
INSERT INTO sites(id, position)
VALUES (12, '⟦!coordinates|position⟧');""",
    ),
    "cli-flags": (
        "$ vault login --method=token --token=⟦!token/id|--token⟧ --no-print",
        "docker run -d --name cache -e REDIS_PASSWORD=⟦!secret|REDIS_PASSWORD⟧ redis:7",
        "mysqldump -h db.example.com -u backup -p⟦!id|mysql password⟧ orders > orders.sql",
        "aws s3 cp dump.gz ⟦!url/path|s3 target⟧ --quiet",
        "ffmpeg -i intro.mov -metadata uuid=⟦!uuid|uuid⟧ -c copy out.mov",
        "ssh -i ⟦!path|identity file⟧ -p 2222 deploy@edge.example.com uptime",
    ),
    "netrc": (
        "machine git.example.com login deploy password ⟦!secret|netrc password⟧",
        """\
machine ftp.example.org
  login anonymous
  account ⟦!record|account⟧
""",
        "default login guest password ⟦!password/id|default password⟧",
    ),
    "git-remotes": (
        """\
[remote "origin"]
	url = https://oauth2:⟦!token/id|token in the remote⟧@git.example.com/team/site.git
	fetch = +refs/heads/*:refs/remotes/origin/*""",
        """\
$ git remote -v
origin	⟦!url|origin⟧ (fetch)""",
        """\
From git.example.org:tools/press
 * branch            main       -> FETCH_HEAD
HEAD is now at ⟦!commit|HEAD⟧ Fix margins""",
        """\
Fast-forward to ⟦!commit|fast-forward target⟧, tag ⟦!version|tag⟧ created.""",
    ),
    "kubernetes": (
        """\
apiVersion: v1
kind: Secret
metadata:
  name: pay
type: Opaque
data:
  webhook: ⟦!base64|webhook⟧""",
        """\
      containers:
        - name: api
          image: registry.example.com/api:⟦!version/commit|image tag⟧
          env:
            - name: SIGNING_KEY
              value: "⟦!opaque|SIGNING_KEY⟧"
""",
        """\
Name:         cart-0
Namespace:    shop
Annotations:  checksum/config: ⟦!hex|checksum/config⟧
Status:       Running""",
        """\
$ kubeadm join --token ⟦!id|join token⟧ --discovery-token-unsafe-skip-ca-verification""",
    ),
    "terraform": (
        """\
resource "dns_record" "mx" {
  zone  = "example.com"
  value = "⟦!host/address|mx value⟧"
  ttl   = 300
}""",
        """\
variable "db_password" {
  type      = string
  sensitive = true
  default   = "⟦!secret|db_password⟧"
}""",
        """\
Outputs:

bucket_arn = "⟦!id/path|bucket_arn⟧"
count = 2""",
        """\
provider "cloud" {
  subscription_id = "⟦!uuid|subscription_id⟧"
  features {}
}""",
    ),
}
