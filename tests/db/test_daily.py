"""The daily bonus: amounts, streaks, the cap, missed midnights, and that it is paid exactly once."""

import threading

import pytest

ZONE = "+02"  # the settings' time zone is UTC+2 all year


def at(day, clock="12:00"):
    return f"2026-{day} {clock}{ZONE}"


@pytest.fixture
def born(rig):
    """Creates a player who was born on a day and has had their bonus up to it."""

    def make(day="03-01", **chips):
        player = rig.player(**chips)
        rig.rows("UPDATE player_days SET bonus_day = %s WHERE player_id = %s", f"2026-{day}", player)
        return player

    return make


def credit(rig, player, when, via=None):
    return rig.one("SELECT do_daily_bonus(ARRAY[%s], %s)", player, when, via=via)


def bonuses(rig, player):
    """(day, credited, lost above the cap) of every midnight."""
    return [
        tuple(row)
        for row in rig.rows(
            """SELECT split_part(t.key, ':', 3), sum(p.amount) FILTER (WHERE p.reason = 'daily'),
                  coalesce(-sum(p.amount) FILTER (WHERE p.reason = 'over_cap'), 0)
           FROM transfers t JOIN postings p ON p.transfer_id = t.id JOIN accounts a ON a.id = p.account_id
           WHERE t.cause = 'daily' AND a.kind = 'purse' AND a.player_id = %s GROUP BY t.key ORDER BY t.key""",
            player,
        )
    ]


@pytest.mark.parametrize(
    "streak, level, amount",
    [
        (0, 1, 40),
        (1, 1, 40),
        (2, 1, 45),
        (7, 1, 70),
        (8, 1, 70),
        (30, 1, 70),
        (1, 20, 78),
        (7, 50, 168),
        (3, 2, 52),
    ],
)
def test_the_bonus_amount_depends_on_streak_and_level(shared, streak, level, amount):
    assert shared.one("SELECT daily_amount(%s, %s)", streak, level) == amount


@pytest.mark.parametrize(
    "streak, level, amount", [(0, 2, 42), (6, 2, 67), (7, 2, 72), (8, 2, 72), (30, 3, 74), (7, 20, 108)]
)
def test_the_credited_bonus_is_that_amount(rig, born, streak, level, amount):
    player = born(silver=0, level=level)
    rig.rows(
        "UPDATE player_days SET played_day = '2026-03-01', streak = %s, streak_best = %s WHERE player_id"
        " = %s",
        streak,
        streak,
        player,
    )
    assert credit(rig, player, at("03-02")) == 1
    assert bonuses(rig, player) == [("2026-03-02", amount, 0)]
    assert amount == rig.one("SELECT daily_amount(%s, %s)", streak, level)


def test_a_midnight_of_the_time_zone_is_credited_once(rig, born):
    player = born(silver=10)
    assert credit(rig, player, at("03-01", "23:59:59")) == 0
    assert credit(rig, player, at("03-02", "00:00")) == 1
    assert credit(rig, player, at("03-02", "23:59")) == 0
    assert rig.purse(player) == (50, 0)
    assert bonuses(rig, player) == [("2026-03-02", 40, 0)]


def test_the_bonus_begins_on_the_day_after_account_creation(rig):
    player = rig.player(silver=0)
    assert rig.one("SELECT do_daily_bonus(ARRAY[%s], now())", player) == 0
    assert rig.one("SELECT do_daily_bonus(ARRAY[%s], now() + interval '1 day')", player) == 1
    assert rig.purse(player) == (40, 0)


def test_eighty_plus_a_bonus_of_seventy_is_capped_at_a_hundred(rig, born):
    player = born(silver=80)
    rig.rows(
        "UPDATE player_days SET played_day = '2026-03-01', streak = 7, streak_best = 7 WHERE player_id = %s",
        player,
    )
    assert credit(rig, player, at("03-02")) == 1
    assert rig.purse(player) == (100, 0)
    assert bonuses(rig, player) == [("2026-03-02", 70, 50)]


def test_every_missed_midnight_counts_separately(rig, born):
    player = born(silver=5, level=20)  # cap 180
    rig.rows(
        "UPDATE player_days SET played_day = '2026-03-01', streak = 3, streak_best = 3 WHERE player_id = %s",
        player,
    )
    assert credit(rig, player, at("03-05")) == 4
    # the streak counts at the first midnight and is broken after that
    assert bonuses(rig, player) == [
        ("2026-03-02", 88, 0),
        ("2026-03-03", 78, 0),
        ("2026-03-04", 78, 69),
        ("2026-03-05", 78, 78),
    ]
    assert rig.purse(player) == (180, 0)
    assert rig.proof() == []


def test_ten_years_of_absence_are_credited_in_few_transfers(rig, born):
    """The last 31 midnights are credited one by one and earlier ones in one transfer, so there are as many
    lines as for a month."""
    player = born(silver=0)
    assert credit(rig, player, "2036-03-01 12:00+02") == 3653
    assert rig.purse(player) == (100, 0)
    assert rig.rows("SELECT key, note FROM transfers WHERE cause = 'daily' ORDER BY id LIMIT 2") == [
        [f"daily:{player}:2036-01-30", "2026-03-02"],
        [f"daily:{player}:2036-01-31", ""],
    ]
    assert bonuses(rig, player)[:2] == [("2036-01-30", 3622 * 40, 3622 * 40 - 100), ("2036-01-31", 40, 40)]
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'daily'") == 32
    assert -rig.house("daily", "silver") - rig.house("over_cap", "silver") == 100
    assert (
        rig.one("SELECT bonus_day FROM player_days WHERE player_id = %s", player).isoformat() == "2036-03-01"
    )
    assert rig.proof() == []


@pytest.mark.parametrize("back", ["2026-03-01", "2027-01-01", "2036-01-29", "2036-01-30", "2036-02-15"])
def test_midnights_credited_together_are_not_credited_again(rig, born, back):
    player = born(silver=0)
    credit(rig, player, "2036-03-01 12:00+02")
    rig.rows("UPDATE player_days SET bonus_day = %s WHERE player_id = %s", back, player)
    assert credit(rig, player, "2036-03-01 13:00+02") == 0
    assert credit(rig, player, "2036-03-03 13:00+02") == 2
    assert rig.proof() == []


@pytest.mark.parametrize("days", [31, 32, 33])
def test_midnights_before_the_last_31_are_credited_together(rig, born, days):
    player = born(silver=0)
    assert (
        rig.one(
            "SELECT do_daily_bonus(ARRAY[%s], '2026-03-01 12:00+02'::timestamptz + make_interval(days =>"
            " %s))",
            player,
            days,
        )
        == days
    )
    assert rig.rows("SELECT key, note FROM transfers WHERE cause = 'daily' ORDER BY id LIMIT 1") == [
        [f"daily:{player}:2026-03-0{max(2, days - 30)}", "2026-03-02" if days == 33 else ""]
    ]
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'daily'") == min(days, 32)
    assert rig.purse(player) == (100, 0) and rig.proof() == []


def test_combined_midnights_count_each_streak_when_no_cap_applies(rig, born):
    """Each midnight counts with its own streak, and the sum covers all of them."""
    rig.rows("UPDATE levels SET silver_cap = 1000000")
    player = born(silver=7)
    rig.rows(
        "UPDATE player_days SET played_day = '2026-03-01', streak = 7, streak_best = 7 WHERE player_id = %s",
        player,
    )
    assert credit(rig, player, "2026-06-09 12:00+02") == 100
    assert rig.purse(player) == (7 + 70 + 99 * 40, 0)
    assert bonuses(rig, player)[0] == ("2026-05-09", 70 + 68 * 40, 0)
    assert rig.proof() == []


def test_a_clock_set_back_credits_nothing(rig, born):
    player = born("03-10", silver=0)
    assert credit(rig, player, at("03-01")) == 0
    assert rig.purse(player) == (0, 0)
    assert credit(rig, player, at("03-11")) == 1


def test_silver_at_a_table_counts_towards_the_cap(rig, born):
    player = born(silver=100)
    rig.sit(player)
    assert credit(rig, player, at("03-02")) == 1
    assert bonuses(rig, player) == [("2026-03-02", 40, 40)]


def test_a_streak_grows_by_days_and_breaks(rig, born):
    player = born()
    days = [
        ("03-01", "12:00"),
        ("03-01", "23:00"),
        ("03-02", "00:00"),
        ("03-03", "23:59"),
        ("03-05", "08:00"),
        ("03-04", "08:00"),
    ]
    seen = []
    for day, clock in days:
        rig.rows("SELECT note_days_played(ARRAY[%s]::bigint[], %s)", player, at(day, clock))
        seen.append(rig.row("SELECT streak, streak_best FROM player_days WHERE player_id = %s", player))
    assert seen == [[1, 1], [1, 1], [2, 2], [3, 3], [1, 3], [1, 3]]


def test_a_finished_game_pays_due_bonuses_before_its_points_count(rig):
    player = rig.player(silver=50)
    rig.rows("UPDATE players SET level_points = 99 WHERE id = %s", player)
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = %s", player)
    table = rig.table_of(player)
    assert rig.settle(table, [2, 1, 3, 4])[0]["level"] == 2
    assert [amount for _, amount, _ in bonuses(rig, player)] == [40], "by the level before the game"
    assert rig.row(
        "SELECT streak, played_day = local_day(now()) FROM player_days WHERE player_id = %s", player
    ) == [1, True]
    bot_only = rig.one("SELECT count(*) FROM player_days")
    assert bot_only == rig.one("SELECT count(*) FROM players")


def test_concurrent_claims_credit_once(rig, born):
    players = [born(silver=0) for _ in range(4)]
    results = []

    def run(order):
        via = rig.connect()
        for player in order:
            results.append(credit(rig, player, at("03-08"), via=via))
        results.append(rig.one("SELECT do_daily_bonus(%s, %s)", order, at("03-09"), via=via))
        via.close()

    threads = [threading.Thread(target=run, args=(order,)) for order in (players, players[::-1], players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(results) == 4 * 8
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'daily'") == 4 * 8
    assert rig.proof() == []


def test_the_wallet_shows_the_bonus_state(rig, born):
    player = born(silver=80, level=2)  # cap 108
    ask = "SELECT due, streak, played_today, today_amount, today_lost, tomorrow_amount FROM q_bonus(%s, %s)"
    assert rig.row(ask, player, at("03-01")) == [False, 0, False, None, None, 42]
    rig.rows("SELECT note_days_played(ARRAY[%s]::bigint[], %s)", player, at("03-01"))
    assert rig.row(ask, player, at("03-01")) == [False, 1, True, None, None, 42]
    assert rig.row(ask, player, at("03-02")) == [True, 1, False, None, None, 42]
    credit(rig, player, at("03-02"))
    rig.rows("SELECT note_days_played(ARRAY[%s]::bigint[], %s)", player, at("03-02"))
    assert rig.row(ask, player, at("03-02", "20:00")) == [False, 2, True, 42, 14, 47]
    assert rig.row(ask, player, at("03-05"))[:3] == [True, 0, False]
    assert rig.one(
        "SELECT tomorrow_at = '2026-03-02 22:00+00' FROM q_bonus(%s, %s)", player, at("03-02", "20:00")
    )


def test_signing_in_pays_due_bonuses(rig, born):
    player = born(silver=10)
    rig.rows("UPDATE player_days SET bonus_day = local_day(now()) - 1 WHERE player_id = %s", player)
    rig.rows("SELECT * FROM session_answer('ok', %s)", player)
    assert rig.purse(player) == (50, 0)


def test_the_bonus_amounts_are_settings(rig, born):
    player = born(silver=0)
    rig.rows("UPDATE settings SET value = '0' WHERE name IN ('daily_base', 'daily_level_step')")
    assert credit(rig, player, at("03-02")) == 0, "a bonus of 0 writes nothing"
    assert rig.one("SELECT bonus_day::text FROM player_days WHERE player_id = %s", player) == "2026-03-02"
    rig.rows("UPDATE settings SET value = '7' WHERE name = 'daily_base'")
    assert credit(rig, player, at("03-03")) == 1
    assert rig.purse(player) == (7, 0)


# --- midnights at clock changes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "zone, day, begins",
    [
        ("Etc/GMT-2", "2026-03-29", "2026-03-28 22:00"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28 23:00"),
        ("Europe/Berlin", "2026-03-30", "2026-03-29 22:00"),
        ("Europe/Berlin", "2026-10-25", "2026-10-24 22:00"),
        ("Europe/Berlin", "2026-10-26", "2026-10-25 23:00"),
        ("America/New_York", "2026-11-02", "2026-11-02 05:00"),
        (
            "Asia/Beirut",
            "2026-03-29",
            "2026-03-28 22:00",
        ),  # clocks go forward from 00:00 to 01:00: there is no midnight
        (
            "Asia/Beirut",
            "2026-10-25",
            "2026-10-24 21:00",
        ),  # 00:00 is put back to 23:00: the 24th has 25 hours
        (
            "America/Havana",
            "2026-11-01",
            "2026-11-01 04:00",
        ),  # 01:00 is put back to 00:00: the first of two midnights
        ("Africa/Cairo", "2026-04-24", "2026-04-23 22:00"),
        ("Australia/Lord_Howe", "2026-04-05", "2026-04-04 13:00"),
    ],
)
def test_a_day_begins_at_its_first_moment(shared, zone, day, begins):
    shared.rows("UPDATE settings SET value = %s WHERE name = 'zone'", zone)
    at = f"{begins}+00"
    if (zone, day) == ("Asia/Beirut", "2026-10-25"):
        at = shared.one(
            "SELECT min(m)::text FROM generate_series('2026-10-24 18:00+00'::timestamptz, '2026-10-25"
            " 06:00+00', '1 min') m WHERE (m AT TIME ZONE %s)::date = %s",
            zone,
            day,
        )
    try:
        assert shared.one("SELECT midnight_of(%s) = %s::timestamptz", day, at), shared.one(
            "SELECT midnight_of(%s)", day
        )
        assert shared.one("SELECT local_day(midnight_of(%s))::text", day) == day
        assert shared.one("SELECT local_day(midnight_of(%s) - interval '1 second') < %s::date", day, day)
        assert shared.one("SELECT local_midnight(midnight_of(%s)) = midnight_of(%s)", day, day)
    finally:
        shared.rows("UPDATE settings SET value = 'Etc/GMT-2' WHERE name = 'zone'")
