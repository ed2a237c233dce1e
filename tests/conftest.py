"""What all Python tests share: a cluster for the run, a fresh migrated database, a running server.

Run them with Debian's Python: /usr/bin/python3 -m pytest tests/http (RUMMY_BUILD names another build).
"""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from support.cluster import SERVER, Cluster
from support.server import Server


def pytest_collection_modifyitems(items):
    """Files that take a minute or more (LONG) come first, so that no process starts one after the others
    have finished. -k also selects tests by their fixtures."""
    items.sort(key=lambda item: not getattr(item.module, "LONG", False))
    for item in items:
        item.extra_keyword_matches.update(getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def cluster():
    """The private PostgreSQL cluster of this run."""
    it = Cluster()
    yield it
    it.close()


@pytest.fixture(scope="session")
def common_database(cluster):
    """For all files of a process that say SHARES_SERVER = True: their tests set no configuration, use only
    data that they have created, and restore what they change for others."""
    name = cluster.new_database()
    yield name
    cluster.drop_database(name)


@pytest.fixture(scope="session")
def common_server(cluster, common_database, tmp_path_factory):
    it = Server(
        cluster.conninfo(common_database, SERVER), tmp_path_factory.mktemp("server"), rate_limits="off"
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


def shares(request):
    return getattr(request.module, "SHARES_SERVER", False)


@pytest.fixture(scope="module")
def database(request, cluster):
    """The name of a fresh, migrated database, one for each test file that does not share one."""
    if shares(request):
        yield request.getfixturevalue("common_database")
        return
    name = cluster.new_database()
    yield name
    cluster.drop_database(name)


@pytest.fixture(scope="module")
def quiet(cluster, database):
    """For servers that a file starts on its database: PostgreSQL must not reject any of their
    statements."""
    with cluster.quiet(database):
        yield


@pytest.fixture(scope="module")
def server(request, quiet, cluster, database, tmp_path_factory):
    """A server on this file's database, without rate limits. It must stop cleanly."""
    if shares(request):
        yield request.getfixturevalue("common_server")
        return
    it = Server(
        cluster.conninfo(database, SERVER), tmp_path_factory.mktemp("server"), rate_limits="off"
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture
def new_server(cluster, tmp_path):
    """Creates private servers, each on a fresh database: new_server(log_level="debug")."""
    made = []

    def make(start=True, **options):
        folder = tmp_path / str(len(made))
        folder.mkdir()
        name = cluster.new_database()
        it = Server(cluster.conninfo(name, SERVER), folder, **options)
        it.database = name
        made.append(it)
        return it.start() if start else it

    yield make
    for it in made:
        if it.process is not None and it.process.poll() is None:
            it.kill()
        cluster.drop_database(it.database)
    for it in made:
        it.no_finding()
