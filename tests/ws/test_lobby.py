"""The lobby's socket: one full state, then changes, for any number of clients."""

import asyncio
import time

import pytest
import requests
from support.after import SANITIZER_KIB, resident_kib
from support.lobby import Lobby
from support.table import CONTRACT, Closed, Player, Table, connect_all, open_table
from test_chat import mark


def test_the_lobby_shows_a_table_open_play_and_end(server):
    watcher, player = Player(server), Player(server)

    async def run():
        async with Lobby(watcher) as lobby:
            first = await lobby.receive()
            assert first["t"] == "lobby"
            assert list(lobby.rooms)[:2] == ["desert", "tundra"]
            before = lobby.rooms["desert"]["people"]
            async with open_table(player) as table:
                mine = str(table.table)
                await lobby.until(lambda: mine in lobby.tables)
                assert lobby.tables[mine]["room"] == "desert" and lobby.tables[mine]["people"] >= 1
                await lobby.until(lambda: lobby.rooms["desert"]["people"] > before)
                await table.sit_down()
                await lobby.until(lambda: lobby.tables[mine]["state"] == "playing")
                await table.play_out()
            await lobby.until(lambda: mine not in lobby.tables)
            assert {frame["t"] for frame in lobby.frames[1:]} == {"lobby_changed"}

    asyncio.run(run())


def test_all_changes_add_up_to_the_state_that_a_newcomer_gets(server):
    """The sum of all changes equals a fresh state."""
    old, new = Player(server), Player(server)

    async def run():
        async with Lobby(old) as follower:
            await follower.receive()
            for _ in range(3):
                player = await asyncio.to_thread(Player, server)
                async with open_table(player) as table:
                    await table.receive()
                    await table.send("leave")
                    await table.until_closed()
            async with Lobby(new) as fresh:
                await fresh.receive()
                picture = fresh.rooms, fresh.games, fresh.tables
                await follower.until(lambda: (follower.rooms, follower.games, follower.tables) == picture)

    asyncio.run(run())


def test_games_count_their_players(server):
    """Players against bots at a private table count as playing; only players at tables that anyone may join
    count as waiting."""
    watcher, alone, host = Player(server), Player(server), Player(server)
    own = {"visibility": "private", "seats": 2}

    def counted(lobby, variant):
        game = lobby.games.get(variant, {"playing": 0, "waiting": 0})
        return game["playing"], game["waiting"]

    async def run():
        async with Lobby(watcher) as lobby:
            await lobby.receive()
            nobody = {variant: counted(lobby, variant) for variant in ("treff", "rami")}
            assert all(game["playing"] + game["waiting"] > 0 for game in lobby.games.values())
            seat = alone.post("/tables", own | {"variant": "treff", "bots": 1}).json()
            async with Table(server, seat["table_id"], seat["ticket"]) as table:
                await table.sit_down()
                playing, waiting = nobody["treff"]
                await lobby.until(lambda: counted(lobby, "treff") == (playing + 1, waiting))
                assert lobby.playing == sum(game["playing"] for game in lobby.games.values())
                for visibility in ("private", "public"):
                    body = own | {"variant": "rami", "visibility": visibility}
                    assert host.post("/tables", body).status_code == 201
                playing, waiting = nobody["rami"]
                await lobby.until(lambda: counted(lobby, "rami") == (playing, waiting + 1))
                await table.send("leave")
                await table.until_closed()
            await lobby.until(lambda: counted(lobby, "treff") == nobody["treff"])

    asyncio.run(run())


def test_changes_are_combined_into_a_few_pushes_per_second(server):
    """However much happens, at most four pushes per second (plus a little, for clock tolerance)."""
    player = Player(server)

    async def run():
        async with Lobby(player) as lobby:
            await lobby.receive()
            began = time.monotonic()
            others = [await asyncio.to_thread(Player, server) for _ in range(8)]
            seats = await asyncio.gather(*(asyncio.to_thread(other.take_seat) for other in others))
            tables = {str(seat["table_id"]) for seat in seats}
            await lobby.until(lambda: tables <= set(lobby.tables))
            took = time.monotonic() - began
            assert len(lobby.frames) - 1 <= took * 4 + 2, (len(lobby.frames), took)

    asyncio.run(run())


def test_a_newer_socket_replaces_the_older(server):
    player = Player(server)

    async def run():
        async with Lobby(player) as first:
            await first.receive()
            async with Lobby(player) as second:
                assert (await second.receive())["t"] == "lobby"
                try:
                    while True:
                        await first.receive()
                except Closed as closed:
                    assert closed.code == 4003

    asyncio.run(run())


def test_frequent_liveness_pings_are_not_flooding(server):
    """Pings as often as the contract allows, and more often, do not count as flooding."""
    liveness = CONTRACT.document["x-liveness"]
    assert 0 < 2 * liveness["quiet_ms"] < liveness["dead_ms"] < 5000
    player = Player(server)

    async def run():
        async with Lobby(player) as lobby:
            assert (await lobby.receive())["t"] == "lobby"
            for n in range(60):
                await lobby.socket.send(f'{{"t":"ping","id":"p{n}"}}')
            pongs = []
            while len(pongs) < 60:
                frame = await lobby.receive()
                pongs += [frame["id"]] if frame["t"] == "pong" else []
            assert pongs == [f"p{n}" for n in range(60)]

    asyncio.run(run())


def closed_with(player, ticket):
    async def run():
        async with Lobby(player, ticket) as lobby:
            try:
                while True:
                    await lobby.receive()
            except Closed as closed:
                return closed.code

    return asyncio.run(run())


def test_tickets_are_valid_for_one_place_and_one_use(server):
    player = Player(server)
    seat = player.take_seat()
    assert closed_with(player, seat["ticket"]) == 4401, "a seat's ticket does not open the lobby"
    ticket = player.post("/lobby/tickets").json()["ticket"]

    async def at_a_table():
        from support.table import Table

        async with Table(server, seat["table_id"], ticket) as table:
            return await table.until_closed()

    assert asyncio.run(at_a_table()) == 4401, "the lobby's ticket does not open a table"

    async def enter():
        async with Lobby(player, ticket) as lobby:
            await lobby.receive()

    asyncio.run(enter())
    assert closed_with(player, ticket) == 4401
    assert closed_with(player, "") == 4401


def test_table_commands_are_refused_in_the_lobby(server):
    player = Player(server)

    async def run():
        async with Lobby(player) as lobby:
            await lobby.socket.send('{"t":"draw","id":"a","d":{"from":"stock"}}')
            await lobby.socket.send('{"t":"ping","id":"b"}')
            await lobby.until(lambda: any(frame["t"] == "pong" for frame in lobby.frames))
            nack = next(frame for frame in lobby.frames if frame["t"] == "nack")
            assert (nack["id"], nack["code"]) == ("a", "unknown_type")
            for _ in range(5):
                await lobby.socket.send('{"t":"draw","id":"a","d":{"from":"stock"}}')
            with pytest.raises(Closed) as closed:
                while True:
                    await lobby.receive()
            assert closed.value.code == 1008, "the sixth"

    asyncio.run(run())


def test_notifications_arrive_once_and_only_at_their_player(server, cluster):
    player, other = Player(server), Player(server)
    connection = cluster.connect(server.database)

    def notify(level):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT notify_player(%s, 'level', jsonb_build_object('level', %s::int))", (player.id, level)
            )

    def notices(lobby):
        return [frame["d"]["data"]["level"] for frame in lobby.frames if frame["t"] == "notification"]

    async def run():
        async with Lobby(player) as lobby, Lobby(other) as stranger:
            await lobby.receive()
            await stranger.receive()
            notify(2)
            await lobby.until(lambda: notices(lobby) == [2])
            notify(3)
            await lobby.until(lambda: len(notices(lobby)) > 1)
            assert notices(lobby) == [2, 3]
            assert not notices(stranger)

    asyncio.run(run())
    connection.close()


def notify_many(cluster, server, player, levels):
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT notify_player(%s, 'level', jsonb_build_object('level', n)) FROM generate_series(1, %s) n",
            (player.id, levels),
        )
    connection.close()


def levels_told(lobby):
    return [frame["d"]["data"]["level"] for frame in lobby.frames if frame["t"] == "notification"]


def test_after_a_flood_of_notifications_the_newest_arrive_once_each(new_server, cluster):
    """There are more than a socket remembers. Pending frames of others do not delay the player's own."""
    server = new_server(rate_limits="off")
    flooded, other = Player(server), Player(server)

    async def run():
        async with Lobby(flooded) as lobby, Lobby(other) as second:
            await lobby.receive()
            await second.receive()
            await asyncio.to_thread(notify_many, cluster, server, flooded, 1000)
            await asyncio.to_thread(notify_many, cluster, server, other, 1)
            await second.until(lambda: levels_told(second) == [1])
            # New tables make the lobby poll at once, and each poll sends one frame.
            while len(levels_told(lobby)) < 6:
                await asyncio.to_thread(other.post, "/tables", {"variant": "treff", "seats": 2})
                seen = len(levels_told(lobby))
                await lobby.until(lambda seen=seen: len(levels_told(lobby)) > seen)
            told = levels_told(lobby)
            assert min(told) > 1000 - 32 and len(set(told)) == len(told), told

    asyncio.run(run())


def public_tables(cluster, server, n, filler=0):
    """Adds this many waiting tables, as other nodes might have opened them; filler: bytes of options per
    table."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO nodes (name, epoch) VALUES ('elsewhere', 1) ON CONFLICT DO NOTHING")
        cursor.execute(
            "SELECT array_agg(column_name::text) FROM information_schema.columns WHERE table_name = 'tables'"
            " AND table_schema = 'public' AND is_identity = 'NO' AND is_generated = 'NEVER' AND column_name"
            " NOT IN ('id', 'node', 'options')"
        )
        columns = ", ".join(cursor.fetchone()[0])
        cursor.execute(
            f"INSERT INTO tables (node, options, {columns}) SELECT 'elsewhere', json_build_object('filler',"
            f" repeat('x', %s)), {columns} FROM (SELECT * FROM tables WHERE visibility = 'public' AND state ="
            " 'waiting' ORDER BY id LIMIT 1) t, generate_series(1, %s)",
            (filler, n),
        )
    connection.close()


def refill(cluster, server, filler):
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables SET options = json_build_object('filler', %s) WHERE node = 'elsewhere'", (filler,)
        )
    connection.close()


def fresh_tables(player):
    async def run():
        async with Lobby(player) as lobby:
            assert (await lobby.receive())["t"] == "lobby"
            return lobby.tables

    return asyncio.run(run())


OPEN = {"variant": "rummy51", "seats": 2, "visibility": "public"}


def test_no_more_tables_are_shown_than_fit_into_a_frame(new_server, cluster):
    server = new_server(rate_limits="off")
    player = Player(server)
    assert player.post("/tables", OPEN).status_code == 201
    public_tables(cluster, server, 150)
    newest = sorted(map(int, fresh_tables(player)), reverse=True)
    assert len(newest) == 120 and newest[-1] == newest[0] - 119, "the newest"
    public_tables(cluster, server, 120, filler=1000)
    shown = sorted(map(int, fresh_tables(player)), reverse=True)
    assert 40 < len(shown) < 60 and shown[0] > newest[0] and shown[-1] == shown[0] - len(shown) + 1


def shows(lobby, filler):
    return sum(table["options"].get("filler") == filler for table in lobby.tables.values()) > 80


SLOW, CHANGES = 20, 12


def test_slow_readers_use_little_memory_and_get_the_latest_state(new_server, cluster):
    """More happens meanwhile than a socket may have pending, and other clients are not affected."""
    server = new_server(rate_limits="off", ping_s=60)  # a client that does not read does not answer pings
    player = Player(server)
    people = [Player(server) for _ in range(SLOW)]
    assert player.post("/tables", OPEN).status_code == 201
    public_tables(cluster, server, 120, filler=300)

    async def run():
        lobbies = [Lobby(person, receive_bytes=16384) for person in people]
        await connect_all(lobbies)
        await asyncio.gather(*(lobby.receive(60) for lobby in lobbies))
        for lobby in lobbies:
            lobby.socket.transport.pause_reading()
        async with Lobby(player) as reader:
            await reader.receive(60)
            before = resident_kib(server)
            for n in range(CHANGES):
                filler = f"{n:02}" * 150
                await asyncio.to_thread(refill, cluster, server, filler)
                await asyncio.to_thread(
                    player.post, "/tables", {"variant": "treff", "seats": 2}
                )  # so the lobby polls at once
                await reader.until(lambda filler=filler: shows(reader, filler), seconds=60)
            grown = resident_kib(server) - before
            assert grown < SLOW * 100 + 2048 + SANITIZER_KIB, (
                f"{grown} KiB for {SLOW} readers and {CHANGES} changes of 50 kB each"
            )
        for lobby in lobbies:
            lobby.socket.transport.resume_reading()
        await asyncio.gather(
            *(lobby.until(lambda lobby=lobby: shows(lobby, filler), seconds=120) for lobby in lobbies)
        )
        for lobby in lobbies:
            assert len(lobby.frames) < CHANGES, "not every change, but the latest state"
            assert any(frame["t"] == "lobby" for frame in lobby.frames[1:])
        await asyncio.gather(*(lobby.__aexit__() for lobby in lobbies))

    asyncio.run(run())


def test_a_restart_notifies_the_lobby(new_server):
    server = new_server(rate_limits="off")
    player = Player(server)

    async def run():
        async with Lobby(player) as lobby:
            await lobby.receive()
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            try:
                while True:
                    await lobby.receive()
            except Closed as closed:
                assert closed.code == 4001
            assert lobby.frames[-1]["t"] == "restarting"
            assert await stopping == 0

    asyncio.run(run())


def test_a_newcomer_is_notified_of_a_leaver_at_once(new_server):
    """The other clients were last sent the number two, which is right again, so they need no update; the
    newcomer was sent three."""
    server = new_server()
    stays, leaves, comes = (Player(server) for _ in range(3))

    async def run():
        async with Lobby(stays) as first:
            await first.receive()
            async with Lobby(leaves) as second:
                await first.until(lambda: first.online == 2)
                await second.receive()
                third = Lobby(comes)
                await third.connect()
                await third.receive()
                assert third.online == 3
            await third.until(lambda: third.online == 2)
            assert first.online == 2
            await third.__aexit__()

    asyncio.run(run())


def test_all_of_two_hundred_lobby_clients_get_an_update(server):
    """All of them are notified of one table."""
    people = [Player(server) for _ in range(200)]
    player = Player(server)

    async def run():
        lobbies = [Lobby(person) for person in people]
        await connect_all(lobbies)
        await asyncio.gather(*(lobby.receive() for lobby in lobbies))
        seat = await asyncio.to_thread(player.take_seat)
        table = str(seat["table_id"])
        await asyncio.gather(*(lobby.until(lambda lobby=lobby: table in lobby.tables) for lobby in lobbies))
        await asyncio.gather(*(lobby.__aexit__() for lobby in lobbies))

    asyncio.run(run())


def befriend(one, two):
    for player, other in ((one, two), (two, one)):
        assert mark(player, f"/friends/{other.id}", True).status_code == 200


def about(lobby):
    """The last list of friends: (id, state, table)."""
    lists = [frame["d"]["items"] for frame in lobby.frames if frame["t"] == "friends"]
    return [(item["player_id"], item["state"], item["table_id"]) for item in lists[-1]] if lists else []


def test_the_lobby_shows_friends_arrive_leave_and_sit_down(server):
    """Only accepted friends are listed, and private tables are not named."""
    ann, bob, eve = (Player(server, name) for name in ("Ann", "Bob", "Eve"))
    befriend(ann, bob)
    mark(eve, f"/friends/{ann.id}", True)  # requested, not accepted

    async def run():
        async with Lobby(ann) as lobby, Lobby(eve) as other:
            await lobby.receive()
            async with Lobby(bob) as friend:
                await friend.receive()
                await lobby.until(lambda: about(lobby) == [(bob.id, "lobby", None)])
                await friend.until(lambda: about(friend) == [(ann.id, "lobby", None)])
                private = (
                    await asyncio.to_thread(bob.post, "/tables", {"variant": "rummy51", "seats": 2})
                ).json()
                await lobby.until(lambda: about(lobby) == [(bob.id, "waiting", None)])
                body = {"variant": "rummy51", "seats": 2, "visibility": "public"}
                public = (await asyncio.to_thread(bob.post, "/tables", body)).json()
                await lobby.until(lambda: about(lobby) == [(bob.id, "waiting", public["table_id"])])
                assert (
                    await asyncio.to_thread(mark, ann, f"/players/{bob.id}/block", True)
                ).status_code == 200
                await lobby.until(lambda: about(lobby) == [])
                await friend.until(lambda: about(friend) == [])
                await asyncio.to_thread(mark, ann, f"/players/{bob.id}/block", False)
                await lobby.until(lambda: about(lobby) == [(bob.id, "waiting", public["table_id"])])
            for table in (private, public):
                url = f"{server.url}/v1/tables/{table['table_id']}/seats/me"
                assert (await asyncio.to_thread(requests.delete, url, headers=bob.headers)).status_code == 204
            await lobby.until(lambda: about(lobby) == [])
            assert all(eve.id not in [friend for friend, _, _ in about(one)] for one in (lobby, other))
            assert not any(frame["t"] == "friends" for frame in other.frames)
            lists = [frame["d"]["items"] for frame in lobby.frames if frame["t"] == "friends"]
            assert all(a != b for a, b in zip(lists, lists[1:])), "only changes are sent"

    asyncio.run(run())


def test_no_more_friends_are_shown_than_fit(server, cluster):
    ann, bob, eve = (Player(server) for _ in range(3))
    befriend(ann, bob)
    befriend(ann, eve)
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        here = [int(player.id) for player in (ann, bob, eve)]
        cursor.execute(
            "SELECT player_id, json_array_length(body::json) FROM q_friends_online(%s, 'n1', 1) ORDER BY 1",
            (here,),
        )
        assert cursor.fetchall() == [(here[0], 1), (here[1], 1), (here[2], 1)]
    connection.close()
