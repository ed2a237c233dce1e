"""How nodes notify each other: immediately over the bus, and within 2 s by polling when it is
unavailable."""

import asyncio
import copy
import itertools
import subprocess
import time

import pytest
import requests
from support.keys import make_key
from support.lobby import Lobby
from support.metrics import Metrics, wait_for
from support.nats import PASSWORD, Nats
from support.table import Player, Table
from support.times import promised
from support.wait import HANG_S

POLLED_S = 10  # upper limit without a bus: nodes poll every 2 s on an idle machine


class Pair:
    """Two nodes with a bus. For tests that need a player's socket on one node and a request on the other."""

    def __init__(self, nodes, nats):
        self.nodes, self.nats = nodes, nats
        self.n1, self.n2 = nodes.start("n1", "n2", table_max=1000, bus_url=nats.url)
        for server in (self.n1, self.n2):
            wait_for(server, lambda seen: seen["rummyd_nodes"] == 2 and seen["rummyd_bus_up"] == 1)
        nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
        self.key = make_key(nodes.cluster.conninfo(nodes.database))
        self.keys = itertools.count()

    def admin(self, server, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": f"k{next(self.keys)}"}
        answer = requests.post(
            server.url + "/v1/admin" + path,
            json=body or {"reason": "for a test"},
            headers=headers,
            timeout=HANG_S,
        )
        assert answer.status_code in (200, 202), answer.text
        return answer

    def heard(self):
        """Bus messages that each server has received so far."""
        return [Metrics(server)['rummyd_bus_messages_total{what="heard"}'] for server in (self.n1, self.n2)]

    def at_n1(self, **body):
        """A player, and their table on n1, requested through n2."""
        player = Player(self.n2)
        while True:
            answer = player.post("/tables", {"variant": "straight", "seats": 2, **body})
            assert answer.status_code == 201, answer.text
            at = answer.json()
            if self.nodes.look("SELECT node FROM tables WHERE id = %s", int(at["table_id"])) == [("n1",)]:
                table = Table(self.n1, at["table_id"], at["ticket"])
                table.ws_url = at["ws_url"]
                return player, table


@pytest.fixture(scope="module")
def pair(shared_nodes, tmp_path_factory):
    nats = Nats(tmp_path_factory.mktemp("nats")).start()
    yield Pair(shared_nodes, nats)
    nats.kill()


@pytest.fixture(params=["bus", "no bus"])
def either(request, pair):
    """The pair with its bus, and without."""
    if request.param == "no bus":
        pair.nats.kill()
        for server in (pair.n1, pair.n2):
            wait_for(server, lambda seen: seen["rummyd_bus_up"] == 0)
    yield pair
    if request.param == "no bus":
        pair.nats.start()
        for server in (pair.n1, pair.n2):
            wait_for(server, lambda seen: seen["rummyd_bus_up"] == 1)


async def until(socket, kind, holds=lambda frame: True, seconds=HANG_S):
    """The first frame of the kind that satisfies `when`."""
    end = time.monotonic() + seconds
    while True:
        frame = await socket.receive(end - time.monotonic())
        if frame["t"] == kind and holds(frame):
            return frame


def at(player, server):
    """The same player, with sockets to that node."""
    there = copy.copy(player)
    there.server = server
    return there


def sitting(player):
    return lambda frame: any(seat["player_id"] == player.id for seat in frame["d"]["seats"])


def test_taking_and_leaving_a_seat_reaches_the_other_node(either):
    """The sum of many shows the delay: with polling every 2 s, each would take about 1 s."""
    waited = []

    async def play():
        _, table = either.at_n1(visibility="public", seats=3)
        async with table:
            await until(table, "waiting")
            other = Player(either.n2)
            for _ in range(3 if either.nats.runs() else 1):
                assert (
                    await asyncio.to_thread(other.post, f"/tables/{table.table}/seats")
                ).status_code == 201
                began = time.monotonic()
                await until(table, "waiting", sitting(other))
                waited.append(time.monotonic() - began)
                left = await asyncio.to_thread(other.send, "DELETE", f"/v1/tables/{table.table}/seats/me")
                assert left.status_code == 204
                began = time.monotonic()
                await until(table, "waiting", lambda frame: not sitting(other)(frame))
                waited.append(time.monotonic() - began)

    asyncio.run(play())
    promised(
        "all of it with the bus" if either.nats.runs() else "all of it without the bus",
        sum(waited),
        3 if either.nats.runs() else POLLED_S * len(waited),
    )


def test_an_operator_on_another_node_cancels_a_running_table(either):
    async def play():
        player, table = either.at_n1(bots=1)
        async with table:
            await table.sit_down()
            assert await table.my_turn_comes()
            answer = (
                await asyncio.to_thread(either.admin, either.n2, f"/tables/{table.table}/cancel")
            ).json()
            assert (answer["state"], answer["node"]) == ("playing", "n1") and answer["cancel_asked_at"]
            await until(table, "cancelled")
            assert await table.until_closed() == 1000
        assert either.nodes.look("SELECT state FROM tables WHERE id = %s", int(table.table)) == [
            ("cancelled",)
        ]

    asyncio.run(play())


def test_a_rematch_requested_on_another_node_reaches_the_table(either):
    async def play():
        player, table = either.at_n1(bots=1)
        async with table:
            await table.sit_down()
            await table.play_out()
            answer = await asyncio.to_thread(player.post, f"/tables/{table.table}/rematch")
            assert answer.status_code == 201, answer.text
            said = await until(table, "rematch")
            assert said["d"] == {"table_id": answer.json()["table_id"], "seats": [0]}

    asyncio.run(play())


def test_a_ban_and_a_session_end_on_another_node_close_sockets(either):
    """A waiting table of the banned player would end, too, and the node might hear that first and close with
    1000."""

    async def play():
        banned, table = either.at_n1(bots=1)
        gone, other = either.at_n1()
        async with table, other:
            await table.sit_down()
            await until(other, "waiting")
            await asyncio.to_thread(either.admin, either.n2, f"/players/{banned.id}/ban")
            assert await table.until_closed() == 4403
            body = {"refresh_token": gone.refresh_token}
            assert (
                await asyncio.to_thread(gone.send, "POST", "/v1/auth/logout", body=body)
            ).status_code == 204
            assert await other.until_closed() == 4005
        assert requests.get(either.n1.url + "/v1/me", headers=banned.headers, timeout=HANG_S).status_code in (
            401,
            403,
        )
        assert requests.get(either.n1.url + "/v1/me", headers=gone.headers, timeout=HANG_S).status_code == 401

    asyncio.run(play())


def test_friend_requests_and_tables_reach_the_lobby_of_another_node(either):
    """A request on one node, seen by players in the lobby of the other."""
    ann, bob = Player(either.n2), Player(either.n2)
    waited = []

    async def seen(lobby, act, holds):
        began = time.monotonic()
        assert (await asyncio.to_thread(act)).status_code in (200, 201)
        await lobby.until(holds, HANG_S)
        waited.append(time.monotonic() - began)

    def told(lobby, kind, data):
        return lambda: any(frame["t"] == kind and data(frame["d"]) for frame in lobby.frames)

    def befriend(player, other):
        return lambda: player.send("PUT", f"/v1/friends/{other.id}")

    async def play():
        async with Lobby(at(ann, either.n1)) as hers, Lobby(at(bob, either.n1)) as his:
            await hers.until(told(hers, "lobby", bool), HANG_S)
            await his.until(told(his, "lobby", bool), HANG_S)
            await seen(
                his, befriend(ann, bob), told(his, "notification", lambda d: d["data"]["state"] == "asks")
            )
            await seen(
                hers,
                befriend(bob, ann),
                told(hers, "notification", lambda d: d["data"]["state"] == "accepted"),
            )
            await hers.until(told(hers, "friends", lambda d: d["items"][0]["player_id"] == bob.id), HANG_S)
            body = {"variant": "straight", "seats": 3, "visibility": "public"}
            await seen(
                hers, lambda: bob.post("/tables", body), told(hers, "lobby_changed", lambda d: d["tables"])
            )

    asyncio.run(play())
    promised(
        "all of it with the bus" if either.nats.runs() else "all of it without the bus",
        sum(waited),
        3 if either.nats.runs() else POLLED_S * len(waited),
    )


def test_friends_in_the_lobbies_of_two_nodes_see_each_other(either):
    """Each is visible to the other while they are there, and counted on both. Lobbies are updated once per
    second, and wait a while in case a player who left returns, so the bus saves little time here."""
    ann, bob = Player(either.n2), Player(either.n2)
    for player, other in ((ann, bob), (bob, ann)):
        assert player.send("PUT", f"/v1/friends/{other.id}").status_code == 200
    waited, heard = [], either.heard()

    def shown(lobby):
        lists = [frame["d"]["items"] for frame in lobby.frames if frame["t"] == "friends"]
        return [(item["player_id"], item["state"]) for item in lists[-1]] if lists else []

    async def seen(lobby, friends):
        began = time.monotonic()
        await lobby.until(lambda: shown(lobby) == friends, HANG_S)
        waited.append(time.monotonic() - began)

    async def play():
        async with Lobby(at(ann, either.n1)) as hers:
            await hers.until(lambda: hers.online == 1, HANG_S)
            for _ in range(2):
                async with Lobby(at(bob, either.n2)) as his:
                    await seen(hers, [(bob.id, "lobby")])
                    await seen(his, [(ann.id, "lobby")])
                    for lobby in (hers, his):
                        await lobby.until(lambda lobby=lobby: lobby.online == 2, HANG_S)
                await seen(hers, [])
            await hers.until(lambda: hers.online == 1, HANG_S)

    asyncio.run(play())
    print(f"\nseen after {max(waited) * 1000:.0f} ms at most")
    assert [now > before for now, before in zip(either.heard(), heard)] == [either.nats.runs()] * 2, (
        "each hears by the bus, if there is one"
    )


def test_players_in_the_lobby_of_a_dead_node_are_no_longer_shown(nodes):
    n1, n2 = nodes.start("n1", "n2")
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    ann, bob = Player(n1), Player(n1)
    for player, other in ((ann, bob), (bob, ann)):
        assert player.send("PUT", f"/v1/friends/{other.id}").status_code == 200

    def last(lobby):
        return [frame["d"]["items"] for frame in lobby.frames if frame["t"] == "friends"][-1:]

    async def play():
        async with Lobby(ann) as hers, Lobby(at(bob, n2)):
            await hers.until(lambda: last(hers) and last(hers)[0], HANG_S)
            n2.kill()
            await hers.until(lambda: last(hers) == [[]], HANG_S)
            await hers.until(lambda: hers.online == 1, HANG_S)

    asyncio.run(play())


# --- the bus itself -----------------------------------------------------------------------------------------


def test_hostile_messages_change_nothing_and_are_counted(pair):
    before = Metrics(pair.n1)
    bad = [
        (subject, payload)
        for subject in ("rummyd.table.0.cancel", "rummyd.table.x.changed", "rummyd.nothing", "rummyd.lobby")
        for payload in (b"", b"2", b"1" * 4000, b"\x00\xff")
    ]
    table = pair.nodes.look("SELECT count(*) FROM tables WHERE state = 'cancelled'")
    invented = [(f"rummyd.table.{n}.cancel", b"1") for n in range(1, 200)]
    invented += [
        (f"rummyd.{what}", b"1")
        for what in ("player.1.revoked", "session.1.ended", "table.1.rematch", "table.1.changed", "look")
    ]
    pair.nats.say(*bad, *invented)
    bads, heards = 'rummyd_bus_messages_total{what="bad"}', 'rummyd_bus_messages_total{what="heard"}'
    wait_for(
        pair.n1,
        lambda seen: seen[bads] - before[bads] == len(bad) and seen[heards] - before[heards] >= len(invented),
    )
    assert Player(pair.n1).get("/me").status_code == 200
    assert pair.nodes.look("SELECT count(*) FROM tables WHERE state = 'cancelled'") == table


def test_nodes_keep_serving_while_the_bus_server_is_frozen(pair):
    pair.nats.freeze()
    try:
        for server in (pair.n1, pair.n2):
            wait_for(server, lambda seen: seen["rummyd_bus_up"] == 0)
            assert requests.get(server.url + "/readyz", timeout=HANG_S).status_code == 200
    finally:
        pair.nats.thaw()
    for server in (pair.n1, pair.n2):
        wait_for(server, lambda seen: seen["rummyd_bus_up"] == 1)


def test_the_bus_password_is_not_logged(pair):
    for server in (pair.n1, pair.n2):
        assert PASSWORD not in server.log() and server.logged('"bus_up"')


# --- startup ------------------------------------------------------------------------------------------------


def certificate(folder, host):
    """Files of a self-signed certificate, and its key."""
    files = folder / f"{host}.pem", folder / f"{host}.key"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={host}",
            "-addext",
            f"subjectAltName=DNS:{host}",
            "-out",
            files[0],
            "-keyout",
            files[1],
        ],
        check=True,
        capture_output=True,
    )
    return files


def test_only_a_matching_bus_certificate_is_trusted(nodes, tmp_path):
    """It is valid only for its own name and only with `bus_ca`. A node that cannot reach the bus still
    serves."""
    good, other = certificate(tmp_path, "localhost"), certificate(tmp_path, "elsewhere.example")
    ours, foreign = Nats(tmp_path, good).start(), Nats(tmp_path, other).start()
    cases = {"n1": (ours, good[0], 1), "n2": (foreign, other[0], 0), "n3": (ours, other[0], 0)}
    try:
        servers = {
            name: nodes.make(name, bus_url=nats.url, bus_ca=ca).start()
            for name, (nats, ca, _) in cases.items()
        }
        for name, (_, _, up) in cases.items():
            wait_for(servers[name], lambda seen, up=up: seen["rummyd_bus_up"] == up)
            assert servers[name].logged('"bus_up"' if up else '"bus_away"')
            assert up or '"bus_up"' not in servers[name].log()
    finally:
        ours.kill()
        foreign.kill()


def test_a_wrong_bus_password_is_retried_and_not_logged(nodes, tmp_path):
    nats = Nats(tmp_path).start()
    try:
        (server,) = nodes.start("n1", bus_url=nats.url.replace(PASSWORD, "another-secret"))
        assert server.logged('"bus_away"')
        assert Metrics(server)["rummyd_bus_up"] == 0
        assert "another-secret" not in server.log()
    finally:
        nats.kill()
