"""Finished games: the list, one game, its record. Games are settled by hand, as a node would."""

import uuid

import pytest
from support.contract import a_name
from support.node import COMMIT, RECORD, SEED, Node

SHARES_SERVER = True


@pytest.fixture(scope="module")
def node(cluster, database, server):
    it = Node(cluster, database)
    yield it
    it.connection.close()


def test_no_games_yet(guest):
    assert guest.get("/v1/games") == {"items": [], "next": None}


def test_a_finished_game(guest, new_client, anyone, node):
    table, game = node.play(guest.player["id"])
    item = guest.get("/v1/games")["items"][0]
    assert (item["id"], item["table_id"], item["room"]) == (game, table, "desert")
    assert (item["place"], item["game_points"], item["clover"]) == (1, 100, 100)
    # 10 silver won; the 10 gold for the new level do not count as winnings.
    assert (item["silver"], item["gold"]) == (10, 0)
    assert not item["rated"] and not item["practice"]
    opponents = [(o["nickname"], o["bot"], o["place"]) for o in item["opponents"]]
    assert (
        len(opponents) == 3 and opponents[0] == ("Otto", True, 2) and [o[2] for o in opponents] == [2, 3, 4]
    )

    shown = guest.get(f"/v1/games/{game}")
    assert shown["ending"] == "out" and [r["place"] for r in shown["results"]] == [1, 2, 3, 4]
    mine, other = shown["results"][:2]
    assert (mine["player_id"], mine["bot"], mine["silver"], mine["silver_lost"]) == (
        guest.player["id"],
        False,
        10,
        0,
    )
    assert (other["player_id"], other["bot"], other["nickname"], other["silver"]) == (
        None,
        True,
        "Otto",
        None,
    )
    assert shown["results"][3]["left"]
    fairness = shown["fairness"]
    assert fairness["server_seed"] == SEED.hex() and fairness["commit"] == COMMIT.hex()
    assert fairness["client_seeds"] == ["63" * 16, "", "", ""] and fairness["table_id"] == table

    stranger = new_client().guest()
    seen = stranger.get(f"/v1/games/{game}")
    assert all(r["silver"] is None and r["gold"] is None for r in seen["results"])
    assert anyone.get(f"/v1/games/{game}") == seen, "without an account, the same"
    assert anyone.call("GET", f"/v1/games/{game}/record", status=200).text == RECORD
    assert stranger.get("/v1/games")["items"] == []


def test_a_game_of_a_private_table_is_visible_only_to_its_players(guest, new_client, anyone, node, sql):
    """Game ids are sequential; a forbidden one is indistinguishable from one that does not exist."""
    other, stranger = new_client().guest(), new_client().guest()
    table, game = node.play(guest.player["id"], other.player["id"])
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/record"):
        stranger.call("GET", path, status=200)
    sql(
        "UPDATE tables SET visibility = 'private', room_id = NULL, creator_id = %s, code = 'ABCDEFGH' WHERE"
        " id = %s",
        guest.player["id"],
        table,
    )
    for player in (guest, other):
        assert player.get(f"/v1/games/{game}")["fairness"]["server_seed"] == SEED.hex()
        assert player.call("GET", f"/v1/games/{game}/record", status=200).text == RECORD
    for path in ("", "/record", "/record?hand=1"):
        anyone.call("GET", f"/v1/games/{game}{path}", status=404, code="no_such_game")
        refused = stranger.call("GET", f"/v1/games/{game}{path}", status=404, code="no_such_game").json()
        nothing = stranger.call("GET", f"/v1/games/999999{path}", status=404, code="no_such_game").json()
        assert {**refused, "instance": "", "trace_id": ""} == {**nothing, "instance": "", "trace_id": ""}


def test_a_game_of_a_club_table_is_visible_to_members_and_its_players(guest, new_client, node, sql):
    owner, stranger = (
        new_client().register(f"{uuid.uuid4().hex}@example.org", "seven sleeping camels"),
        new_client().guest(),
    )
    club = owner.call(
        "POST",
        "/v1/clubs",
        {"name": a_name("Owls")},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=201,
    ).json()["id"]
    table, game = node.play(guest.player["id"])
    sql(
        "UPDATE tables SET visibility = 'public', room_id = NULL, creator_id = %s, club_id = %s WHERE id"
        " = %s",
        owner.player["id"],
        club,
        table,
    )
    for path in ("", "/record"):
        for reader in (guest, owner):
            reader.call("GET", f"/v1/games/{game}{path}", status=200)
        stranger.call("GET", f"/v1/games/{game}{path}", status=404, code="no_such_game")


def test_a_record_is_plain_text(guest, node):
    _, game = node.play(guest.player["id"])
    answer = guest.call("GET", f"/v1/games/{game}/record", status=200)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == RECORD


def test_a_record_has_a_file_name_chosen_by_the_server(guest, node):
    _, game = node.play(guest.player["id"])
    for query, name in (("", f"game-{game}.txt"), ("?hand=1", f"game-{game}-hand-1.txt")):
        answer = guest.call("GET", f"/v1/games/{game}/record{query}", status=200)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert "Content-Disposition" not in guest.call("GET", f"/v1/games/{game}", status=200).headers
    assert "Content-Disposition" not in guest.call("GET", "/v1/games/999999/record", status=404).headers


def test_a_long_record_is_returned_whole(guest, node):
    record = "x" * 400_000 + "\n"
    _, game = node.play(guest.player["id"], record=record)
    assert guest.call("GET", f"/v1/games/{game}/record", status=200).text == record


def test_a_record_longer_than_other_responses_is_returned_whole(guest, node):
    record = "y" * 6_000_000 + "\n"
    _, game = node.play(guest.player["id"], record=record)
    assert guest.call("GET", f"/v1/games/{game}/record", status=200).text == record


def test_a_record_above_the_limit_is_refused(guest, node):
    _, game = node.play(guest.player["id"], record="x" * (8 * 1024 * 1024 + 1))
    guest.call("GET", f"/v1/games/{game}/record", status=409, code="record_too_long")
    guest.get("/v1/me")


def test_games_are_paged(guest, node):
    games = [node.play(guest.player["id"])[1] for _ in range(5)]
    first = guest.get("/v1/games?limit=3")
    second = guest.get(f"/v1/games?limit=3&cursor={first['next']}")
    assert [g["id"] for g in first["items"] + second["items"]] == games[::-1]
    assert second["next"] is None


def test_a_rated_game_changes_the_rating(guest, new_client, node):
    other = new_client().guest()
    _, game = node.play(guest.player["id"], other.player["id"])
    assert guest.get(f"/v1/games/{game}")["rated"]
    assert guest.get("/v1/me")["rating"] == {"value": 10000, "games": 1}


def test_levels_rise_with_games(guest, node):
    node.play(guest.player["id"])
    me = guest.get("/v1/me")
    assert (me["level"], me["clover_points"], me["level_points"], me["level_points_needed"]) == (
        2,
        100,
        0,
        150,
    )
    assert guest.get("/v1/wallet")["gold"] == 10 + 5 + 10 + 5, (
        "the level, and what a first game, win and opening bring"
    )


def test_requests_to_a_finished_table_are_refused(guest, node):
    table, _ = node.play(guest.player["id"])
    guest.call("GET", f"/v1/tables/{table}", status=409, code="table_over")
    guest.new_ticket(table, status=409, code="table_over")
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=409, code="table_over")


def test_unknown_games_are_refused(guest):
    guest.call("GET", "/v1/games/999999", status=404, code="no_such_game")
    guest.call("GET", "/v1/games/999999/record", status=404, code="no_such_game")


def test_games_require_a_session(anyone):
    for path in ("/v1/games", "/v1/wallet", "/v1/rooms", "/v1/tables/1"):
        anyone.call("GET", path, status=401, code="token_missing")
