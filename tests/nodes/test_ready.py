"""/readyz reports within 3 s that a node cannot serve, although no connection was reset: its database no
longer responds, or its clock was set. A load balancer relies only on this."""

import time

import pytest
import requests
from support.clock import WallClock
from support.cluster import SERVER
from support.metrics import wait_for
from support.table import Player
from support.times import promised
from support.wait import HANG_S
from test_silent_database import Proxy

READY_S = 3.0  # the lease, which lasts 2.5 s from the sending of its last renewal, and a poll


def ready(node):
    answer = requests.get(node.url + "/readyz", timeout=HANG_S)
    body = answer.json()
    assert (answer.status_code == 200) == (body["status"] == "ready")
    return body


def until(node, wanted, patience_s):
    """Polls until the node is (not) ready; returns the response and how long that took."""
    began = time.monotonic()
    while (body := ready(node))["status"] != wanted:
        assert time.monotonic() - began < patience_s, (body, node.log()[-2000:])
        time.sleep(0.05)
    return body, time.monotonic() - began


def check_silence(node, silence, speak):
    """Checks that the node is not ready while the database is silent, and becomes ready when the database
    responds again."""
    assert ready(node) == {
        "status": "ready",
        "database": True,
        "lease": True,
        "clock": True,
        "draining": False,
        "jobs_overdue": [],
        "lost_tables": 0,
    }
    silence()
    try:
        body, took_s = until(node, "not_ready", 60)
        assert body["lease"] is False, body
        promised("a silent database is noticed", took_s, READY_S)
        ends = time.monotonic() + 3  # lapse: it remains so
        while time.monotonic() < ends:
            assert ready(node)["status"] == "not_ready"
            time.sleep(0.1)
    finally:
        speak()
    until(node, "ready", 60)
    assert (
        requests.get(
            node.url + "/v1/rooms", headers={"Authorization": "Bearer x"}, timeout=HANG_S
        ).status_code
        == 401
    )


def test_a_frozen_database_makes_a_node_unready(own_nodes):
    (node,) = own_nodes.start("n1")
    check_silence(node, own_nodes.cluster.freeze, own_nodes.cluster.thaw)


def test_a_silent_database_connection_makes_a_node_unready(nodes, tmp_path):
    host, port = (word.partition("=")[2] for word in nodes.cluster.base.split()[:2])
    proxy = Proxy(tmp_path, host, port)
    conninfo = nodes.cluster.conninfo(nodes.database, SERVER).split()
    node = nodes.make("n1", db=" ".join([f"host={proxy.address.parent}", *conninfo[1:]])).start()
    try:
        check_silence(node, proxy.silence_all, proxy.speak)
    finally:
        proxy.close()


@pytest.fixture
def wall_clock():
    it = WallClock()
    yield it
    it.close()


@pytest.mark.parametrize("seconds", [3, -3, 5000])
def test_a_wrong_clock_makes_a_node_unready_until_it_is_corrected(nodes, wall_clock, seconds):
    nodes.env = {**nodes.env, **wall_clock.env}
    (node,) = nodes.start("n1")
    assert ready(node)["clock"] is True
    wall_clock.put(seconds)
    body, took_s = until(node, "not_ready", 60)
    assert body["clock"] is False and body["lease"] is True and body["database"] is True, body
    promised("a wrong clock is noticed", took_s, READY_S)
    apart = wait_for(node, lambda seen: seen["rummyd_node_clock_apart_milliseconds"] != 0)[
        "rummyd_node_clock_apart_milliseconds"
    ]
    assert abs(apart - 1000 * seconds) < 600
    assert node.logged('"event":"clock_apart"')
    wall_clock.put(0)
    until(node, "ready", HANG_S)
    assert node.logged('"event":"clock_in_step"')


def test_a_node_with_a_wrong_clock_hands_its_tables_to_others(nodes, wall_clock):
    plain = nodes.env
    nodes.env = {**plain, **wall_clock.env}
    (n1,) = nodes.start("n1")
    seat = Player(n1).take_seat()
    nodes.env = plain
    (n2,) = nodes.start("n2")
    for node in (n1, n2):
        wait_for(node, lambda seen: seen["rummyd_nodes"] == 2)
    wall_clock.put(7)
    deadline = time.monotonic() + HANG_S
    while nodes.look("SELECT node FROM tables WHERE id = %s", int(seat["table_id"])) != [("n2",)]:
        assert time.monotonic() < deadline, n1.log()[-2000:]
        time.sleep(0.1)
    while nodes.look("SELECT state FROM node_leases WHERE node = 'n1'") != [("unreached",)]:
        assert time.monotonic() < deadline, n1.log()[-2000:]
        time.sleep(0.05)
    assert ready(n1)["status"] == "not_ready" and ready(n2)["status"] == "ready"
    wall_clock.put(0)
    until(n1, "ready", HANG_S)
    while nodes.look("SELECT state FROM node_leases WHERE node = 'n1'") != [("ready",)]:
        assert time.monotonic() < deadline + 20, n1.log()[-2000:]
        time.sleep(0.1)
