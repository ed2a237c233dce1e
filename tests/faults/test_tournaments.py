"""kill -9 at random moments of tournaments with human players and bots: each is played to its end, each
table is opened once, and the result follows from the games according to the rules.

Cards are dealt from seeds drawn when a table is opened, so no two runs have the same cards; a second
implementation (support/tournament.py) verifies everything that follows from the games: draws, places, prizes.

RUMMY_TOURNAMENT_KILLS and RUMMY_TOURNAMENT_ENTRANTS set the numbers of kills and entrants (default 6 and 64).
"""

import asyncio
import os
import random
import time

import pytest
import requests
import websockets
from support import tournament
from support.cluster import OWNER
from support.contract import Client
from support.keys import make_key
from support.table import Closed, Player, Table
from support.wait import HANG_S

LONG = True
KILLS = int(os.environ.get("RUMMY_TOURNAMENT_KILLS", "6"))
ENTRANTS = int(os.environ.get("RUMMY_TOURNAMENT_ENTRANTS", "64"))
PEOPLE = 6
ENTRY = 10
END_S_MAX = 600
GONE = (OSError, asyncio.TimeoutError, requests.RequestException, websockets.WebSocketException, EOFError)
WAYS = [
    {"kind": "knockout", "variant": "straight", "options": {"target": 50}},
    {"kind": "stages", "keep_percent": 50, "variant": "points"},
    {"kind": "swiss", "rounds": 3, "variant": "treff"},
    {"kind": "swiss", "rounds": 3, "variant": "points", "duplicate": True},
    {"kind": "teams", "variant": "straight", "options": {"target": 50}, "entries_max": 8, "bots_to": 8},
]


@pytest.fixture
def options():
    return {"hand_pause_ms": 100}


@pytest.fixture
def operator(table_server, cluster):
    with cluster.connect(table_server.database, OWNER) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE settings SET value = 'on' WHERE name = 'duplicate_prizes'")
    it = Client(table_server)
    it.key = make_key(cluster.conninfo(table_server.database), "games")
    return it


class Entrant:
    """A player who plays wherever the tournament seats them, through every kill."""

    def __init__(self, server, number, tournament_id):
        self.player = Player(server, f"P{number}")
        self.number = tournament_id
        answer = self.player.post(f"/tournaments/{tournament_id}/entries", {"client_seed": f"{number:032x}"})
        assert answer.status_code == 201, answer.text

    async def live(self):
        while True:
            try:
                answer = await asyncio.to_thread(self.player.get, f"/tournaments/{self.number}")
                if answer.status_code != 200:
                    raise TimeoutError
                told = answer.json()
                if told["state"] in ("ended", "cancelled"):
                    return
                if told["own"]["table_id"] is None or not await self.play(told["own"]["table_id"]):
                    await asyncio.sleep(0.2)
            except Closed as closed:
                assert closed.code in (1000, 1006, 1012, 1013, 4001), closed
            except GONE:
                await asyncio.sleep(0.05)

    async def play(self, table_id):
        answer = await asyncio.to_thread(self.player.post, f"/tables/{table_id}/tickets")
        if answer.status_code != 201:  # the table is over by now, or the server is not ready yet
            return False
        table = Table(self.player.server, table_id, answer.json()["ticket"])
        table.checked = False
        async with table:
            await table.sit_down()
            await table.play_out()
        return True


def announce(operator, **more):
    body = {
        "name": "Friday cup",
        "seats": 4,
        "entry": ENTRY,
        "entries_max": ENTRANTS,
        "bots_to": ENTRANTS,
        "break_s": 0,
        "starts_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600)),
        **more,
    }
    headers = {"Authorization": f"Bearer {operator.key}", "Idempotency-Key": f"t{time.time_ns()}"}
    answer = operator.send("POST", "/v1/admin/tournaments", body=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def begin(promises, number):
    """Starts the tournament once all players have entered."""
    assert promises.look(
        "UPDATE tournaments SET starts_at = now() WHERE id = %s AND people_n > 0 RETURNING state", int(number)
    ) == [("open",)]


def pot_is_whole(promises, number):
    """Whatever was just killed, either all fees are in the pot, or the whole pot has been paid out."""
    [(state, pot)] = promises.look(
        "SELECT t.state, coalesce(sum(a.balance), 0)::int FROM tournaments t LEFT JOIN accounts a ON"
        " a.tournament_id = t.id WHERE t.id = %s GROUP BY t.id, t.state",
        int(number),
    )
    assert pot == (0 if state == "ended" else ENTRY * PEOPLE), (state, pot)


def each_thing_was_done_once(promises, number, people):
    look = promises.look
    opened, tries, most = look(
        "SELECT count(*), sum(tries), max(tries) FROM tournament_tables WHERE tournament_id = %s AND"
        " seats_n > 1",
        int(number),
    )[0]
    assert (opened, most) == (tries, 1), "each table was opened once"
    assert look("SELECT count(*) FROM tables WHERE tournament_id = %s", int(number)) == [(opened,)]
    assert look(
        "SELECT count(*) FROM games g JOIN tables t ON t.id = g.table_id WHERE t.tournament_id = %s",
        int(number),
    ) == [(opened,)]
    told = look(
        "SELECT s.player_id, count(*), (SELECT count(*) FROM notifications n WHERE n.player_id = s.player_id"
        " AND n.kind = 'tournament_table'), (SELECT count(*) FROM notifications n WHERE n.player_id ="
        " s.player_id AND n.kind = 'tournament_result') FROM seats s JOIN tables t ON t.id = s.table_id WHERE"
        " t.tournament_id = %s AND s.player_id IS NOT NULL GROUP BY s.player_id",
        int(number),
    )
    assert len(told) == people and all(
        tables == calls and results == 1 for _, tables, calls, results in told
    ), told
    assert look("SELECT count(*) FROM transfers WHERE key LIKE %s", f"entry:{number}:%") == [(people,)]
    won = look(
        "SELECT count(*) FROM tournament_entries WHERE tournament_id = %s AND prize_silver + prize_gold > 0",
        int(number),
    )
    assert look("SELECT count(*) FROM transfers WHERE key LIKE %s", f"prize:{number}:%") == won


async def play_through_kills(server, promises, number, people, kills, chance):
    """Plays one tournament to its end with at most this many kills; returns the number of kills."""
    done = 0
    playing = asyncio.gather(*(one.live() for one in people))
    until = time.monotonic() + END_S_MAX
    while not playing.done() and time.monotonic() < until:
        await asyncio.wait([playing], timeout=chance.uniform(0.1, 1.5))
        if playing.done() or done == kills:
            continue
        server.kill()
        done += 1
        await asyncio.to_thread(pot_is_whole, promises, number)
        await asyncio.to_thread(server.start)
    assert playing.done(), "it ends"
    await playing
    return done


@pytest.mark.parametrize("way", WAYS, ids=[way["kind"] + "-duplicate" * ("duplicate" in way) for way in WAYS])
def test_a_tournament_survives_kills_at_any_moment(table_server, operator, way):
    server, promises = table_server, table_server.promises
    chance = random.Random(way["kind"])
    kills = tournaments = 0
    while kills < KILLS:
        number = announce(operator, **way)
        people = [Entrant(server, n, number) for n in range(PEOPLE)]
        begin(promises, number)
        more = asyncio.run(play_through_kills(server, promises, number, people, KILLS - kills, chance))
        kills, tournaments = kills + more, tournaments + 1
        assert tournaments <= 10 * KILLS, (
            "kills come while a tournament runs, on a busy machine now and then after it"
        )
        told, standings = tournament.prove(people[0].player.get, number)
        assert (told["state"], told["people"], len(standings)) == (
            "ended",
            PEOPLE,
            way.get("entries_max", ENTRANTS),
        )
        assert sum(row["prize_silver"] + row["prize_gold"] for row in standings) == ENTRY * PEOPLE
        pot_is_whole(promises, number)
        each_thing_was_done_once(promises, number, PEOPLE)
    print(
        f"\n{way['kind']}: {kills} kills in {tournaments} tournaments of {len(standings)},"
        f" {len(told['draws'])} draws in the last"
    )


def test_a_kill_during_payment_pays_once(table_server, operator, cluster):
    """The step waits for the purses when the server is killed, and its outcome is unknown: the next process
    queries the rows."""
    server, promises = table_server, table_server.promises
    number = announce(
        operator,
        kind="knockout",
        variant="straight",
        options={"target": 50},
        entries_max=4,
        bots_to=4,
        break_s=3600,
    )
    people = [Entrant(server, n, number) for n in range(2)]
    begin(promises, number)
    connection = cluster.connect(server.database, OWNER)
    connection.autocommit = False
    paying = (
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%%do_tournament_step%%' AND wait_event_type ="
        " 'Lock' AND datname = current_database()"
    )

    async def until(what, *values):
        deadline = time.monotonic() + HANG_S
        while not (rows := await asyncio.to_thread(promises.look, what, *values)):
            assert time.monotonic() < deadline, what
            await asyncio.sleep(0.05)
        return rows

    async def run():
        lives = asyncio.gather(*(one.live() for one in people))
        await until("SELECT 1 FROM tournaments WHERE id = %s AND round_over", int(number))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT FROM players WHERE id IN (SELECT player_id FROM tournament_entries WHERE"
                " tournament_id = %s) FOR UPDATE",
                (int(number),),
            )
        promises.look("UPDATE tournaments SET next_at = now() WHERE id = %s RETURNING id", int(number))
        await until(paying)
        server.kill()
        await asyncio.to_thread(server.start)
        await asyncio.sleep(1.5)  # lapse: the new process polls for tournaments once a second
        assert promises.look("SELECT state FROM tournaments WHERE id = %s", int(number)) == [("running",)]
        connection.rollback()
        await lives

    asyncio.run(run())
    connection.close()
    told, standings = tournament.prove(people[0].player.get, number)
    assert told["state"] == "ended" and sum(
        row["prize_silver"] + row["prize_gold"] for row in standings
    ) == ENTRY * len(people)
    each_thing_was_done_once(promises, number, len(people))
