"""Accounts and their linked providers: which account a sign-in finds, linking and unlinking, and the proof
required from an account without a password."""

import uuid

import pytest
from openid_rig import (
    begin,
    finish,
    identities,
    link,
    other,
    provider,
    server,
    shared,
    sign_in,
    somebody,
)
from support.authenticator import Passkey
from support.oidc import Person

# --- existing accounts


def test_an_address_does_not_open_an_account_with_a_password(anyone, provider, new_client, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(mia.player["id"]))
    person = Person(uuid.uuid4().hex, email.upper())
    sign_in(anyone, provider, person, status=409, code_wanted="email_has_account")
    assert sql("SELECT count(*) FROM identities WHERE subject = %s", person.subject) == [(0,)]
    # the intended way: sign in as before, then link
    link(mia, provider, person)
    assert sign_in(new_client(), provider, person, status=200).player["id"] == mia.player["id"]


def test_an_unproved_registration_does_not_lock_out_the_owner(new_client, provider, sql):
    """An attacker registers with another person's address: when the address's owner signs in, none of the
    old credentials opens the account."""
    email = f"{uuid.uuid4().hex}@example.org"
    thief = new_client().register(email, "seven sleeping camels")
    link(thief, provider, somebody())
    player = int(thief.player["id"])
    owner = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email), status=200)
    assert owner.player["id"] == thief.player["id"] and owner.player["email_verified"] is True
    assert len(identities(owner)) == 1
    thief.call("GET", "/v1/me", status=401)
    thief.call("POST", "/v1/auth/refresh", {"refresh_token": thief.refresh_token}, status=401)
    new_client().call(
        "POST",
        "/v1/auth/login",
        {"email": email, "password": "seven sleeping camels"},
        status=401,
        code="bad_credentials",
    )
    assert sql("SELECT count(*) FROM mail_proofs WHERE player_id = %s", player) == [(0,)]
    assert {
        template
        for (template,) in sql(
            "SELECT template FROM mails WHERE player_id = %s AND address = %s", player, email
        )
    } >= {"identity_linked"}


def test_a_banned_account_loses_an_address_it_never_proved(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    banned = new_client().register(email)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", int(banned.player["id"]))
    owner = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email))
    assert owner.player["id"] != banned.player["id"] and owner.player["email_verified"] is True
    assert sql("SELECT player_id FROM credentials WHERE email = %s", email) == [(int(owner.player["id"]),)]


def test_an_address_does_not_open_an_account_of_another_provider(new_client, provider, other):
    person = somebody()
    sign_in(new_client(), provider, person)
    sign_in(new_client(), other, person, id="other", status=409, code_wanted="email_has_account")


def test_an_unverified_address_of_another_account_is_not_taken(new_client, provider):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    it = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email, verified=False))
    assert it.player["id"] != mia.player["id"] and it.player["email_verified"] is False


def test_an_address_that_can_be_restored_is_not_taken(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register()
    sql(
        "INSERT INTO mail_proofs VALUES (sha256(%s::bytea), %s, 'undo', %s, now() + interval '1 day')",
        email,
        int(mia.player["id"]),
        email,
    )
    it = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email))
    assert it.player["email_verified"] is False


def test_no_password_opens_an_account_without_a_password(new_client, provider):
    person = somebody()
    sign_in(new_client(), provider, person)
    for password in ("correct horse", "        "):
        new_client().call(
            "POST",
            "/v1/auth/login",
            {"email": person.email, "password": password},
            status=401,
            code="bad_credentials",
        )


def test_a_banned_player_cannot_sign_in(new_client, provider, sql):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", int(mia.player["id"]))
    sign_in(new_client(), provider, person, status=403, code_wanted="account_banned")
    assert sql("SELECT count(*) FROM sessions WHERE player_id = %s", int(mia.player["id"])) == [(1,)]


def test_a_second_factor_is_required_here_too(new_client, provider, sql):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    sql(
        "INSERT INTO totp_factors (player_id, sealed, kid, on_at) VALUES (%s, decode(repeat('00', 60),"
        " 'hex'), 'k1', now())",
        int(mia.player["id"]),
    )
    problem = sign_in(new_client(), provider, person, status=401, code_wanted="second_factor_needed")
    body = {"challenge": problem["challenge"], "factor_code": "123456"}
    new_client().call(
        "POST", "/v1/auth/login/factor", {**body, "challenge": "x" * 43}, code="challenge_invalid"
    )
    assert sql("SELECT count(*) FROM sessions WHERE player_id = %s", int(mia.player["id"])) == [(1,)]


# --- linking


def test_a_guest_becomes_an_account_and_keeps_everything(new_client, provider, sql):
    guest, person = new_client().guest(), somebody()
    old, device, id = new_client(), guest.device_secret, guest.player["id"]
    old.token, old.refresh_token = guest.token, guest.refresh_token
    link(guest, provider, person)
    assert (guest.player["id"], guest.player["kind"], guest.player["email_verified"]) == (
        id,
        "registered",
        True,
    )
    old.call("GET", "/v1/me", status=401)
    new_client().call("POST", "/v1/auth/guest", {"device_secret": device}, status=401, code="device_unknown")
    assert sign_in(new_client(), provider, person, status=200).player["id"] == id


def test_a_guest_cannot_link_an_address_of_an_existing_account(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(mia.player["id"]))
    guest = new_client().guest()
    link(guest, provider, Person(uuid.uuid4().hex, email), status=409, code_wanted="email_has_account")
    assert guest.get("/v1/me")["kind"] == "guest"


def test_a_guest_gets_an_address_that_was_never_proved(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    squatter = new_client().register(email)
    guest = new_client().guest()
    link(guest, provider, Person(uuid.uuid4().hex, email))
    assert guest.player["email_verified"] is True
    assert sql("SELECT player_id FROM credentials WHERE email = %s", email) == [(int(guest.player["id"]),)]
    assert squatter.get("/v1/me")["kind"] == "registered"


def test_an_account_adds_providers_and_is_notified_by_email(new_client, provider, other, sql):
    mia = new_client().register()
    before, person = mia.refresh_token, somebody()
    link(mia, provider, person)
    link(mia, other, somebody(), id="other")
    assert [it["provider"] for it in identities(mia)] == ["google", "other"]
    told = sql(
        "SELECT template, data->>'provider' FROM mails WHERE player_id = %s AND template LIKE 'identity%%'"
        " ORDER BY id",
        int(mia.player["id"]),
    )
    assert len(told) == 2
    for (template, name), expected in zip(told, ("Google", "Other"), strict=True):
        assert template == "identity_linked" and name in (expected, None)  # None: the email was already sent
    mia.call("POST", "/v1/auth/refresh", {"refresh_token": before}, status=401, code="refresh_invalid")
    assert len(mia.get("/v1/me/sessions")["items"]) == 1


def test_linking_the_same_identity_again_changes_nothing(new_client, provider):
    mia, person = new_client().register(), somebody()
    link(mia, provider, person)
    link(mia, provider, person)
    assert len(identities(mia)) == 1


def test_another_accounts_identity_cannot_be_linked(new_client, provider):
    person = somebody()
    sign_in(new_client(), provider, person)
    mia = new_client().register()
    link(mia, provider, person, status=409, code_wanted="identity_taken")
    link(new_client().guest(), provider, Person(person.subject), status=409, code_wanted="identity_taken")
    assert identities(mia) == []


def test_an_account_links_one_identity_per_provider(new_client, provider):
    mia = new_client().register()
    link(mia, provider, somebody())
    link(mia, provider, somebody(), status=409, code_wanted="identity_other")


def test_only_the_player_who_began_a_link_can_finish_it(new_client, provider):
    mia, eve, nobody = new_client().register(), new_client().register(), new_client()
    for client, path in ((eve, "/v1/me/oidc/"), (nobody, "/v1/auth/oidc/"), (mia, "/v1/auth/oidc/")):
        begun = begin(mia, path="/v1/me/oidc/")
        code, state = provider.agree(begun["authorize_url"], somebody())
        token, client.token = client.token, client.token if "me" in path else None
        finish(client, begun, code, state, path=path, status=410, code_wanted="flow_invalid")
        client.token = token
    begun = begin(nobody)
    finish(
        mia,
        begun,
        *provider.agree(begun["authorize_url"], somebody()),
        path="/v1/me/oidc/",
        status=410,
        code_wanted="flow_invalid",
    )
    assert identities(mia) == []


def test_an_old_session_cannot_link_or_unlink(new_client, provider, sql):
    mia = new_client().register()
    link(mia, provider, somebody())
    sql(
        "UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s",
        int(mia.player["id"]),
    )
    begin(mia, path="/v1/me/oidc/", id="other", status=403, code="sign_in_again")
    (it,) = identities(mia)
    mia.call("DELETE", f"/v1/me/identities/{it['id']}", status=403, code="sign_in_again")
    mia.refresh()
    mia.call("DELETE", f"/v1/me/identities/{it['id']}", status=403, code="sign_in_again")


def add_passkey(client):
    options = client.call("POST", "/v1/me/passkey/begin", {}, status=200).json()
    return client.call("POST", "/v1/me/passkeys", Passkey().create(options), status=201).json()["id"]


@pytest.mark.parametrize("person", [somebody(), somebody(email=False)])
def test_without_a_password_passkeys_export_and_deletion_need_a_new_sign_in(
    new_client, provider, sql, person
):
    mia = sign_in(new_client(), provider, person)
    passkey = add_passkey(mia)
    sql(
        "UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s",
        int(mia.player["id"]),
    )
    mia.call("POST", "/v1/me/passkey/begin", {}, status=403, code="sign_in_again")
    mia.call("POST", f"/v1/me/passkeys/{passkey}/remove", {}, status=403, code="sign_in_again")
    mia.call("POST", "/v1/me/export", {}, status=403, code="sign_in_again")
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=403, code="sign_in_again")
    assert [it["id"] for it in mia.get("/v1/me/passkeys")["items"]] == [passkey]
    assert mia.get("/v1/me/export")["state"] == mia.get("/v1/me/deletion")["state"] == "none"
    mia = sign_in(new_client(), provider, person, status=200)
    add_passkey(mia)
    mia.call("POST", f"/v1/me/passkeys/{passkey}/remove", {}, status=204)
    mia.call("POST", "/v1/me/export", {}, status=202)
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)


def test_an_account_shows_which_proof_it_requires(new_client, provider):
    def account(client):
        return client.get("/v1/me/account")

    guest, member = new_client().guest(), new_client().register()
    assert account(guest) == {"has_password": False, "proof": "none"}
    link(guest, provider, somebody(email=False))
    assert account(guest) == {"has_password": False, "proof": "recent_session"}
    assert account(member) == {"has_password": True, "proof": "password"}
    link(member, provider, somebody())
    assert account(member) == {"has_password": True, "proof": "password"}
    mia = sign_in(new_client(), provider, somebody())
    assert account(mia) == {"has_password": False, "proof": "recent_session"}


def test_an_account_without_providers_is_not_treated_as_a_guest(new_client, provider, sql):
    mia = sign_in(new_client(), provider, somebody())
    add_passkey(mia)
    mia.call("DELETE", f"/v1/me/identities/{identities(mia)[0]['id']}", status=204)
    sql(
        "UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s",
        int(mia.player["id"]),
    )
    assert mia.get("/v1/me/account")["proof"] == "recent_session"
    for path in ("/v1/me/passkey/begin", "/v1/me/export"):
        mia.call("POST", path, {}, status=403, code="sign_in_again")


def test_a_recent_session_does_not_replace_the_password(new_client, provider):
    mia = new_client().register()
    link(mia, provider, somebody())
    mia.call("POST", "/v1/me/export", {}, status=422, code="missing_member")
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=422, code="missing_member")


def test_a_guest_can_link_at_any_session_age(new_client, provider, sql):
    guest = new_client().guest()
    sql(
        "UPDATE sessions SET created_at = created_at - interval '1 day' WHERE player_id = %s",
        int(guest.player["id"]),
    )
    link(guest, provider, somebody())


def test_the_last_way_in_cannot_be_unlinked(new_client, provider, other):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    (first,) = identities(mia)
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=409, code="last_way_in")
    link(mia, other, somebody(), id="other")
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=204)
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=404, code="identity_unknown")
    assert [it["provider"] for it in identities(mia)] == ["other"]
    sign_in(
        new_client(), provider, person, status=409, code_wanted="email_has_account"
    )  # whose address still belongs to mia


def test_another_accounts_identity_cannot_be_unlinked(new_client, provider):
    (theirs,) = identities(sign_in(new_client(), provider, somebody()))
    new_client().register().call(
        "DELETE", f"/v1/me/identities/{theirs['id']}", status=404, code="identity_unknown"
    )


def test_restoring_an_address_removes_identities_linked_since(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    link(mia, provider, somebody())
    sql(
        "UPDATE identities SET created_at = now() - interval '2 days' WHERE player_id = %s",
        int(mia.player["id"]),
    )
    token = uuid.uuid4().hex * 2
    sql(
        "INSERT INTO mail_proofs VALUES (sha256(%s::bytea), %s, 'undo', %s, now() + interval '7 days' -"
        " interval '1 min')",
        token,
        int(mia.player["id"]),
        email,
    )
    sql(
        "INSERT INTO identities (player_id, issuer, subject, created_at) VALUES (%s, 'https://thief.example',"
        " 'a', now()), (%s, 'https://before.example', 'b', now() - interval '23 hours')",
        int(mia.player["id"]),
        int(mia.player["id"]),
    )
    new_client().call("POST", "/v1/auth/undo-email", {"token": token}, status=204)
    assert sql("SELECT issuer FROM identities WHERE player_id = %s", int(mia.player["id"])) == [
        (provider.url,)
    ]


def test_a_new_account_from_a_provider_can_be_invited_on_its_first_day(new_client, provider, sql):
    inviter, guest = new_client().register(), new_client().guest()
    sql("UPDATE players SET created_at = now() - interval '3 days' WHERE id = %s", int(guest.player["id"]))
    link(guest, provider, somebody(email=False))
    code = inviter.call("POST", "/v1/invites").json()["code"]
    guest.call(
        "PUT", "/v1/me/invitation", {"code": code}, headers={"Idempotency-Key": uuid.uuid4().hex}, status=200
    )


def test_events_are_logged_without_secrets(anyone, provider, server):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    session = finish(anyone, begun, code, state, status=201).json()
    finish(anyone, begun, code, state, status=410)
    assert server.logged('"session_begun"') and server.logged('"sign_in_refused"')
    for secret in (code, state, begun["secret"], session["refresh_token"], session["access_token"]):
        assert secret not in server.log()
