"""People under keys of records and in tables, and the days that their columns ask for."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

ROTA = "on_call:\n- team: billing\n  primary: Hedwig Anquetil\n  escalate_to: manager\n"
TASKS = (
    "| Task | Who | By when |\n|------|-----|---------|\n"
    "| Paint the shed | Hedwig Anquetil | Friday 16 May |\n| Buy nails | anyone | soon |\n"
)
FLIGHTS = "flight,from,to,departs,seat\nTG 2214,Lisbon,Turin,17:25,22F\n"
DRAWN = (
    "+---------+---------------+\n| setting | value         |\n+---------+---------------+\n"
    "| host    | kiln.internal |\n+---------+---------------+\n"
)
PEOPLE = [
    (ROTA, "Hedwig Anquetil"),
    ('{"assignee": "marit.solvang", "priority": "low"}\n', "marit.solvang"),
    ('{"reviewer": "Tobias Achterberg"}\n', "Tobias Achterberg"),
    ('arguments: "{\\"assignee\\":\\"marit.solvang\\"}"\n', "marit.solvang"),
    ('lead.name = "Josefa Quispe"\n', "Josefa Quispe"),
    ("one match. name: Josefa Quispe-Wray, plan: household\n", "Josefa Quispe-Wray"),
    ('{"customer": {"name": "Hedwig Anquetil", "vip": false}}\n', "Hedwig Anquetil"),
    ("Approved by: Ottoline Farrow\n", "Ottoline Farrow"),
    ("created_by: svend.aakre\n", "svend.aakre"),
    ("owner: tveit_admin\n", "tveit_admin"),
    ("<visit><guest>Hedwig Anquetil</guest><room>blue</room></visit>\n", "Hedwig Anquetil"),
    ("<contact><name>Josefa Quispe</name></contact>\n", "Josefa Quispe"),
    (TASKS, "Hedwig Anquetil"),
    (TASKS, "Friday 16 May"),
    ("name,role,desk\nJosefa Quispe,treasurer,second floor\n", "Josefa Quispe"),
    ("| Owner | Josefa Quispe |\n|---|---|\n", "Josefa Quispe"),
    ("train,departs,platform\nIC 1187,18:42,7\n", "IC 1187"),
    (FLIGHTS, "TG 2214"),
    (FLIGHTS, "17:25"),
    (FLIGHTS, "22F"),
    (DRAWN, "kiln.internal"),
]
DAYS = [
    (
        "Visit booked: Friday 9 June between 10:00 and 12:00\n",
        "Friday 9 June between 10:00 and 12:00",
    ),
    ("I have blocked Monday, 3 November, 09:45 for you.\n", "Monday, 3 November, 09:45"),
    ("No wait, he wrote Thursday at 14:20, so be home.\n", "Thursday at 14:20"),
    ("They moved us to the 14:35 from platform 9 again.\n", "14:35 from platform 9"),
    (
        "I rang them, it is a week on Monday at ten past three.\n",
        "a week on Monday at ten past three",
    ),
    ("Maintenance window: 23:30 Saturday for an hour.\n", "23:30 Saturday"),
]
NONE = [
    "name: Build Image\njobs:\n  test:\n    name: Unit Tests\n",
    'const theme = { primary: "Dark Blue", secondary: "Light Grey" };\n',
    "function f(p) { return { reviewer: request.user, owner: this.owner }; }\n",
    "client: Web Client\ncreated: Last Week\nupdated: Last Tuesday\n",
    "| Name | Type |\n|------|------|\n| Max Size | int |\n| Log Level | string |\n",
    "Name,Type\nBig File,text\nDark Mode,flag\n",
    "Every Monday at 9 am the bins are emptied. Last Tuesday at 14:00 nobody came.\n",
]


@pytest.mark.parametrize(("text", "value"), PEOPLE + DAYS)
def test_it_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NONE)
def test_things_and_habits_are_not(text):
    clocks = ("9 am", "14:00")
    assert [value for value in found(text) if value not in clocks] == []


@pytest.mark.parametrize(("text", "value"), PEOPLE + DAYS)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


PIECES = ['"owner": "', "owner: A", "name: Aa Bb, ", "|Who|Aa Bb", "Monday, 3 May ", "Who,Aa\n"]


@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
