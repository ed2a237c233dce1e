"""What a shared link shows a visitor: a private table by its code, an invitation by its code."""

import uuid

import pytest
from club_rig import club, key, owner
from support.contract import a_name

SHARES_SERVER = True


def open_table(client, **body):
    body = {"variant": "straight", "seats": 3, "visibility": "private", **body}
    return client.call("POST", "/v1/tables", body, status=201, headers=key()).json()


def join(client, word, **more):
    return client.call("POST", f"/v1/tables/by-code/{word}/seats", headers=key(), **more)


def leave(client, table):
    client.call("DELETE", f"/v1/tables/{table['table_id']}/seats/me", status=204)


def shown(reader, table, **more):
    return reader.call("GET", f"/v1/tables/by-code/{table['code']}/link", **more)


def named(client):
    me = client.get("/v1/me")
    return {"nickname": me["nickname"], "avatar": me["avatar"]}


@pytest.fixture
def host(new_client):
    return new_client().guest()


def test_a_stranger_sees_who_invites_to_what_and_who_sits_there(host, guest, anyone):
    table = open_table(host, options={"target": 100}, bots=1)
    link = {
        "state": "waiting",
        "variant": "straight",
        "options": {"target": 100},
        "seats": 3,
        "people": 1,
        "bots": 1,
        "free": 2,
        "stake": 0,
        "turn_hours": None,
        "host": named(host),
        "players": [named(host)],
    }
    assert shown(anyone, table).json() == link, "and nothing else"
    assert shown(anyone, {"code": table["code"].lower()}).json() == link
    join(guest, table["code"], status=201)
    sat = {**link, "people": 2, "free": 1, "players": [named(host), named(guest)]}
    assert shown(anyone, table).json() == sat
    assert shown(guest, table).json() == sat, "a token changes nothing"
    assert guest.get(f"/v1/tables/by-code/{table['code']}/invitation") == {**sat, "seated": True}


def test_a_full_table_and_one_that_has_ended_keep_their_inviter(host, guest, anyone, sql):
    table = open_table(host, seats=2)
    join(guest, table["code"], status=201)
    full = shown(anyone, table).json()
    assert (full["people"], full["free"], len(full["players"])) == (2, 0, 2)
    for one in (guest, host):
        leave(one, table)
    over = shown(anyone, table).json()
    assert (over["state"], over["host"], over["variant"]) == ("over", named(host), "straight")
    assert (over["people"], over["bots"], over["free"], over["players"]) == (0, 0, 0, [])
    join(guest, table["code"], status=404, code="no_such_table")
    sql("UPDATE tables SET ended_at = now() - interval '8 days' WHERE id = %s", int(table["table_id"]))
    shown(anyone, table, status=404, code="no_such_table")


def test_a_lost_table_is_over(host, anyone, sql):
    table = open_table(host)
    sql("UPDATE tables SET state = 'lost' WHERE id = %s", int(table["table_id"]))
    assert shown(anyone, table).json()["state"] == "over"


def test_a_code_in_use_again_leads_to_the_table_that_lives(host, anyone, sql):
    old, new = open_table(host, seats=2), open_table(host, seats=4)
    leave(host, old)
    sql("UPDATE tables SET code = %s WHERE id = %s", old["code"], int(new["table_id"]))
    link = shown(anyone, old).json()
    assert (link["state"], link["seats"]) == ("waiting", 4)


def test_a_table_with_turns_of_hours_says_so(host, anyone):
    assert shown(anyone, open_table(host, turn_hours=8)).json()["turn_hours"] == 8


def test_a_table_of_a_club_shows_a_stranger_nothing(owner, club, anyone, new_client):
    table = open_table(owner, club=club)
    refused = shown(anyone, table, status=403, code="not_club_member")
    assert owner.player["nickname"] not in refused.text
    join(new_client().guest(), table["code"], status=403, code="not_club_member")


def test_nothing_hidden_is_among_it(new_client, anyone, sql):
    host = new_client().register(f"{uuid.uuid4().hex}@example.org", "correct horse", nickname=a_name("Host"))
    table = open_table(host)
    public = open_table(host, visibility="public")
    row = sql(
        "SELECT encode(server_seed, 'hex'), encode(commit, 'hex') FROM tables WHERE id = %s",
        int(table["table_id"]),
    )[0]
    link = shown(anyone, table)
    for hidden in (*row, "@", host.player["id"], table["table_id"], table["ticket"]):
        assert f'"{hidden}' not in link.text and (hidden.isdigit() or hidden not in link.text), hidden
    assert "Set-Cookie" not in link.headers
    assert public["code"] is None, "only a private table has a link"


@pytest.mark.parametrize("word", ["AAA", "AAA%20AA", "AAAAAAA", "AAAA-A", "%F0%9F%98%80", "AAAA'A"])
def test_what_is_no_code_of_a_table_is_refused(anyone, word):
    problem = anyone.call("GET", f"/v1/tables/by-code/{word}/link", status=400, code="bad_parameter").json()
    assert [(fault["parameter"], fault["code"]) for fault in problem["errors"]] == [("code", "bad_code")]


def test_an_unknown_code_is_of_no_table(anyone):
    anyone.call("GET", "/v1/tables/by-code/AAAAA0/link", status=404, code="no_such_table")


# --- invitations ---


def test_an_invitation_names_the_inviter_and_what_it_brings(host, anyone):
    code = host.call("POST", "/v1/invites", status=200).json()["code"]
    link = {"host": named(host), "invited_gold": 10}
    for one in (code, code.lower()):
        assert anyone.get(f"/v1/invites/{one}") == link, "and nothing else"


def test_an_unknown_invitation_is_nobodys(anyone):
    anyone.call("GET", "/v1/invites/NOSUCH00", status=404, code="invite_unknown")
    for word in ("SHORT", "NINECHARS", "NO%20SUCH", "NOSUCH0'"):
        problem = anyone.call("GET", f"/v1/invites/{word}", status=400, code="bad_parameter").json()
        (fault,) = problem["errors"]
        assert (fault["parameter"], fault["code"]) == ("invite", "bad_code")


def test_a_banned_player_and_one_about_to_leave_invite_nobody(host, guest, anyone, sql):
    for one, end in (
        (host, lambda: sql("UPDATE players SET banned_at = now() WHERE id = %s", int(host.player["id"]))),
        (guest, lambda: guest.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)),
    ):
        code = one.call("POST", "/v1/invites", status=200).json()["code"]
        anyone.get(f"/v1/invites/{code}")
        end()
        anyone.call("GET", f"/v1/invites/{code}", status=404, code="invite_unknown")


def test_whoever_comes_back_to_a_seat_still_has_the_code_of_its_table(host, guest):
    table = open_table(host)
    join(guest, table["code"], status=201)
    for one in (host, guest):
        again = one.call("POST", f"/v1/tables/{table['table_id']}/tickets", headers=key(), status=201).json()
        assert again["code"] == table["code"]
