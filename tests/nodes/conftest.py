"""Several nodes over one database: started, queried, frozen, killed."""

import os
import secrets
import signal

import pytest
from support.after import quicken
from support.cluster import SERVER, Cluster
from support.server import Server
from support.table import Player


class Nodes:
    """Servers n1, n2 … on one database, with one token secret."""

    def __init__(self, cluster, folder):
        self.cluster, self.folder = cluster, folder
        self.database = cluster.new_database()
        quicken(cluster, self.database)
        self.env = {**os.environ, "RUMMYD_JWT_SECRET": secrets.token_hex(32)}
        self.all = {}  # by name; the second server if a name is repeated
        self.made = []

    def make(self, name, db=None, **options):
        """A server that is not started; db: another conninfo for the database."""
        folder = self.folder / f"{name}-{len(self.all)}"
        folder.mkdir()
        server = Server(
            db or self.cluster.conninfo(self.database, SERVER),
            folder,
            env=self.env,
            **{"node": name, "rate_limits": "off", "bot_think_ms": 0, "seed_wait_ms": 100, **options},
        )
        self.all[name] = server
        self.made.append(server)
        return server

    def start(self, *names, **options):
        """Starts servers; returns them once they serve and have found each other."""
        return [self.make(name, **options).start() for name in names]

    def look(self, question, *values):
        return self.cluster.look(self.database, question, *values)

    def close(self):
        for server in self.made:
            if server.process is not None and server.process.poll() is None:
                os.kill(server.process.pid, signal.SIGCONT)
                server.kill()
        self.cluster.drop_database(self.database)
        for server in self.made:
            server.no_finding()


@pytest.fixture
def nodes(cluster, tmp_path):
    it = Nodes(cluster, tmp_path)
    yield it
    it.close()


@pytest.fixture
def own_nodes(tmp_path):
    """The same with a private PostgreSQL that tests may break."""
    cluster = Cluster(own=True)
    it = Nodes(cluster, tmp_path)
    yield it
    it.close()
    cluster.close()


@pytest.fixture(scope="module")
def shared_nodes(cluster, tmp_path_factory):
    """The same, for all tests of a file."""
    it = Nodes(cluster, tmp_path_factory.mktemp("shared"))
    yield it
    it.close()


@pytest.fixture
def player():
    """player(server): a new guest who uses this server."""
    return Player
