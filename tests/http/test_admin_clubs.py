"""Operators' actions on clubs: searching, renaming, removing the description, closing. Each takes effect
once, is logged, requires a role, and sends notifications."""

import uuid

import pytest
from support.contract import Client, a_name

SHARES_SERVER = True

PASSWORD = "seven sleeping camels"


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def act(client, club, path, body, headers=None, **more):
    return client.call("POST", f"/v1/admin/clubs/{club}/{path}", body, headers=headers or key(), **more)


def told(reader):
    return [n["data"] for n in reader.get("/v1/notifications")["items"] if n["kind"] == "club"]


@pytest.fixture(scope="module")
def admin(holder):
    return holder("owner")


@pytest.fixture
def owner(new_client):
    return new_client().register(f"{uuid.uuid4().hex}@example.org", PASSWORD)


@pytest.fixture
def club(owner):
    body = {"name": a_name("Owls"), "about": "Every evening at nine.", "joining": "open"}
    return owner.call("POST", "/v1/clubs", body, headers=key(), status=201).json()


@pytest.fixture
def ben(new_client, club):
    ben = new_client().guest()
    ben.call("PUT", f"/v1/clubs/{club['id']}/members/{ben.player['id']}", status=200)
    return ben


def test_a_club_is_found_by_id_and_name_prefix(admin, owner, club, ben):
    seen = {k: v for k, v in club.items() if k != "own"} | {"members": 2, "asks": 0, "open_reports": 0}
    assert admin.get(f"/v1/admin/clubs/{club['id']}") == seen
    find = lambda q: admin.get("/v1/admin/clubs", params={"q": q})["items"]
    assert find(club["name"]) == find(club["name"].upper()) == find(club["name"][:-1]) == [seen]
    assert seen in find(club["id"]) and find(club["name"] + "x") == [] == find("9" * 18) and find("%") == []
    assert admin.get("/v1/admin/clubs?limit=1")["items"] == [seen], "the newest first"
    for bad in ("", "x" * 255, "%ff"):
        admin.call("GET", f"/v1/admin/clubs?q={bad}", status=400, code="bad_parameter")
    admin.call("GET", "/v1/admin/clubs/999999", status=404, code="no_such_club")


def test_club_search_is_paged(admin, owner):
    name = a_name("Rows")[:16]
    made = [
        owner.call("POST", "/v1/clubs", {"name": f"{name} {i}"}, headers=key(), status=201).json()["id"]
        for i in range(3)
    ]
    first = admin.get("/v1/admin/clubs", params={"q": name, "limit": 2})
    rest = admin.get("/v1/admin/clubs", params={"q": name, "limit": 2, "cursor": first["next"]})
    assert [c["id"] for c in first["items"] + rest["items"]] == made[::-1] and rest["next"] is None


def test_a_club_is_renamed_under_the_naming_rules(admin, owner, club, ben):
    path, name, headers = f"/v1/clubs/{club['id']}", a_name("Club"), key()
    taken = owner.call("POST", "/v1/clubs", {"name": a_name("Larks")}, headers=key(), status=201).json()[
        "name"
    ]
    act(
        admin,
        club["id"],
        "rename",
        {"name": taken.upper(), "reason": "x"},
        status=409,
        code="club_name_taken",
    )
    for wrong in ("x", "x" * 21, "Rummyd Admin", "two  blanks"):
        act(admin, club["id"], "rename", {"name": wrong, "reason": "x"}, status=422)
    assert ben.get(path)["name"] == club["name"] and told(owner) == []
    first = act(admin, club["id"], "rename", {"name": name, "reason": "insults"}, headers, status=200).json()
    assert (first["name"], first["about"]) == (name, club["about"]) and ben.get(path)["name"] == name
    assert (
        act(admin, club["id"], "rename", {"name": name, "reason": "insults"}, headers, status=200).json()
        == first
    )
    assert told(owner) == [{"club_id": club["id"], "club": name, "state": "renamed"}] and told(ben) == []
    assert (
        act(admin, club["id"], "rename", {"name": name.upper(), "reason": "x"}, status=200).json()["name"]
        == name.upper()
    ), "its own"


def test_a_club_description_is_removed(admin, owner, club, ben):
    assert act(admin, club["id"], "clear", {"reason": "insults"}, status=200).json()["about"] == ""
    assert ben.get(f"/v1/clubs/{club['id']}")["about"] == ""
    assert (
        told(owner) == [{"club_id": club["id"], "club": club["name"], "state": "cleared"}] and told(ben) == []
    )


def test_closing_a_club_notifies_each_member_once(admin, owner, club, ben, new_client, sql):
    sql("UPDATE clubs SET joining = 'ask' WHERE id = %s", int(club["id"]))
    cat, headers = new_client().guest(), key()
    cat.call("PUT", f"/v1/clubs/{club['id']}/members/{cat.player['id']}", status=200)
    was = act(admin, club["id"], "close", {"reason": "a club of insults"}, headers, status=200).json()
    assert (was["name"], was["members"], was["asks"]) == (club["name"], 2, 1)
    assert act(admin, club["id"], "close", {"reason": "a club of insults"}, headers, status=200).json() == was
    act(admin, club["id"], "close", {"reason": "again"}, status=404, code="no_such_club")
    ben.call("GET", f"/v1/clubs/{club['id']}", status=404, code="no_such_club")
    closed = {"club_id": club["id"], "club": club["name"], "state": "closed"}
    assert [n for n in told(owner) if n["state"] == "closed"] == told(ben) == [closed] and told(cat) == []
    assert owner.call("POST", "/v1/clubs", {"name": club["name"]}, headers=key(), status=201), (
        "the name is free"
    )


@pytest.mark.parametrize(
    "path, body",
    [("rename", {"name": "Owls", "reason": "x"}), ("clear", {"reason": "x"}), ("close", {"reason": "x"})],
)
def test_each_action_is_logged_and_requires_its_role(admin, holder, club, owner, anyone, sql, path, body):
    for role in ("jobs", "money", "games"):
        act(holder(role), club["id"], path, body, status=403, code="api_key_forbidden")
    act(anyone, club["id"], path, body, status=401, code="api_key_missing")
    act(owner, club["id"], path, body, status=401, code="api_key_invalid")
    act(admin, "999999", path, body, status=404, code="no_such_club")
    act(admin, "x", path, body, status=400, code="bad_parameter")
    act(
        admin,
        club["id"],
        path,
        {k: v for k, v in body.items() if k != "reason"},
        status=422,
        code="missing_member",
    )
    act(admin, club["id"], path, {**body, "reason": "r" * 201}, status=422, code="bad_length")
    act(admin, club["id"], path, {**body, "more": 1}, status=422, code="unknown_member")
    admin.call(
        "POST", f"/v1/admin/clubs/{club['id']}/{path}", body, status=400, code="idempotency_key_missing"
    )
    assert owner.get(f"/v1/clubs/{club['id']}")["name"] == club["name"]
    if path == "rename":
        body = {**body, "name": a_name("Club")}
    act(holder("support"), club["id"], path, body, status=200)
    log = sql(
        "SELECT code, detail FROM audit WHERE action = %s AND detail->>'club' = %s ORDER BY id",
        f"{path}_club",
        club["id"],
    )
    assert [tuple(line) for line in log] == [
        (code, {"club": int(club["id"]), "reason": "x"}) for code in 3 * ["api_key_forbidden"] + ["ok"]
    ]


def test_a_read_only_key_can_read_but_not_change_clubs(admin, server, club):
    made = admin.call(
        "POST",
        "/v1/admin/keys",
        {"name": uuid.uuid4().hex, "role": "support", "holder": "Bob", "scope": "clubs:read"},
        headers=key(),
        status=201,
    ).json()
    reader = Client(server)
    reader.token = made["secret"]
    assert reader.get(f"/v1/admin/clubs/{club['id']}")["name"] == club["name"]
    act(reader, club["id"], "clear", {"reason": "x"}, status=403, code="api_key_scope")


def report(client, club, status=201, code=None, **body):
    return client.call(
        "POST", f"/v1/clubs/{club}/reports", {"reason": "club_name", **body}, status=status, code=code
    )


def test_a_club_report_keeps_the_reported_texts(admin, owner, club, ben, sql):
    first = report(ben, club["id"], text="Look at the name.").json()["id"]
    assert report(ben, club["id"], reason="about").json()["id"] == first, "one open report is enough"
    report(owner, club["id"], status=409, code="own_club")
    report(ben, "999999", status=404, code="no_such_club")
    for wrong in ({"reason": "insult"}, {"text": "x" * 501}, {"more": 1}):
        report(ben, club["id"], status=422, **wrong)
    owner.call("PATCH", f"/v1/clubs/{club['id']}", {"name": a_name("Larks"), "about": ""}, status=200)
    find = lambda: next(
        (r for r in admin.get("/v1/admin/reports?limit=100")["items"] if r["id"] == first), None
    )
    seen = find()
    assert (seen["club_id"], seen["table_id"], seen["said"]) == (
        club["id"],
        None,
        f"{club['name']}\n{club['about']}",
    )
    assert (seen["reason"], seen["text"], seen["chat"]) == ("club_name", "Look at the name.", [])
    assert (seen["reporter"]["player_id"], seen["reported"]["player_id"]) == (
        ben.player["id"],
        owner.player["id"],
    )
    assert admin.get(f"/v1/admin/clubs/{club['id']}")["open_reports"] == 1
    act(admin, club["id"], "close", {"reason": "x"}, status=200)
    assert find() == seen, "it outlives the club"
    admin.call("POST", f"/v1/admin/reports/{first}/close", {"note": "closed"}, headers=key(), status=200)
    assert find() is None


def test_a_club_can_be_reported_again_after_the_report_is_closed(admin, club, ben, new_client):
    first = report(ben, club["id"]).json()["id"]
    assert report(new_client().guest(), club["id"]).json()["id"] != first, (
        "another reporter, who is in no club"
    )
    admin.call("POST", f"/v1/admin/reports/{first}/close", {"note": "nothing"}, headers=key(), status=200)
    assert report(ben, club["id"]).json()["id"] != first
