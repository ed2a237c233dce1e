"""Entering, staying, leaving: guests, accounts, refresh tokens."""

import concurrent.futures
import hashlib
import uuid

import pytest
from support.contract import a_name
from support.tokens import OURS, claims_of, forge, secret_of

SHARES_SERVER = True


def test_a_guest_returns_with_the_device_secret(anyone, new_client):
    first = anyone.guest(nickname="Ana")
    assert (
        first.player["nickname"] == "Ana" and first.player["kind"] == "guest" and first.player["level"] == 1
    )
    second = new_client().guest(first.device_secret)
    assert second.player == first.player
    assert second.refresh_token != first.refresh_token and second.device_secret != first.device_secret
    assert new_client().guest(first.device_secret).device_secret == second.device_secret, (
        "the answer may have been lost"
    )
    assert new_client().guest(second.device_secret).player == first.player
    new_client().call(
        "POST", "/v1/auth/guest", {"device_secret": first.device_secret}, status=401, code="device_unknown"
    )


def test_a_guest_without_a_secret_is_a_new_guest(new_client):
    assert len({new_client().guest().player["id"] for _ in range(3)}) == 3


NULL_IDS = [
    "00000000-0000-0000-0000-000000000000",
    "0" * 32,
    "unknown",
    "9774d56d682e549c",
    "0",
    "",
    "null",
    "b9b7a0d2f6e84d5c9a3e",
]


@pytest.mark.parametrize("made_up", NULL_IDS)
def test_made_up_device_ids_and_secrets_are_refused(anyone, sql, made_up):
    """Also rejects secrets that many devices have in common."""
    before = sql("SELECT count(*) FROM players")
    anyone.call("POST", "/v1/auth/guest", {"device_id": made_up}, status=422, code="unknown_member")
    anyone.call("POST", "/v1/auth/guest", {"device_secret": made_up}, status=422, code="bad_length")
    anyone.call(
        "POST",
        "/v1/auth/guest",
        {"device_secret": (made_up or "0").ljust(43, "0")},
        status=401,
        code="device_unknown",
    )
    assert sql("SELECT count(*) FROM players") == before


def test_a_device_secret_is_stored_hashed(guest, sql):
    digest = hashlib.sha256(guest.device_secret.encode()).digest()
    assert sql("SELECT player_id::text FROM guest_devices WHERE secret_hash = %s", digest) == [
        (guest.player["id"],)
    ]


def test_a_guest_without_a_name_gets_one(anyone):
    assert anyone.guest().player["nickname"].startswith("Guest ")


def test_concurrent_entries_of_one_device_are_one_guest(guest, new_client):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: new_client().guest(guest.device_secret), range(16)))
    assert {client.player["id"] for client in found} == {guest.player["id"]}
    assert len({client.device_secret for client in found}) == 1


def test_register_and_login(anyone, new_client):
    email = f"Mia.{uuid.uuid4().hex}@Example.org"
    anyone.register(email, "correct horse")
    assert anyone.player["kind"] == "registered"
    body = {"email": email.upper(), "password": "correct horse"}
    session = new_client().call("POST", "/v1/auth/login", body, status=200).json()
    assert session["player"] == anyone.player
    assert session["token_type"] == "Bearer" and session["expires_in"] == 900


def test_an_email_can_be_registered_once(anyone):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email)
    body = {"email": email.upper(), "password": "other horse", "nickname": "Eve"}
    anyone.call("POST", "/v1/auth/register", body, status=409, code="email_taken")


def test_concurrent_registrations_make_one_account(new_client):
    body = {
        "email": f"{uuid.uuid4().hex}@example.org",
        "password": "correct horse",
        "nickname": a_name("Mia"),
    }
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda _: new_client().call("POST", "/v1/auth/register", body).status_code, range(4))
        )
    assert sorted(answers) == [201, 409, 409, 409]


def test_a_password_is_stored_as_argon2id(anyone, sql):
    anyone.register(password="correct horse")
    stored = sql("SELECT password_hash FROM credentials WHERE player_id = %s", anyone.player["id"])[0][0]
    assert stored.startswith("$argon2id$") and "correct" not in stored


def test_refresh_tokens_are_stored_hashed(guest, sql):
    digest = hashlib.sha256(guest.refresh_token.encode()).digest()
    assert sql(
        "SELECT player_id::text FROM refresh_tokens JOIN sessions ON id = session_id WHERE token_hash = %s",
        digest,
    ) == [(guest.player["id"],)]


def test_wrong_password_and_unknown_account_get_the_same_answer(anyone, new_client):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email)
    answers = []
    for who in (email, f"{uuid.uuid4().hex}@example.org"):
        body = {"email": who, "password": "wrong horse"}
        problem = new_client().call("POST", "/v1/auth/login", body, status=401, code="bad_credentials").json()
        del problem["trace_id"]
        answers.append(problem)
    assert answers[0] == answers[1]


def test_refresh_rotates(guest):
    old = guest.refresh_token
    session = guest.call("POST", "/v1/auth/refresh", {"refresh_token": old}, status=200).json()
    assert session["refresh_token"] != old and session["player"]["id"] == guest.player["id"]
    guest.token = session["access_token"]
    guest.get("/v1/me")


def test_logout_ends_the_session_and_reveals_nothing(guest, anyone):
    body = {"refresh_token": guest.refresh_token}
    guest.call("POST", "/v1/auth/logout", body, status=204)
    guest.call("POST", "/v1/auth/logout", body, status=204)
    guest.call("POST", "/v1/auth/refresh", body, status=401, code="refresh_invalid")
    anyone.call("POST", "/v1/auth/logout", {"refresh_token": "x" * 43}, status=204)
    anyone.call("POST", "/v1/auth/refresh", {"refresh_token": "x" * 43}, status=401, code="refresh_invalid")


def test_a_banned_player_cannot_sign_in(anyone, sql, new_client):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email)
    guest = new_client().guest()
    # So long ago that the periodic check, every few seconds, is not what rejects the token.
    sql(
        "UPDATE players SET banned_at = now() - interval '1 hour' WHERE id IN (%s, %s)",
        anyone.player["id"],
        guest.player["id"],
    )
    login = {"email": email, "password": "correct horse"}
    anyone.call("POST", "/v1/auth/login", login, status=403, code="account_banned")
    anyone.call(
        "POST", "/v1/auth/login", {**login, "password": "wrong horse"}, status=401, code="bad_credentials"
    )
    body = {"refresh_token": anyone.refresh_token}
    anyone.call("POST", "/v1/auth/refresh", body, status=403, code="account_banned")
    new_client().call(
        "POST", "/v1/auth/guest", {"device_secret": guest.device_secret}, status=403, code="account_banned"
    )
    guest.take_seat(status=403, code="account_banned")


# --- access tokens ---


@pytest.fixture
def secret(server):
    return secret_of(server)


def test_a_correctly_signed_token_is_accepted(guest, secret):
    guest.token = forge(OURS, claims_of(guest.player["id"]), secret)
    assert guest.get("/v1/me")["id"] == guest.player["id"]


@pytest.mark.parametrize(
    "header, changes, code",
    [
        ({"alg": "none"}, {}, "token_invalid"),
        ({"alg": "HS512", "kid": "k1"}, {}, "token_invalid"),
        ({"alg": "HS256", "kid": "k2"}, {}, "token_invalid"),
        ({"alg": "HS256"}, {}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"exp": 1}, "token_expired"),
        ({"alg": "HS256", "kid": "k1"}, {"exp": None}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"nbf": 4102444800}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"iss": "evil"}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"aud": "other"}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"sub": "-1"}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"sub": None}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"sid": None}, "token_invalid"),
        ({"alg": "HS256", "kid": "k1"}, {"sid": "0"}, "token_invalid"),
    ],
)
def test_invalid_tokens_are_refused(guest, secret, header, changes, code):
    guest.token = forge(header, claims_of(guest.player["id"], **changes), secret)
    refused = guest.call("GET", "/v1/me", status=401, code=code)
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic abc", "Bearer a.b.c", "Bearer " + "x" * 4000]
)
def test_malformed_authorization_headers_are_refused(anyone, header):
    anyone.call("GET", "/v1/me", headers={"Authorization": header}, status=401, code="token_invalid")


def test_a_request_without_a_token_is_refused(anyone):
    anyone.call("GET", "/v1/me", status=401, code="token_missing")


def test_tokens_of_a_deleted_account_are_refused(guest, sql):
    sql("UPDATE players SET deleted_at = now() WHERE id = %s", guest.player["id"])
    guest.call("GET", "/v1/me", status=401, code="token_invalid")
    guest.call("PATCH", "/v1/me", {"nickname": "Zoe"}, status=401, code="token_invalid")
    guest.take_seat(status=401, code="token_invalid")
