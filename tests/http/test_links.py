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


def test_a_stranger_sees_the_inviter_the_game_and_the_seated_players(host, guest, anyone):
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


def test_full_and_finished_tables_still_show_their_inviter(host, guest, anyone, sql):
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


def test_a_lost_table_is_shown_as_over(host, anyone, sql):
    table = open_table(host)
    sql("UPDATE tables SET state = 'lost' WHERE id = %s", int(table["table_id"]))
    assert shown(anyone, table).json()["state"] == "over"


def test_a_reused_code_leads_to_the_open_table(host, anyone, sql):
    old, new = open_table(host, seats=2), open_table(host, seats=4)
    leave(host, old)
    sql("UPDATE tables SET code = %s WHERE id = %s", old["code"], int(new["table_id"]))
    link = shown(anyone, old).json()
    assert (link["state"], link["seats"]) == ("waiting", 4)


def test_a_correspondence_table_shows_its_turn_hours(host, anyone):
    assert shown(anyone, open_table(host, turn_hours=8)).json()["turn_hours"] == 8


def test_a_club_table_is_hidden_from_strangers(owner, club, anyone, new_client):
    table = open_table(owner, club=club)
    refused = shown(anyone, table, status=403, code="not_club_member")
    assert owner.player["nickname"] not in refused.text
    join(new_client().guest(), table["code"], status=403, code="not_club_member")


def test_a_link_shows_nothing_hidden(new_client, anyone, sql):
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
def test_malformed_table_codes_are_refused(anyone, word):
    problem = anyone.call("GET", f"/v1/tables/by-code/{word}/link", status=400, code="bad_parameter").json()
    assert [(fault["parameter"], fault["code"]) for fault in problem["errors"]] == [("code", "bad_code")]


def test_an_unknown_table_code_returns_404(anyone):
    anyone.call("GET", "/v1/tables/by-code/AAAAA0/link", status=404, code="no_such_table")


# --- invitations ---


def test_an_invitation_shows_the_inviter_and_the_reward(host, anyone):
    code = host.call("POST", "/v1/invites", status=200).json()["code"]
    link = {"host": named(host), "invited_gold": 10}
    for one in (code, code.lower()):
        assert anyone.get(f"/v1/invites/{one}") == link, "and nothing else"


def test_unknown_and_malformed_invitations_are_refused(anyone):
    anyone.call("GET", "/v1/invites/NOSUCH00", status=404, code="invite_unknown")
    for word in ("SHORT", "NINECHARS", "NO%20SUCH", "NOSUCH0'"):
        problem = anyone.call("GET", f"/v1/invites/{word}", status=400, code="bad_parameter").json()
        (fault,) = problem["errors"]
        assert (fault["parameter"], fault["code"]) == ("invite", "bad_code")


def test_invitations_of_banned_and_departing_players_are_unknown(host, guest, anyone, sql):
    for one, end in (
        (host, lambda: sql("UPDATE players SET banned_at = now() WHERE id = %s", int(host.player["id"]))),
        (guest, lambda: guest.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)),
    ):
        code = one.call("POST", "/v1/invites", status=200).json()["code"]
        anyone.get(f"/v1/invites/{code}")
        end()
        anyone.call("GET", f"/v1/invites/{code}", status=404, code="invite_unknown")


def test_returning_players_get_the_code_of_their_table_again(host, guest):
    table = open_table(host)
    join(guest, table["code"], status=201)
    for one in (host, guest):
        again = one.call("POST", f"/v1/tables/{table['table_id']}/tickets", headers=key(), status=201).json()
        assert again["code"] == table["code"]
