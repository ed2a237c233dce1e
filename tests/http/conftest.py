"""Clients of the server and direct access to its database."""

import pytest
from shop_rig import (
    every_shop,
    new_every_shop,
    new_shop,
    own_shop,
    shared_every_shop,
    shared_google,
    shared_paypal,
    shared_shop,
    shared_stripe,
    shop,
    stripe,
)
from support.contract import Client
from support.keys import make_key


@pytest.fixture
def anyone(server):
    """A client that has not signed in."""
    return Client(server)


@pytest.fixture
def guest(server):
    return Client(server).guest()


@pytest.fixture
def new_client(server):
    return lambda: Client(server)


@pytest.fixture(scope="module")
def sql(cluster, database):
    """Runs a statement on the server's database; returns its rows."""
    connection = cluster.connect(database)

    def run(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    yield run
    connection.close()


@pytest.fixture(scope="module")
def api_key(cluster, database):
    return lambda role="jobs", name=None: make_key(cluster.conninfo(database), role, name)


@pytest.fixture(scope="module")
def holder(server, api_key):
    """A client with a key of a role."""

    def make(role="jobs"):
        client = Client(server)
        client.token = api_key(role)
        return client

    return make
