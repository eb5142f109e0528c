"""What a command is given by name: plain words too, and no more than the value."""

from __future__ import annotations

import pytest

from found_values import found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("docker run -e TOKEN=bluefish img", "bluefish"),
        ("docker run --env API_KEY=bluefish img", "bluefish"),
        ("docker run --env=TOKEN=bluefish img", "bluefish"),
        ("docker run -eTOKEN=bluefish img", "bluefish"),
        ('docker run -e "TOKEN=bluefish" img', "bluefish"),
        ("podman run -e DB_PASS='blue fish' img", "blue fish"),
        ("docker build --build-arg SECRET=redbird .", "redbird"),
        ("helm install x --set auth.password=bluefish", "bluefish"),
        ("kubectl create secret generic s --from-literal=token=bluefish", "bluefish"),
        ("terraform apply -var 'db_password=bluefish'", "bluefish"),
        ("java -Ddb.password=bluefish -jar app", "bluefish"),
        ("cmake -DAPI_KEY=bluefish ..", "bluefish"),
        ("env SECRET_KEY=redbird python app", "redbird"),
        ("make TOKEN=bluefish deploy", "bluefish"),
        ("TOKEN=bluefish ./run", "bluefish"),
        ("export TOKEN=bluefish && ./run", "bluefish"),
        ("environment:\n  - TOKEN=bluefish\n", "bluefish"),
        ("curl -d 'password=bluefish&user=anna' x", "bluefish"),
        ('curl -F "token=bluefish" x', "bluefish"),
        ('curl -b "sid=bluefish" x', "bluefish"),
        ('curl -H "X-Trace: blue-whale" x', "blue-whale"),
        ('curl -H "X-Tenant: seahorse" x', "seahorse"),
        ("curl --header 'Authorization: Bearer abc' x", "abc"),
        ("curl --header 'Authorization: Bearer abcdef' x", "abcdef"),
        ('curl -H "Authorization: Token bluefish" x', "bluefish"),
        ('wget --header="X-Auth-Token: bluefish" x', "bluefish"),
        ('curl -u "anna:bluefish" x', "bluefish"),
        ('curl --proxy-user "anna:blue-fish-net" x', "blue-fish-net"),
    ],
)
def test_a_plain_word_that_is_given_is_a_value(text, value):
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "docker run -e KEY=value img",
        "docker run -e TOKEN=$TOKEN img",
        "docker run -e PASSWORD=changeme img",
        "docker run -e MODE=fast img",
        "curl -H 'Authorization: Bearer $TOKEN' x",
        'curl -H "Authorization: Bearer ${TOKEN}" x',
        "curl -H 'X-Api-Key: YOUR_KEY' x",
        'curl -H "Accept: application/json" -H "Content-Type: text/plain" x',
        "gcc -DNDEBUG=1 -DKEY=foo x.c",
        "- token=string\n- id=integer\n",
        "sort -k 2 -t , names",
    ],
)
def test_what_is_not_given_is_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    "piece", ["-", " -", " -e ", " -e A=", "-H '", " -u a:", "env ", "A=b ", '"']
)
def test_hostile_options_take_linear_time(piece):
    found((piece * 40_000)[:40_000])
