"""Operators' actions reach the sockets immediately: a ban closes them, a canceled table notifies its
players and refunds the stakes."""

import asyncio
import contextlib

import pytest
from support.contract import Client
from support.keys import make_key
from support.lobby import Lobby
from support.table import Closed, Player, Table, open_table


@pytest.fixture
def admin(server):
    client = Client(server)
    client.token = make_key(server.owner_db)
    return client


def act(admin, path, key):
    return admin.call(
        "POST",
        f"/v1/admin/{path}",
        {"reason": "x"},
        headers={"Idempotency-Key": f"{key}-{path.replace('/', '-')}"},
    ).json()


def test_a_ban_closes_all_sockets_of_its_player_and_no_others(server, admin):
    asyncio.run(ban(server, admin))


async def ban(server, admin):
    bad, good = Player(server, "Bad"), Player(server, "Good")
    seat, other = bad.take_seat(), good.take_seat()
    async with open_table(good, other["table_id"]) as hers:
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            fresh = bad.ticket(seat["table_id"])
            assert act(admin, f"players/{bad.id}/ban", "b")["banned_at"]
            assert await table.until_closed() == 4403
        async with Table(server, seat["table_id"], fresh) as again:
            assert await again.until_closed() == 4401, "an older ticket is useless"
        await hers.sit_down()
        assert (await hers.do("ping"))["t"] == "pong"


def test_ending_all_sessions_closes_only_the_sockets_of_the_player(server, admin):
    asyncio.run(end_sessions(server, admin))


async def end_sessions(server, admin):
    theirs, good = Player(server, "Theirs"), Player(server, "Good")
    seat, other = theirs.take_seat(), good.take_seat()
    async with open_table(good, other["table_id"]) as hers:
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            fresh = theirs.ticket(seat["table_id"])
            assert act(admin, f"players/{theirs.id}/sessions/end", "e")["banned_at"] is None
            assert await table.until_closed() == 4005
        async with Table(server, seat["table_id"], fresh) as again:
            assert await again.until_closed() == 4005, "an older ticket is useless"
        await hers.sit_down()
        assert (await hers.do("ping"))["t"] == "pong"


MANY = 80  # more than the hub is sent at a time


def test_many_bans_on_another_node_close_all_their_sockets(server, cluster):
    """The bans are only written to the database; sockets in the lobby and at tables are closed."""
    asyncio.run(ban_many(server, cluster))


async def ban_many(server, cluster):
    people = [Player(server) for _ in range(MANY)]
    good = Player(server)
    connection = cluster.connect(server.database)
    async with contextlib.AsyncExitStack() as stack:
        lobbies = [await stack.enter_async_context(Lobby(person)) for person in (*people, good)]
        for lobby in lobbies:
            await lobby.receive()
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE players SET banned_at = now() WHERE id = ANY (%s)",
                ([int(person.id) for person in people],),
            )
        for lobby in lobbies[:-1]:
            with pytest.raises(Closed) as closed:
                while True:
                    await lobby.receive(seconds=60)
            assert closed.value.code == 4403
        await lobbies[-1].socket.send('{"t":"ping","id":"p"}')
        await lobbies[-1].until(lambda: any(frame["t"] == "pong" for frame in lobbies[-1].frames))
    connection.close()


def test_canceling_a_running_table_notifies_its_players_of_the_reason(server, admin):
    asyncio.run(cancel(server, admin))


async def cancel(server, admin):
    player = Player(server)
    before = player.silver()
    seat = player.take_seat()
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()
        await table.my_turn_comes()
        assert player.silver() == before - 10
        act(admin, f"tables/{seat['table_id']}/cancel", "c")
        assert (await table.until("cancelled"))["d"] == {"reason": "by_operator"}
        assert await table.until_closed() == 1000
    assert player.silver() == before
    assert admin.get(f"/v1/admin/tables/{seat['table_id']}")["state"] == "cancelled"
    assert admin.get("/v1/admin/ledger/proof")["clean"] is True
