"""Numbers and names that people tell in passing: lockers, doses, flights, hotels, machines."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

PLACED = [
    ("Your parcel is in locker 31 by the entrance.", "31"),
    ("We moved to meeting room 4B, see you there.", "4B"),
    ("Treffpunkt ist Gleis 11, ganz vorne.", "11"),
    ("Твоя рядом, ячейка 64, обе открыты.", "64"),
    ("Tu maleta está en la taquilla 209.", "209"),
    ("Ci vediamo al binario 17 alle dieci.", "17"),
    ("集合は3番ホームです。", "3番ホーム"),
    ("짐은 27번 락커에 있어요.", "27번 락커"),
]
MEASURED = [
    ("Tighten that axle nut to 58 Nm.", "58 Nm"),
    ("They've lowered the water tablet to 12.5 mg starting tonight.", "12.5 mg"),
    ("Fan oven at 163 degrees, not a smidge higher.", "163 degrees"),
    ("Inflate them to 2.4 bar before you leave.", "2.4 bar"),
]
TRAVELLED = [
    ("Agnieszka lands on LO 3914 and takes a taxi.", "LO 3914"),
    ("oi mãe, chego no voo AD 8842, bem cedinho", "AD 8842"),
    ("Mein Zug: ICE 577.", "ICE 577"),
    ("Ihr Flug ist X3 2114.", "X3 2114"),
    ("Мой рейс SU 1402, встречай", "SU 1402"),
]
HOUSES = [
    ("It's called Pension Edelweiss now and the grandson runs it.", "Pension Edelweiss"),
    ("Si va all'Agriturismo La Quercia Storta, dopo il ponte.", "Agriturismo La Quercia Storta"),
    ("We booked three nights at Hotel Miramar.", "Hotel Miramar"),
    ("غيّرنا الحجز ونزلنا في فندق النخيل الأزرق قرب السوق.", "فندق النخيل الأزرق"),
    ("我们住在青云山酒店，明天见。", "青云山酒店"),
]
NAMED = [
    ("  index_name: harvest-orchid-59\n", "harvest-orchid-59"),
    ("For the internet pick Heron_Guest_5G (there are several).", "Heron_Guest_5G"),
    ("For later: Vermeulen-Annex-3F. Not now.", "Vermeulen-Annex-3F"),
    ("From today it runs on gravel-eu-b, which nobody uses.", "gravel-eu-b"),
    ("Internally it goes by Project Lanternfish until May.", "Project Lanternfish"),
    ("Das WLAN heißt Rübezahl-Gast und braucht nichts.", "Rübezahl-Gast"),
    ("合同编号为HT-2024-0619-沪，请核对。", "HT-2024-0619-沪"),
    ("The code is ABC 577.", "ABC 577"),
    ("bind_dn = cn=svc-wiki,ou=apps,dc=hill,dc=local\n", "cn=svc-wiki,ou=apps,dc=hill,dc=local"),
    ("IP:                10.43.118.207\n", "10.43.118.207"),
    ("notAfter=Sep 19 23:59:59 2025 GMT\n", "Sep 19 23:59:59 2025 GMT"),
    ('{"cron": "0 17 4 * * 1-5"}', "0 17 4 * * 1-5"),
    ("Keep my recovery words in mind: willow-rowan-nutmeg.", "willow-rowan-nutmeg"),
    ("Hold on to it:\n\nlantern mossy quartet debit\n\nThanks.", "lantern mossy quartet debit"),
    ("Keep this for the wallet: silver harbor lentil motion.", "silver harbor lentil motion"),
    ("现在住锦绣园8号楼2单元1903，电梯要刷卡。", "锦绣园8号楼2单元1903"),
]
DAYS = [
    ("The deadline is 3 March.", "3 March"),
    ("The meeting was moved to March 14.", "March 14"),
    ("The portal shuts at noon on 3 March, not midnight.", "3 March"),
    ("He'll send somebody Tuesday the 18th.", "Tuesday the 18th"),
    ("Die Prüfung ist am 14. Mai.", "14. Mai"),
    ("La boda es el 9 de junio, no lo olvides.", "9 de junio"),
    ("Le contrat expire le 30 septembre.", "30 septembre"),
    ("締め切りは3月14日です。", "3月14日"),
    ("마감은 3월 14일입니다.", "3월 14일"),
]
WRITTEN = [
    ("FROM debian@sha256:9c1f0e7ad4b82356c0de", "sha256:9c1f0e7ad4b82356c0de"),
    ('"arguments":"{\\"warehouse\\": \\"wh_prod_Nordkapp\\", \\"n\\": 1}"', "wh_prod_Nordkapp"),
    ("    HostName jump-lisbon.vela.net\n", "jump-lisbon.vela.net"),
    ("create table tmp_reconcile_q3_bak as\n", "tmp_reconcile_q3_bak"),
    ("合同寄出去了，编号是青禾-2026-0391，请记下。", "青禾-2026-0391"),
    ("これからは /mnt/nas2/共有/議事録_改訂 に保存してください。", "/mnt/nas2/共有/議事録_改訂"),
]
MESSAGES = [
    ("I've measured the alcove again. It's 61.5 cm at the narrow end.", "61.5 cm"),
    ("He came down and we shook hands on £340, please bring it in cash.", "£340"),
    ("Could you change the standing order so that it pays 865.40? Thanks.", "865.40"),
    ("I'm at the station: the sleeper leaves from platform 11 tonight.", "11"),
    ("Hi Paolo, the headcount for the lunch is thirty-eight. Please lay no more.", "thirty-eight"),
    ("Please start with twelve percent of the users.", "twelve percent"),
    ("My aunt told me: it takes two teaspoons of cardamom.", "two teaspoons of cardamom"),
    ("Reminder, please: the interviews are in the Juniper Room now.", "Juniper Room"),
    ("We all said that we ought to read The Salt Cartographer, thanks to my sister.",
     "The Salt Cartographer"),
    ("My sister-in-law is vegetarian, so plan for that please.", "vegetarian"),
    ("The bins go out on Wednesdays, and I never remember.", "Wednesdays"),
    ('My brother collects her. He\'ll say "purple submarine" at the gate.', "purple submarine"),
    ("We now have until 14 February to submit, can you tell my boss?", "14 February"),
    ('[theme]\nname = "harbour-slate"\n', "harbour-slate"),
    ("environment: walnut-grove\n", "walnut-grove"),
]  # fmt: skip
SETTLED = [
    ("Use a learning rate of 3e-4 for the pilot.", "3e-4"),
    ("Keep the retry limit at 5 until Monday.", "5"),
    ("The threshold we agreed on is 0.85.", "0.85"),
    ("La tasa de aprendizaje es 0,002.", "0,002"),
    ("タイムアウトは45秒です。", "45秒"),
]
MACHINES = [
    ("use svc-harvester-ro as the service account for this", "svc-harvester-ro"),
    ("No es reportes-mx, perdón, es reportes-mx-central; el otro no.", "reportes-mx-central"),
    ("all of this goes to our wyvern-eu-sandbox project", "wyvern-eu-sandbox"),
    ("я перенёс копии в хранилище backup-ural-weekly, там есть место", "backup-ural-weekly"),
    ('{"warehouse": "wh_prod_Nordkapp", "dry_run": true}', "wh_prod_Nordkapp"),
    ("per il wifi cercate Casa_Ortensia_ospiti, non serve altro", "Casa_Ortensia_ospiti"),
    ("Everything sits on mara/lazy-thumbnails, tests are green.", "mara/lazy-thumbnails"),
    ('EXCHANGE_NAME = "ledger.events.v4"\n', "ledger.events.v4"),
    ('{"args": "{\\"via\\": [\\"pm_1QxT8vKc92LmZdRw\\", \\"x\\"]}"}', "pm_1QxT8vKc92LmZdRw"),
    ("timezone: Europe/Chisinau\n", "Europe/Chisinau"),
    ("<res-ref-name>jdbc/LedgerArchiveDS</res-ref-name>", "jdbc/LedgerArchiveDS"),
    ("buoy,59.3293N 18.0686E,ok\n", "59.3293N 18.0686E"),
    ("When it asks, type copper walnut ferry dusk pilgrim with the spaces.",
     "copper walnut ferry dusk pilgrim"),
    ("Scratch that, she just called, it's June 27 and not the 25th.", "June 27"),
    ("면접은 2031년 4월 18일 오후 3시에 진행됩니다.", "2031년 4월 18일 오후 3시"),
    ("Arrivo con il FR 9618 a Bologna.", "FR 9618"),
    ("活动地点应为海淀区知春路甲48号3座，请大家不要走错。", "海淀区知春路甲48号3座"),
    ("She would like you to go down to 12.5 mg of it.", "12.5 mg"),
]  # fmt: skip
TOLD = (
    MACHINES + WRITTEN + MESSAGES + DAYS + SETTLED + PLACED + MEASURED + TRAVELLED + HOUSES + NAMED
)
NOTHING = [
    "The review of Table 3 shows row 5. Room 12 of the museum holds coins.",
    "The gate 4 metres wide was on platform shoes. A desk 2 m long.",
    "The temperature rose to 25 degrees and 30 mg were lost on the way.",
    "The flight was long. The train had 12 cars and the vol. 3 of the book.",
    "The hotel was full and the Hotel had closed in the war.",
    "A mid-19th-century house, a top-of-the-15 list and text-gray-700 in a class.",
    "col-md-12 and iso-8859-15 and utf-16-le are names of everybody.",
    "Everything runs on open-source software and moved to day-to-day work.",
    "It is called The Company and goes by night.",
    "It was a long day.\n\nNobody came to see them.\n\nThe end.",
    "The battle was fought on 3 March and ended on 5 March.",
    "Whoever returns 5 may be asked again on the 18th floor.",
    "The default timeout is 30 seconds, a typical batch size of 32 is fine.",
    "The timeout was long, and the interval of the wave grew.",
    "Call get_queue_worker(name) or use max_retry_count in db_session_maker.",
    "To see more, type the letters below, then enter your name.",
    "This is defined by RFC 2047 and by ISO 9001.",
    "The alcove was 61.5 cm wide, in the Juniper Room of the club.",
    "The diet is vegetarian. Mass is held on Wednesdays. Twelve percent of voters were undecided.",
    "I waited for 10 minutes, please, and there were about 40 kg of it. Kind Regards, my friend.",
    "environment: staging\nstrategy: blue-green\npolicy: round-robin\nname: web-server\n",
]


@pytest.mark.parametrize(("text", "value"), TOLD)
def test_what_is_told_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NOTHING)
def test_what_everybody_has_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), TOLD)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 7) == found(text)


@pytest.mark.parametrize(
    "piece",
    ["locker 3 ", "set to ", "set to 5 a", "flight AB", "Hotel Aa ", "ab-cd-12-", "\n\nabc def "],
)
def test_repetition_takes_linear_time(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 10_000)
