"""Tables that start in one call: each starts as if it were alone, and a refused one does not affect the
others."""

import hashlib

import psycopg2
import pytest

ROWS = {
    "tables": "SELECT to_jsonb(a) - 'started_at' FROM tables a",
    "seats": "SELECT to_jsonb(a) - 'taken_at' FROM seats a",
    "hands": "SELECT to_jsonb(a) - 'dealt_at' FROM hands a",
    "solo_games": "SELECT to_jsonb(a) FROM solo_games a",
    "accounts": "SELECT to_jsonb(a) FROM accounts a",
    "transfers": "SELECT cause, key, table_id, note FROM transfers a",
    "postings": (
        "SELECT t.key, a.account_id, a.amount, a.reason, a.balance_after FROM postings a JOIN transfers t ON"
        " t.id = a.transfer_id"
    ),
}


def start(rig, tables, via, bots=("A", "B", "C", "D", "E", "")):
    """Every table with its own names and seeds."""
    seeds = [
        hashlib.sha256(f"{table}.{seat}".encode()).digest()[:16] if table % 2 else b""
        for table in tables
        for seat in range(6)
    ]
    names = [f"{name}{table}" if name else "" for table in tables for name in bots]
    return [
        tuple(row)
        for row in rig.rows(
            "SELECT * FROM do_start_batch(%s::bigint[], %s, %s::text[], %s, %s::bytea[])",
            tables,
            rig.epoch,
            names,
            [1 + table % 3 for table in tables],
            seeds,
            via=via,
        )
    ]


def left(rig, tables, calls):
    """The replies, and the rows afterward."""
    with rig.undone() as via:
        answers = [row for call in calls for row in start(rig, call, via)]
        return answers, {
            name: sorted(str(tuple(row)) for row in rig.rows(sql, via=via)) for name, sql in ROWS.items()
        }


def world(rig):
    """Tables of every kind of start and refusal: ids."""
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'solo_games_per_day'")
    alone = rig.player(gold=1000)
    tables = [rig.sit(rig.player(), "desert")["table_id"]]

    def apart(table):  # no other player can join until all have connected
        rig.rows("UPDATE tables SET state = 'playing' WHERE id = %s", table)
        return table

    apart(tables[0])
    for n in (4, 2, 3, 4):
        table = rig.sit(rig.player())["table_id"]
        assert all(rig.sit(rig.player())["table_id"] == table for _ in range(n - 1))
        tables.append(apart(table))
    tables += [apart(rig.sit(alone, room)["table_id"]) for room in ("desert",) * 4]
    tables.append(apart(rig.open_table(rig.player(), "pool101", seats=6, bots=5)["table_id"]))
    waits_for_people = rig.sit(rig.player(gold=1000, level=12), "steppe")["table_id"]
    over = rig.sit(rig.player())["table_id"]
    rig.rows("UPDATE tables SET state = 'waiting' WHERE id = ANY (%s)", tables)
    assert rig.cancel(over) == "ok"
    return [*tables, waits_for_people, over, 10**12]


def test_a_batch_equals_single_starts(rig):
    tables = world(rig)
    together, rows = left(rig, tables, [tables])
    single, rows_of_singles = left(rig, tables, [[table] for table in tables])
    assert together == single
    assert rows == rows_of_singles
    codes = {row[0]: row[1] for row in together}
    assert [codes[table] for table in tables] == ["ok"] * 10 + ["seats_free", "table_over", "no_such_table"]
    practice = {row[0]: row[2] for row in together}
    assert [practice[table] for table in tables[5:9]] == [False, False, True, True]


def test_a_started_table_has_its_bots_hand_and_chips(rig):
    tables = world(rig)[:10]
    answer = start(rig, tables, rig.db)
    for table in tables:
        seats = [row for row in answer if row[0] == table]
        assert [row[3] for row in seats] == list(range(len(seats)))
        assert [row[6] for row in seats if row[4] is None] == [
            f"{name}{table}" for name in "ABCDE"[: sum(row[4] is None for row in seats)]
        ]
        seeds = rig.one("SELECT client_seeds FROM hands WHERE table_id = %s AND hand_no = 1", table)
        assert bytes(seeds) == b"".join(bytes([len(row[8])]) + bytes(row[8]) for row in seats)
        assert all((len(row[8]) == 16) == (row[4] is not None and table % 2 == 1) for row in seats)
    assert (
        rig.rows(
            "SELECT id FROM tables WHERE id = ANY (%s) AND (state <> 'playing' OR started_at IS NULL)", tables
        )
        == []
    )
    assert rig.proof() == []
    assert [(row[0], row[1]) for row in start(rig, tables, rig.db)] == [
        (row[0], "already_done") for row in answer
    ]


def test_too_few_bot_names_or_a_stale_epoch_do_not_affect_other_tables(rig):
    first, second = (
        rig.sit(rig.player(gold=1000, level=12), room)["table_id"] for room in ("desert", "tundra")
    )
    full = rig.open_table(rig.player())["table_id"]
    assert rig.join(rig.player(), full)["code"] == "ok"
    assert [row["code"] for row in rig.starts([first, full, second], bots=("A", "B"))] == [
        "too_few_bots",
        "ok",
        "ok",
        "too_few_bots",
    ]
    rig.rows("INSERT INTO nodes (name, epoch) VALUES ('other', 7)")
    rig.rows("UPDATE tables SET node = 'other' WHERE id = %s", first)
    assert [row["code"] for row in rig.starts([first, second])] == ["stale_epoch"] + ["ok"] * 4


def test_a_table_cannot_start_twice_in_one_call(rig):
    table = rig.sit(rig.player())["table_id"]
    with pytest.raises(psycopg2.errors.UniqueViolation):
        rig.starts([table, table])
    assert rig.one("SELECT state FROM tables WHERE id = %s", table) == "waiting"
