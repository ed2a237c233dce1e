"""Sessions: renewing, listing, ending; an ended session invalidates its tokens, here immediately and on
other nodes soon."""

import concurrent.futures
import time

import pytest
from support.contract import Client
from support.server import Server
from support.times import promised
from support.wait import until

FIREFOX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}


def again(client, **headers):
    """The same guest, signed in once more."""
    other = Client.__new__(Client)
    other.__dict__.update(client.__dict__)
    body = {"device_secret": client.device_secret}
    session = client.call("POST", "/v1/auth/guest", body, headers=headers, status=200).json()
    client.device_secret = other.device_secret = session["device_secret"]
    return other._adopt(session)


def renew(client, token, **more):
    return client.call("POST", "/v1/auth/refresh", {"refresh_token": token}, **more)


def is_out(client):
    """Both tokens of the session are invalid."""
    client.call("GET", "/v1/me", status=401, code="token_invalid")
    renew(client, client.refresh_token, status=401, code="refresh_invalid")


def out_soon(client, within_s):
    began = time.monotonic()
    until(lambda: client.call("GET", "/v1/me").status_code != 200, "still let in")
    promised("a session that ended is refused at another node", time.monotonic() - began, within_s)


def items(client):
    return client.get("/v1/me/sessions")["items"]


def age(sql, client, age_s):
    sql(
        "UPDATE refresh_tokens SET used_at = used_at - make_interval(secs => %s) "
        "WHERE session_id IN (SELECT id FROM sessions WHERE player_id = %s)",
        age_s,
        int(client.player["id"]),
    )


# --- lost replies, and tokens held by two parties


def test_an_immediate_repeat_gets_the_same_token(guest):
    first = guest.refresh_token
    answers = [renew(guest, first, status=200).json() for _ in range(3)]
    assert len({answer["refresh_token"] for answer in answers}) == 1
    guest._adopt(answers[-1])
    guest.get("/v1/me")
    guest.refresh()
    assert len(items(guest)) == 1


def test_concurrent_renewals_get_one_token_and_all_stay_signed_in(guest, new_client):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: renew(new_client(), guest.refresh_token, status=200).json(), range(16))
        )
    assert len({answer["refresh_token"] for answer in answers}) == 1
    for answer in answers:
        guest._adopt(answer).get("/v1/me")


def test_reusing_a_refresh_token_later_ends_the_session_and_access_tokens(guest, sql):
    first = guest.refresh_token
    guest.refresh()
    age(sql, guest, 11)
    renew(guest, first, status=401, code="refresh_reused")
    is_out(guest)


def test_reusing_a_token_after_its_successor_was_used_ends_the_session(guest):
    first = guest.refresh_token
    guest.refresh()
    guest.refresh()
    renew(guest, first, status=401, code="refresh_reused")
    is_out(guest)


@pytest.mark.parametrize(
    "setting, value", [("refresh_grace_s", "0"), ("session_idle_s", "-1"), ("session_life_s", "-1")]
)
def test_operators_can_set_session_times(new_client, sql, setting, value):
    ((old,),) = sql("SELECT value FROM settings WHERE name = %s", setting)
    try:
        sql("UPDATE settings SET value = %s WHERE name = %s", value, setting)
        guest = new_client().guest()
        if setting == "refresh_grace_s":
            first = guest.refresh_token
            guest.refresh()
            renew(guest, first, status=401, code="refresh_reused")
        else:
            renew(guest, guest.refresh_token, status=401, code="session_expired")
    finally:
        sql("UPDATE settings SET value = %s WHERE name = %s", old, setting)


def test_an_idle_session_expires(guest, sql):
    sql("UPDATE sessions SET idle_at = now() - interval '1 s' WHERE player_id = %s", int(guest.player["id"]))
    renew(guest, guest.refresh_token, status=401, code="session_expired")


# --- the list


def test_sessions_are_listed_with_device_and_network(guest):
    other = again(guest, **FIREFOX)
    mine, first = items(other)
    assert (mine["app"], mine["system"], mine["network"], mine["current"]) == (
        "Firefox",
        "Linux",
        "127.0.0.0/24",
        True,
    )
    assert (first["app"], first["system"], first["current"]) == ("python-requests", None, False)
    assert [item["current"] for item in items(guest)] == [False, True]


@pytest.mark.parametrize(
    "header, app",
    [
        ("<script>alert(1)</script>", None),
        ("x" * 3000, "x" * 32),
        ("Mozilla/5.0", None),
        ("RummyApp/2 (iPhone)", "RummyApp"),
    ],
)
def test_the_device_name_is_short_and_plain(guest, header, app):
    other = again(guest, **{"User-Agent": header})
    assert items(other)[0]["app"] == app


# --- ended by the player


def test_one_session_can_be_ended(guest):
    other = again(guest)
    theirs = next(item["id"] for item in items(guest) if not item["current"])
    guest.call("DELETE", f"/v1/me/sessions/{theirs}", status=204)
    is_out(other)
    guest.call("DELETE", f"/v1/me/sessions/{theirs}", status=404, code="session_unknown")
    assert len(items(guest)) == 1
    guest.call("DELETE", f"/v1/me/sessions/{items(guest)[0]['id']}", status=204)
    is_out(guest)


def test_sessions_of_others_cannot_be_ended(guest, new_client):
    stranger = new_client().guest()
    theirs = items(stranger)[0]["id"]
    for session in (theirs, "999999999999"):
        guest.call("DELETE", f"/v1/me/sessions/{session}", status=404, code="session_unknown")
    for session in ("0", "-1", "x", "1e3", "9" * 19):
        guest.call("DELETE", f"/v1/me/sessions/{session}", status=400, code="bad_parameter")
    stranger.refresh()


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/v1/me/sessions"),
        ("DELETE", "/v1/me/sessions/1"),
        ("POST", "/v1/auth/logout-others"),
        ("POST", "/v1/auth/logout-everywhere"),
    ],
)
def test_session_operations_require_a_token(anyone, method, path):
    anyone.call(method, path, status=401, code="token_missing")


def test_all_other_sessions_can_be_ended(guest):
    others = [again(guest) for _ in range(3)]
    guest.call("POST", "/v1/auth/logout-others", status=204)
    guest.call("POST", "/v1/auth/logout-others", status=204)
    for other in others:
        is_out(other)
    guest.refresh()
    assert len(items(guest)) == 1


def test_all_sessions_can_be_ended(guest, new_client):
    others = [again(guest) for _ in range(2)]
    others[0].call("POST", "/v1/auth/logout-everywhere", status=204)
    for client in (guest, *others):
        is_out(client)
    assert new_client().guest(guest.device_secret).player["id"] == guest.player["id"]


# --- access tokens end with their session


def test_signing_out_ends_the_access_token(guest):
    other = again(guest)
    guest.call("POST", "/v1/auth/logout", {"refresh_token": guest.refresh_token}, status=204)
    is_out(guest)
    other.get("/v1/me")


def test_upgrading_a_guest_ends_the_guests_sessions(guest):
    old, other = Client.__new__(Client), again(guest)
    old.__dict__.update(guest.__dict__)
    body = {"email": f"{guest.player['id']}@example.org", "password": "correct horse battery"}
    guest._adopt(guest.call("POST", "/v1/auth/upgrade", body, status=200).json())
    is_out(old)
    is_out(other)
    guest.get("/v1/me")
    guest.refresh()


def test_recently_ended_sessions_are_refused_after_a_restart(new_server):
    server = new_server(rate_limits="off")
    guest = Client(server).guest()
    other = again(guest)
    guest.call("POST", "/v1/auth/logout", {"refresh_token": guest.refresh_token}, status=204)
    server.kill()
    server.start()
    guest.call("GET", "/v1/me", status=401, code="token_invalid")
    other.get("/v1/me")


@pytest.fixture
def two_nodes(new_server, tmp_path):
    first = new_server(rate_limits="off", node="n1")
    folder = tmp_path / "second"
    folder.mkdir()
    (folder / "jwt_secret").write_bytes((first.folder / "jwt_secret").read_bytes())
    second = Server(first.options["db"], folder, rate_limits="off", node="n2").start()
    yield first, second
    second.stop()


def test_another_node_refuses_an_ended_session_within_seconds(two_nodes):
    first, second = two_nodes
    guest = Client(first).guest()
    there = Client(second)
    there.token, there.refresh_token = guest.token, guest.refresh_token
    there.get("/v1/me")
    guest.call("POST", "/v1/auth/logout", {"refresh_token": guest.refresh_token}, status=204)
    is_out(guest)
    out_soon(there, 7)
