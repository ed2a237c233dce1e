"""Ambiguous requests, which two readers could interpret differently, get a named error, and the connection
closes: nothing behind them is read."""

import contextlib
import json
import re
import threading
import time

import pytest
import requests
from support.attacks import ATTACKS, CHUNKED, GET, HOST, INNER, JSON, LOGIN
from support.raw import answers, connect, until_closed
from support.wait import HANG_S


def talk(server, *pieces, pause=0.05):
    """Sends the pieces one after another; returns everything received until the server closes the
    connection, as it must."""
    with connect(server.http_port, timeout=HANG_S) as line:
        with contextlib.suppress(ConnectionError):
            for i, piece in enumerate(pieces):
                if i:
                    time.sleep(pause)  # lapse: the pieces arrive apart
                line.sendall(piece)
        return until_closed(line)


def counted(server, name):
    metrics = requests.get(server.url + "/metrics", timeout=HANG_S).text
    return sum(int(n) for n in re.findall(rf"^{name}(?:{{.*}})? (\d+)$", metrics, re.M))


def expect_refusal(answer, code, fault):
    status, headers, body = answer
    assert (
        status == (431 if code == "head_too_large" else 400)
        and headers["content-type"] == "application/problem+json"
    )
    assert headers["connection"].lower() == "close"
    problem = json.loads(body)
    assert problem["code"] == code and problem["trace_id"] == headers["x-trace-id"]
    assert [(e["header"], e["code"]) for e in problem.get("errors", [])] == ([fault] if fault else [])


@pytest.mark.parametrize("name", ATTACKS)
def test_each_attack_is_refused_with_its_code(server, name):
    data, code, fault = ATTACKS[name]
    got = answers(talk(server, data))
    assert len(got) == 1, got
    expect_refusal(got[0], code, fault)


@pytest.mark.parametrize("name", ATTACKS)
def test_requests_before_an_attack_are_answered_and_none_after_it(server, name):
    """The attack follows other requests on one connection, in one piece and in several."""
    data, code, fault = ATTACKS[name]
    before = b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
    for n, pieces in (
        (2, (before + before + data + before,)),
        (1, (before, data, before)),
        (1, (before + data[:20], data[20:] + before)),
    ):
        got = answers(talk(server, *pieces, pause=0.01))
        assert [status for status, _, _ in got[:-1]] == [200] * n, got
        expect_refusal(got[-1], code, fault)


def test_an_attack_is_refused_however_it_is_split(server):
    """All attacks at the same time, byte by byte, on 90 connections."""
    lines = {}
    for name, (data, _, _) in ATTACKS.items():
        if len(data) < 400:
            lines[name] = connect(server.http_port)
    began = time.monotonic()
    for i in range(max(len(ATTACKS[name][0]) for name in lines)):
        for name, line in lines.items():
            with contextlib.suppress(ConnectionError):  # the server has already closed it
                line.send(ATTACKS[name][0][i : i + 1])
        if time.monotonic() - began < 2:  # requests may last 20 s
            time.sleep(0.002)  # lapse: the pieces arrive apart
    for name, line in lines.items():
        got = until_closed(line)
        line.close()
        for answer in answers(got):
            expect_refusal(answer, *ATTACKS[name][1:])


def test_a_valid_request_is_answered_however_it_is_split(server):
    body = b'{"email":"nobody@example.org","password":1}'
    good = [
        (GET + HOST + b"\r\n", 200),
        (LOGIN + b"Content-Length: %d\r\n\r\n" % len(body) + body, 422),
        (
            CHUNKED
            + b"%x\r\n" % 10
            + body[:10]
            + b"\r\n%X\r\n" % (len(body) - 10)
            + body[10:]
            + b"\r\n0\r\n\r\n",
            422,
        ),
        (CHUNKED + b"".join(b"0001\r\n%c\r\n" % c for c in body) + b"000\r\n\r\n", 422),
        (b"GET /healthz HTTP/1.0\r\n\r\n", 200),
    ]
    for data, status in good:
        for cut in sorted({*range(1, len(data), 7), len(data) - 1, len(data) - 2, len(data) - 3}):
            with connect(server.http_port, timeout=HANG_S) as line:
                line.sendall(data[:cut])
                time.sleep(0.001)  # lapse: the pieces arrive apart
                line.sendall(data[cut:])
                assert int(line.recv(65536).split()[1]) == status, (data, cut)


def test_thousands_of_requests_in_one_piece_are_answered_in_order(server):
    """More than the daemon and the guard can hold at once, with heads cut wherever their memory ends."""
    ids = [f"{i + 1:032x}" for i in range(3001)]
    one = "GET /version HTTP/1.1\r\nHost: x\r\ntraceparent: 00-{}-00f067aa0ba902b7-01\r\n{}\r\n"
    more = ["", *(f"X: {'y' * (i % 700)}\r\n" for i in range(2999)), "Connection: close\r\n"]
    data = "".join(map(one.format, ids, more)).encode()
    with connect(server.http_port, timeout=HANG_S) as line:
        threading.Thread(target=line.sendall, args=(data,), daemon=True).start()
        got = until_closed(line)
    assert [headers["x-trace-id"] for _, headers, _ in answers(got)] == ids


def test_a_request_inside_a_body_is_never_answered(server):
    """Whether the outer request is read or refused, the inner one never gets its own response."""
    plain = b"Content-Length: %d\r\n\r\n" % len(INNER)
    chunks = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(INNER) + INNER + b"\r\n0\r\n\r\n"
    for head in (
        LOGIN,
        GET + HOST,
        b"POST /v1/none HTTP/1.1\r\n" + HOST + JSON,
        b"POST /v1/me HTTP/1.1\r\n" + HOST,
        b"DELETE /v1/auth/login HTTP/1.1\r\n" + HOST,
    ):
        for data in (
            head + b"Connection: close\r\n" + plain + INNER,
            head + b"Connection: close\r\n" + chunks,
        ):
            got = answers(talk(server, data))
            assert len(got) == 1 and got[0][0] in (400, 404, 405, 422), got


def test_a_body_with_a_bad_chunk_at_the_end_does_nothing(server, sql):
    """The body was already complete JSON when the chunks became invalid."""
    body = b'{"nickname":"Smuggled"}'
    head = b"POST /v1/auth/guest HTTP/1.1\r\n" + HOST + JSON + b"Transfer-Encoding: chunked\r\n\r\n"
    before = sql("SELECT count(*) FROM players")
    for pieces in (
        (head + b"%x\r\n" % len(body) + body + b"\r\n0\r\nX: y\r\n\r\n",),
        (head, b"%x\r\n" % len(body) + body, b"\n0\r\n\r\n"),
    ):
        got = answers(talk(server, *pieces))
        assert len(got) == 1
        expect_refusal(got[0], "bad_chunks", None)
    assert sql("SELECT count(*) FROM players") == before


def test_each_malformed_request_is_counted(server):
    before = counted(server, "rummyd_http_malformed_total")
    talk(server, ATTACKS["two hosts"][0])
    talk(server, ATTACKS["a trailer"][0])
    assert counted(server, "rummyd_http_malformed_total") == before + 2
