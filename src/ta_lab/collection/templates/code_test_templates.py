"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

CODE: dict[str, tuple[str, ...]] = {
    "source-constants": (
        'class Kiosk(Device):\n    PAIRING: Final[str] = "⟦!opaque|PAIRING⟧"\n    slots = 4\n\n    def reset(self) -> None: ...',
        'let host = ProcessInfo.processInfo.environment["HOST"] ?? "⟦!host/address|fallback of host⟧"\nlet tries = 3',
        'public const string ConnectionName = "stock";\ninternal static readonly Guid Tenant = new("⟦!uuid|Tenant⟧");',
        "module Press\n  MARGIN = 12\n  UPLOAD_TO = '⟦!url/path|UPLOAD_TO⟧'.freeze\nend",
        "<?php\ndefine('AUTH_SALT', '⟦!password/base64|AUTH_SALT⟧');\ndefine('WP_DEBUG', false);",
        'var (\n\tcommit  = "⟦!commit|commit⟧" // set by the linker\n\tdirty   = "no"\n)',
        "test('refunds once', () => {\n  const charge = makeCharge({ ref: `⟦!record/ulid|ref of the charge⟧`, cents: 100 })\n  expect(charge.refund()).toBe(true)\n})",
        'static const uint8_t rounds = 10;\nstatic const char *beacon = "⟦!mac/serial|beacon⟧"; /* hall */',
        'buoys = {\n    "inner": None,\n    "outer": (⟦!coordinates|outer buoy⟧),\n}',
        'companion object {\n    private const val DSN = "⟦!url|DSN⟧"\n    const val PAGE = 20\n}',
        "-- luacheck: globals box\nbox.cfg{ listen = '⟦!address|listen⟧', memtx = 64 }",
        'library(httr)\nkey <- "⟦!token/id|key⟧"   # TODO move to keyring\nres <- GET(base, add_headers(k = key))',
        'pub const TREASURY: Pubkey = pubkey!("⟦!id|TREASURY⟧");\npub const FEE: u64 = 25;',
        "final _support = Uri(scheme: 'tel', path: '⟦!telephone/phone|support path⟧');\nfinal _pages = 6;",
    ),
    "stack-traces": (
        """\
  File "sync/pull.py", line 31, in <listcomp>
    rows = [self.one(k) for k in keys]
  File "sync/pull.py", line 44, in one
    raise KeyError(key)
KeyError: '⟦!record/ulid|missing key⟧'""",
        """\
Unhandled exception. System.IO.FileNotFoundException: Could not find file '⟦!path|file that was not found⟧'.
   at Press.Loader.Open(String p) in Loader.cs:line 18
   at Press.Program.Main()""",
        """\
TypeError: Cannot read properties of undefined (reading 'seat')
    at book (/srv/app/book.js:40:11)
    at async /srv/app/index.js:9:3 {
  requestId: '⟦!uuid/nanoid|requestId⟧'
}""",
        """\
Caused by: org.postgresql.util.PSQLException: Connection to ⟦!address/host|refused connection⟧ refused. Check that the hostname and port are correct.
	... 18 common frames omitted""",
        """\
terminate called after throwing an instance of 'std::runtime_error'
  what():  licence ⟦!serial/code|licence in what()⟧ has no seats left
Aborted (core dumped)""",
        """\
app/models/order.rb:51:in `settle!': invoice ⟦!filing/record|invoice⟧ is already settled (Order::Settled)
	from app/jobs/settle_job.rb:9:in `perform'""",
        """\
PHP Fatal error:  Uncaught PDOException: Access denied for user '⟦!username|denied user⟧' in /srv/www/db.php:12
Stack trace:
#0 /srv/www/db.php(12): PDO->__construct()
#1 {main}""",
        """\
=== goroutine 7 (running)
panic: deposit is ⟦!amount/money|deposit in the panic⟧, want nothing
main.(*Till).Close(...)
	/src/till.go:88""",
        """\
** (Postgrex.Error) ERROR 23505 (unique_violation): key (email)=(⟦!email|duplicate email⟧) exists
    (ecto_sql) lib/ecto/adapters/sql.ex:1096""",
        """\
thread 'io-2' panicked at 'lease expired at ⟦!time/moment|expiry of the lease⟧', src/lease.rs:70
stack backtrace:
   0: std::panicking::begin_panic""",
        """\
Error in open.connection(con) : cannot open the connection to '⟦!url|url that could not be opened⟧'
Calls: read.csv -> file
Execution halted""",
        """\
During handling of the above exception, another exception occurred:

urllib3.exceptions.ProxyError: proxy wants ⟦!id/password|challenge that the proxy wants⟧ as its challenge""",
        """\
java.lang.IllegalStateException: build ⟦!version/commit|build in the exception⟧ was withdrawn
	at press.Release.check(Release.kt:22) ~[press.jar:na]""",
    ),
    "log-lines": (
        "I0402 11:05:13.402817   91 lease.go:50] successfully acquired lease, holder=⟦!uuid/host|holder of the lease⟧",
        '2034/05/06 07:08:09 [error] 31#31: *8 upstream timed out while connecting, upstream: "⟦!url|upstream⟧"',
        "<13>May  6 07:08:10 mill dhcpd: DHCPACK on lease to ⟦!mac|client of the lease⟧ via eth1",
        '[07:08:11 INF] Payment settled {"Reference": "⟦!record/filing|Reference⟧", "Attempt": 1}',
        "07:08:12.114 [main] DEBUG c.e.press.Mailer - handing over to ⟦!email|recipient⟧ (queue=slow)",
        'time="07:08" level=info msg="pulled" image=covers digest="⟦!digest/hex|digest⟧" elapsed=2s',
        "kernel: usb 1-4: SerialNumber: ⟦!serial/hex|SerialNumber⟧",
        "Sat 07:09 postfix/smtp[88]: ⟦!code/hex|queue id⟧: to=<list>, relay=none, status=deferred",
        'FATAL:  pg_hba.conf rejects connection for host "⟦!ipv6|rejected host⟧", user "etl"',
        '::1 - mira [06/May/2034] "POST /sessions/⟦!opaque|session in the path⟧/renew" 204 0 "-" "probe"',
        "[ 12.044] (II) monitor EDID block saved to ⟦!path|file of the EDID block⟧",
        "W/Billing( 4102): purchase token ⟦!token/nanoid|purchase token⟧ not acknowledged yet",
        "CRON[511]: (root) CMD (backup --since '⟦!moment/time|--since⟧' --quiet)",
        'ts=4 lvl=eror caller=cash.go t=till-2 diff="⟦!amount|diff⟧" msg="drawer does not match"',
    ),
}
