"""Limits that players set: tighter ones apply immediately, looser ones after 72 hours, and both wherever a
player takes a seat or places an order."""

import json
import uuid

import psycopg2
import pytest


def put(rig, player, minutes=None, purchases=None, days=None):
    row = rig.row("SELECT code, body FROM do_set_limits(%s, %s, %s, %s)", player, minutes, purchases, days)
    assert row["code"] == "ok"
    return json.loads(row["body"])


def seen(rig, player):
    return json.loads(rig.one("SELECT body FROM q_limits(%s)", player))


def hours_later(rig, player, hours):
    """As if this much time had passed since the limits were set."""
    rig.rows(
        "UPDATE play_limits SET next_at = next_at - make_interval(hours => %s), value = CASE kind WHEN"
        " 'exclusion' THEN greatest(0, value - 3600 * %s) ELSE value END WHERE player_id = %s",
        hours,
        hours,
        player,
    )


def refused(rig, player, state, room="desert"):
    before = (
        rig.purse(player),
        rig.one("SELECT count(*) FROM seats"),
        rig.one("SELECT count(*) FROM idempotency"),
    )
    with pytest.raises(psycopg2.Error) as error:
        rig.sit(player, room)
    assert error.value.pgcode == state
    assert before == (
        rig.purse(player),
        rig.one("SELECT count(*) FROM seats"),
        rig.one("SELECT count(*) FROM idempotency"),
    )


def played(rig, player, began, ended):
    """A game of today, with start and end given in seconds before now."""
    table = rig.table_of(player)
    rig.settle(table, [1, 2, 3, 4])
    rig.rows(
        "UPDATE games SET started_at = now() - make_interval(secs => %s), ended_at = now() -"
        " make_interval(secs => %s) WHERE table_id = %s",
        began,
        ended,
        table,
    )


def test_new_players_have_no_limits(shared):
    player = shared.player()
    assert seen(shared, player) == {
        "minutes_per_day": None,
        "purchases_per_day": None,
        "excluded_until": None,
        "minutes_today": 0,
        "purchases_today": 0,
        "pending": [],
    }
    assert shared.sit(player)["code"] == "ok"
    assert shared.rows("SELECT code FROM q_limits(0)") == []
    assert shared.one("SELECT code FROM do_set_limits(0, 1, 1, 1)") == "no_such_player"


def test_limits_tighten_at_once_and_loosen_after_72_hours(shared):
    player = shared.player()
    assert put(shared, player, minutes=90)["minutes_per_day"] == 90
    assert put(shared, player, minutes=60)["minutes_per_day"] == 60
    later = put(shared, player, minutes=120)
    assert later["minutes_per_day"] == 60 and [(p["limit"], p["value"]) for p in later["pending"]] == [
        ("minutes_per_day", 120)
    ]
    wait = shared.one(
        "SELECT extract(epoch FROM next_at - now()) FROM play_limits WHERE player_id = %s", player
    )
    assert 259200 - 60 < wait <= 259200
    hours_later(shared, player, 71)
    assert seen(shared, player)["minutes_per_day"] == 60
    assert put(shared, player, minutes=120)["pending"] == seen(shared, player)["pending"], (
        "a repeated request does not restart the wait"
    )
    hours_later(shared, player, 1)
    assert seen(shared, player) == {**later, "minutes_per_day": 120, "pending": []}
    put(shared, player, minutes=1440)
    hours_later(shared, player, 72)
    assert seen(shared, player)["minutes_per_day"] is None


def test_tightening_or_keeping_a_limit_cancels_its_pending_loosening(shared):
    player = shared.player()
    for then in (50, 60):
        put(shared, player, minutes=60)
        assert put(shared, player, minutes=200)["pending"]
        assert put(shared, player, minutes=then)["pending"] == []
        hours_later(shared, player, 100)
        assert seen(shared, player)["minutes_per_day"] == then
        put(shared, player, minutes=60)
        hours_later(shared, player, 72)


def test_overlapping_games_count_once_for_the_daily_time(shared):
    player = shared.player()
    today = shared.one("SELECT extract(epoch FROM now() - local_midnight(now()))")
    for began, ended in ((600, 300), (450, 200), (100, 40)):
        played(shared, player, began, ended)
    wanted = sum(max(0, min(began, today) - min(ended, today)) for began, ended in ((600, 200), (100, 40)))
    assert abs(shared.one("SELECT played_today_s(%s, now())", player) - wanted) <= 2
    played(shared, player, 2 * 86400, 86400 + 7200)
    assert abs(shared.one("SELECT played_today_s(%s, now())", player) - wanted) <= 2, (
        "yesterday was another day"
    )


def test_a_player_at_the_time_limit_gets_no_seat_until_tomorrow(shared):
    player = shared.player(silver=100)
    noon = shared.one("SELECT local_midnight(now()) + interval '12 hours'")
    played(shared, player, 0, 0)
    game = shared.one("SELECT max(game_id) FROM game_players WHERE player_id = %s", player)
    shared.rows(
        "UPDATE games SET started_at = %s - interval '61 minutes', ended_at = %s WHERE id = %s",
        noon,
        noon,
        game,
    )
    assert shared.one("SELECT played_today_s(%s, %s)", player, noon) == 3660
    assert shared.one("SELECT played_today_s(%s, %s + interval '1 day')", player, noon) == 0
    shared.rows("UPDATE games SET started_at = local_midnight(now()), ended_at = now() WHERE id = %s", game)
    put(shared, player, minutes=0)
    refused(shared, player, "RU002")
    put(shared, player, minutes=1440)
    refused(shared, player, "RU002")
    hours_later(shared, player, 72)
    assert shared.sit(player)["code"] == "ok"


def test_a_running_game_counts_and_continues(shared):
    player = shared.player(silver=100)
    table = shared.table_of(player)
    shared.rows(
        "UPDATE tables SET started_at = greatest(local_midnight(now()), now() - interval '5 minutes') WHERE"
        " id = %s",
        table,
    )
    put(shared, player, minutes=0)
    refused(shared, player, "RU002")
    assert shared.settle(table, [1, 2, 3, 4])


def test_self_excluded_players_cannot_play_or_buy(shared):
    player = shared.player()
    body = put(shared, player, days=7)
    assert body["excluded_until"]
    refused(shared, player, "RU001")
    order = "SELECT code FROM do_shop_order(%s, %s, 'b', 'gold_100', 'stripe')"
    with pytest.raises(psycopg2.Error) as error:
        shared.rows(order, player, uuid.uuid4().hex)
    assert (
        error.value.pgcode == "RU001"
        and shared.one("SELECT count(*) FROM shop_orders WHERE player_id = %s", player) == 0
    )
    ends = put(shared, player, days=0)
    assert ends["excluded_until"] == body["excluded_until"] and [p["limit"] for p in ends["pending"]] == [
        "excluded_until"
    ]
    hours_later(shared, player, 71)
    refused(shared, player, "RU001")
    hours_later(shared, player, 1)
    assert seen(shared, player)["excluded_until"] is None and shared.sit(player)["code"] == "ok"


def test_an_exclusion_expires_and_a_longer_one_applies_at_once(shared):
    player = shared.player()
    put(shared, player, days=1)
    first = seen(shared, player)["excluded_until"]
    assert put(shared, player, days=30)["excluded_until"] > first
    hours_later(shared, player, 29 * 24 + 23)
    refused(shared, player, "RU001")
    hours_later(shared, player, 2)
    assert shared.sit(player)["code"] == "ok"
    assert put(shared, player, days=0)["pending"] == [], "one that is over needs no end"


def test_purchases_of_a_day_stop_at_the_limit(shared):
    player = shared.player()
    put(shared, player, purchases=700)
    order = lambda pack: shared.one(
        "SELECT code FROM do_shop_order(%s, %s, 'b', %s, 'stripe')", player, uuid.uuid4().hex, pack
    )
    assert order("gold_300") == "ok" and order("gold_100") == "ok", "499 + 199 of 700"
    with pytest.raises(psycopg2.Error) as error:
        order("gold_100")
    assert error.value.pgcode == "RU003" and seen(shared, player)["purchases_today"] == 698
    shared.rows(
        "UPDATE shop_orders SET state = 'failed' WHERE player_id = %s AND pack_id = 'gold_300'", player
    )
    assert order("gold_300") == "ok", "abandoned orders do not count"
    assert put(shared, player, purchases=0)["purchases_per_day"] == 0


def test_purchases_in_several_currencies_are_converted(rig):
    """One yen is not one cent: orders are converted by `limit_currencies`, and one in an unknown currency
    always exceeds a limit."""
    player, free = rig.player(), rig.player()
    rig.rows("UPDATE limit_currencies SET worth = 0.6 WHERE currency = 'jpy'")
    rig.rows("UPDATE shop_packs SET currency = 'jpy', price_minor = 1001 WHERE id = 'gold_300'")
    rig.rows("UPDATE shop_packs SET currency = 'xau' WHERE id = 'gold_1000'")
    put(rig, player, purchases=800)
    order = lambda pack, who=player: rig.one(
        "SELECT code FROM do_shop_order(%s, %s, 'b', %s, 'stripe')", who, uuid.uuid4().hex, pack
    )
    assert order("gold_300") == "ok" and seen(rig, player)["purchases_today"] == 601, "rounded up"
    for pack in ("gold_300", "gold_1000"):
        with pytest.raises(psycopg2.Error) as error:
            order(pack)
        assert error.value.pgcode == "RU003"
    assert order("gold_100") == "ok" and seen(rig, player)["purchases_today"] == 800, (
        "199 euro cents fit exactly"
    )
    put(rig, free, minutes=60)
    assert order("gold_1000", free) == "ok", "a player with another limit may buy at any price"


def test_the_seat_guard_cannot_be_bypassed(shared):
    """Whatever function is used, a human player's seat is a row of seats."""
    player, other = shared.player(), shared.player()
    table = shared.sit(other)["table_id"]
    put(shared, player, days=1)
    for sql in (
        "INSERT INTO seats (table_id, seat, player_id, nickname) VALUES (%s, 1, %s, 'x')",
        "UPDATE seats SET player_id = %s WHERE table_id = %s AND seat = 0",
    ):
        with pytest.raises(psycopg2.Error) as error:
            shared.rows(sql, *((table, player) if "INSERT" in sql else (player, table)))
        assert error.value.pgcode == "RU001"
