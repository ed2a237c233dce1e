"""Tournaments in which all tables of a round play one deal: a deal that no one can choose, seats compared
with the same seat elsewhere, and secrecy until the round is over. tests/support/tournament.py computes the
expected results."""

import json
import random
import uuid

import psycopg2
import pytest
from support import tournament as oracle
from test_concurrency import at_once
from test_tournaments import (
    KEY,
    announce,
    drawn,
    end_tables,
    enter,
    follow,
    games,
    open_tables,
    shift,
    state,
    step,
    steps,
)

ROUNDS = "SELECT round_no FROM tournaments WHERE id = %s"


def begun(rig, people, kind="swiss", seats=2, size=2, variant="straight", **more):
    """Creates a duplicate tournament and draws and opens its first round."""
    tournament = announce(
        rig, kind, seats, entry=10, most=64, size=size, starts_s=60, duplicate=True, variant=variant, **more
    )
    for _ in range(people):
        assert enter(rig, rig.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    shift(rig, tournament, 60)
    while step(rig):
        pass
    return tournament


def end(rig, table, points, left=()):
    """Plays a table that ends with these points by seat; most points win."""
    assert rig.start(table)["code"] == "ok"
    places = [1 + sum(other > own for other in points) for own in points]
    rows = rig.settle(table, places, points=points, left=[seat in left for seat in range(len(points))])
    assert {row["code"] for row in rows} == {"ok"}


def tables_of(rig, tournament, round_no=1):
    rows = rig.rows(
        "SELECT body FROM q_tournament_tables(1, %s, %s, NULL, NULL, NULL, 100)", tournament, round_no
    )
    return [json.loads(row["body"]) for row in rows[1:]]


def seat_of(rig, tournament, seat, limit=100, round_no=1):
    """All pages of the results in a seat."""
    rank, items = None, []
    while True:
        rows = rig.rows(
            "SELECT * FROM q_tournament_seat(1, %s, %s, %s, %s, NULL, NULL, %s)",
            tournament,
            round_no,
            seat,
            rank,
            limit,
        )
        if rows[0]["code"] != "ok":
            return rows[0]["code"]
        items += [json.loads(row["body"]) for row in rows[1:]]
        if len(rows) <= limit:
            return items
        rank = rows[-1]["at1"]


def worth(rig, tournament, round_no=1):
    """{table: [(score, margin) by seat]} of a round."""
    by_table = {}
    for table, score, margin in rig.rows(
        "SELECT table_no, score, margin FROM tournament_seats WHERE tournament_id = %s AND round_no = %s"
        " ORDER BY table_no, seat",
        tournament,
        round_no,
    ):
        by_table.setdefault(table, []).append((score, margin))
    return by_table


WAYS = [
    ("swiss", 4, 3, 16, "straight", True),
    ("swiss", 4, 3, 14, "rummy51", False),
    ("swiss", 2, 4, 9, "points", False),
    ("swiss", 3, 2, 10, "deals2", True),
    ("stages", 4, 50, 16, "treff", True),
    ("stages", 4, 75, 13, "pool101", False),
    ("stages", 2, 50, 9, "rami", False),
    ("swiss", 4, 2, 4, "straight", True),
]


@pytest.mark.parametrize("kind,seats,size,people,variant,high", WAYS)
def test_deals_draws_and_places_match_the_oracle(games, kind, seats, size, people, variant, high):
    dice = random.Random(f"{kind}{seats}{people}{variant}")
    tournament = announce(
        games, kind, seats, entry=10, most=64, size=size, starts_s=60, duplicate=True, variant=variant
    )
    for _ in range(people):
        assert (
            enter(games, games.player(), tournament, seed=dice.randbytes(dice.choice([16, 20, 32]))) == "ok"
        )
    it = follow(games, tournament, dice, kind, seats, size, best_high=high)
    assert it.over and games.proof() == [] and step(games) == []
    assert games.one("SELECT count(*) FROM tournament_deals") == games.one(
        "SELECT max(round_no) FROM tournament_draws"
    )
    told = json.loads(games.one("SELECT body FROM q_tournament(1, %s)", tournament))
    assert [deal["round"] for deal in told["deals"]] == list(range(1, it.round + 1)) and told["duplicate"]
    lines = [
        json.loads(row["body"])
        for row in games.rows(
            "SELECT body FROM q_tournament_standings(1, %s, NULL, NULL, NULL, 100)", tournament
        )[1:]
    ]
    assert all(
        oracle.exactly(line["percent"], 100 * sum(it.beaten[line["entry"]]) / len(it.beaten[line["entry"]]))
        for line in lines
    )


def test_scores_match_a_worked_example(games):
    """Three tables of two: in the first seat 30 beats 20 beats 10; in the second seat the player with the
    best result left early, and the other two are level."""
    tournament = begun(games, 6)
    for (_, table, _), points, left in zip(
        open_tables(games, tournament, 1), ([30, 5], [20, 5], [10, 90]), ((), (), (1,)), strict=True
    ):
        end(games, table, points, left)
    while step(games):
        pass
    assert worth(games, tournament) == {
        1: [(120, 600), (90, -1700)],
        2: [(60, 0), (90, -1700)],
        3: [(0, -600), (0, 3400)],
    }
    first, second = seat_of(games, tournament, 0), seat_of(games, tournament, 1)
    assert [(item["table"], item["points"], item["percent"]) for item in first] == [
        (1, 30, 100),
        (2, 20, 50),
        (3, 10, 0),
    ]
    assert [(item["table"], item["points"], item["percent"]) for item in second] == [
        (1, 5, 75),
        (2, 5, 75),
        (3, 90, 0),
    ]
    assert seat_of(games, tournament, 0, limit=1) == first and seat_of(games, tournament, 5) == []
    of_seat = {item["player_id"]: item for item in first + second}
    same = {player: games.one("SELECT same_deal_result(%s, 'straight')", player) for player in of_seat}
    assert {player: one["deals"] for player, one in same.items()} == dict.fromkeys(of_seat, 1)
    assert all(one["percent"] == of_seat[player]["percent"] for player, one in same.items())
    better = [same[item["player_id"]]["better"] for item in first + second]
    assert better == [
        15,
        0,
        -15,
        0,
        0,
        None,
    ], "among the second seats 5 ties with 5, and the player who left does not count"


def test_the_fewest_points_are_best_in_games_scored_that_way(games):
    tournament = begun(games, 4, variant="rummy51")
    for (_, table, _), points in zip(open_tables(games, tournament, 1), ([-40, 100], [30, 20]), strict=True):
        end(games, table, points)
    while step(games):
        pass
    assert worth(games, tournament) == {1: [(120, 2100), (0, -2400)], 2: [(0, -2100), (120, 2400)]}


def test_tables_of_equal_size_are_compared_among_themselves(games):
    """Five players at tables of three make one table of three and one of two. No seat has one to compare
    with, so each gets half, whatever its points."""
    tournament = begun(games, 5, seats=3)
    for _, table, n in open_tables(games, tournament, 1):
        end(games, table, [90, 10, 50][:n])
    while step(games):
        pass
    assert worth(games, tournament) == {1: [(60, 0)] * 3, 2: [(60, 0)] * 2}
    assert [(item["seats"], item["percent"]) for item in seat_of(games, tournament, 0)] == [(3, 50), (2, 50)]


def test_a_bye_scores_half(games):
    tournament = begun(games, 3, size=1)
    [(_, table, _)] = open_tables(games, tournament, 1)
    end(games, table, [10, 0])
    while step(games):
        pass
    assert worth(games, tournament) == {1: [(60, 0), (60, 0)], 2: [(60, 0)]}


def test_nothing_is_disclosed_before_all_tables_are_over(games):
    tournament = begun(games, 4)
    one, two = (table for _, table, _ in open_tables(games, tournament, 1))
    end(games, one, [30, 10])
    seats = [seat for row in tables_of(games, tournament) for seat in row["seats"]]
    assert [(row["over"], row["watch"], row["game_id"]) for row in tables_of(games, tournament)] == [
        (True, False, None),
        (False, False, None),
    ]
    assert {seat[name] for seat in seats for name in ("place", "points", "score", "margin", "percent")} == {
        None
    }
    assert seat_of(games, tournament, 0) == "deal_not_open"
    assert not games.one(
        "SELECT deal_is_open(deal_id) FROM tournament_deals WHERE tournament_id = %s", tournament
    )
    assert not games.rows("SELECT id FROM q_lobby(100) WHERE kind = 'table'"), "no one may watch either"
    assert games.one("SELECT bool_and(NOT rated) FROM games")
    end(games, two, [10, 30])
    assert seat_of(games, tournament, 0) == "deal_not_open", "not counted yet"
    assert step(games)
    assert [item["percent"] for item in seat_of(games, tournament, 0)] == [100, 0]
    assert all(row["game_id"] for row in tables_of(games, tournament))
    shift(games, tournament)
    while step(games):
        pass
    assert (
        seat_of(games, tournament, 0, round_no=2) == "deal_not_open"
        and len(seat_of(games, tournament, 0)) == 2
    )
    assert games.one("SELECT count(DISTINCT server_seed) FROM tables") == 2, "one for each round"


def test_a_table_whose_cards_were_seen_is_not_played_again(games):
    """Its seats get half, and the other tables are compared without it."""
    tournament = begun(games, 6)
    one, two, three = (table for _, table, _ in open_tables(games, tournament, 1))
    assert games.cancel(one) == "ok"
    while step(games):
        pass
    one_again = open_tables(games, tournament, 1)[0][1]
    assert one_again != one, "no one had seen the cards yet"
    games.start(one_again)
    assert games.cancel(one_again) == "ok"
    end(games, two, [30, 10])
    end(games, three, [20, 10])
    while step(games):
        pass
    assert worth(games, tournament) == {1: [(60, 0)] * 2, 2: [(120, 300), (60, 0)], 3: [(0, -300), (60, 0)]}
    assert [(item["table"], item["points"], item["percent"]) for item in seat_of(games, tournament, 0)] == [
        (2, 30, 100),
        (3, 20, 0),
        (1, None, 50),
    ]


def test_cards_are_shown_once_the_tournament_is_canceled(games):
    tournament = begun(games, 4)
    one, two = (table for _, table, _ in open_tables(games, tournament, 1))
    end(games, one, [30, 10])
    code = games.one(
        "SELECT code FROM do_admin_cancel_tournament(%s, %s, 'b', %s, 'no light')",
        KEY,
        uuid.uuid4().hex,
        tournament,
    )
    assert code == "ok"
    assert games.cancel(two) == "ok"
    while step(games):
        pass
    assert (
        state(games, tournament) == "cancelled"
        and tables_of(games, tournament)[0]["game_id"]
        and games.proof() == []
    )


def test_incompatible_settings_are_refused_by_name(games):
    refused = "tournament_duplicate"
    assert announce(games, "knockout", duplicate=True) == refused
    assert announce(games, "swiss", most=100, starts_s=60, late=5, duplicate=True) == refused
    assert announce(games, "stages", variant="chess", duplicate=True) == refused
    assert games.one("SELECT count(*) FROM tournaments") == 0
    plain = announce(games, "swiss")
    assert (
        isinstance(plain, int)
        and seat_of(games, plain, 0) == "not_duplicate"
        and seat_of(games, 999, 0) == "no_such_tournament"
    )
    with pytest.raises(psycopg2.errors.CheckViolation):
        games.rows("UPDATE tournaments SET duplicate = true")


def test_tables_of_house_bots_alone_have_the_same_client_seed(games):
    """So that bots at these tables make the same random choices, whoever sits there."""
    tournament = announce(
        games, "swiss", 4, entry=0, most=16, size=2, bots=16, least=0, starts_s=5, duplicate=True
    )
    follow(games, tournament, random.Random(5), "swiss", 4, 2, best_high=True)
    assert games.proof() == []


def test_many_nodes_create_one_deal_per_round(games):
    tournament = begun(games, 8, kind="stages", seats=2, size=50)
    dice = random.Random(8)
    for _ in range(60):
        shift(games, tournament)
        done = at_once(games, *[lambda via: step(games, via=via) for _ in range(4)])
        assert not [error for error in done if isinstance(error, Exception)], done
        round_no = games.one(ROUNDS, tournament)
        if all(table for _, table, _ in open_tables(games, tournament, round_no)):
            end_tables(games, tournament, round_no, dice)
        if state(games, tournament) == "ended":
            break
    assert state(games, tournament) == "ended" and games.proof() == []
    rows = games.rows(
        "SELECT k.round_no, count(DISTINCT b.deal_id), count(DISTINCT b.server_seed) FROM tournament_tables k"
        " JOIN tables b ON b.id = k.table_id GROUP BY k.round_no ORDER BY 1"
    )
    assert (
        rows == [[n, 1, 1] for n in range(1, len(rows) + 1)]
        and len(rows) == games.one("SELECT count(*) FROM deals") == 3
    )
    assert games.one("SELECT count(*) FROM deals WHERE opens_at = 'infinity'") == 0


def test_a_round_counted_after_rollbacks_gives_the_same_scores(games):
    """The step that counts a round is rolled back and repeated: the scores are the same, and counted
    once."""
    tournament = begun(games, 6)
    end_tables(games, tournament, 1, random.Random(4))
    seen = []
    for _ in range(3):
        games.rows("BEGIN")
        assert step(games)
        seen.append(
            (
                worth(games, tournament),
                games.rows("SELECT entry_no, score, margin FROM tournament_entries ORDER BY 1"),
            )
        )
        games.rows("ROLLBACK")
        assert worth(games, tournament) != seen[0][0] and seat_of(games, tournament, 0) == "deal_not_open"
    assert step(games)
    seen.append(
        (
            worth(games, tournament),
            games.rows("SELECT entry_no, score, margin FROM tournament_entries ORDER BY 1"),
        )
    )
    assert all(one == seen[0] for one in seen)
    steps(games, tournament, lambda: games.one(ROUNDS, tournament) == 2)
    assert len(drawn(games, tournament, 2)) == 3


def test_an_entry_fee_needs_the_operator_s_permission(games):
    """A player could try the deal with a second account, so by default a duplicate tournament has no
    prizes."""
    for kind, size in (("swiss", 2), ("stages", 50)):
        assert (
            announce(games, kind, 4, entry=10, size=size, duplicate=True, fees=False)
            == "duplicate_prizes_off"
        )
        assert isinstance(announce(games, kind, 4, entry=0, size=size, duplicate=True, fees=False), int)
        assert isinstance(announce(games, kind, 4, entry=10, size=size, fees=False), int), "own cards"
    assert announce(games, "teams", 2, entry=10, most=4, fees=False) == "duplicate_prizes_off"
    assert isinstance(announce(games, "swiss", 4, entry=10, size=2, duplicate=True, fees=True), int)
    games.rows("UPDATE settings SET value = 'yes' WHERE name = 'duplicate_prizes'")
    with pytest.raises(Exception, match="setting duplicate_prizes must be on or off"):
        announce(games, "swiss", 4, entry=10, size=2, duplicate=True, fees=False)
