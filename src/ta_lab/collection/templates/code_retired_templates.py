"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""

CODE: dict[str, tuple[str, ...]] = {
    "source-constants": (
        "class Settings:\n    workers = 2\n    pager_token = '⟦!opaque|pager_token⟧'",
        "let depot: string = `⟦!address/url|depot⟧`;\nlet quiet = true;",
        'public const string TenantId = "⟦!uuid/record|TenantId⟧";\npublic const int Tries = 3;',
        'var trusted = []string{\n\t"⟦!hex/mac|trusted fingerprint⟧",\n}',
        "$config['mail_pass'] = '⟦!password/phrase|mail_pass⟧';\n$config['port'] = 25;",
        'std::string vault_path{"⟦!path|vault_path⟧"};\nbool dirty = false;',
        'login(user: "desk", passphrase: "⟦!words/phrase|passphrase⟧", remember: true)',
    ),
    "stack-traces": (
        """\
  File "/app/ledger.py", line 9, in post
    raise Duplicate(entry)
ledger.Duplicate: entry ⟦!record|duplicate entry⟧ exists already""",
        """\
Caused by: java.net.ConnectException: Connection timed out: ⟦!address/host|timed out host⟧
	at org.example.net.Dialer.open(Dialer.java:52)
	... 11 more""",
        """\
UnhandledPromiseRejection: Invalid API key provided: ⟦!token/id|rejected key⟧
    at Gateway.call (/srv/gateway.js:40:11)""",
        """\
System.IO.FileNotFoundException: Could not find file '⟦!path|file not found⟧'.
   at Orchard.Import.Read(String name) in Import.cs:line 31""",
    ),
    "log-lines": (
        "07:40:12 [http-nio-4] INFO  c.e.Refunds : refund ⟦!record|refund⟧ queued",
        "<14>1 gate doorman - - badge ⟦!code/hex|badge⟧ opened north",
        "time=3 level=info component=sync cursor=⟦!base64/id|cursor⟧ pages=4",
        "E/Camera( 812): lost stream ⟦!url|lost stream⟧, retrying",
        "W0412 deploy: rolled back to ⟦!version/commit|rollback target⟧ after 2 failures",
        "audit | user=⟦name⟧ | action=wire | amount=⟦!money|amount wired⟧ | ok",
    ),
}
