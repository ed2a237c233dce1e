"""The faults of a cluster's PostgreSQL under play. The cluster is another one than that of test_faults.py, so
that both files can run at the same time.

The last test leaves the cluster without a standby, which no test waits for."""

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
def test_patroni_alone_is_killed(here, word):
    """PostgreSQL lives on without it. `heal` starts it again, and it finds the PostgreSQL that runs."""
    cluster = here.cluster()
    name = cluster.primary()
    if word == "standby":
        name = next(one for one in cluster.pgs() if one != name)
    before = cluster.processes.alive(name)
    os.kill(before, signal.SIGKILL)
    cluster_processes.wait_for(f"{name} does not end", HANG_S, lambda: not cluster.processes.alive(name))
    assert cluster.pids(name), "PostgreSQL has gone with it"
    assert f"{name} is started" in here.say("heal")
    assert cluster.processes.alive(name) not in (None, before)
    cluster_processes.wait_for(
        "Patroni does not answer",
        60,
        lambda: (
            {m["state"] for m in cluster.members().values()} <= {"running", "streaming"} and cluster.primary()
        ),
    )


def test_the_standby_is_lost(here):
    tables, pause = here.under_play(lambda _: here.say("kill", "standby"))
    promised("the standby lost", pause, 5)
    assert here.sound(tables) > 0
    assert "there is no synchronous standby" in here.say("status")
    here.say("heal")
    assert "synchronous standby" in here.say("status")


def test_primary_and_standby_change_places(here):
    """As an upgrade of PostgreSQL does it, one machine after the other: nothing is killed, and the pause is
    short."""
    was = primary(here)
    tables, _ = here.under_play(lambda _: here.say("switchover"))
    pauses = [after - before for table in tables for before, after in itertools.pairwise(table.acked_at)]
    promised("primary and standby changed places", max(pauses), 10)
    assert primary(here) != was
    assert here.sound(tables) > 0


def test_the_primary_is_frozen_and_wakes(here):
    """It wakes when another one is primary, and may believe what it likes: it does not take its place again,
    and what was acknowledged by the other one stands."""
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


def test_the_primary_is_killed(here):
    """Nobody reloads: the same players go on at the same tables, with every move that was acknowledged."""
    was = primary(here)

    def fault(_):
        here.say("kill", "primary")
        here.end_the_lock(was)

    tables, pause = here.under_play(fault)
    promised("the primary killed", pause, 35)
    assert primary(here) != was
    assert here.sound(tables) > 0
