"""Game constants that are settings instead of rules, and independence from order: of levels from the order
of points, of a season's end from the order of players."""

import random

import pytest
from db_rig import Rig
from support.chips import WELCOME_SILVER
from test_seasons import POSITION, end_season, line, outcome

SETTINGS = {
    "welcome_silver": WELCOME_SILVER,
    "welcome_gold": 0,
    "rating_games_min": 20,
    "season_days": 15,
    "solo_games_per_day": 20,
    "invite_gold": 30,
    "invited_gold": 10,
    "invite_games": 10,
    "invite_opponents": 3,
    "invite_chain_max": 3,
    "invites_paid_max": 50,
    "limit_loosen_s": 72 * 3600,
}


@pytest.mark.parametrize("name, value", SETTINGS.items())
def test_settings_match_the_numbers_of_the_rules(shared, name, value):
    assert shared.one("SELECT setting_int(%s)", name) == value


def test_a_new_account_has_the_welcome_silver_and_no_gold(shared):
    player = shared.one("SELECT do_create_player('guest', 'New', '')")
    assert shared.purse(player) == (WELCOME_SILVER, 0)
    assert [
        tuple(row)
        for row in shared.rows(
            "SELECT t.key, p.amount FROM postings p JOIN transfers t ON t.id = p.transfer_id"
            " WHERE p.account_id = account_purse(%s, 'silver')",
            player,
        )
    ] == [(f"welcome:{player}", WELCOME_SILVER)]


def test_the_fifty_first_invitation_is_not_paid(rig):
    ann = rig.player()
    rig.rows(
        "INSERT INTO invites (invited_id, inviter_id) SELECT do_create_player('registered', 'I' || n, ''), %s"
        " FROM generate_series(1, 51) n",
        ann,
    )
    rig.rows("UPDATE players SET email_verified_at = now() WHERE id <> %s", ann)
    rig.rows("UPDATE settings SET value = '0' WHERE name IN ('invite_games', 'invite_opponents')")
    while rig.one("SELECT do_counts_due(500)"):
        pass
    assert rig.rows("SELECT state, count(*) FROM invites GROUP BY 1 ORDER BY 1") == [
        ["over", 1],
        ["paid", 50],
    ]
    assert rig.purse(ann)[1] == 50 * 30 + 10 + 75, "and the achievements of one and of ten"
    assert rig.proof() == []


@pytest.mark.parametrize("seed", range(3))
def test_the_level_depends_only_on_the_points(shared, seed):
    """The same points at once, in equal pieces, or in random pieces give the same level, remainder, and
    gold."""
    shared.rows("UPDATE achievements SET gold = 0")
    rng = random.Random(seed)
    total = rng.randrange(1_000, 200_000)
    ends = []
    for way in ("one", "even", "random"):
        player, left = shared.player(silver=100), total
        while left > 0:
            piece = {"one": left, "even": total // 7 + 1, "random": rng.randrange(1, total // 3)}[way]
            shared.clover(player, min(piece, left))
            left -= min(piece, left)
        ends.append(
            tuple(shared.row("SELECT level, level_points, clover_points FROM players WHERE id = %s", player))
            + shared.purse(player)
        )
    assert ends[0] == ends[1] == ends[2] and ends[0][2] == total
    level, rest = ends[0][:2]
    assert (
        rest + shared.one("SELECT coalesce(sum(points_needed), 0) FROM levels WHERE level < %s", level)
        == total
    )
    assert ends[0][4] == shared.one("SELECT sum(reward_gold) FROM levels WHERE level <= %s", level)


def test_the_end_of_a_season_is_independent_of_player_order(cluster):
    """The same standings, with players created in another order and processed in other batches, give the
    same moves, places, and prizes."""
    rng = random.Random(11)
    people = []
    for league in POSITION:
        for n in range(16):
            games = rng.choice([0, 12, 30, 30, 35])
            people.append(
                (league, games, games * 50 + n * 17 if games else 0, rng.choice([1, 6, 12, 18, 27, 38]))
            )
    ended = []
    for batch, order in (
        (20000, range(len(people))),
        (3, reversed(range(len(people)))),
        (7, rng.sample(range(len(people)), len(people))),
    ):
        rig = Rig(cluster, cluster.new_database())
        rig.rows("UPDATE settings SET value = %s WHERE name = 'season_batch'", str(batch))
        rig.rows("UPDATE leagues SET relegate_places = 2 WHERE relegate_places IS NOT NULL")
        rig.rows("UPDATE leagues SET promote_places = 2 WHERE promote_places IS NOT NULL")
        ids = {
            i: line(rig, people[i][0], people[i][1], points=people[i][2], level=people[i][3]) for i in order
        }
        end_season(rig)
        ended.append({i: (outcome(rig, ids[i]), rig.purse(ids[i])) for i in range(len(people))})
        assert rig.proof() == []
        rig.close()
        cluster.drop_database(rig.name)
    assert ended[0] == ended[1] == ended[2]
    assert len({end[0][0] for end in ended[0].values()}) >= 5, "moves of many kinds"


def test_a_job_is_overdue_only_after_its_interval_and_grace_period(rig):
    every, grace = rig.row(
        "UPDATE jobs SET done_at = now() WHERE job = 'daily_bonus' RETURNING every_s, grace_s"
    )
    assert every > 0 and grace > 0

    def overdue(after_s):
        return rig.one(
            "SELECT overdue FROM q_jobs((SELECT done_at + make_interval(secs => %s) FROM jobs WHERE job ="
            " 'daily_bonus')) WHERE job = 'daily_bonus'",
            after_s,
        )

    assert [overdue(s) for s in (0, every + 1, every + grace, every + grace + 1)] == [
        False,
        False,
        False,
        True,
    ]
    back = int(rig.one("SELECT value FROM settings WHERE name = 'clock_back_max_s'"))
    assert [overdue(-back), overdue(-back - 1)] == [
        False,
        True,
    ], "done in the future: an operator has to check the clock"
