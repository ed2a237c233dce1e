"""Achievements with their progress, invitations, statistics, notifications."""

import json

import pytest

ACHIEVEMENTS = """first_game 5, first_win 10, wins_10 20, wins_50 40, wins_100 60, wins_500 150,
games_100 20, games_500 50, games_1000 100, first_open 5, open_51_exact 15, open_100_plus 25, first_rummy 25,
rummy_10 75, bury_first 5, finish_with_joker 15, swap_joker_10 15, win_streak_3 15, win_streak_5 40,
unlock_tundra 20, unlock_steppe 30, unlock_savannah 40, unlock_oasis 50, unlock_forest 60,
league_promotion 25, league_winner 100, streak_7_days 20, streak_30_days 100, invite_1 10, invite_10 75"""
ACHIEVEMENTS = {
    name: int(gold) for name, gold in (line.split() for line in ACHIEVEMENTS.replace("\n", " ").split(", "))
}


def earned(rig, player):
    return [
        row[0]
        for row in rig.rows(
            """SELECT achievement_id FROM player_achievements JOIN achievements a ON a.id = achievement_id
                                          WHERE player_id = %s ORDER BY position""",
            player,
        )
    ]


def progress(rig, player):
    items = json.loads(rig.one("SELECT body FROM q_achievements(%s)", player))["items"]
    return {item["id"]: (item["progress"], item["goal"]) for item in items}


def count(rig, player, counter, n, reached=False):
    rig.rows("SELECT add_to_counter(%s, %s, %s, %s)", player, counter, n, reached)


def told(rig, player, kind):
    return [
        row[0]
        for row in rig.rows(
            "SELECT data FROM notifications WHERE player_id = %s AND kind = %s ORDER BY id", player, kind
        )
    ]


def test_the_achievements_match_the_rules(shared):
    assert dict(shared.rows("SELECT id, gold FROM achievements")) == ACHIEVEMENTS and len(ACHIEVEMENTS) == 30
    for room in ("tundra", "steppe", "savannah", "oasis", "forest"):
        level = shared.one(
            "SELECT level_from FROM rooms r JOIN titles t ON t.name = r.title WHERE r.id = %s", room
        )
        assert shared.one("SELECT goal FROM achievements WHERE id = %s", f"unlock_{room}") == level


@pytest.mark.parametrize("name", ACHIEVEMENTS)
def test_each_achievement_is_earned_at_its_goal_and_paid_once(shared, name):
    player = shared.player()
    counter, goal = shared.row("SELECT counter, goal FROM achievements WHERE id = %s", name)
    if goal > 1:
        count(shared, player, counter, goal - 1)
        assert name not in earned(shared, player)
        assert progress(shared, player)[name] == (goal - 1, goal)
    count(shared, player, counter, 1)
    assert name in earned(shared, player)
    gold = shared.purse(player)[1]
    count(shared, player, counter, 5)
    assert (
        shared.purse(player)[1] - gold
        <= sum(ACHIEVEMENTS[n] for n in earned(shared, player)) - ACHIEVEMENTS[name]
    )
    assert shared.rows("SELECT cause FROM transfers WHERE key = %s", f"achievement:{player}:{name}") == [
        ["achievement"]
    ]
    assert progress(shared, player)[name] == (goal, goal)
    assert name in [data["id"] for data in told(shared, player, "achievement")]
    assert sum(ACHIEVEMENTS[n] for n in earned(shared, player)) == shared.purse(player)[1]


def test_a_maximum_counter_never_falls(shared):
    player = shared.player()
    for days in (3, 8, 2):
        count(shared, player, "day_streak", days, True)
    assert progress(shared, player)["streak_7_days"] == (7, 7) and progress(shared, player)[
        "streak_30_days"
    ] == (8, 30)
    assert earned(shared, player) == ["streak_7_days"]


def test_games_earn_the_achievements_of_their_results(rig):
    ann, bob = rig.player(gold=500), rig.player(gold=500)
    rig.settle(
        rig.table_of(ann, bob),
        [1, 2, 3, 4],
        rummy=[True, False, False, False],
        opened=[True, False, True, True],
    )
    assert earned(rig, ann) == ["first_game", "first_win", "first_open", "first_rummy"]
    assert earned(rig, bob) == ["first_game"]
    assert progress(rig, ann)["wins_10"] == (1, 10) and progress(rig, ann)["win_streak_3"] == (1, 3)
    for place in (1, 1, 2, 1):
        rig.settle(rig.table_of(ann, bob), [place, 3 - place, 3, 4])
    assert progress(rig, ann)["wins_10"] == (4, 10) and "win_streak_3" in earned(rig, ann)
    assert progress(rig, ann)["win_streak_5"] == (3, 5), "the longest counts"
    assert rig.proof() == []


def test_bot_games_count_no_wins_against_people_and_practice_nothing(rig):
    ann = rig.player(gold=500)
    rig.settle(rig.table_of(ann), [1, 2, 3, 4])
    assert earned(rig, ann) == ["first_game", "first_win", "first_open"]
    assert progress(rig, ann)["wins_10"] == (0, 10) and progress(rig, ann)["win_streak_3"] == (0, 3)
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'solo_games_per_day'")
    rig.settle(rig.table_of(ann), [1, 2, 3, 4])
    assert progress(rig, ann)["games_100"] == (1, 100)
    assert rig.one("SELECT games FROM player_stats WHERE player_id = %s", ann) == 1


def test_facts_of_the_engine_earn_achievements(rig):
    ann = rig.player(gold=500)
    for facts, name in [
        ({}, "first_game"),
        ({"opening": 52}, None),
        ({"opening": 51}, "open_51_exact"),
        ({"opening": 100}, "open_100_plus"),
        ({"buried": True}, "bury_first"),
        ({"joker_out": True}, "finish_with_joker"),
        ({"swaps": 9}, None),
        ({"swaps": 1}, "swap_joker_10"),
    ]:
        before = set(earned(rig, ann))
        rig.settle(rig.table_of(ann), [1, 2, 3, 4], facts=[facts, {}, {}, {}])
        assert set(earned(rig, ann)) - before == (
            {name, "first_win", "first_open"} if name == "first_game" else {name} if name else set()
        )
    assert progress(rig, ann)["swap_joker_10"] == (10, 10)


def test_facts_are_stored_with_the_results(rig):
    ann = rig.player()
    facts = [
        {"opening": 51, "swaps": 2, "buried": True, "joker_out": True},
        {"opening": 0},
        {},
        {"opening": 120},
    ]
    rig.settle(rig.table_of(ann), [1, 2, 3, 4], facts=facts)
    assert {"open_51_exact", "bury_first", "finish_with_joker"} <= set(earned(rig, ann))
    assert progress(rig, ann)["swap_joker_10"] == (2, 10)
    assert [row[0] for row in rig.rows("SELECT facts FROM game_players ORDER BY seat")] == facts


def test_new_levels_unlock_rooms_and_are_notified(rig):
    ann = rig.player(level=5)
    rig.rows("UPDATE players SET level_points = 399 WHERE id = %s", ann)
    rig.settle(rig.table_of(ann), [1, 2, 3, 4])
    assert told(rig, ann, "level") == [{"level": 6, "title": "Frog", "gold": 15, "rooms": ["tundra"]}]
    assert "unlock_tundra" in earned(rig, ann)
    assert (
        rig.one(
            "SELECT unread FROM (SELECT (body::jsonb->>'unread')::int AS unread FROM"
            " do_read_notifications(%s, 0)) x",
            ann,
        )
        >= 2
    )


def test_statistics_match_the_games_played(rig):
    ann, bob = rig.player(gold=500), rig.player(gold=500)
    for places, rummy in [([1, 2, 3, 4], True), ([1, 3, 2, 4], False), ([4, 1, 2, 3], False)]:
        rig.settle(
            rig.table_of(ann, bob),
            places,
            rummy=[rummy, False, False, False],
            opened=[True, True, False, False],
        )
    rig.settle(rig.table_of(ann), [2, 1, 3, 4])
    profile = json.loads(rig.one("SELECT body FROM q_player(%s)", ann))
    (stats,) = profile["variants"]
    assert (
        stats["games"],
        stats["rated"],
        stats["wins"],
        stats["opened"],
        stats["rummies"],
        stats["places"],
    ) == (4, 3, 2, 4, 1, [2, 1, 0, 1, 0, 0])
    assert (stats["win_streak"], stats["win_streak_best"], stats["rating"]) == (
        0,
        2,
        (100 + 100 + 50) * 10000 // 300,
    )
    assert float(stats["points_average"]) == 83.3
    assert [game["place"] for game in profile["last_games"]] == [2, 4, 1, 1] and profile["league"] == "desert"
    assert profile["last_games"][0]["record"].endswith("/record")
    assert rig.one("SELECT code FROM q_player(%s)", 10**9) == "player_unknown"


def test_the_end_of_a_season_counts_and_notifies_once(rig):
    rig.prizes_without_people()
    ann = rig.player(level=6)
    rig.rows("INSERT INTO league_members VALUES (%s, 1, 1)", ann)
    rig.rows("INSERT INTO league_games VALUES (1, %s, 1, 30, 2400, 9)", ann)
    rig.rows("SELECT make_league_rows(1, ARRAY[%s]::bigint[])", ann)
    while rig.row("SELECT * FROM season_rollover_step((SELECT ends_at FROM seasons WHERE no = 1))")[0]:
        pass
    (season,) = told(rig, ann, "season")
    assert season == {
        "season": 1,
        "league": "desert",
        "place": 1,
        "games": 30,
        "rating": 8000,
        "to_league": "tundra",
        "reason": "promoted",
        "rule": {"promote_rating": 6700},
    }
    assert told(rig, ann, "league_prize") == [{"season": 1, "league": "desert", "place": 1, "gold": 50}]
    assert rig.one("SELECT do_counts_due(100)") == 2 and rig.one("SELECT do_counts_due(100)") == 0
    assert earned(rig, ann) == ["league_promotion", "league_winner"]
    assert rig.proof() == []


def test_upkeep_deletes_solo_games_of_past_days(rig):
    player = rig.player()
    rig.rows(
        "INSERT INTO solo_games (player_id, day, games) SELECT %s, local_day(now()) - n, 3 FROM"
        " generate_series(0, 9) n",
        player,
    )
    assert rig.one("SELECT (upkeep_step(now())).result->>'rows'") == "7"
    assert (
        rig.one("SELECT count(*) FROM solo_games WHERE day >= local_day(now()) - 2")
        == rig.one("SELECT count(*) FROM solo_games")
        == 3
    )


def test_a_node_connection_receives_the_players_to_notify(rig):
    """Each player once, at most 64 of them, and only on the node's own connection."""
    write = (
        "INSERT INTO notifications (player_id, kind, data) SELECT 1 + n / 2, 'level', '{}' FROM"
        " generate_series(0, %s) n"
    )
    with rig.undone() as via:
        rig.rows(write, 5, via=via)
        assert via.notices == []
        rig.rows("SELECT set_config('rummyd.news', 'on', true)", via=via)
        rig.rows(write, 5, via=via)
        assert sorted(via.notices[0].split()[1:]) == ["1", "2", "3"]
        rig.rows(write, 999, via=via)
        assert len(set(via.notices[1].split()[1:])) == 64
