"""Pairs who feed each other, and the records that prove it, as operators see them."""

import pytest
from support.node import RECORD, Node


@pytest.fixture(scope="module")
def node(cluster, database, server):
    it = Node(cluster, database)
    yield it
    it.connection.close()


@pytest.fixture(scope="module")
def games(holder):
    return holder("games")


def test_the_pair_that_feeds_each_other_is_listed_first(games, holder, new_client, node, sql):
    """Ten games of Ann and Bob, in which Bob takes nine tenths of her discards, and ten of Eve and Dan, at
    the bots' rate."""
    sql("UPDATE throw_rates SET chances = 100000, taken = 20000")
    ann, bob, eve, dan = (int(new_client().guest().player["id"]) for _ in range(4))
    sql("UPDATE settings SET value = '10' WHERE name = 'collusion_games_min'")
    for _ in range(10):
        _, game = node.play(ann, bob, throws=[{"1": [10, 9]}, {"2": [10, 2]}, {"3": [10, 2]}, {"0": [10, 2]}])
        node.play(eve, dan, throws=[{"1": [10, 2]}] + [{}] * 3)
    assert {
        len(games.get(f"/v1/admin/collusion?sort={sort}")["items"]) for sort in ("meetings", "invites")
    } == {2}
    for sort in ("", "?sort=throws"):
        first, second = games.get(f"/v1/admin/collusion{sort}")["items"]
        assert {p["id"] for p in first["players"]} == {str(ann), str(bob)} and first["games"] == 10
        (throws,) = first["throws"]
        assert (throws["from"], throws["to"], throws["chances"], throws["taken"]) == (
            str(ann),
            str(bob),
            100,
            90,
        )
        # Expected 100 * 20,090 / 100,100 = 20.07, variance 16.02: (90 - 20.07) / 4.003.
        assert throws["bots"] == {"taken_percent": 20, "excess": 17.5} and first["excess"] == 17.5
        assert {p["id"] for p in second["players"]} == {str(eve), str(dan)} and second["excess"] == 0
    assert len(first["records"]) == 5
    link = first["records"][0]
    assert link == {"game": game, "chances": 10, "taken": 9, "record": f"/v1/admin/games/{game}/record"}
    assert games.call("GET", link["record"], status=200).text == RECORD
    assert {len(item["players"]) for item in games.get("/v1/admin/collusion?sort=share")["items"]} == {2}
    games.call("GET", "/v1/admin/collusion?sort=chips", status=400, code="bad_parameter")
    holder("money").call("GET", "/v1/admin/collusion", status=403, code="api_key_forbidden")


def test_an_operator_reading_a_record_is_logged(games, holder, new_client, node, sql):
    guest, owner = new_client().guest(), holder("owner")
    table, game = node.play(guest.player["id"])
    sql(
        "UPDATE tables SET visibility = 'private', room_id = NULL, creator_id = %s, code = 'ABCDEFGH' WHERE"
        " id = %s",
        int(guest.player["id"]),
        int(table),
    )
    path = f"/v1/admin/games/{game}/record"
    for by, query, file in (
        (games, "", f"game-{game}.txt"),
        (holder("support"), "?hand=1", f"game-{game}-hand-1.txt"),
    ):
        answer = by.call("GET", path + query, status=200)
        assert answer.text == RECORD and file in answer.headers["Content-Disposition"]
    line = next(i for i in owner.get("/v1/admin/audit?action=read:record")["items"])
    assert (line["code"], line["detail"]) == ("ok", {"game": int(game), "hand": 1})
    games.call("GET", path + "?hand=2", status=404, code="no_such_game")
    games.call("GET", path + "?hand=0", status=400, code="bad_parameter")
    games.call("GET", "/v1/admin/games/999999/record", status=404, code="no_such_game")
    for other in ("jobs", "money"):
        holder(other).call("GET", path, status=403, code="api_key_forbidden")
    guest.call("GET", path, status=401, code="api_key_invalid")
    sql("UPDATE hands SET record = repeat('x', 8388609) WHERE table_id = %s RETURNING 1", int(table))
    games.call("GET", path, status=409, code="record_too_long")
    assert owner.get("/v1/admin/audit?action=read:record")["items"][0]["code"] == "record_too_long"
