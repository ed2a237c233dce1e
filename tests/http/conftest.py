"""Callers of the server and direct access to its database."""

import pytest

from support.contract import Client


@pytest.fixture
def anyone(server):
    """A caller who has not signed in."""
    return Client(server)


@pytest.fixture
def guest(server):
    return Client(server).guest()


@pytest.fixture
def new_client(server):
    return lambda: Client(server)


@pytest.fixture(scope="module")
def sql(cluster, database):
    """Runs a statement on the server's database; gives its rows."""
    connection = cluster.connect(database)

    def run(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    yield run
    connection.close()
