"""A tournament pays the prizes that it shows: random tournaments of every kind, compared with the ledger in
every state."""

import json
import random
import uuid

import pytest
from support import tournament as oracle
from test_tournaments import (
    KEY,
    announce,
    end_tables,
    enter,
    games,
    open_tables,
    shift,
    state,
    step,
    steps,
)

KINDS = ["knockout", "stages", "swiss", "teams"]


def shown(rig, tournament):
    told = json.loads(rig.one("SELECT body FROM q_tournament(NULL, %s)", tournament))
    operators = rig.one("SELECT admin_tournament_json(%s)", tournament)
    assert (told["pot"], told["prizes"]) == (operators["pot"], operators["prizes"]), "operators see the same"
    return told


def paid(rig, tournament):
    """{player: (silver, gold)} that the ledger moved out of the pot as prizes; silver above the cap counts,
    because it was won."""
    return {
        player: (silver, gold)
        for player, silver, gold in rig.rows(
            "SELECT a.player_id, coalesce(sum(o.amount) FILTER (WHERE a.currency = 'silver' AND o.reason ="
            " 'prize'), 0)::bigint, coalesce(sum(o.amount) FILTER (WHERE a.currency = 'gold'), 0)::bigint"
            " FROM transfers t JOIN postings o ON o.transfer_id = t.id JOIN accounts a ON a.id = o.account_id"
            " AND a.kind = 'purse' WHERE t.key LIKE %s GROUP BY a.player_id",
            f"prize:{tournament}:%",
        )
    }


def whole(told):
    """It shows the whole pot, each share rounded down and the remainder added to the first place."""
    shares = [prize["share"] for prize in told["prizes"]]
    assert [prize["place"] for prize in told["prizes"]] == list(range(1, len(shares) + 1))
    if told["kind"] == "teams" or told["state"] == "cancelled":
        assert shares == []
    else:
        assert sum(shares) == 10000 and [prize["chips"] for prize in told["prizes"]] == oracle.prizes(
            told["pot"], shares
        )


def random_table(rig, dice, name):
    """A prize table with odd percentages, for 1, 3, and 6 or more players."""
    flat = []
    for least in (1, 3, 6):
        cuts = sorted(dice.sample(range(1, 10000), dice.randint(0, least - 1)))
        ends = [0, *cuts, 10000]
        flat += [(least, place, ends[place] - ends[place - 1]) for place in range(1, len(ends))]
    assert (
        rig.one(
            "SELECT code FROM do_admin_prize_table(%s, %s, 'b', %s, %s::bigint[], %s::bigint[],"
            " %s::bigint[])",
            KEY,
            uuid.uuid4().hex,
            name,
            *[[row[n] for row in flat] for n in range(3)],
        )
        == "ok"
    )
    return name


def made(rig, dice, n):
    """A random tournament, and the number of players it may take."""
    kind, seats = KINDS[n % 4], dice.choice([2, 4] if n % 4 == 3 else [2, 3, 4])
    entry, late, bots = dice.choice([0, 1, 7, 11, 33]), dice.choice([0, 600]), dice.choice([0, 6])
    if kind == "teams":
        return announce(rig, kind, seats, entry=entry, most=2 * seats, bots=2 * seats), 2 * seats
    size = {"knockout": 1, "stages": 50, "swiss": 2}[kind]
    duplicate = kind != "knockout" and not late and dice.random() < 0.3
    prizes = random_table(rig, dice, f"odd{n}") if dice.random() < 0.7 else None
    return (
        announce(
            rig,
            kind,
            seats,
            entry=entry,
            most=40,
            size=size,
            starts_s=60,
            late=late,
            bots=bots,
            least=1,
            prizes=prizes,
            duplicate=duplicate,
        ),
        9,
    )


def come(rig, dice, tournament, n):
    for _ in range(n):
        assert (
            enter(
                rig, rig.player(silver=dice.choice([0, 5, 100]), gold=33), tournament, seed=dice.randbytes(16)
            )
            == "ok"
        )
        told = shown(rig, tournament)
        assert told["pot"] == told["entry"] * told["people"]
        whole(told)


@pytest.mark.parametrize("n", range(12))
def test_the_displayed_prizes_are_paid(games, n):
    dice = random.Random(n)
    tournament, most = made(games, dice, n)
    whole(shown(games, tournament))
    come(games, dice, tournament, dice.randint(2, most))
    steps(games, tournament, lambda: state(games, tournament) != "open")
    if shown(games, tournament)["late_until"]:
        come(games, dice, tournament, dice.randint(0, 3))
    before = None
    while state(games, tournament) == "running":
        shift(games, tournament)
        while step(games):
            shift(games, tournament)
        told = shown(games, tournament)
        whole(told)
        assert before in (None, (told["pot"], told["prizes"])), "fixed once entries are closed"
        before = told["pot"], told["prizes"]
        round_no = games.one("SELECT round_no FROM tournaments WHERE id = %s", tournament)
        if open_tables(games, tournament, round_no):
            end_tables(games, tournament, round_no, dice)
    assert state(games, tournament) == "ended"
    told, got = shown(games, tournament), paid(games, tournament)
    assert sum(map(sum, got.values())) == told["pot"], "all of it"
    people = games.rows(
        "SELECT player_id, place, prize_silver, prize_gold FROM tournament_entries WHERE tournament_id = %s"
        " AND player_id IS NOT NULL ORDER BY place, score DESC, margin DESC, entry_no",
        tournament,
    )
    assert {player: (silver, gold) for player, _, silver, gold in people if silver + gold} == got
    if told["kind"] == "teams":
        best = [row for row in people if row[1] == people[0][1]]
        assert [row[2] + row[3] for row in best] == oracle.equal_shares(told["pot"], len(best))
    else:
        assert [row[2] + row[3] for row in people if row[2] + row[3]] == [
            prize["chips"] for prize in told["prizes"] if prize["chips"]
        ]
    silver, gold = (sum(row[colour] for row in people) for colour in (2, 3))
    assert [(row[2], row[3]) for row in people] == oracle.colours(
        [row[2] + row[3] for row in people], silver, gold
    )
    assert games.proof() == []


def test_mixed_purses_share_a_pot_exactly(games):
    """Of 20 chips, 8 of them silver, 65% are 13; rounding each color separately would pay 6 + 8."""
    tournament = announce(games, "knockout", 4, entry=5, most=4, prizes=None)
    for silver, gold in ((5, 0), (3, 2), (0, 5), (0, 5)):
        assert enter(games, games.player(silver=silver, gold=gold), tournament) == "ok"
    assert [prize["chips"] for prize in shown(games, tournament)["prizes"]] == [13, 7]
    steps(
        games,
        tournament,
        lambda: open_tables(games, tournament, 1) and open_tables(games, tournament, 1)[0][1],
    )
    end_tables(games, tournament, 1, random.Random(1))
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert sorted(map(sum, paid(games, tournament).values())) == [7, 13] and games.proof() == []


def test_a_canceled_tournament_shows_no_prizes(games):
    tournament = announce(games, entry=10, most=4)
    for _ in range(3):
        enter(games, games.player(), tournament)
    assert (
        games.one(
            "SELECT code FROM do_admin_cancel_tournament(%s, %s, 'b', %s, 'no light')",
            KEY,
            uuid.uuid4().hex,
            tournament,
        )
        == "ok"
    )
    assert shown(games, tournament)["prizes"] == []
    while step(games):
        pass
    assert (shown(games, tournament)["prizes"], paid(games, tournament)) == ([], {})


def test_the_largest_pot_is_shared_without_a_chip_lost(games):
    """At the maximum size, 10,000 entries of a million."""
    tournament = announce(games, entry=1_000_000, most=10_000, starts_s=60)
    games.rows("UPDATE tournaments SET people_n = 10000 WHERE id = %s", tournament)
    told = shown(games, tournament)
    whole(told)
    assert sum(prize["chips"] for prize in told["prizes"]) == 10_000 * 1_000_000 and len(told["prizes"]) == 10
