"""What is called for every guest, seat and game keeps its plans: no function of LANGUAGE sql that cannot be written into its caller is in their way."""

import secrets

from db_rig import named

GUEST = "SELECT id FROM do_enter_guest(NULL, %s, %s, 'fox', %s, 'Firefox', 'Linux', '203.0.113.7')"
CALLED = """SELECT f.funcname, l.lanname FROM pg_stat_user_functions f JOIN pg_proc p ON p.oid = f.funcid JOIN pg_language l ON l.oid = p.prolang
            WHERE f.calls > 0"""


def called(rig, via):
    """The functions that ran as such in that session; one that was written into its caller did not."""
    rig.rows("SELECT pg_stat_force_next_flush()", via=via)
    rows = rig.rows(CALLED, via=via)
    return {row["funcname"] for row in rows}, {row["funcname"] for row in rows if row["lanname"] == "sql"}


def test_guests_seats_and_settled_games_call_no_function_that_is_planned_each_time(rig):
    via = rig.connect(user="postgres")
    rig.rows("SET track_functions = 'all'", via=via)
    people = [rig.one(GUEST, secrets.token_bytes(32), f"[{named(f'P{n}')}]", secrets.token_bytes(32), via=via) for n in range(4)]
    for _ in range(2):
        tables = {rig.sit(player, via=via)["table_id"] for player in people}
        assert len(tables) == 1
        table = tables.pop()
        assert rig.start(table, via=via)["code"] == "ok"
        settled = rig.settle(table, [1, 2, 3, 4], via=via)
        assert [row["code"] for row in settled] == ["ok"] * 4
    for _ in range(2):
        assert [row["code"] for row in rig.sit_all([(player, "desert") for player in people], via=via)] == ["ok"] * 4
    assert rig.one("SELECT do_daily_bonus(%s, now() + interval '1 day')", people, via=via) == 4
    names, planned_anew = called(rig, via)
    via.close()
    assert {"do_create_player", "do_take_seat", "rating_bands", "is_blocked_at", "do_seat_batch", "choose_tables", "seat_players",
            "do_start_batch", "settle_points", "settle_seats", "count_achievements",
            "make_league_rows", "notify_games", "ledger_post_lines", "rank_ratings", "post_daily_bonuses"} <= names
    assert planned_anew == set()


def test_such_a_function_is_seen(rig):
    via = rig.connect(user="postgres")
    rig.rows("SET track_functions = 'all'", via=via)
    rig.rows("CREATE FUNCTION slow_level(p bigint) RETURNS integer LANGUAGE sql STABLE AS 'SELECT level FROM players WHERE id = p'", via=via)
    rig.rows("SELECT slow_level(1)", via=via)
    assert called(rig, via)[1] == {"slow_level"}
    via.close()


def test_friends_are_read_by_the_index_that_begins_with_the_one_asked_about(rig):
    """Also by a plan that was made, and is kept, when nobody had a friend: all indexes cost the same then."""
    rig.rows("VACUUM ANALYZE friends")
    via = rig.connect()
    rig.rows("SET plan_cache_mode = force_generic_plan", via=via)
    rig.rows("SET enable_seqscan = off", via=via)
    rig.rows("PREPARE asked (bigint) AS SELECT f FROM friends_of($1) f", via=via)
    lines = [row[0].strip() for row in rig.rows("EXPLAIN (COSTS off) EXECUTE asked (1)", via=via)]
    via.close()
    read = [(line.split(" using ")[1].split(" ")[0], lines[i + 1]) for i, line in enumerate(lines) if " using " in line]
    assert [(index, "from_id" in condition, "to_id" in condition) for index, condition in read] == [
        ("friends_pkey", True, False), ("friends_to", False, True)], lines


READ = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables WHERE relname = ANY (%s)"
LEDGER = ("transfers", "postings", "accounts")


def read(rig, via, act, tables=LEDGER):
    """Rows of these tables that this reads; what the rig's other connection read before is counted before."""
    for connection in (None, via):
        rig.rows("SELECT pg_stat_force_next_flush()", via=connection)
    before = rig.one(READ, list(tables), via=via)
    act()
    rig.rows("SELECT pg_stat_force_next_flush()", via=via)
    return rig.one(READ, list(tables), via=via) - before


def test_what_a_seat_reads_of_the_ledger_does_not_grow_with_it(rig):
    """Also by plans that a connection made, and keeps, when the ledger was small."""
    via = rig.connect()
    people = [rig.player() for _ in range(8)]
    for player in people:
        rig.sit(player, via=via)
    rig.rows("SELECT do_create_player('guest', 'P' || n, '') FROM generate_series(1, 400) n")
    first, second = rig.player(), rig.player()
    rows = read(rig, via, lambda: [rig.sit(player, via=via) for player in (first, second)])
    via.close()
    assert rig.one("SELECT count(*) FROM transfers") > 400
    assert 0 < rows < 200


def test_what_seats_asked_for_at_once_read_does_not_grow_with_the_tables(rig):
    """Also by plans that a connection made, and keeps, when there were none."""
    via = rig.connect()

    def seats(n):
        people = [(rig.player(), "desert") for _ in range(n)]
        return read(rig, via, lambda: rig.sit_all(people, via=via), ("tables", "seats", "accounts"))

    seats(8)
    for _ in range(40):
        rig.cancel(rig.sit(rig.player())["table_id"])
        rig.start(rig.sit(rig.player())["table_id"])
    rows = seats(16)
    via.close()
    assert rig.one("SELECT count(*) FROM seats") > 120
    assert 0 < rows < 500
