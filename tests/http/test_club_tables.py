"""Tables that members open for their club: who sees them, and who can join in which way.
test_state_changes_things.py covers leaving and closing a club."""

import pytest
from club_rig import ben, cat, club, key, member, owner
from support.chips import WELCOME_SILVER

SHARES_SERVER = True


def open_table(client, status=201, code=None, **body):
    return client.call(
        "POST",
        "/v1/tables",
        {"variant": "straight", "seats": 3, **body},
        status=status,
        code=code,
        headers=key(),
    )


def sit(client, table, **more):
    return client.call("POST", f"/v1/tables/{table}/seats", headers=key(), **more)


def watch(client, table, body=None, **more):
    return client.call("POST", f"/v1/tables/{table}/spectators", body or {}, headers=key(), **more)


def tables(reader, club):
    return reader.get(f"/v1/clubs/{club}/tables")["items"]


def test_members_see_a_club_table_and_can_join(owner, club, ben, cat):
    table = open_table(owner, club=club, options={"target": 100}).json()["table_id"]
    (shown,) = tables(ben, club)
    assert {k: v for k, v in shown.items() if k not in ("created_at", "ws_url")} == {
        "table_id": table,
        "state": "waiting",
        "variant": "straight",
        "options": {"target": 100},
        "seats": 3,
        "people": 1,
        "bots": 0,
        "stake": 0,
        "point_value": 0,
        "watch_delay_ms": 0,
        "bot_accounts": False,
        "turn_hours": None,
        "players": [
            {
                "player_id": owner.player["id"],
                "nickname": owner.player["nickname"],
                "avatar": owner.player["avatar"],
            }
        ],
    }
    assert table not in [t["table_id"] for t in ben.get("/v1/tables?limit=100")["items"]], "in no public list"
    seat = sit(ben, table, status=201).json()
    assert [p["player_id"] for p in tables(owner, club)[0]["players"]] == [
        owner.player["id"],
        ben.player["id"],
    ]
    snapshot = ben.get(f"/v1/tables/{seat['table_id']}")
    about = snapshot["d"].get("table", snapshot["d"])
    assert (
        about["club"] == {"id": club, "name": ben.get(f"/v1/clubs/{club}")["name"]}
        and about["visibility"] == "public"
    )
    cat.call("GET", f"/v1/clubs/{club}/tables", status=403, code="not_club_member")
    cat.call("GET", "/v1/clubs/999999/tables", status=404, code="no_such_club")


def test_non_members_cannot_see_or_join_club_tables(owner, club, ben, cat, new_client, sql):
    sql("UPDATE clubs SET joining = 'ask' WHERE id = %s", int(club))
    asks = member(new_client().guest(), club)
    table = open_table(owner, club=club).json()["table_id"]
    private = open_table(owner, club=club, visibility="private").json()
    for other in (cat, asks):
        other.call("GET", f"/v1/clubs/{club}/tables", status=403, code="not_club_member")
        sit(other, table, status=403, code="not_club_member")
        watch(other, table, status=403, code="not_club_member")
        other.call("POST", f"/v1/tables/{table}/tickets", headers=key(), status=403, code="not_seated")
        other.call("GET", f"/v1/tables/{table}", status=403, code="not_seated")
        other.call(
            "GET", f"/v1/tables/by-code/{private['code']}/invitation", status=403, code="not_club_member"
        )
        other.call(
            "POST",
            f"/v1/tables/by-code/{private['code']}/seats",
            headers=key(),
            status=403,
            code="not_club_member",
        )
        watch(other, private["table_id"], {"code": private["code"]}, status=403, code="not_club_member")
        watch(other, private["table_id"], status=404, code="no_such_table")
        open_table(other, club=club, status=403, code="not_club_member")
    assert sql(
        "SELECT count(*) FROM seats WHERE table_id IN (%s, %s)", int(table), int(private["table_id"])
    ) == [(2,)]
    assert watch(ben, table, status=201).json()["table_id"] == table
    assert ben.get(f"/v1/tables/by-code/{private['code']}/invitation")["seated"] is False
    ben.call("POST", f"/v1/tables/by-code/{private['code']}/seats", headers=key(), status=201)
    assert [t["table_id"] for t in tables(ben, club)] == [table], (
        "one that is entered by a code is in no list"
    )


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({"club": "999999"}, 404, "no_such_club"),
        ({"club": "0"}, 422, "bad_format"),
        ({"club": "x"}, 422, "bad_format"),
        ({"club": "-1"}, 422, "bad_format"),
        ({"club": "9" * 19}, 422, "bad_length"),
        ({"club": ""}, 422, "bad_length"),
        ({"club": 7}, 422, "wrong_type"),
        ({"club": None}, 422, "wrong_type"),
    ],
)
def test_invalid_clubs_are_refused(owner, body, status, code):
    open_table(owner, status=status, code=code, **body)


def test_club_tables_follow_the_chip_rules_of_player_tables(owner, club, ben, sql):
    open_table(owner, club=club, visibility="private", stake=10, status=409, code="stake_private")
    open_table(owner, club=club, stake=10, bots=1, status=409, code="stake_bots")
    open_table(owner, club=club, stake=11, status=409, code="stake_unknown")
    table = open_table(owner, club=club, stake=10).json()["table_id"]
    assert owner.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10 and tables(ben, club)[0]["stake"] == 10
    sit(ben, table, status=201)
    assert ben.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
    assert sql("SELECT practice, visibility FROM tables WHERE id = %s", int(table)) == [(False, "public")]


def test_a_player_who_left_the_club_cannot_sit_down_again(owner, club, ben):
    table = open_table(owner, club=club).json()["table_id"]
    sit(ben, table, status=201)
    ben.call("DELETE", f"/v1/clubs/{club}/members/{ben.player['id']}", status=204)
    sit(ben, table, status=403, code="not_club_member")


def test_a_rematch_remains_in_the_club(owner, club, ben, sql):
    table = open_table(owner, club=club, seats=2).json()["table_id"]
    sit(ben, table, status=201)
    sql("UPDATE tables SET state = 'finished', ended_at = now() WHERE id = %s", int(table))
    again = owner.call("POST", f"/v1/tables/{table}/rematch", headers=key(), status=201).json()["table_id"]
    assert sql("SELECT club_id FROM tables WHERE id = %s", int(again)) == [(int(club),)]
    ben.call("DELETE", f"/v1/clubs/{club}/members/{ben.player['id']}", status=204)
    ben.call("POST", f"/v1/tables/{table}/rematch", headers=key(), status=403, code="not_club_member")
    member(ben, club)
    assert (
        ben.call("POST", f"/v1/tables/{table}/rematch", headers=key(), status=201).json()["table_id"] == again
    )


def test_a_correspondence_table_can_belong_to_a_club(owner, club, ben, cat):
    table = open_table(owner, club=club, turn_hours=24, seats=2).json()["table_id"]
    assert tables(ben, club)[0]["turn_hours"] == 24
    sit(cat, table, status=403, code="not_club_member")
    sit(ben, table, status=201)


def test_only_friends_in_the_club_can_be_invited_to_its_tables(owner, club, ben, cat):
    for friend in (ben, cat):
        owner.call("PUT", f"/v1/friends/{friend.player['id']}", status=200)
        friend.call("PUT", f"/v1/friends/{owner.player['id']}", status=200)
    private = open_table(owner, club=club, visibility="private").json()["table_id"]
    owner.call("PUT", f"/v1/friends/{cat.player['id']}/tables/{private}", status=403, code="not_club_member")
    owner.call("PUT", f"/v1/friends/{ben.player['id']}/tables/{private}", status=204)


def test_only_friends_in_the_club_see_its_tables(owner, club, ben, cat, sql):
    for friend in (ben, cat):
        owner.call("PUT", f"/v1/friends/{friend.player['id']}", status=200)
        friend.call("PUT", f"/v1/friends/{owner.player['id']}", status=200)
    table = open_table(owner, club=club).json()["table_id"]
    seen = {
        row[0]: row[1]
        for row in sql(
            "SELECT player_id, body::jsonb->0->>'table_id' FROM q_friends_online(%s, 'n1', 9)",
            [int(ben.player["id"]), int(cat.player["id"])],
        )
    }
    assert seen == {int(ben.player["id"]): table, int(cat.player["id"]): None}
    assert sql("SELECT count(*) FROM q_lobby(1000) WHERE id = %s", table) == [(0,)]


def test_club_tables_are_paged(owner, club, ben):
    opened = [
        open_table(client, club=club, **more).json()["table_id"]
        for client, more in ((owner, {}), (ben, {}), (ben, {"turn_hours": 24}))
    ]
    first = ben.get(f"/v1/clubs/{club}/tables", params={"limit": 2})
    rest = ben.get(f"/v1/clubs/{club}/tables", params={"limit": 2, "cursor": first["next"]})
    assert [t["table_id"] for t in first["items"] + rest["items"]] == opened[::-1] and rest["next"] is None
