"""Functions called for every guest, seat, and game keep their plans: no function of LANGUAGE sql that cannot
be inlined into its caller prevents that."""

import json
import re
import secrets
import subprocess

import pytest
from db_rig import named
from sources import ROOT

OWN_DATABASES = True  # plans must come from tables that have never had other rows
GUEST = "SELECT id FROM do_enter_guest(NULL, %s, %s, 'fox', %s, 'Firefox', 'Linux', '203.0.113.7', 'en')"
CALLED = """SELECT f.funcname, l.lanname FROM pg_stat_user_functions f JOIN pg_proc p ON p.oid = f.funcid
            JOIN pg_language l ON l.oid = p.prolang
            WHERE f.calls > 0"""


@pytest.fixture
def rig(rig):
    """Its tables have no statistics, and autovacuum does not run: it would find one-page tables, for which a
    full scan is a good plan. It runs once per minute, also in the template database."""
    for (table,) in rig.rows(
        "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace ="
        " 'public'::regnamespace"
    ):
        rig.rows(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
    catalog = rig.connect(user="postgres")
    rig.rows(
        "UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0 WHERE relkind IN ('r', 'p') AND"
        " relnamespace = 'public'::regnamespace",
        via=catalog,
    )
    rig.rows(
        "DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace ="
        " 'public'::regnamespace)",
        via=catalog,
    )
    catalog.close()
    return rig


def called(rig, via):
    """Functions called in that session; inlined ones are not among them."""
    rig.rows("SELECT pg_stat_force_next_flush()", via=via)
    rows = rig.rows(CALLED, via=via)
    return {row["funcname"] for row in rows}, {row["funcname"] for row in rows if row["lanname"] == "sql"}


def test_guests_seats_and_settlements_call_only_functions_that_keep_plans(rig):
    via = rig.connect(user="postgres")
    rig.rows("SET track_functions = 'all'", via=via)
    people = [
        rig.one(GUEST, secrets.token_bytes(32), f"[{named(f'P{n}')}]", secrets.token_bytes(32), via=via)
        for n in range(4)
    ]
    for _ in range(2):
        tables = {rig.sit(player, via=via)["table_id"] for player in people}
        assert len(tables) == 1
        table = tables.pop()
        assert rig.start(table, via=via)["code"] == "ok"
        settled = rig.settle(table, [1, 2, 3, 4], via=via)
        assert [row["code"] for row in settled] == ["ok"] * 4
    for _ in range(2):
        assert [row["code"] for row in rig.sit_all([(player, "desert") for player in people], via=via)] == [
            "ok"
        ] * 4
    assert rig.one("SELECT do_daily_bonus(%s, now() + interval '1 day')", people, via=via) == 4
    names, planned_anew = called(rig, via)
    via.close()
    assert {
        "do_create_player",
        "do_take_seat",
        "do_seat_batch",
        "choose_tables",
        "seat_conflicts",
        "seat_players",
        "do_start_batch",
        "settle_points",
        "settle_seats",
        "count_achievements",
        "make_league_rows",
        "notify_games",
        "ledger_post_lines",
        "rank_ratings",
        "post_daily_bonuses",
    } <= names
    assert planned_anew == set()


def test_the_check_detects_a_function_without_a_cached_plan(rig):
    via = rig.connect(user="postgres")
    rig.rows("SET track_functions = 'all'", via=via)
    rig.rows(
        "CREATE FUNCTION slow_level(p bigint) RETURNS integer LANGUAGE sql STABLE AS 'SELECT level FROM"
        " players WHERE id = p'",
        via=via,
    )
    rig.rows("SELECT slow_level(1)", via=via)
    assert called(rig, via)[1] == {"slow_level"}
    via.close()


def test_friends_are_read_by_the_index_that_starts_with_the_player(rig):
    """Also with a cached plan from a time when no one had a friend and all indexes cost the same."""
    rig.rows("VACUUM ANALYZE friends")
    via = rig.connect()
    rig.rows("SET plan_cache_mode = force_generic_plan", via=via)
    rig.rows("SET enable_seqscan = off", via=via)
    rig.rows("PREPARE asked (bigint) AS SELECT f FROM friends_of($1) f", via=via)
    lines = [row[0].strip() for row in rig.rows("EXPLAIN (COSTS off) EXECUTE asked (1)", via=via)]
    via.close()
    read = [
        (line.split(" using ")[1].split(" ")[0], lines[i + 1])
        for i, line in enumerate(lines)
        if " using " in line
    ]
    assert [(index, "from_id" in condition, "to_id" in condition) for index, condition in read] == [
        ("friends_pkey", True, False),
        ("friends_to", False, True),
    ], lines


READ = (
    "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables WHERE relname ="
    " ANY (%s)"
)
LEDGER = ("transfers", "postings", "accounts")


def read(rig, via, act, tables=LEDGER):
    """Number of rows of these tables that act() reads, without reads by the rig's other connection."""
    for connection in (None, via):
        rig.rows("SELECT pg_stat_force_next_flush()", via=connection)
    before = rig.one(READ, list(tables), via=via)
    act()
    rig.rows("SELECT pg_stat_force_next_flush()", via=via)
    return rig.one(READ, list(tables), via=via) - before


def test_ledger_reads_of_a_seat_do_not_grow_with_the_ledger(rig):
    """Also with plans that a connection cached while the ledger was small."""
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


def test_reads_of_batched_seats_do_not_grow_with_the_tables(rig):
    """Also with plans that a connection cached while there were none."""
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


# --- lists ---


def test_listing_the_tables_of_a_player_does_not_scan_all_tables(rig):
    """An operator's list: it reads that player's rows, and those that its other filters exclude."""
    rig.rows(
        "INSERT INTO api_keys (name, role, holder, key_hash, prefix, expires_at)"
        " VALUES ('plans', 'owner', 'plans', sha256('plans'), 'rk_plans1', now() + interval '1 day')"
    )
    table, player = rig.open_table(rig.player())["table_id"], rig.player()
    rig.rows(
        """INSERT INTO tables (variant, params, seats_n, people_n, stake, reward, multiplier_tenths, state,
                                    node, server_seed, commit,
                                    created_at, fill_at, started_at, ended_at, visibility, creator_id)
                SELECT t.variant, t.params, t.seats_n, t.people_n, 0, 0, 10, 'finished', t.node,
                    t.server_seed, t.commit, now(), now(), now(), now(), 'public', t.creator_id FROM tables t,
                       generate_series(1, 2000) WHERE t.id = %s""",
        table,
    )
    rig.rows(
        "INSERT INTO seats (table_id, seat, player_id, nickname, live) SELECT id, 0, %s, 'P', false FROM"
        " tables WHERE id > %s AND id %% 500 = 0",
        player,
        table,
    )
    rig.rows("ANALYZE tables"), rig.rows("ANALYZE seats")
    via, found = rig.connect(user="postgres"), []
    ask = (
        "SELECT count(*) - 1 FROM do_admin_tables(sha256('plans'), NULL, NULL, NULL, 20, %s, NULL, NULL,"
        " NULL, NULL)"
    )
    rows = read(rig, via, lambda: found.append(rig.one(ask, player, via=via)), ("tables", "seats"))
    via.close()
    assert found == [4]
    assert 0 < rows < 100


def statement(file, name):
    """A statement that C prepares, with its macros expanded."""
    folder = subprocess.run(
        ["pg_config", "--includedir"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    text = subprocess.run(
        ["gcc", "-E", "-P", "-I.", f"-I{folder}", file],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    found = re.search(r'struct db_stmt \w+ = \{\s*"%s",(.*?)\};' % name, text, re.S)
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found[1])).replace("%", "%%")


def of_games(rig, player, n, variant="straight"):
    """Writes n games of the player, each some seconds after the previous one."""
    table = rig.open_table(rig.player())["table_id"]
    rig.rows(
        """WITH made AS (
                    INSERT INTO games (table_id, hand_no, variant, params, stake, reward, multiplier_tenths,
                        people_n, rated, practice, ending, moves_n, server_seed, commit, started_at, ended_at)
                    SELECT %s, g, %s, '', 0, 0, 10, 2, false, true, 'out', 9, '', '', now(), clock_timestamp()
                        FROM generate_series(1, %s) g
                    RETURNING id, variant)
                INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place,
                    points, opened, cards_left, won, rummy, left_early, variant)
                SELECT id, 0, %s, 'P', '', '', 1, 0, true, 0, true, false, false, variant FROM made""",
        table,
        variant,
        n,
        player,
    )


def of_postings(rig, player, n):
    for i in range(n):
        rig.credit(player, "gold", 1, key=f"list:{player}:{i}")


def of_friends(rig, player, n):
    rig.rows(
        "INSERT INTO friends (from_id, to_id, accepted_at) SELECT %s, do_create_player('guest', 'F' || n,"
        " ''), now() FROM generate_series(1, %s) n",
        player,
        n,
    )


def of_blocks(rig, player, n):
    rig.rows(
        "INSERT INTO player_blocks (player_id, other_id, muted) SELECT %s, do_create_player('guest', 'B' ||"
        " n, ''), true FROM generate_series(1, %s) n",
        player,
        n,
    )


def of_lines(rig, player, n):
    table = rig.open_table(player)["table_id"]
    rig.rows(
        "INSERT INTO table_chat (table_id, player_id, seat, kind, text, command) SELECT %s, %s, 0, 'chat',"
        " 'x', g FROM generate_series(1, %s) g",
        table,
        player,
        n,
    )
    return table


FROM_THEN = "(extract(epoch FROM now() - interval '1 day') * 1000)::bigint"
UNTIL_THEN = "(extract(epoch FROM now() + interval '1 day') * 1000)::bigint"
LISTS = [
    (
        of_games,
        "api/play/games.c",
        "games_of_player",
        "bigint, bigint, bigint, bigint, bigint",
        ("9223372036854775807, 21, NULL, NULL", f"9223372036854775807, 21, {FROM_THEN}, {UNTIL_THEN}"),
        ("games", "game_players"),
    ),
    (
        of_games,
        "api/play/games.c",
        "games_of_variant",
        "bigint, bigint, bigint, bigint, bigint, text",
        (
            "9223372036854775807, 21, NULL, NULL, 'straight'",
            f"9223372036854775807, 21, {FROM_THEN}, {UNTIL_THEN}, 'straight'",
        ),
        ("games", "game_players"),
    ),
    (
        of_postings,
        "api/account/wallet.c",
        "postings_of_player",
        "bigint, bigint, bigint, text, bigint, bigint",
        (
            "9223372036854775807, 21, '', NULL, NULL",
            "9223372036854775807, 21, 'grant', NULL, NULL",
            f"9223372036854775807, 21, '', {FROM_THEN}, {UNTIL_THEN}",
        ),
        LEDGER,
    ),
    (
        of_friends,
        "api/sql.c",
        "q_friends",
        "bigint, bigint, bigint, bigint, bigint",
        ("NULL, NULL, NULL, 21", "0, 1, 0, 21"),
        ("friends", "players", "player_blocks"),
    ),
    (
        of_blocks,
        "api/sql.c",
        "q_blocks",
        "bigint, bigint, bigint, bigint, bigint",
        ("NULL, NULL, NULL, 21",),
        ("player_blocks", "players"),
    ),
    (
        of_lines,
        "api/play/chat.c",
        "chat_of_table",
        "bigint, bigint, bigint, bigint",
        ("9223372036854775807, 21, {table}",),
        ("table_chat", "player_blocks", "tables", "seats"),
    ),
]


@pytest.mark.parametrize("make, file, name, types, asked, tables", LISTS, ids=[row[2] for row in LISTS])
def test_a_page_of_a_list_reads_no_rows_of_others(rig, make, file, name, types, asked, tables):
    """Also with a plan that a connection cached while there was nothing to list."""
    via = rig.connect()
    rig.rows("SET plan_cache_mode = force_generic_plan", via=via)
    rig.rows(f"PREPARE list ({types}) AS {statement(file, name)}", via=via)
    me = rig.player()

    def execute(more):
        return rig.rows(f"EXECUTE list ({me}, {more})", via=via)

    for more in asked:
        execute(more.format(table=1))
    made = make(rig, me, 5)
    for _ in range(4):
        make(rig, rig.player(), 300)
    for more in asked:
        got = []
        rows = read(rig, via, lambda: got.extend(execute(more.format(table=made))), tables)
        assert len(got) >= 5
        assert rows < 400, f"{more}: {rows} of more than 1200 rows"
    via.close()


def test_games_of_one_variant_are_found_without_reading_other_variants(rig):
    """However many games of other variants a player has."""
    via = rig.connect()
    rig.rows("SET plan_cache_mode = force_generic_plan", via=via)
    rig.rows(
        "PREPARE list (bigint, bigint, bigint, bigint, bigint, text) AS"
        f" {statement('api/play/games.c', 'games_of_variant')}",
        via=via,
    )
    me, got = rig.player(), []
    of_games(rig, me, 3)
    for _ in range(4):
        of_games(rig, me, 300, "rummy51")
    rows = read(
        rig,
        via,
        lambda: got.extend(
            rig.rows(f"EXECUTE list ({me}, 9223372036854775807, 21, NULL, NULL, 'straight')", via=via)
        ),
        ("games", "game_players"),
    )
    via.close()
    assert [row["variant"] for row in got] == ["straight"] * 3
    assert rows < 60, f"{rows} of 1200 rows"


def test_a_player_search_reads_only_matching_players(rig):
    """It reads neither players whose names begin differently nor the many after the tenth, even with a plan
    cached while there were no players."""
    via = rig.connect()
    rig.rows("SET plan_cache_mode = force_generic_plan", via=via)
    rig.rows(f"PREPARE find (bigint, jsonb) AS {statement('api/social/players.c', 'q_players')}", via=via)
    me = rig.player()

    def find(beginning):
        return json.loads(
            rig.row("EXECUTE find (%s, %s)", me, named(beginning, [beginning.lower()]), via=via)["body"]
        )["items"]

    assert find("Findable") == []
    rig.rows(
        """INSERT INTO players (kind, nickname, nickname_folded) SELECT 'guest', w || n, lower(w || n)
           FROM generate_series(1, 600) n, unnest(ARRAY['Other', 'Findable']) w"""
    )
    rig.rows(
        "INSERT INTO name_keys (key, player_id) SELECT nickname_folded, id FROM players WHERE nickname ~"
        " '^(Other|Findable)'"
    )
    got = []
    rows = read(
        rig, via, lambda: got.extend(find("Findable")), ("players", "name_keys", "player_blocks", "deletions")
    )
    via.close()
    assert [item["nickname"] for item in got] == [
        "Findable1",
        "Findable10",
        *(f"Findable{n}" for n in range(100, 108)),
    ]
    assert 0 < rows < 60
