"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

REQUESTS: dict[str, tuple[str, ...]] = {
    "http-headers": (
        """\
PUT /films/12/poster HTTP/1.1
Host: films.example.org
Content-Type: image/webp
X-Amz-Security-Token: ⟦!base64/id|X-Amz-Security-Token⟧""",
        """\
HTTP/2 200
server: envoy
etag: W/"⟦!hex/nanoid|etag⟧"
vary: accept-encoding""",
        """\
*   Trying the mirror...
> GET /status HTTP/1.1
> Accept: */*
> PRIVATE-TOKEN: ⟦!token|PRIVATE-TOKEN⟧
>
< HTTP/1.1 200 OK""",
        """\
Forwarded: for="⟦!address|for in Forwarded⟧"; proto=https
Via: 1.1 edge""",
        """\
authorization: Basic ⟦!base64|basic credentials⟧
accept-language: sv""",
        """\
traceparent: 00-⟦!hex|trace in traceparent⟧-01
tracestate: rojo=1""",
        """\
curl 'https://stock.example.net/api/shelves' \\
  -H 'accept: application/json' \\
  -H 'x-csrf: ⟦!opaque|x-csrf⟧' \\
  --compressed""",
        """\
Return-Path: <⟦!email|Return-Path⟧>
MIME-Version: 1.0
Subject: minutes of the spring meeting""",
        """\
HTTP/1.1 429 Too Many Requests
RateLimit-Remaining: 0
Retry-After: ⟦!moment|Retry-After⟧
Connection: close""",
        """\
Connection: keep-alive, Upgrade
Sec-WebSocket-Protocol: tides.v1
Sec-WebSocket-Accept: ⟦!base64|Sec-WebSocket-Accept⟧""",
        """\
fetch("/cart", {
  headers: { "Accept": "text/html", "Idempotency-Key": "⟦!uuid/ulid|Idempotency-Key⟧" },
  method: "POST" })""",
        """\
Message-ID: <⟦!email|Message-ID⟧>
Date: this morning
X-Spam: no""",
        """\
HTTP/1.1 303 See Other
location: ⟦!url/path|location⟧
strict-transport-security: max-age=600""",
    ),
    "cookies": (
        "set-cookie: __Host-session=⟦!jwt/id|__Host-session⟧; path=/; secure; httponly",
        "Cookie: _ga=GA1.1; cf_clearance=⟦!nanoid/id|cf_clearance⟧; lang=fi; seen=3",
        """\
Set-Cookie: lb=a1; Path=/
Set-Cookie: refresh=⟦!opaque|refresh cookie⟧; Max-Age=86400; SameSite=Strict
Set-Cookie: banner=off; Path=/""",
        "requests.get(page, cookies={'csrftoken': '⟦!id/hex|csrftoken⟧', 'tz': 'Europe/Riga'})",
        """\
[{"domain": ".example.net", "name": "JSESSIONID", "value": "⟦!hex/nanoid|JSESSIONID⟧", "httpOnly": true}]""",
        "curl -b 'basket=⟦!uuid/record|basket cookie⟧; currency=DKK' https://shop.test/basket",
        """\
Name        Value                 Domain      Expires
wp_lang     da                    corp.test   Session
wp_ticket   ⟦!ulid/id|wp_ticket⟧  corp.test   1 hour""",
        "$_COOKIE['visitor'] was ⟦!record|visitor cookie⟧ although the banner had been refused",
        """\
.lab.example	TRUE	/lims	TRUE	1990000000	lims_sid	⟦!opaque|lims_sid⟧
.lab.example	TRUE	/	FALSE	0	tour	done""",
        """Cookies.set("pairing", "⟦!phrase/code|pairing cookie⟧", { expires: 7, sameSite: "lax" });""",
        "Cookie: a=1; b=2; kc_state=⟦!base64|kc_state⟧",
        'add_header Set-Cookie "route=⟦!hex|route cookie⟧; Path=/app";',
        """\
page.context().addCookies([{ name: 'portal', value: '⟦!token/id|portal cookie⟧', url: base }])""",
    ),
    "url-query": (
        "https://maps.example.org/?z=14&layers=T&mlat=0&pin=⟦!id/code|pin⟧&utm_source=mail&utm_medium=link",
        "GET /v1/geocode?format=json&limit=1&apikey=⟦!token/hex|apikey⟧&lang=pl HTTP/1.1",
        "[Reset your password](https://id.example.com/reset?uid=12&t=⟦!jwt/nanoid|t⟧)",
        "https://meet.example.net/j/orchard?pwd=⟦!id|pwd⟧&audio=off#success",
        '<a href="/unsubscribe?list=4&amp;recipient=⟦!record|recipient⟧&amp;confirm=1">leave the list</a>',
        "callback received: /cb#state=done&token_type=bearer&access_token=⟦!token/jwt|access_token⟧&expires_in=3600",
        "https://archive.example.org/dl?file=minutes.pdf&v=2&hash=⟦!hex|hash⟧&inline",
        "magnet:?dn=field-recordings&xt=urn:btih:⟦!hex|btih⟧&xl=2048",
        'r = s.get(f"{BASE}/slots?branch=7&patient=⟦!digits/code|patient⟧&from=monday")',
        "https://pay.shop.test/checkout/step3?ref=⟦!record/ulid|ref⟧;locale=et;theme=plain",
        "intent://open?screen=ticket&booking=⟦!code/serial|booking⟧&from=push#Intent;end",
        "https://cdn.lab.example/a.mp4?Expires=1990000000&Signature=⟦!id/nanoid|Signature⟧&Key-Pair-Id=⟦code|Key-Pair-Id⟧",
        "The shared sheet: https://sheets.corp.test/open?id=⟦!id/nanoid|id of the shared sheet⟧&gid=0&pli=1",
    ),
    "connection-strings": (
        "jdbc:sqlserver://db-4.example.net:1433;databaseName=stock;user=⟦username|user⟧;password=⟦!id/password|password⟧;trustServerCertificate=true",
        "DATABASE: mysql://orders:⟦!password/id|password of orders⟧@10.0.0.9/orders?charset=utf8mb4",
        'engine = create_engine("postgresql+psycopg://etl:⟦!phrase/id|password of etl⟧@warehouse/facts", pool_size=4)',
        "Endpoint=sb://bus.example.org/;SharedAccessKeyName=listen;SharedAccessKey=⟦!base64|SharedAccessKey⟧",
        "host=⟦!host|host⟧ port=5432 dbname=herbarium user=reader sslmode=verify-full",
        "rediss://default:⟦!nanoid/id|redis password⟧@cache.corp.test:6380/2",
        "nats://⟦!token/id|nats token⟧@bus.lab.example:4222",
        "sftp://courier:⟦!password/phrase|password of courier⟧@drop.example.com:2022/in/",
        "Driver={ODBC Driver 18};Server=⟦!address/host|Server⟧;Trusted_Connection=yes;",
        "Data Source=⟦!path|Data Source⟧;Version=3;Journal Mode=WAL;",
        "smtp://postmaster%40example.org:⟦!id|smtp password⟧@relay.example.org:587?tls=starttls",
        "cluster peers: kafka://broker:9092?sasl.username=feed&sasl.password=⟦!secret|sasl.password⟧",
        "mongodb://mapper:⟦!id/phrase|password of mapper⟧@m1.example.net,m2.example.net/geo?replicaSet=r0",
    ),
}
