"""Tournaments played to their end at live tables, by people and by bots of the house; what came of each is proven from what anybody
may read of it."""

import asyncio
import json
import time

import pytest
from support import tournament
from support.cluster import SERVER
from support.contract import Client
from support.keys import make_key
from support.server import Server
from support.table import Player, Table


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    it = Server(cluster.conninfo(database, SERVER), tmp_path_factory.mktemp("server"), rate_limits="off", bot_think_ms=50, seed_wait_ms=100,
                hand_pause_ms=100).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module")
def operator(server, cluster, database):
    it = Client(server)
    it.key = make_key(cluster.conninfo(database), "games")
    return it


def announce(operator, **more):
    body = {"name": "Friday cup", "kind": "knockout", "variant": "straight", "seats": 4, "entry": 10, "entries_max": 4, "break_s": 0,
            "options": {"target": 50}, **more}
    answer = operator.send("POST", "/v1/admin/tournaments", body=body, headers={"Authorization": f"Bearer {operator.key}", "Idempotency-Key": f"t{time.time_ns()}"})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def take_part(player, number, playing):
    """Plays wherever the tournament wants the player to, until it is over; the tables they were at."""
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
        table = Table(player.server, table_id, answer.json()["ticket"])
        async with table:
            await table.sit_down()
            tables.append(table_id)
            mine = (await asyncio.to_thread(player.get, "/me/tables")).json()["items"]
            assert [item["tournament"] for item in mine] == [{"id": number, "name": "Friday cup"}]
            await table.play_out()


def play(server, operator, people, playing=True, seconds=120, **more):
    players = [Player(server, f"P{n}") for n in range(people)]
    number = announce(operator, **more)
    for player in players:
        answer = player.post(f"/tournaments/{number}/entries", {"client_seed": "00" * 15 + f"{players.index(player):02x}"})
        assert answer.status_code == 201, answer.text

    async def all_of_them():
        return await asyncio.wait_for(asyncio.gather(*(take_part(player, number, playing) for player in players)), seconds)

    return number, players, asyncio.run(all_of_them())


WAYS = [
    (4, {"entries_max": 4}), (2, {"entries_max": 4, "bots_to": 4, "wait_s": 5, "seats": 2}),
    (3, {"entries_max": 8, "bots_to": 8, "wait_s": 1}), (2, {"entries_max": 16, "bots_to": 16, "wait_s": 5, "kind": "stages", "keep_percent": 50}),
    (2, {"entries_max": 8, "bots_to": 8, "wait_s": 5, "kind": "swiss", "rounds": 3, "seats": 2}),
    (2, {"entries_max": 8, "bots_to": 8, "wait_s": 5, "kind": "stages", "variant": "points", "options": {}}),
]


@pytest.mark.parametrize("people,more", WAYS)
def test_to_the_end_of_each_kind(server, operator, people, more):
    number, players, tables = play(server, operator, people, **more)
    told, standings = tournament.prove(players[0].get, number)
    assert told["state"] == "ended" and told["people"] == people and len(standings) == more["entries_max"]
    rows = [row for draw in told["draws"] for row in tournament.all_of(players[0].get, f"/tournaments/{number}/rounds/{draw['round']}/tables")]
    assert len({row["game_id"] for row in rows}) == len(rows) and all((row["game_id"] is None) == (len(row["seats"]) == 1) for row in rows)
    assert Player(server, "Zoe").get(f"/games/{rows[0]['game_id']}/record").status_code == 200, "its games are everybody's to see again"
    won = [row for row in standings if not row["bot"]]
    assert sum(row["prize_silver"] + row["prize_gold"] for row in won) == 10 * people and not any(
        row["prize_silver"] + row["prize_gold"] for row in standings if row["bot"])
    assert all(tables), "everybody had a table to play at"
    for player in players:
        kinds = [item["kind"] for item in player.get("/notifications").json()["items"]]
        assert kinds.count("tournament_result") == 1 and "tournament_table" in kinds


def test_who_does_not_come_is_played_for(server, operator, cluster, database):
    with cluster.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE settings SET value = '500' WHERE name = 'tournament_wait_ms'")
    try:
        number, players, _ = play(server, operator, 1, playing=False, entries_max=4, bots_to=4, wait_s=1, variant="rummy51",
                                  options={"turn_s": 10}, seconds=200)
    finally:
        with cluster.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute("UPDATE settings SET value = '60000' WHERE name = 'tournament_wait_ms'")
    tournament.prove(players[0].get, number)


def test_a_seat_of_the_house_is_nobody_elses_and_has_no_rematch(server, operator):
    number, players, tables = play(server, operator, 4)
    stranger = Player(server, "Zoe")
    table = tables[0][0]
    assert json.loads(stranger.post(f"/tables/{table}/seats").text)["code"] in ("no_such_table", "table_over")
    assert players[0].post(f"/tables/{table}/rematch").json()["code"] == "rematch_over"
