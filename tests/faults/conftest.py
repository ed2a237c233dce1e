"""What the fault tests share: tables that fill at once, a PostgreSQL of their own to break, and what has to hold after."""

import pytest
from support.after import served
from support.cluster import Cluster


@pytest.fixture(scope="session")
def own_cluster():
    """Nobody else's: it may be killed, frozen and starved."""
    it = Cluster(own=True)
    yield it
    it.close()


def serve_and_look(cluster, folder, options):
    server = served(cluster, folder, options)
    try:
        yield server
        server.promises.hold(server.tables)
    finally:
        server.kill()
        cluster.drop_database(server.database)


@pytest.fixture
def options():
    """More of its configuration; a test file overrides it."""
    return {}


@pytest.fixture
def table_server(cluster, tmp_path, options):
    yield from serve_and_look(cluster, tmp_path, options)


@pytest.fixture
def own_table_server(own_cluster, tmp_path, options):
    """The same on the PostgreSQL that may be broken."""
    yield from serve_and_look(own_cluster, tmp_path, options)
