"""A player's history in one variant: rating over time, averages, opponents. Games are settled by hand, as a
node would."""

import json

import pytest
from support.node import Node


@pytest.fixture(scope="module")
def node(cluster, database, server):
    it = Node(cluster, database)
    yield it
    it.connection.close()


def path(client, variant="rummy51"):
    return f"/v1/players/{client.player['id']}/variants/{variant}"


AVERAGES = ("place", "opened", "opening", "opening_turn", "sets", "runs", "cards_left")
NOTHING = {
    "games": 0,
    "averages": dict.fromkeys(AVERAGES),
    "same_deal": {"deals": 0, "percent": None, "better": None},
    "ratings": [],
    "rivals": [],
}


def test_a_player_without_games(guest):
    assert guest.get(path(guest)) == {"variant": "rummy51", **NOTHING}
    assert guest.get(path(guest, "rummy40")) == {"variant": "rummy40", **NOTHING}


def test_ratings_averages_and_rivals(guest, new_client, node, sql):
    ben, eva = new_client().guest(), new_client().guest()
    me, him, her = (client.player["id"] for client in (guest, ben, eva))
    games = [node.play(*seats)[1] for seats in ((me, him), (him, me), (me, him, her))]
    node.play(me)  # alone with bots: not rated, and not counted
    for game, facts in zip(
        games,
        (
            {"opening": 60, "opening_turn": 3, "sets": 2, "runs": 0},
            {"opening": 53, "opening_turn": 6, "sets": 0, "runs": 1},
        ),
    ):
        sql(
            "UPDATE game_players SET facts = %s WHERE game_id = %s AND player_id = %s",
            json.dumps(facts),
            game,
            me,
        )

    seen = guest.get(path(guest))
    assert seen["games"] == 3
    # Places 1, 2, 1; opened every time, with 60 and 53 points where known; one card left in the lost game.
    assert seen["averages"] == {
        "place": 1.33,
        "opened": 1,
        "opening": 56.5,
        "opening_turn": 4.5,
        "sets": 1,
        "runs": 0.5,
        "cards_left": 1,
    }
    ratings = seen["ratings"]
    assert [r["game_id"] for r in ratings] == games
    assert ratings == sorted(ratings, key=lambda r: r["at"])
    assert ratings[-1]["rating"] == guest.get("/v1/me")["rating"]["value"]
    assert ratings[0]["rating"] > ratings[1]["rating"] < ratings[2]["rating"]
    named = [(r["player_id"], r["nickname"], r["games"], r["ahead"], r["behind"]) for r in seen["rivals"]]
    assert named == [(him, ben.player["nickname"], 3, 2, 1), (her, eva.player["nickname"], 1, 1, 0)]
    assert eva.get(path(guest)) == seen, "everyone sees it"
    assert guest.get(path(guest, "rummy40"))["games"] == 0

    sql("UPDATE players SET deleted_at = now() WHERE id = %s", him)
    assert [r["player_id"] for r in guest.get(path(guest))["rivals"]] == [her]
    guest.call("GET", path(ben), status=404, code="player_unknown")


def test_only_the_latest_games_are_counted(guest, new_client, node, sql):
    other = new_client().guest()
    games = [node.play(guest.player["id"], other.player["id"])[1] for _ in range(3)]
    sql("UPDATE settings SET value = '2' WHERE name = 'statistics_games_max'")
    try:
        assert [r["game_id"] for r in guest.get(path(guest))["ratings"]] == games[1:]
    finally:
        sql("UPDATE settings SET value = '1000' WHERE name = 'statistics_games_max'")


@pytest.mark.parametrize("variant", ["bridge", "a" * 32])
def test_unknown_variants_are_refused(guest, variant):
    guest.call("GET", path(guest, variant), status=404, code="variant_unknown")


def test_malformed_variants_and_unknown_players_are_refused(guest):
    guest.call("GET", path(guest, "Rummy 51".replace(" ", "%20")), status=404, code="variant_unknown")
    guest.call("GET", "/v1/players/0/variants/rummy51", status=400, code="bad_parameter")
    guest.call("GET", "/v1/players/999999/variants/rummy51", status=404, code="player_unknown")
