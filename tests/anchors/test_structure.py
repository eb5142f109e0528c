"""Roles of values in structures: the value, and a word of the label that names it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from transactional_attention.detection.structure import Structure

from transactional_attention.detection.scanner import Scanner

DATA = [
    ('{"user": "alice", "api_key": "sk-abc123def456", "n": 1}', "sk-abc123def456", "api_key"),
    ('{"a":1,"sessionId":"9f8e-71kk"}', "9f8e-71kk", "sessionId"),
    ('{"arguments": "{\\"order_id\\": \\"ORD-58213\\", \\"n\\": 2}"}', "ORD-58213", "order_id"),
    ('{"x": "{\\\\\\"pin\\\\\\": \\\\\\"44X91\\\\\\"}"}', "44X91", "pin"),
    ('{"name":"lookup","input":{"customer":"C-88213"}}', "C-88213", "customer"),
    ('{"tickets": {"id": "QX-2231", "open": true', "QX-2231", "id"),
    ("db:\n  password: s3cr3t-pw\n  pool: 5\n", "s3cr3t-pw", "password"),
    ("seed phrase: amber otter canyon\n", "amber otter canyon", "seed phrase"),
    ("token: 'q9w8e7r6'  # rotate\n", "q9w8e7r6", "token"),
    ("- endpoint: https://a.example/v2/x9y8\n", "https://a.example/v2/x9y8", "endpoint"),
    ('[auth]\nsecret_key = "q9w8e7r6"\n', "q9w8e7r6", "secret_key"),
    ("[server]\nhost = db-7.internal\n", "db-7.internal", "host"),
    ("spring.datasource.password=Xk81!qq7\n", "Xk81!qq7", "password"),
    ("mail.smtp.port: 5432\n", "5432", "port"),
    ("API_TOKEN=abcd1234efgh\nDEBUG=1\n", "abcd1234efgh", "API_TOKEN"),
    ('export DB_PASSWORD="p@ss w0rd"\n', "p@ss w0rd", "DB_PASSWORD"),
    ("set BUILD_ID=7731-KQ\n", "7731-KQ", "BUILD_ID"),
    ("parking permit ......... QX-71-LK\n", "QX-71-LK", "parking permit"),
    ("| house rule ..... sorrel otter velvet |\n", "sorrel otter velvet", "house rule"),
    ("tax portal login . . . . . 3T*B_lUmiCuDA\n", "3T*B_lUmiCuDA", "tax portal login"),
    (
        "locker code (as told by telephone, second attempt, line very bad): 70268\n",
        "70268",
        "locker code",
    ),
    ("phone: (212) 555-0100\n", "(212) 555-0100", "phone"),
    ("amount: 12,000.50 CHF\n", "12,000.50 CHF", "amount"),
    ("iban: XX12 ABCD 1234 5678 9012\n", "XX12 ABCD 1234 5678 9012", "iban"),
    ("location: 48.1234° N, 2.3567° E\n", "48.1234° N, 2.3567° E", "location"),
    ("listen = [2001:db8::1f]:8443\n", "[2001:db8::1f]:8443", "listen"),
    ("Door code: 4471\n", "4471", "Door code"),
    ("口令：「Xk81QQ7」", "Xk81QQ7", "口令"),
]
MARKUP = [
    ("<door_code>8841</door_code>", "8841", "door_code"),
    ('<entry key="door_code">88-QX-41</entry>', "88-QX-41", "door_code"),
    ('<add key="ApiKey" value="K3J4H5Z9"/>', "K3J4H5Z9", "value"),
    ("<key>LicenseKey</key><string>K3J4H5Z9</string>", "K3J4H5Z9", "LicenseKey"),
    ('<input type="hidden" name="csrf" value="K3J4H5Z9">', "K3J4H5Z9", "value"),
    ("<dt>Locker</dt><dd>B-1722</dd>", "B-1722", "Locker"),
    ("<td>PIN</td>\n<td>44719</td>", "44719", "PIN"),
    ('<a href="mailto:kim4@corp.test">write</a>', "kim4@corp.test", "href"),
    ('<device serial="SN-7781-QX" model="x">', "SN-7781-QX", "serial"),
    ("<token><![CDATA[q9w8e7r6]]></token>", "q9w8e7r6", "token"),
]
WEB = [
    ("Authorization: Bearer abc.DEF-123456\r\n", "abc.DEF-123456", "Authorization"),
    ("X-Api-Key: 9f8e7d6c\r\n", "9f8e7d6c", "X-Api-Key"),
    ('ETag: "33a64df5"\r\n', "33a64df5", "ETag"),
    ("Set-Cookie: sid=8f7e6d5c4b; Path=/; HttpOnly\r\n", "8f7e6d5c4b", "sid"),
    ("Cookie: theme=dark; cart=0397596508865754\r\n", "0397596508865754", "cart"),
    ("GET /v1/items?token=abc123XYZ&user=bob HTTP/1.1", "abc123XYZ", "token"),
    ("https://a.example/cb?state=x&code=S6JCXK1c&scope=r", "S6JCXK1c", "code"),
    ("otpauth://totp/a:b?issuer=a&secret=KO8MTTHFU&digits=6", "KO8MTTHFU", "secret"),
    ("postgres://app:hV8-qq21@db.internal:5432/prod", "hV8-qq21", "://app:"),
    ("mongodb+srv://u1:Xk81QQ7@c0.example.net/x", "Xk81QQ7", "://u1:"),
    ("redis://[2001:db8::2:3]:48138/0", "[2001:db8::2:3]:48138", "://"),
    ("Server=db-3.corp;User Id=sa;Password=Zx81kk2;", "Zx81kk2", "Password"),
    ("jdbc:mysql://db-9.corp.test/x?user=u&password=Zx81kk2", "Zx81kk2", "password"),
    ("https://hooks.example.com/services/T00/B11/Xk81QQ7Zk2", "Xk81QQ7Zk2", "/T00/"),
    ("image: registry.example.com/api:6.27.9-beta2\n", "6.27.9-beta2", ":"),
    ('"GET /p/73928250559382 HTTP/1.1" 200', "73928250559382", "/"),
]
COMMANDS = [
    ("deploy --api-key K3J4H5 --dry-run", "K3J4H5", "api-key"),
    ("run --token=K3J4H5 --n 3", "K3J4H5", "token"),
    ("tool -password 'a b9c'", "a b9c", "password"),
    ("curl -u bob:hunter2x https://a.b/c", "hunter2x", "-u"),
    ("curl -H 'X-Api-Key: K3J4H5Z9' a.b", "K3J4H5Z9", "X-Api-Key"),
    ("docker run -e API_KEY=K3J4H5Z9 img", "K3J4H5Z9", "API_KEY"),
    ("mysqldump -u backup -poUxlm4dfw x", "oUxlm4dfw", "-p"),
    ("ssh -i /home/k/id_prod7.pem x", "/home/k/id_prod7.pem", "i"),
    ("IdentityFile ~/.ssh/id_prod7\n", "~/.ssh/id_prod7", "IdentityFile"),
    ("requirepass hunter2x\n", "hunter2x", "requirepass"),
    ("machine api.example.com login bob password hunter2x", "hunter2x", "password"),
    ("machine ftp.example.org\n  login anon\n  account 1PHIBVTDW\n", "1PHIBVTDW", "account"),
]
CODE = [
    ('const apiKey: string = "K3J4H5Z9";', "K3J4H5Z9", "apiKey"),
    ('private static final String API_KEY = "K3J4H5Z9";', "K3J4H5Z9", "API_KEY"),
    ('apiKey := "K3J4H5Z9"', "K3J4H5Z9", "apiKey"),
    ('const char *session_key = "K3J4H5Z9";', "K3J4H5Z9", "session_key"),
    ('const API_KEY: &str = "K3J4H5Z9";', "K3J4H5Z9", "API_KEY"),
    ("$apiKey = 'K3J4H5Z9';", "K3J4H5Z9", "apiKey"),
    ("define('API_KEY', 'K3J4H5Z9');", "K3J4H5Z9", "API_KEY"),
    (':api_key => "K3J4H5Z9",', "K3J4H5Z9", "api_key"),
    ("API_KEY = ENV.fetch('API_KEY', 'K3J4H5Z9')", "K3J4H5Z9", "API_KEY"),
    ('#define DOOR_CODE "8841-QX"\n', "8841-QX", "DOOR_CODE"),
    ('os.environ["API_KEY"] = "K3J4H5Z9"', "K3J4H5Z9", "API_KEY"),
    ('headers.set("X-Api-Key", "K3J4H5Z9")', "K3J4H5Z9", "X-Api-Key"),
    ('client = Client.with_token("K3J4H5Z9")', "K3J4H5Z9", "with_token"),
    ('call_api(key="ZX81QQ77", n=3)', "ZX81QQ77", "key"),
    ("open_ticket(order='ORD-58213')", "ORD-58213", "order"),
    ('if token == "K3J4H5Z9":', "K3J4H5Z9", "token"),
    ('val licence = "19LTGX"', "19LTGX", "licence"),
]
RECORDS = [
    ("KeyError: order not found [id: ZX81QQ77]", "ZX81QQ77", "id"),
    ("ValueError: bad request id=ZX81QQ77 (attempt 3)", "ZX81QQ77", "id"),
    ("12:30:01 INFO [worker-3] session=ZX81QQ77 user=bob", "ZX81QQ77", "session"),
    ("12:30:01 WARN trace id: 9f8e7d6c5b4a status: ok", "9f8e7d6c5b4a", "trace id"),
    ('level=info msg="started" build=7731-KQ', "7731-KQ", "build"),
    ("Caused by: TimeoutException: host db-7.internal, txn=7F-2291", "7F-2291", "txn"),
    (
        "INSERT INTO u (id, name, api_token) VALUES (7, 'Bob', 'tok81QQz77');",
        "tok81QQz77",
        "api_token",
    ),
    ("UPDATE doors SET code = '7741-QX' WHERE id = 3;", "7741-QX", "code"),
    ("SELECT * FROM orders WHERE tracking_no = 'ZX81QQ77';", "ZX81QQ77", "tracking_no"),
    ("CREATE USER app IDENTIFIED BY 'hunter2x';", "hunter2x", "IDENTIFIED BY"),
    ("WHERE serial IN ('SN-20311')", "SN-20311", "serial"),
    ("name,door_code,city\nalice,8841,Porto\n", "8841", "door_code"),
    ('id;serial;amount\n7;"SN-20311";12.50\n', "SN-20311", "serial"),
    ("host\tport\tkey\ndb1\t5432\tK3J4H5Z9\n", "K3J4H5Z9", "key"),
    ("| Name | Token |\n|---|:--:|\n| ops | `QX81Zk9` |\n", "QX81Zk9", "Token"),
    ("| door code | QX81Z |\n", "QX81Z", "door code"),
    ('- name: DB_PASSWORD\n  value: "s3cr3tPw9"\n', "s3cr3tPw9", "value"),
    ('variable "door_code" {\n  default = "8841-QX"\n}', "8841-QX", "default"),
    ('resource "a" "x" {\n  ami = "ami-0abc1234def"\n}', "ami-0abc1234def", "ami"),
    (
        '[remote "origin"]\n\turl = git@example.com:acme/vault-7.git\n',
        "git@example.com:acme/vault-7.git",
        "url",
    ),
]
SILENT = [
    "",
    "password: None",
    "api_key = ${API_KEY}",
    "api_key: <your api key>",
    "id: int",
    'description: "the main service"',
    "enabled: true",
    "timeout: 30",
    "key=lambda pair: pair[0]",
    "user = User(name)",
    "file: Either a path or a handle.",
    "Changed in version 3.11: it is kept.",
    "a, b, and the key\nc, d, and the door\n",
    '{"type": "string", "default": null}',
    "key: [",
    "x == y",
    "12:30:05",
    "http://",
    "::",
    "a = b = c",
    "<b>bold words</b>",
    "the host of the party: us all",
    "Of ports and keys ............ 117\nOf gates ....... xii",
    "the key .... and then he left us all",
]
CASES = [*DATA, *MARKUP, *WEB, *COMMANDS, *CODE, *RECORDS]


@pytest.mark.parametrize("frame", ["{}", "Some words before.\n{}", "{}\nSome words after."])
@pytest.mark.parametrize(("text", "value", "label"), CASES)
def test_roles(text, value, label, frame):
    text = frame.format(text) if "{}" not in text else frame.replace("{}", text, 1)
    found = Scanner(["structure"]).feed(text, final=True)
    anchors = [a for a in found if text[a.value.start : a.value.end] == value]
    assert anchors, [text[a.value.start : a.value.end] for a in found]
    assert any(label in text[a.label.start : a.value.end] for a in anchors)


@pytest.mark.parametrize("text", SILENT)
def test_no_role_no_anchor(text):
    assert Structure().find(text) == []


def test_a_part_stays_beside_its_whole():
    text = "DATABASE_URL=postgres://app:hV8-qq21@db.internal:5432/prod\n"
    found = Scanner(["structure"]).feed(text, final=True)
    values = [text[a.value.start : a.value.end] for a in found]
    assert values[0] == text.strip().split("=")[1]
    assert {"hV8-qq21", "db.internal:5432"} <= set(values)
    assert all(a.value.end <= found[0].value.end for a in found)


def test_secrets_rank_above_settings_and_settings_above_words():
    text = "user: alice\nregion: eu-west-1\napi_key: K3J4H5Z9aa\n"
    word, setting, secret = Structure().find(text)
    assert word.confidence < setting.confidence < secret.confidence


def test_a_header_far_above_its_rows_is_the_label():
    rows = "".join(f"user{i},{100_000 + 7919 * i},x\n" for i in range(900))
    text = "name,pin,note\n" + rows + "\nThe end.\n"
    whole = Scanner(["structure"]).feed(text, final=True)
    assert len(whole) == 900
    assert all(text[a.label.start : a.label.end] == "pin" for a in whole)
    reader, found = Scanner(["structure"]), []
    for begin, end in pairwise([*range(0, len(text), 777), len(text)]):
        found += reader.feed(text[begin:end])
    assert found + reader.feed("", final=True) == whole
