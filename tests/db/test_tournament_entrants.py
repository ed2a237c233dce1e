"""Players who may no longer play leave a tournament while they have no seat in a round of it, without
ending it for others."""

import json
import uuid

import pytest
from support import tournament as oracle
from test_tournaments import KEY, announce, drawn, enter, games, shift, state, step, steps


def ban(rig, player):
    code = rig.one(
        "SELECT code FROM do_admin_ban(%s, %s, 'b', %s, true, 'cheats')", KEY, uuid.uuid4().hex, player
    )
    assert code == "ok"


def delete(rig, player):
    assert rig.one("SELECT code FROM deletion_begin(%s, NULL, NULL)", player) == "ok"


def exclude(rig, player, days=3):
    assert rig.one("SELECT code FROM do_set_limits(%s, NULL, NULL, %s)", player, days) == "ok"


# As written by code that ignores tournaments, so that only the start detects it.
def ban_unnoticed(rig, player):
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", player)


def delete_unnoticed(rig, player):
    rig.rows("INSERT INTO deletions (player_id, due_at) VALUES (%s, now() + interval '1 day')", player)


def exclude_unnoticed(rig, player):
    rig.rows(
        "SELECT set_limit(%s, 'exclusion', extract(epoch FROM now() + interval '3 days')::bigint)", player
    )


def people(rig, tournament):
    return sorted(
        player
        for (player,) in rig.rows(
            "SELECT player_id FROM tournament_entries WHERE tournament_id = %s AND player_id IS NOT NULL",
            tournament,
        )
    )


@pytest.mark.parametrize("bots", [0, 4])
@pytest.mark.parametrize("event", [ban, delete, exclude])
def test_barred_entrants_leave_a_sit_and_go_at_once_and_it_keeps_waiting(games, event, bots):
    tournament = announce(games, entry=10, most=4, bots=bots)
    players = [games.player() for _ in range(3)]
    for player in players:
        assert enter(games, player, tournament) == "ok"
    event(games, players[1])
    assert people(games, tournament) == [players[0], players[2]] and games.purse(players[1]) == (100, 0)
    assert (
        games.one("SELECT people_n FROM tournaments") == 2
        and step(games) == []
        and state(games, tournament) == "open"
    )
    for _ in range(2):
        assert enter(games, games.player(), tournament) == "ok"
    assert step(games) and state(games, tournament) == "running" and len(people(games, tournament)) == 4
    assert games.proof() == []


@pytest.mark.parametrize("event", [ban_unnoticed, delete_unnoticed, exclude_unnoticed])
@pytest.mark.parametrize("bots,gone", [(0, 1), (0, 4), (4, 4)])
def test_a_sit_and_go_full_of_barred_entrants_waits_for_others(games, event, bots, gone):
    """The start detects whatever was not detected before, and the tournament continues."""
    tournament = announce(games, entry=10, most=4, bots=bots)
    players = [games.player() for _ in range(4)]
    for player in players:
        assert enter(games, player, tournament) == "ok"
    for player in players[:gone]:
        event(games, player)
    assert step(games) and state(games, tournament) == "open" and people(games, tournament) == players[gone:]
    assert [games.purse(player)[0] for player in players] == [100] * gone + [90] * (4 - gone)
    assert step(games) == [], "it waits, and does not try again and again"
    for _ in range(gone):
        assert enter(games, games.player(), tournament) == "ok"
    assert step(games) and state(games, tournament) == "running" and games.proof() == []


def test_too_few_remaining_entrants_wait_again_even_with_bots(games):
    tournament = announce(games, entry=10, most=8, bots=8, least=2, wait=60)
    players = [games.player() for _ in range(2)]
    for player in players:
        assert enter(games, player, tournament) == "ok"
    ban_unnoticed(games, players[0])
    shift(games, tournament, 60)
    assert step(games) and state(games, tournament) == "open" and step(games) == []
    assert games.one("SELECT starts_at > now() + interval '50 seconds' FROM tournaments")
    assert enter(games, games.player(), tournament) == "ok"
    shift(games, tournament, 60)
    assert step(games) and state(games, tournament) == "running" and games.proof() == []


def test_entrants_barred_past_the_start_leave_a_scheduled_tournament(games):
    soon, later = (announce(games, entry=10, most=9, starts_s=seconds) for seconds in (3600, 86400 * 9))
    players = [games.player() for _ in range(3)]
    for player in players:
        assert [enter(games, player, one) for one in (soon, later)] == ["ok", "ok"]
    ban(games, players[0])
    delete(games, players[1])
    exclude(games, players[2])
    assert (people(games, soon), people(games, later)) == ([], [players[2]])
    assert [games.purse(player)[0] for player in players] == [100, 100, 90] and games.proof() == []


def test_barred_late_entrants_get_no_seat_and_are_not_in_the_draw(games):
    """Each draw names the entries from which its client seeds are made, and they match the standings."""
    tournament = announce(games, "knockout", 4, entry=10, most=100, starts_s=60, late=600)
    seeds = [uuid.uuid4().bytes for _ in range(7)]
    players = [games.player() for _ in range(7)]
    for player, seed in zip(players[:5], seeds, strict=False):
        assert enter(games, player, tournament, seed=seed) == "ok"
    ban_unnoticed(games, players[2])
    shift(games, tournament, 60)
    while step(games):
        pass
    for player, seed in zip(players[5:], seeds[5:], strict=True):
        assert enter(games, player, tournament, seed=seed) == "ok"
    ban_unnoticed(games, players[5])
    shift(games, tournament, 600)
    while step(games):
        pass
    assert sorted(no for table in drawn(games, tournament, 1).values() for no in table) == [1, 2, 4, 5, 7]
    told = json.loads(games.one("SELECT body FROM q_tournament(NULL, %s)", tournament))
    lines = [
        json.loads(row["body"])
        for row in games.rows(
            "SELECT body FROM q_tournament_standings(NULL, %s, NULL, NULL, NULL, 100)", tournament
        )[1:]
    ]
    sent = {line["entry"]: bytes.fromhex(line["client_seed"]) for line in lines}
    assert [draw["entries_to"] for draw in told["draws"]] == [5, 7]
    for draw in told["draws"]:
        assert (
            draw["clients"]
            == oracle.clients({no: seed for no, seed in sent.items() if no <= draw["entries_to"]}).hex()
        )
    assert games.purse(players[2]) == games.purse(players[5]) == (100, 0) and games.proof() == []


def test_without_late_entries_the_draws_list_all_entrants(games):
    tournament = announce(games, "swiss", 4, entry=0, most=16, size=2, bots=6, starts_s=60, late=600)
    for _ in range(3):
        assert enter(games, games.player(), tournament, seed=uuid.uuid4().bytes) == "ok"
    steps(games, tournament, lambda: games.one("SELECT late_until IS NULL AND round_no = 1 FROM tournaments"))
    lines = [
        json.loads(row["body"])
        for row in games.rows(
            "SELECT body FROM q_tournament_standings(NULL, %s, NULL, NULL, NULL, 100)", tournament
        )[1:]
    ]
    assert games.rows("SELECT entries_to, encode(clients, 'hex') FROM tournament_draws") == [
        [6, oracle.clients({line["entry"]: bytes.fromhex(line["client_seed"]) for line in lines}).hex()]
    ]
