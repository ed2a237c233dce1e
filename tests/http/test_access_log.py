"""The log of requests and of security events: what it contains, what it never contains, and that it stays
bounded."""

import json
import re
import time
import uuid

import pytest
import requests
from support.attacks import ATTACKS
from support.cluster import ROOT
from support.contract import Client
from support.log import lines, of
from support.raw import connect, until_closed
from support.wait import HANG_S

EMAIL, PASSWORD = "nobody.at.all@example.org", "wrong-horse-battery"


def traced():
    """An id chosen by the client, and the header that carries it."""
    trace = uuid.uuid4().hex
    return trace, {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}


@pytest.fixture
def every(new_server):
    """A server that logs every request."""
    server = new_server(rate_limits="off", log_reads=1, log_lines=100000)
    yield server
    assert server.stop() == 0


# --- requests ---


def test_each_request_is_logged_with_its_operation(every):
    guest = Client(every).guest()
    trace, headers = traced()
    answer = guest.call("GET", f"/v1/players/{guest.player['id']}", headers=headers, status=200)
    line = of(every, "request", trace)
    at, ms = line.pop("at"), line.pop("ms")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at) and 0 <= ms < 5000
    assert line == {
        "level": "info", "event": "request", "trace_id": trace, "operation": "getPlayer", "method": "GET",
        "status": 200, "code": "",
        "bytes": len(answer.content), "network": "127.0.0.0/24", "account": int(guest.player["id"]),
    }  # fmt: skip


@pytest.mark.parametrize(
    "method, path, status, code, operation",
    [
        ("GET", "/v1/me", 401, "token_missing", "getMe"),
        ("HEAD", "/healthz", 200, "", "healthz"),
        ("GET", "/v1/nothing/917", 404, "not_found", "none"),
        ("BREW", "/v1/me", 405, "method_not_allowed", "none"),
        ("OPTIONS", "/v1/me", 204, "", "preflight"),
        ("GET", "/" + "a" * 3000, 414, "uri_too_long", "none"),
        ("POST", "/v1/auth/refresh", 400, "bad_json", "refresh"),
    ],
)
def test_every_request_is_logged(every, method, path, status, code, operation):
    trace, headers = traced()
    requests.request(
        method, every.url + path, headers={**headers, "Content-Type": "application/json"}, timeout=HANG_S
    )
    line = of(every, "request", trace)
    assert (line["status"], line["code"], line["operation"]) == (status, code, operation)
    assert line["method"] == ("other" if method == "BREW" else method) and line["account"] == 0
    assert method != "HEAD" or line["bytes"] == 0


def test_log_and_problem_contain_the_clients_request_id(every):
    guest = Client(every).guest()
    own = "Ticket-4711.retry_2"
    trace, headers = traced()
    for given, expected in [
        ({"X-Request-Id": own}, own),
        ({**headers, "X-Request-Id": own}, trace),
        ({"X-Request-Id": "a" * 64}, "a" * 64),
    ]:
        answer = guest.call("GET", "/v1/games/999999", headers=given, status=404)
        assert answer.json()["trace_id"] == answer.headers["X-Trace-Id"] == expected
        assert of(every, "request", expected)["code"] == "no_such_game"
    for bad in (
        "short",
        "a" * 65,
        "with blank",
        'quo"te-quote',
        "line;drop",
        "schlüssel".encode().decode("latin-1"),
        "",
    ):
        answer = guest.call("GET", "/v1/games/999999", headers={"X-Request-Id": bad}, status=404)
        assert re.fullmatch(r"[0-9a-f]{32}", answer.json()["trace_id"])


def test_a_failed_statement_is_logged_with_the_request_id(every, cluster):
    """A statement fails when the database's reply arrives; the log line has the client's id."""
    guest = Client(every).guest()
    connection = cluster.connect(every.database)
    with connection.cursor() as cursor:
        cursor.execute("ALTER FUNCTION q_player RENAME TO q_gone")
    trace, headers = traced()
    answer = guest.call("GET", f"/v1/players/{guest.player['id']}", headers=headers, status=500)
    with connection.cursor() as cursor:
        cursor.execute("ALTER FUNCTION q_gone RENAME TO q_player")
    connection.close()
    assert answer.json()["trace_id"] == trace
    assert of(every, "statement_failed", trace)["level"] == "error"
    assert (
        of(every, "http_internal", trace)["operation"]
        == of(every, "request", trace)["operation"]
        == "getPlayer"
    )


def test_reads_are_sampled_and_all_other_requests_are_logged(new_server):
    server = new_server(rate_limits="off", log_reads=10)
    guest = Client(server).guest()
    for _ in range(100):
        guest.get("/v1/me")
    for _ in range(7):
        guest.call("PATCH", "/v1/me", {}, status=200)
        guest.call("GET", "/v1/games/0", status=400)
    found = lines(server, "request", lambda all: len([entry for entry in all if entry["status"] == 400]) == 7)
    count = lambda **what: len([line for line in found if what.items() <= line.items()])
    assert 9 <= count(operation="getMe", method="GET") <= 11
    assert count(operation="changeMe", status=200) == count(operation="getGame", status=400) == 7
    assert server.stop() == 0


def dropped_lines(server):
    metrics = requests.get(server.url + "/metrics", timeout=HANG_S).text
    return int(re.search(r"^rummyd_log_lines_dropped_total (\d+)$", metrics, re.M)[1])


def test_lines_per_second_are_limited_and_dropped_lines_are_counted(new_server):
    server = new_server(rate_limits="off", log_lines=5)
    guest = Client(server).guest()
    early = dropped_lines(server)  # a slow start refuses the first requests for /readyz
    began, sent = time.monotonic(), 0
    while time.monotonic() - began < 3 or sent <= 100:
        guest.call("GET", "/v1/games/0", status=400)
        sent += 1
    seconds = time.monotonic() - began
    dropped = lambda found: sum(line["lines"] for line in found)
    refused = lambda: [line for line in lines(server, "request") if line["status"] == 400]
    left_out = dropped(
        lines(server, "request_lines_dropped", lambda found: dropped(found) + len(refused()) >= early + sent)
    )
    written = refused()
    assert 5 <= len(written) <= 5 * (seconds + 2)
    assert left_out + len(written) == early + sent
    assert dropped_lines(server) == left_out
    assert server.stop() == 0


def test_log_lines_0_disables_request_and_security_lines(new_server):
    server = new_server(rate_limits="off", log_lines=0)
    Client(server).call("GET", "/v1/me", status=401)
    Client(server).call("GET", "/v1/me", headers={"Authorization": "Bearer x"}, status=401)
    time.sleep(1.2)  # lapse: omitted lines are counted once per second
    assert not {line["event"] for line in map(json.loads, server.log().splitlines())} & {
        "request",
        "security",
        "request_lines_dropped",
    }
    assert server.stop() == 0


# --- security events ---


def security(server, trace):
    line = of(server, "security", trace)
    return {name: value for name, value in line.items() if name not in ("at", "event", "trace_id", "network")}


def test_sign_in_outcomes_are_logged(every):
    address = f"{uuid.uuid4().hex}@example.org"
    ann = Client(every).register(address)
    account = int(ann.player["id"])
    for password, status, said in [
        (
            "correct horse",
            200,
            {"what": "session_begun", "level": "info", "operation": "login", "account": account},
        ),
        (
            PASSWORD,
            401,
            {
                "what": "login_failed",
                "level": "warn",
                "operation": "login",
                "code": "bad_credentials",
                "account": account,
            },
        ),
    ]:
        trace, headers = traced()
        Client(every).call(
            "POST", "/v1/auth/login", {"email": address, "password": password}, headers=headers, status=status
        )
        assert security(every, trace) == said
    for _ in range(20):
        trace, headers = traced()
        answer = Client(every).call(
            "POST", "/v1/auth/login", {"email": EMAIL, "password": PASSWORD}, headers=headers
        )
        if answer.status_code == 429:
            break
    assert security(every, trace) == {
        "what": "login_locked",
        "level": "warn",
        "operation": "login",
        "code": answer.json()["code"],
    }


def test_ended_sessions_and_refused_refreshes_are_logged(every):
    ann = Client(every).register()
    old = ann.refresh_token
    ann._adopt(ann.call("POST", "/v1/auth/refresh", {"refresh_token": old}, status=200).json())
    for path, token, status, what in [
        ("refresh", "x" * 43, 401, "refresh_refused"),
        ("logout", ann.refresh_token, 204, "session_revoked"),
        ("refresh", ann.refresh_token, 401, "refresh_refused"),
    ]:
        trace, headers = traced()
        Client(every).call(
            "POST", f"/v1/auth/{path}", {"refresh_token": token}, headers=headers, status=status
        )
        assert security(every, trace)["what"] == what, path
    ben = Client(every).register()
    first = ben.refresh_token
    second = ben.call("POST", "/v1/auth/refresh", {"refresh_token": first}, status=200).json()[
        "refresh_token"
    ]
    Client(every).call("POST", "/v1/auth/refresh", {"refresh_token": second}, status=200)
    trace, headers = traced()
    answer = Client(every).call(
        "POST", "/v1/auth/refresh", {"refresh_token": first}, headers=headers, status=401
    )
    assert answer.json()["code"] == "refresh_reused" and security(every, trace)["what"] == "refresh_reused"


def test_guest_entries_and_renewals_are_logged(every):
    ann = Client(every).guest()
    account = int(ann.player["id"])
    for path, body, status, said in [
        ("guest", {}, 200, {"what": "guest_entered", "level": "info", "operation": "enterAsGuest"}),
        (
            "guest",
            {"device_secret": ann.device_secret},
            200,
            {"what": "guest_entered", "level": "info", "operation": "enterAsGuest", "account": account},
        ),
        (
            "guest",
            {"device_secret": "x" * 43},
            401,
            {
                "what": "device_refused",
                "level": "info",
                "operation": "enterAsGuest",
                "code": "device_unknown",
            },
        ),
        (
            "refresh",
            {"refresh_token": ann.refresh_token},
            200,
            {"what": "session_renewed", "level": "info", "operation": "refresh", "account": account},
        ),
    ]:
        trace, headers = traced()
        answer = Client(every).call("POST", f"/v1/auth/{path}", body, headers=headers, status=status)
        if "account" not in said and status == 200:
            said["account"] = int(answer.json()["player"]["id"])
        assert security(every, trace) == said


def test_malformed_heads_are_logged(every):
    """One in ten, counted by status code."""
    sent = [
        name
        for name, (_, code, _) in ATTACKS.items()
        if code
        in (
            "bad_header_line",
            "bad_request_line",
            "bad_chunks",
            "bad_path",
            "bad_request",
            "head_too_large",
        )
    ]
    for name in sent:
        with connect(every.http_port) as line:
            line.sendall(ATTACKS[name][0])
            until_closed(line)
    refused = lambda all: [entry for entry in all if entry["what"] == "head_refused"]
    found = refused(lines(every, "security", lambda all: len(refused(all)) >= (len(sent) + 9) // 10))
    assert len(found) == (len(sent) + 9) // 10
    assert (
        {entry["one_in"] for entry in found} == {10}
        and len({entry["code"] for entry in found}) > 2
        and all(entry["network"] == "127.0.0.0/24" for entry in found)
    )


def test_changes_of_credentials_and_sessions_are_logged(every):
    address = f"{uuid.uuid4().hex}@example.org"
    ann = Client(every).register(address)
    other = Client(every)._adopt(
        ann.call("POST", "/v1/auth/login", {"email": address, "password": "correct horse"}, status=200).json()
    )
    session = next(s["id"] for s in ann.get("/v1/me/sessions")["items"] if not s["current"])
    for method, path, body, what in [
        ("DELETE", f"/v1/me/sessions/{session}", None, "session_revoked"),
        ("POST", "/v1/auth/logout-others", None, "session_revoked"),
        (
            "POST",
            "/v1/me/email",
            {"email": f"new.{address}", "password": "correct horse"},
            "email_change_asked",
        ),
        (
            "POST",
            "/v1/me/password",
            {"old_password": "correct horse", "password": PASSWORD},
            "password_changed",
        ),
        ("POST", "/v1/auth/logout-everywhere", None, "session_revoked"),
    ]:
        trace, headers = traced()
        ann.call(method, path, body, headers=headers, status=204)
        said = security(every, trace)
        assert (said["what"], said["account"]) == (what, int(ann.player["id"])), path
    other.call("GET", "/v1/me", status=401)


def test_forged_tokens_and_foreign_keys_are_logged(every):
    for _ in range(11):  # one in ten
        Client(every).call("GET", "/v1/me", headers={"Authorization": "Bearer forged"}, status=401)
    found = lines(
        every, "security", lambda all: len([entry for entry in all if entry["what"] == "token_forged"]) == 2
    )
    assert [(entry["operation"], entry["one_in"]) for entry in found if entry["what"] == "token_forged"] == [
        ("getMe", 10)
    ] * 2
    trace, headers = traced()
    Client(every).call(
        "GET", "/v1/admin/audit", headers={**headers, "Authorization": "Bearer rk_guess"}, status=401
    )
    assert security(every, trace) == {
        "what": "key_refused",
        "level": "warn",
        "operation": "listAudit",
        "code": "api_key_invalid",
    }


def test_operator_actions_are_logged_with_their_targets(every):
    from support.keys import make_key

    admin, jobs, ann = Client(every), Client(every), Client(every).guest()
    admin.token, jobs.token = make_key(every.owner_db), make_key(every.owner_db, "jobs")
    account = int(ann.player["id"])
    path, body = f"/v1/admin/players/{ann.player['id']}/", {"reason": "cheats"}
    for client, what, status in (
        (jobs, "key_refused", 403),
        (admin, "player_banned", 200),
        (admin, "player_unbanned", 200),
    ):
        trace, headers = traced()
        act = "unban" if what == "player_unbanned" else "ban"
        client.call(
            "POST", path + act, body, headers={**headers, "Idempotency-Key": uuid.uuid4().hex}, status=status
        )
        said = security(every, trace)
        assert (said["what"], said["account"], said["operation"]) == (what, account, f"{act}Player")
    trace, headers = traced()
    admin.call(
        "PATCH",
        "/v1/admin/rooms/desert",
        {"open": True},
        headers={**headers, "Idempotency-Key": uuid.uuid4().hex},
        status=200,
    )
    assert security(every, trace)["what"] == "setting_changed"


def test_the_log_contains_no_secrets(every):
    """Searches the log text for tokens, passwords, addresses, codes, names, full network addresses, and
    paths."""
    from support.keys import make_key

    address = f"{uuid.uuid4().hex}@example.org"
    ann = Client(every).register(address, nickname="Xanthippe")
    code = ann.call("POST", "/v1/invites", status=200).json()["code"]
    seat = ann.take_seat().json()
    key = make_key(every.owner_db)
    admin = Client(every)
    admin.token = key
    admin.call("POST", "/v1/admin/player-search", {"email": address}, status=200)
    admin.call("GET", f"/v1/admin/players?q={address}", status=400)
    admin.call("GET", "/v1/admin/players/" + ann.player["id"], status=200)
    Client(every).call("POST", "/v1/auth/login", {"email": address, "password": PASSWORD}, status=401)
    Client(every).call("GET", "/v1/me", headers={"Authorization": f"Bearer {ann.token[:-2]}xx"}, status=401)
    ann.call("GET", f"/v1/nothing/{address}", status=404)
    ann.call("POST", "/v1/auth/refresh", {"refresh_token": ann.refresh_token}, status=200)
    lines(every, "request", lambda all: any(entry["operation"] == "refresh" for entry in all))
    log = every.log()
    assert log.count('"event":"request"') > 8
    for secret in (address, address.split("@")[0], PASSWORD, "correct horse", ann.token,
                   ann.token.split(".")[2], ann.refresh_token, code, key,
                   seat["ticket"], "Xanthippe", "127.0.0.1", "/v1/nothing", "/v1/admin"):  # fmt: skip
        text = "\n".join(
            line for line in log.splitlines() if json.loads(line)["event"] in ("request", "security")
        )
        assert secret not in text, secret


# --- every log line that the sources can write ---


def calls(text):
    """The arguments of each logging call, up to its closing bracket."""
    for start in re.finditer(r"\b(?:log_(?:debug|info|warn|error|event)|LOG_AT)\(", text):
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[start.end() : end - 1]


def test_no_log_line_repeats_a_key():
    found = 0
    for path in sorted(
        path
        for layer in ("base", "db", "mail", "net", "bus", "pay", "oidc", "api", "tables", "server")
        for path in (ROOT / layer).rglob("*.c")
    ):
        for call in calls(path.read_text()):
            keys = re.findall(r'\bLOG_(?:TEXT|NUM)\("(\w+)"', call)
            found += len(keys)
            assert len(set(keys)) == len(keys) and not {"at", "level", "event"} & set(keys), (
                f"{path.relative_to(ROOT)}: {call}"
            )
    assert found > 100
