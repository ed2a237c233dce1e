"""The database disappears and returns; the server is stopped during requests."""

import concurrent.futures
import itertools
import signal
import socket
import time

import pytest
import requests
from support.cluster import ROOT
from support.contract import Client
from support.metrics import Metrics, wait_for
from support.times import promised
from support.wait import HANG_S


@pytest.fixture
def cut(cluster):
    """Disconnects a database from its server, or reconnects it."""

    def cut_off(name, away):
        cluster.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {'false' if away else 'true'}")
        if away:
            cluster.run(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND"
                " backend_type = 'client backend'"
            )

    return cut_off


def until(what, seconds=HANG_S):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_lost_database_gives_503_until_it_returns(new_server, cut):
    server = new_server(rate_limits="off", web_dir=ROOT / "web/dist")
    guest = Client(server).guest()
    cut(server.database, True)
    until(lambda: guest.call("GET", "/readyz").status_code == 503)
    for method, path, body in (
        ("GET", "/v1/me", None),
        ("GET", "/v1/rooms", None),
        ("PATCH", "/v1/me", {"nickname": "Zoe"}),
        ("POST", "/v1/auth/guest", {"nickname": "Zoe"}),
    ):
        refused = guest.call(method, path, body, status=503)
        if (
            body and refused.json()["code"] == "outcome_unknown"
        ):  # sent on a connection whose loss had not been noticed yet
            refused = guest.call(method, path, body, status=503)
        assert refused.json()["code"] == "unavailable" and int(refused.headers["Retry-After"]) >= 1
    until(lambda: guest.get("/readyz", status=503)["lease"] is False)
    assert guest.get("/readyz", status=503) == {
        "status": "not_ready",
        "database": False,
        "lease": False,
        "clock": True,
        "draining": False,
        "jobs_overdue": [],
        "lost_tables": 0,
    }
    guest.get("/healthz")
    guest.get("/version")
    page = requests.get(server.url + "/players/1", timeout=HANG_S)  # its head would normally name the player
    assert page.status_code == 200 and "<title>Rummy 51</title>" in page.text
    sitemap = requests.get(server.url + "/sitemap.xml", timeout=HANG_S)
    assert sitemap.status_code == 503 and int(sitemap.headers["Retry-After"]) >= 1, "a crawler comes back"
    cut(server.database, False)
    until(lambda: guest.call("GET", "/readyz").status_code == 200)
    assert requests.get(server.url + "/sitemap.xml", timeout=HANG_S).status_code == 200
    assert guest.get("/v1/me") == guest.player
    guest.take_seat(status=201)
    assert server.stop() == 0


def test_nothing_hangs_when_connections_are_cut_under_load(new_server, cluster):
    server = new_server(rate_limits="off")
    guest = Client(server).guest()
    stop = time.monotonic() + 4  # lapse: longer than the losses below

    def ask(n):
        mine, seen = Client(server), set()
        mine.token = guest.token
        while time.monotonic() < stop:
            answer = mine.call(*(("GET", "/v1/me") if n % 2 else ("PATCH", "/v1/me", {"avatar": "fox"})))
            seen.add((answer.status_code, answer.json().get("code")))
            time.sleep(0.01)  # lapse: others send requests meanwhile
        return seen

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(ask, n) for n in range(8)]
        for _ in range(5):
            time.sleep(0.6)  # lapse: requests run between two outages
            cluster.run(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{server.database}'"
                " AND backend_type = 'client backend'"
            )
        seen = set().union(*(run.result(timeout=HANG_S) for run in runs))
    assert seen <= {(200, None), (503, "unavailable"), (503, "outcome_unknown"), (503, "busy")}, seen
    assert (200, None) in seen
    until(lambda: guest.call("GET", "/readyz").status_code == 200)
    assert server.stop() == 0


def test_a_stopping_server_answers_running_requests(new_server):
    server = new_server(rate_limits="off")
    login = {"email": "nobody@example.org", "password": "wrong horse"}
    before = Metrics(server)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        asked = [
            pool.submit(requests.post, server.url + "/v1/auth/login", json=login, timeout=HANG_S)
            for _ in range(12)
        ]
        looks, name = itertools.count(1), "rummyd_http_connections_total"
        # each poll of the metrics opens one, too
        wait_for(server, lambda seen: seen[name] - before[name] >= 12 + next(looks))
        idle = [socket.create_connection(("127.0.0.1", server.http_port)) for _ in range(20)]
        half = socket.create_connection(("127.0.0.1", server.http_port))
        half.sendall(b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Le")
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        answers = [a.result(timeout=HANG_S).status_code for a in asked]
        assert server.process.wait(timeout=HANG_S) == 0
        promised("a stop that answers what is running", time.monotonic() - began, 10)
    assert set(answers) <= {401, 429, 503} and answers.count(503) < 12
    for s in (*idle, half):
        s.close()


def test_a_stopping_server_gives_no_seats(new_server):
    """There is little time between the signal and the exit, and every response in it must be correct."""
    server = new_server(rate_limits="off")
    guest = Client(server).guest()
    guest.take_seat(status=201)
    server.process.send_signal(signal.SIGTERM)
    seen = set()
    try:
        while True:
            answer = guest.take_seat("desert")
            seen.add((answer.status_code, answer.json().get("code")))
    except requests.RequestException:
        pass
    assert seen <= {
        (201, None),
        (503, "draining"),
        (503, "unavailable"),
        (503, "outcome_unknown"),
        (409, "no_funds"),
        (409, "too_many_tables"),
    }
    assert server.process.wait(timeout=HANG_S) == 0


def test_a_port_in_use_is_reported_in_one_sentence(new_server, server):
    second = new_server(start=False, http_port=server.http_port)
    second.start(wait=False)
    assert second.process.wait(timeout=HANG_S) == 1
    said = [line for line in second.log().splitlines() if not line.startswith("{")]
    assert len(said) == 1 and f"port {server.http_port}" in said[0], said


def test_requests_in_the_first_second_are_served(new_server):
    """The port is open before the database connections are, so fast clients wait for them."""
    server = new_server(start=False, rate_limits="off", rest_loops="3")
    server.start(wait=False)
    statuses = []
    end = time.monotonic() + HANG_S
    while len(statuses) < 20:
        try:
            statuses.append(requests.post(server.url + "/v1/auth/guest", json={}, timeout=HANG_S).status_code)
        except requests.ConnectionError:
            assert time.monotonic() < end, server.log()[-2000:]
    assert statuses == [200] * 20


def test_several_loops_serve_one_port(new_server):
    server = new_server(rate_limits="off", rest_loops="3")
    guests = [Client(server).guest() for _ in range(12)]
    for guest in guests:
        assert guest.get("/v1/me") == guest.player
    second = new_server(start=False, http_port=server.http_port)
    second.start(wait=False)
    assert second.process.wait(timeout=HANG_S) == 1
    assert server.stop() == 0
