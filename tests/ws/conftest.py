"""Live tables: bots that do not pretend to think, and rooms that fill at once."""

import pytest
from support.after import kept
from support.table import PLAYED


@pytest.fixture(scope="module")
def server(request, cluster, tmp_path_factory):
    """A server whose Desert fills its tables with bots after half a second. Whatever the tests of a file do
    to it, its promises hold. A file that acts between two hands names a HAND_PAUSE_MS that outlasts what it
    does: the next hand comes when all are ready. A file that needs its seeds in the deal names a
    SEED_WAIT_MS: the deal comes when all seeds are there."""
    options = {
        name.lower(): getattr(request.module, name, usual)
        for name, usual in (("SEED_WAIT_MS", 300), ("HAND_PAUSE_MS", 1000))
    }
    with kept(cluster, tmp_path_factory.mktemp("server"), options) as it, cluster.quiet(it.database):
        it.promises.look("UPDATE rooms SET fill_wait_ms = 500 RETURNING id")
        yield it


@pytest.fixture(autouse=True)
def covers_its_commands(request):
    """A test marked quick("draw", …) has had these commands acknowledged, or refused by a rule."""
    marker = request.node.get_closest_marker("quick")
    PLAYED.clear()
    yield
    missed = set(marker.args) - PLAYED if marker else set()
    assert not missed, f"the test does not cover {', '.join(sorted(missed))}"
