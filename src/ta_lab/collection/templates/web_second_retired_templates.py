"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .infrastructure_second_retired_templates import INFRASTRUCTURE

WEB: dict[str, tuple[str, ...]] = {
    "xml": (
        """\
<server>
  <id>releases</id>
  <username>ci</username>
  <privateToken>⟦!token/id|privateToken of releases⟧</privateToken>
</server>""",
        """\
<CdtrAcct>
  <Id><IBAN>⟦!iban|IBAN of the creditor⟧</IBAN></Id>
</CdtrAcct>
<RmtInf><Ustrd>dues</Ustrd></RmtInf>""",
        """\
<key>TeamIdentifier</key>
<string>⟦!code/id|TeamIdentifier⟧</string>
<key>UIRequiresFullScreen</key>
<true/>""",
        """\
<trkpt><name>Bivouac</name><cmt>⟦!coordinates|position of the bivouac⟧</cmt><ele>2140</ele></trkpt>""",
        """\
<string name="app_name">Ferry</string>
<string name="support_line">⟦!phone|support_line⟧</string>
<string name="ok">OK</string>""",
        """\
<soap:Header><wsse:Security><wsse:UsernameToken><wsse:Username>kiosk</wsse:Username><wsse:Nonce>⟦!base64|Nonce⟧</wsse:Nonce></wsse:UsernameToken></wsse:Security></soap:Header>""",
        """\
<dependency>
  <groupId>org.example</groupId>
  <artifactId>tides</artifactId>
  <version>⟦!version|version of tides⟧</version>
</dependency>""",
        """\
<ns2:Shipment status="cleared" mrn="⟦!record|mrn⟧"><ns2:Goods>tiles</ns2:Goods></ns2:Shipment>""",
    ),
    "html": (
        """\
<p>Hi ⟦name⟧,</p>
<p>your one-time code:</p>
<h1 style="letter-spacing:4px">⟦!pin|one-time code⟧</h1>
<p>It works for ten minutes. Not you? Ignore this mail.</p>""",
        '<script>window.__CFG__ = {theme: "sea", dsn: "⟦!url|dsn⟧"};</script>',
        """\
<dl>
  <dt>Order no.</dt><dd>⟦!code/serial/digits|order no.⟧</dd>
  <dt>Payment</dt><dd>on delivery</dd>
</dl>""",
        """\
<input type="text" id="apikey" readonly value="⟦!opaque|apikey⟧">
<button onclick="copy('apikey')">Copy</button>""",
        """\
<footer>Made with care in ⟦city⟧ · <a href="tel:⟦!phone|telephone link in the footer⟧">call the shop</a> · closed on Mondays</footer>""",
        """\
<iframe title="Festival live" src="⟦!url|src of the live stream⟧" allowfullscreen></iframe>""",
        """\
<details><summary>Show recovery words</summary><code>⟦!words|recovery words⟧</code></details>""",
        """\
<li class="device">Thermometer <span class="muted">⟦!mac/serial|id of the thermometer⟧</span> <em>offline</em></li>""",
    ),
    "http-headers": (
        """\
< HTTP/2 200
< content-type: application/json
< etag: "⟦!hex/id|etag⟧"
< cache-control: max-age=60""",
        """\
PUT /backups/home.img HTTP/1.1
X-Auth-Token: ⟦!opaque|X-Auth-Token⟧
Content-Length: 4096""",
        """\
Authorization: Basic ⟦!base64|basic credentials⟧
Accept-Encoding: gzip
Connection: close""",
        """\
HTTP/1.1 401 Unauthorized
WWW-Authenticate: Digest realm="cams", nonce="⟦!hex/base64|nonce⟧", qop="auth"
Content-Length: 0""",
        """\
Via: 1.1 varnish
traceparent: 00-⟦!hex|trace id⟧-01
x-served-by: cache-7""",
        """\
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: ⟦!base64|Sec-WebSocket-Key⟧
Upgrade: websocket""",
        """\
From: Parish office
To: choir
Message-ID: <⟦!email|Message-ID⟧>
Subject: rehearsal moved
MIME-Version: 1.0""",
        """\
HTTP/1.1 201 Created
Operation-Location: ⟦!url|Operation-Location⟧
Date: today
Server: nginx""",
    ),
    "cookies": (
        "set-cookie: __Host-refresh=⟦!opaque|refresh cookie⟧; path=/; secure; httponly",
        "Cookie: _lang=tr; XSRF-TOKEN=⟦!id/hex|XSRF-TOKEN⟧; seen_banner=1",
        'requests.get(base, cookies={"PHPSESSID": "⟦!id/hex|PHPSESSID⟧", "lang": "ko"})',
        '{"name": "auth", "value": "⟦!jwt/opaque|auth cookie⟧", "domain": ".shop.test", "httpOnly": true, "sameSite": "Lax"}',
        "curl -b 'JSESSIONID=⟦!hex/uuid|JSESSIONID⟧; tz=UTC' https://intranet.corp.test/timesheet",
        'res.cookie("guest", "⟦!uuid/phrase|guest cookie⟧", { maxAge: 9000, signed: false });',
    ),
    "url-query": (
        "To choose a new password follow https://id.example.com/reset?u=41&token=⟦!id/hex|reset token⟧ within an hour.",
        "Join by browser: https://meet.example.net/j/choir?pwd=⟦!id/code|meeting pwd⟧&uname=guest",
        "myapp://open/invite?from=home&inv=⟦!code/uuid|invite⟧&src=qr",
        "http://tiles.example.org/{z}/{x}/{y}.png?style=dusk&access_token=⟦!token/id|access_token of the tiles⟧",
        "302 -> https://bank.corp.test/consent?client=kiosk&state=⟦!uuid/hex|state⟧&prompt=none",
        "POST /hooks/ci?project=press&secret=⟦!phrase/id|hook secret⟧ 204",
        "Unsubscribe: https://news.example.org/u?l=weekly&m=⟦!id|m in the unsubscribe link⟧&r=1",
    ),
    "connection-strings": (
        "mysql+pymysql://shop:⟦!id/phrase|password of shop⟧@maria.example.org:3306/till?charset=utf8mb4",
        "DATABASE_URL=ecto://app:⟦!id|password in DATABASE_URL⟧@localhost/garden_dev",
        "Data Source=⟦!host|Data Source⟧;Initial Catalog=Payroll;Integrated Security=SSPI;",
        "Endpoint=sb://bus.example.net/;SharedAccessKeyName=reader;SharedAccessKey=⟦!base64|SharedAccessKey⟧",
        "sqlite:///⟦!path|sqlite file⟧",
        "ldap bind: uid=svc-badge,ou=apps,dc=corp,dc=test / ⟦!password/phrase|bind password⟧",
        "nats://⟦!address|nats address⟧",
        "sftp://scans:⟦!phrase/id|sftp password⟧@drop.example.com:2022/inbox",
    ),
    "csv": (
        """\
Employee,Badge,Floor
⟦name⟧,⟦!code/serial/digits|badge⟧,4""",
        """\
url,username,password,extra,name
https://forum.example.org,⟦word⟧,⟦!password/phrase|forum password⟧,,Forum""",
        """\
Datum;Empfänger;IBAN;Zweck
⟦date⟧;Gartenverein;⟦!iban|IBAN des Gartenvereins⟧;Pacht""",
        """\
lot,medal,appraisal
11,bronze,none
12,silver,"⟦!money|appraisal of lot 12⟧\"""",
        """\
SSID,BSSID,Signal
guest,⟦!mac|BSSID of guest⟧,-61
""",
        """\
run_id,model,artifact
3,small,⟦!url/path|artifact of run 3⟧""",
        """\
vessel,etd
Sea Pearl,"⟦!time|etd of the Sea Pearl⟧"
""",
    ),
    "markdown-table": (
        """\
| Environment | URL | Owner |
|:--|:--|:--|
| demo | ⟦!url|URL of demo⟧ | sales |""",
        """\
|  | Alarm panel |
|---|---|
| **Disarm** | ⟦!pin|disarm code⟧ |
| **Zone** | barn |""",
        """\
| Who | Reach them at |
| --- | --- |
| Vet | ⟦!phone/email|contact of the vet⟧ |
| Farrier | in person |""",
        """\
| Camera | Firmware |
|---|---|
| Driveway | ⟦!version|firmware of the driveway camera⟧ |""",
        """\
| Param | Type | Example |
|---|---|---|
| `limit` | int | 10 |
| `cursor` | string | `⟦!base64/id|cursor⟧` |""",
        """\
| Secret | Rotated | Current |
|---|---|---|
| cookie signing | ⟦date⟧ | ⟦!hex/id|current cookie signing secret⟧ |""",
    ),
    "sql": (
        "CREATE USER 'ro_dash'@'%' IDENTIFIED BY '⟦!password/id|password of ro_dash⟧';",
        "DELETE FROM sessions WHERE sid = '⟦!opaque|deleted sid⟧';\nDELETE 1",
        """\
SELECT name, iban FROM members WHERE name LIKE 'Tom%';
 name  | iban
-------+------
 Tomas | ⟦!iban|iban of Tomas⟧
(1 row)""",
        "MERGE INTO assets a USING dual ON (a.tag = '⟦!serial/code|asset tag⟧')\nWHEN MATCHED THEN UPDATE SET a.room = 'B';",
        "CREATE EXTERNAL TABLE rides (km double)\nSTORED AS PARQUET\nLOCATION '⟦!path|location of rides⟧';",
        "INSERT INTO wp_options VALUES (NULL, 'siteurl', '⟦!url|siteurl⟧', 'yes');",
        "EXEC sp_addlinkedserver @server = N'LEDGER', @datasrc = N'⟦!host/address|datasrc⟧';",
        "COMMENT ON TABLE wells IS 'surveyed from ⟦!coordinates|survey point⟧';",
    ),
    "cli-flags": (
        "restic -r sftp:nas:/vault restore ⟦!hex/id|restic snapshot⟧ --target /tmp/out",
        "gcloud config set project ⟦!phrase/id|gcloud project⟧",
        "sshpass -p ⟦!id/phrase|ssh password⟧ scp report.pdf guest@drop.example.org:",
        "rclone copy photos: ⟦!path|rclone destination⟧ -P --transfers 2",
        "openssl enc -d -aes-256-cbc -pbkdf2 -in box.enc -out box.tar -pass pass:⟦!phrase/id|openssl passphrase⟧",
        "npm publish --otp=⟦!pin|otp⟧ --access public",
        "nmcli dev wifi connect Nook password ⟦!phrase/id|wifi password⟧ ifname wlan0",
        "signal-cli -a ⟦!phone|signal account⟧ receive --timeout 3",
        "cast send --rpc-url ⟦!url|rpc-url⟧ --legacy --json",
        "wakeonlan -p 9 ⟦!mac|mac to wake⟧",
    ),
    "netrc": (
        """\
machine pypi.corp.test
    login __token__
    password ⟦!token/id|password for pypi.corp.test⟧""",
        "machine dav.example.net login ines password ⟦!phrase/password|dav password⟧ # calendar only",
        """\
# heroku
machine api.paas.example.com login ops password ⟦!uuid|paas password⟧
machine ftp.old.example.com login anonymous""",
        "machine ⟦!host|machine⟧ login mirror",
        """\
default
login reader
password ⟦!id/words|default password⟧""",
    ),
    **INFRASTRUCTURE,
}
