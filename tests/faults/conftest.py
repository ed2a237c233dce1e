"""What the fault tests share: tables that fill at once, a PostgreSQL of their own to break, and what has to
hold after."""

import os

import pytest
from support.after import kept
from support.clock import WallClock
from support.cluster import Cluster


@pytest.fixture(scope="session")
def wall_clock():
    """Of the own cluster and the servers on it."""
    it = WallClock()
    yield it
    it.close()


@pytest.fixture(scope="session")
def own_cluster(wall_clock):
    """Nobody else's: it may be killed and frozen, and its clock is not the true one."""
    it = Cluster(own=True, env=wall_clock.env)
    yield it
    it.close()


@pytest.fixture
def options():
    """More of its configuration; a test file overrides it."""
    return {}


@pytest.fixture
def table_server(cluster, tmp_path, options):
    with kept(cluster, tmp_path, options) as server:
        yield server


@pytest.fixture
def own_table_server(own_cluster, wall_clock, tmp_path, options):
    """The same on the PostgreSQL that may be broken."""
    wall_clock.put(0)
    with kept(own_cluster, tmp_path, {"env": {**os.environ, **wall_clock.env}, **options}) as server:
        yield server
    wall_clock.put(0)
