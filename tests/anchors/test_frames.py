"""Addresses in stacks are no values; the same digits elsewhere may be."""

import pytest
from transactional_attention.detection.frames import is_frame_address

from found_values import anchors_of

ADDRESS = "0xc0001a2000"
FRAMES = [
    f"main.watch({ADDRESS})\n\t/build/watch.go:66 +0x1f4\n",
    f"main.(*Server).run({ADDRESS}, {{0x1, 0x2}})\n\t/srv/run.go:10 +0x88\n",
    f"net/http.(*conn).serve(0x7b8a10?, {ADDRESS})\r\n",
    f"#3  {ADDRESS} in __libc_start_main () from /lib/libc.so.6\n",
    f"   7: {ADDRESS} - core::panicking::panic\n",
]
OTHERS = [
    f"The register base address is {ADDRESS}.\n",
    f'transfer(to="{ADDRESS}")\n',
    f"flash_offset: {ADDRESS}\n",
    f"open({ADDRESS}, mode)\n",
]


def place(text):
    begin = text.index(ADDRESS)
    return text, begin, begin + len(ADDRESS)


@pytest.mark.parametrize("text", FRAMES)
def test_an_address_of_a_frame_is_no_value(text):
    assert is_frame_address(*place(text))
    whole = f"panic: it broke\n\ngoroutine 41 [running]:\n{text}"
    found = anchors_of(whole)
    assert ADDRESS not in [whole[a.value.start : a.value.end] for a in found]


@pytest.mark.parametrize("text", OTHERS)
def test_elsewhere_it_may_be(text):
    assert not is_frame_address(*place(text))


PYTHON = (
    'Traceback (most recent call last):\n  File "/srv/app/a7.py", line 112, in main\n    run(job)\n'
)
PLACES = [
    (f"{PYTHON}KeyError: '%s'\n", "/srv/app/a7.py"),
    (
        "Error: no lease for %s\n    at Object.pay (/usr/src/app-2/pay.js:41:17)\n",
        "/usr/src/app-2/pay.js:41:17",
    ),
    (
        'panic: lease "%s" expired\n\ngoroutine 34 [running]:\nmain.put(0xc0000b2000)\n'
        "\t/home/ci/app-7/store.go:71 +0x1a5\n",
        "/home/ci/app-7/store.go:71",
    ),
    (
        "thread 'w' panicked at src/v2/store.rs:91:14:\nno volume: NotFound(\"%s\")\n",
        "src/v2/store.rs:91:14",
    ),
    (
        "PHP Fatal error:  Uncaught Error: voucher %s unknown in /var/www/s3/pay.php:77\n",
        "/var/www/s3/pay.php:77",
    ),
    (
        "Gone: order %s was closed\n   at Acme.Order.Load(String id) in /src/v3/Order.cs:line 88\n",
        "/src/v3/Order.cs",
    ),
]


def confidences(text):
    found = anchors_of(text)
    return {text[a.value.start : a.value.end]: a.confidence for a in found}


@pytest.mark.parametrize(("trace", "place"), PLACES)
def test_the_place_in_code_stands_back_behind_what_the_message_names(trace, place):
    found = confidences(trace % "QX7R-41KD")
    assert found["QX7R-41KD"] > found.get(place, 0.0)


@pytest.mark.parametrize("value", ["/srv/app/a7.py", "/home/ci/app-7/store.go"])
def test_a_file_that_is_no_place_in_code_does_not_stand_back(value):
    assert confidences(f"The script lies in {value} and runs at night.\n")[value] > 0.4


def test_arguments_of_a_call_are_no_header():
    trace = f'{PYTHON}  File "b.py", line 9, in handle\n    store.put(key, blob)\n'
    text = f"{trace}Conflict: (libfoo 2.7.19 (/usr/lib), Requirement.parse('libfoo'))\n"
    assert not [v for v in confidences(text) if v.startswith("Conflict")]


@pytest.mark.parametrize("name", ["users[uid]", "users[uid", "self.users['uid']"])
def test_an_element_of_a_list_is_no_value(name):
    assert not confidences(f"    user = {name}\n")
