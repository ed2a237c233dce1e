"""Hundreds of odd heads, sent raw: the guard, the library behind it, and the WebSocket port interpret them
alike. Each request gets exactly one response, immediately; the content of its body never gets one; and
after a refusal the connection is closed."""

import contextlib
import json
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from support.odd_heads import BLANKS, around, bodies, names, queries, spoilt
from support.proxies import PROXIES, proxy
from support.raw import answers, connect, until_closed
from support.wait import HANG_S
from test_smuggling_proxies import attack, traces

SHARES_SERVER = True

REFUSED = {400, 414, 431}


def traceparent(trace):
    return f"traceparent: 00-{trace}-00f067aa0ba902b7-01\r\n".encode()


def get(trace, end=False):
    return (
        b"GET /version HTTP/1.1\r\nHost: x\r\n"
        + traceparent(trace)
        + (b"Connection: close\r\n" if end else b"")
        + b"\r\n"
    )


def one_of_each(server, lines, good, make):
    """Sends a request, another one in its body, and a third after it; returns what is wrong, or None.
    make(inner) builds the bytes of the first."""
    first, inner, last = (uuid.uuid4().hex for _ in range(3))
    data = make(first, get(inner))
    with connect(server.http_port) as line:
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            line.sendall(data + get(last, end=True))
        try:
            got = answers(until_closed(line))
        except TimeoutError:
            return f"silence for {time.monotonic() - began:.1f} s"
    ids = [headers.get("x-trace-id") for _, headers, _ in got]
    if inner in ids:
        return f"its body was answered: {got}"
    if good:
        if ids != [first, last] or json.loads(got[0][2])["code"] != "bad_json" or got[1][0] != 200:
            return f"not one answer each: {[(s, b[:200]) for s, _, b in got]}"
        return None
    if len(got) != 1 or got[0][0] not in REFUSED or got[0][1].get("connection", "").lower() != "close":
        return f"not one refusal: {[(s, b[:200]) for s, _, b in got]}"
    if json.loads(got[0][2])["status"] != got[0][0]:
        return f"no problem: {got[0]}"
    return None


def latin(text):
    return text.encode("latin-1", "replace") if all(ord(c) < 256 for c in text) else text.encode()


def run(cases):
    with ThreadPoolExecutor(8) as pool:
        wrong = [(what, why) for what, why in pool.map(lambda case: (case[0], case[1]()), cases) if why]
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong[:10]}"


def test_bodies_are_framed_alike_by_all_readers(server):
    inner = get(uuid.uuid4().hex)
    cases = []
    for what, lines, data, good in bodies(inner):
        head = b"".join(latin(line) + b"\r\n" for line in lines)
        kind = (
            b""
            if any(line.lower().startswith("content-type") for line in lines)
            else b"Content-Type: application/json\r\n"
        )

        def make(first, within, head=head, data=data, kind=kind):
            return (
                b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n"
                + kind
                + traceparent(first) * (b"traceparent" not in head)
                + head
                + b"\r\n"
                + data.replace(inner, within)
            )

        cases.append((what, lambda lines=lines, good=good, make=make: one_of_each(server, lines, good, make)))
    assert len(cases) > 400
    run(cases)


def test_spaces_around_a_header_value_are_ignored(server):
    """Readers get the value without spaces, so the response with and without spaces is the same, byte for
    byte except for the trace id."""
    session = requests.post(server.url + "/v1/auth/guest", json={"nickname": "Blank"}, timeout=HANG_S).json()
    tag = requests.get(server.url + "/openapi.yaml", timeout=HANG_S).headers["ETag"]

    def ask(header, value, blanks, path="/v1/me"):
        with connect(server.http_port) as line:
            line.sendall(
                f"GET {path} HTTP/1.1\r\nHost: x{blanks}\r\n{header}:{blanks}{value}{blanks}\r\nConnection:"
                f" close{blanks}\r\n\r\n".encode()
            )
            got = answers(until_closed(line))
        assert len(got) == 1
        status, headers, body = got[0]
        return status, body if status == 200 else headers.get("etag")

    bearer = f"Bearer {session['access_token']}"
    asked = [
        ("Authorization", bearer, "/v1/me", 200),
        ("If-None-Match", tag, "/openapi.yaml", 304),
        ("X-Request-Id", "abcdefgh", "/version", 200),
        ("Accept-Encoding", "identity", "/version", 200),
    ]
    for header, value, path, status in asked:
        plain = ask(header, value, " ", path)
        assert plain[0] == status, header
        for blanks in BLANKS:
            assert ask(header, value, blanks, path) == plain, (header, blanks)


@pytest.mark.parametrize("target", ["/version", "/v1/games", "/v1/auth/login"])
def test_every_query_gets_an_answer(server, target):
    for what, query, refused in queries():
        answer = requests.get(f"{server.url}{target}?{query}", timeout=HANG_S)
        assert answer.headers["Content-Type"].startswith("application/"), what
        assert (answer.status_code == 400 and answer.json()["code"] == "too_many_parameters") == refused, (
            what,
            answer.text,
        )
        assert answer.status_code in (200, 400, 401, 405), what


def heads_of_most(server):
    """At the maximum head size, in each way that uses the library's memory."""
    room = 8192 - 400
    many = "".join(f"X-{i:02}: y\r\n" for i in range(58))
    small, large = "; ".join(f"c{i}={i}" for i in range(900))[:room], "c=" + "x" * (room - 2)
    parameters = "&".join(f"a{i}" for i in range(64))
    yield "cookies of a few bytes", f"Cookie: {small}\r\n", ""
    yield "nothing but semicolons", "Cookie: " + ";" * room + "\r\n", ""
    yield "a large cookie", f"Cookie: {large}\r\n", ""
    yield "many cookie headers", "".join(f"Cookie: {'a=b;' * 30}\r\n" for _ in range(50)), ""
    yield "many headers", many + f"X: {'z' * (room - len(many))}\r\n", ""
    yield (
        "all of it",
        many.replace("X-57", "Cookie") + f"X: {'z' * (room - len(many) - len(parameters))}\r\n",
        "?" + parameters,
    )
    yield "a long query", f"X: {'z' * (room - 2040)}\r\n", "?" + "q" * 2030


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "HEAD", "POST"])
def test_the_largest_heads_get_an_answer_on_both_ports(server, method):
    for what, lines, query in heads_of_most(server):
        for origin in ("", "Origin: http://localhost:5173\r\nAccess-Control-Request-Method: GET\r\n"):
            with connect(server.http_port) as line:
                head = f"{method} /v1/me{query} HTTP/1.1\r\nHost: x\r\n{origin}{lines}Connection: close"
                line.sendall(f"{head}\r\n\r\n".encode())
                got = until_closed(line)
            assert got.count(b"HTTP/1.1 ") == 1 and int(got.split()[1]) in (200, 204, 400, 401, 405), (
                what,
                got[:200],
            )
            assert b"X-Trace-Id" in got and b"<html>" not in got, what


# --- the WebSocket port ---

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
HANDSHAKE = {
    "Host": "x",
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Protocol": "rummy.v1, ticket.x",
}


def shake(server, headers, more="", path="/ws/lobby"):
    """All received data. The server closes the connection, because the ticket is invalid."""
    with connect(server.ws_port) as line:
        line.sendall(
            latin(
                f"GET {path} HTTP/1.1\r\n"
                + "".join(f"{name}:{value}\r\n" for name, value in headers)
                + more
                + "\r\n"
            )
        )
        got = b""
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                got += part
                if got.startswith(b"HTTP/1.1 101"):
                    return got
        return got


def told(got, statuses, what):
    """Exactly one response, one of these."""
    assert got.count(b"HTTP/1.1 ") == 1 and int(got.split()[1]) in statuses, (what, got[:300])
    if not got.startswith(b"HTTP/1.1 101"):
        status, headers, body = answers(got)[0]
        problem = json.loads(body)
        assert problem["status"] == status and problem["code"] and headers["connection"] == "close", what


def test_handshakes_are_parsed_alike(server):
    plain = [(name, " " + value) for name, value in HANDSHAKE.items()]
    good, bad = [("plain", plain)], []
    for name, value in HANDSHAKE.items():
        rest = [each for each in plain if each[0] != name]
        good += [(f"{name} {v!r}", [*rest, (name, v)]) for v in around(value)]
        good += [(f"name {form!r}", [*rest, (form, " " + value)]) for form in names(name)[0]]
        bad += [(f"name {form!r}", [*rest, (form, " " + value)]) for form in names(name)[1]]
        bad += [(f"without {name}", rest)]
        if name != "Connection":
            bad += [(f"{name} twice", [*plain, (name, " " + value)])]
        if name in ("Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Key"):
            bad += [(f"{name} {v!r}", [*rest, (name, v)]) for v in spoilt(value)]
        else:
            bad += [
                (f"{name} {v!r}", [*rest, (name, v)])
                for v in spoilt(value)
                if any(c < " " and c != "\t" or c == "\x7f" for c in v)
            ]
    assert len(good) > 300 and len(bad) > 300
    with ThreadPoolExecutor(8) as pool:
        for (what, _), got in zip(good, pool.map(lambda case: shake(server, case[1]), good), strict=True):
            told(got, {101}, what)
            assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in got and b"rummy.v1" in got, what
        for (what, _), got in zip(bad, pool.map(lambda case: shake(server, case[1]), bad), strict=True):
            told(got, {400, 404, 426}, what)


def test_both_ports_accept_the_same_heads(server):
    """Cookies and headers at the limit, and one byte, one header, or one parameter beyond it."""
    plain = [(name, " " + value) for name, value in HANDSHAKE.items()]
    base = len(
        f"GET /ws/lobby HTTP/1.1\r\n{''.join(f'{n}:{v}' + chr(13) + chr(10) for n, v in plain)}Cookie:"
        " \r\n\r\n"
    )
    for size in (100, 3000, 4000, 4100, 4200, 5000, 6000, 8000, 8191, 8192):
        told(shake(server, plain, f"Cookie: {'c' * (size - base)}\r\n"), {101}, size)
    for size in (8193, 9000, 16000, 60000):
        told(shake(server, plain, f"Cookie: {'c' * (size - base)}\r\n"), {431}, size)
    told(shake(server, plain, "".join(f"X-{i}: y\r\n" for i in range(64 - len(plain)))), {101}, "64 headers")
    told(shake(server, plain, "".join(f"X-{i}: y\r\n" for i in range(65 - len(plain)))), {431}, "65 headers")
    for what, query, refused in queries():
        told(shake(server, plain, path="/ws/lobby?" + query), {400} if refused else {101}, what)
        told(shake(server, plain, path="/ws/lobby?v=1&" + query[: len(query) // 2]), {400, 101}, what)
    told(shake(server, plain, path="/ws/lobby?" + "q" * 2000), {101}, "2,010 bytes")
    told(shake(server, plain, path="/ws/lobby?" + "q" * 2040), {414}, "2,050 bytes")
    for query in (
        "v=1&v=1",
        "v=+1",
        "v=-1",
        "v=",
        "v=1x",
        "v=%",
        "v=%3",
        "v=%zz",
        "v=%31",
        "ticket=%78",
        "v=4294967296",
        "ticket=a&ticket=a",
        "ticket=a%00",
        "ticket=" + "x" * 96,
    ):
        told(shake(server, plain, path="/ws/lobby?" + query), {400}, query)
    for query in ("v=1", "V=x", "vv=x", "utm=%41&v=0", "ticket=x"):
        told(shake(server, plain, path="/ws/lobby?" + query), {101}, query)


def test_event_streams_follow_the_same_rules(server):
    def ask(query, more=""):
        return shake(server, [("Host", " x")], more, path="/ws/events" + query)

    for query in (
        "",
        "?",
        "?ticket=",
        "?v=1",
        "?ticket=x&v=1",
        "?ticket=%",
        "?ticket=" + "x" * 200,
        "?ticket=x&ticket=y",
    ):
        told(ask(query), {400}, query)
    told(ask("?ticket=x"), {401}, "an invalid ticket")
    told(ask("?ticket=x", f"Cookie: {'c' * 7800}\r\n"), {401}, "cookies")
    told(ask("?ticket=x", f"Cookie: {'c' * 9000}\r\n"), {431}, "too many cookies")
    told(ask("?" + "&".join("a" * 500)), {400}, "parameters")
    told(ask("?ticket=x", "Origin: https://evil.example\r\n"), {403}, "an origin")
    told(ask("?ticket=" + "x" * 2100), {414}, "a long address")


# --- time ---


def test_an_incomplete_request_gets_408_after_the_timeout(server):
    """408 on both ports, and nothing on a connection without a request."""
    login = b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    halves = [
        (server.http_port, b"GET /version HTT", 408),
        (server.http_port, b"GET /version HTTP/1.1\r\nHost: x\r\nX:", 408),
        (server.ws_port, b"GET /ws/lobby HTTP/1.1\r\n", 408),
        (server.http_port, login + b"Content-Length: 5\r\n\r\n{", 408),
        (server.http_port, login + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", 408),
        (server.http_port, b"", None), (server.ws_port, b"", None),
    ]  # fmt: skip

    def ask(half):
        port, data, _ = half
        with connect(port) as line:
            line.settimeout(HANG_S)
            line.sendall(data)
            return until_closed(line)

    with ThreadPoolExecutor(len(halves)) as pool:
        for (_, data, status), got in zip(halves, pool.map(ask, halves), strict=True):
            if status is None:
                assert got == b""
            else:
                told(got, {status}, data)
                assert json.loads(answers(got)[0][2])["code"] == "request_timeout"


# --- proxies ---


@pytest.mark.parametrize("name", PROXIES)
def test_proxied_requests_get_only_their_own_answers(server, tmp_path, name):
    """Odd bodies through each proxy. A request that every parser reads as one request gets one response. A
    proxy may read others as two requests, both of which belong to the sender. Another client's request on
    the same connection to the server gets its own response."""
    inner = get(uuid.uuid4().hex)
    cases, through = list(bodies(inner))[::5], 0
    with proxy(name, server, tmp_path) as port:
        for what, lines, data, good in cases:
            first, within = uuid.uuid4().hex, uuid.uuid4().hex
            head = b"".join(latin(line) + b"\r\n" for line in lines)
            request = (
                b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\n"
                + traceparent(first) * (b"traceparent" not in head)
                + head
                + b"\r\n"
                + data.replace(inner, get(within))
            )
            got = attack(port, request)
            seen = traces(got)
            assert len(seen) == len(set(seen)) <= 2, (what, got)
            assert not good or (got.startswith(b"HTTP/1.1 ") and seen in ([first.encode()], [])), (
                what,
                got,
            )  # some proxies themselves refuse a tab
            through += seen == [first.encode()]
            mine = uuid.uuid4().hex
            for _ in range(3):
                answer = requests.get(
                    f"http://127.0.0.1:{port}/version",
                    headers={"traceparent": f"00-{mine}-00f067aa0ba902b7-01"},
                    timeout=HANG_S,
                )
                if answer.status_code < 500:
                    break
            assert answer.headers["X-Trace-Id"] == mine, what
    assert through > 20
