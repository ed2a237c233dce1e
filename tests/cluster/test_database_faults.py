"""Faults of a cluster's PostgreSQL during play. Uses a different cluster from test_faults.py, so that both
files can run at the same time.

The last test leaves the cluster without a standby, which no other test requires."""

import itertools
import os
import signal

import cluster_processes
import pytest
from support.times import promised
from support.wait import HANG_S

LONG = True


def primary(here):
    return next(line.split()[0] for line in here.say("status").splitlines() if line.endswith(", primary"))


@pytest.mark.parametrize("word", ["primary", "standby"])
def test_postgresql_survives_a_kill_of_patroni(here, word):
    """PostgreSQL survives without Patroni. `heal` starts Patroni again, and it finds the running
    PostgreSQL."""
    cluster = here.cluster()
    name = cluster.primary()
    if word == "standby":
        name = next(one for one in cluster.pgs() if one != name)
    before = cluster.processes.alive(name)
    os.kill(before, signal.SIGKILL)
    cluster_processes.wait_for(f"{name} does not end", HANG_S, lambda: not cluster.processes.alive(name))
    assert cluster.pids(name), "PostgreSQL has gone with it"
    assert f"{name} was started" in here.say("heal")
    assert cluster.processes.alive(name) not in (None, before)
    cluster_processes.wait_for(
        "Patroni does not answer",
        60,
        lambda: (
            {m["state"] for m in cluster.members().values()} <= {"running", "streaming"} and cluster.primary()
        ),
    )


def test_play_continues_when_the_standby_is_lost(here):
    tables, pause = here.under_play(lambda _: here.say("kill", "standby"))
    promised("the standby lost", pause, 5)
    assert here.sound(tables) > 0
    assert "there is no synchronous standby" in here.say("status")
    here.say("heal")
    assert "synchronous standby" in here.say("status")


def test_play_continues_through_a_switchover(here):
    """As in an upgrade of PostgreSQL, one machine after the other: nothing is killed, and the pause is
    short."""
    was = primary(here)
    tables, _ = here.under_play(lambda _: here.say("switchover"))
    pauses = [after - before for table in tables for before, after in itertools.pairwise(table.acked_at)]
    promised("primary and standby changed places", max(pauses), 10)
    assert primary(here) != was
    assert here.sound(tables) > 0


def test_a_frozen_primary_does_not_return_as_primary(here):
    """When it wakes, another server is primary, so it must not trust its own state: it does not become
    primary again, and writes that the other server acknowledged remain."""
    was = primary(here)

    def fault(_):
        here.say("freeze", "primary")
        here.end_the_lock(was)

    tables, pause = here.under_play(fault)
    promised("the primary frozen", pause, 35)
    assert primary(here) != was
    more, _ = here.under_play(lambda _: here.say("heal"))
    assert primary(here) != was
    assert here.sound(tables + more) > 0


def test_play_continues_when_the_primary_is_killed(here):
    """The same players continue at the same tables without a reload, and every acknowledged move is
    kept."""
    was = primary(here)

    def fault(_):
        here.say("kill", "primary")
        here.end_the_lock(was)

    tables, pause = here.under_play(fault)
    promised("the primary killed", pause, 35)
    assert primary(here) != was
    assert here.sound(tables) > 0
