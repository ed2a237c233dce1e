"""Earnings of a farm of 2, 4, or 20 accounts that play only with each other: nothing if no one acts;
otherwise no more than the daily limit of games with the same players allows.

The reference is 1,000 games (docs/operations.md, "Players with several accounts", has the results), which
`make nightly` plays (RUMMY_FARM_ALL=1). The normal run plays fewer with a lower daily limit, which they
exceed: the bounds depend on nothing else."""

import collections
import itertools
import os

import pytest
from test_tournaments import announce, enter, games, open_tables, shift, state, step, steps

ALL = os.environ.get("RUMMY_FARM_ALL") == "1"
GAMES = 1000 if ALL else 45
LIMIT = 20 if ALL else 5  # games per day with the same players
REWARDS = ["player_achievements", "quest_progress", "ratings", "league_games", "league_rows"]


def pairs(accounts, games=GAMES):
    """All pairs of accounts, repeated as often as needed."""
    return itertools.islice(itertools.cycle(itertools.combinations(accounts, 2)), games)


def limit_games(rig, per_day):
    rig.rows("UPDATE settings SET value = %s WHERE name = 'same_players_games_per_day'", str(per_day))


def brought(rig):
    """All gold paid, by cause, and the counts."""
    gold = dict(
        map(
            tuple,
            rig.rows(
                """SELECT t.cause, sum(p.amount)::bigint FROM transfers t
                                       JOIN postings p ON p.transfer_id = t.id
                                       JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse'
                                       AND a.currency = 'gold'
                                       WHERE t.cause <> 'grant' GROUP BY 1"""
            ),
        )
    )
    rated = rig.one("SELECT coalesce(max(rated), 0) FROM player_stats")
    return gold, rated


@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_games_without_any_action_bring_nothing(rig, accounts_n):
    rig.rows("UPDATE quests SET on_offer = true")
    accounts = [rig.player() for _ in range(accounts_n)]
    for n, pair in enumerate(pairs(accounts)):
        ways = [
            {"left": [True, True]},
            {"left": [True, False], "turns": [0, 0], "own_turns": [0, 0]},
            {"own_turns": [3, 0]},
        ]
        rig.play_rated(*pair, **ways[n % 3])
    assert brought(rig) == ({}, 0)
    for table in REWARDS:
        assert rig.rows(f"SELECT * FROM {table}") == [], table
    assert (
        rig.one("SELECT sum(clover_points) FROM players") == 0
        and rig.one("SELECT max(level) FROM players") == 1
    )
    assert rig.one("SELECT max(streak) FROM player_days") == 0
    assert rig.one("SELECT count(*) FROM board_entries") == 0


@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_games_with_the_same_players_bring_at_most_the_daily_limit(rig, accounts_n):
    rig.rows("UPDATE quests SET on_offer = true")
    limit_games(rig, LIMIT)
    accounts = [rig.player() for _ in range(accounts_n)]
    for pair in pairs(accounts):
        rig.play_rated(*pair, opened=[True, True])
    most = min(LIMIT * (accounts_n - 1), GAMES)
    gold, rated = brought(rig)
    assert 0 < rated <= most
    assert rig.one("SELECT max(n) FROM player_counters WHERE counter = 'games'") <= most
    once = rig.one(
        """SELECT coalesce(sum(a.gold), 0)::bigint FROM achievements a WHERE a.goal <= %s AND a.counter IN
                      ('games', 'any_wins', 'wins', 'opened', 'win_streak', 'day_streak')""",
        most,
    )
    week = rig.one("SELECT coalesce(sum(gold), 0)::bigint FROM quests_of(quest_week(now()))")
    print(accounts_n, "accounts,", GAMES, "games:", gold, "rated each", rated)
    assert set(gold) <= {"achievement", "quest"}
    assert gold.get("achievement", 0) <= accounts_n * once and gold.get("quest", 0) <= accounts_n * week
    assert rig.one("SELECT sum(clover_points) FROM players") == 0
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_room_games_with_the_same_players_bring_at_most_the_daily_limit(rig, accounts_n):
    """Pairs at tables with two bots, with gold, and the first player always wins, so each game mints the
    house's reward. In the short form three games per day with the same players count, so that few games
    exceed that.
    """
    limit = 20 if ALL else 3
    limit_games(rig, limit)
    accounts = [rig.player(silver=0, gold=20000, level=30) for _ in range(accounts_n)]
    few = itertools.islice(itertools.cycle(list(itertools.combinations(accounts, 2))[:12]), 48)
    met = collections.Counter(pairs(accounts) if ALL else few)
    for pair in met.elements():
        rig.settle(rig.table_of(*pair, room="tundra"), [1, 2, 3, 4], turns=[8] * 4, own_turns=[8, 8, 0, 0])
    paid = {pair: min(n, limit) for pair, n in met.items()}
    gold, rated = brought(rig)
    reward, stake = rig.row("SELECT reward, stake FROM rooms WHERE id = 'tundra'")
    assert gold["settle"] + gold["stake"] == sum(paid.values()) * (reward - stake), (
        "beyond the limit a pair earns nothing"
    )
    print(accounts_n, "accounts,", met.total(), "games in a room:", gold)
    league = rig.rows("SELECT player_id, sum(games) FROM league_games GROUP BY 1")
    assert len(league) > 1 and all(
        n <= sum(count for pair, count in paid.items() if player in pair) for player, n in league
    )
    assert (
        rig.one("SELECT count(*) FROM accounts WHERE kind = 'hold' AND balance <> 0") == 0
        and rig.proof() == []
    )


@pytest.mark.parametrize("accounts_n", [2, 4, 20 if ALL else 6])
def test_month_and_season_prizes_need_more_players_than_a_few_accounts(rig, accounts_n):
    """Everyone has enough games for the boards and the league, over many days, and the first of each pair
    always wins. If there are more accounts than paid places, they share one set of prizes."""
    accounts = [rig.player(silver=0, gold=20000, level=6) for _ in range(accounts_n)]
    every = list(itertools.combinations(accounts, 2))
    rounds = -(-30 // (accounts_n - 1))
    for n in range(rounds):
        for pair in every:
            rig.settle(rig.table_of(*pair), [1, 2, 3, 4], turns=[8] * 4, own_turns=[8, 8, 0, 0])
        if n % 15 == 14:
            rig.rows("UPDATE meetings SET day = day - 1")
    assert rig.one("SELECT min(games) FROM league_rows") >= 30
    listed = rig.one(
        "SELECT count(*) FROM board_entries e JOIN boards b ON b.id = e.board_id WHERE b.kind ="
        " 'rating' AND b.period <> 'all'"
    )
    assert listed == accounts_n, "all of them are on the board of the month"
    rig.steps("monthly_prizes_step", rig.one("SELECT now() + interval '40 days'"))
    rig.steps("season_rollover_step", rig.one("SELECT ends_at FROM seasons WHERE no = 1"))
    rig.one("SELECT do_counts_due(1000)")
    gold, _ = brought(rig)
    print(
        accounts_n,
        "accounts, prizes:",
        gold.get("month", 0),
        "of the month,",
        gold.get("league", 0),
        "of the league",
    )
    winners = rig.one("SELECT count(*) FROM player_achievements WHERE achievement_id = 'league_winner'")
    if accounts_n <= rig.one("SELECT setting_int('prize_people_min')"):
        assert "month" not in gold and "league" not in gold and winners == 0
    else:
        assert 0 < gold["month"] <= rig.one("SELECT sum(gold) FROM month_prizes")
        assert (
            0
            < gold["league"]
            <= rig.one("SELECT max(n) FROM (SELECT sum(gold) AS n FROM league_prizes GROUP BY league_id) p")
        )
        assert winners == 1
    assert rig.proof() == []


def test_a_prize_needs_opponents_met_in_its_period_in_counted_games(rig):
    """One of ten players met too few opponents this month. An opponent does not count if one of the two did
    not take part in the game, if they met too often, or if they met earlier."""
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'prize_people_min'")
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'rating_games_min'")
    ann, bob, eve, ida = (rig.player(gold=1000) for _ in range(4))

    def play(one, other, own=8, left=False):
        rig.settle(
            rig.table_of(one, other),
            [1, 2, 3, 4],
            left=[False, left, False, False],
            turns=[8] * 4,
            own_turns=[8, own, 0, 0],
        )

    def met(player):
        return rig.one(
            "SELECT opponents_met_n(%s, 'rummy51', now() - interval '1 day', now() + interval '1 day')",
            player,
        )

    play(ann, bob)
    play(ann, eve, own=3)
    play(ann, ida, left=True)
    assert (met(ann), met(bob), met(eve)) == (1, 1, 0)
    play(ann, eve)
    assert met(ann) == 2
    rig.rows("INSERT INTO withheld_players (player_id) VALUES (%s)", eve)
    assert met(ann) == 1, "a withheld account does not count as an opponent"
    rig.rows("DELETE FROM withheld_players")
    rig.steps("monthly_prizes_step", rig.one("SELECT now() + interval '40 days'"))
    assert [row[0] for row in rig.rows("SELECT DISTINCT player_id FROM month_winners")] == [ann]
    assert rig.one("SELECT place FROM month_winners WHERE kind = 'wins'") == 1
    rig.rows("UPDATE games SET ended_at = ended_at - interval '40 days'")
    assert met(ann) == 0
    assert rig.one("SELECT opponents_met_n(%s)", ann) == 2
    assert rig.proof() == []


@pytest.mark.parametrize("acts", [False, True])
@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_tournaments_bring_only_the_entry_fees_and_one_quest(games, accounts_n, acts):
    """Consecutive tournaments filled up with bots of the house, always with the same accounts."""
    games.rows("UPDATE quests SET on_offer = counter = 'tournaments' OR slot <> 3")
    games.rows("UPDATE achievements SET gold = 0")
    accounts = [games.player(silver=0, gold=1000) for _ in range(accounts_n)]
    most = min(size for size in (4, 8, 16, 32) if size >= accounts_n)
    tournaments_n = 40 if ALL else 3
    for _ in range(tournaments_n):
        tournament = announce(
            games, entry=10, most=most, bots=most, kind="swiss", size=1, starts_s=None if most < 32 else 60
        )
        for player in accounts:
            assert enter(games, player, tournament) == "ok"
        steps(games, tournament, lambda: state(games, tournament) == "running")
        while state(games, tournament) == "running":
            shift(games, tournament)
            step(games)
            for _, table, n in open_tables(games, tournament, 1):
                if table and games.start(table)["code"] == "ok":
                    games.settle(
                        table, list(range(1, n + 1)), turns=[8] * n, own_turns=[8 if acts else 3] * n
                    )
        games.one("SELECT do_counts_due(1000)")
    gold, _ = brought(games)
    print(accounts_n, "accounts,", tournaments_n, "tournaments:", gold)
    assert gold["entry"] + gold["prize"] == 0, "the house adds nothing"
    (quest,) = [
        row["gold"]
        for row in games.rows("SELECT * FROM quests_of(quest_week(now()))")
        if row["counter"] == "tournaments"
    ]
    done = games.one(
        "SELECT count(*) FROM quest_progress WHERE quest_id = 'tournaments_1' AND done_at IS NOT NULL"
    )
    assert done == (accounts_n if acts else 0)
    if not acts:
        assert set(gold) == {"entry", "prize"}
    assert quest > 0 and games.proof() == []


@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_invitations_pay_once_per_proved_account_with_real_opponents(rig, accounts_n):
    """One invites all others, who play only with each other, and chains of invitations end."""
    rig.rows("UPDATE achievements SET gold = 0")
    first, *others = accounts = [rig.player() for _ in range(accounts_n)]
    for n, invited in enumerate(others):
        rig.rows(
            "INSERT INTO invites (invited_id, inviter_id) VALUES (%s, %s)",
            invited,
            first if n % 2 == 0 else others[n - 1],
        )
    for pair in pairs(accounts, GAMES if ALL else 12 * accounts_n):
        rig.play_rated(*pair)
    rig.one("SELECT do_counts_due(1000)")
    assert brought(rig)[0] == {}, "no account is proved"
    for player in accounts:
        rig.prove(player)
    rig.one("SELECT do_counts_due(1000)")
    enough_people = accounts_n > rig.one("SELECT setting_int('invite_opponents')")
    ready = (
        rig.one("SELECT count(*) FROM invites WHERE rated_games(invited_id) >= setting_int('invite_games')")
        if enough_people
        else 0
    )
    gold, _ = brought(rig)
    print(accounts_n, "accounts that invite each other:", gold)
    assert gold.get("invite", 0) == ready * (30 + 10)
    assert rig.proof() == []


@pytest.mark.parametrize("accounts_n", [2, 4, 20])
def test_daily_deals_bring_no_chips_and_no_room_points(rig, accounts_n):
    """Each account plays today's deal once, however often it tries, and before this could gain it chips or
    ranks."""
    accounts = [rig.player() for _ in range(accounts_n)]
    for player in accounts:
        for _ in range(GAMES // accounts_n if ALL else 3):
            row = rig.row(
                "SELECT * FROM do_daily_play(%s, (now() AT TIME ZONE 'UTC')::date, 'rummy51', %s, 'b',"
                " gen_random_uuid(), NULL, %s)",
                player,
                f"k{next(rig.numbers)}",
                rig.node,
            )
            if row["code"] == "ok" and not rig.one(
                "SELECT started_at IS NOT NULL FROM tables WHERE id = %s", row["table_id"]
            ):
                assert rig.start(row["table_id"])["code"] == "ok"
                rig.settle(row["table_id"], [1, 2, 3, 4])
    assert rig.one("SELECT count(*) FROM games") == accounts_n
    gold, rated = brought(rig)
    print(accounts_n, "accounts at a daily deal:", gold)
    assert set(gold) <= {"achievement", "quest"} and rated == 0
    assert rig.one("SELECT count(*) FROM league_games") == 0 and rig.one("SELECT count(*) FROM ratings") == 0
    assert rig.proof() == []
