"""Names, hosts, handles, schedules and decisions that hold no digit or stand beside no label."""

from __future__ import annotations

import pytest

from found_values import found, found_in_pieces

FOREIGN = [
    ("Der neue Rechner heißt fs-bremen.", "fs-bremen"),
    ("Mein Benutzername dort ist otter_lars.", "otter_lars"),
    ("L'imprimante au fond s'appelle plume-verte.", "plume-verte"),
    ("Mon pseudo là-bas est lynx_bleu, ajoute-moi.", "lynx_bleu"),
    ("La coda nuova si chiama ordini-lenti e gira già.", "ordini-lenti"),
    ("Mi usuario es julia_bici.", "julia_bici"),
    ("A fila nova se chama pagos-lentos.", "pagos-lentos"),
    ("Новый сервер называется web-perm, доступ у Лены.", "web-perm"),
    ("Мой ник там sova_belaya", "sova_belaya"),
    ("Yeni sunucunun adı srv-bursa-02, erişim Ece'de.", "srv-bursa-02"),
    ("اسم الخادم الجديد srv-doha-03 وهو يعمل", "srv-doha-03"),
    ("用户名是tao_xiang。", "tao_xiang"),
]
HOSTS = [
    ("ERROR could not resolve host queue-old.mill.local", "queue-old.mill.local"),
    ("getaddrinfo ENOTFOUND mail.campus.edu", "mail.campus.edu"),
    ("$ ping -c 3 scanner.cellar.lan", "scanner.cellar.lan"),
    ("The new mirror is files.heron.org.", "files.heron.org"),
    ("it runs on db-main.corp today", "db-main.corp"),
    ("machine nas.attic.lan\nlogin me", "nas.attic.lan"),
]
HANDLES = [
    ("My Telegram is @sleepy_lynx, write there.", "@sleepy_lynx"),
    ("Find me on GitHub as sleepy-lynx.", "sleepy-lynx"),
    ("Please post it in #night-shift before noon.", "#night-shift"),
    ("my handle over there is sleepylynx, tag me", "sleepylynx"),
    ("PGUSER=app_rw", "app_rw"),
    ("sudo -u svc_print ls", "svc_print"),
    ("user:\n  name: svc_billing\n  shell: none", "svc_billing"),
    ("cola:\n  activa: true\n  nombre: pagos-lentos", "pagos-lentos"),
    ('{"target": "nas-barn-archive"}', "nas-barn-archive"),
    ("The branch is demo/winter-fair.", "demo/winter-fair"),
    ("- branch for the demo: demo/winter-fair", "demo/winter-fair"),
    ("- ramo da entrega: entrega/parte-dois", "entrega/parte-dois"),
]
DECIDED = [
    ('schedule: "17 3 * * 2,5"', "17 3 * * 2,5"),
    ("schedule: 0 4 * * *", "0 4 * * *"),
    ("*/15 7-19 * * 1-5 make report", "*/15 7-19 * * 1-5"),
    ("We agreed to keep max_connections at 350 for now.", "350"),
    ("We settled on a cutoff of 0.62 for spam.", "0.62"),
    ("Remember, it's locker 31, second row.", "31"),
    ("Use code WINTER-LYNX at checkout.", "WINTER-LYNX"),
    ('The promo code "WINTER-LYNX" ends soon', "WINTER-LYNX"),
    ("Type MAPLE-30 at the checkout.", "MAPLE-30"),
    ("<p>Type <b>MAPLE-30</b> at the checkout.</p>", "MAPLE-30"),
    ("Keep the threshold at 0.35 for the whole series.", "0.35"),
    ("With max_inflight=32 throughput was flat.", "32"),
    ("Your seat is 12-34.", "12-34"),
    ("Guests join the network Barn_Guest and need no password.", "Barn_Guest"),
    ("Join Barn_5G_ext, the other one is slow.", "Barn_5G_ext"),
    ("They go to the bucket raw-videos-north, not here.", "raw-videos-north"),
    ("Set TORCH_LOG_STYLE=short_names:True before you start.", "short_names:True"),
]
NOTHING = [
    "Der Server ist read-only und der Rechner heißt Computer.",
    "Le serveur est up-to-date, la machine est hors-service.",
    "El usuario es no-residente y el servidor es open-source.",
    "Сервер работает в режиме read-only, логин не нужен.",
    "服务器使用UTF-8编码。",
    "from threading import local; data = threading.local",
    "self.internal = config.local and window.home",
    "The server is fast and the host is localhost.",
    "ping example.com or github.com to test the line",
    "The server is down. Home is where the heart is.",
    "@property\ndef name(self): return self.user",
    "def f(user): # see @param user @return",
    "The account manager thanked us; read chapter #one-two there.",
    ".menu #main-nav { color: red }\n<a href='#top-bar'>",
    "- [the account](#join-us) section",
    "my handle is broken and my username is missing",
    "user:\n  name: anna\n  shell: none",
    "steps:\n  - name: build-and-test\n    run: make",
    '{"target": "wasm-unknown-unknown", "to": "build-and-ship"}',
    "The branch is open, and the branch is either/or.",
    "2 * 3 * 4 * 5 * 6 = 720",
    "* * *\n/* * *\n * * * * *",
    "set the volume to 7 and keep going at 40",
    "It consists of 62 parts, on a scale of 10.",
    "Remember, it's important. The locker 31 times.",
    "error code ACCESS-DENIED and status code NOT-FOUND",
    "SELECT a FROM t JOIN order_items ON x; join Order_Items on y",
    "Slack is real-time, Telegram is open-source; GitHub is git-based.",
    "Le serveur est plug-and-play-ready, l'ordinateur est tout-en-un.",
    "We agreed on an average of 3.5 a head; remember, the table 5 shows it.",
    "The threshold is high, the offset was 3.5 then; make it 2-1 now.",
    "call f(max_len=32) with max_len=4; the locker is 2-3 metres away",
    "sudo -u www-data php; keep num_workers at 4",
    "the queue first-in-first-out and the bucket sort-of-thing",
]


@pytest.mark.parametrize(("text", "value"), FOREIGN + HOSTS + HANDLES + DECIDED)
def test_the_name_is_found(text, value):
    assert found(text) == [value]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_name_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), FOREIGN + HOSTS + HANDLES + DECIDED)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == [value]
