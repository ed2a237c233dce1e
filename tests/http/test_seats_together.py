"""Concurrent seat requests are combined into one call: each gets its own reply, and a rejected one does not
affect the others."""

import concurrent.futures
import contextlib
import time
import uuid

import pytest
from support.chips import WELCOME_SILVER
from support.contract import Client
from support.metrics import wait_for
from support.wait import HANG_S

ON_THEIR_WAY = 2  # calls of a REST loop


@pytest.fixture
def crowd(new_server, cluster):
    """A server whose seat calls all wait for a room's queue, so that further requests wait together."""
    server = new_server(rate_limits="off")
    connection = cluster.connect(server.database)
    pool = concurrent.futures.ThreadPoolExecutor(40)

    def ask(sql):
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def until(sql, n):
        end = time.monotonic() + HANG_S
        while ask(f"SELECT count(*) FROM {sql}")[0][0] != n:
            assert time.monotonic() < end, sql
            time.sleep(0.02)

    @contextlib.contextmanager
    def held(n):
        """Requests made inside the block wait; they continue at its end, once n statements wait."""
        queue = "hashtextextended('rummyd room desert', 0)"
        ask(f"SELECT pg_advisory_lock({queue})")
        first = []
        for sent in range(1, ON_THEIR_WAY + 1):
            first.append(pool.submit(Client(server).guest().take_seat, status=201))
            until("pg_locks WHERE locktype = 'advisory' AND NOT granted", sent)
        yield
        waiting = 'rummyd_database_statements_waiting{pool="rest_writes"}'
        wait_for(server, lambda seen: seen[waiting] >= n)
        ask(f"SELECT pg_advisory_unlock({queue})")
        for one in first:
            one.result(timeout=HANG_S)

    ask("UPDATE rooms SET fill_wait_ms = 3600000")
    yield type(
        "Crowd",
        (),
        {
            "server": server,
            "pool": pool,
            "ask": staticmethod(ask),
            "until": staticmethod(until),
            "held": staticmethod(held),
        },
    )
    pool.shutdown()
    connection.close()
    assert server.stop() == 0


def largest(crowd):
    """Number of seats per call. Tickets of one call have the same expiry, which is counted from the start
    of the transaction."""
    return crowd.ask("SELECT max(n) FROM (SELECT count(*) AS n FROM tickets GROUP BY expires_at) t")[0][0]


def test_waiting_requests_are_seated_in_one_call(crowd):
    guests = [Client(crowd.server).guest() for _ in range(20)]
    with crowd.held(20):
        asked = [crowd.pool.submit(guest.take_seat, status=201) for guest in guests]
    seats = [one.result(timeout=HANG_S).json() for one in asked]
    assert largest(crowd) == 16
    assert len({(seat["table_id"], seat["seat"]) for seat in seats}) == 20
    assert len({seat["ticket"] for seat in seats}) == 20
    for guest, seat in zip(guests, seats):
        assert guest.get("/v1/wallet")["holds"] == [{"table_id": seat["table_id"], "silver": 10, "gold": 0}]
        table = guest.call("GET", f"/v1/tables/{seat['table_id']}", status=200).json()["d"]
        assert (table["me"], table["table"]["commit"]) == (seat["seat"], seat["commit"])


def test_each_request_gets_its_own_answer(crowd):
    guests = [Client(crowd.server).guest() for _ in range(15)]
    guests[3].call("PATCH", "/v1/me/limits", {"exclude_days": 7}, status=200)
    key = uuid.uuid4().hex
    with crowd.held(12):
        wanted = {3: (403, "limit_excluded"), 6: (403, "room_locked"), 9: (404, "no_such_room")}
        rooms = {6: "tundra", 9: "nowhere"}
        asked = [
            crowd.pool.submit(guest.take_seat, rooms.get(n, "desert"), key=key)
            for n, guest in enumerate(guests)
        ]
    answers = [one.result(timeout=HANG_S) for one in asked]
    assert [(a.status_code, a.json().get("code")) for a in answers] == [
        wanted.get(n, (201, None)) for n in range(15)
    ]
    assert largest(crowd) > 3
    for n, guest in enumerate(guests):
        assert guest.get("/v1/wallet")["silver"] == (WELCOME_SILVER if n in wanted else WELCOME_SILVER - 10)
        if n not in wanted:
            assert guest.take_seat(key=key, status=201).json() == answers[n].json(), (
                "keys are each player's own"
            )


def test_two_concurrent_requests_of_one_player_take_two_seats(crowd):
    guests = [Client(crowd.server).guest() for _ in range(3)]
    again = Client(crowd.server)
    again.token = guests[0].token
    with crowd.held(4):
        asked = [crowd.pool.submit(guest.take_seat, status=201) for guest in (*guests, again)]
    seats = [one.result(timeout=HANG_S).json() for one in asked]
    assert (
        seats[0]["table_id"] != seats[3]["table_id"]
        and guests[0].get("/v1/wallet")["silver"] == WELCOME_SILVER - 20
    )


def test_a_lost_connection_leaves_every_request_of_the_call_unanswered(crowd, cluster):
    """A repeat with the same key leads to one seat."""
    guests = [Client(crowd.server).guest() for _ in range(12)]
    keys = [uuid.uuid4().hex for _ in guests]
    holder = cluster.connect(crowd.server.database)
    holder.autocommit = False
    calls = "pg_stat_activity WHERE query LIKE '%do_seat_batch%' AND wait_event_type = 'Lock'"
    with holder.cursor() as cursor:
        cursor.execute("SELECT 1 FROM players WHERE id = %s FOR UPDATE", (guests[7].player["id"],))
        with crowd.held(12):
            asked = [crowd.pool.submit(guest.take_seat, key=key) for guest, key in zip(guests, keys)]
        crowd.until(calls, 1)
        crowd.ask(f"SELECT pg_terminate_backend(pid) FROM {calls}")
        answers = [one.result(timeout=HANG_S) for one in asked]
        holder.rollback()
    holder.close()
    assert {(a.status_code, a.json()["code"]) for a in answers} == {(503, "outcome_unknown")}
    for guest, key in zip(guests, keys):
        end = time.monotonic() + HANG_S
        while guest.take_seat(key=key).status_code != 201:
            assert time.monotonic() < end
        assert (
            guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
            and len(guest.get("/v1/me/tables")["items"]) == 1
        )
