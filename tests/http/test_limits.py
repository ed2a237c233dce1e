"""Rate limits as a client meets them."""

import http.client
import json
import re

import pytest

from support.contract import Client, check_response


@pytest.fixture
def limited(new_server):
    server = new_server(rate_limits="on")
    yield server
    assert server.stop() == 0


def remaining(response):
    name, rest, full = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', response.headers["RateLimit"]).groups()
    return name, int(rest), int(full)


def ask_until_refused(client, method, path, body=None, most=5000):
    """The refusal, held against the contract; hundreds of the same good answer before it are asked for in the cheapest way: buckets fill
    again meanwhile."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {client.token}"} if client.token else {})}
    line = http.client.HTTPConnection(client.url.removeprefix("http://"), timeout=30)
    for _ in range(most):
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        answer.read()
        if answer.status < 400:
            continue
        seen = client.http.request(method, client.url + path, json=body, headers=headers, timeout=30)
        if seen.status_code >= 400:
            break
    line.close()
    check_response(method, path, seen)
    return seen


def test_an_account_runs_into_its_limit_and_is_told(limited):
    guest = Client(limited).guest()
    first = guest.call("GET", "/v1/me", status=200)
    quota = int(re.fullmatch(r'"account";q=(\d+);w=60', first.headers["RateLimit-Policy"]).group(1))
    assert remaining(first)[:2] == ("account", quota - 1)
    answer = ask_until_refused(guest, "GET", "/v1/me")
    assert answer.status_code == 429 and answer.json()["code"] == "rate_limited"
    assert answer.json()["limit"] == "account" and answer.json()["retry_s"] == int(answer.headers["Retry-After"])
    assert 1 <= int(answer.headers["Retry-After"]) <= 60 and remaining(answer)[1] == 0
    # Another account of the same address goes on, and so does what has no limit.
    Client(limited).guest().get("/v1/me")
    guest.get("/healthz")


def test_writes_have_a_bucket_of_their_own(limited):
    guest = Client(limited).guest()
    answer = ask_until_refused(guest, "PATCH", "/v1/me", {})
    assert answer.json()["code"] == "rate_limited" and answer.json()["limit"] == "account_writes"
    guest.get("/v1/me")


def test_an_address_runs_into_its_limit_of_sessions(limited):
    answer = ask_until_refused(Client(limited), "POST", "/v1/auth/logout", {"refresh_token": "x" * 43})
    assert answer.status_code == 429 and answer.json()["limit"] == "address_auth"


def test_switched_off_there_are_none(guest):
    answer = guest.call("GET", "/v1/me", status=200)
    assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers


COUNTED = [
    ("10.0.0.1", "10.0.0.1"),
    ("1.2.3.4, 10.0.0.2", "10.0.0.2"),  # whatever a client claims stands before what our proxy saw
    ("10.0.0.3, 192.0.2.7", "10.0.0.3"),  # the last one that is no proxy of ours
    ("2001:db8::1", "2001:db8::/64"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("::ffff:10.0.0.1", "10.0.0.1"),
    ("10.0.0.3, ::ffff:192.0.2.7", "10.0.0.3"),  # a proxy of ours, however its address is written
    ("rubbish", "127.0.0.1"),
    ("", "127.0.0.1"),
]


def test_behind_a_proxy_the_client_counts(new_server, cluster):
    server = new_server(rate_limits="on", proxies="127.0.0.1, 192.0.2.7")
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        for given, counted in COUNTED:
            cursor.execute("DELETE FROM login_attempts")
            body = {"email": "nobody@example.org", "password": "wrong horse"}
            Client(server).call("POST", "/v1/auth/login", body, headers={"X-Forwarded-For": given}, status=401)
            cursor.execute("SELECT source FROM login_attempts")
            assert cursor.fetchall() == [(counted,)], given
    connection.close()


def test_without_a_proxy_nobody_may_claim_an_address(server, sql):
    sql("DELETE FROM login_attempts")
    body = {"email": "nobody@example.org", "password": "wrong horse"}
    Client(server).call("POST", "/v1/auth/login", body, headers={"X-Forwarded-For": "10.0.0.1"}, status=401)
    assert sql("SELECT source FROM login_attempts") == [("127.0.0.1",)]
