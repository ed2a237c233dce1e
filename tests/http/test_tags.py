"""Rarely changing responses have an ETag: 304 until a change, a new tag after it, and per-reader tags where
contents differ."""

import pytest
from support.dates import this_week
from support.node import Node
from support.operations import OPERATIONS


def again(client, path, answer, status):
    return client.call("GET", path, headers={"If-None-Match": answer.headers["ETag"]}, status=status)


def earn(sql, player):
    sql("INSERT INTO player_achievements (player_id, achievement_id) VALUES (%s, 'first_game')", player)


def rate(sql, player):
    sql("INSERT INTO ratings VALUES (%s, 'rummy51', 'all', 20, 1574, 3, 1, 7870)", player)


def change_name(sql, player):
    sql("UPDATE players SET nickname = 'Another' WHERE id = %s", player)


def gain_level(sql, player):
    sql("UPDATE players SET level_points = level_points + 1 WHERE id = %s", player)


def join_league(sql, player):
    sql("INSERT INTO league_members SELECT %s, 1, no FROM seasons WHERE state = 'open'", player)
    sql("INSERT INTO league_games SELECT no, %s, 1, 31, 2500, 3 FROM seasons WHERE state = 'open'", player)
    sql("SELECT make_league_rows(no, ARRAY[%s]::bigint[]) FROM seasons WHERE state = 'open'", player)


def go_on(sql, player):
    # more games than any test in this file plays
    sql("UPDATE quests SET on_offer = true WHERE id = 'games_10'")
    sql(
        "INSERT INTO quest_progress (player_id, week, quest_id, n) SELECT %s, quest_week(now()), id, 1 FROM"
        " quests",
        player,
    )


def rename_league(sql, player):
    sql("UPDATE leagues SET name = name || '!' WHERE id = (SELECT min(id) FROM leagues)")


def end_season(sql, player):
    sql(
        "INSERT INTO seasons (no, starts_at, ends_at, state) VALUES (900, now() - interval '20 days', now() -"
        " interval '10 days', 'ended')"
    )
    sql(
        "INSERT INTO season_results (season_no, player_id, position, place, games, reason) VALUES (900, %s,"
        " 1, 1, 1, 'stays')",
        player,
    )


# How to change the response of each operation with a tag: its path, and the change.
CHANGES = {
    "listAchievements": ("/v1/me/achievements", earn),
    "listQuests": ("/v1/me/quests", go_on),
    "getWeek": ("/v1/me/weeks/{week}", gain_level),
    "getLeaderboard": ("/v1/leaderboards/rummy51/rating/all", rate),
    "getLeaderboardAround": ("/v1/leaderboards/rummy51/rating/all/around", rate),
    "getLeaderboardFriends": ("/v1/leaderboards/rummy51/rating/all/friends", rate),
    "getPlayer": ("/v1/players/{me}", change_name),
    "listLeagues": ("/v1/leagues", rename_league),
    "getLeagueTable": ("/v1/leagues/desert", join_league),
    "listMySeasons": ("/v1/me/seasons", end_season),
}
# Lists that an operator changes: the path for reading, and the operator's request.
EDITED = {
    "listRooms": ("/v1/rooms", "/v1/admin/rooms/desert", "reward"),
    "adminListRooms": ("/v1/admin/rooms", "/v1/admin/rooms/desert", "fill_wait_ms"),
    "listPacks": ("/v1/shop/packs", "/v1/admin/packs/gold_300", "gold"),
    "adminListPacks": ("/v1/admin/packs", "/v1/admin/packs/gold_300", "gold"),
    "adminListAchievements": ("/v1/admin/achievements", "/v1/admin/achievements/first_game", "gold"),
}
BUILT_IN = {
    "listVariants",
    "openapi",
    "asyncapi",
    "docs",
    "docsScript",
    "docsStyle",
}  # another version of the program has other tags
OF_GAMES = {"getGame", "getRecord", "getPlayerVariant", "getTable"}  # changed by playing, in the tests below


def test_every_operation_with_an_etag_is_tested():
    assert {op.id for op in OPERATIONS if 304 in op.responses} == {*CHANGES, *EDITED, *BUILT_IN, *OF_GAMES}


@pytest.mark.parametrize("operation", CHANGES)
def test_a_304_is_returned_until_the_content_changes(guest, sql, operation):
    path, change = CHANGES[operation]
    player = int(guest.player["id"])
    path = path.replace("{me}", guest.player["id"]).replace("{week}", this_week())
    first = guest.call("GET", path, status=200)
    assert (
        again(guest, path, first, 304).content == b""
        and again(guest, path, first, 304).headers["ETag"] == first.headers["ETag"]
    )
    change(sql, player)
    second = again(guest, path, first, 200)
    assert second.json() != first.json() and second.headers["ETag"] != first.headers["ETag"]
    again(guest, path, second, 304)
    guest.call("GET", path, headers={"If-None-Match": f'W/{second.headers["ETag"]}, "x"'}, status=304)


@pytest.mark.parametrize("operation", EDITED)
def test_a_304_is_returned_until_an_operator_changes_the_content(guest, holder, operation):
    path, edited, member = EDITED[operation]
    admin = holder("owner")
    reader = admin if path.startswith("/v1/admin") else guest
    before = reader.call("GET", path, status=200)
    again(reader, path, before, 304)
    (item,) = [
        item
        for item in admin.get(edited.rsplit("/", 1)[0])["items"]
        if item["id"] == edited.rsplit("/", 1)[1]
    ]
    admin.call("PATCH", edited, {member: item[member] + 1}, status=200)
    while (after := again(reader, path, before, None)).status_code == 304:
        pass  # lists that everyone reads are cached for 1 s
    assert after.json() != before.json() and after.headers["ETag"] != before.headers["ETag"]
    again(reader, path, after, 304)


def test_a_table_returns_304_until_a_player_sits_down(guest, new_client):
    seat = guest.call(
        "POST", "/v1/tables", {"variant": "rummy51", "seats": 3}, headers={"Idempotency-Key": "k"}, status=201
    ).json()
    path = f"/v1/tables/{seat['table_id']}"
    first = guest.call("GET", path, status=200)
    again(guest, path, first, 304)
    new_client().guest().call(
        "POST", f"/v1/tables/by-code/{seat['code']}/seats", headers={"Idempotency-Key": "k"}, status=201
    )
    assert again(guest, path, first, 200).headers["ETag"] != first.headers["ETag"]


@pytest.mark.parametrize("path", [op.path for op in OPERATIONS if op.id in BUILT_IN])
def test_built_in_content_returns_304(guest, path):
    first = guest.call("GET", path, status=200)
    again(guest, path, first, 304)
    assert "no-cache" in first.headers["Cache-Control"]


def test_a_problem_has_no_etag(guest):
    wrong = guest.call("GET", "/v1/leagues/tin", headers={"If-None-Match": "*"}, status=404)
    assert "ETag" not in wrong.headers


def test_finished_games_and_records_can_be_cached_by_their_reader(guest, new_client, cluster, database, sql):
    node = Node(cluster, database)
    other = new_client().guest()
    statistics = f"/v1/players/{guest.player['id']}/variants/rummy51"
    before = guest.call("GET", statistics, status=200)
    again(guest, statistics, before, 304)
    _, game = node.play(guest.player["id"], other.player["id"])
    after = again(guest, statistics, before, 200)
    assert after.json() != before.json() and after.headers["ETag"] != before.headers["ETag"]
    node.connection.close()
    for path in f"/v1/games/{game}", f"/v1/games/{game}/record", f"/v1/games/{game}/record?hand=1":
        first = guest.call("GET", path, status=200)
        assert (
            first.headers["Cache-Control"] == "private, max-age=86400"
            and "Authorization" in first.headers["Vary"]
        )
        assert again(guest, path, first, 304).content == b""
        refused = other.call(
            "GET", path.replace(game, "999999"), headers={"If-None-Match": first.headers["ETag"]}, status=404
        )
        assert refused.headers["Cache-Control"] == "no-store" and "ETag" not in refused.headers
    mine, theirs = (c.call("GET", f"/v1/games/{game}", status=200).headers["ETag"] for c in (guest, other))
    assert mine != theirs, "each sees only their own chips"
    record = guest.call("GET", f"/v1/games/{game}/record", status=200)
    sql(
        "UPDATE hands SET record = record || ';' WHERE table_id = (SELECT table_id FROM games WHERE id = %s)",
        game,
    )  # as when an account is erased
    assert again(guest, f"/v1/games/{game}/record", record, 200).text == record.text + ";"


def test_pages_have_separate_etags(new_client, guest, sql):
    others = [new_client().guest() for _ in range(2)]
    for other in others:
        sql("INSERT INTO ratings VALUES (%s, 'treff', 'all', 20, 1574, 3, 1, 7870)", int(other.player["id"]))
    path = "/v1/leaderboards/treff/rating/all?limit=1"
    first = guest.call("GET", path, status=200)
    next_page = f"{path}&cursor={first.json()['next']}"
    second = again(guest, next_page, first, 200)
    assert second.headers["ETag"] != first.headers["ETag"]
    again(guest, next_page, second, 304)
