"""Fixtures of the fault tests: tables that fill immediately, a private PostgreSQL to break, and invariants
to check afterward."""

import os

import pytest
from support.after import kept
from support.clock import WallClock
from support.cluster import Cluster


@pytest.fixture(scope="session")
def wall_clock():
    """The wall clock of the private cluster and of the servers on it."""
    it = WallClock()
    yield it
    it.close()


@pytest.fixture(scope="session")
def own_cluster(wall_clock):
    """A private cluster that may be killed and frozen, and whose clock may be wrong."""
    it = Cluster(own=True, env=wall_clock.env)
    yield it
    it.close()


@pytest.fixture
def options():
    """Additional configuration, which a test file can override."""
    return {}


@pytest.fixture
def table_server(cluster, tmp_path, options):
    with kept(cluster, tmp_path, options) as server:
        yield server


@pytest.fixture
def own_table_server(own_cluster, wall_clock, tmp_path, options):
    """The same with the private PostgreSQL."""
    wall_clock.put(0)
    with kept(own_cluster, tmp_path, {"env": {**os.environ, **wall_clock.env}, **options}) as server:
        yield server
    wall_clock.put(0)
