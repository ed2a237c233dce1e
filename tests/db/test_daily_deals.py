"""Deals that many tables play: one play per player, even under concurrent requests; a board that matches an
independent count of the points; and the outcome when a table ends without a result."""

import datetime
import json
import random
from fractions import Fraction

import psycopg2
import pytest
from db_rig import at_once

TODAY = "(now() AT TIME ZONE 'UTC')::date"


def enter(rig, player, variant="rummy51", key=None, seed=None, day=None, via=None, ranked=True):
    if ranked:
        rank(rig, player)
    return rig.row(
        f"SELECT * FROM do_daily_play(%s, coalesce(%s, {TODAY}), %s, %s, 'b', gen_random_uuid(), %s, %s)",
        player,
        day,
        variant,
        key or f"k{next(rig.numbers)}",
        seed,
        rig.node,
        via=via,
    )


def rank(rig, player):
    """Gives a player the requirements for a ranked play: a confirmed address, and enough rated games."""
    rig.rows(
        "UPDATE players SET email_verified_at = now() WHERE id = %s AND email_verified_at IS NULL", player
    )
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'daily_rated_games_min'")


def end(rig, table, points, left=False):
    """Plays a table to this end for its player, who sits in seat 0."""
    n = rig.one("SELECT seats_n FROM tables WHERE id = %s", table)
    assert rig.start(table)["code"] == "ok"
    row = rig.settle(
        table, list(range(1, n + 1)), points=[points] + [50] * (n - 1), left=[left] + [False] * (n - 1)
    )
    assert {r["code"] for r in row} == {"ok"}


def board(rig, reader, variant="rummy51", limit=100):
    at, head, items = (None, None, None), None, []
    while True:
        rows = rig.rows(
            f"SELECT * FROM q_daily_board(%s, {TODAY}, %s, %s, %s, %s, %s)", reader, variant, *at, limit
        )
        assert rows[0]["code"] == "ok", rows[0]
        head = head or json.loads(rows[0]["body"])
        items += [json.loads(row["body"]) for row in rows[1:]]
        if len(rows) <= limit:
            return head, items
        at = rows[-1]["at1"], rows[-1]["at2"], rows[-1]["at3"]


@pytest.mark.parametrize(("variant", "high"), [("rummy51", False), ("straight", True)])
def test_the_board_matches_an_independent_count(rig, variant, high):
    luck = random.Random(51)
    points, left = {}, set()
    for _ in range(23):
        player = rig.player()
        points[player] = luck.choice([-40, 0, 12, 12, 35, 100])
        if luck.random() < 0.2:
            left.add(player)
        end(rig, enter(rig, player, variant)["table_id"], points[player], player in left)
    head, items = board(rig, next(iter(points)), variant, limit=4)
    assert head["entrants"] == len(points) and len(items) == len(points)

    def better(a, b):
        if (a in left) != (b in left):
            return b in left
        return a not in left and (points[a] > points[b] if high else points[a] < points[b])

    for item in items:
        player = int(item["player_id"])
        others = [other for other in points if other != player]
        beaten = sum(better(player, other) for other in others)
        ahead = sum(better(other, player) for other in others)
        percent = Fraction(100 * (2 * beaten + len(others) - beaten - ahead), 2 * len(others))
        assert (item["points"], item["left"], item["rank"]) == (points[player], player in left, ahead + 1)
        assert abs(Fraction(str(item["percent"])) - percent) <= Fraction(1, 20)
    assert [item["rank"] for item in items] == sorted(item["rank"] for item in items)
    assert rig.one("SELECT sum(plays_n) FROM deal_scores") == len(points)


def test_plays_made_mostly_by_a_bot_rank_below_all_others(rig):
    ann, bob, eve = (rig.player() for _ in range(3))
    for player, points, own_turns in ((ann, -40, 4), (bob, 90, 5), (eve, 100, 10)):
        table = enter(rig, player)["table_id"]
        assert rig.start(table)["code"] == "ok"
        rig.settle(
            table, [1, 2, 3, 4], points=[points, 50, 50, 50], turns=[10] * 4, own_turns=[own_turns, 0, 0, 0]
        )
    _, items = board(rig, ann)
    assert [(int(item["player_id"]), item["rank"], item["left"]) for item in items] == [
        (bob, 1, False),
        (eve, 2, False),
        (ann, 3, True),
    ]
    assert [rig.one("SELECT daily_streak(%s)", player) for player in (ann, bob)] == [0, 1]


def rounded(number):
    """To one decimal, halves away from zero, as PostgreSQL does."""
    tenths = (20 * abs(number) + 1) // 2
    return Fraction(tenths if number >= 0 else -tenths, 10)


@pytest.mark.parametrize(("variant", "high"), [("rummy51", False), ("straight", True)])
def test_the_comparison_on_shared_deals_removes_card_luck(rig, variant, high):
    """How much a player beat the mean of the others on the same deal, averaged over the shared deals. A
    player who left is not in any mean."""
    luck = random.Random(20)
    people = [rig.player() for _ in range(5)]
    deals = []
    for back in range(3):
        who = people if back else people[:4]
        points = {player: luck.choice([-40, 0, 12, 35, 100]) for player in who}
        left = {player for player in who if luck.random() < 0.3}
        for player in who:
            end(rig, enter(rig, player, variant)["table_id"], points[player], player in left)
        deals.append((points, left))
        result = json.loads(rig.row("SELECT body FROM q_player_variant(%s, %s)", people[0], variant)["body"])[
            "same_deal"
        ]
        assert result["deals"] == back, "a deal that is still open reveals nothing"
        # Ends the day: its deal becomes a past one, and today has another.
        rig.rows("UPDATE deals SET opens_at = now() WHERE opens_at > now() RETURNING id")
        rig.rows("DELETE FROM daily_deals RETURNING deal_id")
    for player in people:
        better, percents = [], []
        for points, left in deals:
            if player not in points:
                continue
            worth = {p: (p not in left, 0 if p in left else n if high else -n) for p, n in points.items()}
            others = [worth[p] for p in points if p != player]
            wins = sum(2 * (one < worth[player]) + (one == worth[player]) for one in others)
            percents.append(Fraction(100 * wins, 2 * len(others)))
            stayed = [score for stays, score in others if stays]
            if player not in left and stayed:
                better.append(worth[player][1] - Fraction(sum(stayed), len(stayed)))
        seen = json.loads(rig.row("SELECT body FROM q_player_variant(%s, %s)", player, variant)["body"])[
            "same_deal"
        ]
        assert seen["deals"] == len(percents)
        assert Fraction(str(seen["percent"])) == rounded(sum(percents) / len(percents))
        if better:
            assert Fraction(str(seen["better"])) == rounded(sum(better) / len(better))
        else:
            assert seen["better"] is None


def test_a_mean_of_percentages_is_rounded_once(rig):
    """16 2/3 and 50 are 33.3 on average; with 16.7 they would be 33.4."""
    people = [rig.player() for _ in range(4)]
    for points in ((20, 20, 10, 10), (20, 20, 30, 10)):
        for player, own in zip(people, points, strict=True):
            end(rig, enter(rig, player)["table_id"], own)
        rig.rows("UPDATE deals SET opens_at = now() WHERE opens_at > now() RETURNING id")
        rig.rows("DELETE FROM daily_deals RETURNING deal_id")
    assert rig.one("SELECT same_deal_result(%s, 'rummy51')", people[0])["percent"] == 33.3


def test_a_single_player_has_no_percentage(rig):
    player = rig.player()
    end(rig, enter(rig, player)["table_id"], 7)
    head, items = board(rig, player)
    assert [(i["rank"], i["percent"]) for i in items] == [(1, None)] and head["own"]["rank"] == 1


def test_concurrent_requests_of_one_player_create_one_play(rig):
    player = rig.player()
    answers = at_once(rig, *(lambda via: enter(rig, player, via=via) for _ in range(6)))
    assert {answer["code"] for answer in answers} == {"ok"} and len(
        {answer["table_id"] for answer in answers}
    ) == 1
    assert rig.one("SELECT count(*) FROM deal_plays") == 1
    assert enter(rig, player, key="again")["ticket"] == enter(rig, player, key="again")["ticket"]


def test_concurrent_first_players_of_a_day_get_one_deal(rig):
    players = [rig.player() for _ in range(6)]
    answers = at_once(rig, *(lambda via, p=p: enter(rig, p, via=via) for p in players))
    assert [answer["code"] for answer in answers] == ["ok"] * 6
    assert (
        rig.one("SELECT count(*) FROM deals") == 1
        and rig.one("SELECT count(DISTINCT commit) FROM tables") == 1
    )
    assert rig.one("SELECT count(DISTINCT client_seed) FROM seats WHERE seat = 0") == 1


def test_a_play_is_counted_once(rig):
    player = rig.player()
    table = enter(rig, player)["table_id"]
    end(rig, table, 12)
    assert {row["code"] for row in rig.settle(table, [1, 2, 3, 4], points=[-40, 1, 2, 3])} == {"already_done"}
    assert rig.row("SELECT state, points FROM deal_plays") == ["done", 12]
    assert [tuple(row) for row in rig.rows("SELECT score, plays_n FROM deal_scores")] == [(-12, 1)]
    assert enter(rig, player)["code"] == "daily_played"


def test_a_play_without_a_result_can_be_repeated_only_before_the_deal(rig):
    """The player may return only before the cards are dealt, because afterward they have seen them."""
    player = rig.player()
    table = enter(rig, player)["table_id"]
    assert rig.cancel(table) == "ok" and rig.one("SELECT count(*) FROM deal_plays") == 0
    table = enter(rig, player)["table_id"]
    rig.start(table)
    assert rig.cancel(table) == "ok" and rig.one("SELECT state FROM deal_plays") == "void"
    assert enter(rig, player)["code"] == "daily_played"
    assert rig.one("SELECT count(*) FROM deal_scores") == 0


def test_a_game_that_runs_past_midnight_counts_for_its_day(rig):
    """It also keeps the cards hidden until it ends."""
    slow, quick = rig.player(), rig.player()
    table = enter(rig, slow)["table_id"]
    end(rig, enter(rig, quick)["table_id"], 3)
    deal = rig.one("SELECT id FROM deals")
    rig.rows("UPDATE deals SET opens_at = now() - interval '1 minute'")
    assert not rig.one("SELECT deal_is_open(%s)", deal)
    end(rig, table, 5)
    assert rig.one("SELECT deal_is_open(%s)", deal)
    assert [(i["player_id"], i["points"]) for i in board(rig, quick)[1]] == [(str(quick), 3), (str(slow), 5)]


def test_a_streak_counts_days_in_a_row(rig):
    player = rig.player()
    variants = rig.rows("SELECT variant FROM daily_variants ORDER BY position")
    today = rig.one(f"SELECT {TODAY}")

    def streak(*ago):
        rig.rows("DELETE FROM deal_scores")
        rig.rows("DELETE FROM deal_plays")
        rig.rows("DELETE FROM daily_deals")
        for n, days in enumerate(ago):
            table = enter(rig, player, variants[n][0])["table_id"]
            end(rig, table, 1)
            day = today - datetime.timedelta(days=days)
            rig.rows(
                "INSERT INTO daily_days SELECT %s, seed, commit FROM daily_days LIMIT 1 ON CONFLICT DO"
                " NOTHING",
                day,
            )
            rig.rows(
                "UPDATE daily_deals SET day = %s WHERE deal_id = (SELECT deal_id FROM tables WHERE id = %s)",
                day,
                table,
            )
        return rig.one("SELECT daily_streak(%s)", player)

    assert [streak(), streak(0), streak(1), streak(2), streak(0, 1, 2, 4), streak(1, 2), streak(0, 2)] == [
        0,
        1,
        1,
        0,
        3,
        2,
        1,
    ]


def test_a_seed_for_a_closed_day_is_refused(rig):
    rig.rows("SELECT do_daily_days()")
    rig.rows(f"UPDATE daily_days SET closed = true WHERE day = {TODAY}")
    assert enter(rig, rig.player(), seed=b"s" * 16)["code"] == "daily_over"
    assert rig.one("SELECT count(*) FROM daily_seeds") == 0


def test_commitments_exist_before_the_day_and_do_not_change(rig):
    assert rig.one("SELECT do_daily_days()") == 3 and rig.one("SELECT do_daily_days()") == 0
    rows = rig.rows(
        f"SELECT day - {TODAY} AS ahead, commit = sha256(seed) AS fits FROM daily_days ORDER BY day"
    )
    assert [tuple(row) for row in rows] == [(0, True), (1, True), (2, True)]
    assert rig.one("SELECT count(DISTINCT seed) FROM daily_days") == 3


def test_a_daily_table_has_no_chips_and_one_player(rig):
    table = enter(rig, rig.player())["table_id"]
    for change in (
        "stake = 10",
        "practice = false",
        "visibility = 'public', creator_id = 1",
        "watch_delay_ms = 0",
    ):
        with pytest.raises(psycopg2.errors.CheckViolation):
            rig.rows(f"UPDATE tables SET {change} WHERE id = %s", table)
    end(rig, table, 1)
    assert rig.one("SELECT rated FROM games WHERE table_id = %s", table) is False
    assert rig.proof() == []


def seen_board(rig, reader, variant="rummy51"):
    rows = rig.rows(
        f"SELECT code, body FROM q_daily_board(%s, {TODAY}, %s, NULL, NULL, NULL, 100)", reader, variant
    )
    return rows[0][0], json.loads(rows[0][1])["own"], [json.loads(row[1])["player_id"] for row in rows[1:]]


def test_unranked_accounts_see_no_board_before_the_day_is_over(rig):
    ranked, throw_away = rig.player(), rig.player()
    for player, points in ((ranked, 10), (throw_away, -40)):
        end(rig, enter(rig, player, ranked=player == ranked)["table_id"], points)
    assert seen_board(rig, ranked)[0] == "ok" and seen_board(rig, ranked)[2] == [str(ranked)]
    code, own, _ = seen_board(rig, throw_away)
    assert code == "daily_not_ranked"
    assert (own["points"], own["ranked"], own["rank"], own["percent"]) == (
        -40,
        False,
        None,
        None,
    ), "their result, not their place"
    assert rig.one("SELECT sum(plays_n) FROM deal_scores") == 1, "an unranked play is compared with no one"
    rank(rig, throw_away)
    assert seen_board(rig, throw_away)[0] == "daily_not_ranked", "decided when the play began"
    rig.rows("UPDATE deals SET opens_at = now()")
    code, own, listed = seen_board(rig, throw_away)
    assert code == "ok" and listed == [str(ranked)] and own["rank"] is None


WAYS = {
    "address": "UPDATE players SET email_verified_at = now() WHERE id = %s",
    "identity": "INSERT INTO identities (player_id, issuer, subject) VALUES (%s, 'https://id.example', 'x')",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_ranked_play_needs_a_proof_and_enough_games(rig, way):
    player = rig.player()

    def ranking():
        row = rig.row("SELECT ranked, proved, games, games_min FROM daily_ranking(%s)", player)
        assert json.loads(rig.one("SELECT body FROM q_daily_deals(%s)", player))["ranking"] == dict(row)
        return tuple(row)

    assert ranking() == (False, False, 0, 20)
    rig.rows(WAYS[way], player)
    assert ranking() == (False, True, 0, 20)
    for variant, period, games, bot in (
        ("rummy51", "all", 12, False),
        ("straight", "all", 7, False),
        ("rummy51", "2026-11", 12, False),
        ("points", "all", 9, True),
    ):
        rig.rows(
            "INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating, bot)"
            " VALUES (%s, %s, %s, %s, 0, 0, 0, 0, %s)",
            player,
            variant,
            period,
            games,
            bot,
        )
    assert ranking() == (False, True, 19, 20)
    rig.rows("UPDATE ratings SET games = games + 1 WHERE player_id = %s AND variant = 'straight'", player)
    assert ranking() == (True, True, 20, 20)
