"""Live tables: bots that do not pretend to think, and rooms that fill at once."""

import pytest
from support.server import Server


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    """A server whose Desert fills its tables with bots after half a second. It must stop cleanly."""
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 500")
        cursor.execute("UPDATE settings SET value = '1000' WHERE name = 'alone_games_a_day'")
    connection.close()
    it = Server(
        cluster.conninfo(database), tmp_path_factory.mktemp("server"), rate_limits="off", bot_think_ms=0, seed_wait_ms=300, hand_pause_ms=1000
    ).start()
    it.database = database
    yield it
    assert it.stop() == 0, it.log()[-3000:]
