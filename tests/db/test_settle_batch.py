"""A batch of games: the outcome of each game, of a refused one, of a player at two tables, and of
concurrent batches."""

import psycopg2
import pytest
from test_concurrency import at_once


def tables_of(rig, *groups):
    return [rig.table_of(*people) for people in groups]


def people(rig, n):
    return [rig.player(gold=100) for _ in range(n)]


def test_each_seat_has_a_row_in_the_requested_table_order(rig):
    who = people(rig, 6)
    tables = tables_of(rig, who[:2], who[2:4], who[4:])
    asked = [tables[2], tables[0], tables[1]]
    rows = rig.settle_all([(table, [1, 2, 3, 4]) for table in asked])
    assert [(row["table_id"], row["seat"], row["code"]) for row in rows] == [
        (table, seat, "ok") for table in asked for seat in range(4)
    ]
    assert len({row["game_id"] for row in rows}) == 3
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_a_refused_game_has_one_row_and_the_others_are_settled(rig):
    who = people(rig, 6)
    done, cancelled, good = tables_of(rig, who[:2], who[2:4], who[4:])
    waiting = rig.sit(who[0])["table_id"]
    first = rig.settle(done, [2, 1, 3, 4])
    assert rig.cancel(cancelled) == "ok"
    rows = rig.settle_all([(table, [1, 2, 3, 4]) for table in (done, cancelled, 999999, waiting, good)])
    assert [(row["table_id"], row["code"], row["place"]) for row in rows] == [
        *[(done, "already_done", place) for place in (2, 1, 3, 4)],
        (cancelled, "not_playing", None),
        (999999, "no_such_table", None),
        (waiting, "not_playing", None),
        *[(good, "ok", place) for place in (1, 2, 3, 4)],
    ]
    assert [row["game_id"] for row in rows[:4]] == [row["game_id"] for row in first]
    assert rig.one("SELECT count(*) FROM games") == 2
    assert [row["code"] for row in rig.settle_all([(waiting, [1, 2, 3, 4])], epoch=rig.epoch + 1)] == [
        "stale_epoch"
    ]
    assert rig.proof() == []


@pytest.mark.parametrize("wrong", ["player", "results", "key"])
def test_an_invalid_game_fails_the_whole_batch(rig, wrong):
    who = people(rig, 5)
    games = [
        (table, [1, 2, 3, 4])
        for table in tables_of(rig, who[:2], [who[0], who[2]] if wrong == "player" else who[2:4])
    ]
    if wrong == "results":
        games[1] = (games[1][0], [1, 2, 3])
    if wrong == "key":
        assert rig.credit(who[4], "gold", 1, key=f"settle:table:{games[1][0]}")[0] == "ok"
    before = (
        rig.rows("SELECT * FROM accounts"),
        rig.rows("SELECT * FROM players"),
        rig.rows("SELECT * FROM hands"),
    )
    said = {
        "player": "sits at two of the tables",
        "results": f"results of table {games[1][0]} do not name",
        "key": "transfers_key_key",
    }[wrong]
    with pytest.raises((psycopg2.errors.RaiseException, psycopg2.errors.UniqueViolation), match=said):
        rig.settle_all(games)
    assert before == (
        rig.rows("SELECT * FROM accounts"),
        rig.rows("SELECT * FROM players"),
        rig.rows("SELECT * FROM hands"),
    )
    assert rig.one("SELECT count(*) FROM games") == 0
    assert [row["code"] for row in rig.settle(*games[0])] == ["ok"] * 4, "alone it is settled"
    assert rig.proof() == []


def test_crossing_batches_settle_each_table_once(rig):
    for _ in range(4):
        who = people(rig, 8)
        games = [(table, [1, 2, 3, 4]) for table in tables_of(rig, *[who[n : n + 2] for n in range(0, 8, 2)])]
        answers = at_once(
            rig,
            lambda via: rig.settle_all(games, via=via),
            lambda via: rig.settle_all(games[::-1], via=via),
            lambda via: rig.settle_all(games[2:], via=via),
            lambda via: rig.cancel(games[3][0], via=via),
        )
        rows = [row for answer in answers[:3] for row in answer]
        for table, _ in games[:3]:
            assert (
                sorted(row["code"] for row in rows if row["table_id"] == table and row["seat"] == 0)[-1]
                == "ok"
            )
            assert sum(row["code"] == "ok" for row in rows if row["table_id"] == table) == 4
        assert answers[3] in ("ok", "table_over")
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_a_batch_pays_due_bonuses_levels_and_achievements(rig):
    who = people(rig, 64)
    rig.rows("UPDATE players SET level_points = 99")
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 2 WHERE player_id %% 2 = 0")
    rig.settle_all(
        [(table, [1, 2, 3, 4]) for table in tables_of(rig, *[who[n : n + 4] for n in range(0, 64, 4)])]
    )
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'daily'") == 2 * 32
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'level'") == 64
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'settle'") == 16
    assert rig.one("SELECT count(*) FROM player_achievements WHERE achievement_id = 'first_game'") == 64
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'achievement'") == rig.one(
        "SELECT count(*) FROM player_achievements"
    )
    assert (
        rig.proof() == []
        and rig.rows("SELECT * FROM q_ratings_check() WHERE problem NOT IN ('level_differs')") == []
    )


def test_the_ledger_refuses_lines_that_do_not_balance(rig):
    player = rig.player(gold=5)
    line = "ROW('grant', %s, NULL, account_purse(%s, 'gold'), %s, 'x')::ledger_line"
    house = "ROW('grant', %s, NULL, account_house('grant', 'gold'), %s, 'x')::ledger_line"
    post = f"SELECT ledger_post_lines(ARRAY[{line}, {house}])"
    with pytest.raises(psycopg2.errors.CheckViolation, match="does not sum to zero"):
        rig.rows(post, "a", player, 5, "a", -4)
    with pytest.raises(psycopg2.errors.CheckViolation):
        rig.rows(post, "a", player, -6, "a", 6)
    with pytest.raises(psycopg2.errors.CheckViolation, match="does not sum to zero"):
        rig.rows(post, "a", player, 5, "b", -5)
    rig.rows(post, "a", player, 5, "a", -5)
    with pytest.raises(psycopg2.errors.UniqueViolation):
        rig.rows(post, "a", player, 5, "a", -5)
    assert rig.purse(player) == (100, 10) and rig.proof() == []
