"""Beginnings that sessions share on llama.cpp: as if all were read anew, bit for bit."""

import pytest

import shared_beginnings as shared
from shared_beginnings import OFF, RETENTIONS


@pytest.mark.parametrize("options", RETENTIONS, ids=str)
def test_what_is_read_once_is_as_if_read_anew(start, options):
    shared.check_as_read_anew(start(**options), start(bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS[:2], ids=str)
def test_a_history_before_the_last_message_is_shared_too(start, options):
    shared.check_last_message(start(**options), start(bounds=OFF, **options))


@pytest.mark.parametrize("options", RETENTIONS, ids=str)
def test_beginnings_survive_a_restart(start, tmp_path, options):
    shared.check_restart(lambda folder: start(folder, **options), tmp_path)
