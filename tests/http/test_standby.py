"""Reads of lists and of history from a standby: it serves them, and no player sees older data than they
have already seen."""

import os
import secrets

import pytest
from support.cluster import SERVER, Cluster
from support.dates import this_week
from support.metrics import Metrics, wait_for
from support.server import Server
from support.standby import Standby
from support.table import Player
from support.wait import until

READS = 'rummyd_standby_reads_total{answered="standby"}'
MISSED = 'rummyd_standby_reads_total{answered="primary"}'
AVATARS = ("fox", "owl")


class Pair:
    """Two servers that write to a primary and read from one standby."""

    def __init__(self, folder):
        self.cluster = Cluster(own=True)
        self.database = self.cluster.new_database()
        self.standby = Standby(self.cluster).start()
        env = {**os.environ, "RUMMYD_JWT_SECRET": secrets.token_hex(32)}
        self.servers = []
        for name in ("n1", "n2"):
            (folder / name).mkdir()
            self.servers.append(
                Server(
                    self.cluster.conninfo(self.database, SERVER),
                    folder / name,
                    env=env,
                    node=name,
                    rate_limits="off",
                    db_read=self.standby.conninfo(self.database, SERVER),
                ).start()
            )
        self.await_standby()

    def await_standby(self):
        for server in self.servers:
            wait_for(
                server,
                lambda seen: seen["rummyd_standby_up"] == 1 and seen["rummyd_standby_behind_bytes"] == 0,
            )

    def stop_standby(self):
        """Stops the standby, and waits until every server has detected it."""
        self.standby.stop()
        for server in self.servers:
            wait_for(server, lambda seen: seen["rummyd_standby_up"] == 0)

    def counts(self):
        seen = [Metrics(server) for server in self.servers]
        return tuple(sum(one[name] for one in seen) for name in (READS, MISSED))

    def close(self):
        for server in self.servers:
            server.kill()
        self.standby.close()
        self.cluster.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    it = Pair(tmp_path_factory.mktemp("pair"))
    yield it
    it.close()


def shown_at_once(pair, player, n):
    """Changes the player on one node and reads from the other, repeatedly."""
    for i in range(n):
        one, other = pair.servers[i % 2], pair.servers[1 - i % 2]
        player.url = one.url
        assert player.send("PATCH", "/v1/me", body={"avatar": AVATARS[i % 2]}).status_code == 200
        player.url = other.url
        assert player.get(f"/players/{player.id}").json()["avatar"] == AVATARS[i % 2]


def test_the_standby_answers_exactly_its_operations(pair):
    player = Player(pair.servers[0])
    paths = [
        f"/players/{player.id}",
        f"/players/{player.id}/variants/straight",
        "/games",
        "/wallet/postings",
        "/leagues",
        "/me/achievements",
        "/me/quests",
        "/me/seasons",
        f"/me/weeks/{this_week()}",
        "/leaderboards/rating/straight",
        "/leaderboards/rating/straight/around",
        "/leaderboards/rating/straight/friends",
    ]
    answered = [path for path in paths if player.get(path).status_code == 200]
    assert len(answered) >= 6, answered

    def all_read_there():
        """A round does not count if the standby lagged, because it is then skipped for a while."""
        read, missed = pair.counts()
        for path in answered:
            assert player.get(path).status_code == 200
        now = pair.counts()
        return now if (now[0] - read, now[1] - missed) == (len(answered), 0) else None

    now = until(all_read_there, "not all were read at the standby")
    for path in ("/me", "/wallet", "/notifications"):
        assert player.get(path).status_code == 200
    assert pair.counts() == now


def read_there(pair, player, changes):
    """A slow machine delays the standby, which is then skipped for a while."""
    read, _ = pair.counts()

    def changed():
        shown_at_once(pair, player, changes)
        return pair.counts()[0] > read

    until(changed, "nothing was read at the standby")


def test_changes_at_one_node_are_visible_at_the_other(pair):
    read_there(pair, Player(pair.servers[0]), 30)


def test_a_slightly_delayed_standby_is_waited_for(pair):
    pair.stop_standby()
    pair.standby.start(delay_ms=15)
    pair.await_standby()
    read_there(pair, Player(pair.servers[0]), 4)
    pair.stop_standby()
    pair.standby.start()
    pair.await_standby()


def test_a_paused_standby_is_not_read(pair):
    player = Player(pair.servers[0])
    pair.standby.pause()
    try:
        shown_at_once(pair, player, 6)
        wait_for(
            pair.servers[0],
            lambda seen: seen["rummyd_standby_behind_bytes"] > 0 and seen["rummyd_standby_up"] == 0,
        )
        read, missed = pair.counts()
        shown_at_once(pair, player, 4)
        assert pair.counts() == (read, missed + 4)
    finally:
        pair.standby.resume()
    pair.await_standby()
    read_there(pair, player, 2)  # measured from its return
    assert pair.servers[0].logged('"standby_not_read"') and pair.servers[0].logged('"standby_read_again"')


def test_a_standby_that_stops_and_returns_is_read_again(pair):
    player = Player(pair.servers[0])
    pair.standby.stop()
    shown_at_once(pair, player, 6)
    pair.stop_standby()
    pair.standby.start()
    pair.await_standby()
    read_there(pair, player, 2)


def test_a_primary_is_not_used_as_a_standby(pair, tmp_path):
    server = Server(
        pair.cluster.conninfo(pair.database, SERVER),
        tmp_path,
        env=pair.servers[0].env,
        node="n3",
        rate_limits="off",
        db_read=pair.cluster.conninfo(pair.database, SERVER),
    ).start()
    try:
        player = Player(server)
        assert player.get(f"/players/{player.id}").status_code == 200
        seen = Metrics(server)
        assert seen[READS] == 0 and seen["rummyd_standby_up"] == 0
        assert server.logged('"why":"it is none"')
    finally:
        server.kill()
