"""What the fault tests share: tables that fill at once, a PostgreSQL of their own to break, and what has to hold after."""

import pytest
from support.after import Promises
from support.cluster import Cluster
from support.server import Server


def quicken(cluster, database):
    """Rooms fill with bots at once, and who plays alone may do so all day."""
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 200")
        cursor.execute("UPDATE settings SET value = '1000000' WHERE name = 'alone_games_a_day'")
    connection.close()


@pytest.fixture(scope="session")
def own_cluster():
    """Nobody else's: it may be killed, frozen and starved."""
    it = Cluster(own=True)
    yield it
    it.close()


def served(cluster, folder, options):
    """A server whose bots do not think. Its `promises` have to hold at the end, for its `tables`."""
    database = cluster.new_database()
    quicken(cluster, database)
    server = Server(cluster.conninfo(database), folder, **{"rate_limits": "off", "bot_think_ms": 0, "seed_wait_ms": 100, **options})
    server.database = database
    server.tables = []
    server.start()
    server.promises = Promises(cluster, server, database)
    return server


@pytest.fixture
def options():
    """More of its configuration; a test file overrides it."""
    return {}


@pytest.fixture
def table_server(cluster, tmp_path, options):
    server = served(cluster, tmp_path, options)
    yield server
    server.promises.hold(server.tables)
    cluster.drop_database(server.database)


@pytest.fixture
def own_table_server(own_cluster, tmp_path, options):
    """The same on the PostgreSQL that may be broken."""
    server = served(own_cluster, tmp_path, options)
    yield server
    server.promises.hold(server.tables)
    own_cluster.drop_database(server.database)
