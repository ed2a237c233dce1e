"""Matches of two teams at live tables, with human players and house bots: verified from public data."""

import asyncio

import pytest
from support import tournament
from support.after import verify
from support.table import Player
from test_duplicates import first_cards, own, server
from test_tournaments import announce, operator, take_part

WAYS = [
    (2, [1, 2, 2, 1], {"variant": "points", "options": {}}),
    (4, [2, 2, 1], {"bots_to": 8}),
    (2, [1], {"bots_to": 4, "variant": "rummy51", "options": {}}),
]


@pytest.mark.parametrize("seats,teams,more", WAYS)
def test_a_team_match_is_played_to_its_end(server, operator, seats, teams, more):
    number = announce(operator, kind="teams", seats=seats, entry=11, **{"entries_max": 2 * seats, **more})
    players = [Player(server, f"P{n}") for n in range(len(teams))]
    for player, team in zip(players, teams, strict=True):
        answer = player.post(
            f"/tournaments/{number}/entries", {"team": team, "client_seed": "00" * 15 + f"{team:02x}"}
        )
        assert (answer.status_code, answer.json()["team"]) == (201, team)
    assert players[0].get(f"/tournaments/{number}").json()["teams"] is None
    operator.begin(number)

    async def all_of_them():
        return await asyncio.wait_for(
            asyncio.gather(*(take_part(player, number, True) for player in players)), 120
        )

    assert [len(tables) for tables in asyncio.run(all_of_them())] == [1] * len(players)
    told, standings = tournament.prove(players[0].get, number)
    assert (told["state"], told["people"], told["pot"]) == ("ended", len(teams), 11 * len(teams)) and len(
        standings
    ) == 2 * seats
    assert [own(player, number)["team"] for player in players] == teams
    rows = tournament.all_of(players[0].get, f"/tournaments/{number}/rounds/1/tables")
    records = [Player(server).get(f"/games/{row['game_id']}/record").text for row in rows]
    assert all(verify(record) > 0 for record in records) and first_cards(records[0]) == first_cards(
        records[1]
    )
    ours, theirs = ([seat["team"] for seat in row["seats"]] for row in rows)
    assert ours == [1, 2] * (seats // 2) and theirs == [2, 1] * (seats // 2)
    assert [player.get("/notifications").json()["items"][0]["kind"] for player in players] == [
        "tournament_result"
    ] * len(players)


def test_refused_entries_get_the_reason(server, operator):
    number = announce(operator, kind="teams", seats=2)
    players = [Player(server, f"P{n}") for n in range(3)]

    def enter(player, of, **body):
        answer = player.post(f"/tournaments/{of}/entries", body)
        return answer.status_code, answer.json().get("code") or answer.json().get("team")

    assert enter(players[0], number, team=1) == (201, 1) and enter(players[1], number, team=1) == (201, 1)
    assert enter(players[2], number, team=1) == (409, "team_full") and enter(
        players[2], announce(operator), team=1
    ) == (409, "not_teams")
    assert [enter(players[2], number, team=team)[0] for team in (0, 3, "1", 1.5)] == [422] * 4
    assert players[2].get(f"/tournaments/{number}").json()["own"] is None
    assert enter(players[2], number) == (201, 2), "a player without a choice joins the smaller team"
