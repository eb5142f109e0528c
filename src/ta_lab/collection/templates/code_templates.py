"""Source constants, stack traces and log lines (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

CODE: dict[str, tuple[str, ...]] = {
    "source-constants": (
        'RETRIES = 3\nWEBHOOK_SIGNING = "⟦!opaque|WEBHOOK_SIGNING⟧"\n\n\ndef send(event):\n    ...',
        "const MAX_ROWS = 50;\nexport const mapsKey = '⟦!token/id|mapsKey⟧';\nexport default mapsKey;",
        'private static final String LICENCE = "⟦!serial/code|LICENCE⟧";\nprivate int seats = 4;',
        'const (\n\tretries = 5\n\tbucket  = "⟦!path/host|bucket⟧"\n)',
        'static SALT: &str = "⟦!hex/base64|SALT⟧";\nconst ROUNDS: u32 = 9;',
        '#define FIRMWARE_ID "⟦!version/serial|FIRMWARE_ID⟧"\n#define BAUD 9600',
        'HOME_PORT = ("⟦!coordinates|HOME_PORT⟧")  # where the tracker starts\nINTERVAL = 60',
        "client.connect(timeout=5, api_secret='⟦!secret|api_secret⟧', verify=True)",
        'val endpoint = System.getenv("ENDPOINT") ?: "⟦!url/address|default endpoint⟧"',
    ),
    "stack-traces": (
        """\
Traceback (most recent call last):
  File "/srv/courier/dispatch.py", line 218, in hand_over
    gate.admit(parcel, ticket)
courier.errors.GateRefused: ticket '⟦!record|refused ticket⟧' was refused at gate 3""",
        """\
Exception in thread "worker-9" org.example.sync.StaleLease: lease ⟦!uuid/hex|stale lease⟧ expired
	at org.example.sync.Lease.renew(Lease.java:87)
	at org.example.sync.Keeper.run(Keeper.java:143)""",
        """\
panic: cannot reach ⟦!address/host|unreachable peer⟧: connection refused

goroutine 41 [running]:
main.watch(0xc0001a2000)
	/build/watch.go:66 +0x1f4""",
        """\
Error: ENOENT: no such file or directory, open '⟦!path|missing file⟧'
    at Object.openSync (node:fs:601:3)
    at loadPlan (/app/plan.js:14:9) {
  errno: -2
}""",
        """\
thread 'main' panicked at src/main.rs:12:5:
checksum mismatch, expected ⟦!hex|expected checksum⟧
note: run with `RUST_BACKTRACE=1`""",
        """\
requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: ⟦!url|forbidden url⟧""",
    ),
    "log-lines": (
        "2031-04-02 09:14:07,311 INFO  billing - charge accepted, receipt=⟦!record|receipt⟧ in 40 ms",
        "[pool-3] WARN  Session ⟦!opaque|session⟧ will expire in 5 minutes",
        "Apr  2 09:15:01 gate sshd[812]: Accepted publickey for deploy from ⟦!address|ssh client⟧",
        'level=error msg="upload rejected" bucket=attic key=⟦!path/id|key⟧ attempt=2',
        '192.0.2.7 - - [02/Apr/2031:09:15:44 +0000] "GET /p/⟦!record|requested page⟧ HTTP/1.1" 200 512',
        "ts=9 caller=main.go:30 traceID=⟦!hex/uuid|traceID⟧ took=3ms",
        "DEBUG scheduler: next run of `prune` at ⟦!time|next run of prune⟧",
        "INFO [orders] Created order ⟦!record|created order⟧ for customer ⟦name⟧ (3 items)",
    ),
}
