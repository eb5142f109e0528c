"""A message edited in the middle on llama.cpp: read again from a state before it, bit for bit."""

from functools import partial

import pytest

from changed_histories import check_edits
from shared_beginnings import RETENTIONS


@pytest.mark.parametrize("options", RETENTIONS[1:], ids=str)
def test_what_is_read_again_is_as_read_for_the_first_time(start, options):
    check_edits(partial(start, checkpoints=4, **options))


@pytest.mark.parametrize("options", RETENTIONS[::4], ids=str)
def test_a_saved_session_has_its_states(start, tmp_path, options):
    check_edits(partial(start, checkpoints=4, **options), tmp_path)
