"""API keys: roles, scopes, expiry, creation, and who may call which operation."""

import re
import threading
import uuid

import pytest
from support.contract import Client
from support.keys import make_key

SHARES_SERVER = True

ROLES = ("jobs", "support", "money", "games", "owner")


def new_key():
    return {"Idempotency-Key": uuid.uuid4().hex}


@pytest.fixture(scope="module")
def owner(holder):
    return holder("owner")


def with_key(server, secret):
    client = Client(server)
    client.token = secret
    return client


def made(owner, server, role="support", **more):
    answer = owner.call(
        "POST",
        "/v1/admin/keys",
        {"name": uuid.uuid4().hex, "role": role, "holder": "Mia", **more},
        headers=new_key(),
        status=201,
    ).json()
    return with_key(server, answer["secret"]), answer["key"]


# --- roles and scopes ---------------------------------------------------------------------------------------


def rights(sql):
    return {
        action: (area, writes, roles) for action, area, writes, roles in sql("SELECT * FROM admin_rights()")
    }


@pytest.mark.parametrize("role", ROLES)
def test_a_role_has_exactly_its_rights(server, sql, cluster, database, role):
    import hashlib

    secret = make_key(cluster.conninfo(database), role)
    hashed = hashlib.sha256(secret.encode()).digest()
    told = {
        action: sql("SELECT code FROM admin_key_may(%s, %s)", hashed, action)[0][0]
        for action in [*rights(sql), "job:upkeep", "invade", ""]
    }
    assert told == {
        **{
            action: "ok" if role == "owner" or role in roles else "api_key_forbidden"
            for action, (_, _, roles) in rights(sql).items()
        },
        "job:upkeep": "ok" if role in ("jobs", "owner") else "api_key_forbidden",
        "invade": "api_key_forbidden",
        "": "api_key_forbidden",
    }


def test_rest_refuses_a_role_and_logs_the_refusal(holder, owner, sql):
    support, money, games = holder("support"), holder("money"), holder("games")
    support.get("/v1/admin/reports", status=200)
    money.call("GET", "/v1/admin/reports", status=403, code="api_key_forbidden")
    games.call("GET", "/v1/admin/flags", status=403, code="api_key_forbidden")
    for client in (support, money, games):
        for path in ("/v1/admin/keys", "/v1/admin/audit"):
            client.call("GET", path, status=403, code="api_key_forbidden")
        client.call(
            "POST",
            "/v1/admin/keys",
            {"name": "x", "role": "owner", "holder": "x"},
            headers=new_key(),
            status=403,
            code="api_key_forbidden",
        )
    assert sql("SELECT count(*) FROM api_keys WHERE name = 'x'") == [(0,)]
    lines = owner.get("/v1/admin/audit?limit=100")["items"]
    assert {(i["action"], i["code"]) for i in lines} >= {
        ("make_key", "api_key_forbidden"),
        ("read:keys", "api_key_forbidden"),
        ("read:reports", "ok"),
        ("read:reports", "api_key_forbidden"),
    }


def test_a_scope_narrows_a_role(owner, server):
    client, key = made(owner, server, "support", scope="reports:read players:write")
    assert key["scope"] == "reports:read players:write"
    client.get("/v1/admin/reports")
    client.get("/v1/admin/players")  # write scope includes read
    client.call(
        "POST",
        "/v1/admin/reports/1/close",
        {"note": "x"},
        headers=new_key(),
        status=403,
        code="api_key_scope",
    )
    client.call("GET", "/v1/admin/flags", status=403, code="api_key_scope")
    # the role is checked first
    client.call("GET", "/v1/admin/lost-tables", status=403, code="api_key_forbidden")


def test_a_key_cannot_grant_more_than_it_has(owner, server, sql):
    client, own = made(owner, server, "owner", scope="keys:write players:read")
    _, whole = made(owner, server, "support")
    for body in ({}, {"scope": "players:write"}, {"scope": "players:read orders:read"}):
        client.call(
            "POST",
            "/v1/admin/keys",
            {"name": uuid.uuid4().hex, "role": "support", "holder": "x", **body},
            headers=new_key(),
            status=403,
            code="api_key_scope",
        )
    client.call(
        "POST", f"/v1/admin/keys/{whole['id']}/rotate", headers=new_key(), status=403, code="api_key_scope"
    )
    made(client, server, "support", scope="players:read")
    answer = client.call("POST", f"/v1/admin/keys/{own['id']}/rotate", headers=new_key(), status=200).json()
    assert answer["key"]["id"] == own["id"]


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({"role": "admin"}, 422, "bad_format"),
        ({"role": None}, 422, "wrong_type"),
        ({"days": 0}, 422, "out_of_range"),
        ({"days": 366}, 422, "out_of_range"),
        ({"name": "a b"}, 422, "bad_format"),
        ({"name": ""}, 422, "bad_length"),
        ({"name": "x" * 65}, 422, "bad_length"),
        ({"holder": ""}, 422, "bad_length"),
        ({"holder": "a\u202eb"}, 422, "bad_format"),
        ({"scope": "players"}, 422, "no_such_scope"),
        ({"scope": "players:own"}, 422, "no_such_scope"),
        ({"scope": "players:read  orders:read"}, 422, "no_such_scope"),
        ({"scope": ""}, 422, "bad_length"),
        ({"scope": "x:read"}, 422, "no_such_scope"),
        ({"secret": "rk_1"}, 422, "unknown_member"),
    ],
)
def test_invalid_keys_are_refused(owner, sql, body, status, code):
    before = sql("SELECT count(*) FROM api_keys")
    owner.call(
        "POST",
        "/v1/admin/keys",
        {"name": uuid.uuid4().hex, "role": "support", "holder": "Mia", **body},
        headers=new_key(),
        status=status,
        code=code,
    )
    assert sql("SELECT count(*) FROM api_keys") == before


# --- life cycle ---------------------------------------------------------------------------------------------


def test_a_repeat_returns_the_secret_which_is_not_stored(owner, server, sql):
    body, headers = {"name": uuid.uuid4().hex, "role": "support", "holder": "Mia"}, new_key()
    first, second = (
        owner.call("POST", "/v1/admin/keys", body, headers=headers, status=201) for _ in range(2)
    )
    assert (
        first.json()["secret"] == second.json()["secret"]
        and first.headers["Location"] == f"/v1/admin/keys/{first.json()['key']['id']}"
    )
    secret = first.json()["secret"]
    assert re.fullmatch(r"rk_[A-Za-z0-9_-]{43}", secret) and first.json()["key"]["prefix"] == secret[:9]
    another = owner.call(
        "POST", "/v1/admin/keys", {**body, "name": "y" + body["name"][:20]}, headers=new_key(), status=201
    ).json()["secret"]
    assert another != secret
    kept = (
        sql("SELECT string_agg(answer::text, ' ') FROM admin_answers")[0][0]
        + sql("SELECT string_agg(detail::text, ' ') FROM audit")[0][0]
    )
    assert secret not in kept and secret not in server.log() and secret[:9] in kept
    owner.call("POST", "/v1/admin/keys", body, headers=new_key(), status=409, code="key_name_taken")
    owner.call(
        "POST",
        "/v1/admin/keys",
        {**body, "days": 3},
        headers=headers,
        status=422,
        code="idempotency_key_reused",
    )


def test_an_expired_key_is_refused_as_expired(owner, server, sql):
    client, key = made(owner, server, "support", days=1)
    client.get("/v1/admin/reports")
    sql("UPDATE api_keys SET expires_at = now() WHERE id = %s", int(key["id"]))
    client.call("GET", "/v1/admin/reports", status=401, code="api_key_expired")
    client.call("POST", "/v1/admin/jobs/upkeep", headers=new_key(), status=401, code="api_key_expired")
    assert sql("SELECT code FROM audit WHERE key_id = %s ORDER BY id DESC LIMIT 1", int(key["id"])) == [
        ("api_key_expired",)
    ]


def test_a_rotated_key_has_a_grace_period(owner, server, sql):
    client, key = made(owner, server, "support", days=10)
    path = f"/v1/admin/keys/{key['id']}/rotate"
    sql(
        "UPDATE api_keys SET created_at = created_at - interval '4 days', expires_at = expires_at - interval"
        " '4 days' WHERE id = %s",
        int(key["id"]),
    )
    headers = new_key()
    first, again = (
        owner.call("POST", path, {"hours": 2}, headers=headers, status=200).json() for _ in range(2)
    )
    assert first["secret"] == again["secret"] and first["key"]["old_until"]
    assert sql(
        "SELECT expires_at - rotated_at = interval '10 days' FROM api_keys WHERE id = %s", int(key["id"])
    ) == [(True,)]
    second = with_key(server, first["secret"])
    for each in (client, second):
        each.get("/v1/admin/reports")
    sql("UPDATE api_keys SET old_until = now() WHERE id = %s", int(key["id"]))
    client.call("GET", "/v1/admin/reports", status=401, code="api_key_invalid")
    third = with_key(server, owner.call("POST", path, headers=new_key(), status=200).json()["secret"])
    owner.call("POST", path, {"hours": 0}, headers=new_key(), status=200)
    for each in (
        client,
        second,
        third,
    ):  # the key before the last ends immediately; the last one also does if no hours are given
        each.call("GET", "/v1/admin/reports", status=401, code="api_key_invalid")


def test_a_revoked_key_ends_at_once_and_remains_listed(owner, server):
    client, key = made(owner, server, "support")
    client.get("/v1/admin/reports")
    for _ in range(2):
        gone = owner.call("POST", f"/v1/admin/keys/{key['id']}/revoke", headers=new_key(), status=200).json()
    client.call("GET", "/v1/admin/reports", status=401, code="api_key_invalid")
    owner.call(
        "POST", f"/v1/admin/keys/{key['id']}/rotate", headers=new_key(), status=409, code="key_revoked"
    )
    for act in ("rotate", "revoke"):
        owner.call("POST", f"/v1/admin/keys/999999/{act}", headers=new_key(), status=404, code="no_such_key")
    listed = {item["id"]: item for item in owner.get("/v1/admin/keys?limit=100")["items"]}[key["id"]]
    assert (
        listed["revoked_at"] == gone["revoked_at"]
        and listed["used_at"]
        and listed["holder"] == "Mia"
        and listed["made_by"]
    )


def test_concurrent_creations_with_one_name_make_one_key(owner):
    name, codes = uuid.uuid4().hex, []
    threads = [
        threading.Thread(
            target=lambda: codes.append(
                owner.call(
                    "POST", "/v1/admin/keys", {"name": name, "role": "jobs", "holder": "x"}, headers=new_key()
                ).status_code
            )
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [201] + [409] * 5
