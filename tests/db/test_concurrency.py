"""Concurrency: races for the last chips, for seats, for a settlement, for a key. The ledger stays correct,
and no session waits forever."""

import secrets
import threading
import time

import psycopg2
import pytest
from db_rig import at_once, named
from support.wait import HANG_S

PEOPLE = 8


HALT = 51  # the advisory lock on which a function injected by a test waits


def while_halted(rig, act, change):
    """Runs act(connection) up to the lock HALT, then change(), then the rest of act; returns the result of
    act."""
    results = []

    def run():
        connection = rig.connect()
        results.append(act(connection))
        connection.close()

    with rig.undone() as holder:
        rig.rows("SELECT pg_advisory_xact_lock(%s)", HALT, via=holder)
        thread = threading.Thread(target=run)
        thread.start()
        until = time.monotonic() + HANG_S
        while not rig.one("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
            assert time.monotonic() < until
            time.sleep(0.01)
        change()
    thread.join(HANG_S)
    assert len(results) == 1, "it stayed blocked"
    return results[0]


def halt_after_choosing(rig):
    """From now on, a search for tables stops at the lock HALT once it has chosen them."""
    rig.rows(f"""ALTER FUNCTION choose_tables RENAME TO choose;
                 CREATE FUNCTION choose_tables(p_room rooms, p_players bigint[], p_node text, p_skip bigint[],
                     OUT ids bigint[], OUT people integer[], OUT takes integer[], OUT places integer[],
                     OUT wanted bigint[], OUT openers integer[]) LANGUAGE plpgsql AS $$
                 BEGIN SELECT * INTO ids, people, takes, places, wanted, openers
                     FROM choose(p_room, p_players, p_node, p_skip);
                 PERFORM pg_advisory_xact_lock({HALT}); END $$""")


@pytest.mark.parametrize("silver, gold", [(10, 0), (0, 10), (6, 4)])
def test_concurrent_seats_cannot_spend_the_last_chips_twice(rig, silver, gold):
    for _ in range(10):
        player = rig.player(silver=silver, gold=gold)
        results = at_once(rig, *[lambda via: rig.sit(player, via=via)["code"]] * 4)
        assert sorted(results) == ["no_funds"] * 3 + ["ok"]
        assert rig.purse(player) == (0, 0)
    assert rig.proof() == []


def test_racing_transfers_cannot_make_a_balance_negative(rig):
    player, other = rig.player(gold=10), rig.player()
    purses = [rig.one("SELECT account_purse(%s, 'gold')", who) for who in (player, other)]

    def pay(key):
        def act(via):
            rig.rows(
                """WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', %s) RETURNING id)
                        INSERT INTO postings (transfer_id, account_id, amount, reason)
                        SELECT id, x.a, x.n, 'x' FROM t, (VALUES (%s, -10), (%s, 10)) x (a, n)""",
                key,
                *purses,
                via=via,
            )
            return "ok"

        return act

    results = at_once(rig, *[pay(f"race{n}") for n in range(6)])
    assert results.count("ok") == 1
    assert all(r == "ok" or isinstance(r, psycopg2.errors.CheckViolation) for r in results), results
    assert rig.purse(player)[1] == 0 and rig.purse(other)[1] == 10
    assert rig.proof() == []


def test_crossing_transfers_keep_the_order_of_postings(rig):
    """No player lock is held here, so the session that locks the row first writes the postings of an
    account."""
    purses = [rig.one("SELECT account_purse(%s, 'gold')", rig.player(gold=1000)) for _ in range(2)]

    def pay(worker):
        def act(via):
            for n in range(30):
                rig.rows(
                    """WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', %s) RETURNING id)
                            INSERT INTO postings (transfer_id, account_id, amount, reason)
                            SELECT id, x.a, x.n, 'x' FROM t, (VALUES (%s, -1), (%s, 1)) x (a, n)""",
                    f"cross{worker}:{n}",
                    *purses,
                    via=via,
                )
            return "ok"

        return act

    assert at_once(rig, *[pay(n) for n in range(4)]) == ["ok"] * 4
    assert rig.proof() == []


def test_concurrent_requests_with_one_key_take_one_seat(rig):
    player = rig.player()
    seats = at_once(rig, *[lambda via: rig.sit(player, key="same", via=via)] * 6)
    assert {(s["code"], s["table_id"], s["ticket"]) for s in seats} == {
        ("ok", seats[0]["table_id"], seats[0]["ticket"])
    }
    assert sorted(s["repeated"] for s in seats) == [False] + [True] * 5
    assert rig.purse(player) == (90, 0)


def test_players_who_arrive_together_sit_together(rig):
    for _ in range(5):
        people = [rig.player() for _ in range(PEOPLE)]
        seats = at_once(rig, *[lambda via, p=p: rig.sit(p, via=via) for p in people])
        assert [s["code"] for s in seats] == ["ok"] * PEOPLE
        places = {(s["table_id"], s["seat"]) for s in seats}
        assert len(places) == PEOPLE, "no seat is given twice"
        for table in {t for t, _ in places}:
            rig.cancel(table)
    assert rig.one("SELECT max(people_n) FROM tables") <= 4
    # Two tables would suffice each time; a third may be opened if the pauses were too short, but players do
    # not end up at more tables.
    assert rig.one("SELECT count(*) FROM tables") <= 5 * 3
    assert rig.proof() == []


def test_the_last_seat_is_taken_once(rig):
    for _ in range(5):
        three = [rig.player() for _ in range(3)]
        table = [rig.sit(p)["table_id"] for p in three][0]
        seats = at_once(rig, *[lambda via, p=p: rig.sit(p, via=via) for p in (rig.player(), rig.player())])
        assert sorted(s["table_id"] == table for s in seats) == [False, True]
        for t in {table, *(s["table_id"] for s in seats)}:
            rig.cancel(t)


def test_concurrent_settlements_settle_once(rig):
    people = [rig.player(silver=50) for _ in range(4)]
    table = rig.table_of(*people)
    results = at_once(
        rig, *[lambda via, n=n: rig.settle(table, [1, 2, 3, 4], record=f"r{n}", via=via) for n in range(5)]
    )
    assert sorted(rows[0]["code"] for rows in results) == ["already_done"] * 4 + ["ok"]
    assert len({tuple(tuple(list(row)[1:]) for row in rows) for rows in results}) == 1
    assert [rig.purse(p)[0] for p in people] == [60, 40, 40, 40]
    assert rig.proof() == []


def test_concurrent_settling_and_canceling_does_only_one_of_them(rig):
    for _ in range(8):
        player = rig.player()
        table = rig.table_of(player)
        settled, cancelled = at_once(
            rig,
            lambda via: rig.settle(table, [4, 1, 2, 3], via=via)[0]["code"],
            lambda via: rig.cancel(table, via=via),
        )
        assert (settled, cancelled) in [("ok", "table_over"), ("not_playing", "ok")]
        assert rig.purse(player)[0] == (90 if settled == "ok" else 100)
    assert rig.proof() == []


def test_concurrent_leaving_and_starting_does_only_one_of_them(rig):
    for _ in range(8):
        player = rig.player()
        table = rig.sit(player)["table_id"]
        left, started = at_once(
            rig, lambda via: rig.leave(player, table, via=via), lambda via: rig.start(table, via=via)["code"]
        )
        assert (left, started) in [("ok", "table_over"), ("game_running", "ok")]
        if started == "ok":
            assert rig.cancel(table) == "ok"
    assert rig.proof() == []


ENTER = (
    "SELECT id FROM do_enter_guest({}, sha256('{}'),"
    f" '[{named('A').replace('{', '{{').replace('}', '}}')}]', '', %s, NULL, NULL, NULL, 'en')"
)


def test_concurrent_requests_of_one_device_create_one_player(rig):
    rig.one(ENTER.format("NULL", "d"), secrets.token_bytes(32))
    enter = ENTER.format("sha256('d')", "e")
    found = at_once(rig, *[lambda via: rig.one(enter, secrets.token_bytes(32), via=via)] * 6)
    assert len(set(found)) == 1 and None not in found
    assert rig.one("SELECT count(*) FROM players") == 1


def test_concurrent_refreshes_of_one_token_create_one_successor(rig):
    rig.one(ENTER.format("NULL", "d"), b"t" * 32)
    renew = "SELECT code FROM do_enter_refresh(%s, %s, '203.0.113.7')"
    assert at_once(rig, *[lambda via: rig.one(renew, b"t" * 32, b"u" * 32, via=via)] * 6) == ["ok"] * 6
    assert rig.one("SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL") == 1


def test_a_refresh_while_all_sessions_end_leaves_no_session(rig):
    player = rig.one(ENTER.format("NULL", "d"), b"t" * 32)
    for _ in range(5):
        old, new = secrets.token_bytes(32), secrets.token_bytes(32)
        rig.rows("SELECT session_begin(%s, %s, NULL, NULL, NULL)", player, old)
        code, _ = at_once(
            rig,
            lambda via: rig.one("SELECT code FROM do_enter_refresh(%s, %s, NULL)", old, new, via=via),
            lambda via: rig.rows("SELECT do_end_sessions(%s, NULL)", player, via=via),
        )
        assert code in ("ok", "token_revoked")
        assert rig.one("SELECT count(*) FROM sessions WHERE ended_at IS NULL") == 0
        assert rig.one("SELECT code FROM do_enter_refresh(%s, %s, NULL)", new, old) in (
            "token_unknown",
            "token_revoked",
        )


def test_concurrent_registrations_of_one_address_register_once(rig):
    found = at_once(
        rig,
        *[
            lambda via: rig.row("SELECT * FROM do_register('a@b', 'h', %s, '')", f"[{named('A')}]", via=via)[
                "code"
            ]
        ]
        * 6,
    )
    assert sorted(found) == ["email_taken"] * 5 + ["ok"]
    assert rig.one("SELECT count(*) FROM players") == 1
    assert rig.proof() == []


def test_a_ticket_redeemed_concurrently_opens_once(rig):
    seat = rig.sit(rig.player())
    found = at_once(
        rig,
        *[
            lambda via: rig.one(
                "SELECT code FROM do_redeem_ticket(%s, %s)", seat["ticket"], seat["table_id"], via=via
            )
        ]
        * 6,
    )
    assert sorted(found) == ["ok"] + ["ticket_used"] * 5


def test_players_at_several_tables_settle_without_deadlock(rig):
    """The same four players at four tables, settled at once in batches of two and singly."""
    people = [rig.player(gold=1000) for _ in range(4)]
    for _ in range(6):
        tables = [rig.table_of(*people[n:], *people[:n]) for n in range(4)]

        def batch(ids):
            def act(via):
                via.autocommit = False
                rig.rows("SELECT do_lock_tables(%s)", ids, via=via)
                for table in ids:
                    rig.settle(table, [1, 2, 3, 4], via=via)
                via.commit()
                return "ok"

            return act

        assert at_once(rig, batch(tables[:2]), batch([tables[2]]), batch([tables[3]])) == ["ok"] * 3
    assert rig.proof() == []
