"""Invitations between players: accepted at registration, when a guest becomes an account, or within a day;
and refusals."""

import uuid

import pytest
from support.contract import a_name

EMAIL = "{}@example.org"


def email():
    return EMAIL.format(uuid.uuid4().hex)


def register(client, invite=None, status=201, **more):
    body = {
        "email": email(),
        "password": "correct horse",
        "nickname": a_name("Ben"),
        **({"invite_code": invite} if invite else {}),
    }
    answer = client.call("POST", "/v1/auth/register", body, status=status, **more)
    return client._adopt(answer.json()) if status == 201 else body


def upgrade(guest, status=200, **body):
    more = {"code": body.pop("refused")} if "refused" in body else {}
    answer = guest.call(
        "POST",
        "/v1/auth/upgrade",
        {"email": email(), "password": "correct horse", **body},
        status=status,
        **more,
    )
    return guest._adopt(answer.json()) if status == 200 else answer


def code_of(client):
    return client.call("POST", "/v1/invites", status=200).json()["code"]


def test_a_code_is_created_by_a_post_and_not_by_a_get(guest, sql):
    assert [guest.get("/v1/invites")["code"] for _ in range(2)] == [None, None]
    assert sql("SELECT count(*) FROM invite_codes WHERE player_id = %s", int(guest.player["id"])) == [(0,)]
    made = [guest.call("POST", "/v1/invites", status=200).json() for _ in range(2)]
    assert made[0] == made[1] == guest.get("/v1/invites") and len(made[0]["code"]) == 8


@pytest.fixture
def inviter(guest):
    guest.code = code_of(guest)
    return guest


def play(sql, client, n):
    """Plays this many rated games in which they take part; tests/db/test_invites.py covers the
    opponents."""
    sql(
        "INSERT INTO player_stats (player_id, variant, games, rated) VALUES (%s, 'straight', %s, %s)",
        int(client.player["id"]),
        n,
        n,
    )
    sql("UPDATE settings SET value = '0' WHERE name = 'invite_opponents'")


def test_a_code_at_registration_pays_both_after_the_invited_player_plays(inviter, new_client, sql):
    ben = register(new_client(), inviter.code.lower())
    assert ben.get("/v1/wallet")["gold"] == inviter.get("/v1/wallet")["gold"] == 0
    seen = lambda: [(i["nickname"], i["games"], i["state"]) for i in inviter.get("/v1/invites")["items"]]
    assert seen() == [(ben.player["nickname"], 0, "open")]
    play(sql, ben, 11)
    sql("SELECT do_counts_due(500)")
    assert seen() == [(ben.player["nickname"], 10, "open")] and ben.get("/v1/wallet")["gold"] == 0, (
        "the address is not proved"
    )
    sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(ben.player["id"]))
    sql("SELECT do_counts_due(500)")
    assert seen()[0][2] == "paid"
    assert ben.get("/v1/wallet")["gold"] == 10
    assert inviter.get("/v1/wallet")["gold"] == 30 + 10, "and the achievement invite_1"
    sql("UPDATE settings SET value = '3' WHERE name = 'invite_opponents'")
    ben.call(
        "PUT",
        "/v1/me/invitation",
        {"code": inviter.code},
        headers={"Idempotency-Key": "k"},
        status=409,
        code="invite_used",
    )


def test_a_wrong_code_prevents_registration(inviter, new_client, sql):
    before = sql("SELECT count(*) FROM players")
    body = register(new_client(), "NOSUCH00", status=404, code="invite_unknown")
    assert sql("SELECT count(*) FROM players") == before
    for bad, code in (("SHORT", "bad_length"), ("NINECHARS", "bad_length"), ("NO SUCH!", "bad_format")):
        register(new_client(), bad, status=422, code=code)
    new_client().call("POST", "/v1/auth/register", {**body, "invite_code": inviter.code}, status=201)
    new_client().call(
        "POST", "/v1/auth/register", {**body, "invite_code": inviter.code}, status=409, code="email_taken"
    )
    assert len(inviter.get("/v1/invites")["items"]) == 1


def test_a_guest_becomes_an_account_and_keeps_everything(inviter, new_client, server):
    guest = new_client().guest(nickname="Gus")
    old_refresh, wallet = guest.refresh_token, guest.get("/v1/wallet")
    address = email()
    upgrade(guest, email=address, invite_code=inviter.code)
    assert (guest.player["kind"], guest.player["nickname"]) == ("registered", "Gus")
    assert guest.get("/v1/wallet") == wallet
    assert guest.get("/v1/me")["id"] == guest.player["id"]
    new_client().call(
        "POST", "/v1/auth/refresh", {"refresh_token": old_refresh}, status=401, code="refresh_invalid"
    )
    again = (
        new_client()
        .call("POST", "/v1/auth/login", {"email": address, "password": "correct horse"}, status=200)
        .json()
    )
    assert again["player"]["id"] == guest.player["id"]
    secret = {"device_secret": guest.device_secret}
    new_client().call("POST", "/v1/auth/guest", secret, status=401, code="device_unknown")
    upgrade(guest, status=409, refused="already_registered")


def test_the_list_shows_whether_an_invitation_can_be_accepted(inviter, new_client, sql):
    """The day begins with the registration, however old the guest is. The list and the response to a code
    always agree."""

    def seen_and_tried(client):
        seen = client.get("/v1/invites")["acceptance"]
        tried = client.call(
            "PUT", "/v1/me/invitation", {"code": inviter.code}, headers={"Idempotency-Key": uuid.uuid4().hex}
        )
        assert tried.status_code == 200 if seen == "open" else tried.json()["code"] == f"invite_{seen}"
        return seen

    def older(client, *tables):
        for table, column in tables:
            sql(
                f"UPDATE {table} SET created_at = created_at - interval '25 hours' WHERE {column} = %s",
                int(client.player["id"]),
            )

    guest, late, named = new_client().guest(), register(new_client()), register(new_client(), inviter.code)
    older(guest, ("players", "id"))
    assert seen_and_tried(guest) == "guest"
    upgrade(guest)
    older(late, ("players", "id"), ("credentials", "player_id"))
    older(named, ("players", "id"), ("credentials", "player_id"))
    assert [seen_and_tried(client) for client in (guest, late, named)] == ["open", "late", "used"]
    assert guest.get("/v1/invites")["acceptance"] == "used"


def test_upgrades_that_are_refused(inviter, new_client, sql, anyone):
    guest = new_client().guest()
    taken = email()
    new_client().register(taken)
    before = sql("SELECT kind, nickname FROM players WHERE id = %s", int(guest.player["id"]))
    upgrade(guest, status=409, refused="email_taken", email=taken.upper(), nickname="Other")
    upgrade(guest, status=404, refused="invite_unknown", invite_code="NOSUCH00")
    upgrade(guest, status=409, refused="invite_self", invite_code=code_of(guest))
    upgrade(guest, status=422, refused="bad_format", email="nobody")
    upgrade(guest, status=422, refused="bad_length", password="short")
    anyone.call(
        "POST",
        "/v1/auth/upgrade",
        {"email": email(), "password": "correct horse"},
        status=401,
        code="token_missing",
    )
    assert sql("SELECT kind, nickname FROM players WHERE id = %s", int(guest.player["id"])) == before
    assert guest.get("/v1/wallet")["gold"] == 0
    sql(
        "UPDATE players SET banned_at = now() - interval '1 hour' WHERE id = %s", int(guest.player["id"])
    )  # their token is still accepted
    upgrade(guest, status=403, refused="account_banned")


def test_a_player_cannot_be_invited_by_players_they_invited(inviter, new_client):
    ben = register(new_client(), inviter.code)
    eve = register(new_client(), code_of(ben))
    upgrade(inviter, status=409, refused="invite_circle", invite_code=code_of(eve))
    upgrade(inviter)
    for code in (code_of(ben), code_of(eve)):
        inviter.call(
            "PUT",
            "/v1/me/invitation",
            {"code": code},
            headers={"Idempotency-Key": uuid.uuid4().hex},
            status=409,
            code="invite_circle",
        )
    assert inviter.get("/v1/wallet")["gold"] == 0


def test_invitations_per_inviter_and_day_are_limited(inviter, new_client, sql):
    sql("UPDATE settings SET value = '2' WHERE name = 'invites_per_day_max'")
    try:
        register(new_client(), inviter.code)
        upgrade(new_client().guest(), invite_code=inviter.code)
        register(new_client(), inviter.code, status=409, code="invite_full")
        upgrade(new_client().guest(), status=409, refused="invite_full", invite_code=inviter.code)
        late = new_client().register()
        late.call(
            "PUT",
            "/v1/me/invitation",
            {"code": inviter.code},
            headers={"Idempotency-Key": "k"},
            status=409,
            code="invite_full",
        )
        sql(
            "UPDATE invites SET at = at - interval '25 hours' WHERE inviter_id = %s",
            int(inviter.player["id"]),
        )
        register(new_client(), inviter.code)
    finally:
        sql("UPDATE settings SET value = '20' WHERE name = 'invites_per_day_max'")


def test_the_code_of_a_banned_player_is_unknown(inviter, new_client, sql):
    sql("UPDATE players SET banned_at = now() WHERE id = %s", int(inviter.player["id"]))
    register(new_client(), inviter.code, status=404, code="invite_unknown")
