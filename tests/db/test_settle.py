"""Starting, settling, and canceling games; the worked examples of the economy."""

import time

import psycopg2
import pytest
from support.wait import HANG_S


@pytest.fixture
def rig(rig):
    """Without the gold of achievements: the numbers here are those of the game alone."""
    rig.rows("UPDATE achievements SET gold = 0")
    return rig


@pytest.fixture
def shared(shared):
    shared.rows("UPDATE achievements SET gold = 0")
    return shared


# --- chips ---------------------------------------------------------------------------------------------


def by_seat(rows):
    assert [row["seat"] for row in rows] == list(range(len(rows)))
    return rows


def test_eighty_plus_seventy_is_capped_at_a_hundred(rig):
    player = rig.player(silver=80)
    assert rig.credit(player, "silver", 70, key="daily:x") == ("ok", 50)
    assert rig.purse(player) == (100, 0)
    lines = rig.rows(
        """SELECT a.kind, a.cause, p.amount FROM postings p JOIN accounts a ON a.id = p.account_id
                        JOIN transfers t ON t.id = p.transfer_id WHERE t.key = 'daily:x' ORDER BY p.id"""
    )
    assert lines == [
        ["house", "grant", -70],
        ["purse", None, 70],
        ["purse", None, -50],
        ["house", "over_cap", 50],
    ]
    assert rig.credit(player, "silver", 70, key="daily:x") == ("already_done", 0)
    assert rig.credit(player, "silver", 1) == ("ok", 1), "a full purse takes nothing"
    assert rig.purse(player) == (100, 0)


def test_the_cap_is_a_hundred_and_eighty_at_level_twenty(shared):
    player = shared.player(level=20)
    assert shared.credit(player, "silver", 1000) == ("ok", 920)
    assert shared.purse(player) == (180, 0)


def test_gold_has_no_cap(shared):
    player = shared.player()
    assert shared.credit(player, "gold", 10**9) == ("ok", 0)
    assert shared.purse(player) == (100, 10**9)


def test_silver_held_at_a_table_counts_towards_the_cap(shared):
    player = shared.player(silver=100)
    table = shared.sit(player)["table_id"]
    assert shared.credit(player, "silver", 50) == ("ok", 50)
    shared.leave(player, table)
    assert shared.purse(player) == (100, 0)


def test_a_silver_game_pays_the_winner_and_charges_the_losers(rig):
    people = [rig.player(silver=50) for _ in range(4)]
    table = rig.table_of(*people)
    rows = by_seat(rig.settle(table, [2, 1, 4, 3]))
    assert [(row["code"], row["silver"], row["gold"], row["silver_lost"]) for row in rows] == [
        ("ok", -10, 0, 0),
        ("ok", 10, 0, 0),
        ("ok", -10, 0, 0),
        ("ok", -10, 0, 0),
    ]
    assert [rig.purse(p)[0] for p in people] == [40, 60, 40, 40]
    assert rig.house("stake", "silver") == 30 and rig.house("reward", "silver") == -10
    assert rig.proof() == []


def test_a_stake_paid_in_gold_wins_gold(rig):
    # Tundra: stake 20, reward 25. gold part of the reward = floor(25 * gold paid / 20)
    for silver, gold_paid, gold_won in [(20, 0, 0), (13, 7, 8), (1, 19, 23), (0, 20, 25)]:
        player = rig.player(silver=silver, gold=100, level=6)
        table = rig.table_of(player, room="tundra")
        assert rig.held(player, table) == (20 - gold_paid, gold_paid)
        row = rig.settle(table, [1, 2, 3, 4])[0]
        assert (row["gold"], row["silver"]) == (gold_won, 25 - gold_won)
        assert rig.purse(player) == (silver + 25 - gold_won, 100 + gold_won + row["level_gold"])
    assert rig.proof() == []


def test_a_full_purse_wins_only_what_fits(shared):
    # The game brings 100 Clover points, which is level 2, whose cap is 108.
    player = shared.player()
    row = shared.settle(shared.table_of(player), [1, 2, 3, 4])[0]
    assert (row["silver"], row["silver_lost"], row["level"]) == (8, 2, 2)
    assert shared.purse(player) == (108, 10)
    player = shared.player(level=3, silver=112)
    row = shared.settle(shared.table_of(player), [1, 2, 3, 4])[0]
    assert (row["silver"], row["silver_lost"]) == (0, 10)
    assert shared.purse(player) == (112, 0)


def test_a_bot_s_win_costs_the_stakes_and_pays_nothing(rig):
    ann, bob = rig.player(), rig.player()
    rows = rig.settle(rig.table_of(ann, bob), [2, 3, 1, 4])
    assert [row["silver"] for row in rows] == [-10, -10, 0, 0]
    assert rig.house("reward", "silver") == 0 and rig.house("stake", "silver") == 20
    assert [row["player_id"] for row in rows] == [ann, bob, None, None]


@pytest.mark.parametrize("ending", ["no_cards", "stalled"])
def test_without_a_winner_stakes_are_refunded_except_to_leavers(rig, ending):
    ann, bob, eve = rig.player(silver=4, gold=6), rig.player(), rig.player()
    rows = rig.settle(
        rig.table_of(ann, bob, eve),
        [1, 2, 4, 3],
        ending=ending,
        left=[False, False, True, False],
        cards_left=[9, 9, 9, 9],
    )
    assert [(row["silver"], row["gold"]) for row in rows] == [(0, 0), (0, 0), (-10, 0), (0, 0)]
    assert rig.rows("SELECT DISTINCT won FROM game_players") == [[False]]
    assert rig.purse(ann) == (4, 6) and rig.purse(bob) == (100, 0) and rig.purse(eve) == (90, 0)
    assert rig.proof() == []


# --- points ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "place, opened, left, points",
    [
        (2, True, 5, 80),
        (1, True, 0, 100),
        (1, False, 0, 95),
        (4, False, 14, 36),
        (4, False, 15, 35),
        (3, True, 3, 67),
    ],
)
def test_game_points_match_the_rules(shared, place, opened, left, points):
    assert (
        shared.one(
            """SELECT game_points(points, %s, %s, setting_int('game_points_max'),
                                            setting_int('opened_points'), setting_int('discarded_points'))
                         FROM place_points WHERE variant = 'rummy51' AND place = %s""",
            opened,
            left,
            place,
        )
        == points
    )


@pytest.mark.parametrize(
    "points, rummy, tenths, clover",
    [
        (80, False, 22, 176),
        (100, False, 34, 340),
        (80, False, 34, 272),
        (80, False, 10, 80),
        (100, True, 10, 110),
        (100, True, 70, 770),
        (37, False, 22, 81),
        (99, False, 58, 574),
    ],
)
def test_clover_points_match_the_rules(shared, points, rummy, tenths, clover):
    assert (
        shared.one("SELECT clover_of(%s, %s, setting_int('rummy_clover_points'), %s)", points, rummy, tenths)
        == clover
    )


def test_clover_points_in_tundra_match_the_rules(rig):
    people = [rig.player(level=6) for _ in range(2)]
    rows = rig.settle(
        rig.table_of(*people, room="tundra"),
        [2, 1, 3, 4],
        cards_left=[5, 0, 3, 4],
        rummy=[False, True, False, False],
    )
    assert [(row["game_points"], row["clover"]) for row in rows[:2]] == [(80, 176), (100, 242)]
    assert rig.rows("SELECT clover_points, level_points FROM players ORDER BY id") == [[176, 176], [242, 242]]


@pytest.mark.parametrize(
    "level, have, gain, now, rest, gold",
    [
        (1, 0, 99, 1, 99, 0),
        (1, 0, 100, 2, 0, 10),
        (1, 60, 41, 2, 1, 10),
        (1, 0, 770, 5, 20, 40),
        (1, 0, 450, 4, 0, 30),
        (2, 0, 149, 2, 149, 0),
        (48, 0, 195000, 50, 0, 195),
        (49, 99999, 1, 50, 0, 100),
        (49, 99999, 5001, 50, 5000, 100),
        (50, 7, 770, 50, 777, 0),
    ],
)
def test_levels_carry_over_and_pay_gold(shared, level, have, gain, now, rest, gold):
    player = shared.player(level=level)
    shared.rows("UPDATE players SET level_points = %s WHERE id = %s", have, player)
    row = shared.clover(player, gain)
    assert (row["clover"], row["level_gold"], row["level"], row["levels_gained"]) == (
        gain,
        gold,
        now,
        now - level,
    )
    assert shared.row("SELECT level, level_points FROM players WHERE id = %s", player) == [now, rest]
    assert shared.purse(player)[1] == gold
    keys = [f"level:{player}:{reached}" for reached in range(level + 1, now + 1)]
    assert [
        row[0]
        for row in shared.rows("SELECT key FROM transfers WHERE key LIKE %s ORDER BY id", f"level:{player}:%")
    ] == keys
    assert shared.proof() == []


def test_gaining_all_levels_at_once_pays_every_reward(rig):
    player = rig.player()
    total = rig.one("SELECT sum(points_needed) FROM levels")
    assert rig.clover(player, total - 1)["level_gold"] == rig.one("SELECT sum(reward_gold) FROM levels") - 100
    assert rig.clover(player, 1)["level_gold"] == 100
    assert rig.row("SELECT level, level_points, clover_points FROM players WHERE id = %s", player) == [
        50,
        0,
        total,
    ]


def test_a_title_is_gained_with_its_level(shared):
    player = shared.player(level=5)
    shared.rows("UPDATE players SET level_points = 399 WHERE id = %s", player)
    row = shared.settle(shared.table_of(player), [1, 2, 3, 4])[0]
    assert (row["level"], row["levels_gained"], row["title"], row["level_gold"]) == (6, 1, "Frog", 15)


# --- ratings -----------------------------------------------------------------------------------------------


def test_the_rating_matches_a_worked_example(shared):
    assert shared.one("SELECT rating_of(1574, 20, 10000, 100)") == 7870
    assert shared.one("SELECT rating_of(1674, 21, 10000, 100)") == 7971


def test_ratings_count_for_all_time_and_for_the_month(rig):
    player = rig.player()
    for at, points, won in [
        ("2026-10-31 21:59+00", 80, False),
        ("2026-10-31 22:00+00", 100, True),
        ("2026-11-30 21:59+00", 35, False),
    ]:
        rig.count_points(player, points, won, at)
    assert rig.rows("SELECT period, games, points, wins, rating FROM ratings ORDER BY period") == [
        ["2026-10", 1, 80, 0, 8000],
        ["2026-11", 2, 135, 1, 6750],
        ["all", 3, 215, 1, 7166],
    ]


def test_a_game_needs_two_human_players_to_be_rated(rig):
    ann, bob = rig.player(), rig.player()
    row = rig.settle(rig.table_of(ann), [1, 2, 3, 4])[0]
    assert (row["rated"], row["rating"], row["clover"]) == (False, None, 100)
    assert rig.one("SELECT count(*) FROM ratings") == 0
    rows = rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4], rummy=[True, False, False, False])
    assert [(row["rated"], row["rating"]) for row in rows] == [
        (True, 10000),
        (True, 8000),
        (True, None),
        (True, None),
    ]
    assert rig.rows(
        "SELECT player_id, games, wins, rummies FROM ratings WHERE period = 'all' ORDER BY player_id"
    ) == [[ann, 1, 1, 1], [bob, 1, 0, 0]]


# --- practice -----------------------------------------------------------------------------------------------


def test_the_twenty_first_solo_game_of_a_day_is_practice(rig):
    player = rig.player(silver=100, gold=50)
    for _ in range(20):
        table = rig.sit(player)["table_id"]
        assert not rig.start(table)["practice"]
        assert rig.settle(table, [4, 1, 2, 3])[0]["silver"] == -10
        rig.credit(player, "silver", 10)
    before = rig.purse(player)
    clover = rig.one("SELECT clover_points FROM players WHERE id = %s", player)
    table = rig.sit(player)["table_id"]
    assert rig.start(table)["practice"]
    assert rig.start(table)["code"] == "already_done" and rig.start(table)["practice"]
    assert rig.purse(player) == before, "no stake"
    assert rig.proof() == []
    row = rig.settle(table, [1, 2, 3, 4])[0]
    assert (row["practice"], row["clover"], row["silver"], row["gold"], row["rated"]) == (
        True,
        0,
        0,
        0,
        False,
    )
    assert rig.purse(player) == before, "no reward"
    assert rig.one("SELECT clover_points FROM players WHERE id = %s", player) == clover
    # with a second player it is a normal game
    assert not rig.one("SELECT practice FROM tables WHERE id = %s", rig.table_of(player, rig.player()))
    assert rig.proof() == []


def test_solo_games_count_per_day_and_canceled_ones_do_not(rig):
    player = rig.player()
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'solo_games_per_day'")
    table = rig.table_of(player)
    assert rig.cancel(table) == "ok"
    table = rig.table_of(player)
    assert not rig.one("SELECT practice FROM tables WHERE id = %s", table)
    assert rig.one("SELECT practice FROM tables WHERE id = %s", rig.table_of(player))
    rig.rows("UPDATE solo_games SET day = day - 1")
    assert not rig.one("SELECT practice FROM tables WHERE id = %s", rig.table_of(player))
    assert rig.proof() == []


def test_a_canceled_practice_game_refunds_nothing_twice(rig):
    player = rig.player()
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'solo_games_per_day'")
    table = rig.table_of(player)
    assert rig.purse(player) == (100, 0)
    assert rig.cancel(table) == "ok"
    assert rig.purse(player) == (100, 0)
    assert rig.proof() == []


# --- start, cancel, repeat, epoch ---------------------------------------------------------------------------


def test_a_start_fills_free_seats_with_bots(shared):
    player = shared.player()
    table = shared.sit(player)["table_id"]
    assert shared.start(table, bots=("A", "B"))["code"] == "too_few_bots"
    assert shared.start(table)["code"] == "ok"
    assert [
        (s["player_id"], s["bot_level"], s["nickname"])
        for s in shared.rows("SELECT * FROM seats WHERE table_id = %s ORDER BY seat", table)
    ][1:] == [(None, 1, "A"), (None, 1, "B"), (None, 1, "C")]
    assert shared.start(table)["code"] == "already_done"
    assert shared.start(table, epoch=shared.epoch + 1)["code"] == "stale_epoch"
    assert shared.sit(shared.player())["table_id"] != table


def test_rooms_without_bots_wait_for_players(shared):
    people = [shared.player(level=12) for _ in range(4)]
    table = shared.sit(people[0], "steppe")["table_id"]
    assert shared.start(table)["code"] == "seats_free"
    for player in people[1:]:
        shared.sit(player, "steppe")
    assert shared.start(table, bots=())["code"] == "ok"


def test_a_canceled_game_refunds_exactly_what_was_held(rig):
    ann, bob = rig.player(silver=4, gold=6), rig.player(silver=100, gold=3)
    table = rig.table_of(ann, bob)
    rig.rows(
        "SELECT do_journal_append('n1', %s, %s, '{1}', '{1}', '{0}', %s, '{5}', '{c}')",
        rig.epoch,
        [table],
        [b"m"],
    )
    assert rig.cancel(table, epoch=rig.epoch + 1) == "stale_epoch"
    assert rig.cancel(table, "node lost") == "ok"
    assert rig.cancel(table) == "already_done"
    assert rig.purse(ann) == (4, 6) and rig.purse(bob) == (100, 3)
    assert rig.rows("SELECT DISTINCT note FROM transfers WHERE cause = 'refund'") == [["node lost"]]
    assert rig.one("SELECT count(*) FROM journal") == 0
    assert rig.settle(table, [1, 2, 3, 4])[0]["code"] == "not_playing"
    assert rig.proof() == []


def test_settling_twice_changes_nothing_and_returns_the_same(rig):
    ann, bob = rig.player(), rig.player()
    table = rig.table_of(ann, bob)
    rig.rows(
        "SELECT do_journal_append('n1', %s, %s, '{1,1}', '{1,2}', '{0,1}', %s, '{5,6}', '{c,d}')",
        rig.epoch,
        [table, table],
        [b"m", b"n"],
    )
    first = rig.settle(table, [1, 2, 3, 4], record="first")
    state = (
        rig.rows("SELECT * FROM accounts"),
        rig.rows("SELECT * FROM ratings"),
        rig.rows("SELECT * FROM players"),
    )
    again = rig.settle(table, [4, 3, 2, 1], record="second")
    assert [row["code"] for row in again] == ["already_done"] * 4
    assert [list(row)[1:] for row in first] == [list(row)[1:] for row in again]
    assert state == (
        rig.rows("SELECT * FROM accounts"),
        rig.rows("SELECT * FROM ratings"),
        rig.rows("SELECT * FROM players"),
    )
    assert rig.rows("SELECT moves_n, ending, rated FROM games") == [[2, "out", True]]
    assert rig.rows("SELECT hand_no, record, ending FROM hands") == [[1, "first", "out"]]
    assert rig.one("SELECT count(*) FROM journal") == 0
    assert rig.one("SELECT state FROM tables WHERE id = %s", table) == "finished"
    assert rig.cancel(table) == "table_over"


@pytest.mark.parametrize("close", ["", "after leave 1\n"])
def test_a_session_end_between_hands_follows_the_record_of_the_last_hand(rig, close):
    table = rig.table_of(rig.player(), rig.player())
    for hand in (1, 2):
        assert (
            rig.one(
                "SELECT code FROM do_end_hand(%s, %s, %s, 'out', '[]', %s, %s, %s)",
                table,
                rig.epoch,
                hand,
                f"hand {hand}\n",
                bytes(32),
                bytes(32),
            )
            == "ok"
        )
        if hand == 1:
            assert (
                rig.one("SELECT code FROM do_deal_hand(%s, %s, 2, %s::bytea[])", table, rig.epoch, [b""] * 4)
                == "ok"
            )
    assert rig.settle(table, [1, 2, 3, 4], record=close)[0]["code"] == "ok"
    assert rig.rows("SELECT hand_no, record FROM hands ORDER BY hand_no") == [
        [1, "hand 1\n"],
        [2, "hand 2\n" + close],
    ]
    again = rig.settle(table, [1, 2, 3, 4], record=close)
    assert [row["code"] for row in again] == ["already_done"] * 4 and rig.one(
        "SELECT count(*) FROM hands"
    ) == 2
    assert rig.one("SELECT record FROM hands WHERE hand_no = 2") == "hand 2\n" + close


def test_a_settlement_checks_epoch_state_and_results(rig):
    player = rig.player()
    waiting = rig.sit(player)["table_id"]
    assert rig.settle(waiting, [1, 2, 3, 4])[0]["code"] == "not_playing"
    rig.start(waiting)
    assert rig.settle(waiting, [1, 2, 3, 4], epoch=rig.epoch + 1)[0]["code"] == "stale_epoch"
    assert rig.settle(999999, [1, 2, 3, 4])[0]["code"] == "no_such_table"
    for places in ([1, 2, 3], [1, 2, 3, 4, 5]):
        with pytest.raises(psycopg2.errors.RaiseException, match="results of table"):
            rig.settle(waiting, places)
    with pytest.raises(psycopg2.errors.CheckViolation):
        rig.settle(waiting, [1, 2, 3, 4], ending="boredom")
    assert rig.one("SELECT count(*) FROM games") == 0
    assert rig.settle(waiting, [1, 2, 3, 4])[0]["code"] == "ok"


def test_one_transfer_settles_a_table(rig):
    table = rig.table_of(*[rig.player() for _ in range(4)])
    rig.settle(table, [1, 2, 3, 4])
    assert rig.rows("SELECT key, table_id FROM transfers WHERE cause = 'settle'") == [
        [f"settle:table:{table}", table]
    ]
    assert rig.one("SELECT count(*) FROM accounts WHERE kind = 'hold' AND balance <> 0") == 0


# --- nodes --------------------------------------------------------------------------------------------------


def test_a_node_name_is_used_once_and_its_epoch_grows(rig):
    other = rig.connect()
    assert rig.row("SELECT * FROM do_node_start('n1')", via=other) == ["node_running", None]
    assert rig.one("SELECT code FROM do_node_resume('n1', %s)", rig.epoch, via=other) == "node_running"
    rig.node_session.close()
    until = time.monotonic() + HANG_S  # PostgreSQL releases the name when the session's process has ended
    while (found := rig.row("SELECT * FROM do_node_start('n1')", via=other))[
        0
    ] != "ok" and time.monotonic() < until:
        time.sleep(0.01)
    assert found[0] == "ok" and found[1] > rig.epoch
    assert rig.renew("n1", rig.epoch) == "stale_epoch" and rig.renew("n1", found[1]) == "ok"
    table = rig.sit(rig.player())["table_id"]
    assert rig.start(table)["code"] == "stale_epoch"
    assert (
        rig.one(
            "SELECT do_journal_append('n1', %s, '{1}', '{1}', '{1}', '{0}', %s, '{5}', '{c}')",
            rig.epoch,
            [b"m"],
        )
        is None
    )
    other.close()


def heirs(rig, *rooms):
    """Nodes in addition to n1, each with this capacity: (name, epoch, session)."""
    made = []
    for n, room in enumerate(rooms):
        session = rig.connect()
        name = f"heir{n}"
        epoch = rig.one("SELECT epoch FROM do_node_start(%s)", name, via=session)
        assert rig.renew(name, epoch, table_max=room) == "ok"
        made.append((name, epoch, session))
    return made


def test_tables_of_a_silent_node_are_taken_over_and_it_cannot_write(rig):
    """Whether its session is alive or not, because the node may be frozen."""
    table = rig.table_of(rig.player())
    assert rig.renew("n1", rig.epoch) == "ok"
    heard = rig.one("SELECT seen_at FROM node_leases WHERE node = 'n1'")
    ((name, epoch, _),) = heirs(rig, 10)
    assert rig.adopt(name, epoch, "n1") == [table]
    assert rig.one("SELECT stopped_at FROM tables WHERE id = %s", table) == heard, (
        "its turn has been paused since then"
    )
    assert rig.renew("n1", rig.epoch) == "stale_epoch"
    assert (
        rig.one(
            "SELECT do_journal_append('n1', %s, %s, '{1}', '{1}', '{0}', %s, '{5}', '{c}')",
            rig.epoch,
            [table],
            [b"m"],
        )
        is None
    )
    assert rig.settle(table, [1, 2, 3, 4], epoch=rig.epoch)[0]["code"] == "stale_epoch"
    assert rig.settle(table, [1, 2, 3, 4], epoch=epoch)[0]["code"] == "ok"


def test_a_node_that_renews_its_lease_is_not_taken_over(rig):
    table = rig.table_of(rig.player())
    ((name, epoch, _),) = heirs(rig, 10)
    seen = rig.one("SELECT renewals FROM node_leases WHERE node = 'n1'")
    assert rig.renew("n1", rig.epoch) == "ok"
    take = "SELECT * FROM do_adopt_tables(%s, %s, 'n1', %s, 32)"
    assert rig.rows(take, name, epoch, seen) == []
    assert rig.rows(take, name, epoch - 1, seen + 1) == [], "nor by a node that was itself taken over"
    assert (
        rig.renew("n1", rig.epoch) == "ok" and rig.one("SELECT node FROM tables WHERE id = %s", table) == "n1"
    )


def test_tables_are_spread_by_free_capacity(rig):
    tables = [rig.table_of(rig.player()) for _ in range(12)]
    (a, ea, _), (b, eb, _), (full, ef, _) = heirs(rig, 30, 10, 0)
    assert rig.adopt(full, ef, "n1") == []
    taken = {a: [], b: []}
    while sum(len(ids) for ids in taken.values()) < len(tables):
        for name, epoch in ((a, ea), (b, eb)):
            taken[name] += rig.adopt(name, epoch, "n1", most=3)
    assert sorted(taken[a] + taken[b]) == tables
    assert len(taken[a]) > len(taken[b]) > 0


def test_requests_for_a_table_of_a_silent_node_get_busy(rig):
    player = rig.player()
    table = rig.table_of(player)

    def code():
        return rig.one(
            "SELECT code FROM do_new_ticket(%s, %s, gen_random_uuid()::text, '', gen_random_uuid())",
            player,
            table,
        )

    def silent_for(silence_s):
        rig.rows(
            "UPDATE node_leases SET alive_at = now() - make_interval(secs => %s) WHERE node = 'n1'", silence_s
        )

    silent_for(2)
    assert code() == "ok", "no other node takes it over"
    ((name, epoch, _),) = heirs(rig, 10)
    assert code() == "busy"
    silent_for(1)
    assert code() == "ok"
    silent_for(9)
    assert rig.adopt(name, epoch, "n1") == [table]
    assert code() == "ok", "it is another node's now"


def pass_on(rig, table, epoch, lighter=False, via=None):
    return rig.row(
        "SELECT code, ws_url FROM do_hand_over_table(%s, 'n1', %s, %s)", table, epoch, lighter, via=via
    )


def test_a_table_is_passed_once_and_only_to_a_live_node(rig):
    table = rig.table_of(rig.player())
    assert pass_on(rig, table, rig.epoch)["code"] == "no_heir", "n1 is alone"
    ((name, epoch, _),) = heirs(rig, 10)
    assert pass_on(rig, table, rig.epoch - 1)["code"] == "stale_epoch"
    assert pass_on(rig, table, rig.epoch) == ["ok", f"ws://{name}"]
    node, stands_s = rig.row(
        "SELECT node, extract(epoch FROM clock_timestamp() - stopped_at) FROM tables WHERE id = %s", table
    )
    assert node == name and 0 <= stands_s < 10, "its clock stops now"
    assert pass_on(rig, table, rig.epoch) == [
        "already_done",
        f"ws://{name}",
    ], "repeated because the reply was lost"
    assert pass_on(rig, table + 1, rig.epoch)["code"] == "no_such_table"
    assert rig.settle(table, [1, 2, 3, 4], epoch=rig.epoch)[0]["code"] == "stale_epoch"
    assert rig.settle(table, [1, 2, 3, 4], epoch=epoch)[0]["code"] == "ok"


def test_a_table_is_not_handed_to_a_node_that_cannot_take_it(rig):
    table = rig.table_of(rig.player())
    ((name, epoch, _),) = heirs(rig, 10)
    for state in ("starting", "draining"):
        rig.renew(name, epoch, state=state, table_max=10)
        assert pass_on(rig, table, rig.epoch)["code"] == "no_heir"
    rig.renew(name, epoch, table_max=10, tables=10)
    assert pass_on(rig, table, rig.epoch)["code"] == "no_heir", "it is full"
    rig.renew(name, epoch, table_max=10)
    rig.rows("UPDATE node_leases SET epoch = epoch + 1000 WHERE node = %s", name)
    assert pass_on(rig, table, rig.epoch)["code"] == "no_heir", "others have just taken its tables over"
    assert rig.one("SELECT node FROM tables WHERE id = %s", table) == "n1"


def test_only_a_less_loaded_node_gets_a_table_to_spread_the_load(rig):
    table = rig.table_of(rig.player())
    ((name, epoch, _),) = heirs(rig, 10)
    rig.renew("n1", rig.epoch, table_max=100, tables=30)
    rig.renew(name, epoch, table_max=10, tables=3)
    assert pass_on(rig, table, rig.epoch, lighter=True)["code"] == "no_heir"
    rig.renew(name, epoch, table_max=10, tables=2)
    assert pass_on(rig, table, rig.epoch, lighter=True)["code"] == "ok"


def test_taking_over_a_table_does_not_wait_for_pending_writes(rig):
    """Otherwise a node that takes over tables could not renew its own lease meanwhile."""
    table = rig.table_of(rig.player())
    ((name, epoch, _),) = heirs(rig, 10)
    with rig.undone() as writer:
        assert rig.one("SELECT node_has_epoch('n1', %s)", rig.epoch, via=writer)
        assert rig.adopt(name, epoch, "n1") == []
        assert rig.renew("n1", rig.epoch) == "ok", "a renewal does not wait for it either"
    assert rig.adopt(name, epoch, "n1") == [table]


def test_two_nodes_never_have_the_same_epoch(rig):
    """Otherwise the node that lost a table could write in place of its new owner."""
    made = heirs(rig, 1, 1, 1)
    epochs = [rig.epoch, *(epoch for _, epoch, _ in made)]
    epochs += [rig.one("SELECT epoch FROM do_node_start(%s)", name, via=session) for name, _, session in made]
    assert len(set(epochs)) == 7


def test_a_start_keeps_the_last_report_of_the_previous_process(rig):
    """The last report is that of a process that played, because a failed start has not reported
    anything."""
    for speaks in (False, True, False, False, True):
        if speaks:
            epoch = rig.one("SELECT epoch FROM nodes WHERE name = 'n1'")
            assert rig.renew("n1", epoch) == "ok"
        heard = rig.one("SELECT seen_at FROM node_leases WHERE node = 'n1'")
        assert rig.one("SELECT code FROM do_node_start('n1')", via=rig.node_session) == "ok"
        assert rig.one("SELECT stopped_at FROM nodes WHERE name = 'n1'") == heard
