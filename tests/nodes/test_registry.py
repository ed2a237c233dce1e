"""What nodes report about themselves, who sees it, and which configurations fail at startup."""

import re
import time

import pytest
import requests
from support.clock import WallClock
from support.keys import make_key
from support.metrics import wait_for
from support.wait import HANG_S


def registry(nodes, server):
    key = make_key(nodes.cluster.conninfo(nodes.database), "support")
    answer = requests.get(
        server.url + "/v1/admin/nodes", headers={"Authorization": f"Bearer {key}"}, timeout=HANG_S
    )
    assert answer.status_code == 200, answer.text
    return {node["name"]: node for node in answer.json()["nodes"]}


def refused(server):
    """Starts the server, which must fail, and returns its error line."""
    server.start(wait=False)
    assert server.process.wait(HANG_S) == 1, server.log()
    return [line for line in server.log().splitlines() if line.startswith("rummyd: ")][-1]


def test_every_node_sees_all_nodes(nodes, player):
    n1, n2 = nodes.start("n1", "n2", table_max=40)
    player(n1).take_seat()
    for server in (n1, n2):
        wait_for(
            server,
            lambda seen: seen["rummyd_nodes"] == 2 and seen["rummyd_node_lease_age_milliseconds"] < 2500,
        )
    seen = registry(nodes, n1)
    assert set(seen) == {"n1", "n2"}
    for name, server in (("n1", n1), ("n2", n2)):
        node = seen[name]
        assert node["ws_url"] == f"ws://localhost:{server.ws_port}" and node["table_max"] == 40
        assert node["alive"] and node["state"] == "ready" and node["age_ms"] < 3000
    assert seen["n1"]["epoch"] != seen["n2"]["epoch"]
    assert sum(node["tables"] for node in seen.values()) == 1
    assert set(registry(nodes, n2)) == set(seen), "whichever node replies"
    may = f"connect-src 'self' ws://localhost:{n1.ws_port} ws://localhost:{n2.ws_port};"
    assert may in requests.get(n1.url + "/docs", timeout=HANG_S).headers["Content-Security-Policy"], (
        "its page may go to both"
    )


def test_a_dead_node_is_shown_as_not_alive(nodes):
    n1, n2 = nodes.start("n1", "n2")
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    n2.kill()
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 1)
    node = registry(nodes, n1)["n2"]
    assert not node["alive"] and node["age_ms"] >= 3000


def test_two_live_nodes_with_one_name_are_refused(nodes):
    nodes.start("n1")
    assert refused(nodes.make("n1")) == 'rummyd: node: another rummyd is running as "n1" on this database'


def test_two_live_nodes_with_one_address_are_refused(nodes):
    (n1,) = nodes.start("n1")
    said = refused(nodes.make("n2", ws_url=f"ws://localhost:{n1.ws_port}"))
    assert said.startswith('rummyd: ws_url: the running node "n1" has the same'), said


def test_an_unreachable_address_is_refused_if_other_nodes_run(nodes):
    """A single node starts, because no other node redirects players to it."""
    nowhere = "ws://localhost:1"
    nodes.make("n1", ws_url=nowhere).start().stop()
    nodes.start("n1")
    said = refused(nodes.make("n2", ws_url=nowhere))
    assert re.fullmatch(
        rf"rummyd: ws_url: no response from {nowhere}, where clients connect: Could(n't| not) connect to"
        r" server",
        said,
    ), said  # libcurl's wording
    nodes.make("n2", ws_url=nowhere, ws_url_check="off").start()


def test_the_address_of_a_dead_node_is_free_at_once(nodes):
    (n1,) = nodes.start("n1")
    n1.kill()
    nodes.start("n2", ws_url=f"ws://localhost:{n1.ws_port}")


def test_a_version_incompatible_with_a_live_node_is_refused(nodes):
    """The other one is fake: a row that reports itself alive every 0.5 s."""
    nodes.look("INSERT INTO nodes (name, epoch) VALUES ('old', 900)")
    nodes.look("INSERT INTO node_leases (node, epoch, state, version) VALUES ('old', 900, 'ready', '7.0.0')")
    server = nodes.make("n1").start(wait=False)
    connection = nodes.cluster.connect(nodes.database)
    until = time.monotonic() + HANG_S
    while server.process.poll() is None and time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE node_leases SET renewals = renewals + 1, alive_at = now() WHERE node = 'old'"
            )
        time.sleep(0.5)
    connection.close()
    assert server.process.poll() == 1
    assert server.logged('version: the running node "old" has 7.0.0, which is incompatible with')


def test_a_database_migrated_by_another_version_is_refused(nodes):
    nodes.look("UPDATE schema_state SET code = '\\x00'")
    server = nodes.make("n1")
    server.dev = False
    server.options["origins"] = "http://localhost"
    assert "run `rummyd migrate` first" in refused(server)


@pytest.mark.parametrize(("seconds", "said"), [(5, "ahead of"), (-5, "behind")])
def test_a_clock_that_differs_from_the_database_s_is_refused(nodes, seconds, said):
    clock = WallClock()
    try:
        server = nodes.make("n1")
        server.env = {**server.env, **clock.env}
        clock.put(seconds)
        assert re.fullmatch(
            rf"rummyd: node: the clock of this machine is [45]\d\d\d ms {said} PostgreSQL's; set both by NTP",
            refused(server),
        )
        clock.put(0)
        server.start()
    finally:
        clock.close()
