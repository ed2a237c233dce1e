"""Holds are reused: an empty one moves to the next table, one with chips never does, and it remains
provable which table held which chips."""

import psycopg2
import pytest
from db_rig import at_once

HOLDS = "SELECT id, table_id FROM accounts WHERE kind = 'hold' AND player_id = %s ORDER BY id"
OPEN = "SELECT open_holds(ARRAY[%s]::bigint[], ARRAY[%s]::bigint[], '{10}', '{0}')"


@pytest.fixture
def rig(shared):
    """One database for all tests. Each test ends with no open table at which players of the next test could
    be seated."""
    practice = shared.one("SELECT value FROM settings WHERE name = 'solo_games_per_day'")
    yield shared
    shared.rows("UPDATE settings SET value = %s WHERE name = 'solo_games_per_day'", practice)
    for (table,) in shared.rows("SELECT id FROM tables WHERE state IN ('waiting', 'playing')"):
        assert shared.cancel(table) == "ok"


def holds(rig, player, via=None):
    """{hold: its table}"""
    return dict(tuple(row) for row in rig.rows(HOLDS, player, via=via))


def table_of(rig, player, batched=False, via=None):
    """Another table with a stake, of only this player."""
    seat = rig.sit_all([(player, "desert")], via=via)[0] if batched else rig.sit(player, via=via)
    assert seat["code"] == "ok"
    return seat["table_id"]


@pytest.mark.parametrize("batched", [False, True])
def test_one_hold_is_reused_for_successive_tables(rig, batched):
    player, used = rig.player(silver=100), []
    for end in (
        rig.cancel,
        lambda table: rig.leave(player, table),
        lambda table: rig.start(table) and rig.settle(table, [1, 2, 3, 4]),
    ):
        table = table_of(rig, player, batched)
        used.append(holds(rig, player))
        assert list(used[-1].values()) == [table] and rig.held(player, table) == (10, 0)
        end(table)
        assert rig.held(player, table) == (0, 0)
    assert len({hold for one in used for hold in one}) == 1 and rig.proof() == []


@pytest.mark.parametrize("batched", [False, True])
def test_a_player_has_as_many_holds_as_concurrent_tables(rig, batched):
    """In each currency; a batch reuses the same holds as single calls do."""
    player = rig.player(silver=20, gold=100)
    for _ in range(3):
        tables = [table_of(rig, player, batched) for _ in range(4)]  # two by silver, two by gold
        assert [rig.held(player, table) for table in tables] == [(10, 0)] * 2 + [(0, 10)] * 2
        assert sorted(holds(rig, player).values()) == tables and rig.proof() == []
        for table in tables:
            assert rig.cancel(table) == "ok"
    assert len(holds(rig, player)) == 4
    for table in (
        table_of(rig, player, batched),
        table_of(rig, player, batched),
    ):  # a stake in both currencies needs one of each
        rig.cancel(table)
    rig.take(player, "silver", 16)
    table = table_of(rig, player, batched)
    assert rig.held(player, table) == (4, 6)
    assert len(holds(rig, player)) == 4 and rig.proof() == []


def test_a_player_who_returns_to_a_table_gets_the_same_hold(rig):
    player, other = rig.player(), rig.player()
    elsewhere = table_of(rig, player)
    rig.cancel(elsewhere)
    table = table_of(rig, other)
    assert table_of(rig, player) == table
    before = holds(rig, player)
    assert rig.leave(player, table) == "ok" and table_of(rig, player) == table
    assert holds(rig, player) == before and len(before) == 1 and rig.proof() == []


def test_a_hold_that_practice_emptied_moves_while_its_table_is_played(rig):
    player = rig.player()
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'solo_games_per_day'")
    practice = rig.table_of(player)
    assert rig.held(player, practice) == (0, 0), "the stake was returned at the start"
    table = table_of(rig, player)
    assert list(holds(rig, player).values()) == [table] and rig.held(player, table) == (10, 0)
    assert rig.settle(practice, [4, 1, 2, 3])[0]["code"] == "ok"
    assert rig.held(player, table) == (10, 0) and rig.purse(player) == (90, 0) and rig.proof() == []


def test_late_calls_for_a_table_do_not_touch_its_moved_hold(rig):
    """Calls the server's functions, and the internal ones that do not check whether the table is over."""
    player = rig.player()
    over = rig.table_of(player)
    seat = "FROM seats s WHERE s.table_id = %s AND s.player_id IS NOT NULL"
    rig.cancel(over)
    table = rig.table_of(player)
    assert list(holds(rig, player).values()) == [table]
    assert rig.cancel(over) == "already_done" and rig.settle(over, [1, 2, 3, 4])[0]["code"] == "not_playing"
    assert rig.leave(player, over) == "table_over"
    with pytest.raises(psycopg2.errors.RaiseException, match="given back before"):
        rig.rows(f"SELECT refund_stake(s, 'late') {seat}", over)
    assert tuple(
        rig.row(
            "SELECT r.* FROM seats s, refund_held(s, 'late') r WHERE s.table_id = %s AND s.player_id IS NOT"
            " NULL",
            over,
        )
    ) == (0, 0)
    with pytest.raises(psycopg2.errors.NotNullViolation):
        rig.rows(f"SELECT refund_post(s, 10, 0, 'late', ':again') {seat}", over)
    assert rig.held(player, table) == (10, 0) and rig.purse(player) == (90, 0) and rig.proof() == []


# --- at once ------------------------------------------------------------------------------------


def test_concurrent_seats_take_different_holds(rig):
    """One player on several nodes, in single calls and in batches, with fewer empty holds than seats, while
    a table ends each time."""
    player = rig.player(silver=100)
    last = table_of(rig, player)
    for _ in range(8):
        acts = [
            lambda via: table_of(rig, player, via=via),
            lambda via: table_of(rig, player, batched=True, via=via),
        ]
        ended, *tables = at_once(rig, lambda via, table=last: rig.cancel(table, via=via), *acts)
        assert ended == "ok" and len(set(tables)) == 2, (ended, tables)
        assert [rig.held(player, table) for table in tables] == [(10, 0)] * 2
        assert rig.proof() == []
        assert rig.cancel(tables[0]) == "ok"
        last = tables[1]
    assert len(holds(rig, player)) <= 3


def test_two_tables_cannot_share_a_hold_even_without_the_player_lock(rig):
    """After waiting for the row lock, the hold is checked again: it does not move if it has chips."""
    player = rig.player()
    rig.cancel(table_of(rig, player))
    (first,) = holds(rig, player)
    for keeps in (True, False):
        open_tables = [rig.open_table(rig.player())["table_id"] for _ in range(2)]
        take = (
            "SELECT ledger_post('stake', 'stake:table:' || %s || ':take:9', %s, '',"
            " ARRAY[ROW(account_purse(%s, 'silver'), -10, 'stake'), ROW(account_hold(%s, %s, 'silver'), 10,"
            " 'stake')]::ledger_leg[])"
        )
        one, other = rig.connect(autocommit=False), rig.connect(autocommit=False)
        rig.rows(OPEN, open_tables[0], player, via=one)
        rig.rows(take, open_tables[0], open_tables[0], player, open_tables[0], player, via=one)
        pid, took = other.info.backend_pid, []

        def finish(via):
            """The first one ends only once the other waits for it; true if it did wait."""
            waits = False
            while not waits and not took:
                waits = (
                    rig.one(
                        "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'",
                        pid,
                        via=via,
                    )
                    == 1
                )
            (one.commit if keeps else one.rollback)()
            return waits

        def open_other(via):
            rig.rows(OPEN, open_tables[1], player, via=other)
            took.append(rig.one("SELECT account_hold(%s, %s, 'silver')", open_tables[1], player, via=other))

        waited, _ = at_once(rig, finish, open_other)
        assert waited and (took == [first]) == (not keeps)
        moved = holds(rig, player, via=other)
        assert moved[first] == open_tables[0 if keeps else 1]
        assert len(moved) == (2 if keeps else 1) and open_tables[1] in moved.values()
        other.rollback()
        if keeps:  # chips held there without a seat are returned by hand
            rig.rows(
                "SELECT ledger_post('refund', 'refund:table:' || %s || ':take:9', %s, '',"
                " ARRAY[ROW(account_hold(%s, %s, 'silver'), -10, 'refund'), ROW(account_purse(%s, 'silver'),"
                " 10, 'refund')]::ledger_leg[])",
                open_tables[0],
                open_tables[0],
                open_tables[0],
                player,
                player,
            )
        one.close(), other.close()
    assert rig.proof() == []


def test_a_killed_session_leaves_the_hold_where_it_was(rig):
    player = rig.player()
    rig.cancel(table_of(rig, player))
    before = holds(rig, player)
    session = rig.connect(autocommit=False)
    table = table_of(rig, player, via=session)
    assert list(holds(rig, player, via=session).values()) == [table]
    assert rig.one("SELECT pg_terminate_backend(%s, 10000)", session.info.backend_pid)
    session.close()
    assert holds(rig, player) == before and rig.purse(player) == (100, 0) and rig.proof() == []
    table = table_of(rig, player)
    assert holds(rig, player) == {next(iter(before)): table} and rig.proof() == []


# --- history ------------------------------------------------------------------------------------


def test_the_chain_remains_valid_when_a_hold_moves(rig):
    """A transfer has the same hash whether it is sealed before or after the move, and the same as when a
    hold belonged to one table forever."""
    start = rig.one("SELECT coalesce(max(id), 0) FROM transfers")
    first_way = f"""SELECT t.id, sha256(convert_to(ROW(t.id, t.cause, t.key, t.table_id, t.note,
                     extract(epoch FROM t.at))::text
                     || string_agg(ROW(p.id, p.amount, p.reason, p.balance_after, p.account_id, a.kind,
                     a.currency, a.player_id, a.table_id, a.cause)::text, '' ORDER BY p.id), 'UTF8'))
                   FROM transfers t JOIN postings p ON p.transfer_id = t.id
                       JOIN accounts a ON a.id = p.account_id WHERE t.id > {start} GROUP BY t.id
                   ORDER BY t.id"""
    this_way = f"SELECT * FROM ledger_hashes({start}, 100000) ORDER BY 1"

    def hashes(sql):
        return [(number, bytes(content)) for number, content in rig.rows(sql)]

    player = rig.player()
    table = rig.table_of(player)
    rig.settle(table, [1, 2, 3, 4])
    once = hashes(first_way)
    assert hashes(this_way) == once
    rig.rows("SELECT do_seal_ledger(1000)")
    for _ in range(2):
        rig.cancel(table_of(rig, player))
    assert hashes(this_way)[: len(once)] == once
    assert hashes(first_way)[: len(once)] != once, "the hold has moved"
    assert rig.proof() == []
    rig.rows("SELECT do_seal_ledger(1000)")
    assert rig.proof() == []


def test_an_export_lists_chips_held_at_past_tables(rig):
    player = rig.player()
    tables = []
    for _ in range(2):
        tables.append(table_of(rig, player))
        rig.cancel(tables[-1])
    tables.append(table_of(rig, player))
    seats = {
        at: data["stake"] for at, data in rig.rows("SELECT * FROM export_rows('seats', %s, 0, 100)", player)
    }
    assert list(seats) == tables
    assert [
        [(line["currency"], line["amount"], line["reason"]) for line in seats[table]] for table in tables
    ] == [[("silver", 10, "stake"), ("silver", -10, "refund")]] * 2 + [[("silver", 10, "stake")]]
    assert len({line["posting"] for lines in seats.values() for line in lines}) == 5
