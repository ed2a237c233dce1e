"""/v1/me/deletion and the operators' part of it, over REST. (tests/db/test_deletion.py tests what is
erased, and when.)"""

import datetime
import uuid

import pytest
from support.mailbox import Mailbox

SHARES_SERVER = True

PASSWORD = "correct horse"


def address():
    return f"{uuid.uuid4().hex}@example.org"


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def ask(client, password=PASSWORD, **more):
    return client.call(
        "POST",
        "/v1/me/deletion",
        {"confirm": "delete", **({"password": password} if password else {})},
        **more,
    )


@pytest.fixture
def due(sql, holder):
    """Makes a player's deletion due, and runs the job."""

    def run(client):
        sql("UPDATE deletions SET due_at = now() WHERE player_id = %s", client.player["id"])
        answer = holder("jobs").call("POST", "/v1/admin/jobs/erase_players", headers=key(), status=200).json()
        assert answer["done"] and answer["result"]["players"] >= 1, answer

    return run


def test_an_account_is_deleted(new_client, server, due, sql):
    email = address()
    mia, elsewhere = new_client().register(email), new_client()
    elsewhere._adopt(
        elsewhere.call("POST", "/v1/auth/login", {"email": email, "password": PASSWORD}, status=200).json()
    )
    mailbox = Mailbox(server, email)
    mailbox.wait("Confirm your email address")
    assert (
        mia.get("/v1/me/deletion") == {"state": "none", "days": 14}
        and mia.get("/v1/me")["deletion_due_at"] is None
    )
    asked = ask(mia, status=202).json()
    assert asked["state"] == "pending" and asked["waits_for"] == [] and asked["by_operator"] is False
    assert mia.get("/v1/me/deletion") == asked and mia.get("/v1/me")["deletion_due_at"] == asked["due_at"]
    day = datetime.datetime.fromisoformat(asked["due_at"])
    text = mailbox.wait("Your account is going to be deleted").get_content()
    assert f"{day:%B} {day.day}, {day.year} (" in text
    elsewhere.call("GET", "/v1/me", status=401, code="token_invalid")
    mia.take_seat(status=403, code="deletion_pending")
    due(mia)
    mia.call("GET", "/v1/me", status=401, code="token_invalid")
    mia.call(
        "POST", "/v1/auth/refresh", {"refresh_token": mia.refresh_token}, status=401, code="refresh_invalid"
    )
    new_client().call(
        "POST", "/v1/auth/login", {"email": email, "password": PASSWORD}, status=401, code="bad_credentials"
    )
    mailbox.wait("Your account has been deleted")
    again = new_client().register(email)
    assert again.player["id"] != mia.player["id"]
    profile = again.get(f"/v1/players/{mia.player['id']}")
    assert (
        profile["deleted"]
        and profile["nickname"].startswith("Deleted player ")
        and profile["last_games"] == []
    )
    assert sql("SELECT count(*) FROM mails WHERE player_id = %s", mia.player["id"]) == [(0,)]


def test_signing_in_shows_a_pending_deletion_that_can_be_canceled(new_client, server):
    email = address()
    mia = new_client().register(email)
    due_at = ask(mia, status=202).json()["due_at"]
    back = new_client()
    session = back.call("POST", "/v1/auth/login", {"email": email, "password": PASSWORD}, status=200).json()
    back._adopt(session)
    assert session["player"]["deletion_due_at"] == due_at
    for _ in range(2):
        assert back.call("DELETE", "/v1/me/deletion", status=200).json() == {"state": "none", "days": 14}
    assert back.get("/v1/me")["deletion_due_at"] is None
    back.take_seat(status=201)


def test_a_guest_confirms_and_is_deleted(guest, due, new_client):
    ask(guest, None, status=202)
    due(guest)
    guest.call("GET", "/v1/me", status=401, code="token_invalid")
    new_client().call(
        "POST", "/v1/auth/guest", {"device_secret": guest.device_secret}, status=401, code="device_unknown"
    )


def test_a_deletion_requires_confirmation_and_password(new_client):
    mia = new_client().register()
    for body, status, code in (
        ({}, 422, "missing_member"),
        ({"confirm": "remove", "password": PASSWORD}, 422, "bad_format"),
        ({"confirm": True, "password": PASSWORD}, 422, "wrong_type"),
        ({"confirm": "delete"}, 422, "missing_member"),
        ({"confirm": "delete", "password": "short"}, 422, "bad_length"),
        ({"confirm": "delete", "password": "wrong horse"}, 403, "wrong_password"),
    ):
        mia.call("POST", "/v1/me/deletion", body, status=status, code=code)
    assert mia.get("/v1/me/deletion")["state"] == "none"


def test_a_stolen_session_cannot_be_used_to_try_passwords(new_client):
    mia = new_client().register()
    for _ in range(5):
        ask(mia, "wrong horse", status=403, code="wrong_password")
    ask(mia, status=429, code="account_locked")


def test_an_operator_can_see_start_and_undo_a_deletion(new_client, holder, sql):
    mia, admin = new_client().register(), holder("owner")
    path = f"/v1/admin/players/{mia.player['id']}"
    ask(mia, status=202)
    assert admin.get(path)["deletion"]["key"] is None
    body = {"reason": "A letter of Mia's."}
    assert (
        admin.call("POST", f"{path}/deletion/undo", body, headers=key(), status=200).json()["deletion"]
        is None
    )
    assert mia.get("/v1/me/deletion")["state"] == "none"
    headers = key()
    done = admin.call("POST", f"{path}/deletion", body, headers=headers, status=200).json()
    assert done["deletion"]["key"] and done["notes"][0]["about"] == "delete"
    assert admin.call("POST", f"{path}/deletion", body, headers=headers, status=200).json() == done
    mia.call("GET", "/v1/me", status=401, code="token_invalid")
    admin.call(
        "POST", "/v1/admin/players/999999/deletion", body, headers=key(), status=404, code="player_unknown"
    )
    holder("jobs").call("POST", f"{path}/deletion", body, headers=key(), status=403, code="api_key_forbidden")


def test_the_audit_log_contains_no_text_about_a_deleted_player(new_client, holder, sql):
    mia, bob, admin = new_client().register(nickname="Quirinus"), new_client().guest(), holder("owner")
    path = f"/v1/admin/players/{mia.player['id']}"
    act = lambda what, **body: admin.call("POST", f"{path}/{what}", body, headers=key(), status=200)
    act("notes", note="Quirinus wrote")
    act("ban", reason="Quirinus was rude")
    act("unban", reason="Quirinus is sorry")
    act("mute", hours=1, reason="Quirinus again")
    act("separations", other=bob.player["id"], separated=True, reason="Quirinus and Bob")
    admin.call("GET", "/v1/admin/players", params={"q": "Quirinus"}, status=200)
    assert sql("SELECT count(*) FROM audit WHERE detail::text ILIKE '%%quirinus%%'") == [(0,)]
    assert len(admin.get(path)["notes"]) == 5
