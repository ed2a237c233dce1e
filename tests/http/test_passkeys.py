"""Passkeys: adding, listing, naming, removing; signing in with one; and that each check alone rejects a
request."""

import concurrent.futures
import uuid

import pytest
from support.authenticator import ATTESTED, BACKED_UP, ELIGIBLE, PRESENT, VERIFIED, Passkey, b64, cbor
from support.contract import Client
from support.totp import PASSWORD as MEMBER_PASSWORD
from support.totp import Member, wrong_code

PASSWORD = "correct horse"


@pytest.fixture
def account(new_client):
    """A registered player, signed in."""
    client = new_client()
    client.email = f"{uuid.uuid4().hex}@example.org"
    return client.register(client.email)


def begin(client, **more):
    return client.call(
        "POST", "/v1/me/passkey/begin", {"password": PASSWORD}, **{"status": 200, **more}
    ).json()


def add(client, key=None, name="Key", **more):
    key = key or Passkey()
    body = key.create(begin(client), name)
    key.row = client.call("POST", "/v1/me/passkeys", body, **{"status": 201, **more}).json()
    return key


def begin_login(client):
    return client.call("POST", "/v1/auth/passkey/begin", status=200).json()


def log_in(caller, key, *, status=200, code=None, body=None, **odd):
    sent = {**key.get(begin_login(caller), **odd), **(body or {})}
    return caller.call("POST", "/v1/auth/passkey", sent, status=status, code=code)


def entered(client, answer):
    return client._adopt(answer.json())


# --- valid use ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alg", ["ES256", "EdDSA", "RS256"])
def test_a_passkey_signs_in(alg, account, new_client):
    key = add(account, Passkey(alg), "Blue key")
    assert (
        key.row["name"] == "Blue key" and key.row["used_at"] is None and key.row["transports"] == ["internal"]
    )
    other = new_client()
    session = log_in(other, key).json()
    assert session["player"]["id"] == account.player["id"] and "device_token" in session
    entered(other, log_in(other, key))
    assert other.get("/v1/me")["id"] == account.player["id"]
    (item,) = account.get("/v1/me/passkeys")["items"]
    assert item["used_at"] is not None and {**item, "used_at": None} == key.row
    other.refresh()
    assert len(account.get("/v1/me/sessions")["items"]) == 3


def test_the_authenticator_gets_the_right_options(account, anyone, sql):
    options = begin(account)["public_key"]
    assert options["rp"] == {"id": "localhost", "name": "Rummy"}
    assert (
        options["user"]["name"] == account.email
        and options["user"]["displayName"] == account.player["nickname"]
    )
    assert [each["alg"] for each in options["pubKeyCredParams"]] == [-7, -8, -257]
    assert options["excludeCredentials"] == []
    key = add(account)
    again = begin(account)["public_key"]
    assert again["user"] == options["user"] and again["challenge"] != options["challenge"]
    assert again["excludeCredentials"] == [
        {"type": "public-key", "id": b64(key.credential_id), "transports": ["internal"]}
    ]
    asked = begin_login(anyone)["public_key"]
    assert "allowCredentials" not in asked and asked["rpId"] == "localhost"
    # The handle reveals nothing about the player, and challenges are not stored in plain form.
    assert (
        sql(
            "SELECT count(*) FROM passkey_handles WHERE encode(handle, 'escape') LIKE '%%' || player_id ||"
            " '%%' AND player_id > 999"
        )[0][0]
        == 0
    )
    assert (
        sql(
            "SELECT count(*) FROM passkey_challenges WHERE encode(challenge_hash, 'base64') = %s",
            asked["challenge"] + "=",
        )[0][0]
        == 0
    )


def test_a_guest_can_have_a_passkey_and_return_with_it(guest, new_client):
    options = guest.call("POST", "/v1/me/passkey/begin", {}, status=200).json()
    assert options["public_key"]["user"]["name"] == guest.player["nickname"]
    key = Passkey()
    guest.call("POST", "/v1/me/passkeys", key.create(options), status=201)
    other = new_client()
    entered(other, log_in(other, key))
    assert other.player["id"] == guest.player["id"] and other.player["kind"] == "guest"
    body = {"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD}
    entered(guest, guest.call("POST", "/v1/auth/upgrade", body, status=200))
    assert log_in(other, key).json()["player"]["kind"] == "registered", (
        "it stays when the guest becomes an account"
    )


def test_an_increasing_counter_is_accepted(account, new_client):
    key = add(account, Passkey(count=5, step=1))
    for _ in range(3):
        log_in(new_client(), key)


def test_the_list_shows_whether_a_passkey_is_synced(account, new_client, sql):
    key = add(account, Passkey(backed_up=True))
    assert key.row["synced"] is True
    log_in(new_client(), key)
    key.backup = ELIGIBLE
    log_in(new_client(), key)
    assert account.get("/v1/me/passkeys")["items"][0]["synced"] is False
    key.backup = 0
    # the backup eligibility of a passkey never changes
    log_in(new_client(), key, status=401, code="passkey_unknown")


def test_a_self_attestation_is_verified(account):
    for alg in ("ES256", "EdDSA", "RS256"):
        account.call("POST", "/v1/me/passkeys", Passkey(alg).create(begin(account), fmt="packed"), status=201)
    wrong = Passkey().create(begin(account), fmt="packed", statement={"alg": -7, "sig": Passkey().sign(b"x")})
    account.call("POST", "/v1/me/passkeys", wrong, status=422, code="passkey_bad")


def test_passkeys_can_be_renamed(account, new_client):
    key = add(account, name="A")
    path = f"/v1/me/passkeys/{key.row['id']}"
    assert (
        account.call("PATCH", path, {"name": "Grüner Schlüssel"}, status=200).json()["name"]
        == "Grüner Schlüssel"
    )
    for name, code in (
        ("", "bad_length"),
        ("x" * 33, "bad_length"),
        (" x", "bad_format"),
        ("a\u202eb", "bad_format"),
        ("a\nb", "bad_format"),
    ):
        account.call("PATCH", path, {"name": name}, status=422, code=code)
        account.call("POST", "/v1/me/passkeys", Passkey().create(begin(account), name), status=422, code=code)
    new_client().guest().call("PATCH", path, {"name": "Mine"}, status=404, code="no_such_passkey")
    assert [each["name"] for each in account.get("/v1/me/passkeys")["items"]] == ["Grüner Schlüssel"]


# --- adding and removing ------------------------------------------------------------------------------------


def test_the_password_is_required_to_add_or_remove_a_passkey(account, sql):
    key = add(account)
    for path in ("/v1/me/passkey/begin", f"/v1/me/passkeys/{key.row['id']}/remove"):
        problem = account.call("POST", path, {}, status=422, code="missing_member").json()
        assert [fault["pointer"] for fault in problem["errors"]] == ["/password"]
        account.call("POST", path, status=422, code="missing_member")
        account.call("POST", path, {"password": "wrong horse"}, status=403, code="wrong_password")
    assert len(account.get("/v1/me/passkeys")["items"]) == 1
    sql("DELETE FROM login_attempts")
    for _ in range(5):
        account.call("POST", "/v1/me/passkey/begin", {"password": "wrong horse"}, status=403)
    account.call("POST", "/v1/me/passkey/begin", {"password": PASSWORD}, status=429, code="account_locked")
    sql("DELETE FROM login_attempts")


def test_a_removed_passkey_is_refused(account, new_client):
    key = add(account)
    path = f"/v1/me/passkeys/{key.row['id']}/remove"
    new_client().guest().call("POST", path, {}, status=404, code="no_such_passkey")
    account.call("POST", path, {"password": PASSWORD}, status=204)
    log_in(new_client(), key, status=401, code="passkey_unknown")
    account.call("POST", path, {"password": PASSWORD}, status=404, code="no_such_passkey")
    account.call("POST", "/v1/me/passkeys/x/remove", {"password": PASSWORD}, status=400, code="bad_parameter")
    assert account.get("/v1/me/passkeys") == {"items": []}


def test_the_last_way_in_cannot_be_removed(guest, sql):
    key = Passkey()
    row = guest.call(
        "POST",
        "/v1/me/passkeys",
        key.create(guest.call("POST", "/v1/me/passkey/begin", {}).json()),
        status=201,
    ).json()
    sql("DELETE FROM guest_devices WHERE player_id = %s", guest.player["id"])
    guest.call("POST", f"/v1/me/passkeys/{row['id']}/remove", {}, status=409, code="last_way_in")
    second = guest.call(
        "POST",
        "/v1/me/passkeys",
        Passkey().create(guest.call("POST", "/v1/me/passkey/begin", {}).json()),
        status=201,
    ).json()
    guest.call("POST", f"/v1/me/passkeys/{row['id']}/remove", {}, status=204)
    guest.call("POST", f"/v1/me/passkeys/{second['id']}/remove", {}, status=409, code="last_way_in")


def test_an_email_reports_an_added_or_removed_passkey(account, sql):
    sql("DELETE FROM mails")
    key = add(account)
    account.call("POST", f"/v1/me/passkeys/{key.row['id']}/remove", {"password": PASSWORD}, status=204)
    assert sql("SELECT template, address FROM mails ORDER BY id") == [
        ("passkey_added", account.email),
        ("passkey_removed", account.email),
    ]


def test_an_account_has_at_most_sixteen_passkeys(account):
    late = begin(account)
    for _ in range(16):
        add(account)
    account.call("POST", "/v1/me/passkeys", Passkey().create(late), status=409, code="too_many_passkeys")
    begin(account, status=409, code="too_many_passkeys")
    assert len(account.get("/v1/me/passkeys")["items"]) == 16


def test_a_credential_belongs_to_one_account(account, new_client):
    key = add(account)
    thief = new_client().register(f"{uuid.uuid4().hex}@example.org")
    copy = Passkey(credential_id=key.credential_id)
    thief.call("POST", "/v1/me/passkeys", copy.create(begin(thief)), status=409, code="passkey_taken")
    account.call("POST", "/v1/me/passkeys", copy.create(begin(account)), status=409, code="passkey_taken")
    log_in(new_client(), key)


def test_restoring_an_address_removes_the_passkeys(account, anyone, new_client, sql):
    """An attacker who changed the address knew the password, and so could also add a passkey."""
    key = add(account)
    token = uuid.uuid4().hex * 2
    sql(
        "INSERT INTO mail_proofs (token_hash, player_id, kind, address, expires_at) VALUES (sha256(%s), %s,"
        " 'undo', %s, now() + interval '1 hour')",
        token.encode(),
        account.player["id"],
        account.email,
    )
    anyone.call("POST", "/v1/auth/undo-email", {"token": token}, status=204)
    log_in(new_client(), key, status=401, code="passkey_unknown")


def test_a_second_factor_guards_passkey_changes_but_not_passkey_sign_ins(server, new_client, sql):
    """A passkey counts as two factors."""
    member = Member(server, sql).set_up().confirm()
    path = "/v1/me/passkey/begin"
    member.client.call("POST", path, {"password": MEMBER_PASSWORD}, status=403, code="factor_code_needed")
    wrong = {"password": MEMBER_PASSWORD, "factor_code": wrong_code(member.secret)}
    member.client.call("POST", path, wrong, status=403, code="factor_code_wrong")
    key = Passkey()
    options = member.client.call("POST", path, member.proof(), status=200).json()
    row = member.client.call("POST", "/v1/me/passkeys", key.create(options), status=201).json()
    assert log_in(new_client(), key).json()["player"]["id"] == str(member.player)
    path = f"/v1/me/passkeys/{row['id']}/remove"
    member.client.call("POST", path, {"password": MEMBER_PASSWORD}, status=403, code="factor_code_needed")
    member.client.call(
        "POST",
        path,
        {**wrong, "factor_code": wrong_code(member.secret)},
        status=403,
        code="factor_code_wrong",
    )
    member.client.call("POST", path, member.proof(), status=204)
    sql("DELETE FROM login_attempts")


# --- challenges ---------------------------------------------------------------------------------------------


def test_a_challenge_is_valid_once(account, new_client):
    options = begin(account)
    account.call("POST", "/v1/me/passkeys", Passkey().create(options), status=201)
    account.call("POST", "/v1/me/passkeys", Passkey().create(options), status=410, code="challenge_unknown")
    key, anyone = add(account), new_client()
    asked = begin_login(anyone)
    anyone.call(
        "POST", "/v1/auth/passkey", key.get(asked, signature=b"\x30\x00"), status=401, code="passkey_unknown"
    )
    anyone.call("POST", "/v1/auth/passkey", key.get(asked), status=410, code="challenge_unknown")
    anyone.call("POST", "/v1/auth/passkey", key.get(begin_login(anyone)), status=200)


def test_a_challenge_is_valid_only_for_its_purpose_and_session(account, new_client):
    key = add(account)
    anyone = new_client()
    anyone.call("POST", "/v1/auth/passkey", key.get(begin(account)), status=410, code="challenge_unknown")
    account.call(
        "POST",
        "/v1/me/passkeys",
        Passkey().create(
            {"public_key": {**begin(account)["public_key"], **begin_login(anyone)["public_key"]}}
        ),
        status=410,
        code="challenge_unknown",
    )
    elsewhere = new_client()
    entered(
        elsewhere,
        elsewhere.call("POST", "/v1/auth/login", {"email": account.email, "password": PASSWORD}, status=200),
    )
    elsewhere.call(
        "POST", "/v1/me/passkeys", Passkey().create(begin(account)), status=410, code="challenge_unknown"
    )
    stranger = new_client().register(f"{uuid.uuid4().hex}@example.org")
    stranger.call(
        "POST", "/v1/me/passkeys", Passkey().create(begin(account)), status=410, code="challenge_unknown"
    )
    log_in(anyone, key, client={"challenge": b64(bytes(32))}, status=410, code="challenge_unknown")


def test_a_challenge_expires(account, anyone, sql):
    key = add(account)
    mine, asked = begin(account), begin_login(anyone)
    sql("UPDATE passkey_challenges SET expires_at = now()")
    account.call("POST", "/v1/me/passkeys", Passkey().create(mine), status=410, code="challenge_unknown")
    anyone.call("POST", "/v1/auth/passkey", key.get(asked), status=410, code="challenge_unknown")
    begin_login(anyone)
    sql("UPDATE passkey_challenges SET expires_at = now() - interval '1 s'")
    sql("SELECT do_purge(1000)")
    assert sql("SELECT count(*) FROM passkey_challenges") == [(0,)]


def test_the_number_of_stored_challenges_is_limited(account, anyone, sql):
    key = add(account)
    sql("DELETE FROM passkey_challenges")
    sql("UPDATE settings SET value = '4' WHERE name = 'passkey_challenges_max'")
    try:
        asked = [begin_login(anyone) for _ in range(9)]
        assert sql("SELECT count(*) FROM passkey_challenges") == [(4,)]
        anyone.call("POST", "/v1/auth/passkey", key.get(asked[4]), status=410, code="challenge_unknown")
        for options in asked[5:]:
            anyone.call("POST", "/v1/auth/passkey", key.get(options), status=200)
    finally:
        sql("UPDATE settings SET value = '65536' WHERE name = 'passkey_challenges_max'")


def test_concurrent_uses_of_one_challenge_succeed_once(account, new_client):
    key = add(account, Passkey(count=1, step=1))
    asked = key.get(begin_login(new_client()))
    options = begin(account)
    keys = [Passkey() for _ in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        codes = list(
            pool.map(lambda _: new_client().call("POST", "/v1/auth/passkey", asked).status_code, range(8))
        )
        added = list(
            pool.map(
                lambda k: (
                    account_copy(account).call("POST", "/v1/me/passkeys", k.create(options)).status_code
                ),
                keys,
            )
        )
    assert sorted(codes) == [200] + [410] * 7
    assert sorted(added) == [201] + [410] * 7


def account_copy(client):
    copy = Client(client)
    copy.token = client.token
    return copy


# --- each check separately ----------------------------------------------------------------------------------

LONG = {"client": {"more": "x" * 1800}}
CLIENTS = {
    "another origin": ({"client": {"origin": "https://evil.example"}}, 403, "passkey_elsewhere"),
    "no origin": ({"client": {"origin": None}}, 403, "passkey_elsewhere"),
    "an origin that begins like ours": (
        {"client": {"origin": "http://localhost.evil.example"}},
        403,
        "passkey_elsewhere",
    ),
    "in a frame of another site": ({"client": {"crossOrigin": True}}, 403, "passkey_elsewhere"),
    "below another site": ({"client": {"topOrigin": "http://localhost:8080"}}, 403, "passkey_elsewhere"),
    "crossOrigin is not a boolean": ({"client": {"crossOrigin": "false"}}, 403, "passkey_elsewhere"),
    "the other ceremony": ({"client": {"type": "payment.get"}}, 422, "passkey_bad"),
    "no type": ({"client": {"type": None}}, 422, "passkey_bad"),
    "no challenge": ({"client": {"challenge": None}}, 422, "passkey_bad"),
    "a short challenge": ({"client": {"challenge": "AAAA"}}, 422, "passkey_bad"),
    "a challenge that is not a string": ({"client": {"challenge": 7}}, 422, "passkey_bad"),
    "an unknown challenge": ({"client": {"challenge": b64(bytes(32))}}, 410, "challenge_unknown"),
    "no JSON": ({"client_text": b"{"}, 422, "passkey_bad"),
    "no object": ({"client_text": b"[]"}, 422, "passkey_bad"),
    "no UTF-8": ({"client_text": b'{"type":"\xff"}'}, 422, "passkey_bad"),
    "a member twice": (
        {"client_text": b'{"type":"webauthn.get","type":"webauthn.create"}'},
        422,
        "passkey_bad",
    ),
    "deep": ({"client_text": b'{"a":' + b"[" * 40 + b"]" * 40 + b"}"}, 422, "passkey_bad"),
    "another site": ({"rp_id": "play.example.org"}, 403, "passkey_elsewhere"),
}


@pytest.fixture(scope="module")
def owner(server):
    client = Client(server).register(f"{uuid.uuid4().hex}@example.org")
    return client, add(client)


@pytest.mark.parametrize("what", CLIENTS)
def test_invalid_client_data_is_refused(what, owner, anyone):
    odd, status, code = CLIENTS[what]
    client, key = owner
    before = client.get("/v1/me/passkeys")
    log_in(anyone, key, status=status, code=code, **odd)
    client.call("POST", "/v1/me/passkeys", Passkey().create(begin(client), **odd), status=status, code=code)
    assert client.get("/v1/me/passkeys") == before


def test_client_data_of_the_other_ceremony_is_refused(owner, anyone):
    client, key = owner
    log_in(anyone, key, client={"type": "webauthn.create"}, status=422, code="passkey_bad")
    client.call(
        "POST",
        "/v1/me/passkeys",
        Passkey().create(begin(client), client={"type": "webauthn.get"}),
        status=422,
        code="passkey_bad",
    )


def test_other_client_data_is_ignored(owner, anyone):
    _, key = owner
    log_in(anyone, key, **LONG)
    log_in(anyone, key, client={"crossOrigin": None, "tokenBinding": {"status": "supported"}})


DATA = {
    "nobody was there": ({"flags": VERIFIED}, 403, "passkey_unverified"),
    "nobody was verified": ({"flags": PRESENT}, 403, "passkey_unverified"),
    "backed up, though it cannot be": ({"flags": PRESENT | VERIFIED | BACKED_UP}, 422, "passkey_bad"),
    "a credential that is not there": ({"flags": PRESENT | VERIFIED | ATTESTED}, 422, "passkey_bad"),
    "extensions that are not there": ({"flags": PRESENT | VERIFIED | 0x80}, 422, "passkey_bad"),
    "more than it says": ({"rest": b"\x00"}, 422, "passkey_bad"),
}


@pytest.mark.parametrize("what", DATA)
def test_invalid_authenticator_data_is_refused(what, owner, anyone):
    odd, status, code = DATA[what]
    log_in(anyone, owner[1], status=status, code=code, **odd)


def test_short_authenticator_data_is_refused_and_extensions_are_accepted(owner, anyone):
    key = owner[1]
    log_in(anyone, key, data=key.data({})[:36], status=422, code="passkey_bad")
    log_in(anyone, key, flags=PRESENT | VERIFIED | 0x80, rest=cbor({"credProps": True}))


def test_invalid_signatures_are_refused(owner, anyone):
    key = owner[1]
    log_in(anyone, key, signature=b"\x30\x00", status=401, code="passkey_unknown")
    log_in(anyone, key, signer=Passkey(), status=401, code="passkey_unknown")
    options = begin_login(anyone)
    body = key.get(options)
    other = key.get(options, count=9)
    anyone.call(
        "POST",
        "/v1/auth/passkey",
        {**body, "authenticator_data": other["authenticator_data"]},
        status=401,
        code="passkey_unknown",
    )


def test_credential_and_user_handle_must_match(owner, anyone, new_client):
    client, key = owner
    stranger = new_client().register(f"{uuid.uuid4().hex}@example.org")
    theirs = add(stranger)
    log_in(anyone, key, body={"user_handle": b64(theirs.handle)}, status=401, code="passkey_unknown")
    log_in(anyone, key, body={"user_handle": b64(b"x")}, status=401, code="passkey_unknown")
    log_in(anyone, key, body={"credential_id": b64(theirs.credential_id)}, status=401, code="passkey_unknown")
    log_in(anyone, key, body={"credential_id": b64(bytes(1023))}, status=401, code="passkey_unknown")


def test_a_counter_that_does_not_increase_is_reported_as_a_copy(account, new_client, server):
    key = add(account, Passkey(count=5))
    for count in (5, 4, 0):
        log_in(new_client(), key, count=count, status=403, code="passkey_copied")
    assert server.logged('"passkey_copied"', 3)
    log_in(new_client(), key, count=6)
    log_in(new_client(), key, count=4294967295)
    log_in(new_client(), key, count=6, status=403, code="passkey_copied")


def test_a_banned_player_cannot_sign_in(account, new_client, sql):
    key = add(account)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", account.player["id"])
    log_in(new_client(), key, status=403, code="account_banned")


OBJECTS = {
    "nothing of CBOR": {"object": b"\xff"},
    "no map": {"object": b"\x80"},
    "an attestation that was not requested": {"fmt": "fido-u2f", "statement": {"sig": b"x", "x5c": [b"y"]}},
    "an unknown format": {"fmt": "best"},
    "packed without a signature": {"fmt": "packed", "statement": {"alg": -7}},
    "packed with a foreign certificate": {
        "fmt": "packed",
        "statement": {"alg": -7, "sig": b"x", "x5c": [b"y"]},
    },
    "no algorithm of ours": {"cose": {1: 2, 3: -35, -1: 2, -2: bytes(48), -3: bytes(48)}},
    "no key at all": {"cose": {}},
    "a point that is not on the curve": {"cose": {1: 2, 3: -7, -1: 1, -2: b"\x01" * 32, -3: b"\x02" * 32}},
    "RSA that is short": {"cose": {1: 3, 3: -257, -1: bytes(128), -2: b"\x01\x00\x01"}},
    "more behind the key": {"behind": b"\x00"},
    "a length that is not said": {"cose": {1: 2, 3: -7}, "behind": b"\x5f"},
}


@pytest.mark.parametrize("what", OBJECTS)
def test_invalid_attestation_objects_are_refused(what, owner):
    client, _ = owner
    client.call(
        "POST",
        "/v1/me/passkeys",
        Passkey().create(begin(client), **OBJECTS[what]),
        status=422,
        code="passkey_bad",
    )


def test_flags_of_a_new_passkey(owner):
    client, _ = owner
    for flags, status, code in (
        (VERIFIED | ATTESTED, 403, "passkey_unverified"),
        (PRESENT | ATTESTED, 403, "passkey_unverified"),
        (PRESENT | VERIFIED, 422, "passkey_bad"),
        (PRESENT | VERIFIED | ATTESTED | BACKED_UP, 422, "passkey_bad"),
    ):
        client.call(
            "POST", "/v1/me/passkeys", Passkey().create(begin(client), flags=flags), status=status, code=code
        )


def test_truncated_and_overlong_objects_are_refused(owner):
    client, _ = owner
    options = begin(client)
    key = Passkey()
    body = key.create(options)
    whole = key.object
    for cut in range(0, len(whole), 7):
        sent = {**body, "attestation_object": b64(whole[:cut]) or "A"}
        client.call("POST", "/v1/me/passkeys", sent, status=422)
    client.call(
        "POST",
        "/v1/me/passkeys",
        {**body, "attestation_object": b64(whole + b"\x00")},
        status=422,
        code="passkey_bad",
    )
    client.call("POST", "/v1/me/passkeys", body, status=201)


def test_the_size_of_a_credential_id_is_limited(owner):
    client, _ = owner
    key = Passkey(credential_id=uuid.uuid4().bytes + bytes(1007))
    client.call("POST", "/v1/me/passkeys", key.create(begin(client)), status=201)
    log_in(client, key)
    for credential_id in (bytes(1024), b""):
        key = Passkey(credential_id=b"x")
        key.credential_id = credential_id
        client.call("POST", "/v1/me/passkeys", key.create(begin(client)), status=422, code="passkey_bad")


def test_missing_and_malformed_members_are_refused(owner, anyone):
    client, key = owner
    good = key.get(begin_login(anyone))
    for name in good:
        anyone.call(
            "POST",
            "/v1/auth/passkey",
            {k: v for k, v in good.items() if k != name},
            status=422,
            code="missing_member",
        )
        for value, code in (
            ("", "bad_length"),
            ("a+b=", "bad_format"),
            ("A" * 6000, "bad_length"),
            ("AAAAA", "bad_format"),
            (7, "wrong_type"),
        ):
            anyone.call("POST", "/v1/auth/passkey", {**good, name: value}, status=422, code=code)
    anyone.call("POST", "/v1/auth/passkey", {**good, "more": "x"}, status=422, code="unknown_member")
    anyone.call("POST", "/v1/auth/passkey", {**good, "signature": "A" * 20000}, status=413)
    new = Passkey().create(begin(client))
    for transports in ("radio", "usb  nfc", "usb ", " usb", "usb,nfc"):
        client.call(
            "POST", "/v1/me/passkeys", {**new, "transports": transports}, status=422, code="bad_format"
        )
    del new["transports"]
    assert client.call("POST", "/v1/me/passkeys", new, status=201).json()["transports"] == []
    anyone.call("POST", "/v1/auth/passkey", good, status=200)


# --- the site -----------------------------------------------------------------------------------------------


def test_another_site_has_separate_passkeys(new_server):
    server = new_server(
        dev=True,
        public_url="https://play.example.org/rummy",
        passkey_id="example.org",
        passkey_name="Cards",
        passkey_origins="https://play.example.org,https://www.example.org",
    )
    client = Client(server).guest()
    options = client.call("POST", "/v1/me/passkey/begin", {}, status=200).json()
    assert options["public_key"]["rp"] == {"id": "example.org", "name": "Cards"}
    key = Passkey(origin="https://www.example.org")
    client.call("POST", "/v1/me/passkeys", key.create(options), status=201)
    log_in(client, key)
    key.origin = "https://example.org"
    log_in(client, key, status=403, code="passkey_elsewhere")


def test_passkeys_are_off_where_browsers_do_not_support_them(new_server):
    client = Client(new_server(public_url="https://192.0.2.7")).guest()
    client.call("POST", "/v1/me/passkey/begin", {}, status=409, code="passkeys_off")
    client.call("POST", "/v1/auth/passkey/begin", status=409, code="passkeys_off")
    key = Passkey()
    key.rp_id, key.handle = "192.0.2.7", bytes(32)
    client.call(
        "POST",
        "/v1/auth/passkey",
        key.get({"public_key": {"challenge": b64(bytes(32))}}),
        status=409,
        code="passkeys_off",
    )
    body = {"client_data": "AA", "attestation_object": "AA", "name": "x"}
    client.call("POST", "/v1/me/passkeys", body, status=409, code="passkeys_off")
