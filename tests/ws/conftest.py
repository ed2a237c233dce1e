"""Live tables: bots that do not pretend to think, and rooms that fill at once."""

import pytest
from support.after import kept


@pytest.fixture(scope="module")
def server(cluster, tmp_path_factory):
    """A server whose Desert fills its tables with bots after half a second. Whatever the tests of a file do to it, its promises hold."""
    with kept(cluster, tmp_path_factory.mktemp("server"), {"seed_wait_ms": 300, "hand_pause_ms": 1000}) as it:
        it.promises.look("UPDATE rooms SET fill_wait_ms = 500 RETURNING id")
        yield it
