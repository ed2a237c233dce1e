"""A session that ends closes its sockets, and no others."""

import asyncio
import contextlib

import pytest
import requests
from support.lobby import Lobby
from support.table import Closed, Player, Table
from support.wait import HANG_S


def twice(server):
    """One guest with two sessions."""
    first = Player(server)
    answer = requests.post(
        server.url + "/v1/auth/guest", json={"device_secret": first.secret}, timeout=HANG_S
    )
    second = Player.__new__(Player)
    second.__dict__.update(first.__dict__)
    second.take_tokens(answer)
    assert answer.json()["player"]["id"] == first.id
    return first, second


def log_out(player):
    body = {"refresh_token": player.refresh_token}
    assert requests.post(player.server.url + "/v1/auth/logout", json=body, timeout=HANG_S).status_code == 204


async def closed(lobby, seconds=HANG_S):
    with pytest.raises(Closed) as end:
        while True:
            await lobby.receive(seconds)
    return end.value.code


async def heard(lobby):
    await lobby.socket.send('{"t":"ping","id":"p"}')
    await lobby.until(lambda: any(frame["t"] == "pong" for frame in lobby.frames))


def test_ending_a_session_closes_its_sockets(server):
    asyncio.run(ends(server))


async def ends(server):
    here, there = twice(server)
    seat = here.take_seat()
    async with Table(server, seat["table_id"], seat["ticket"]) as table, Lobby(there) as lobby:
        await table.sit_down()
        await lobby.receive()
        fresh = here.ticket(seat["table_id"])
        log_out(here)
        assert await table.until_closed() == 4005
        async with Table(server, seat["table_id"], fresh) as again:
            assert await again.until_closed() == 4005, "an older ticket is useless"
        await heard(lobby)
        async with Table(server, seat["table_id"], there.ticket(seat["table_id"])) as back:
            await back.sit_down()
            assert (await back.do("ping"))["t"] == "pong", "the seat is the player's, not the session's"


MANY = 80


def test_sessions_ended_on_another_node_close_their_sockets_here(server, cluster):
    asyncio.run(end_many(server, cluster))


async def end_many(server, cluster):
    """Ends the sessions only in the database."""
    people = [Player(server) for _ in range(MANY + 1)]
    connection = cluster.connect(server.database)
    async with contextlib.AsyncExitStack() as stack:
        lobbies = [await stack.enter_async_context(Lobby(person)) for person in people]
        for lobby in lobbies:
            await lobby.receive()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT sessions_end(ARRAY(SELECT id FROM sessions WHERE player_id = ANY (%s)))",
                ([int(person.id) for person in people[:-1]],),
            )
        for lobby in lobbies[:-1]:
            assert await closed(lobby, seconds=60) == 4005
        await heard(lobbies[-1])
    connection.close()
