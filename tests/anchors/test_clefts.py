"""People whom a sentence singles out, and what commands and sums of others hold."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found, found_in_pieces
from growing import assert_linear

STATED = [
    ("C'est Maëlle Kerguelen qui a signé le bon de livraison.", "Maëlle Kerguelen"),
    ("C’est Odette Marchal qui garde le double des clés.", "Odette Marchal"),
    (
        "Para que conste, quien firmó el acta fue Nuria Etxeberri, no el director.",
        "Nuria Etxeberri",
    ),
    ("Quem ficou com os crachás foi a Iracema Fontoura, falem com ela.", "Iracema Fontoura"),
    ("L'anticipo l'ha autorizzato Ilaria Bassani quando eravamo via.", "Ilaria Bassani"),
    ("Den Schlüssel hat zuletzt Heike Brandner mitgenommen, fragt sie.", "Heike Brandner"),
    ("Кто дал скидку? Это сделала Алла Жукова, устно.", "Алла Жукова"),
    ("El servicio se conecta por el puerto 14729 desde ayer.", "14729"),
    ("Der Dienst läuft ab heute über Port 14729, weil der alte zu ist.", "14729"),
    ("$ git switch -c wip/silent-otter-b\n", "wip/silent-otter-b"),
    ("[Service]\nEnvironment=CACHE_DIR=/srv/otter/cache-7\n", "/srv/otter/cache-7"),
    ("The talk will be held in Room 4.21 after all, please come.", "4.21"),
    (
        "Pay the deposit into ES41 2038 9160 7707 4481 2203 and tell me.",
        "ES41 2038 9160 7707 4481 2203",
    ),
    (
        "La fianza en FR76 3000 6000 0112 3456 7890 189 como siempre.",
        "FR76 3000 6000 0112 3456 7890 189",
    ),
    ("伝票番号は HKT-5518-み でした。", "HKT-5518-み"),
    ("접수번호가 BNR-30412-라 라고 하네요.", "BNR-30412-라"),
    ("수리비로 낸 돈이 48만 6천 원이었고 영수증이 있어요.", "48만 6천 원"),
]
NOTHING = [
    "C'est Paris qui a gagné, et c'est la vie.",
    "El puerto de Valencia es grande. A porta estava aberta.",
    "Sie hat gestern Brot gekauft. Er hat Recht.",
    "L'ha detto il professore. Это сделала зима.",
    "git checkout -b new-feature\ngit checkout -b main\ngit branch -m master\n",
    "원인과 원칙이 3만 원칙에 있다.",
]
PIECES = [
    "c'est Aa Bb qui a ",
    "quien es Aa ",
    "hat Aa Bb ",
    "puerto 1",
    "git switch -c a/",
    " ES41 2038",
    "QR-88-",
    "A_B=",
]


@pytest.mark.parametrize(("text", "value"), STATED)
def test_what_is_stated_is_found_whole(text, value):
    assert value in found(text)


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing_has_none(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "value"), STATED)
def test_pieces_change_nothing(text, value):
    assert found_in_pieces(text, 3) == found(text)


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text(piece):
    assert_linear(anchors_of, piece, 4_000)
