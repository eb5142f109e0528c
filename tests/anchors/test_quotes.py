"""Quoted values are kept whole: a part of one is never a value of its own."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found
from growing import assert_linear
from transactional_attention.detection.quotes import mate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("call +49 (0)30 901820-77", "+49 (0)30 901820-77"),
        ("mail ada.o'neil+x@mail.example", "ada.o'neil+x@mail.example"),
        # escaped and doubled quotes
        ("UPDATE acct SET secret='O''Brien9' WHERE id=3;", "O''Brien9"),
        ("ALTER USER ada PASSWORD 'blue''whale 9';", "blue''whale 9"),
        ("CREATE ROLE ada LOGIN PASSWORD 'blue''whale''9';", "blue''whale''9"),
        ("INSERT INTO t (id, password) VALUES (3, 'O''Brien9');", "O''Brien9"),
        ("INSERT INTO t (id, password) VALUES (3, 'O\\'Brien9');", "O\\'Brien9"),
        ("User 'ada' password 'O\\'Brien9'", "O\\'Brien9"),
        ('export DB_PASSWORD="gr33n $tree \\"x\\""', 'gr33n $tree \\"x\\"'),
        ('export DB_PASSWORD="gr33n \\"kq9z1\\""', 'gr33n \\"kq9z1\\"'),
        ('{"password": "a\\"b9\\\\c d"}', 'a\\"b9\\\\c d'),
        ('{"password": "a9b \\"c d", "port": 3}', 'a9b \\"c d'),
        ('password: "a\\"b 9"', 'a\\"b 9'),
        ("password: 'it''s 9k'", "it''s 9k"),
        ('docker run -e TOKEN="blue \\"whale\\" 9" img', 'blue \\"whale\\" 9'),
        ("docker run -e TOKEN='blue'\\''whale9' img", "blue'\\''whale9"),
        ('ApiKey = @"c:\\k""9"', 'c:\\k""9'),
        ("PASSWORD='a b'\"c d9\"", "a b'\"c d9"),
        ('curl -H "X-Auth-Token: kk93 \\"dl\\" 02" x', 'kk93 \\"dl\\" 02'),
        ('setToken("kk93 \\"dl\\" 02")', 'kk93 \\"dl\\" 02'),
        ('headers.set("X-Api-Key", "kk93\'dl 02")', "kk93'dl 02"),
        ('app --api-key "kk93 \\"dl\\" 02" run', 'kk93 \\"dl\\" 02'),
        ('{"a": "{\\"password\\": \\"kk93 \\\\\\"dl02\\\\\\" z\\"}"}', 'kk93 \\\\\\"dl02\\\\\\" z'),
        # open quotes
        ('The password is "Zk9 mq2, tt; 7x".', "Zk9 mq2, tt; 7x"),
        ("The key is `kk93-dl02 zz`.", "kk93-dl02 zz"),
        ("The token is “kk93 and dl02”.", "kk93 and dl02"),
        ("Das Passwort lautet „Zk93 mq2 tt“.", "Zk93 mq2 tt"),
        ('proxy_set_header X-Token "kk93 dl02";', "kk93 dl02"),
        ('terraform apply -var="db_password=blue whale"', "blue whale"),
        ("terraform apply -var='db_password=kk93 dl02'", "kk93 dl02"),
        ('conn = "Server=db1;Password=kk93 dl02;Port=3"', "kk93 dl02"),
        # words that a shell joins, and variables
        ("docker run -e TOKEN=blue\\ fish img", "blue\\ fish"),
        ("export PASSWORD=blue${N}whale9", "blue${N}whale9"),
        ('export TOKEN=kk93"dl 02"', 'kk93"dl 02"'),
        # lines and fields
        ('Password: Zk9 "mq2 tt" 7x', 'Zk9 "mq2 tt" 7x'),
        ("Password: Zk9 mq2 tt 7x", "Zk9 mq2 tt 7x"),
        ("db: {user: ada, password: kk93 dl02, port: 3}", "kk93 dl02"),
        ("db: {password: kk93 dl02}", "kk93 dl02"),
        ("The password is p@ss.w0rd! and it works.", "p@ss.w0rd!"),
        ("비밀번호는 hobak77!입니다.", "hobak77!"),
        ("pw: &p kk93dl02", "kk93dl02"),
        ("password: !vault kk93dl02", "kk93dl02"),
    ],
)
def test_a_value_is_whole(text, value):
    values = found(text + "\n")
    assert value in values
    assert not [other for other in values if other != value and other in value and " " in value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Token: kk93dl02 for the door", "kk93dl02"),
        ("Token: kk93dl02 2024-05-01", "kk93dl02"),
        ('The ticket is "PAY-4471: fix the page of the shop".', "PAY-4471"),
        ('"4471 is the door code", she said.', "4471"),
        ("PGPASSWORD=bluewhale psql -h db", "bluewhale"),
        ("TOKEN=kk93dl02 ./run", "kk93dl02"),
        ("The code is 4471!", "4471"),
        ('""\\u00C7" == "\\u0043\\u0327"" is "False", here', "\\u0043\\u0327"),
        ("Is the code 4471? And the other?", "4471"),
    ],
)
def test_what_stands_behind_a_value_is_no_part_of_it(text, value):
    assert value in found(text + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "Слово «пароль» происходит от французского «parole».",
        'La palabra clave "final" en Java indica que el código "no cambia".',
        "パスワードは「必須」です。",
        "パスワードは「無効」です。",
        "Код «работает», сказал он.",
        "Le mot de passe est « obligatoire » pour tous.",
        "La contraseña es «incorrecta».",
        "Das Passwort ist „ungültig“.",
        "La password è «non valida».",
        "Пароль — «неверный».",
        "密码是“错误”。",
        "비밀번호는 “필수”입니다.",
        'curl x -H "X-Requested-With: XMLHttpRequest"',
        'curl x -H "X-Frame-Options: SAMEORIGIN"',
    ],
)
def test_words_that_are_no_values(text):
    assert found(text + "\n") == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('"a b"', "a b"),
        ('"a \\" b" c', 'a \\" b'),
        ('"a ""b"" c" d', 'a ""b"" c'),
        ("'it''s' x", "it''s"),
        ("'it'\\''s' x", "it'\\''s"),
        ("'a b'\"c d\" e", "a b'\"c d"),
        ('\\"a \\\\\\"b\\\\\\" c\\" d', 'a \\\\\\"b\\\\\\" c'),
        ("„a “b", "a "),
        ("`a b` c", "a b"),
        ('"a b', None),
        ('"a\nb"', None),
        ('"""a"""', None),
    ],
)
def test_a_string_ends_at_its_mate(text, content):
    end = mate(text, 0)
    first = 2 if text[0] == "\\" else 1
    assert (text[first:end] if end >= 0 else None) == content


@pytest.mark.parametrize("piece", ['"', "'", "\\", '\\"', "''", "a' '", 'k="', "k=a\\ ", "k=a${"])
def test_time_is_linear_in_open_quotes(piece):
    assert_linear(lambda text: anchors_of("password=" + text), piece, 2_000)
