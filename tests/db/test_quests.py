"""Weekly quests: which ones a week has, what counts towards them, and their gold, paid once."""

import collections
import datetime
import json

import psycopg2
import pytest
from db_rig import at_once

MONDAY = datetime.date(2026, 11, 23)


@pytest.fixture
def week(rig):
    """week(quest, ...): makes these the only quests of this week, and returns its Monday."""

    def ask(*quests):
        rig.rows(
            "UPDATE quests SET on_offer = id = ANY (%s), slot = CASE WHEN id = ANY (%s) THEN"
            " array_position(%s, id) ELSE slot END",
            list(quests),
            list(quests),
            list(quests),
        )
        return rig.one("SELECT quest_week(now())")

    rig.rows("UPDATE achievements SET gold = 0")
    return ask


def shown(rig, player):
    return {
        quest["id"]: quest for quest in json.loads(rig.one("SELECT body FROM q_quests(%s)", player))["items"]
    }


def far(rig, player):
    return {
        name: (quest["progress"], quest["done_at"] is not None) for name, quest in shown(rig, player).items()
    }


def paid(rig, player):
    return rig.rows(
        "SELECT key FROM transfers WHERE cause = 'quest' AND split_part(key, ':', 2) = %s ORDER BY id",
        str(player),
    )


def play(rig, *players, places=(1, 2, 3, 4), **of_seats):
    assert rig.settle(rig.table_of(*players), list(places), **of_seats)[0]["code"] == "ok"


def test_a_week_has_one_quest_per_slot_and_is_deterministic(rig):
    rig.rows("UPDATE quests SET on_offer = true")
    of = lambda monday: [tuple(row) for row in rig.rows("SELECT slot, id FROM quests_of(%s)", monday)]
    weeks = [of(MONDAY + datetime.timedelta(weeks=n)) for n in range(200)]
    assert all([slot for slot, _ in week] == [1, 2, 3] for week in weeks)
    assert weeks == [of(MONDAY + datetime.timedelta(weeks=n)) for n in range(200)]
    often = collections.Counter(name for week in weeks for _, name in week)
    assert (
        set(often) == {row[0] for row in rig.rows("SELECT id FROM quests")} and min(often.values()) >= 20
    ), often
    rig.rows("INSERT INTO quests (id, slot, counter, goal, gold) VALUES ('new', 1, 'rummies', 2, 5)")
    now = [of(MONDAY + datetime.timedelta(weeks=n)) for n in range(200)]
    assert all(a == b or (1, "new") in b and a[1:] == b[1:] for a, b in zip(weeks, now)), (
        "a new one takes its own weeks and changes no other"
    )
    assert 0 < sum(a != b for a, b in zip(weeks, now)) < 100


def test_every_quest_uses_an_existing_counter(shared):
    games = {
        "games",
        "any_wins",
        "wins",
        "opened",
        "rummies",
        "opened_51",
        "opened_100",
        "opened_pure",
        "buried",
        "joker_out",
        "swaps",
    }
    for name, counter, variant in shared.rows("SELECT id, counter, variant FROM quests"):
        assert counter in games or counter == "tournaments" and variant is None, name
    variants = {row[0] for row in shared.rows("SELECT variant FROM ranked_variants")}
    assert {
        row[0] for row in shared.rows("SELECT DISTINCT variant FROM quests WHERE variant IS NOT NULL")
    } <= variants


def test_a_week_begins_at_the_midnight_of_the_daily_bonus(shared):
    week = lambda at: shared.one("SELECT quest_week(%s)", at)
    assert (week("2026-11-22 21:59:59Z"), week("2026-11-22 22:00Z")) == (
        MONDAY - datetime.timedelta(weeks=1),
        MONDAY,
    )
    body = json.loads(shared.one("SELECT body FROM q_quests(%s)", shared.player()))
    assert body["week"] == shared.one("SELECT to_char(local_day(now()), 'IYYY-\"W\"IW')") and body[
        "starts_at"
    ].endswith("T22:00:00.000Z")


def test_the_game_that_reaches_the_goal_completes_the_quest_paid_once(rig, week):
    monday = week("any_wins_5", "rummy51_3", "opened_pure_3")
    ann = rig.player(gold=500)
    pure = [{"opened_pure": True}, {}, {}, {}]
    assert far(rig, ann) == {"any_wins_5": (0, False), "rummy51_3": (0, False), "opened_pure_3": (0, False)}
    for _ in range(2):
        play(rig, ann, facts=pure)
    play(rig, ann, places=(2, 1, 3, 4))
    assert (
        far(rig, ann) == {"any_wins_5": (2, False), "rummy51_3": (2, False), "opened_pure_3": (2, False)}
        and paid(rig, ann) == []
    )
    before = rig.purse(ann)[1]
    levels = rig.one("SELECT coalesce(sum(level_gold), 0) FROM game_players WHERE player_id = %s", ann)
    play(rig, ann, facts=pure)
    won, more = rig.row(
        """SELECT (SELECT gold FROM game_players WHERE player_id = %s ORDER BY game_id DESC LIMIT 1),
                                  (SELECT sum(level_gold) FROM game_players WHERE player_id = %s)""",
        ann,
        ann,
    )
    assert paid(rig, ann) == [[f"quest:{ann}:{monday}:{name}"] for name in ("rummy51_3", "opened_pure_3")]
    assert rig.purse(ann)[1] - before == 10 + 10 + won + more - levels
    for _ in range(3):
        play(rig, ann, facts=pure)
    assert (
        far(rig, ann) == {"any_wins_5": (5, True), "rummy51_3": (3, True), "opened_pure_3": (3, True)}
        and len(paid(rig, ann)) == 3
    )
    told = [
        row[0]
        for row in rig.rows(
            "SELECT data FROM notifications WHERE player_id = %s AND kind = 'quest' ORDER BY id", ann
        )
    ]
    assert [data["id"] for data in told] == ["rummy51_3", "opened_pure_3", "any_wins_5"]
    assert told[0] == {"id": "rummy51_3", "counter": "any_wins", "variant": "rummy51", "goal": 3, "gold": 10}
    assert rig.proof() == []


def test_another_variant_practice_and_wins_against_bots_do_not_count(rig, week):
    week("straight_3", "wins_3", "games_10")
    ann, bob = rig.player(gold=500), rig.player(gold=500)
    play(rig, ann)
    assert far(rig, ann) == {"straight_3": (0, False), "wins_3": (0, False), "games_10": (1, False)}
    play(rig, ann, bob)
    assert far(rig, ann) == {"straight_3": (0, False), "wins_3": (1, False), "games_10": (2, False)}
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'solo_games_per_day'")
    play(rig, ann)
    assert far(rig, ann)["games_10"] == (2, False)


def test_progress_resets_each_week_and_unfinished_rows_are_purged(rig, week):
    week("games_10", "swaps_3")
    ann = rig.player(gold=500)
    play(rig, ann, facts=[{"swaps": 9}, {}, {}, {}])
    assert far(rig, ann) == {"games_10": (1, False), "swaps_3": (3, True)}
    rig.rows("UPDATE quest_progress SET week = week - 14 WHERE quest_id = 'games_10'")
    assert far(rig, ann)["games_10"] == (0, False)
    rig.rows("SELECT do_purge(1000)")
    assert rig.rows("SELECT quest_id, n, gold FROM quest_progress") == [["swaps_3", 3, 10]]
    assert rig.proof() == []


def test_an_operator_s_change_applies_at_once_and_keeps_payments(rig, week):
    week("games_10", "opened_pure_3")
    ann = rig.player(gold=500)
    for _ in range(2):
        play(rig, ann)
    rig.rows("UPDATE quests SET goal = 2 WHERE id = 'games_10'")
    assert far(rig, ann)["games_10"] == (2, False), "it is done by a game"
    play(rig, ann)
    assert far(rig, ann)["games_10"] == (2, True)
    rig.rows("UPDATE quests SET goal = 5, gold = 99 WHERE id = 'games_10'")
    play(rig, ann)
    assert (shown(rig, ann)["games_10"]["gold"], far(rig, ann)["games_10"]) == (10, (5, True)) and len(
        paid(rig, ann)
    ) == 1
    rig.rows("UPDATE quests SET on_offer = false")
    assert shown(rig, ann) == {}
    play(rig, ann)
    assert rig.proof() == []


def test_a_tournament_counts_in_the_week_it_ended(rig, week):
    monday = week("tournaments_1", "games_10")
    ann, bob = rig.player(), rig.player()
    rig.rows(
        "INSERT INTO counts_due (player_id, counter, n, at) VALUES (%s, 'tournaments', 1, now()), (%s,"
        " 'tournaments', 1, now() - interval '7 days')",
        ann,
        bob,
    )
    before = rig.purse(ann)[1]
    while rig.one("SELECT do_counts_due(10)"):
        pass
    assert far(rig, ann)["tournaments_1"] == (1, True) and paid(rig, ann) == [
        [f"quest:{ann}:{monday}:tournaments_1"]
    ]
    assert rig.purse(ann)[1] - before == 10 and far(rig, bob)["tournaments_1"] == (0, False)
    assert paid(rig, bob) == [[f"quest:{bob}:{monday - datetime.timedelta(weeks=1)}:tournaments_1"]]
    rig.rows("INSERT INTO counts_due (player_id, counter, n) VALUES (%s, 'tournaments', 1)", ann)
    rig.one("SELECT do_counts_due(10)")
    assert len(paid(rig, ann)) == 1 and rig.proof() == []


def test_two_connections_processing_the_same_rows_pay_once(rig, week):
    week("tournaments_1")
    ann = rig.player()
    rig.rows(
        "INSERT INTO counts_due (player_id, counter, n) SELECT %s, 'tournaments', 1 FROM"
        " generate_series(1, 20)",
        ann,
    )
    at_once(rig, *[lambda via: rig.one("SELECT do_counts_due(3)", via=via) for _ in range(6)])
    assert len(paid(rig, ann)) == 1 and rig.proof() == []


def test_a_week_must_be_a_monday_and_gold_needs_a_completed_quest(rig):
    ann = rig.player()
    for wrong in (
        "'2026-11-24', 'games_10', 1, 0, NULL",
        "'2026-11-23', 'games_10', 1, 10, NULL",
        "'2026-11-23', 'games_10', 0, 0, NULL",
    ):
        with pytest.raises(psycopg2.errors.CheckViolation):
            rig.rows(f"INSERT INTO quest_progress VALUES (%s, {wrong})", ann)
