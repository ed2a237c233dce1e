"""A match of two teams at two tables with the same deal: seating, the winner, and the prizes.
tests/support/tournament.py computes the expected results."""

import json
import random
import uuid

import psycopg2
import pytest
from support import tournament as oracle
from test_concurrency import at_once
from test_duplicates import end, seat_of, tables_of
from test_tournaments import (
    KEY,
    announce,
    enter,
    follow,
    games,
    open_tables,
    shift,
    state,
    step,
    steps,
)


def match(rig, teams, seats=2, entry=10, **more):
    """A match entered by players of these teams, with opened tables; its id and the players. Remaining seats
    are bots."""
    bots = 2 * seats if len(teams) < 2 * seats else 0
    tournament = announce(rig, "teams", seats, entry=entry, most=2 * seats, bots=bots, **more)
    people = [rig.player(silver=100, gold=0) for _ in teams]
    for player, team in zip(people, teams, strict=True):
        assert enter(rig, player, tournament, seed=uuid.uuid4().bytes, team=team) == "ok"
    shift(rig, tournament)
    while step(rig):
        pass
    return tournament, people


def play(rig, tournament, *points, left=()):
    """Ends both tables with these points by seat."""
    for (_, table, _), ends in zip(open_tables(rig, tournament, 1), points, strict=True):
        end(rig, table, ends, left)
    steps(rig, tournament, lambda: state(rig, tournament) == "ended")


def told(rig, tournament, player=1):
    return json.loads(rig.one("SELECT body FROM q_tournament(%s, %s)", player, tournament))


def made(rig, tournament):
    return [(row["points"], row["tables"], row["place"]) for row in told(rig, tournament)["teams"]]


def ends_of(rig, tournament):
    """[(team, place, prize)] in the order of the standings."""
    lines = [
        json.loads(row["body"])
        for row in rig.rows(
            "SELECT body FROM q_tournament_standings(1, %s, NULL, NULL, NULL, 100)", tournament
        )[1:]
    ]
    return [(line["team"], line["place"], line["prize_silver"] + line["prize_gold"]) for line in lines]


WAYS = [
    (2, 4, "straight", True),
    (2, 1, "rummy51", False),
    (4, 8, "treff", True),
    (4, 5, "rummy51", False),
    (4, 3, "deals2", True),
]


@pytest.mark.parametrize("seats,people,variant,high", WAYS)
def test_seats_points_winners_and_shares_match_the_oracle(games, seats, people, variant, high):
    dice = random.Random(f"{seats}{people}{variant}")
    tournament = announce(games, "teams", seats, entry=11, most=2 * seats, bots=2 * seats, variant=variant)
    for n in range(people):
        assert (
            enter(
                games,
                games.player(silver=dice.choice([0, 4, 100]), gold=11),
                tournament,
                seed=dice.randbytes(16),
                team=1 if n == 0 else None,
            )
            == "ok"
        )
    paid = games.row(
        "SELECT sum(paid_silver), sum(paid_gold) FROM tournament_entries WHERE tournament_id = %s", tournament
    )
    it = follow(games, tournament, dice, "teams", seats, None, best_high=high)
    assert made(games, tournament) == [it.made[1], it.made[2]] and told(games, tournament)["prizes"] == []
    rows = games.rows(
        "SELECT place, prize_silver, prize_gold FROM tournament_entries WHERE tournament_id = %s AND"
        " player_id IS NOT NULL ORDER BY place, score DESC, margin DESC, entry_no",
        tournament,
    )
    best = [row for row in rows if row[0] == rows[0][0]]
    paid = [int(pot) for pot in paid]
    assert [(row[1], row[2]) for row in best] == oracle.colours(
        oracle.equal_shares(sum(paid), len(best)), *paid
    )
    assert sum(row[1] + row[2] for row in rows) == 11 * people and games.proof() == []
    assert games.row("SELECT people_n, bots_n FROM tournaments WHERE id = %s", tournament) == [
        people,
        2 * seats - people,
    ]
    assert games.rows(
        "SELECT count(*) FROM tournament_entries WHERE tournament_id = %s GROUP BY team", tournament
    ) == [[seats], [seats]]
    assert games.one("SELECT bool_and(NOT rated) FROM games")


def test_each_hand_is_played_by_both_teams(games):
    tournament, _ = match(games, [2, 1, 2, 2, 1, 1, 2, 1], seats=4)
    assert [[seat["team"] for seat in row["seats"]] for row in tables_of(games, tournament)] == [
        [1, 2, 1, 2],
        [2, 1, 2, 1],
    ]
    assert {seat["place"] for row in tables_of(games, tournament) for seat in row["seats"]} == {None}


def test_the_result_matches_a_worked_example(games):
    """At table 1 team 1 has the first seat, at table 2 team 2: 30 + 40 against 10 + 5. The pot of 40 is that
    of team 1."""
    tournament, people = match(games, [1, 2, 1, 2])
    assert told(games, tournament)["teams"] is None and told(games, tournament)["duplicate"]
    assert {told(games, tournament, player)["own"]["team"] for player in people[::2]} == {1}
    play(games, tournament, [30, 10], [5, 40])
    assert made(games, tournament) == [(70, [30, 40], 1), (15, [10, 5], 3)]
    assert ends_of(games, tournament) == [(1, 1, 20), (1, 1, 20), (2, 3, 0), (2, 3, 0)]
    assert [games.purse(player)[0] for player in people] == [
        100,
        90,
        100,
        90,
    ], "10 of the 20 chips won exceed the silver cap"
    assert [item["percent"] for item in seat_of(games, tournament, 0)] == [
        100,
        0,
    ], "the same seat is compared as in any duplicate"
    results = games.rows(
        "SELECT data->>'team', data->>'silver' FROM notifications WHERE kind = 'tournament_result' ORDER BY"
        " player_id"
    )
    assert results == [["won", "20"], ["lost", "0"]] * 2 and games.proof() == []


def test_the_fewest_points_win_in_games_scored_that_way(games):
    tournament, _ = match(games, [1, 2, 1, 2], variant="rummy51")
    play(games, tournament, [-40, 100], [30, 20])
    assert made(games, tournament) == [(-20, [-40, 20], 1), (130, [100, 30], 3)]


def test_a_tie_shares_the_pot_and_odd_chips_go_to_the_first(games):
    """Three players have paid 11: of 33 each gets 11 back. If the teams are level, the bot's chips belong to
    no one."""
    tournament, _ = match(games, [1, 2, 1], entry=11)
    play(games, tournament, [30, 10], [30, 10])
    assert made(games, tournament) == [(40, [30, 10], 1), (40, [10, 30], 1)]
    ends = ends_of(games, tournament)
    assert (
        sorted(prize for _, _, prize in ends) == [0, 11, 11, 11]
        and {place for _, place, _ in ends} == {1}
        and games.proof() == []
    )
    assert {
        team
        for [team] in games.rows("SELECT data->>'team' FROM notifications WHERE kind = 'tournament_result'")
    } == {"level"}


def test_an_odd_chip_goes_to_the_first_in_the_standings(games):
    """Of 33 the two of the better team get 17 and 16: the extra one goes to the first in the standings."""
    tournament, _ = match(games, [2, 2, 1], entry=11)
    play(games, tournament, [10, 30], [70, 20])
    assert made(games, tournament) == [(30, [10, 20], 3), (100, [30, 70], 1)]
    assert (
        ends_of(games, tournament) == [(2, 1, 17), (2, 1, 16), (1, 3, 0), (1, 3, 0)] and games.proof() == []
    )


def test_if_bots_win_the_human_players_share_the_pot(games):
    tournament, people = match(games, [1, 1], entry=11)
    play(games, tournament, [0, 90], [90, 0])
    assert ends_of(games, tournament) == [(2, 1, 0), (2, 1, 0), (1, 3, 11), (1, 3, 11)]
    assert [games.purse(player)[0] for player in people] == [100, 100] and games.proof() == []


def test_a_bot_continues_for_a_player_who_leaves(games):
    """Leaving costs the team no more than the cards do. Otherwise a player could sell the match by
    leaving."""
    tournament, _ = match(games, [1, 2, 1, 2])
    play(games, tournament, [30, 10], [5, 40], left=(0,))
    assert made(games, tournament) == [(70, [30, 40], 1), (15, [10, 5], 3)]


def test_a_table_without_a_result_counts_as_level(games):
    """Its cards have been seen, so it is not replayed. Only the other table decides which team did better
    with the cards."""
    tournament, _ = match(games, [1, 2, 1, 2])
    one, two = (table for _, table, _ in open_tables(games, tournament, 1))
    games.start(one)
    assert games.cancel(one) == "ok"
    end(games, two, [50, 10])
    steps(games, tournament, lambda: state(games, tournament) == "ended")
    assert made(games, tournament) == [(None, [None, 10], 1), (None, [None, 50], 1)]
    assert (
        ends_of(games, tournament) == [(team, 1, 10) for team, _, _ in ends_of(games, tournament)]
        and games.proof() == []
    )


def test_an_entrant_without_a_team_joins_the_smaller_one(games):
    tournament = announce(games, "teams", 4, most=8)
    a, b, c, d = (games.player() for _ in range(4))

    def team(player):
        return told(games, tournament, player)["own"]["team"]

    assert [enter(games, player, tournament) for player in (a, b)] == ["ok"] * 2 and (team(a), team(b)) == (
        1,
        2,
    )
    assert (
        enter(games, c, tournament, team=2) == "ok"
        and enter(games, d, tournament) == "ok"
        and (team(c), team(d)) == (2, 1)
    )
    assert enter(games, c, tournament, team=1) == "ok" and team(c) == 2, "existing entries remain"
    assert games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", c, tournament) == "ok"
    assert enter(games, c, tournament, team=1) == "ok" and team(c) == 1 and games.proof() == []


def test_a_full_team_has_room_again_after_a_withdrawal(games):
    tournament = announce(games, "teams", 2, most=4)
    players = [games.player() for _ in range(5)]
    assert [enter(games, player, tournament, team=2) for player in players[:3]] == ["ok", "ok", "team_full"]
    assert games.purse(players[2]) == (100, 0)
    assert games.one("SELECT code FROM do_withdraw_tournament(%s, %s)", players[0], tournament) == "ok"
    assert [enter(games, player, tournament, team=2) for player in players[2:4]] == ["ok", "team_full"]
    assert [enter(games, player, tournament) for player in players[3:5]] == ["ok", "ok"] and step(games)
    assert enter(games, games.player(), tournament, team=1) == "entries_closed"
    assert enter(games, players[0], announce(games), team=1) == "not_teams" and games.proof() == []


def test_concurrent_entries_fill_the_last_places_of_a_team_once(games):
    tournament = announce(games, "teams", 2, most=4)
    players = [games.player() for _ in range(6)]
    codes = at_once(
        games,
        *[lambda via, who=who: enter(games, who, tournament, via=via, team=1) for who in players + players],
    )
    assert sorted(set(map(str, codes))) == ["ok", "team_full"]
    assert (
        games.one("SELECT count(*) FROM tournament_entries WHERE team = 1")
        == games.one("SELECT people_n FROM tournaments")
        == 2
    )
    assert (
        sorted(games.purse(player)[0] for player in players) == [90] * 2 + [100] * 4 and games.proof() == []
    )


def test_a_match_does_not_start_until_both_teams_are_full(games):
    """Without bots both teams must be full; a team with a barred player is not full."""
    tournament = announce(games, "teams", 2, most=4, starts_s=60)
    players = [games.player() for _ in range(4)]
    assert [enter(games, player, tournament) for player in players] == ["ok"] * 4
    games.rows("UPDATE players SET banned_at = now() WHERE id = %s", players[0])
    steps(games, tournament, lambda: state(games, tournament) == "cancelled")
    assert (
        [games.purse(player)[0] for player in players] == [100] * 4
        and told(games, tournament)["teams"] is None
        and games.proof() == []
    )


def test_invalid_settings_are_refused_by_name(games):
    for seats, most, more in (
        (3, 6, {}),
        (6, 12, {"starts_s": 60}),
        (2, 8, {}),
        (4, 4, {}),
        (2, 4, {"bots": 3}),
        (2, 4, {"least": 3}),
        (2, 4, {"duplicate": False}),
        (2, 4, {"prizes": "standard"}),
        (2, 4, {"late": 5, "starts_s": 60}),
        (2, 4, {"variant": "chess"}),
    ):
        assert announce(games, "teams", seats, most=most, **more) == "tournament_teams", (seats, most, more)
    assert games.one("SELECT count(*) FROM tournaments") == 0


def test_constraints_of_the_database_refuse_invalid_matches(games):
    announce(games, "teams", 2, most=4, duplicate=True)
    for wrong in (
        "prize_table = 'standard'",
        "entries_max = 8",
        "seats_n = 4",
        "duplicate = false, deal_commit = NULL",
        "kind = 'knockout', advance_n = 1",
    ):
        with pytest.raises(psycopg2.errors.CheckViolation):
            games.rows(f"UPDATE tournaments SET {wrong}")


def test_a_match_ended_after_rollbacks_has_the_same_result(games):
    """The steps that count and pay are rolled back, and repeated: the same places and prizes, once."""
    tournament, _ = match(games, [1, 2, 1, 2])
    for (_, table, _), points in zip(open_tables(games, tournament, 1), ([30, 10], [5, 40]), strict=True):
        end(games, table, points)
    seen = []
    for again in range(3):
        games.rows("BEGIN")
        for _ in range(2):
            shift(games, tournament)
            assert step(games)
        seen.append((ends_of(games, tournament), made(games, tournament)))
        games.rows("ROLLBACK" if again < 2 else "COMMIT")
    assert seen[0] == seen[1] == seen[2] and state(games, tournament) == "ended" and step(games) == []
    assert games.one("SELECT count(*) FROM transfers WHERE cause = 'prize'") == 2 and games.proof() == []


def test_canceling_a_running_match_refunds_every_entry(games):
    tournament, people = match(games, [1, 2, 1, 2])
    one, two = (table for _, table, _ in open_tables(games, tournament, 1))
    end(games, one, [30, 10])
    code = games.one(
        "SELECT code FROM do_admin_cancel_tournament(%s, %s, 'b', %s, 'no light')",
        KEY,
        uuid.uuid4().hex,
        tournament,
    )
    assert (code, games.cancel(two)) == ("ok", "ok")
    while step(games):
        pass
    assert state(games, tournament) == "cancelled" and told(games, tournament)["teams"] is None
    assert [games.purse(player)[0] for player in people] == [100] * 4 and games.proof() == []
    assert {place for _, place, _ in ends_of(games, tournament)} == {None}
