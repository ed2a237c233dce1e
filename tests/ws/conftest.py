"""Live tables: bots that do not pause to think, and rooms that fill immediately."""

import pytest
from support.after import kept
from support.table import PLAYED


@pytest.fixture(scope="module")
def server(request, cluster, tmp_path_factory):
    """A server whose Desert fills its tables with bots after 0.5 s. Whatever the tests of a file do to it,
    its invariants must hold. A test file that acts between hands sets HAND_PAUSE_MS longer than its actions
    take; the next hand then starts when all players are ready. A test file whose seeds must be part of the
    deal sets SEED_WAIT_MS; the deal then waits for all seeds."""
    options = {
        name.lower(): getattr(request.module, name, usual)
        for name, usual in (("SEED_WAIT_MS", 300), ("HAND_PAUSE_MS", 1000))
    }
    with kept(cluster, tmp_path_factory.mktemp("server"), options) as it, cluster.quiet(it.database):
        it.promises.look("UPDATE rooms SET fill_wait_ms = 500 RETURNING id")
        yield it


@pytest.fixture(autouse=True)
def covers_its_commands(request):
    """In a test marked quick("draw", ...), these commands must have been acknowledged, or refused by a game
    rule."""
    marker = request.node.get_closest_marker("quick")
    PLAYED.clear()
    yield
    missed = set(marker.args) - PLAYED if marker else set()
    assert not missed, f"the test does not cover {', '.join(sorted(missed))}"
