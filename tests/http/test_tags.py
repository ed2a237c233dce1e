"""What changes seldom bears a tag: 304 until it changes, another tag after it has, and a tag of its own for each reader where it differs."""

import pytest

from support.node import Node


def again(client, path, answer, status):
    return client.call("GET", path, headers={"If-None-Match": answer.headers["ETag"]}, status=status)


def earn(sql, player):
    sql("INSERT INTO player_achievements (player_id, achievement_id) VALUES (%s, 'first_game')", player)


def rate(sql, player):
    sql("INSERT INTO ratings VALUES (%s, 'rummy51', 'all', 20, 1574, 3, 1, 7870)", player)


def change_name(sql, player):
    sql("UPDATE players SET nickname = 'Another' WHERE id = %s", player)


def join_league(sql, player):
    sql("INSERT INTO league_members SELECT %s, 1, no FROM seasons WHERE state = 'open'", player)
    sql("INSERT INTO league_games SELECT no, %s, 1, 31, 2500, 3 FROM seasons WHERE state = 'open'", player)
    sql("SELECT make_league_rows(no, ARRAY[%s]::bigint[]) FROM seasons WHERE state = 'open'", player)


def go_on(sql, player):
    sql("UPDATE quests SET on_offer = true WHERE id = 'games_10'")  # more games than any test here plays
    sql("INSERT INTO quest_progress (player_id, week, quest_id, n) SELECT %s, quest_week(now()), id, 1 FROM quests", player)


@pytest.mark.parametrize("path, change", [
    ("/v1/me/achievements", earn), ("/v1/me/quests", go_on), ("/v1/leaderboards/rummy51/rating/all", rate), ("/v1/leaderboards/rummy51/rating/all/around", rate),
    ("/v1/leaderboards/rummy51/rating/all/friends", rate), ("/v1/players/{me}", change_name), ("/v1/leagues/desert", join_league)])
def test_304_until_it_changes(guest, sql, path, change):
    player = int(guest.player["id"])
    path = path.replace("{me}", guest.player["id"])
    first = guest.call("GET", path, status=200)
    assert again(guest, path, first, 304).content == b"" and again(guest, path, first, 304).headers["ETag"] == first.headers["ETag"]
    change(sql, player)
    second = again(guest, path, first, 200)
    assert second.json() != first.json() and second.headers["ETag"] != first.headers["ETag"]
    again(guest, path, second, 304)
    guest.call("GET", path, headers={"If-None-Match": f"W/{second.headers['ETag']}, \"x\""}, status=304)


@pytest.mark.parametrize("path", ["/v1/leagues", "/v1/me/seasons", "/v1/rooms", "/v1/shop/packs", "/v1/variants"])
def test_what_stays_is_304_and_a_problem_has_no_tag(guest, path):
    first = guest.call("GET", path, status=200)
    again(guest, path, first, 304)
    assert first.headers["Cache-Control"] == "private, no-cache"
    wrong = guest.call("GET", "/v1/leagues/tin", headers={"If-None-Match": "*"}, status=404)
    assert "ETag" not in wrong.headers


def test_a_game_that_is_over_and_its_record_are_kept_by_their_reader(guest, new_client, cluster, database, sql):
    node = Node(cluster, database)
    other = new_client().guest()
    _, game = node.play(guest.player["id"], other.player["id"])
    node.connection.close()
    for path in f"/v1/games/{game}", f"/v1/games/{game}/record", f"/v1/games/{game}/record?hand=1":
        first = guest.call("GET", path, status=200)
        assert first.headers["Cache-Control"] == "private, max-age=86400" and "Authorization" in first.headers["Vary"]
        assert again(guest, path, first, 304).content == b""
        refused = other.call("GET", path.replace(game, "999999"), headers={"If-None-Match": first.headers["ETag"]}, status=404)
        assert refused.headers["Cache-Control"] == "no-store" and "ETag" not in refused.headers
    mine, theirs = (c.call("GET", f"/v1/games/{game}", status=200).headers["ETag"] for c in (guest, other))
    assert mine != theirs, "each sees their own chips alone"
    record = guest.call("GET", f"/v1/games/{game}/record", status=200)
    sql("UPDATE hands SET record = record || ';' WHERE table_id = (SELECT table_id FROM games WHERE id = %s)", game)  # as an account that is erased does
    assert again(guest, f"/v1/games/{game}/record", record, 200).text == record.text + ";"


def test_lists_of_operators_are_304_until_they_change(holder):
    admin = holder("owner")
    for path in "/v1/admin/rooms", "/v1/admin/packs", "/v1/admin/achievements":
        first = admin.call("GET", path, status=200)
        again(admin, path, first, 304)
    before = admin.call("GET", "/v1/admin/rooms", status=200)
    admin.call("PATCH", "/v1/admin/rooms/desert", {"fill_wait_ms": 7777}, status=200)
    assert again(admin, "/v1/admin/rooms", before, 200).json() != before.json()


def test_pages_have_tags_of_their_own(new_client, guest, sql):
    others = [new_client().guest() for _ in range(2)]
    for other in others:
        sql("INSERT INTO ratings VALUES (%s, 'treff', 'all', 20, 1574, 3, 1, 7870)", int(other.player["id"]))
    path = "/v1/leaderboards/treff/rating/all?limit=1"
    first = guest.call("GET", path, status=200)
    next_page = f"{path}&cursor={first.json()['next']}"
    second = again(guest, next_page, first, 200)
    assert second.headers["ETag"] != first.headers["ETag"]
    again(guest, next_page, second, 304)
