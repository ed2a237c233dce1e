"""Correspondence tables: they sleep in the database, wake when a player opens them or their deadline
passes, and lose nothing if the server is killed. The tests move the deadlines instead of waiting."""

import asyncio
import contextlib
import random
import time
from datetime import datetime, timedelta

import pytest
from rummyd.live import LINE
from support import metrics, wait
from support.contract import Client
from support.keys import make_key
from support.mailbox import VERIFY, Mailbox
from support.table import Closed, Player, Table, open_table
from support.volume import volume
from support.wait import until

STAKE = 10  # the stake of Desert, used at tables of straight rummy


@pytest.fixture
def options():
    return {"sleep_after_ms": 200, "seed_wait_ms": 100, "hand_pause_ms": 200, "linger_ms": 1000}


def sit_down(server, variant="straight", hours=24, **more):
    """Two players at a public table for a stake; their seats."""
    people = [Player(server, name) for name in ("Ana", "Bea")]
    body = {
        "variant": variant,
        "seats": 2,
        "bots": 0,
        "visibility": "public",
        "stake": STAKE if variant == "straight" else 0,
        "turn_hours": hours,
        **more,
    }
    answer = people[0].post("/tables", body)
    assert answer.status_code == 201, answer.text
    seats = [answer.json(), people[1].post(f"/tables/{answer.json()['table_id']}/seats").json()]
    return people, seats


async def begin(server, seats):
    """Both sit down; returns whose turn it is, and the frames that they received."""
    tables = [Table(server, seat["table_id"], seat["ticket"]) for seat in seats]
    async with tables[0], tables[1]:
        await asyncio.gather(*(table.sit_down() for table in tables))
        await asyncio.gather(*(table.until("clock") for table in tables))
    return 0 if tables[0].my_turn() else 1, tables


def asleep(server, n=1):
    """Waits until this many tables sleep, and none is in memory."""
    until(lambda: server.promises.look("SELECT count(*) FROM tables WHERE asleep") == [(n,)])
    metrics.wait_for(server, lambda seen: seen["rummyd_tables"] == 0)


def told(player):
    return [n["data"] for n in player.get("/notifications").json()["items"] if n["kind"] == "your_turn"]


def my_table(player):
    (table,) = player.get("/me/tables").json()["items"]
    return table


async def play_turn(player, table_id):
    """Opens the table and plays until it is the other player's turn."""
    async with open_table(player, table_id) as table:
        await table.until("clock")
        assert await table.my_turn_comes()
        while table.my_turn():
            assert (await table.step())["t"] == "ack"
        return table


def test_a_table_sleeps_across_a_kill_and_wakes_when_a_player_opens_it(table_server):
    server = table_server
    people, seats = sit_down(server)
    first, _ = asyncio.run(begin(server, seats))
    table = seats[0]["table_id"]
    asleep(server)
    assert [told(p) for p in people] == [[], []], "both were there when the turn began"
    mine = my_table(people[first])
    assert (mine["turn_hours"], mine["turn"]["seats"], mine["state"]) == (24, [first], "playing")
    server.kill()
    server.start()
    log = server.log()
    assert metrics.Metrics(server)["rummyd_tables"] == 0 and log.count(
        '"tables_taken_over","tables":0'
    ) == log.count('"tables_taken_over"')

    played = asyncio.run(play_turn(people[first], table))
    assert 86_300_000 < next(f for f in played.frames if f["t"] == "clock")["d"]["ms_left"] <= 86_400_000
    asleep(server)
    assert told(people[first]) == []
    (news,) = told(people[1 - first])
    assert (news["table_id"], news["variant"], news["ends_at"]) == (
        table,
        "straight",
        my_table(people[0])["turn"]["ends_at"],
    )
    assert server.promises.look("SELECT sum(balance) FROM accounts WHERE kind = 'hold'") == [(2 * STAKE,)], (
        "stakes stay held"
    )
    asyncio.run(play_turn(people[1 - first], table))
    asleep(server)
    assert (len(told(people[first])), len(told(people[1 - first]))) == (1, 1)


def test_a_ban_wakes_a_table_and_removes_the_player(table_server):
    server = table_server
    people, seats = sit_down(server)
    first, _ = asyncio.run(begin(server, seats))
    asleep(server)
    admin = Client(server)
    admin.token = make_key(server.owner_db)
    admin.call(
        "POST",
        f"/v1/admin/players/{people[first].id}/ban",
        {"reason": "x"},
        status=200,
        headers={"Idempotency-Key": "ban"},
    )
    until(lambda: told(people[1 - first]))
    asleep(server)
    assert server.promises.look("SELECT player_id FROM seats WHERE left_at IS NOT NULL") == [
        (int(people[first].id),)
    ]
    assert server.promises.look("SELECT player_id FROM slow_turns") == [(int(people[1 - first].id),)], (
        "a bot has played"
    )


def test_overdue_turns_time_out_and_three_of_them_end_a_seat(table_server):
    server = table_server
    people, seats = sit_down(server, variant="treff")
    asyncio.run(begin(server, seats))
    asleep(server)
    for turn in range(6):
        assert server.promises.look("UPDATE slow_turns SET due_at = now() RETURNING 1") == [(1,)]
        until(lambda: server.promises.look("SELECT count(*) FROM slow_turns WHERE due_at < now()") == [(0,)])
        assert server.promises.look("SELECT sum(time_bank_ms) FROM journal") in ([(0,)], [(None,)]), turn
    metrics.wait_for(server, lambda seen: seen["rummyd_games_settled_total"] == 1)
    assert server.promises.look("SELECT state, asleep FROM tables") == [("finished", False)]
    assert server.promises.look("SELECT count(*) FROM slow_turns") == [(0,)]
    assert sum(len(told(p)) for p in people) == 5, "of the first turn its player saw the beginning"


def test_a_vacation_stops_the_clocks_and_no_job_touches_sleeping_tables(table_server):
    server = table_server
    people, seats = sit_down(server, hours=1)
    first, _ = asyncio.run(begin(server, seats))
    asleep(server)
    away = people[first]
    off = away.get("/me/vacation").json()
    assert (off["on"], off["days_a_year"], off["hours_left"]) == (False, 21, 504)
    on = away.send("PUT", "/v1/me/vacation", body={"on": True}).json()
    assert on["on"] and on["until"] > on["since"] and on["hours_left"] in (503, 504)
    assert my_table(away)["turn"] == {"seats": [first], "ends_at": None}
    assert server.promises.look("UPDATE slow_turns SET left_for = '20 minutes' RETURNING due_at") == [(None,)]
    code = "UPDATE node_leases SET alive_at = now() - interval '1 day' RETURNING 1"
    assert len(server.promises.look(code)) == 1
    assert server.promises.look("SELECT (stale_tables_step(now())).more") == [(False,)]
    asleep(server)
    # When a silent node returns, running turns are extended by the duration of its silence.
    heard = "SELECT bool_and(alive_at > now() - interval '1 hour') FROM node_leases"
    until(lambda: server.promises.look(heard) == [(True,)])
    over = away.send("PUT", "/v1/me/vacation", body={"on": False}).json()
    assert not over["on"] and over["since"] is None and over["hours_left"] in (503, 504)
    ((left,),) = server.promises.look("SELECT due_at - now() FROM slow_turns")
    assert timedelta(minutes=19) < left <= timedelta(minutes=20), left
    assert told(away) == [], "they saw the beginning"

    away.send("PUT", "/v1/me/vacation", body={"on": True})
    server.promises.look("UPDATE vacations SET since = now() - interval '21 days', until = now() RETURNING 1")
    metrics.wait_for(server, lambda _: not away.get("/me/vacation").json()["on"])
    refused = away.send("PUT", "/v1/me/vacation", body={"on": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_vacation_left")
    assert my_table(away)["turn"]["ends_at"] is not None


def test_an_outage_does_not_count_for_the_turn(table_server):
    server = table_server
    _, seats = sit_down(server)
    asyncio.run(begin(server, seats))
    asleep(server)
    server.kill()
    # The node was silent for two hours, in the first of which the turn would have ended.
    assert server.promises.look(
        "UPDATE node_leases SET alive_at = now() - interval '2 hours' RETURNING 1"
    ) == [(1,)]
    assert server.promises.look("UPDATE slow_turns SET due_at = now() - interval '1 hour' RETURNING 1") == [
        (1,)
    ]
    server.start()
    assert server.promises.look(
        "SELECT due_at - now() BETWEEN '59 minutes' AND '61 minutes' FROM slow_turns"
    ) == [(True,)]
    server.kill()
    assert server.promises.look(
        "UPDATE node_leases SET alive_at = now() - interval '10 seconds' RETURNING 1"
    ) == [(1,)]
    server.start()
    assert server.promises.look(
        "SELECT due_at - now() BETWEEN '58 minutes' AND '60 minutes' FROM slow_turns"
    ) == [(True,)], "a short one does"


def test_players_who_enabled_it_get_an_email_for_their_turn(table_server):
    server = table_server
    people, seats = sit_down(server)
    first, _ = asyncio.run(begin(server, seats))
    other = people[1 - first]
    other.take_tokens(
        other.post("/auth/upgrade", {"email": "bea@example.org", "password": "correct horse battery"})
    )
    box = Mailbox(server, "bea@example.org")
    box.wait(VERIFY)
    asked = other.send("PATCH", "/v1/me/notification-settings", body={"mail_your_turn": True})
    assert asked.status_code == 200, asked.text
    asleep(server)
    asyncio.run(play_turn(people[first], seats[0]["table_id"]))
    text = box.wait("It’s your turn").get_content()
    ends = datetime.fromisoformat(my_table(people[first])["turn"]["ends_at"])
    assert f"/table/{seats[0]['table_id']}" in text
    until = f"{ends:%B} {ends.day}, {ends.year}, at {ends:%I:%M %p} UTC".replace("at 0", "at ")
    assert f"Play before {until}" in text


def test_players_on_vacation_are_notified_of_a_turn_on_return(table_server):
    server = table_server
    people, seats = sit_down(server)
    first, _ = asyncio.run(begin(server, seats))
    other = people[1 - first]
    other.send("PUT", "/v1/me/vacation", body={"on": True})

    async def play():
        async with open_table(people[first], seats[0]["table_id"]) as table:
            await table.until("clock")
            while table.my_turn():
                await table.step()
            while not table.frames[-1].get("d", {}).get("stopped"):
                await table.receive()

    asyncio.run(play())
    asleep(server)
    assert told(other) == [] and my_table(other)["turn"] == {"seats": [1 - first], "ends_at": None}
    other.send("PUT", "/v1/me/vacation", body={"on": False})
    assert len(told(other)) == 1 and my_table(other)["turn"]["ends_at"] is not None


def test_a_sleeping_table_can_be_watched_and_an_operator_can_end_it(table_server):
    server = table_server
    people, seats = sit_down(server)
    asyncio.run(begin(server, seats))
    asleep(server)
    watcher = Player(server)
    table = seats[0]["table_id"]

    async def watch():
        ticket = watcher.post(f"/tables/{table}/spectators").json()["ticket"]
        async with Table(server, table, ticket) as seen:
            assert (await seen.until("snapshot"))["d"]["table"]["turn_hours"] == 24

    asyncio.run(watch())
    asleep(server)
    before = people[0].silver()
    key = make_key(server.owner_db)
    answer = people[0].send(
        "POST",
        f"/v1/admin/tables/{table}/cancel",
        body={"reason": "test"},
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": "k1"},
    )
    assert answer.status_code in (200, 202), answer.text
    metrics.wait_for(server, lambda seen: seen["rummyd_tables_cancelled_total"] == 1)
    assert server.promises.look("SELECT state, asleep FROM tables") == [("cancelled", False)]
    assert people[0].silver() == before + STAKE


class SlowReads:
    """While active, reading a table's rows blocks in the middle: the reader has seen the table's earlier
    state."""

    SQL = """
        CREATE FUNCTION waits_here() RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN true; END $$;
        GRANT EXECUTE ON FUNCTION waits_here() TO PUBLIC;
        CREATE POLICY slowly ON hands USING (waits_here()) WITH CHECK (true);
        ALTER TABLE hands ENABLE ROW LEVEL SECURITY
    """
    WAITS = (
        "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname ="
        " current_database() AND locktype = 'advisory' AND NOT granted)"
    )

    def __init__(self, cluster, database):
        self.connection = cluster.connect(database)
        self.run(self.SQL)

    def run(self, statement):
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def waiting(self):
        return self.run(self.WAITS) == [(True,)]

    def __enter__(self):
        self.run("SELECT pg_advisory_lock(1)")
        return self

    def __exit__(self, *_):
        self.run("SELECT pg_advisory_unlock(1)")


def test_outdated_rows_do_not_wake_a_sleeping_table(cluster, table_server):
    """A table that was asleep in the database but played in memory would end as a lost table."""
    server = table_server
    server.options["sleep_after_ms"] = 8000  # the table is still awake when its rows are read
    server.stop()
    server.start()
    reads = SlowReads(cluster, server.database)
    for n in range(1, TRIES_MAX + 1):
        if read_and_asleep(server, reads, n):
            break
    else:
        raise AssertionError("each table fell asleep before its rows were read")
    wait.until(lambda: not reads.waiting())
    end = time.monotonic() + 1  # lapse: nothing loads the table meanwhile
    while time.monotonic() < end:
        assert metrics.Metrics(server)["rummyd_tables"] == 0
    assert server.promises.look("SELECT DISTINCT asleep FROM tables") == [(True,)]


TRIES_MAX = 5


def read_and_asleep(server, reads, n):
    """Makes the nth table fall asleep while its rows are read because its clock is stopped. False if it
    slept before that, because on a busy machine it has been idle too long when the request arrives."""
    people, seats = sit_down(server)
    mover, _ = asyncio.run(begin(server, seats))
    with reads:
        people[mover].send("PUT", "/v1/me/vacation", body={"on": True})
        sleeps = "SELECT asleep FROM tables WHERE id = %s"
        wait.until(
            lambda: reads.waiting() or server.promises.look(sleeps, int(seats[0]["table_id"])) == [(True,)]
        )
        if not reads.waiting():
            return False
        asleep(server, n)
    return True


@pytest.mark.parametrize("seed", range(volume(4, 2)))
def test_a_kill_at_any_moment_loses_nothing(table_server, seed):
    """Tables that fall asleep as soon as no player is connected, with players who arrive, play, and leave,
    and a server that is killed."""
    server = table_server
    server.options["sleep_after_ms"] = 100
    server.stop()
    server.start()
    chance = random.Random(seed)
    groups = [
        sit_down(server, variant=v, hours=h) for v, h in (("straight", 1), ("treff", 24), ("rummy51", 72))
    ]
    turns = [asyncio.run(begin(server, seats))[0] for _, seats in groups]

    async def visit(i):
        people, seats = groups[i]
        async with open_table(people[turns[i]], seats[0]["table_id"]) as table:
            await table.until("clock")
            while table.my_turn():
                await table.step()
        turns[i] = whose_turn(people[0])

    async def storm():
        while True:
            i = chance.choice([i for i, turn in enumerate(turns) if turn is not None])
            with contextlib.suppress(Closed):  # it was just falling asleep
                await visit(i)

    async def killed_after(seconds):
        storming = asyncio.create_task(storm())
        await asyncio.wait({storming}, timeout=seconds)
        assert not storming.done(), storming.exception()
        server.kill()
        storming.cancel()
        with contextlib.suppress(asyncio.CancelledError, Closed, *LINE):
            await storming

    for _ in range(4):
        asyncio.run(killed_after(chance.uniform(0.2, 1.5)))
        server.start()
        turns = [whose_turn(people[0]) for people, _ in groups]
    doubles = (
        "SELECT 1 FROM notifications WHERE kind = 'your_turn' GROUP BY player_id, data ->> 'table_id', data"
        " ->> 'v' HAVING count(*) > 1"
    )
    assert server.promises.look(doubles) == []


def whose_turn(player):
    """The seat whose turn it is at their table, or None if the game is over."""

    def seats():
        items = player.get("/me/tables").json()["items"]
        return [None] if not items else items[0]["turn"] and items[0]["turn"]["seats"]

    return until(seats)[0]
