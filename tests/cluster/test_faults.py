"""Faults of a cluster's nodes, of HAProxy, and of the bus, each during play through HAProxy, in their short
form: one cluster for all of them, a few tables. After each test everything is healed. `make nightly` runs the
long form (test_sequences.py). RUMMY_CLUSTER_CROWD=1000 adds 1,000 tables that play slowly.

The tests print the pauses, which docs/reliability.md lists; the stage `times` checks their limits."""

import json
import time

import cluster_packets
import pytest
import requests
from support.times import promised
from support.wait import HANG_S

LONG = True


def taken_over(here, node):
    """Others take over its tables."""
    until = time.monotonic() + HANG_S
    while here.look("SELECT count(*) FROM tables WHERE node = %s AND state = 'playing'", node) != [(0,)]:
        assert time.monotonic() < until, here.logs()


def test_sockets_stay_open_when_haproxy_reloads_its_configuration(here):
    lines = []

    def fault(tables):
        lines.extend(table.socket for table in tables)
        here.say("reload")

    tables, _ = here.under_play(fault)
    assert [table.socket for table in tables] == lines, "a player had to reconnect"
    assert here.sound(tables) > 0


def test_only_haproxy_sets_the_client_address(here):
    answer = requests.get(
        here.front.url + "/v1/variants", headers={"X-Forwarded-For": "203.0.113.9"}, timeout=HANG_S
    )
    refused = requests.get(
        here.front.url + "/v1/me", headers={"X-Forwarded-For": "203.0.113.9"}, timeout=HANG_S
    )
    assert refused.status_code == 401, answer.text
    lines = [
        json.loads(line)
        for name in here.all["nodes"]
        for line in here.log(name).splitlines()
        if '"event":"request"' in line
    ]
    assert lines and not any("203.0.113" in line.get("network", "") for line in lines)


def test_a_socket_to_an_unknown_node_is_refused(here):
    assert requests.get(here.front.url + "/ws/n/n77/ws/tables/1", timeout=HANG_S).status_code == 503


def test_play_continues_when_a_node_is_killed(here):
    def fault(tables):
        here.say("kill", here.owner(tables[0]))

    tables, pause = here.under_play(fault)
    promised("a node killed", pause, 10)
    assert here.sound(tables) > 0
    here.say("heal")


def test_other_nodes_take_over_a_node_cut_off_from_postgresql(here):
    """It cannot write, stops serving before its lease ends, and other nodes take over its tables."""
    cut = []

    def fault(tables):
        cut.append(here.owner(tables[0]))
        here.say("cut", cut[0], "db")

    tables, pause = here.under_play(fault)
    promised("a node cut from PostgreSQL", pause, 10)
    taken_over(here, cut[0])
    assert here.sound(tables) > 0
    here.say("heal")


@pytest.mark.skipif(not cluster_packets.there(), reason="needs root and nft")
@pytest.mark.parametrize("how", ["silent", "to", "from"])
def test_other_nodes_take_over_a_node_whose_database_packets_vanish(here, how):
    """No connection is closed: the node notices by its clock, stops serving before its lease ends, and
    other nodes take over its tables."""
    cut = []

    def fault(tables):
        cut.append(here.owner(tables[0]))
        here.say("cut", cut[0], "db", how)

    tables, pause = here.under_play(fault)
    promised(f"packets between a node and PostgreSQL vanish ({how})", pause, 20)
    taken_over(here, cut[0])
    assert here.sound(tables) > 0
    here.say("heal")


def test_other_nodes_take_over_a_node_cut_off_from_its_players(here):
    """It still has PostgreSQL and its lease, but checking its address shows that no player can reach it, so
    other nodes take over its tables."""
    how = ["from"] if cluster_packets.there() else []
    cut = []

    def fault(tables):
        cut.append(here.owner(tables[0]))
        here.say("cut", cut[0], "front", *how)

    tables, pause = here.under_play(fault)
    promised("a node cut from its players", pause, 20)
    taken_over(here, cut[0])
    assert here.sound(tables) > 0
    here.say("heal")


def test_players_stay_connected_when_the_bus_is_lost(here):
    """Only freshness suffers: no player has to reconnect."""
    lines = []

    def fault(tables):
        lines.extend(table.socket for table in tables)
        here.say("kill", "nats")

    tables, _ = here.under_play(fault)
    assert [table.socket for table in tables] == lines
    assert here.sound(tables) > 0
    here.say("heal", "nats")
