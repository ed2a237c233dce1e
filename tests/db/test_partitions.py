"""Partitions of tables that grow with time: created in advance, filled from the default partition when
late, and dropped after their retention period."""

import threading

import psycopg2
import pytest

NOW = "2027-03-10 12:00:00+00"


def job(rig, at=NOW, via=None):
    return rig.steps("partition_upkeep_step", at, via)


def partitions(rig, parent):
    return [
        row[0]
        for row in rig.rows(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass ORDER BY 1",
            parent,
        )
    ]


def notice(rig, player, at):
    rig.rows(
        "INSERT INTO notifications (player_id, at, kind, data) VALUES (%s, %s, 'level', '{}')", player, at
    )


def where(rig):
    """Number of notifications per partition."""
    return dict(rig.rows("SELECT tableoid::regclass::text, count(*) FROM notifications GROUP BY 1"))


def test_concurrent_jobs_create_future_partitions_once(rig):
    threads = [threading.Thread(target=lambda: job(rig, via=rig.connect())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert partitions(rig, "notifications") == [
        "notifications_2027_03",
        "notifications_2027_04",
        "notifications_2027_05",
        "notifications_default",
    ]
    assert partitions(rig, "league_rows") == [
        "league_rows_1",
        "league_rows_2",
        "league_rows_3",
        "league_rows_default",
    ]
    assert partitions(rig, "hands") == ["hands_0", "hands_1", "hands_default"]
    assert job(rig) == {"made": 0}
    assert job(rig, "2027-04-01")["made"] == 1
    assert partitions(rig, "notifications")[3:] == ["notifications_2027_06", "notifications_default"]
    assert job(rig, "2001-01-01")["made"] == 3, "a clock set back creates unneeded ones, and drops nothing"
    assert rig.one("SELECT count(*) FROM partitions") == 18


def test_rows_written_while_no_job_ran_are_moved_to_partitions(rig):
    player = rig.player()
    times = [
        "2027-03-01 00:00:00+00",
        "2027-03-31 23:59:59+00",
        "2027-04-01 00:00:00+00",
        "2027-08-01",
        "2026-12-31",
    ]
    for at in times:
        notice(rig, player, at)
    rig.settle(rig.table_of(player, rig.player()), [1, 2, 3, 4])
    hands = rig.rows("SELECT * FROM hands")
    before = rig.rows("SELECT * FROM notifications ORDER BY id")
    league = rig.rows("SELECT * FROM league_games ORDER BY player_id")
    job(rig)
    today = rig.one("SELECT count(*) FROM notifications WHERE at <> ALL (%s::timestamptz[])", times)
    assert where(rig) == {
        "notifications_2027_03": 2,
        "notifications_2027_04": 1,
        "notifications_default": 2 + today,
    }
    assert rig.rows("SELECT * FROM notifications ORDER BY id") == before
    assert rig.rows("SELECT * FROM hands_0") == hands and len(hands) == 1
    assert rig.rows("SELECT * FROM league_games_1 ORDER BY player_id") == league and len(league) == 2
    notice(rig, player, NOW)
    assert where(rig)["notifications_2027_03"] == 3


def test_more_rows_than_the_step_limit_are_not_moved(rig):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'partition_move_max'")
    player = rig.player()
    for _ in range(4):
        notice(rig, player, NOW)
    job(rig)
    assert partitions(rig, "notifications") == [
        "notifications_2027_04",
        "notifications_2027_05",
        "notifications_default",
    ]
    notice(rig, player, NOW)
    assert where(rig)["notifications_default"] == 5, "and nothing is refused"


def test_only_rows_past_their_retention_are_dropped(rig):
    player = rig.player()
    rig.rows("UPDATE partitioned SET keep = 2 WHERE parent IN ('notifications', 'league_rows')")
    job(rig, "2027-01-15")
    for month in ("2026-10", "2026-11", "2027-01", "2027-02"):
        notice(rig, player, month + "-05")
    notice(rig, player, "2026-12-31 23:59:59+00")
    assert job(rig, "2027-02-15")["rows"] == 2, "of the default partition: all before December"
    assert "notifications_2027_01" in partitions(rig, "notifications")
    assert job(rig, "2027-04-15")["dropped"] == 1
    kept = rig.rows(
        "SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') FROM notifications WHERE at > '2026-12-01' ORDER"
        " BY at"
    )
    assert [row[0] for row in kept] == ["2027-02"]
    assert "hands_0" in partitions(rig, "hands"), "kept forever"


def test_a_busy_table_is_skipped_until_the_next_run(rig):
    rig.rows("UPDATE settings SET value = '50' WHERE name = 'partition_lock_ms'")
    via = rig.connect(autocommit=False)
    rig.rows("LOCK TABLE notifications_default IN ACCESS SHARE MODE", via=via)
    assert job(rig)["busy"] == 1
    assert partitions(rig, "notifications") == ["notifications_default"]
    assert len(partitions(rig, "league_rows")) == 4, "the others are not delayed"
    via.rollback()
    via.close()
    assert job(rig)["made"] == 3 and len(partitions(rig, "notifications")) == 4


@pytest.mark.parametrize(
    "sql, error",
    [
        (
            "INSERT INTO league_games VALUES (1, {p}, 1, 1, 1, 0), (1, {p}, 1, 1, 1, 0)",
            psycopg2.errors.UniqueViolation,
        ),
        ("INSERT INTO league_games VALUES (1, 10000000, 1, 1, 1, 0)", psycopg2.errors.ForeignKeyViolation),
        ("INSERT INTO league_games VALUES (1, {p}, 1, 0, 1, 0)", psycopg2.errors.CheckViolation),
        (
            (
                "INSERT INTO hands (table_id, hand_no, server_seed, commit) SELECT table_id, hand_no,"
                " server_seed, commit FROM hands"
            ),
            psycopg2.errors.UniqueViolation,
        ),
        (
            (
                "INSERT INTO hands (table_id, hand_no, server_seed, commit) VALUES (999, 1,"
                " decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'))"
            ),
            psycopg2.errors.ForeignKeyViolation,
        ),
        (
            "INSERT INTO season_results SELECT 1, {p}, 1, 1, 1, 1, 1, 'stays' FROM generate_series(1, 2)",
            psycopg2.errors.UniqueViolation,
        ),
    ],
)
def test_keys_and_checks_apply_in_every_partition(rig, sql, error):
    player = rig.player()
    rig.settle(rig.table_of(rig.player(), rig.player()), [1, 2, 3, 4])
    for _ in range(2):  # in the default partition, then in those of their time
        with pytest.raises(error):
            rig.rows(sql.format(p=player))
        job(rig)


def test_a_season_ends_in_its_partition_and_its_boards_are_deleted(rig):
    job(rig)
    people = [rig.player() for _ in range(4)]
    for _ in range(3):
        rig.settle(rig.table_of(*people), [1, 2, 3, 4])
    at = rig.one("SELECT ends_at FROM seasons")
    while rig.one("SELECT (season_rollover_step(%s)).more", at):
        pass
    assert (
        rig.one("SELECT count(*) FROM season_results_1") == 4 == rig.one("SELECT count(*) FROM league_rows_1")
    )
    assert rig.one("SELECT count(*) FROM notifications WHERE kind = 'league_prize'") == 0
    rig.settle(rig.table_of(*people), [1, 2, 3, 4])
    league = (
        "SELECT count(*) FROM board_entries e JOIN boards b ON b.id = e.board_id WHERE b.kind = 'league' AND"
        " b.period LIKE %s"
    )
    assert (rig.one(league, "1:%"), rig.one(league, "2:%")) == (4, 4)
    assert job(rig)["entries"] == 4
    assert (rig.one(league, "1:%"), rig.one(league, "2:%")) == (0, 4)
    assert rig.one("SELECT count(*) FROM boards WHERE kind = 'league' AND period LIKE '1:%%'") == 0
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []
