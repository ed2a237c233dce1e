"""Operators' actions on players: searching, banning, muting, notes. Each takes effect once, is logged, and
requires a role."""

import uuid

import pytest
from support.chips import WELCOME_SILVER
from support.contract import Client
from support.keys import make_key
from support.totp import Member


def act(client, path, body, key=None, **more):
    return client.call(
        "POST",
        f"/v1/admin/players/{path}",
        body,
        headers={"Idempotency-Key": key or uuid.uuid4().hex},
        **more,
    )


@pytest.fixture(scope="module")
def admin(holder):
    return holder("owner")


def by_address(admin, address):
    return [
        p["id"]
        for p in admin.call("POST", "/v1/admin/player-search", {"email": address}, status=200).json()["items"]
    ]


def last_lines(admin, n):
    return [
        (i["action"], i["code"]) for i in reversed(admin.get(f"/v1/admin/audit?limit={n + 1}")["items"][1:])
    ]


def test_a_player_is_found_by_id_address_and_name_prefix(admin, new_client):
    word = "Zo" + uuid.uuid4().hex[:8]
    address = f"{uuid.uuid4().hex}@example.org"
    ann = new_client().register(address, nickname=f"{word}_Ann")
    bob = new_client().guest(nickname=f"{word}-Bob")
    find = lambda q: [
        p["id"] for p in admin.call("GET", "/v1/admin/players", params={"q": q}, status=200).json()["items"]
    ]
    assert find(word) == find(word.upper()) == [bob.player["id"], ann.player["id"]]
    assert find(f"{word}_") == [ann.player["id"]] and find(f"{word}%") == [], "no wildcards"
    assert (
        by_address(admin, address.upper()) == [ann.player["id"]] and by_address(admin, f"not-{address}") == []
    )
    assert ann.player["id"] in find(ann.player["id"])
    assert find(word + "x") == [] == find("9" * 18)
    it = admin.get(f"/v1/admin/players/{ann.player['id']}")
    assert (it["email"], it["kind"], it["silver"], it["gold"], it["notes"], it["tables"]) == (
        address,
        "registered",
        WELCOME_SILVER,
        0,
        [],
        [],
    )


def test_the_audit_log_contains_no_email_address(admin, new_client, sql):
    """The log is kept forever: it names the player who was looked up, and not the email address."""
    address = f"{uuid.uuid4().hex}@example.org"
    ann = new_client().register(address)
    for q, player in ((address.upper(), int(ann.player["id"])), (f"not-{address}", None)):
        by_address(admin, q)
        assert admin.get("/v1/admin/audit?limit=2")["items"][1]["detail"] == {"by": "email", "player": player}
    admin.get(f"/v1/admin/players/{ann.player['id']}")
    assert sql("SELECT count(*) FROM audit WHERE (detail::text || action) ~* %s", address.split("@")[0]) == [
        (0,)
    ]
    assert sql("SELECT count(*) FROM admin_answers WHERE answer::text ~* %s", address.split("@")[0]) == [(0,)]


def test_an_email_address_in_the_query_is_refused(admin, new_client, sql):
    address = f"{uuid.uuid4().hex}@example.org"
    new_client().register(address)
    for q in (address, address.upper(), "x@", "@"):
        answer = admin.call("GET", "/v1/admin/players", params={"q": q}, status=400, code="bad_parameter")
        assert [(fault["parameter"], fault["code"]) for fault in answer.json()["errors"]] == [
            ("q", "address_in_query")
        ]
        assert q not in answer.text
    for bad in ("", "x", "no address", 5, None):
        admin.call("POST", "/v1/admin/player-search", {"email": bad}, status=422)


def test_player_lists_are_paged_and_cursors_belong_to_their_query(admin, new_client):
    word = "Pg" + uuid.uuid4().hex[:8]
    ids = [new_client().guest(nickname=f"{word} {i}").player["id"] for i in range(3)]
    first = admin.get(f"/v1/admin/players?q={word}&limit=2")
    rest = admin.get(f"/v1/admin/players?q={word}&limit=2&cursor={first['next']}")
    assert [p["id"] for p in first["items"] + rest["items"]] == ids[::-1] and rest["next"] is None
    admin.call("GET", f"/v1/admin/players?q=other&cursor={first['next']}", status=400, code="bad_cursor")
    admin.call("GET", f"/v1/admin/players?cursor={first['next']}", status=400, code="bad_cursor")
    assert len(admin.get("/v1/admin/players?limit=2")["items"]) == 2
    for bad in ("", "x" * 255, "%ff"):
        admin.call("GET", f"/v1/admin/players?q={bad}", status=400, code="bad_parameter")


def said(player):
    """The kind and text of a player's notes, newest first."""
    return [(note["about"], note["text"]) for note in player["notes"]]


def test_a_ban_takes_effect_at_once(admin, new_client, sql):
    bad = new_client().guest()
    seat = bad.take_seat(status=201).json()
    assert bad.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
    answer = act(admin, f"{bad.player['id']}/ban", {"reason": "two accounts"}, status=200).json()
    assert answer["banned_at"] and said(answer)[0] == ("ban", "two accounts")
    assert (answer["silver"], answer["tables"]) == (WELCOME_SILVER, []), (
        "the stake of a waiting table comes back"
    )
    # the token was issued before, and is valid for minutes
    for path in ("/v1/me", "/v1/wallet", "/v1/rooms"):
        bad.call("GET", path, status=401, code="token_invalid")
    bad.take_seat(status=401, code="token_invalid")
    bad.new_ticket(seat["table_id"], status=401, code="token_invalid")
    bad.call(
        "POST", "/v1/auth/refresh", {"refresh_token": bad.refresh_token}, status=403, code="account_banned"
    )
    assert sql(
        "SELECT count(*) FROM tickets WHERE player_id = %s AND expires_at > now()", int(bad.player["id"])
    ) == [(0,)]
    lifted = act(admin, f"{bad.player['id']}/unban", {"reason": "a sibling"}, status=200).json()
    assert lifted["banned_at"] is None and said(lifted) == [("unban", "a sibling"), ("ban", "two accounts")]
    bad._adopt(bad.call("POST", "/v1/auth/refresh", {"refresh_token": bad.refresh_token}, status=200).json())
    assert bad.get("/v1/me")["id"] == bad.player["id"]
    assert last_lines(admin, 2) == [("ban", "ok"), ("unban", "ok")]


def test_a_repeated_ban_or_unban_changes_nothing(admin, new_client):
    player = new_client().guest()
    ban, unban = (
        lambda key: act(admin, f"{player.player['id']}/ban", {"reason": "x"}, key, status=200).json(),
        lambda key: act(admin, f"{player.player['id']}/unban", {"reason": "x"}, key, status=200).json(),
    )
    first = ban("ban-" + player.player["id"])
    lifted = unban("lift-" + player.player["id"])
    assert ban("ban-" + player.player["id"]) == first, "the first reply again"
    player.get("/v1/me")
    ban(None)
    player.call("GET", "/v1/me", status=401, code="token_invalid")
    assert unban("lift-" + player.player["id"]) == lifted
    player.call("GET", "/v1/me", status=401, code="token_invalid")


def test_a_ban_affects_only_that_player(admin, new_client):
    players = [new_client().guest() for _ in range(5)]
    for banned in (players[2], players[0], players[4]):
        act(admin, f"{banned.player['id']}/ban", {"reason": "x"}, status=200)
    for i, player in enumerate(players):
        player.call("GET", "/v1/me", status=401 if i in (0, 2, 4) else 200)
    act(admin, f"{players[2].player['id']}/unban", {"reason": "x"}, status=200)
    for i, player in enumerate(players):
        player.call("GET", "/v1/me", status=401 if i in (0, 4) else 200)


def test_a_recent_ban_survives_a_restart(new_server, cluster):
    server = new_server(rate_limits="off")
    player, admin = Client(server).guest(), Client(server)
    admin.token = make_key(server.owner_db)
    act(admin, f"{player.player['id']}/ban", {"reason": "x"}, status=200)
    server.kill()
    server.start()
    player.call("GET", "/v1/me", status=401, code="token_invalid")


def test_all_sessions_of_a_player_can_be_ended_without_a_ban(admin, new_client, sql):
    here = new_client().guest()
    there, other = new_client().guest(here.device_secret), new_client().guest()
    path, key = f"{here.player['id']}/sessions/end", uuid.uuid4().hex
    seat = here.take_seat(status=201).json()
    first = act(admin, path, {"reason": "a stolen laptop"}, key, status=200).json()
    assert said(first) == [("end_sessions", "a stolen laptop")] and first["banned_at"] is None
    assert first["tables"] == [seat["table_id"]], "the seat stays theirs"
    for client in (here, there):
        client.call("GET", "/v1/me", status=401, code="token_invalid")
        client.call(
            "POST",
            "/v1/auth/refresh",
            {"refresh_token": client.refresh_token},
            status=401,
            code="refresh_invalid",
        )
    other.get("/v1/me")
    again = new_client().guest(there.device_secret)
    assert act(admin, path, {"reason": "a stolen laptop"}, key, status=200).json() == first
    assert again.get("/v1/me")["id"] == here.player["id"], "a repeat ends nothing that began since"
    act(admin, path, {"reason": "another one"}, status=200)
    again.call("GET", "/v1/me", status=401, code="token_invalid")
    act(admin, path, {"reason": "nothing is left to end"}, status=200)
    assert last_lines(admin, 4) == [
        ("end_sessions", "ok"),
        ("end_sessions", "repeated"),
        ("end_sessions", "ok"),
        ("end_sessions", "ok"),
    ]


def test_ending_sessions_also_ends_pending_second_factor_sign_ins(admin, server, sql):
    member = Member(server, sql).set_up().confirm()
    challenge = member.challenge()
    act(admin, f"{member.player}/sessions/end", {"reason": "x"}, status=200)
    member.finish(challenge, member.code(), status=410, code="challenge_invalid")
    member.finish(member.challenge(), member.code(), status=200)


def test_a_muted_player_is_muted_until_the_given_time(admin, guest, sql):
    answer = act(admin, f"{guest.player['id']}/mute", {"hours": 24, "reason": "insults"}, status=200).json()
    assert (
        answer["chat_muted_until"]
        and said(answer) == [("mute", "insults")]
        and answer["notes"][0]["hours"] == 24
    )
    assert sql(
        "SELECT chat_muted_until - now() BETWEEN interval '23 hours' AND interval '24 hours' FROM players"
        " WHERE id = %s",
        int(guest.player["id"]),
    ) == [(True,)]
    answer = act(admin, f"{guest.player['id']}/mute", {"hours": 0, "reason": "enough"}, status=200).json()
    assert (
        answer["chat_muted_until"] is None
        and said(answer)[0] == ("unmute", "enough")
        and "hours" not in answer["notes"][0]
    )


def test_separated_players_never_share_a_table(admin, holder, new_client, sql):
    ann, bob, key = new_client().guest(), new_client().guest(), uuid.uuid4().hex
    body = {"other": bob.player["id"], "separated": True, "reason": "they throw each other cards"}
    for _ in range(2):
        it = act(admin, f"{ann.player['id']}/separations", body, key, status=200).json()
        assert [(*one, note["other"]) for one, note in zip(said(it), it["notes"])] == [
            ("separate", body["reason"], bob.player["id"])
        ]
    theirs = admin.get(f"/v1/admin/players/{bob.player['id']}")
    assert (*said(theirs)[0], theirs["notes"][0]["other"]) == ("separate", body["reason"], ann.player["id"])
    hers = ann.take_seat().json()["table_id"]
    assert bob.take_seat().json()["table_id"] != hers
    assert act(
        admin,
        f"{bob.player['id']}/separations",
        {**body, "other": ann.player["id"], "separated": False},
        status=200,
    )
    assert sql("SELECT count(*) FROM separations") == [(0,)]
    assert admin.get("/v1/admin/collusion")["items"] == []
    assert last_lines(admin, 1) == [("read:collusion", "ok")]
    ann.call("GET", "/v1/admin/collusion", status=401, code="api_key_invalid")
    for other in (ann.player["id"], "999999999", "x", "-1", "9" * 19):
        act(
            admin,
            f"{ann.player['id']}/separations",
            {**body, "other": other},
            status=404,
            code="player_unknown",
        )
    assert last_lines(admin, 1) == [("separate", "player_unknown")]
    act(holder("jobs"), f"{ann.player['id']}/separations", body, status=403, code="api_key_forbidden")
    assert sql("SELECT count(*) FROM separations") == [(0,)]


def test_notes_are_listed_newest_first(admin, guest):
    for text in ("first", "second"):
        it = act(admin, f"{guest.player['id']}/notes", {"note": text}, status=200).json()
    assert said(it) == [("note", "second"), ("note", "first")]


@pytest.mark.parametrize(
    "path, body",
    [
        ("ban", {"reason": "x"}),
        ("unban", {"reason": "x"}),
        ("sessions/end", {"reason": "x"}),
        ("mute", {"hours": 1, "reason": "x"}),
        ("notes", {"note": "x"}),
    ],
)
def test_each_action_happens_once_and_requires_its_role(admin, holder, guest, anyone, sql, path, body):
    player, key = guest.player["id"], uuid.uuid4().hex
    first = act(admin, f"{player}/{path}", body, key, status=200).json()
    assert act(admin, f"{player}/{path}", body, key, status=200).json() == first
    assert sql("SELECT count(*) FROM player_notes WHERE player_id = %s", int(player)) == [(1,)]
    other = {name: "other" if isinstance(value, str) else value for name, value in body.items()}
    act(admin, f"{player}/{path}", other, key, status=422, code="idempotency_key_reused")
    act(admin, f"999999999/{path}", body, status=404, code="player_unknown")
    act(admin, f"x/{path}", body, status=400, code="bad_parameter")
    act(admin, f"{player}/{path}", {}, status=422, code="missing_member")
    act(admin, f"{player}/{path}", {**body, "more": 1}, status=422, code="unknown_member")
    admin.call("POST", f"/v1/admin/players/{player}/{path}", body, status=400, code="idempotency_key_missing")
    act(holder("jobs"), f"{player}/{path}", body, status=403, code="api_key_forbidden")
    act(anyone, f"{player}/{path}", body, status=401, code="api_key_missing")
    action = {"notes": "note", "sessions/end": "end_sessions"}.get(path, path)
    assert [line for line in last_lines(admin, 6) if line[0] == action] == [
        (action, "ok"),
        (action, "repeated"),
        (action, "idempotency_key_reused"),
        (action, "player_unknown"),
        (action, "api_key_forbidden"),
    ]
    assert sql("SELECT count(*) FROM player_notes WHERE player_id = %s", int(player)) == [(1,)]


def test_only_an_admin_can_read_players(holder, guest, admin):
    holder("jobs").call(
        "POST", "/v1/admin/player-search", {"email": "x@example.org"}, status=403, code="api_key_forbidden"
    )
    for path in ("/v1/admin/players", f"/v1/admin/players/{guest.player['id']}"):
        holder("jobs").call("GET", path, status=403, code="api_key_forbidden")
        guest.call("GET", path, status=401, code="api_key_invalid")
    admin.call("GET", "/v1/admin/players/999999999", status=404, code="player_unknown")
