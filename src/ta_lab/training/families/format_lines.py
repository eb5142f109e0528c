"""Lines that state one value: stack traces, logs, connection strings, commands with credentials.

A row: source, phrases for the value ("" where the key is drawn), template. ``{v}`` is the value;
``{snake}``, ``{camel}``, ``{words}`` ... is the drawn key in that style.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from .format_keys import fill, spelled

Line = tuple[str, str, str]
_PY = 'Traceback (most recent call last):\n  File "/srv/~w~/~w~.py", line ~n~, in ~w~\n'
_JAVA = "\n\tat com.~w~.~W~.~w~(~W~.java:~n~)\n\tat com.~w~.~W~.run(~W~.java:~n~)"
_JS = "\n    at ~w~ (/app/src/~w~.js:~n~:~d~)\n    at async ~w~ (/app/~w~.js:~n~:~d~)"
_GO = "\n\ngoroutine ~n~ [running]:\nmain.~w~(...)\n\t/go/src/~w~/main.go:~n~ +0x1d"
_TRACE = "stack trace|error|traceback|exception"
LINES: tuple[Line, ...] = (
    (_TRACE, "", _PY + "    raise KeyError(msg)\nKeyError: '~w~ ~w~ {snake}={v}'"),
    (_TRACE, "", _PY + "    ~w~(~w~)\nValueError: invalid {snake}: '{v}'"),
    (_TRACE, "", _PY + "    return ~w~[~w~]\nRuntimeError: no ~w~ for {words} {v}"),
    (_TRACE, "", _PY + "~w~.errors.NotFound: {snake} {v} not found (status 404)"),
    (_TRACE, "", _PY + "requests.exceptions.HTTPError: 50~d~ Server Error [{camel}: {v}]"),
    (_TRACE, "", _PY + "AssertionError: expected ~w~, got ~w~ ({snake}={v!r})"),
    (_TRACE, "", 'Exception in thread "main" java.lang.IllegalStateException: {camel}={v}' + _JAVA),
    (_TRACE, "", "java.lang.RuntimeException: ~w~ ~w~" + _JAVA + "\nCaused by: ~w~ {words} [{v}]"),
    (_TRACE, "", "org.~w~.~W~Exception: could not load {words} [{v}]" + _JAVA),
    (_TRACE, "", "Caused by: java.io.IOException: ~w~ failed for {camel} {v}" + _JAVA),
    (_TRACE, "", "TypeError: Cannot read property of {camel} '{v}'" + _JS),
    (_TRACE, "", "Error: Request failed, {camel}: {v}" + _JS),
    (_TRACE, "", "UnhandledPromiseRejection: ~W~Error ({snake} {v})" + _JS),
    (_TRACE, "", "panic: ~w~ ~w~: {camel}={v}" + _GO),
    (_TRACE, "", 'panic: runtime error: unknown {words} "{v}"' + _GO),
    (_TRACE, "", "thread 'main' panicked at src/~w~.rs:~n~:\ncalled unwrap on {snake} {v}"),
    (_TRACE, "", "System.~W~Exception: ~w~ ({camel} = {v})\n   at ~W~.~W~() in ~W~.cs:line ~n~"),
    (_TRACE, "", "app/~w~.rb:~n~:in `~w~': ~w~ missing for {words} {v} (~W~Error)"),
    (_TRACE, "", "PHP Fatal error: Uncaught ~W~Exception: {camel} {v} in /var/www/~w~.php:~n~"),
    ("compiler output|error", "", "~w~.c:~n~:~d~: error: ~w~ ~w~ ({words} {v})\nmake: *** Error 1"),
    ("test output|failure", "", "FAILED tests/test_~w~.py::test_~w~ - ~W~Error: {words} was {v}"),
    ("error|message", "", "ERROR ~n~: ~w~ ~w~. Please quote {words} {v} to the support."),
    ("error|response", "", '{"error":{"code":~n~,"message":"~w~ ~w~ ({words}: {v})"}}'),
    ("log|log line", "", "~ts~ ~lv~ [~w~] ~w~ ~w~ {snake}={v} took ~n~ms"),
    ("log|log line", "", "~ts~ ~lv~ ~w~.~w~: ~w~ {words} {v}"),
    ("log|log line", "", "[~ts~] [~lv~] [~w~:~d~] {title}: {v} - ~w~ ~w~"),
    ("log|syslog line", "", "Mar ~d~ ~t~ ~w~ ~w~[~p~]: ~w~ ~w~ ({words} {v})"),
    ("log|log line", "", "~lv~:~w~:~w~ ~w~ with {snake} '{v}' after ~n~ tries"),
    ("log|log line", "", "~t~ | ~lv~ | ~w~ | {camel}:{v} | ~w~ ~w~"),
    ("access log|log", "", '~ip~ - - [~date~] "GET /~w~?{snake}={v} HTTP/1.1" 200 ~n~'),
    ("access log|log", "", '~ip~ "POST /~w~" 50~d~ {camel}="{v}" rt=0.~n~'),
    ("log|kernel log", "", "[ ~n~.~p~] ~w~ ~d~-~d~: {words} {v} registered"),
    ("log|job output", "", "==> ~w~: Creating ~w~...\n==> ~w~: {title}: {v}\n==> ~w~: Done"),
    ("command output|output", "", "$ ~w~ create ~w~\nCreated. {title}: {v}"),
    ("terminal|output", "", "$ echo ${env}\n{v}\n$ ls\n~w~  ~w~.txt"),
    ("terminal|output", "", "$ ~w~ config get {kebab}\n{v}\n$"),
    ("Python session|session", "", ">>> os.environ['{env}']\n'{v}'\n>>> len(~w~)\n~n~"),
    ("Python session|session", "", ">>> print({snake})\n{v}"),
    ("query|SQL", "", "mysql> SELECT {snake} FROM ~w~ WHERE id = ~n~;\n| {v} |\n1 row in set"),
    ("query|SQL", "", "DELETE FROM ~w~ WHERE {snake} = '{v}' AND ~w~ > ~n~;"),
    ("code|comment", "", "# {words}: {v}\ndef ~w~(~w~):\n    return ~w~ + ~d~"),
    ("code|comment", "", "// TODO ~w~: replace the {words} {v}\nlet ~w~ = ~n~;"),
    ("code|function", "", 'func ~w~() string {\n\treturn os.Getenv("{env}", "{v}")\n}'),
    ("code|function", "", 'def {snake}():\n    return "{v}"'),
    ("code|assignment", "", "this.{camel} = '{v}'; // ~w~"),
    ("code|call", "", "config.set('{dotted}', '{v}')"),
    ("code|call", "", '~w~.with{pascal}("{v}").build();'),
    ("code|call", "", 'os.environ.setdefault("{env}", "{v}")'),
    ("diff|patch", "", "--- a/~w~\n+++ b/~w~\n@@ -~d~ +~d~ @@\n+{snake}: {v}"),
    (
        "commit|commit message",
        "",
        "commit ~hex~\nAuthor: ~w~ <~w~@~host~>\n\n    Set {words} to {v}",
    ),
    ("yaml|YAML", "", "~w~:\n  - ~w~\n  - {snake}: {v}\n  - ~w~"),
    ("template|file", "", "~w~={{ {snake} | default('{v}') }}"),
    ("message|chat", "", "[~t~] <~w~> {words}: {v}\n[~t~] <~w~> ~w~ ~w~"),
    ("email header|header", "", "From: ~w~@~host~\nX-{header}: {v}\nSubject: ~w~ ~w~"),
    (
        "request|Authorization header",
        "bearer token|authorization token",
        "GET /~w~/~n~ HTTP/1.1\nHost: ~host~\nAuthorization: Bearer {v}",
    ),
    (
        "curl command|command",
        "bearer token",
        "curl -H 'Authorization: Bearer {v}' https://~host~/~w~",
    ),
    ("request|header", "authorization token|token", "authorization: Token {v}\naccept: */*"),
    ("request|header", "basic auth value|credentials", "Authorization: Basic {v}\nHost: ~host~"),
    ("curl output|request", "api key", "> GET /~w~ HTTP/2\n> x-api-key: {v}\n> accept: */*"),
    ("cookie|response", "session cookie|sid", "Set-Cookie: sid={v}; Path=/; Secure"),
    ("request|cookie", "session id|session", "GET / HTTP/1.1\nCookie: lang=en; session={v}; a=~d~"),
    (
        "connection string|URL",
        "postgres password|database password|db password",
        "DATABASE_URL=postgres://~w~:{v}@~host~:5432/~w~",
    ),
    ("connection string|config", "redis password|cache password", "redis://:{v}@~ip~:6379/~d~"),
    (
        "connection string|URL",
        "mongo password|database password",
        "mongodb+srv://~w~:{v}@~host~/~w~?retryWrites=true",
    ),
    ("connection string|DSN", "database name|db name", "mysql://~w~@~host~:3306/{v}?charset=utf8"),
    ("connection string|URL", "database user|db username", "postgresql://{v}@~host~/~w~"),
    (
        "connection string",
        "database password|password",
        "Server=~host~;Database=~w~;User Id=~w~;Password={v};",
    ),
    (
        "connection string",
        "account key|storage key",
        "AccountName=~w~;AccountKey={v};EndpointSuffix=~w~",
    ),
    ("DSN|config", "sentry key|public key", "SENTRY_DSN=https://{v}@~host~/~n~"),
    ("connection string|AMQP URL", "rabbit password|broker password", "amqp://~w~:{v}@~host~/~w~"),
    (".netrc|netrc file", "password|login password", "machine ~host~\n  login ~w~\n  password {v}"),
    (".netrc|netrc file", "login|login name", "machine ~host~ login {v} password ~hex~"),
    (
        "git remote|remote",
        "access token|token in the remote",
        "$ git remote -v\norigin  https://~w~:{v}@~host~/~w~.git (fetch)",
    ),
    (
        "git remote|remote",
        "repository name",
        "$ git remote -v\norigin  git@~host~:~w~/{v}.git (push)",
    ),
    ("git log|log", "commit hash|commit", "commit {v}\nAuthor: ~w~\nDate: ~date~\n\n    ~w~ ~w~"),
    (".npmrc|npm config", "npm token|auth token", "//~host~/:_authToken={v}"),
    (".pgpass|pgpass file", "postgres password|password", "~host~:5432:~w~:~w~:{v}"),
    ("docker output|output", "container id|id of the container", "$ docker run -d ~w~:~d~\n{v}"),
    (
        "docker output|output",
        "image digest|digest",
        "Digest: sha256:{v}\nStatus: Downloaded ~w~:~d~",
    ),
    ("checksum file|checksum", "checksum|sha256 sum", "{v}  ~w~-~d~.~d~.tar.gz"),
    ("link|URL", "invite code|invitation", "https://~host~/invite/{v}"),
    ("link|URL", "reset token|password reset token", "https://~host~/reset?token={v}&lang=en"),
    ("link|webhook URL", "webhook secret|webhook key", "https://hooks.~host~/services/~w~/{v}"),
    ("ssh command|command", "user name|ssh user", "$ ssh -p ~p~ {v}@~host~"),
    ("command|mysql command", "mysql password|password", "mysql -u ~w~ -p{v} ~w~"),
    ("kubectl output|output", "pod name|name of the pod", "NAME READY STATUS\n{v} 1/1 Running"),
    ("authorized_keys|key file", "ssh key", "ssh-ed25519 {v} ~w~@~w~"),
    ("crontab|cron entry", "script path|cron job", "*/~d~ * * * * {v} >/dev/null 2>&1"),
    ("sshd log|log", "user name|user that failed", "sshd[~p~]: Failed password for {v} from ~ip~"),
    ("transaction|output", "transaction hash|transaction", "tx: 0x{v}\nblock: ~p~\ngas: ~n~"),
)


def line_name(template: str, key: str) -> str:
    """The key as the template spells it, the key itself where it doesn't name one."""
    styles = re.findall(r"\{(snake|camel|pascal|kebab|dotted|env|header|title|words)\}", template)
    if not styles:
        return key
    return ("X-" if styles[0] == "header" else "") + spelled(key, styles[0])


def line_text(rng: random.Random, template: str, key: str, value: str, words: Sequence[str]) -> str:
    """The text of a line; the value is put in last."""
    text = fill(rng, template, words)
    text = re.sub(
        r"\{(snake|camel|pascal|kebab|dotted|env|header|title|words)\}",
        lambda match: spelled(key, match[1]),
        text,
    )
    return text.replace("{v!r}", f"'{value}'").replace("{v}", value)
