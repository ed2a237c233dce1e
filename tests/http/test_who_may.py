"""Permissions: each operation of the contract with each kind of caller. The expected result is computed from
the contract (`security`, `x-token-scope`, `x-roles`, `x-scope`) and compared with the running server; the
roles of API keys are compared with the table of docs/operations.md, too."""

import re
import uuid

import operations_rig as rig
import pytest
from support.cluster import ROOT
from support.contract import OPENAPI, Client, check_response
from support.operations import OPERATIONS, as_bytes
from support.wire import Wire

SCOPES = OPENAPI["components"]["schemas"]["TokenScope"]["enum"]
ROLES = ("jobs", "support", "money", "games", "owner")
# Refusals that depend only on the caller.
REFUSALS = {
    "token_missing",
    "token_invalid",
    "token_expired",
    "scope_missing",
    "api_key_missing",
    "api_key_invalid",
    "api_key_forbidden",
    "api_key_scope",
}
OURS = [op for op in OPERATIONS if op.ours]


def each(operations):
    return pytest.mark.parametrize("operation", operations, ids=str)


# --- the roles of API keys, as documented ---


def documented():
    """role -> {"read" or "write": {area: (word before the exceptions or "", their operationIds)}}"""
    table = (
        (ROOT / "docs/operations.md")
        .read_text(encoding="utf-8")
        .split("| role | reads | changes |\n|---|---|---|\n")[1]
        .split("\n\n")[0]
    )
    roles = {}
    for row in table.splitlines():
        role, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        found = {}
        for kind, cell in zip(("read", "write"), cells, strict=True):
            areas = re.findall(r"`(\w+)`(?: \((not|only) ([^)]*)\))?", re.sub(r"^everything.*", "", cell))
            found[kind] = {area: (word, set(re.findall(r"`(\w+)`", those))) for area, word, those in areas}
        roles[role.strip("`")] = found
    return roles


def says(roles, role, operation):
    """Whether the documents permit a role to call it."""
    area, kind = operation.scope.split(":")
    if role == "owner":
        return True
    word, those = roles[role][kind].get(area, ("only", set()))
    return {"": True, "not": operation.id not in those, "only": operation.id in those}[word]


def test_the_roles_match_their_documentation():
    roles = documented()
    assert tuple(roles) == ROLES
    keyed = [op for op in OPERATIONS if op.role == "key"]
    assert len(keyed) > 70
    for operation in keyed:
        assert {role for role in ROLES if says(roles, role, operation)} == {
            *operation.roles,
            "owner",
        }, operation.id
    areas = {op.scope for op in keyed}
    for role, kinds in roles.items():
        for kind, found in kinds.items():
            assert {f"{area}:{kind}" for area in found} <= areas, f"{role}: an area that no operation has"
            named = {name for _, those in found.values() for name in those}
            assert named <= {op.id for op in keyed}, f"{role}: an operation that there is not"


def test_support_only_proposes_grants(bench):
    player = bench.player().player
    body = {"currency": "gold", "amount": 1, "reason": "goodwill", "note": "a small one"}
    for role in ROLES:
        if role not in ("support", "money", "owner"):
            continue
        made = bench.holder(role, holder=uuid.uuid4().hex).call(
            "POST", f"/v1/admin/players/{player['id']}/grants", body, headers=rig.new_key(), status=201
        )
        assert made.json()["state"] == ("waiting" if role == "support" else "done"), role


# --- the matrix ---


@pytest.fixture(scope="module")
def bench(cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google):
    return rig.new_world(
        cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google
    )


@pytest.fixture(scope="module")
def wire(bench):
    return Wire(bench.server)


@pytest.fixture(scope="module")
def bots(bench):
    """An access token for each single scope, and one with all of them."""
    owner, bot = rig.with_bot(bench)

    def token(scopes):
        body = {"name": "-".join(scopes)[:16], "scopes": list(scopes), "expires_in_days": 30}
        secret = owner.call(
            "POST", f"/v1/me/bots/{bot}/tokens", body, headers=rig.new_key(), status=201
        ).json()["secret"]
        client = Client(bench.server)
        client.token = client.call("POST", "/v1/auth/token", {"token": secret}, status=200).json()[
            "access_token"
        ]
        return client

    made = {f"bot:{word}": token([word]) for word in SCOPES}
    return {**made, "bot:all": token(SCOPES)}


@pytest.fixture(scope="module")
def keys(bench):
    return {f"key:{role}": bench.holder(role) for role in ROLES}


def fresh(bench, kind):
    """A caller that a valid request may use up."""
    if kind == "none":
        return bench.anyone()
    return bench.account() if kind == "registered" else bench.player()


def expected(operation, kind):
    """The expected refusals; empty if the caller is permitted."""
    sort, _, word = kind.partition(":")
    if operation.role == "anyone":
        return set()
    if operation.role == "reader" and sort == "none":
        return set()
    if operation.role in ("player", "reader"):
        if sort in ("none", "key"):
            return {"token_missing"} if sort == "none" else {"token_invalid"}
        if sort == "bot" and (
            operation.token_scope == "account" or word not in ("all", operation.token_scope)
        ):
            return {"scope_missing"}
        return set()
    if sort != "key":
        return {"api_key_missing"} if sort == "none" else {"api_key_invalid"}
    return set() if word == "owner" or word in operation.roles else {"api_key_forbidden"}


def ask(bench, wire, operation, good, token):
    """The valid request, but sent by this caller."""
    target = operation.at(good.path) + ("?" + operation.needed_query if operation.needed_query else "")
    body = good.body if good.body is None or isinstance(good.body, bytes) else as_bytes(good.body)
    headers = {"Authorization": f"Bearer {token}" if token else None, **good.headers}
    if operation.keyed:
        headers.update(rig.new_key())
    answer = wire.ask(operation.method, target, headers, body)
    check_response(operation.method, target.split("?")[0], answer)
    return answer


def refusal(answer):
    code = answer.json()["code"] if answer.status_code >= 400 else ""
    return {code} & REFUSALS


@each(OURS)
def test_each_kind_of_caller_gets_the_expected_result(bench, wire, bots, keys, operation):
    good = rig.good_request(bench, operation)
    for kind in ("none", "guest", "registered", *bots, *keys):
        caller = bots.get(kind) or keys.get(kind) or fresh(bench, kind)
        if operation.role == "anyone" and kind in ("none", "guest", "registered"):
            continue  # the valid request itself is tested in test_operations.py; the caller does not matter
        may = expected(operation, kind)
        if not may and kind.startswith("key:"):
            good = rig.good_request(bench, operation)  # created again: the previous one has used it up
        answer = ask(bench, wire, operation, good, caller.token)
        assert refusal(answer) == may, (operation.id, kind, answer.status_code, answer.text[:300])
        assert answer.status_code < 500, (operation.id, kind, answer.text[:300])
        if may:
            continue
        if kind.startswith("key:") and operation.role == "key":
            assert answer.status_code < 300 or good.code, (operation.id, kind, answer.text[:300])
        if kind == "none" and operation.role == "reader" and not good.code and good.whose != "theirs":
            assert answer.status_code == 200, (operation.id, answer.text[:300])
            assert '"own":true' not in answer.text.replace(" ", ""), operation.id
        # Public data is readable for a bot with the right scope, whatever the bot lacks: purses, a rating,
        # friends.
        if (
            operation.method == "GET"
            and kind.startswith("bot:")
            and not good.whose
            and not good.code
            and operation.role in ("player", "reader")
        ):
            assert answer.status_code in (200, 307), (operation.id, kind, answer.text[:300])


@each([op for op in OPERATIONS if op.role == "key" and op.scope.split(":")[0] != "status"])
def test_a_key_scope_permits_exactly_what_it_names(bench, wire, operation):
    area, kind = operation.scope.split(":")
    right, wrong = (
        f"{area}:{kind}",
        f"{area}:read" if kind == "write" else "players:read" if area != "players" else "reports:read",
    )
    for scope, may in ((right, set()), (wrong, {"api_key_scope"})):
        if operation.id in ("makeKey", "rotateKey") and not may:
            continue  # a restricted key cannot grant more than it has; see test_admin_keys.py
        made = bench.admin.call(
            "POST",
            "/v1/admin/keys",
            {"name": uuid.uuid4().hex, "role": "owner", "holder": "Mia", "scope": scope},
            headers=rig.new_key(),
            status=201,
        ).json()
        answer = ask(bench, wire, operation, rig.good_request(bench, operation), made["secret"])
        assert refusal(answer) == may, (operation.id, scope, answer.status_code, answer.text[:300])
