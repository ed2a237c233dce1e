"""Clubs: creating, finding, joining, handing over, and closing; permissions, and what others see."""

import uuid

import pytest
from support.contract import a_name
from support.operations import BY_ID
from support.totp import PASSWORD

SHARES_SERVER = True


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def make(owner, name=None, **body):
    return owner.call(
        "POST", "/v1/clubs", {"name": name or a_name("Owls"), **body}, headers=key(), status=201
    ).json()


def people(reader, club):
    return [(m["player_id"], m["role"]) for m in reader.get(f"/v1/clubs/{club}/members")["items"]]


def told(reader):
    return [
        (n["data"]["state"], n["data"]["player_id"])
        for n in reader.get("/v1/notifications")["items"]
        if n["kind"] == "club"
    ]


def register(client):
    return client.register(f"{uuid.uuid4().hex}@example.org", PASSWORD)


@pytest.fixture
def owner(new_client):
    return register(new_client())


@pytest.fixture
def ben(new_client):
    return new_client().guest()


def test_a_club_is_created_found_and_closed(owner, ben):
    name = a_name("Owls")
    club = make(owner, name, about="Every evening at nine.")
    assert club | {"created_at": ""} == {
        "id": club["id"],
        "name": name,
        "about": "Every evening at nine.",
        "joining": "ask",
        "members": 1,
        "created_at": "",
        "owner": {k: owner.player[k] for k in ("nickname", "avatar")} | {"player_id": owner.player["id"]},
        "own": "owner",
    }
    assert ben.get(f"/v1/clubs/{club['id']}") == club | {"own": None}
    assert [c["id"] for c in ben.get("/v1/clubs", params={"q": name[:-1].upper()})["items"]] == [club["id"]]
    assert ben.get("/v1/clubs", params={"q": name + "x"})["items"] == []
    assert owner.get("/v1/me/clubs")["items"] == [club] and ben.get("/v1/me/clubs")["items"] == []
    ben.call("DELETE", f"/v1/clubs/{club['id']}", status=403, code="not_club_owner")
    owner.call("DELETE", f"/v1/clubs/{club['id']}", status=204)
    for path in ("", "/members", "/leaderboards/rummy51/rating/all"):
        ben.call("GET", f"/v1/clubs/{club['id']}{path}", status=404, code="no_such_club")
    assert make(owner, name)["id"] != club["id"], "the name is free again"


def test_members_are_notified_when_their_club_closes(owner, ben, new_client):
    club = make(owner, joining="open")
    ben.call("PUT", f"/v1/clubs/{club['id']}/members/{ben.player['id']}", status=200)
    owner.call("PATCH", f"/v1/clubs/{club['id']}", {"joining": "ask"}, status=200)
    cat = new_client().guest()
    cat.call("PUT", f"/v1/clubs/{club['id']}/members/{cat.player['id']}", status=200)
    before = ben.get("/v1/notifications")["items"]
    ben.call("DELETE", f"/v1/clubs/{club['id']}", status=403, code="not_club_owner")
    assert ben.get("/v1/notifications")["items"] == before, "it has not ended"
    owner.call("DELETE", f"/v1/clubs/{club['id']}", status=204)
    [news] = [n["data"] for n in ben.get("/v1/notifications")["items"] if n not in before]
    assert news == {"club_id": club["id"], "club": club["name"], "state": "ended"}
    assert told(cat) == [], "they only asked"
    assert "ended" not in [state for state, _ in told(owner)]


def test_club_search_is_paged(owner, ben):
    name = a_name("Rows")[:16]
    made = [make(owner, f"{name} {i}")["id"] for i in range(5)]
    first = ben.get("/v1/clubs", params={"q": name, "limit": 3})
    rest = ben.get("/v1/clubs", params={"q": name, "limit": 3, "cursor": first["next"]})
    assert [c["id"] for c in first["items"] + rest["items"]] == made[::-1] and rest["next"] is None


def test_a_repeated_request_makes_one_club(owner):
    body, headers = {"name": a_name("Owls")}, key()
    first, second = (owner.call("POST", "/v1/clubs", body, headers=headers, status=201) for _ in range(2))
    assert first.json() == second.json() and first.headers["Location"] == f"/v1/clubs/{first.json()['id']}"
    assert len(owner.get("/v1/me/clubs")["items"]) == 1


def test_invalid_clubs_and_ineligible_founders_are_refused(owner, ben, sql):
    ben.call(
        "POST", "/v1/clubs", {"name": a_name("Owls")}, headers=key(), status=403, code="club_registered_only"
    )
    name = make(owner)["name"]
    owner.call("POST", "/v1/clubs", {"name": name.upper()}, headers=key(), status=409, code="club_name_taken")
    for wrong in ("x", "x" * 21, "Rummyd Admin", "two  blanks", "\u200bhidden"):
        owner.call("POST", "/v1/clubs", {"name": wrong}, headers=key(), status=422)
    owner.call(
        "POST",
        "/v1/clubs",
        {"name": a_name("Owls"), "about": "two\nlines"},
        headers=key(),
        status=422,
        code="bad_format",
    )
    sql("UPDATE settings SET value = '1' WHERE name = 'clubs_per_player_max'")
    try:
        owner.call(
            "POST", "/v1/clubs", {"name": a_name("Owls")}, headers=key(), status=409, code="too_many_clubs"
        )
    finally:
        sql("UPDATE settings SET value = '20' WHERE name = 'clubs_per_player_max'")
    assert len(owner.get("/v1/me/clubs")["items"]) == 1


def test_players_request_to_join_are_accepted_and_leave(owner, ben, new_client):
    cat, club = new_client().guest(), make(owner)["id"]
    path = f"/v1/clubs/{club}/members"
    for _ in range(2):
        assert ben.call("PUT", f"{path}/{ben.player['id']}", status=200).json() == {"role": "asks"}
    asks, owns = (ben.player["id"], "asks"), (owner.player["id"], "owner")
    assert people(owner, club) == people(ben, club) == [asks, owns] and people(cat, club) == [owns], (
        "other members do not see requests"
    )
    assert told(owner) == [("asks", ben.player["id"])]
    assert ben.get(f"/v1/clubs/{club}")["members"] == 1 and ben.get(f"/v1/clubs/{club}")["own"] == "asks"
    for other in (ben, cat):
        other.call(
            "PUT",
            f"{path}/{ben.player['id'] if other is cat else cat.player['id']}",
            status=403,
            code="not_club_owner",
        )
    owner.call("PUT", f"{path}/{cat.player['id']}", status=409, code="does_not_ask")
    for _ in range(2):
        assert owner.call("PUT", f"{path}/{ben.player['id']}", status=200).json() == {"role": "member"}
    assert people(cat, club) == [owns, (ben.player["id"], "member")] and told(ben) == [
        ("accepted", owner.player["id"])
    ]
    assert cat.get(f"/v1/clubs/{club}")["members"] == 2
    cat.call("DELETE", f"{path}/{ben.player['id']}", status=403, code="not_club_owner")
    for _ in range(2):
        ben.call("DELETE", f"{path}/{ben.player['id']}", status=204)
    assert people(cat, club) == [owns] and cat.get(f"/v1/clubs/{club}")["members"] == 1
    owner.call("DELETE", f"{path}/{owner.player['id']}", status=409, code="club_owner_stays")
    ben.call("PUT", f"{path}/{ben.player['id']}", status=200)
    owner.call("DELETE", f"{path}/{ben.player['id']}", status=204)
    assert people(owner, club) == [owns] and told(owner) == [("asks", ben.player["id"])], (
        "notified once a week"
    )


def test_pending_join_requests_are_limited(owner, ben, new_client, sql):
    cat, path = new_client().guest(), f"/v1/clubs/{make(owner)['id']}/members"
    sql("UPDATE settings SET value = '1' WHERE name = 'club_requests_max'")
    try:
        for _ in range(2):
            ben.call("PUT", f"{path}/{ben.player['id']}", status=200)
        cat.call("PUT", f"{path}/{cat.player['id']}", status=409, code="club_asked")
        owner.call("PUT", f"{path}/{ben.player['id']}", status=200)
        assert cat.call("PUT", f"{path}/{cat.player['id']}", status=200).json() == {"role": "asks"}
    finally:
        sql("UPDATE settings SET value = '100' WHERE name = 'club_requests_max'")


def test_an_open_club_can_be_joined_at_once_until_it_is_full(owner, ben, new_client, sql):
    cat, club = new_client().guest(), make(owner)["id"]
    ben.call("PUT", f"/v1/clubs/{club}/members/{ben.player['id']}", status=200)
    assert (
        owner.call("PATCH", f"/v1/clubs/{club}", {"joining": "open"}, status=200).json()["joining"] == "open"
    )
    assert people(owner, club)[0] == (ben.player["id"], "asks"), "a pending request stays pending"
    assert ben.call("PUT", f"/v1/clubs/{club}/members/{ben.player['id']}", status=200).json() == {
        "role": "member"
    }
    sql("UPDATE settings SET value = '2' WHERE name = 'club_members_max'")
    try:
        cat.call("PUT", f"/v1/clubs/{club}/members/{cat.player['id']}", status=409, code="club_full")
    finally:
        sql("UPDATE settings SET value = '500' WHERE name = 'club_members_max'")
    assert cat.call("PUT", f"/v1/clubs/{club}/members/{cat.player['id']}", status=200).json() == {
        "role": "member"
    }


def test_a_club_is_changed_and_handed_over(owner, ben, new_client):
    next_one, club = register(new_client()), make(owner, joining="open")
    path = f"/v1/clubs/{club['id']}"
    for member in (ben, next_one):
        member.call("PUT", f"{path}/members/{member.player['id']}", status=200)
    name = a_name("Larks")
    changed = owner.call("PATCH", path, {"name": name, "about": "At noon."}, status=200).json()
    assert changed == club | {"name": name, "about": "At noon.", "members": 3}
    assert owner.call("PATCH", path, {}, status=200).json() == changed
    taken = make(next_one)["name"]
    owner.call("PATCH", path, {"name": taken}, status=409, code="club_name_taken")
    ben.call("PATCH", path, {"about": "Mine."}, status=403, code="not_club_owner")
    for nobody in (ben.player["id"], "999999"):
        owner.call("PATCH", path, {"owner_id": nobody}, status=409, code="not_in_club")
    given = owner.call("PATCH", path, {"owner_id": next_one.player["id"]}, status=200).json()
    assert given["owner"]["player_id"] == next_one.player["id"] and given["own"] == "member"
    assert told(next_one) == [("owner", owner.player["id"])]
    owner.call("PATCH", path, {"about": "Still mine."}, status=403, code="not_club_owner")
    owner.call("DELETE", f"{path}/members/{owner.player['id']}", status=204)
    assert people(ben, club["id"]) == [(next_one.player["id"], "owner"), (ben.player["id"], "member")]


def test_a_club_leaderboard_lists_only_its_members(owner, ben, new_client, sql):
    cat, club = new_client().guest(), make(owner, joining="open")["id"]
    ben.call("PUT", f"/v1/clubs/{club}/members/{ben.player['id']}", status=200)
    for player, rating in ((owner, 1500), (ben, 1700), (cat, 1600)):
        sql(
            "INSERT INTO ratings VALUES (%s, 'rummy51', 'all', 20, %s, 3, 1, %s)",
            int(player.player["id"]),
            rating,
            5 * rating,
        )
    page = ben.get(f"/v1/clubs/{club}/leaderboards/rummy51/rating/all")
    assert [line["player_id"] for line in page["items"]] == [ben.player["id"], owner.player["id"]]
    assert [line["own"] for line in page["items"]] == [True, False]
    first = ben.get(f"/v1/clubs/{club}/leaderboards/rummy51/rating/all", params={"limit": 1})
    rest = ben.get(
        f"/v1/clubs/{club}/leaderboards/rummy51/rating/all", params={"limit": 1, "cursor": first["next"]}
    )
    assert first["items"] + rest["items"] == page["items"] and rest["next"] is None
    for path, code in (
        ("nothing/rating/all", "no_such_board"),
        ("rummy51/nothing/all", "no_such_board"),
        ("rummy51/rating/never", "no_such_period"),
    ):
        ben.call("GET", f"/v1/clubs/{club}/leaderboards/{path}", status=404, code=code)


def test_every_club_operation_is_tested():
    assert {name for name, it in BY_ID.items() if "/clubs" in it.path and "/admin/" not in it.path} == {
        "listClubs",
        "createClub",
        "listMyClubs",
        "getClub",
        "changeClub",
        "closeClub",
        "listClubMembers",
        "joinClub",
        "leaveClub",
        "getClubLeaderboard",
        "reportClub",
        "listClubTables",
        "listClubChat",
        "sendClubMessage",
        "deleteClubMessage",
        "reportClubMessage",
    }  # covered by test_admin_clubs.py, test_club_tables.py, and test_club_chat.py
