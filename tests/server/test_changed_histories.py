"""A message edited in the middle: read again from a state before it, exactly."""

import pytest

import servers
from changed_histories import check_edits
from shared_beginnings import RETENTIONS


@pytest.fixture
def start(serve):
    def start(folder, bounds, **options):
        return serve(servers.tiny_engine(checkpoints=4), folder, bounds, **options)

    return start


@pytest.mark.parametrize("options", RETENTIONS[1:], ids=str)
def test_what_is_read_again_is_as_read_for_the_first_time(start, options):
    check_edits(lambda folder, bounds: start(folder, bounds, **options))


@pytest.mark.parametrize("options", RETENTIONS[:1], ids=str)
def test_a_saved_session_has_its_states(start, tmp_path, options):
    check_edits(lambda folder, bounds: start(folder, bounds, **options), tmp_path)
