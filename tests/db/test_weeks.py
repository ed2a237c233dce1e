"""A player's week: its contents, which weeks exist, who is notified and who is not."""

import datetime
import json

import pytest

WEEK = datetime.timedelta(weeks=1)


def name(monday):
    return "{}-W{:02}".format(*monday.isocalendar()[:2])


@pytest.fixture
def monday(rig):
    return rig.one("SELECT quest_week(now())")


def back(rig, *tables, weeks=1):
    """Moves these games this many weeks back, and makes all accounts older than that."""
    for table in tables:
        rig.rows(
            "UPDATE games SET started_at = started_at - %s * interval '1 week',"
            " ended_at = ended_at - %s * interval '1 week' WHERE table_id = %s",
            weeks,
            weeks,
            table,
        )
    rig.rows("UPDATE players SET created_at = created_at - interval '10 weeks'")


def play(rig, *players, places=(1, 2, 3, 4), **of_seats):
    table = rig.table_of(*players)
    assert rig.settle(table, list(places), **of_seats)[0]["code"] == "ok"
    return table


def week(rig, player, monday, code="ok"):
    row = rig.row("SELECT code, body FROM q_week(%s, %s)", player, name(monday))
    assert row["code"] == code
    return json.loads(row["body"]) if row["body"] else None


def befriend(rig, player, other):
    rig.rows("INSERT INTO friends (from_id, to_id, accepted_at) VALUES (%s, %s, now())", player, other)


def told(rig, *players):
    return {
        row["player_id"]: row["data"]
        for row in rig.rows(
            "SELECT player_id, data FROM notifications WHERE kind = 'week' AND player_id = ANY (%s)",
            list(players),
        )
    }


def notify(rig, most=1000):
    """Sends all due notices; returns the number of calls that this took."""
    for calls in range(1, 1000):
        if rig.one("SELECT do_week_notices(%s)", most) == 0:
            return calls
    raise AssertionError("it has no end")


def test_a_week_contains_only_its_own_games(rig, monday):
    ann, ben = rig.player(), rig.player()
    befriend(rig, ann, ben)
    last = [play(rig, ann, ben), play(rig, ben, ann)]
    back(rig, *last)
    now = play(rig, ann, ben)
    game = rig.one("SELECT id FROM games WHERE table_id = %s", now)
    this, that = week(rig, ann, monday), week(rig, ann, monday - WEEK)
    assert (this["games"], this["wins"], that["games"], that["wins"]) == (1, 1, 2, 1)
    assert (this["previous"], this["next"]) == (name(monday - WEEK), None)
    assert that["next"] == name(monday) and that["ends_at"] == this["starts_at"]
    assert this["best"]["game_id"] == str(game) and this["best"]["clover"] == this["clover"] > 0
    assert [(f["player_id"], f["place"], f["games"], f["wins"]) for f in this["friends"]] == [
        (str(ann), 1, 1, 1),
        (str(ben), 2, 1, 0),
    ]
    (variant,) = this["variants"]
    assert (variant["variant"], variant["games"], variant["wins"]) == ("rummy51", 1, 1)
    rating = rig.one("SELECT rating FROM ratings WHERE player_id = %s AND period = 'all'", ann)
    (before,) = that["variants"]
    assert (variant["rating"], variant["rating_before"]) == (rating, before["rating"])
    assert before["rating_before"] is None


def test_a_week_without_games_lists_only_the_player(rig, monday):
    ann, ben = rig.player(), rig.player()
    befriend(rig, ben, ann)
    back(rig)
    empty = week(rig, ann, monday - WEEK)
    assert (empty["games"], empty["best"], empty["variants"], empty["clover"]) == (0, None, [], 0)
    assert [(f["player_id"], f["place"]) for f in empty["friends"]] == [(str(ann), 1)]


@pytest.mark.parametrize("text", ["2026-W54", "2026-W00", "2025-W53", "1999-W01", "2026-48", "2026-W480", ""])
def test_an_invalid_week_is_refused(shared, text):
    row = shared.row("SELECT code, body FROM q_week(%s, %s)", shared.player(), text)
    assert (row["code"], row["body"]) == ("no_such_week", None)


def test_weeks_in_the_future_or_before_the_account_are_refused(rig, monday):
    ann = rig.player()
    week(rig, ann, monday + WEEK, "no_such_week")
    week(rig, ann, monday - WEEK, "no_such_week")
    assert week(rig, ann, monday)["previous"] is None


def test_friends_are_listed_once_by_wins_and_the_player_is_included(rig, monday):
    ann, *friends = [rig.player() for _ in range(27)]
    for friend, other in zip(friends[::2], friends[1::2]):
        befriend(rig, ann, friend)
        befriend(rig, other, ann)
        play(rig, friend, other)
    shown = week(rig, ann, monday)["friends"]
    assert len(shown) == 21 and len({f["player_id"] for f in shown}) == 21
    assert (shown[-1]["player_id"], shown[-1]["place"]) == (str(ann), 27)
    assert [(f["wins"], f["place"]) for f in shown[:20]] == [(1, 1)] * 13 + [(0, 14)] * 7


def test_players_of_the_last_week_are_notified_once(rig, monday):
    ann, ben, cyd, dan = (rig.player() for _ in range(4))
    back(rig, play(rig, ann, ben))
    play(rig, cyd, dan)
    notify(rig, most=1)
    notify(rig)
    assert told(rig, ann, ben, cyd, dan) == {
        ann: {"week": name(monday - WEEK), "games": 1, "wins": 1},
        ben: {"week": name(monday - WEEK), "games": 1, "wins": 0},
    }
    assert len(rig.rows("SELECT 1 FROM notifications WHERE kind = 'week' AND player_id = %s", ann)) == 1
    assert rig.one("SELECT done_at IS NOT NULL FROM week_notices WHERE week = %s", monday - WEEK)


def test_banned_departed_and_opted_out_players_get_no_notice(rig):
    ann, off, banned, leaving, absent = (rig.player() for _ in range(5))
    left = play(rig, ann, absent, places=(1, 4, 2, 3))
    rig.rows(
        "UPDATE game_players SET took_part = false WHERE player_id = %s",
        absent,
    )
    back(rig, left, play(rig, ann, off), play(rig, ann, banned), play(rig, ann, leaving))
    code = rig.row("SELECT code, body FROM do_push_settings(%s, '{}', '{week}')", off)
    assert json.loads(code["body"])["week"] is False
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", banned)
    rig.rows("INSERT INTO deletions (player_id, due_at) VALUES (%s, now() + interval '1 day')", leaving)
    notify(rig)
    assert set(told(rig, ann, off, banned, leaving, absent)) == {ann}


def test_another_server_skips_a_locked_notice(rig):
    rig.player()
    rig.one("SELECT do_week_notices(1)")
    other = rig.connect(autocommit=False)
    rig.rows("SELECT 1 FROM week_notices WHERE done_at IS NULL FOR UPDATE", via=other)
    assert rig.one("SELECT do_week_notices(1)") == 0
    other.rollback()
    other.close()


def test_a_week_reads_no_games_of_others(rig, monday):
    """None of another player's 20,000 games is read, whichever player the request is about."""
    ann, ben, cyd = rig.player(), rig.player(), rig.player()
    befriend(rig, ann, ben)
    table = play(rig, ann, ben)
    copy = """DO $do$
        DECLARE
            v_name text := '{table}';
            v_as   jsonb := '{new}';
        BEGIN
            EXECUTE (SELECT format('INSERT INTO %%I (%%s) SELECT %%s FROM {source}', v_name,
                                   string_agg(quote_ident(column_name), ', '),
                                   string_agg(coalesce(v_as->>column_name, 'x.' || column_name), ', '))
                     FROM information_schema.columns WHERE table_name = v_name AND column_name <> 'id');
        END $do$"""
    rig.rows(
        copy.format(
            table="games",
            new='{"hand_no": "x.hand_no + n"}',
            source=f"games x, generate_series(1, 20000) n WHERE x.table_id = {table}",
        )
    )
    rig.rows(
        copy.format(
            table="game_players",
            new=json.dumps({"game_id": "n.id", "player_id": str(cyd)}),
            source=f"game_players x JOIN games n ON n.table_id = {table} AND n.hand_no > 1"
            " WHERE x.seat = 0 AND x.game_id = (SELECT min(id) FROM games)",
        )
    )
    rig.rows("ANALYZE games, game_players")
    via = rig.connect(autocommit=False)
    read = """SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)
              FROM pg_stat_xact_user_tables WHERE relname IN ('games', 'game_players')"""
    before = rig.one(read, via=via)
    assert rig.one("SELECT code FROM q_week(%s, %s)", ann, name(monday), via=via) == "ok"
    assert rig.one(read, via=via) - before < 1000
    via.close()
