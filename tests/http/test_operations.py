"""Every operation of openapi.yaml, attacked in every way derivable from its contract: callers without
permission, and invalid bodies, parameters, and keys. Each is refused with a documented status, code, and
pointer, and changes nothing in the database. Everything is derived from the contract: a new operation is
tested automatically, or fails because it lacks a valid request (operations_rig.py)."""

import concurrent.futures
import json

import operations_rig as rig
import pytest
from support.contract import check_problem, check_response
from support.operations import BY_ID, OPERATIONS, Operation, as_bytes
from support.tokens import expired, forgeries
from support.wire import Answer, Wire
from support.witness import REFUSED_TOO, Witness
from support.wrong import WRONG_KEYS, Wrong, unknown_queries, wrong_bodies, wrong_parts, wrong_queries

KEPT_REFUSALS = {"audit", "idempotency", "admin_answers"}  # see support/witness.py
OURS = [op for op in OPERATIONS if op.ours]


def each(operations):
    return pytest.mark.parametrize("operation", operations, ids=str)


# --- the judge ---


def judge(operation, wrong, target, answer):
    """Asserts that a wrong request was refused in one of the expected ways."""
    said = f"{operation.id}, {wrong.what}: {answer.status_code} {answer.text[:300]}"
    assert 400 <= answer.status_code < 500, said
    code = answer.json()["code"]
    assert (answer.status_code, code) in wrong.refusals, f"{said}; wanted {wrong.refusals}"
    path = target.split("?")[0]
    try:
        if code == "not_found":  # the path does not lead to an operation
            check_problem(path, answer)
        else:
            assert operation.may_answer(answer.status_code, code), "the contract does not list it"
            check_response(operation.method, path, answer)
        if wrong.place and code != "body_too_large":
            kind, name = wrong.place
            assert name in [fault.get(kind) for fault in answer.json()["errors"]], (
                f"{kind} {name} is not named"
            )
    except Exception as e:
        raise AssertionError(f"{said}: {e}") from e


class Bench:
    """The world, the witness, and a valid request for each operation, of which tests change one part at a
    time."""

    def __init__(self, world, witness):
        self.world, self.witness, self.wire, self.goods = world, witness, Wire(world.server), {}

    def good(self, operation, fresh=False):
        if fresh or operation.id not in self.goods:
            self.goods[operation.id] = rig.good_request(self.world, operation)
        return self.goods[operation.id]

    def send(self, operation, good, *, path=None, query=None, body=..., headers=None, wire=None):
        """The good request with the given changes. Returns its target and the response."""
        query = operation.needed_query if query is None else query
        target = operation.at({**good.path, **(path or {})}) + ("?" + query if query else "")
        if body is ...:
            body = good.body if good.body is None or isinstance(good.body, bytes) else as_bytes(good.body)
        sent = {"Authorization": f"Bearer {good.caller.token}" if good.caller.token else None}
        if operation.keyed:
            sent.update(rig.new_key())
        sent.update({**good.headers, **(headers or {})})
        return target, (wire or self.wire).ask(operation.method, target, sent, body)

    def refused(self, operation, wrong, good=None, **changes):
        good = good or self.good(operation)
        judge(operation, wrong, *self.send(operation, good, **changes))

    def mark(self, operation):
        """A mark for unchanged(). The caller of the valid request is created before it, whichever tests
        ran."""
        self.good(operation)
        return self.witness.mark()

    def unchanged(self, mark, operation, may=()):
        written = self.witness.unexpected(mark, may)
        assert not written, f"{operation.id} changed something though it refused: {written}"


@pytest.fixture(scope="module")
def bench(cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google):
    world = rig.new_world(
        cluster, database, sql, shared_every_shop, shared_stripe, shared_paypal, shared_google
    )
    yield Bench(world, Witness(sql))
    assert world.shop.proven()


# --- callers ---


@pytest.fixture(scope="module")
def dead_tokens(bench):
    """Expired or invalid tokens: (description, token)."""
    w = bench.world
    out, banned = w.player(), w.player()
    out.call("POST", "/v1/auth/logout", {"refresh_token": out.refresh_token}, status=204)
    w.admin.call(
        "POST",
        f"/v1/admin/players/{banned.player['id']}/ban",
        {"reason": "x"},
        headers=rig.new_key(),
        status=200,
    )
    return [
        ("of a session that has ended", out.token),
        ("of a banned player", banned.token),
        ("a refresh token", w.owner.refresh_token),
        ("a key of an operator", w.admin.token),
        ("a secret of a device", w.owner.device_secret),
    ]


@each([op for op in OPERATIONS if op.role == "player"])
def test_only_signed_in_players_can_call_an_operation(bench, dead_tokens, operation):
    good, mark = bench.good(operation), bench.witness.mark()
    token = good.caller.token
    tries = [
        ("no token", None, "token_missing"),
        ("an empty header", "", "token_invalid"),
        ("Bearer", "Bearer", "token_invalid"),
        ("nothing", "Bearer ", "token_invalid"),
        ("another scheme", f"Basic {token}", "token_invalid"),
        ("no scheme", token, "token_invalid"),
        ("two blanks", f"Bearer  {token}", "token_invalid"),
        ("expired", f"Bearer {expired(token, bench.world.secret)}", "token_expired"),
    ]
    tries += [
        (what, f"Bearer {other}", "token_invalid")
        for what, other in [*forgeries(token, bench.world.secret), *dead_tokens]
    ]
    for what, header, code in tries:
        place = () if header and header.startswith("Bearer ") else ("header", "Authorization")
        bench.refused(operation, Wrong(what, None, {(401, code)}, place), headers={"Authorization": header})
    bench.unchanged(mark, operation)


@each([op for op in OPERATIONS if op.role == "key"])
def test_only_operators_with_the_right_key_can_call_an_operation(bench, operation):
    w, good, mark = bench.world, bench.good(operation), bench.witness.mark()
    key = good.caller.token
    tries = [
        ("no key", None, "api_key_missing"),
        ("an empty header", "", "api_key_invalid"),
        ("nothing", "Bearer ", "api_key_invalid"),
        ("another scheme", f"Basic {key}", "api_key_invalid"),
        *(
            (what, f"Bearer {other}", "api_key_invalid")
            for what, other in (
                ("half a key", key[:-1]),
                ("a longer key", key + "x"),
                ("capitals", key.swapcase()),
                ("another key", key[:-4] + "AAAA"),
                ("far too long", key * 40),
                ("a revoked key", w.gone.token),
                ("a player's token", w.owner.token),
                ("a refresh token", w.owner.refresh_token),
                ("quotes", "' OR 1=1 --"),
            )
        ),
    ]
    for what, header, code in tries:
        place = () if header and header.startswith("Bearer ") else ("header", "Authorization")
        bench.refused(operation, Wrong(what, None, {(401, code)}, place), headers={"Authorization": header})
    bench.unchanged(mark, operation)
    for role, other in w.keys.items():
        if role not in operation.roles:
            bench.refused(
                operation,
                Wrong(f"a key of {role}", None, {(403, "api_key_forbidden")}),
                headers={"Authorization": f"Bearer {other.token}"},
            )
    bench.unchanged(mark, operation, {"audit"})
    _, answer = bench.send(
        operation, rig.good_request(w, operation), headers={"Authorization": f"Bearer {w.admin.token}"}
    )
    assert answer.status_code < 300 or good.code, answer.text
    ((area, writes, roles),) = w.sql(
        "SELECT r.area, r.writes, r.roles FROM admin_rights() r WHERE r.action = (SELECT CASE WHEN action"
        " LIKE 'job:%%' AND action <> 'job:list' THEN 'job:run' ELSE action END FROM audit WHERE key_id IS"
        " NOT NULL AND action <> 'refund:said' ORDER BY id DESC LIMIT 1)"
    )
    assert (operation.scope, operation.roles) == (
        f"{area}:{'write' if writes else 'read'}",
        roles,
    ), "x-scope and x-roles are not what admin_rights says"


@each([op for op in OPERATIONS if op.role == "player" and op.in_path])
def test_resources_of_others_are_out_of_reach(bench, operation):
    good = bench.good(operation)
    if good.whose != "theirs":
        return  # anyone may call it, so nothing is refused
    mark = bench.witness.mark()
    refusals = {
        (status, code)
        for status in (403, 404)
        for code in operation.responses.get(status, {}).get("x-codes", [])
    }
    stranger = {"Authorization": f"Bearer {bench.world.stranger.token}"}
    for _ in range(2):
        bench.refused(operation, Wrong("a stranger", None, refusals), path=good.foreign, headers=stranger)
    bench.unchanged(mark, operation, KEPT_REFUSALS)


# --- bodies ---


@each([op for op in OPERATIONS if op.body])
def test_an_invalid_body_is_named_and_changes_nothing(bench, operation):
    good, mark = bench.good(operation), bench.witness.mark()
    if operation.raw:
        refusals = {(400, code) for code in operation.responses[400]["x-codes"]}
        for what in ("another body", "[]", "{}", "", "\x00", "ü" * 200, "[" * 2000):
            bench.refused(operation, Wrong(what, None, refusals), body=what.encode())
    else:
        for wrong in wrong_bodies(operation, good.body):
            bench.refused(operation, wrong, body=wrong.sent)
    bench.unchanged(mark, operation)


@each([op for op in OPERATIONS if op.body])
def test_a_body_has_the_required_type_and_size(bench, operation):
    mark = bench.mark(operation)
    for kind in (
        None,
        "",
        "text/plain",
        "application/xml",
        "application/jsonx",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "text/json",
    ):
        # http.client adds its own type to any body with a length.
        bench.refused(
            operation,
            Wrong(f"type {kind}", None, {(415, "unsupported_media_type")}, ("header", "Content-Type")),
            headers={"Content-Type": kind},
            body=b"{}",
        )
    if operation.method == "PATCH":
        _, taken = bench.send(
            operation,
            bench.good(operation),
            headers={"Content-Type": "application/merge-patch+json"},
            body=b"{",
        )
        assert (taken.status_code, taken.json()["code"]) == (400, "bad_json")
        _, refused = bench.send(operation, bench.good(operation), headers={"Content-Type": "text/plain"})
        assert refused.headers["Accept-Patch"] == "application/merge-patch+json, application/json"
    else:
        bench.refused(
            operation,
            Wrong("a merge-patch", None, {(415, "unsupported_media_type")}, ("header", "Content-Type")),
            headers={"Content-Type": "application/merge-patch+json"},
            body=b"{}",
        )
    too_large = {(413, "body_too_large")}
    head = {"Content-Type": "application/json", "Content-Length": "9999999999"}
    target, answer = bench.send(operation, bench.good(operation), body=None, headers=head)
    judge(operation, Wrong("ten gigabytes", None, too_large), target, answer)
    most = answer.json()["bytes_max"]
    assert 0 < most <= 1024 * 1024
    bench.refused(
        operation,
        Wrong("a byte too many", None, too_large),
        body=None,
        headers={**head, "Content-Length": str(most + 1)},
    )
    bench.refused(
        operation,
        Wrong("a byte too many, in chunks", None, too_large),
        body=[b" " * (most // 2), b" " * (most + 1 - most // 2)],
    )
    _, full = bench.send(operation, bench.good(operation), body=b" " * most)
    assert full.status_code == 400, (operation, full.text)
    bench.unchanged(mark, operation)


@each([op for op in OURS if op.body and op.body_optional])
def test_an_optional_body_may_be_omitted(bench, operation):
    """No body means one without members. One member may be the password, which an account that has one must
    send."""
    good = rig.good_request(bench.world, operation)  # a separate request, because it is used up
    _, answer = bench.send(operation, good, body=b"")
    if answer.status_code == 422:
        assert [(it["pointer"], it["code"]) for it in answer.json()["errors"]] == [
            ("/password", "missing")
        ], answer.text
    else:
        assert answer.status_code not in (400, 415), answer.text


@each([op for op in OURS if not op.body])
def test_a_body_is_refused_where_none_is_expected(bench, operation):
    mark = bench.mark(operation)
    for body in b"{}", b"x", b" ", [b"{}"]:
        bench.refused(operation, Wrong("a body", None, {(400, "no_body_taken")}), body=body)
    bench.unchanged(mark, operation)


# --- paths and queries ---


@each([op for op in OPERATIONS if op.in_path])
def test_invalid_and_unknown_path_parameters_change_nothing(bench, operation):
    mark = bench.mark(operation)
    unknown = {(404, code) for code in operation.responses.get(404, {}).get("x-codes", [])}
    for name, schema in operation.in_path.items():
        for wrong in wrong_parts(name, schema, unknown):
            bench.refused(operation, wrong, path={name: wrong.sent})
    bench.unchanged(mark, operation, KEPT_REFUSALS)
    for name, schema in operation.in_path.items():
        for part in (
            ("999999999", "9" * 18, "9223372036854775807")
            if schema.get("pattern", "").startswith("^[1-9]")
            else ({"code": "000000", "invite": "00000000"}.get(name, "nosuch"),)
        ):
            target, answer = bench.send(operation, bench.good(operation), path={name: part})
            check_response(operation.method, target, answer)
            assert answer.status_code in (403, 404) or operation.method == "DELETE", (target, answer.text)
    bench.unchanged(mark, operation, KEPT_REFUSALS)
    told = [row for row in bench.witness.since(mark) if row[0] == "audit" and row[2].endswith(",ok)")]
    assert not told, f"{operation.id}: the audit log has it as done"


@each(OURS)
def test_encoded_slashes_are_refused(bench, operation):
    """A proxy that guards /v1/admin/ treats them as letters."""
    mark, good = bench.mark(operation), bench.good(operation)
    path = operation.at(good.path)
    for disguise in "%2F", "%2f", "%5C", "%5c":
        for at in (i for i, letter in enumerate(path) if letter == "/" and i > 0):
            target = path[:at] + disguise + path[at + 1 :]
            answer = bench.wire.ask(
                operation.method, target, {"Authorization": f"Bearer {good.caller.token}", **rig.new_key()}
            )
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_path"), (target, answer.text)
    bench.unchanged(mark, operation)


@each([op for op in OURS if not op.raw])
def test_an_invalid_query_is_named(bench, operation):
    mark = bench.mark(operation)
    for name, schema in operation.in_query.items():
        for wrong in wrong_queries(name, schema):
            bench.refused(operation, wrong, query=wrong.sent)
    for wrong in unknown_queries(operation.in_query):
        bench.refused(operation, wrong, query=wrong.sent)
    bench.unchanged(mark, operation, {"audit"})


@pytest.fixture(scope="module")
def cursors(bench):
    """Valid cursors of other lists, of two readers: (reader, cursor)."""
    w = bench.world
    found = []
    for reader in w.player(), w.player():
        w.sql(
            "INSERT INTO notifications (player_id, kind, data) SELECT %s, 'friend', '{}' FROM"
            " generate_series(1, 2)",
            int(reader.player["id"]),
        )
        found.append((reader, reader.get("/v1/notifications?limit=1")["next"]))
    for _ in range(2):
        w.table(w.player(), visibility="public")
    own = w.player()
    for path in "/v1/tables?limit=1", "/v1/tables?limit=1&variant=rummy51":
        found.append((own, own.get(path)["next"]))
    found.append((w.admin, w.admin.get("/v1/admin/audit?limit=1")["next"]))
    assert all(cursor for _, cursor in found)
    return found


@each([op for op in OPERATIONS if "cursor" in op.in_query])
def test_a_cursor_is_valid_only_for_its_list_and_reader(bench, cursors, operation):
    mark, good = bench.mark(operation), bench.good(operation)
    place, bad = ("parameter", "cursor"), {(400, "bad_cursor")}
    for i, (reader, cursor) in enumerate(cursors):
        mine = (
            reader.token
            if operation.role == "player" and reader is not bench.world.admin
            else good.caller.token
        )
        lists = {0: "listNotifications", 1: "listNotifications", 2: "listTables", 4: "listAudit"}
        headers = {"Authorization": f"Bearer {mine}"}
        if lists.get(i) != operation.id:
            bench.refused(
                operation,
                Wrong("of another list", None, bad, place),
                query=f"cursor={cursor}",
                headers=headers,
            )
        else:
            assert (
                bench.send(operation, good, query=f"cursor={cursor}", headers=headers)[1].status_code == 200
            )
        flipped = cursor[:-2] + ("B" if cursor[-2] != "B" else "C") + cursor[-1]
        for forged in (
            flipped,
            "B" + cursor[1:] if cursor[0] != "B" else "C" + cursor[1:],
            cursor[:-1],
            cursor + "A",
            cursor * 2,
        ):
            bench.refused(
                operation, Wrong("forged", None, bad, place), query=f"cursor={forged}", headers=headers
            )
    if operation.role == "player":
        (_, hers), (ben, _) = cursors[0], cursors[1]
        bench.refused(
            operation,
            Wrong("of another reader", None, bad, place),
            query=f"cursor={hers}",
            headers={"Authorization": f"Bearer {ben.token}"},
        )
    bench.unchanged(mark, operation, {"audit"})


# --- keys ---


@each([op for op in OPERATIONS if op.keyed])
def test_an_invalid_idempotency_key_is_named_and_changes_nothing(bench, operation):
    mark = bench.mark(operation)
    for what, key, code in WRONG_KEYS:
        bench.refused(
            operation,
            Wrong(f"a key {what}", None, {(400, code)}, ("header", "Idempotency-Key")),
            headers={"Idempotency-Key": key},
        )
    bench.unchanged(mark, operation)


def test_only_listed_operations_need_no_idempotency_key():
    """Each call creates a new guest; accounts are identified by their address, reports by their subject,
    devices by their endpoint, payments by the provider's id; something can end only once, an account can be
    deleted only once, there is one export per day; links and emails are limited in number; a provider's
    sign-in can be finished only once; a search for an address changes nothing; only the first try of a
    puzzle counts."""
    assert {op.path for op in OPERATIONS if op.method == "POST" and not op.keyed} == {
        "/v1/auth/guest",
        "/v1/auth/register",
        "/v1/auth/upgrade",
        "/v1/auth/login",
        "/v1/auth/login/factor",
        "/v1/auth/refresh",
        "/v1/auth/logout",
        "/v1/auth/token",
        "/v1/auth/logout-others",
        "/v1/auth/logout-everywhere",
        "/v1/auth/verify-email",
        "/v1/auth/undo-email",
        "/v1/auth/unlock",
        "/v1/auth/forgot",
        "/v1/auth/reset",
        "/v1/auth/reset/ways",
        "/v1/me/email/verification",
        "/v1/me/email/confirmation",
        "/v1/me/deletion",
        "/v1/me/export",
        "/v1/me/password",
        "/v1/me/email",
        "/v1/me/factor",
        "/v1/me/factor/confirm",
        "/v1/me/factor/recovery-codes",
        "/v1/me/factor/off",
        "/v1/me/passkeys",
        "/v1/me/devices",
        "/v1/me/passkey/begin",
        "/v1/me/passkeys/{passkey}/remove",
        "/v1/auth/passkey/begin",
        "/v1/auth/passkey",
        "/v1/auth/oidc/{provider}",
        "/v1/auth/oidc/{provider}/finish",
        "/v1/me/oidc/{provider}",
        "/v1/me/oidc/{provider}/finish",
        "/v1/invites",
        "/v1/puzzles/{puzzle}/tries",
        "/v1/wallet/daily-bonus",
        "/v1/admin/player-search",
        "/v1/tables/{table}/reports",
        "/v1/clubs/{club}/reports",
        "/v1/clubs/{club}/chat/{message}/reports",
        *(f"/v1/shop/webhooks/{name}" for name in ("stripe", "paypal", "sms", "apple", "google")),
    }


@each([op for op in OPERATIONS if op.role == "key"])
def test_each_call_by_an_operator_is_logged(bench, operation):
    """Also a call that the key's role forbids, and always with the result."""
    mark, jobs = bench.mark(operation), {"Authorization": f"Bearer {bench.world.jobs.token}"}
    _, answer = bench.send(operation, bench.good(operation), headers=jobs)
    logged = [row[2] for row in bench.witness.since(mark) if row[0] == "audit"]
    assert len(logged) == 1 and logged[0].endswith(",ok)") == (answer.status_code < 400), (
        answer.status_code,
        logged,
    )


# --- valid requests succeed; last, because this uses them up ---


def another_endpoint(operation):
    """Another endpoint that accepts an idempotency key of the same caller."""
    if operation.role == "key":
        return BY_ID["addPlayerNote" if operation.id != "addPlayerNote" else "mutePlayerChat"]
    return BY_ID["newLobbyTicket" if operation.id != "newLobbyTicket" else "openTable"]


@each([op for op in OPERATIONS if op.keyed])
@pytest.mark.quick
def test_an_idempotency_key_is_for_one_request_and_one_answer(bench, operation):
    good, key = bench.good(operation), rig.new_key()
    there = None if operation.id in KEYS_OF_THEIR_OWN else another_endpoint(operation)
    # created now, so that background jobs and tables that end do not interfere
    elsewhere = there and bench.good(there)
    target, first = bench.send(operation, good, headers=key)
    check_response(operation.method, target, first)
    assert first.status_code < 300, (
        f"{operation.id}: its good request is refused, see operations_rig.py: {first.text}"
    )
    mark = bench.witness.mark()
    for _ in range(2):
        _, again = bench.send(operation, good, headers=key)
        assert (again.status_code, again.content) == (
            first.status_code,
            first.content,
        ), "the first answer, byte by byte"
        assert (first.headers.get("Idempotency-Replayed"), again.headers.get("Idempotency-Replayed")) == (
            None,
            "true",
        )
    reused = Wrong("another request under the same key", None, {(422, "idempotency_key_reused")})
    bench.refused(
        operation,
        reused,
        body=as_bytes(good.other_body) if good.other_body else as_bytes(good.body) + b" ",
        headers=key,
    )
    if not there:
        return
    bench.refused(there, reused, rig.Good(good.caller, elsewhere.path, body=elsewhere.body), headers=key)
    bench.unchanged(mark, operation, {"audit"})


@each([op for op in OPERATIONS if op.keyed])
def test_concurrent_repeats_are_executed_once(bench, operation):
    good, key = bench.good(operation, fresh=True), rig.new_key()
    mark = bench.witness.mark()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(
                lambda _: bench.send(operation, good, headers=key, wire=Wire(bench.world.server))[1], range(4)
            )
        )
    done = {answer.content for answer in answers if answer.status_code < 300}
    assert len(done) == 1, [answer.text for answer in answers]
    for answer in answers:
        assert answer.status_code < 300 or (answer.status_code, answer.json()["code"]) == (
            409,
            "idempotency_running",
        ), answer.text
    kept = [
        row
        for row in bench.witness.since(mark)
        if row[0] in ("idempotency", "admin_answers", "job_runs") and row[1] == "INSERT"
    ]
    assert len(kept) == 1, kept


@each([op for op in OURS if not op.keyed])
@pytest.mark.quick
def test_a_valid_request_succeeds(bench, operation):
    """Each attack above is one change away from such a request, so the attacks would mean little if it
    failed. It is built again, because codes are valid for only a few seconds."""
    good = bench.good(operation, fresh=True)
    mark = bench.witness.mark()
    target, answer = bench.send(operation, good)
    check_response(operation.method, target.split("?")[0], answer)
    if good.code:
        assert answer.json()["code"] == good.code, answer.text
    else:
        assert answer.status_code < 400, (
            f"{operation.id}: its good request is refused, see operations_rig.py: {answer.text}"
        )
    written = bench.witness.unexpected(mark, {*REFUSED_TOO, *READS_THAT_WRITE.get(operation.id, [()])[0]})
    if operation.method == "GET":
        assert not written, f"{operation.id} is a read and changed something: {written}"
    elif not good.code and operation.id not in CHANGE_NOTHING:
        assert written, f"{operation.id} changed nothing, or the witness does not see it"


# Operations that have no effect in the state in which their valid request is sent.
CHANGE_NOTHING = {
    "unmutePlayer": "the player was not muted",
    "unblockPlayer": "the player was not blocked",
    "unfriend": "they were not friends",
    "logoutOthers": "there are no other sessions",
    "readNotifications": "there are none",
    "collectDailyBonus": "a guest of today has it",
    "googleWebhook": "no player has presented this purchase",
    "searchPlayers": "it looks for an address",
}
# A job stores its keys with its runs, apart from those of operators' actions.
KEYS_OF_THEIR_OWN = {"runJob", "rollSeasons"}
# Reads that write: what, and why.
READS_THAT_WRITE = {
    "events": ({"tickets"}, "a ticket opens the stream"),
    "getOrder": ({"shop_orders"}, "the time of the last query to the provider"),
    "previewRollover": ({"boards"}, "a league's board gets its number on the first read"),
}


# --- testing the judge ---

LOGIN = BY_ID["login"]
TOO_LONG = Wrong("email too long", b"", {(422, "bad_length")}, ("pointer", "/email"))


def problem(status=422, code="bad_length", errors=None, **changes):
    from support.contract import OPENAPI

    row = next(e for e in OPENAPI["x-errors"] if e["code"] == code)
    body = {
        "type": f"/docs#error-{code}",
        "title": row["text"],
        "status": status,
        "detail": "x",
        "instance": LOGIN.path,
        "code": code,
        "trace_id": "0" * 32,
        "errors": (
            [{"pointer": "/email", "code": "too_long", "detail": "x", "min": 3, "max": 254}]
            if errors is None
            else errors
        ),
        **changes,
    }
    headers = {
        "X-Trace-Id": "0" * 32,
        "X-Content-Type-Options": "nosniff",
        "Content-Type": "application/problem+json",
    }
    return Answer(status, headers, json.dumps(body).encode())


def test_the_judge_accepts_a_correct_response():
    judge(LOGIN, TOO_LONG, LOGIN.path, problem())


@pytest.mark.parametrize("answer", [
    Answer(200, {}, b"{}"), Answer(204, {}, b""), Answer(500, {}, b"{}"),
    problem(500, "internal", []), problem(422, "wrong_type"), problem(422, "bad_option"),
    problem(404, "not_found"),
    problem(errors=[]), problem(errors=[{"pointer": "/password", "code": "too_long", "detail": "x"}]),
    problem(errors=[{"parameter": "/email", "code": "too_long", "detail": "x"}]), problem(instance="/v1/me"),
    problem(trace_id="1" * 32),
    problem(type="about:blank"), problem(title="Wrong."), problem(status=400), problem(more=1),
], ids=range(16))  # fmt: skip
def test_the_judge_rejects_every_other_response(answer):
    with pytest.raises(AssertionError):
        judge(LOGIN, TOO_LONG, LOGIN.path, answer)


def test_the_judge_rejects_a_code_that_the_operation_does_not_list():
    wrong = Wrong("x", b"", {(422, "bad_option")})
    with pytest.raises(AssertionError, match="the contract does not list it"):
        judge(LOGIN, wrong, LOGIN.path, problem(422, "bad_option"))


def test_the_witness_watches_every_table(bench):
    """Every test relies on it, so it must record what a request writes."""
    assert len(bench.witness.tables) > 80
    mark = bench.witness.mark()
    bench.world.player().call("PATCH", "/v1/me", {"nickname": "Seen"}, status=200)
    assert {("players", "INSERT"), ("players", "UPDATE"), ("sessions", "INSERT")} <= {
        row[:2] for row in bench.witness.since(mark)
    }
    with pytest.raises(AssertionError, match="Seen"):
        bench.unchanged(mark, LOGIN)


def test_a_body_is_attacked_in_every_way():
    """Checks the number of cases derived from a schema, so that a lost one is noticed."""
    made = [wrong.what for wrong in wrong_bodies(LOGIN, LOGIN.example)]
    assert len(made) == 101
    for what in (
        "email missing",
        "email empty",
        "email too long",
        "email of type null",
        "password of type object",
        "email twice",
        "'colour' is not known",
        "device_token too short",
    ):
        assert what in made, made


def test_an_operation_with_an_unknown_parameter_is_noticed(bench):
    said = {
        "operationId": "new",
        "responses": {},
        "parameters": [{"name": "thing", "in": "path", "schema": {"type": "string"}}],
    }
    with pytest.raises(AssertionError, match="new: say in operations_rig.NAMES what {thing} is"):
        rig.good_request(bench.world, Operation("get", "/v1/things/{thing}", said))
    said["parameters"][0]["name"] = "order"
    good = rig.good_request(bench.world, Operation("get", "/v1/orders/{order}", said))
    assert good.path["order"] and good.whose == "theirs", "what can be made needs no entry"
