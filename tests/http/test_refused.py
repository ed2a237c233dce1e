"""What every operation of a kind refuses or does, taken from the contract, so that none is forgotten: cursors that are not its own, limits out of
range, callers without the right key, calls without an Idempotency-Key; and what the operator's log has of each call."""

import uuid

import pytest

from support.contract import OPENAPI, Client, resolve

NAMES = {"league": "desert", "variant": "rummy51", "board": "rating", "period": "all", "job": "upkeep", "room": "desert", "pack": "gold_100",
         "achievement": "first_game",
         "code": "K7WQ2M"}


def operations():
    for path, methods in OPENAPI["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def named(path):
    for part in [p[1:-1] for p in path.split("/") if p.startswith("{")]:
        path = path.replace(f"{{{part}}}", NAMES.get(part, "1"))
    return path


def an_example(operation):
    """A body the contract shows, or none."""
    if "requestBody" not in operation:
        return None
    said = resolve(operation["requestBody"])["content"]["application/json"]
    return next(iter(said["examples"].values()))["value"]


LISTS = [path for method, path, op in operations() if any(resolve(p)["name"] == "cursor" for p in op.get("parameters", []))]
KEYED = [(method, path) for method, path, op in operations() if any(resolve(p)["name"] == "Idempotency-Key" for p in op.get("parameters", []))]
ADMIN = [(method, path) for method, path, op in operations() if path.startswith("/v1/admin/")]


@pytest.fixture(scope="module")
def another_cursor(server, sql):
    """A good one, of a list nobody else reads."""
    client = Client(server).guest()
    sql("INSERT INTO notifications (player_id, kind, data) SELECT %s, 'friend', '{}' FROM generate_series(1, 2)", int(client.player["id"]))
    return client.get("/v1/notifications?limit=1")["next"]


@pytest.mark.parametrize("path", LISTS)
def test_a_list_refuses_a_cursor_it_did_not_give_and_a_wrong_limit(path, guest, holder, another_cursor):
    caller = holder("admin") if path.startswith("/v1/admin/") else guest
    for cursor in (another_cursor, "x", "A" * 80):
        caller.call("GET", f"{named(path)}?cursor={cursor}", status=400, code="bad_cursor")
    for limit in ("0", "101", "-1", "1e1", "x"):
        problem = caller.call("GET", f"{named(path)}?limit={limit}", status=400, code="bad_parameter").json()
        assert "limit" in problem["detail"]


@pytest.mark.parametrize("method, path", ADMIN)
def test_without_the_right_key_nothing_of_the_operator_is_done(method, path, guest, anyone, sql):
    changes = "SELECT (SELECT count(*) FROM job_runs), (SELECT count(*) FROM transfers), (SELECT md5(string_agg(p::text, ',' ORDER BY id)) FROM players p)"
    before = sql(changes)
    body = an_example(OPENAPI["paths"][path][method.lower()])
    headers = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
    anyone.token = None
    anyone.call(method, named(path), body, headers=headers, status=401, code="api_key_missing")
    for token in (guest.token, "x" * 43):
        anyone.token = token
        anyone.call(method, named(path), body, headers=headers, status=401, code="api_key_invalid")
    assert sql(changes) == before


@pytest.mark.parametrize("method, path", KEYED)
def test_what_may_not_be_done_twice_needs_an_idempotency_key(method, path, guest, holder, sql):
    caller = holder("admin") if path.startswith("/v1/admin/") else guest
    done = "SELECT (SELECT count(*) FROM idempotency), (SELECT count(*) FROM job_runs), (SELECT count(*) FROM tables), (SELECT count(*) FROM transfers)"
    before = sql(done)
    body = an_example(OPENAPI["paths"][path][method.lower()])
    caller.call(method, named(path), body, status=400, code="idempotency_key_missing")
    for key in ("k" * 129, "a key", "k\u00e4"):
        caller.call(method, named(path), body, headers={"Idempotency-Key": key.encode()}, status=400, code="idempotency_key_bad")
    assert sql(done) == before


def test_what_needs_no_idempotency_key_creates_nothing_twice_by_itself():
    """Guests are made anew each time, accounts have their address, reports their player and table, payments the provider's id; what has
    ended ends once; links and mails are counted."""
    assert {path for method, path, _ in operations() if method == "POST" and (method, path) not in KEYED} == {
        "/v1/auth/guest", "/v1/auth/register", "/v1/auth/upgrade", "/v1/auth/login", "/v1/auth/refresh", "/v1/auth/logout",
        "/v1/auth/logout-others", "/v1/auth/logout-everywhere",
        "/v1/auth/verify-email", "/v1/auth/undo-email", "/v1/auth/forgot", "/v1/auth/reset", "/v1/me/email/verification",
        "/v1/me/password", "/v1/me/email", "/v1/invites", "/v1/wallet/daily-bonus",
        "/v1/tables/{table}/reports", *(f"/v1/shop/webhooks/{name}" for name in ("stripe", "paypal", "sms", "apple", "google"))}


@pytest.mark.parametrize("method, path", ADMIN)
def test_each_call_with_a_key_is_in_the_log(method, path, holder, sql):
    """Also one that the key's role forbids, or that finds nothing."""
    scheduler = holder("jobs")
    last = sql("SELECT coalesce(max(id), 0) FROM audit")[0][0]
    headers = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
    status = scheduler.call(method, named(path), an_example(OPENAPI["paths"][path][method.lower()]), headers=headers).status_code
    logged = sql("SELECT code FROM audit WHERE id > %s", last)
    assert len(logged) == 1 and (logged[0][0] == "ok") == (status < 400), (status, logged)
