"""Seats requested at once: a batch has the same result as single calls in the same order, and runs
concurrently with everything else in a room."""

import hashlib
import random
import uuid

import psycopg2
import pytest
from test_concurrency import at_once, halt_after_choosing, while_halted

# Per table: the table's number, and the values that do not depend on it.
ROWS = {
    "tables": (
        "SELECT id, to_jsonb(a) - '{id,created_at,fill_at}'::text[], fill_at - created_at FROM tables a"
    ),
    "seats": "SELECT table_id, to_jsonb(a) - '{table_id,taken_at}'::text[] FROM seats a",
    "tickets": (
        "SELECT table_id, to_jsonb(a) - '{table_id,expires_at}'::text[], expires_at - now() = interval '60 s'"
        " FROM tickets a"
    ),
    "accounts": "SELECT table_id, kind, currency, player_id, cause, balance FROM accounts a",
    "transfers": (
        "SELECT table_id, cause, note, replace(key, ':table:' || table_id || ':', ':table:T:') FROM"
        " transfers a"
    ),
    "postings": (
        """SELECT t.table_id, a.table_id IS NOT NULL, a.kind, a.currency, a.player_id, a.cause, p.amount,
                          p.reason, p.balance_after,
                          row_number() OVER (PARTITION BY p.account_id ORDER BY p.id),
                          row_number() OVER (PARTITION BY t.id ORDER BY p.id)
                   FROM postings p JOIN transfers t ON t.id = p.transfer_id
                       JOIN accounts a ON a.id = p.account_id"""
    ),
    "idempotency": (
        "SELECT (answer->>'table_id')::bigint, player_id, key, action, body_hash, answer -"
        " '{table_id,expires_at}'::text[] FROM idempotency a"
    ),
    "players": "SELECT NULL, to_jsonb(a) FROM players a",
}


def asks(n, player, room="desert", key=None, body=b"b"):
    """The arguments of a request: the n-th has its own seed and ticket."""
    seed = hashlib.sha256(f"seed{n}".encode()).digest()
    return (
        player,
        room,
        key or f"key{n}",
        body,
        str(uuid.UUID(int=n + 1)),
        seed,
        hashlib.sha256(seed).digest(),
    )


def batch(rig, asked, via):
    columns = list(zip(*asked)) if asked else [()] * 7
    return rig.rows(
        "SELECT * FROM do_seat_batch(%s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::uuid[],"
        " %s::bytea[], %s::bytea[], %s)",
        *[list(column) for column in columns],
        rig.node,
        via=via,
    )


def singles(rig, asked, via):
    return [
        rig.row("SELECT * FROM do_take_seat(%s, %s, %s, %s, %s, %s, %s, %s)", *one, rig.node, via=via)
        for one in asked
    ]


def left(rig, act, asked):
    """The replies, and every row afterward, with opened tables numbered from 1: a batch opens them in
    another order, room by room."""
    with rig.undone() as via:
        known = {row[0] for row in rig.rows("SELECT id FROM tables", via=via)}
        answers = act(rig, asked, via)
        opened = dict.fromkeys(
            answer["table_id"] for answer in answers if answer["table_id"] not in {None, *known}
        )
        name = {table: f"opened {n}" for n, table in enumerate(opened, 1)}
        said = [
            [
                name.get(answer["table_id"], answer["table_id"]),
                *[answer[what] for what in ("code", "seat", "ticket", "repeated", "join_code")],
                answer["commit"] and bytes(answer["commit"]),
            ]
            for answer in answers
        ]
        rows = {
            what: sorted(
                str(
                    (
                        name.get(row[0], row[0]),
                        *[bytes(v) if isinstance(v, memoryview) else v for v in row[1:]],
                    )
                )
                for row in rig.rows(sql, via=via)
            )
            for what, sql in ROWS.items()
        }
        return said, rows


def same(rig, asked):
    together, rows = left(rig, batch, asked)
    single, rows_of_singles = left(rig, singles, asked)
    assert together == single
    for what in ROWS:
        assert rows[what] == rows_of_singles[what], what
    return together


# --- a batch equals as many single calls --------------------------------------------------------------------


def test_players_who_arrive_in_one_room_fill_its_tables(rig):
    half = rig.sit(rig.player())["table_id"]
    rig.sit(rig.player())
    said = same(rig, [asks(n, rig.player()) for n in range(11)])
    assert [(table, seat) for table, _, seat, *_ in said] == [
        (half, 2),
        (half, 3),
        *[("opened 1", seat) for seat in range(4)],
        *[("opened 2", seat) for seat in range(4)],
        ("opened 3", 0),
    ]


def test_an_empty_batch_returns_no_rows(rig):
    assert batch(rig, [], rig.db) == []


def test_a_refusal_does_not_affect_other_requests(rig):
    banned, deleted, poor, busy, locked, known, fine = (rig.player(silver=50) for _ in range(7))
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", banned)
    rig.rows("UPDATE players SET deleted_at = now() WHERE id = %s", deleted)
    rig.rows("UPDATE rooms SET open = false WHERE id = 'steppe'")
    rig.take(poor, "silver", 45)
    assert [rig.sit(busy)["code"] for _ in range(4)] == ["ok"] * 4
    first = rig.row(
        "SELECT * FROM do_take_seat(%s, %s, %s, %s, %s, %s, %s, %s)", *asks(90, known, key="mine"), rig.node
    )
    reused = rig.player()
    rig.row(
        "SELECT * FROM do_take_seat(%s, %s, %s, %s, %s, %s, %s, %s)", *asks(91, reused, key="mine"), rig.node
    )
    said = same(
        rig,
        [
            asks(0, banned),
            asks(1, deleted),
            asks(2, 10**12),
            asks(3, poor),
            asks(4, busy),
            asks(5, locked, "tundra"),
            asks(6, known, key="mine"),
            asks(7, reused, key="mine", body=b"other"),
            asks(8, fine),
            asks(9, rig.player(), "atlantis"),
            asks(10, rig.player(), "steppe"),
        ],
    )
    assert [row[1] for row in said] == [
        "banned",
        "no_such_player",
        "no_such_player",
        "no_funds",
        "too_many_tables",
        "room_locked",
        "ok",
        "idempotency_key_reused",
        "ok",
        "no_such_room",
        "room_closed",
    ]
    assert (said[6][0], said[6][3], said[6][4]) == (first["table_id"], first["ticket"], True)
    codes = [row["code"] for row in rig.sit_all([(banned, "desert"), (fine, "desert")])]
    assert codes == ["banned", "ok"] and rig.purse(fine) == (40, 0) and rig.proof() == []


def test_silver_is_spent_before_gold(rig):
    people = [(100, 5), (10, 5), (4, 6), (0, 10), (9, 50)]
    who = [rig.player(silver=silver, gold=gold) for silver, gold in people]
    same(rig, [asks(n, player) for n, player in enumerate(who)])
    for player, seat, held in zip(
        who, rig.sit_all([(player, "desert") for player in who]), [(10, 0), (10, 0), (4, 6), (0, 10), (9, 1)]
    ):
        assert rig.held(player, seat["table_id"]) == held
    assert rig.proof() == []


def test_a_player_who_returns_to_a_table_gets_the_next_take(rig):
    ann, bob, eve = (rig.player(silver=10, gold=5) for _ in range(3))
    table = rig.sit(ann)["table_id"]
    rig.sit(bob)
    rig.leave(ann, table)
    said = same(rig, [asks(0, eve), asks(1, ann)])
    assert [row[:3] for row in said] == [[table, "ok", 0], [table, "ok", 2]]
    rig.sit_all([(eve, "desert"), (ann, "desert")])
    assert rig.proof() == []


@pytest.mark.parametrize("how", ["blocks", "is blocked", "apart"])
def test_blocked_and_separated_players_do_not_meet(rig, how):
    ann, bob, eve, sits = (rig.player() for _ in range(4))
    table = rig.sit(sits)["table_id"]
    for one, other in ((ann, bob), (eve, sits)):
        if how == "apart":
            rig.rows("INSERT INTO separations (low_id, high_id) VALUES (%s, %s)", *sorted((one, other)))
        else:
            rig.block(*((one, other) if how == "blocks" else (other, one)))
    said = same(rig, [asks(n, player) for n, player in enumerate((ann, bob, eve))])
    assert [row[0] for row in said] == [table, "opened 1", "opened 1"]


def test_a_player_is_seated_with_the_most_similar_players(rig):
    middle, high = rig.player(), rig.player()
    same_kind, other_kind = rig.player(), rig.player()
    for player, rating in ((high, 9000), (same_kind, 8800)):
        rig.rows(
            "INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating) VALUES"
            " (%s, 'rummy51', 'all', 30, 1, 1, 0, %s)",
            player,
            rating,
        )
    rig.block(middle, high)
    tables = [rig.sit(middle)["table_id"], rig.sit(high)["table_id"]]
    said = same(rig, [asks(0, same_kind), asks(1, other_kind)])
    assert [row[0] for row in said] == tables[::-1]


@pytest.mark.parametrize("seed", range(12))
def test_batches_equal_single_calls_for_random_rooms_and_players(rig, seed):
    dice = random.Random(seed)
    who = [
        rig.player(
            silver=dice.choice((0, 5, 10, 100)),
            gold=dice.choice((0, 5, 30, 500)),
            level=dice.choice((1, 6, 12, 40)),
        )
        for _ in range(24)
    ]
    for player in dice.sample(who, 10):
        rig.rows(
            "INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating) VALUES"
            " (%s, 'rummy51', 'all', 30, 1, 1, 0, %s)",
            player,
            dice.randrange(0, 10000),
        )
    for _ in range(dice.randrange(12)):
        one, other = dice.sample(who, 2)
        if dice.random() < 0.5:
            rig.block(one, other)
        else:
            rig.rows(
                "INSERT INTO separations (low_id, high_id) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                *sorted((one, other)),
            )
    rooms = ["desert", "desert", "tundra", "steppe", "atlantis"]
    for player in dice.sample(who, 12):
        seat = rig.sit(player, dice.choice(rooms))
        if seat["code"] == "ok" and dice.random() < 0.3:
            rig.leave(player, seat["table_id"])
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", dice.choice(who))
    rig.rows("INSERT INTO nodes (name, epoch) VALUES ('gone', 7)")
    rig.rows("UPDATE tables SET node = 'gone' WHERE id = (SELECT max(id) FROM tables)")
    asked = [asks(n, player, dice.choice(rooms)) for n, player in enumerate(dice.sample(who, 16))]
    codes = {row[1] for row in same(rig, asked)}
    assert "ok" in codes
    assert [row["code"] for row in batch(rig, asked, rig.db)].count("ok") > 0 and rig.proof() == []
    assert {row[4] for row in same(rig, asked) if row[1] == "ok"} == {True}, "each is repeated"


# --- what a batch refuses -----------------------------------------------------------------------------------


def test_a_batch_with_a_repeated_player_seats_no_one(rig):
    ann, bob = rig.player(), rig.player()
    with pytest.raises(psycopg2.errors.RaiseException, match="two seats at once"):
        rig.sit_all([(ann, "desert"), (bob, "desert"), (ann, "tundra")])
    assert rig.one("SELECT count(*) FROM seats") + rig.one("SELECT count(*) FROM idempotency") == 0


@pytest.mark.parametrize("limit, state", [("exclusion", "RU001"), ("time", "RU002")])
def test_a_limited_player_fails_only_the_batches_that_contain_them(rig, limit, state):
    """The server retries in halves (tests/db/test_batch_stmt.c)."""
    who = [rig.player() for _ in range(4)]
    if limit == "time":
        table = rig.table_of(who[2])
        rig.settle(table, [1, 2, 3, 4])
        rig.rows("UPDATE games SET started_at = local_midnight(now()), ended_at = now()")
    assert (
        rig.one(
            "SELECT code FROM do_set_limits(%s, %s, NULL, %s)",
            who[2],
            *((None, 7) if limit == "exclusion" else (0, None)),
        )
        == "ok"
    )
    asked = [(player, "desert") for player in who]
    before = rig.one("SELECT count(*) FROM seats"), rig.one("SELECT count(*) FROM idempotency")
    for some in (asked, asked[2:], asked[2:3]):
        with pytest.raises(psycopg2.Error) as error:
            rig.sit_all(some)
        assert error.value.pgcode == state
        assert before == (rig.one("SELECT count(*) FROM seats"), rig.one("SELECT count(*) FROM idempotency"))
    assert [row["code"] for some in (asked[:2], asked[3:]) for row in rig.sit_all(some)] == ["ok"] * 3
    assert rig.proof() == []


# --- concurrently with others -------------------------------------------------------------------------------


def whole(rig, seats_n=4):
    """No table has more players than seats, and each has a correct count."""
    assert (
        rig.rows(
            """SELECT t.id FROM tables t LEFT JOIN seats s ON s.table_id = t.id GROUP BY t.id
                       HAVING count(s.player_id) <> t.people_n AND t.state = 'waiting'
                           OR count(s.seat) > %s""",
            seats_n,
        )
        == []
    )
    assert rig.proof() == []


def test_batches_and_single_calls_share_the_tables_of_a_room(rig):
    for _ in range(4):
        before = rig.one("SELECT count(*) FROM tables")
        who = [[rig.player() for _ in range(n)] for n in (7, 6, 5, 1, 1)]
        acts = [
            lambda via, some=some: rig.sit_all([(player, "desert") for player in some], via=via)
            for some in who[:3]
        ]
        acts += [lambda via, some=some: [rig.sit(some[0], via=via)] for some in who[3:]]
        answers = [row for answer in at_once(rig, *acts) for row in answer]
        assert [row["code"] for row in answers] == ["ok"] * 20
        assert len({(row["table_id"], row["seat"]) for row in answers}) == 20
        opened = rig.one("SELECT count(*) FROM tables") - before
        assert 5 <= opened <= 7, (
            "players who arrive together sit together, unless a single call locks a table for long"
        )
        whole(rig)


def test_batches_in_different_orders_do_not_deadlock(rig):
    for _ in range(4):
        who = [rig.player(gold=1000, level=40) for _ in range(8)]
        rooms = ["desert", "tundra", "steppe", "savannah"]
        one = [(player, rooms[n % 4]) for n, player in enumerate(who)]
        answers = at_once(
            rig,
            lambda via: rig.sit_all(one, via=via),
            lambda via: rig.sit_all(one[::-1], via=via),
            lambda via: rig.sit_all([(player, "desert") for player in who[3:]], via=via),
            *[lambda via, player=player: [rig.sit(player, "tundra", via=via)] for player in who[:3]],
        )
        assert [row["code"] for answer in answers for row in answer] == ["ok"] * 24
        whole(rig)
        assert (
            rig.one(
                "SELECT max(n) FROM (SELECT count(*) AS n FROM seats WHERE live AND player_id = ANY (%s)"
                " GROUP BY player_id) s",
                who,
            )
            <= 4
        )


def test_the_last_seat_goes_to_one_player(rig):
    for _ in range(6):
        first = [rig.player() for _ in range(3)]
        table = {row["table_id"] for row in rig.sit_all([(player, "desert") for player in first])}
        assert len(table) == 1
        who = [rig.player() for _ in range(3)]
        answers = at_once(
            rig,
            lambda via: rig.sit_all([(who[0], "desert"), (who[1], "desert")], via=via),
            lambda via: [rig.sit(who[2], via=via)],
        )
        places = [row["table_id"] for answer in answers for row in answer]
        assert sum(place in table for place in places) == 1
        whole(rig)
        for place in {*places, *table}:
            rig.cancel(place)


def test_the_last_chips_are_spent_once(rig):
    for _ in range(5):
        player, others = rig.player(silver=6, gold=4), [rig.player() for _ in range(3)]
        answers = at_once(
            rig,
            *[
                lambda via, other=other: rig.sit_all([(other, "desert"), (player, "desert")], via=via)[1][
                    "code"
                ]
                for other in others
            ],
            lambda via: rig.sit(player, via=via)["code"],
        )
        assert sorted(answers) == ["no_funds"] * 3 + ["ok"] and rig.purse(player) == (0, 0)
        whole(rig)


def test_concurrent_batches_respect_the_table_limit_of_a_player(rig):
    player, others = rig.player(gold=1000), [rig.player() for _ in range(6)]
    answers = at_once(
        rig,
        *[
            lambda via, two=two: rig.sit_all(two, via=via)
            for n, other in enumerate(others)
            for two in [[(other, "desert"), (player, "desert")][:: 1 if n % 2 else -1]]
        ],
    )
    assert sum(row["code"] == "ok" for answer in answers for row in answer) == 6 + 4
    assert rig.one("SELECT count(*) FROM seats WHERE player_id = %s AND live", player) == 4
    whole(rig)


def test_one_key_in_two_batches_takes_one_seat(rig):
    for n in range(5):
        ann, bob = rig.player(), rig.player()
        answers = at_once(
            rig,
            *[lambda via: batch(rig, [asks(10 * n, ann, key="same"), asks(10 * n + 1, bob, key="same")], via)]
            * 3,
        )
        for rows in zip(*answers):
            assert len({(row["table_id"], row["seat"], row["ticket"]) for row in rows}) == 1
            assert sorted(row["repeated"] for row in rows) == [False, True, True]
        assert rig.purse(ann) == rig.purse(bob) == (90, 0)
    whole(rig)


def test_blocked_players_in_crossing_batches_are_not_seated_together(rig):
    for _ in range(6):
        ann, bob, eve, kim = (rig.player() for _ in range(4))
        rig.block(ann, bob)
        answers = at_once(
            rig,
            lambda via: rig.sit_all([(eve, "desert"), (ann, "desert")], via=via),
            lambda via: rig.sit_all([(bob, "desert"), (kim, "desert")], via=via),
        )
        assert answers[0][1]["table_id"] != answers[1][0]["table_id"]
        whole(rig)


def test_leaving_starting_and_canceling_run_alongside_a_batch(rig):
    for _ in range(6):
        sit, go = [rig.player() for _ in range(3)], [rig.player() for _ in range(5)]
        table = rig.sit_all([(player, "desert") for player in sit])[0]["table_id"]
        seats, *_ = at_once(
            rig,
            lambda via: rig.sit_all([(player, "desert") for player in go], via=via),
            lambda via: rig.leave(sit[1], table, via=via),
            lambda via: rig.start(table, via=via)["code"],
            lambda via: rig.leave(sit[0], table, via=via),
        )
        assert [row["code"] for row in seats] == ["ok"] * 5
        whole(rig)
        for place in {table, *[row["table_id"] for row in seats]}:
            rig.cancel(place)
        whole(rig)


def test_players_who_sat_down_meanwhile_are_considered(rig):
    """The newcomer chooses a table. Before they get their seat, a player who has blocked them sits down
    there."""
    waits, enemy, newcomer, friend = (rig.player() for _ in range(4))
    table = rig.sit(waits)["table_id"]
    rig.block(enemy, newcomer)
    halt_after_choosing(rig)
    found = while_halted(
        rig,
        lambda via: rig.sit_all([(friend, "desert"), (newcomer, "desert")], via=via),
        lambda: rig.rows("SELECT seat_player(%s, t) FROM tables t WHERE id = %s", enemy, table),
    )
    assert [row["code"] for row in found] == ["ok", "ok"]
    assert found[1]["table_id"] != table and rig.one("SELECT people_n FROM tables WHERE id = %s", table) in (
        2,
        3,
    )
    whole(rig)


def test_a_single_player_who_finds_a_table_does_not_queue_for_the_room(rig):
    table = rig.sit(rig.player())["table_id"]
    with rig.undone() as holder:
        rig.rows("SELECT pg_advisory_xact_lock(hashtextextended('rummyd room desert', 0))", via=holder)
        assert rig.sit(rig.player())["table_id"] == table
        others = [(rig.player(), "desert") for _ in range(2)]
        rig.rows("SET lock_timeout = '100ms'")
        with pytest.raises(psycopg2.errors.LockNotAvailable):
            rig.sit_all(others)
    rig.rows("SET lock_timeout = 0")
    assert rig.sit_all(others)[0]["table_id"] == table


def test_many_waiting_tables_are_searched_in_steps(rig):
    """More tables than are checked, all of them locked by others: the batch opens its own once it has
    checked them all."""
    who = [rig.player() for _ in range(70)]
    for player in who:
        rig.rows(
            "INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node,"
            " server_seed, commit, fill_at) SELECT id, variant, params, seats_n, stake, reward,"
            " multiplier_tenths, %s, sha256('s'), sha256('c'), now() FROM rooms WHERE id = 'desert'",
            rig.node,
        )
        rig.rows("SELECT seat_player(%s, t) FROM tables t WHERE id = (SELECT max(id) FROM tables)", player)
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'seat_tries_max'")
    with rig.undone() as holder:
        rig.rows("SELECT id FROM tables FOR UPDATE", via=holder)
        seats = rig.sit_all([(rig.player(), "desert"), (rig.player(), "desert")])
        assert {(row["code"], row["table_id"]) for row in seats} == {
            ("ok", rig.one("SELECT max(id) FROM tables"))
        }
    seats = rig.sit_all([(rig.player(), "desert")])
    assert seats[0]["table_id"] == rig.one("SELECT min(id) FROM tables")
    whole(rig)
