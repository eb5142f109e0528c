"""RETIRED SPLIT, the second: the test split until 2026-11-22; for development too since then."""
# ruff: noqa: E501 - lines of text as they stand in a file

CODE: dict[str, tuple[str, ...]] = {
    "source-constants": (
        'object Gateway {\n    private const val MERCHANT_ID = "⟦!record|MERCHANT_ID⟧"\n    const val TIMEOUT_S = 20\n}',
        'enum Keys {\n    static let mapbox = "⟦!token/id|mapbox key⟧"\n    static let zoom = 11.0\n}',
        'public const string ConnectionId = "⟦!uuid/hex|ConnectionId⟧";\npublic const int MaxBatch = 200;',
        "class Notifier\n  WEBHOOK = '⟦!url|WEBHOOK⟧'.freeze\n  RETRY = 3\nend",
        "define('DB_NAME', 'blog');\ndefine('AUTH_SALT', '⟦!password/id|AUTH_SALT⟧');\ndefine('WP_DEBUG', false);",
        'config :orchard, OrchardWeb.Endpoint,\n  secret_key_base: "⟦!opaque|secret_key_base⟧",\n  server: true',
        'const char* WIFI_PASS = "⟦!phrase/password|WIFI_PASS⟧";\nconst int LED = 13;\nvoid setup() { pinMode(LED, OUTPUT); }',
        'my $vendor_code = "⟦!code/serial|vendor_code⟧";  # from their letter\nmy @days = qw(mon wed fri);',
        'local TELEPORT_HOME = "⟦!coordinates|TELEPORT_HOME⟧" -- spawn tower\nlocal GRAVITY = 0.8',
        'let legacyDepot = "⟦!host/address|legacyDepot⟧" in\nlet attempts = 4 in\nconnect legacyDepot attempts',
        "setwd('⟦!path|working directory⟧')\nlibrary(dplyr)\nset.seed(1)",
        'assert response.headers["etag"] == "⟦!hex/id|expected etag⟧"\nassert response.ok',
    ),
    "stack-traces": (
        """\
Unhandled exception. System.IO.FileNotFoundException: Could not find file '⟦!path|file that was not found⟧'.
   at Kiosk.Ledger.Load(String name) in Ledger.cs:line 52
   at Kiosk.Program.Main()""",
        """\
org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "orders_pkey"
  Detail: Key (order_id)=(⟦!record|duplicate order_id⟧) already exists.
	at shop.Orders.insert(Orders.kt:31)""",
        """\
app/models/coupon.rb:19:in `redeem!': Coupon ⟦!code/serial|used coupon⟧ has already been used (CouponError)
	from app/controllers/cart_controller.rb:44:in `update'
	from config.ru:6:in `<main>'""",
        """\
TypeError: fetch failed
    at node:internal/deps/undici/undici:12345:11
    at async sync (file:///app/sync.mjs:27:15) {
  [cause]: Error: getaddrinfo ENOTFOUND ⟦!host|host that was not found⟧
}""",
        """\
PHP Fatal error:  Uncaught RuntimeException: Unknown tenant ⟦!uuid/id|unknown tenant⟧ in /var/www/boot.php:73
Stack trace:
#0 /var/www/index.php(9): boot()
#1 {main}
  thrown in /var/www/boot.php on line 73""",
        """\
** (Ecto.NoResultsError) expected at least one result but got none, token: "⟦!opaque|token without a result⟧"
    (ecto 3.11) lib/ecto/repo/queryable.ex:165
    (orchard 0.1) lib/orchard/invites.ex:22: Orchard.Invites.take!/1""",
        """\
paramiko.ssh_exception.NoValidConnectionsError: [Errno None] Unable to connect to ⟦!address|address that could not be reached⟧
During handling of the above exception, another exception occurred:
SystemExit: 2""",
        """\
E/AndroidRuntime: FATAL EXCEPTION: main
    Process: org.example.tides, PID: 4411
    java.lang.IllegalStateException: Beacon ⟦!mac|beacon⟧ is not paired
        at org.example.tides.Scanner.onResult(Scanner.java:118)""",
    ),
    "log-lines": (
        "Nov 30 22:10:51 mx1 postfix/qmgr[2290]: ⟦!code/hex|queue id⟧: removed",
        "START RequestId: ⟦!uuid|RequestId⟧ Version: $LATEST",
        "2033-06-18 04:00:02.118 UTC [771] LOG:  checkpoint complete; replication slot at ⟦!address/host|replication slot⟧",
        "[Mon Jun 20 11:02:09 2033] usb 1-2: SerialNumber: ⟦!serial/id|SerialNumber of the usb device⟧",
        "06-20 11:02:10.447  1893  1911 I FcmService: registration token refreshed -> ⟦!opaque|registration token⟧",
        "w3wp[4]: The certificate with thumbprint ⟦!hex|thumbprint⟧ expires in 14 days",
        "wlan0: STA ⟦!mac|station⟧ IEEE 802.11: associated",
        "TID-9ab1 INFO: PayoutJob done: 0.8 sec, transferred to ⟦!iban|payout account⟧",
        'time=11:04 lvl=warn msg="falling back to mirror" mirror=⟦!url|mirror⟧ tries=3',
        "[2033-06-20T11:05:31Z] deploy: promoted ⟦!version|promoted version⟧ from canary to stable",
        "kernel: EXT4-fs (sdb1): mounted filesystem, snapshot kept at ⟦!path|snapshot⟧",
        "<34>1 gate3 parking - - barrier opened for plate ⟦!code|plate⟧ after ⟦int⟧ s",
    ),
}
