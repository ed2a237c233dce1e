"""Requests that no well-behaved client sends: large bodies, garbage, dripping bytes. Nothing crashes or
hangs, and each request gets its error. test_operations.py covers errors of single operations, and
test_smuggling.py ambiguous requests."""

import contextlib
import random
import re
import select
import socket
import time

import pytest
import requests
from support.contract import OPENAPI, check_response
from support.raw import connect, end_sending, until_closed
from support.wait import HANG_S, until

JSON = {"Content-Type": "application/json"}


def raw(server, data, *, close=False):
    """Sends bytes unchanged; returns everything received until the server closes the connection."""
    with connect(server.http_port) as s:
        with contextlib.suppress(ConnectionError):
            s.sendall(data)
        if close:
            end_sending(s)
        return until_closed(s)


def statuses(answer):
    """The status codes of the responses."""
    return [int(m) for m in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]


def is_alive(server):
    return requests.get(server.url + "/healthz", timeout=HANG_S).status_code == 200


# --- bodies ---


def test_a_charset_is_accepted(server):
    answer = requests.post(
        server.url + "/v1/auth/login",
        data=b"{}",
        headers={"Content-Type": "application/json; charset=utf-8"},
        timeout=HANG_S,
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "missing_member")


def test_a_large_body_is_refused_before_it_is_read(server):
    head = (
        b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length:"
        b" %d\r\n\r\n"
    )
    for length in (4097, 10**6, 10**12, 2**63, 10**30):
        answer = raw(server, head % length)
        assert set(statuses(answer)) <= {413, 400} and answer, answer[:200]
    assert is_alive(server)


def test_a_large_body_without_a_length_is_cut_off(server):
    def chunks(n):
        for _ in range(n):
            yield b" " * 1024

    answer = requests.post(server.url + "/v1/auth/login", data=chunks(20), headers=JSON, timeout=HANG_S)
    check_response("POST", "/v1/auth/login", answer)
    assert answer.json()["code"] == "body_too_large"
    with pytest.raises(requests.RequestException):
        requests.post(
            server.url + "/v1/auth/login", data=chunks(4096), headers=JSON, timeout=HANG_S
        ).raise_for_status()
    assert is_alive(server)


def test_expect_continue_is_refused_for_a_large_body(server):
    answer = raw(
        server,
        b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 999999\r\nExpect: 100-continue\r\n\r\n",
    )
    assert statuses(answer) == [413]


def test_mutations_of_a_valid_body_break_nothing(server):
    good = b'{"email":"a@example.org","password":"correct horse","nickname":"Mia"}'
    dice = random.Random(51)
    with requests.Session() as session:
        for _ in range(400):
            body = bytearray(good)
            for _ in range(dice.randint(1, 4)):
                at = dice.randrange(len(body))
                match dice.randrange(3):
                    case 0:
                        body[at] = dice.randrange(256)
                    case 1:
                        del body[at]
                    case 2:
                        body.insert(at, dice.choice(b'{}[]":,\\u0\xff\x00 9e'))
            # /refresh requires other members, so nothing is created, whatever the random input.
            answer = session.post(
                server.url + "/v1/auth/refresh", data=bytes(body), headers=JSON, timeout=HANG_S
            )
            check_response("POST", "/v1/auth/refresh", answer)
            assert 400 <= answer.status_code < 500, body


# --- the request itself ---


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"\xff\xfe" * 5000,
        b"GET\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 200,
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"X: " + b"y" * 40000 + b"\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X%d: y\r\n" % i for i in range(5000)) + b"\r\n",
        b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        (
            b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}"
        ),
        (
            b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"
        ),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_garbage_is_refused_or_cut_off(server, data):
    answer = raw(server, data, close=True)
    assert not any(s < 400 for s in statuses(answer)), answer[:200]
    assert is_alive(server)


def test_pipelined_requests_are_answered_in_order(server):
    one = b"GET /%s HTTP/1.1\r\nHost: x\r\n%s\r\n"
    asked = [(b"healthz", b""), (b"version", b""), (b"v1/nothing", b"Connection: close\r\n")]
    answer = raw(server, b"".join(one % each for each in asked))
    assert statuses(answer) == [200, 200, 404]


def test_pipelined_reads_wait_for_their_turn(server, guest):
    me = f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {guest.token}\r\n"
    answer = raw(server, f"{me}\r\n".encode() * 19 + f"{me}Connection: close\r\n\r\n".encode())
    assert statuses(answer) == [200] * 20
    assert answer.count(b'"id":"%s"' % guest.player["id"].encode()) == 20


def test_clients_that_hang_up_early_leave_nothing_behind(server, guest):
    me = f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {guest.token}\r\n\r\n".encode()
    login = (
        b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length:"
        b' 55\r\n\r\n{"email":"nobody@example.org","password":"wrong horse"}'
    )
    for data in (me, login, login[:-10]):
        for _ in range(30):
            with socket.create_connection(("127.0.0.1", server.http_port)) as s:
                s.sendall(data)
    until = time.monotonic() + 120  # sixty passwords are verified, which a sanitizer makes slow
    while True:
        metrics = requests.get(server.url + "/metrics", timeout=HANG_S).text
        waiting = re.search(r"^rummyd_http_requests_waiting (\d+)$", metrics, re.M).group(1)
        opened = int(re.search(r"^rummyd_http_connections (\d+)$", metrics, re.M).group(1))
        if waiting == "0" and opened <= 5:
            return
        assert time.monotonic() < until, (waiting, opened)
        time.sleep(0.2)


# --- limits ---


def test_connections_per_address_are_limited(new_server):
    server = new_server(rate_limits="on")
    held, refused = [], set()
    for _ in range(300):
        s = socket.create_connection(("127.0.0.1", server.http_port), timeout=HANG_S)
        s.setblocking(False)
        held.append(s)

    def enough_are_refused():
        for s in set(held) - refused:
            try:
                answer = s.recv(4096)
                if answer.startswith(b"HTTP/1.1 429 ") and b'"too_many_connections"' in answer:
                    refused.add(s)
            except BlockingIOError:
                pass
            except ConnectionResetError:
                refused.add(s)
        return len(refused) >= 300 - 256

    until(enough_are_refused)
    for s in held:
        s.close()
    until(lambda: is_alive(server))
    assert server.stop() == 0


def test_the_password_queue_is_limited(new_server):
    """More concurrent sign-ins than workers and queue can hold: the rest is refused and not counted as
    failed, and reads continue."""
    server = new_server(proxies="127.0.0.1")
    login = (
        b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 55\r\n"
        b"X-Forwarded-For: 10.0.0.%d\r\n\r\n"
        b'{"email":"n%05d@example.org","password":"wrong horse"}'
    )
    socks = []
    with server.passwords_wait():
        for i in range(200):
            s = socket.create_connection(("127.0.0.1", server.http_port), timeout=HANG_S)
            s.sendall(login % (i, i))
            socks.append(s)
        assert select.select(socks, [], [], HANG_S)[0], "one is refused"
        assert is_alive(server)
        assert len(select.select(socks, [], [], 0)[0]) < len(socks), (
            "it answers while passwords are still computed"
        )
    got = []
    for s in socks:
        answer = b""
        while b"\r\n\r\n{" not in answer:
            answer += s.recv(65536)
        got += statuses(answer)
        assert (b"\r\nRetry-After: 5\r\n" in answer) == (got[-1] == 503), answer
        s.close()
    assert set(got) == {401, 503}


def test_the_server_accepts_the_examples_of_the_contract(server):
    """Every example body of the contract passes the server's own check (which is all that is tested here)."""
    for path, methods in OPENAPI["paths"].items():
        for method, op in methods.items():
            if "requestBody" not in op or "{" in path or not path.startswith("/v1/auth"):
                continue
            for example in op["requestBody"]["content"]["application/json"]["examples"].values():
                answer = requests.request(method, server.url + path, json=example["value"], timeout=HANG_S)
                assert answer.status_code in (200, 201, 204, 401, 403, 409, 410, 429, 503), (
                    path,
                    answer.text,
                )


def test_slow_and_idle_clients_are_cut_off(server):
    """An occasional byte does not keep a connection open: a request must arrive within 20 s, and an idle
    connection is closed after 15 s."""
    began = time.monotonic()
    drips = [socket.create_connection(("127.0.0.1", server.http_port)) for _ in range(10)]
    idle = socket.create_connection(("127.0.0.1", server.http_port))
    letters = iter(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 1000)
    open_ones = list(drips)
    while open_ones and time.monotonic() - began < HANG_S:
        letter = bytes([next(letters)])
        for s in list(open_ones):
            try:
                s.sendall(letter)
                s.settimeout(0.001)  # lapse: a poll; the loop retries
                if s.recv(1) == b"":
                    open_ones.remove(s)
            except TimeoutError:
                pass
            except OSError:
                open_ones.remove(s)
        time.sleep(0.2)
    assert not open_ones and time.monotonic() - began > 15
    idle.settimeout(HANG_S)
    assert idle.recv(1) == b""
    assert is_alive(server)
