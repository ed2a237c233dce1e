"""Tournaments played to their end at live tables, with human players and house bots; each result is verified
from public data."""

import asyncio
import json
import time

import pytest
from support import tournament
from support.cluster import SERVER
from support.contract import Client
from support.keys import make_key
from support.lobby import Lobby
from support.server import Server
from support.table import Player, Returning

LONG = True


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        rate_limits="off",
        bot_think_ms=50,
        seed_wait_ms=100,
        hand_pause_ms=100,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module")
def operator(server, cluster, database):
    with cluster.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE settings SET value = 'on' WHERE name = 'duplicate_prizes'")
    it = Client(server)
    it.key = make_key(cluster.conninfo(database), "games")

    def begin(number):
        """Starts the tournament without further players, as if its wait were over."""
        with cluster.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(
                "UPDATE tournaments SET starts_at = now() WHERE id = %s AND state = 'open' AND bots_to > 0",
                (int(number),),
            )

    it.begin = begin
    return it


def announce(operator, **more):
    body = {
        "name": "Friday cup",
        "kind": "knockout",
        "variant": "straight",
        "seats": 4,
        "entry": 10,
        "entries_max": 4,
        "break_s": 0,
        "wait_s": 3600,  # waits until `begin`, so that all have entered
        "options": {"target": 50},
        **more,
    }
    answer = operator.send(
        "POST",
        "/v1/admin/tournaments",
        body=body,
        headers={"Authorization": f"Bearer {operator.key}", "Idempotency-Key": f"t{time.time_ns()}"},
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def take_part(player, number, playing):
    """Plays wherever the tournament seats the player, until it is over; returns those tables."""
    tables = []
    while True:
        told = (await asyncio.to_thread(player.get, f"/tournaments/{number}")).json()
        if told["state"] in ("ended", "cancelled"):
            return tables
        table_id = told["own"]["table_id"]
        if not playing or table_id is None or table_id in tables:
            await asyncio.sleep(0.2)
            continue
        answer = await asyncio.to_thread(player.post, f"/tables/{table_id}/tickets")
        assert answer.status_code == 201, answer.text
        async with Returning(player, answer.json()) as table:
            await table.sit_down()
            tables.append(table_id)
            mine = (await asyncio.to_thread(player.get, "/me/tables")).json()["items"]
            assert [item["tournament"] for item in mine] == [{"id": number, "name": "Friday cup"}]
            await table.play_out()


def play(server, operator, people, playing=True, seconds=300, **more):
    players = [Player(server, f"P{n}") for n in range(people)]
    number = announce(operator, **more)
    for player in players:
        answer = player.post(
            f"/tournaments/{number}/entries", {"client_seed": "00" * 15 + f"{players.index(player):02x}"}
        )
        assert answer.status_code == 201, answer.text
    operator.begin(number)

    async def all_of_them():
        return await asyncio.wait_for(
            asyncio.gather(*(take_part(player, number, playing) for player in players)), seconds
        )

    return number, players, asyncio.run(all_of_them())


WAYS = [
    (4, {"entries_max": 4}),
    (2, {"entries_max": 4, "bots_to": 4, "seats": 2}),
    (3, {"entries_max": 8, "bots_to": 8}),
    (2, {"entries_max": 16, "bots_to": 16, "kind": "stages", "keep_percent": 50}),
    (2, {"entries_max": 8, "bots_to": 8, "kind": "swiss", "rounds": 3, "seats": 2}),
    (2, {"entries_max": 8, "bots_to": 8, "kind": "stages", "variant": "points", "options": {}}),
]


@pytest.mark.parametrize("people,more", WAYS)
def test_each_kind_is_played_to_its_end(server, operator, people, more):
    number, players, tables = play(server, operator, people, **more)
    told, standings = tournament.prove(players[0].get, number)
    assert told["state"] == "ended" and told["people"] == people and len(standings) == more["entries_max"]
    rows = [
        row
        for draw in told["draws"]
        for row in tournament.all_of(players[0].get, f"/tournaments/{number}/rounds/{draw['round']}/tables")
    ]
    assert len({row["game_id"] for row in rows}) == len(rows) and all(
        (row["game_id"] is None) == (len(row["seats"]) == 1) for row in rows
    )
    assert Player(server, "Zoe").get(f"/games/{rows[0]['game_id']}/record").status_code == 200, (
        "anyone can replay its games"
    )
    won = [row for row in standings if not row["bot"]]
    assert sum(row["prize_silver"] + row["prize_gold"] for row in won) == 10 * people and not any(
        row["prize_silver"] + row["prize_gold"] for row in standings if row["bot"]
    )
    assert all(tables), "every player had a table"
    for player in players:
        kinds = [item["kind"] for item in player.get("/notifications").json()["items"]]
        assert kinds.count("tournament_result") == 1 and "tournament_table" in kinds


def test_an_absent_player_is_played_for(server, operator, cluster, database):
    with cluster.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE settings SET value = '500' WHERE name = 'tournament_wait_ms'")
    try:
        number, players, _ = play(
            server,
            operator,
            1,
            playing=False,
            entries_max=4,
            bots_to=4,
            variant="rummy51",
            options={"turn_s": 10},
        )
    finally:
        with cluster.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute("UPDATE settings SET value = '60000' WHERE name = 'tournament_wait_ms'")
    tournament.prove(players[0].get, number)


def test_a_tournament_seat_is_closed_to_others_and_has_no_rematch(server, operator):
    number, players, tables = play(server, operator, 4)
    stranger = Player(server, "Zoe")
    table = tables[0][0]
    assert json.loads(stranger.post(f"/tables/{table}/seats").text)["code"] in ("no_such_table", "table_over")
    assert players[0].post(f"/tables/{table}/rematch").json()["code"] == "rematch_over"


def told(lobby, number):
    """Frames of the lobby about a tournament, in order."""
    return [
        item
        for frame in lobby.frames
        if frame["t"] == "tournaments_changed"
        for item in frame["d"]["items"]
        if item["id"] == number
    ]


SHOWN = ("id", "state", "people", "bots", "round", "next_at")


async def seen(lobby, player, number, people):
    """Waits until every client in the lobby has this number of entrants, as the tournament itself reports
    it."""
    await lobby.until(lambda: told(lobby, number) and told(lobby, number)[-1]["people"] == people)
    now = (await asyncio.to_thread(player.get, f"/tournaments/{number}")).json()
    assert told(lobby, number)[-1] == {name: now[name] for name in SHOWN}


def test_the_lobby_is_notified_of_entries_and_cancellation(server, operator):
    watcher, comes, player = (Player(server) for _ in range(3))

    async def run():
        async with Lobby(watcher) as lobby, Lobby(comes) as late:
            await lobby.receive()
            await asyncio.sleep(3)  # lapse: a poll finds existing data, which it must not report
            assert not [frame for frame in lobby.frames if frame["t"] == "tournaments_changed"]
            number = await asyncio.to_thread(announce, operator)
            await seen(lobby, player, number, 0)
            async with Lobby(player) as newcomer:
                await newcomer.receive()
                assert (
                    await asyncio.to_thread(player.post, f"/tournaments/{number}/entries")
                ).status_code == 201
                await seen(lobby, player, number, 1)
                assert (
                    await asyncio.to_thread(player.send, "DELETE", f"/v1/tournaments/{number}/entries/me")
                ).status_code == 204
                await seen(lobby, player, number, 0)
                await newcomer.until(lambda: len(told(newcomer, number)) == 2)
                assert told(newcomer, number) == told(lobby, number)[1:], "what changed since they came"
            headers = {"Authorization": f"Bearer {operator.key}", "Idempotency-Key": "called-off"}
            answer = await asyncio.to_thread(
                operator.send,
                "POST",
                f"/v1/admin/tournaments/{number}/cancel",
                body={"reason": "rain"},
                headers=headers,
            )
            assert answer.status_code == 200, answer.text
            await lobby.until(lambda: told(lobby, number)[-1]["state"] == "cancelled")
            await asyncio.sleep(3)  # lapse: a poll finds nothing more
            items = told(lobby, number)
            assert [(item["state"], item["people"]) for item in items] == [
                ("open", 0),
                ("open", 1),
                ("open", 0),
                ("cancelled", 0),
            ], "each once"
            await late.until(lambda: told(late, number) == items)

    asyncio.run(run())


def test_the_lobby_is_notified_of_rounds_and_of_the_end(server, operator):
    player, watcher = Player(server), Player(server)

    async def run():
        async with Lobby(watcher) as lobby:
            await lobby.receive()
            number = await asyncio.to_thread(
                announce, operator, kind="swiss", rounds=2, seats=2, bots_to=4, break_s=10
            )
            assert (await asyncio.to_thread(player.post, f"/tournaments/{number}/entries")).status_code == 201
            operator.begin(number)
            playing = asyncio.create_task(take_part(player, number, True))
            await lobby.until(
                lambda: told(lobby, number) and told(lobby, number)[-1]["state"] == "ended", 120
            )
            await playing
            items = told(lobby, number)
            running = [
                (item["round"], item["next_at"] is not None)
                for item in items
                if item["state"] == "running" and item["round"]
            ]
            # A round may be over before the lobby polls again, and then only its break is reported.
            stages = [(1, False), (1, True), (2, False), (2, True)]
            seen = list(dict.fromkeys(running))
            assert seen == [stage for stage in stages if stage in seen], items
            assert (1, True) in seen and {number for number, _ in seen} == {1, 2}, items
            assert items[-1]["round"] == 2 and items[-1]["people"] == 1 and items[-1]["bots"] == 3
            assert all(one != other for one, other in zip(items, items[1:])), "only changes are sent"

    asyncio.run(run())


def test_no_more_tournaments_are_listed_than_fit(operator, cluster, database):
    numbers = [int(announce(operator)) for _ in range(3)]
    with cluster.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT id, going_on FROM q_lobby_tournaments('{}', 2)")
        assert cursor.fetchall() == [(numbers[2], True), (numbers[1], True)], "the newest"
        cursor.execute("SELECT id FROM tournaments WHERE state IN ('ended', 'cancelled') ORDER BY id LIMIT 1")
        over = cursor.fetchone()[0]
        cursor.execute("SELECT id, going_on FROM q_lobby_tournaments(%s, 2)", ([over, numbers[0]],))
        assert cursor.fetchall() == [
            (over, False),
            (numbers[2], True),
        ], "a finished one is reported first"
