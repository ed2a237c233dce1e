"""A rolling restart of the only node under load: SIGTERM, the next process, and everyone continues as if
nothing had happened.

The load generator plays (mode crash): it records every frame, requests known events again when it reconnects,
and names whatever is different, missing, or lost. RUMMY_ROLLING_TABLES tables of four (default 24) and
RUMMY_ROLLING_RESTARTS (default 2)."""

import collections
import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import time

import pytest
from support.after import metric, resident_kib
from support.cluster import BUILD
from support.times import promised

TABLES = int(os.environ.get("RUMMY_ROLLING_TABLES", "24"))
RESTARTS = int(os.environ.get("RUMMY_ROLLING_RESTARTS", "2"))
SEATS = 4
SOCKETS = TABLES * SEATS
STOP_MAX_S = 10
WAIT_S = 120  # for steps that take long only on a busy machine
# Interval between moves at a table: a load that 2 cores can handle in addition to PostgreSQL and the
# generator.
THINK_MS = max(50, TABLES)


@pytest.fixture
def options():
    """The generator signs its tickets with the server's secret, which it reads from its environment."""
    env = {**os.environ, "RUMMYD_JWT_SECRET": secrets.token_hex(32)}
    return {"env": env, "socket_max": 2 * SOCKETS + 64, "table_max": TABLES + 64, "seed_wait_ms": 500}


@contextlib.contextmanager
def played_on(server, log):
    """Runs the load generator until the block ends, then lets it complete pending work."""
    command = [
        BUILD / "tableload",
        "--mode",
        "crash",
        "--via",
        "sql",
        "--db",
        server.owner_db,
        "--ws",
        f"127.0.0.1:{server.ws_port}",
        "--tables",
        TABLES,
        "--think-ms",
        THINK_MS,
        "--seconds",
        600,
        "--warmup",
        0,
        "--log",
        log,
    ]
    load = subprocess.Popen(
        [str(word) for word in command],
        env=server.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield load
    finally:
        load.kill()
        load.communicate()


def wait_until(condition, what, load):
    until = time.monotonic() + WAIT_S
    while not condition():
        assert load.poll() is None, load.communicate()
        assert time.monotonic() < until, what()
        time.sleep(0.05)


def all_are_there_and_play(server, load):
    """Waits until every seat has its socket, and each table has moved twice more on average."""
    wait_until(
        lambda: metric(server, "rummyd_ws_connections") == SOCKETS,
        lambda: metric(server, "rummyd_ws_connections"),
        load,
    )
    enough = metric(server, "rummyd_moves_total") + 2 * TABLES
    wait_until(
        lambda: metric(server, "rummyd_moves_total") >= enough,
        lambda: metric(server, "rummyd_moves_total"),
        load,
    )


def restart(server):
    """(seconds until the process has ended, seconds until the next one serves all tables)"""
    began = time.monotonic()
    assert server.stop() == 0
    stopped = time.monotonic()
    promised("a stop under load", stopped - began, STOP_MAX_S)
    said = len(server.log())
    server.start()
    ready = time.monotonic()
    server.promises.kib = resident_kib(server)  # includes all its tables, which stay in memory
    taken = re.search(r'"tables_taken_over".*?"tables":(\d+),"left_out":(\d+)', server.log()[said:])
    assert taken and taken.groups() == (str(TABLES), "0"), server.log()[said:][:2000]
    return stopped - began, ready - stopped


def lines_of(log):
    """The generator's records: (what, table, seat, v, the rest)."""
    for line in log.read_text().splitlines():
        what, table, seat, v, rest = line.split(" ", 4)
        yield what, int(table), int(seat), int(v), rest


def test_games_continue_across_rolling_restarts(table_server, tmp_path):
    server, log = table_server, tmp_path / "played"
    times = []
    with played_on(server, log) as load:
        for _ in range(RESTARTS):
            all_are_there_and_play(server, load)
            times.append(restart(server))
        all_are_there_and_play(server, load)
        load.send_signal(signal.SIGTERM)
        said, errors = load.communicate(timeout=WAIT_S)
    result = json.loads(said)
    assert (load.returncode, result["flaws"]) == (0, dict.fromkeys(result["flaws"], 0)), errors
    assert "drain_timed_out" not in server.log()
    acked, told = {}, collections.Counter()
    for what, table, seat, v, rest in lines_of(log):
        if what == "A":
            acked[table, seat, rest] = v
        elif what == "X" and rest == "4001":
            told[table, seat] += 1
    assert len(told) == SOCKETS and min(told.values()) >= RESTARTS, "each socket was notified of each restart"
    journal = server.promises.look("SELECT table_id, seat, command, v FROM journal WHERE command <> ''")
    written = {(table, seat, command): v for table, seat, command, v in journal}
    lost = {move: v for move, v in acked.items() if written.get(move) != v}
    assert not lost and len(acked) > RESTARTS * TABLES
    slowest = [max(each) for each in zip(*times, strict=True)]
    print(
        f"\n{RESTARTS} restarts under {TABLES} tables with {SOCKETS} sockets: {len(acked)} moves"
        f" acknowledged, none lost; {result['reconnects']} times a socket came back; ended after"
        f" {slowest[0]:.2f} s at most, the next one ready in {slowest[1]:.2f} s"
    )
