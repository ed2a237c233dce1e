"""Fixtures of the database tests: a connection to a fresh database and methods to act on it."""

import pytest
from db_rig import Rig
from renew import Rigs


@pytest.fixture(scope="module")
def shared(cluster, database):
    """One Rig for all tests of a file that request it. Use it for tests that ignore other players'
    actions."""
    it = Rig(cluster, database)
    yield it
    it.close()


@pytest.fixture(scope="session")
def common_rigs(cluster):
    """Shared by all files of a process, because its sessions have already compiled the functions."""
    it = Rigs(cluster)
    yield it
    it.drop()


@pytest.fixture(scope="module")
def rigs(request, cluster):
    if not getattr(request.module, "OWN_DATABASES", False):
        yield request.getfixturevalue("common_rigs")
        return
    it = Rigs(cluster, own=True)
    yield it
    it.drop()


@pytest.fixture
def rig(rigs):
    """A database that looks new, with a node, and the methods of Rig."""
    it = rigs.take()
    yield it
    rigs.give_back(it)


@pytest.fixture
def renewed_rig(common_rigs):
    """The rig of other files, for a test that needs no separate database although the other tests of its
    file do."""
    it = common_rigs.take()
    yield it
    common_rigs.give_back(it)


@pytest.fixture(scope="module")
def rows(cluster, database):
    """Queries the file's database in its initial state: the rows of a statement."""
    connection = cluster.connect(database)

    def ask(sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    yield ask
    connection.close()
