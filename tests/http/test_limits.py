"""Rate limits from a client's point of view."""

import http.client
import json
import re
import socket

import pytest
from support.contract import Client, check_response
from support.keys import make_key
from support.wait import HANG_S


@pytest.fixture
def limited(new_server):
    server = new_server(rate_limits="on")
    yield server
    assert server.stop() == 0


def remaining(response):
    name, rest, full = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', response.headers["RateLimit"]).groups()
    return name, int(rest), int(full)


def ask_until_refused(client, method, path, body=None, most=5000, refusal=400):
    """The refusal (a status from this one on), validated against the contract. The hundreds of successes
    before it are requested in the cheapest way, because buckets refill meanwhile."""
    headers = {
        "Content-Type": "application/json",
        **({"Authorization": f"Bearer {client.token}"} if client.token else {}),
    }
    line = http.client.HTTPConnection(client.url.removeprefix("http://"), timeout=HANG_S)
    for _ in range(most):
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        answer.read()
        if answer.status < refusal:
            continue
        seen = client.http.request(method, client.url + path, json=body, headers=headers, timeout=HANG_S)
        if seen.status_code >= refusal:
            break
    line.close()
    check_response(method, path, seen)
    return seen


def test_an_account_reaches_its_limit_and_gets_429(limited):
    guest = Client(limited).guest()
    first = guest.call("GET", "/v1/me", status=200)
    quota = int(re.fullmatch(r'"account";q=(\d+);w=60', first.headers["RateLimit-Policy"]).group(1))
    assert remaining(first)[:2] == ("account", quota - 1)
    answer = ask_until_refused(guest, "GET", "/v1/me")
    assert answer.status_code == 429 and answer.json()["code"] == "rate_limited"
    assert answer.json()["limit"] == "account" and answer.json()["retry_s"] == int(
        answer.headers["Retry-After"]
    )
    assert 1 <= int(answer.headers["Retry-After"]) <= 60 and remaining(answer)[1] == 0
    # Another account of the same address continues, and so do requests without a limit.
    Client(limited).guest().get("/v1/me")
    guest.get("/healthz")


def test_writes_have_a_separate_bucket(limited):
    guest = Client(limited).guest()
    answer = ask_until_refused(guest, "PATCH", "/v1/me", {})
    assert answer.json()["code"] == "rate_limited" and answer.json()["limit"] == "account_writes"
    guest.get("/v1/me")


def test_an_address_reaches_its_limit_of_session_requests(limited):
    answer = ask_until_refused(Client(limited), "POST", "/v1/auth/logout", {"refresh_token": "x" * 43})
    assert answer.status_code == 429 and answer.json()["limit"] == "address_auth"


@pytest.mark.parametrize("path", ["/v1/tables/by-code/AAAAA0/link", "/v1/invites/NOSUCH00"])
def test_an_address_is_limited_in_guessing_link_codes(limited, path):
    answer = ask_until_refused(Client(limited), "GET", path, refusal=429)
    assert answer.status_code == 429 and answer.json()["limit"] == "address_links"
    Client(limited).guest()  # signing in has a separate limit


def test_guessed_keys_do_not_use_up_an_operators_reads(limited):
    admin, guesser = Client(limited), Client(limited)
    admin.token, guesser.token = make_key(limited.owner_db), "rk_" + "x" * 43
    first = admin.call("GET", "/v1/admin/audit?limit=100", status=200)
    name, left, _ = remaining(first)
    assert name == "address_writes"  # an operator's read also writes to the audit log
    answer = ask_until_refused(guesser, "GET", "/v1/admin/audit", refusal=429)
    assert (answer.json()["code"], answer.json()["limit"]) == ("rate_limited", "address_refused")
    last = admin.call("GET", "/v1/admin/audit?limit=100", status=200)
    assert remaining(last)[0] == name and remaining(last)[1] >= left - 1
    assert len(last.json()["items"]) == len(first.json()["items"]) + 1, (
        "a guess leaves no line in the log of operators"
    )


def test_a_revoked_key_counts_as_a_guess(limited, cluster):
    client = Client(limited)
    client.token = make_key(limited.owner_db)
    for _ in range(2):
        assert remaining(client.call("GET", "/v1/admin/status", status=200))[0] == "address_writes"
    connection = cluster.connect(limited.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE api_keys SET revoked_at = now()")
    connection.close()
    limits = [
        remaining(client.call("GET", "/v1/admin/status", status=401, code="api_key_invalid"))[0]
        for _ in range(3)
    ]
    assert limits == [
        "address_writes",
        "address_refused",
        "address_refused",
    ], "the first refusal makes it unknown"


def test_no_limits_apply_when_switched_off(guest):
    answer = guest.call("GET", "/v1/me", status=200)
    assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers


COUNTED = [
    ("10.0.0.1", "10.0.0.1"),
    ("1.2.3.4, 10.0.0.2", "10.0.0.2"),  # a client's own claim precedes the address that our proxy adds
    ("10.0.0.3, 192.0.2.7", "10.0.0.3"),  # the last address that is not one of our proxies
    ("2001:db8::1", "2001:db8::/64"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("::ffff:10.0.0.1", "10.0.0.1"),
    ("10.0.0.3, ::ffff:192.0.2.7", "10.0.0.3"),  # one of our proxies, in any notation of its address
    ("10.0.0.4:443", "10.0.0.4"),
    ('"[2001:db8::2]:443"', "2001:db8::/64"),
    ("rubbish, 10.0.0.5", "10.0.0.5"),
    ("10.0.0.6, , 192.0.2.7,", "10.0.0.6"),
    (None, "127.0.0.1"),  # the proxy's own request
]

UNREADABLE = [
    "rubbish",
    "",
    ",",
    "unknown",
    "_hidden",
    "10.0.0.1, unknown",
    "10.0.0.1, 192.0.2.7:",
    "10.0.0.1:99999",
    "[10.0.0.1]",
    "10.0.0.1 10.0.0.2",
]


def test_behind_a_proxy_the_clients_address_counts(new_server, cluster):
    server = new_server(rate_limits="on", proxies="127.0.0.1, 192.0.2.7")
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        for given, counted in COUNTED:
            cursor.execute("DELETE FROM login_attempts")
            body = {"email": "nobody@example.org", "password": "wrong horse"}
            Client(server).call(
                "POST",
                "/v1/auth/login",
                body,
                headers={"X-Forwarded-For": given} if given else {},
                status=401,
            )
            cursor.execute("SELECT source FROM login_attempts")
            assert cursor.fetchall() == [(counted,)], given
            if given:  # RFC 7239 says the same
                cursor.execute("DELETE FROM login_attempts")
                rfc = ", ".join(
                    f'for="{node.strip(chr(34))}"' for node in given.replace(" ", "").split(",") if node
                )
                Client(server).call("POST", "/v1/auth/login", body, headers={"Forwarded": rfc}, status=401)
                cursor.execute("SELECT source FROM login_attempts")
                assert cursor.fetchall() == [(counted,)], rfc
        cursor.execute("DELETE FROM login_attempts")
        for given in UNREADABLE:
            answer = Client(server).call(
                "POST", "/v1/auth/login", body, headers={"X-Forwarded-For": given}, status=400
            )
            assert answer.json()["code"] == "bad_request" and answer.json()["errors"] == [
                {"header": "X-Forwarded-For", "code": "not_a_client", "detail": answer.json()["detail"]}
            ], given
            answer = Client(server).call(
                "GET", "/v1/rooms", headers={"Forwarded": f'for="{given}"'}, status=400
            )
            assert answer.json()["errors"][0]["header"] == "Forwarded", given
        two = {"X-Forwarded-For": "10.0.0.1", "Forwarded": "for=10.0.0.2"}
        assert (
            Client(server).call("GET", "/v1/rooms", headers=two, status=400).json()["errors"][0]["header"]
            == "Forwarded"
        )
        cursor.execute("SELECT count(*) FROM login_attempts")
        assert cursor.fetchall() == [(0,)], "refused requests count against no address"
    connection.close()


def test_addresses_in_several_header_lines_form_one_list(new_server, cluster):
    """A proxy behind another one adds its own line, so the client is in the previous line."""
    server = new_server(rate_limits="on", proxies="127.0.0.1, 192.0.2.7")
    connection = cluster.connect(server.database)
    body = b'{"email":"nobody@example.org","password":"wrong horse"}'
    with connection.cursor() as cursor:
        for lines, counted in (
            (["10.0.0.1", "192.0.2.7"], "10.0.0.1"),
            (["rubbish", "10.0.0.2"], "10.0.0.2"),
            (["10.0.0.3, 192.0.2.7", "", "192.0.2.7"], "10.0.0.3"),
        ):
            cursor.execute("DELETE FROM login_attempts")
            with socket.create_connection(("127.0.0.1", server.http_port), timeout=HANG_S) as line:
                more = "".join(f"X-Forwarded-For: {one}\r\n" for one in lines)
                head = (
                    "POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type:"
                    f" application/json\r\n{more}Content-Length: {len(body)}\r\n\r\n"
                )
                line.sendall(head.encode() + body)
                assert line.recv(4096).startswith(b"HTTP/1.1 401 "), lines
            cursor.execute("SELECT source FROM login_attempts")
            assert cursor.fetchall() == [(counted,)], lines
    connection.close()


def test_without_a_proxy_forwarded_addresses_are_ignored(server, sql):
    sql("DELETE FROM login_attempts")
    body = {"email": "nobody@example.org", "password": "wrong horse"}
    for said in (
        {"X-Forwarded-For": "10.0.0.1"},
        {"X-Forwarded-For": "rubbish"},
        {"Forwarded": "for=10.0.0.1"},
    ):
        Client(server).call("POST", "/v1/auth/login", body, headers=said, status=401)
        assert set(sql("SELECT source FROM login_attempts")) == {("127.0.0.1",)}
