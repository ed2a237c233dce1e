"""The durable prototype meets the load generator's requirements for a server, writes each move to disk, and
sends no less than rummyd does. Otherwise it would not be a valid baseline."""

import contextlib
import json
import socket
import subprocess
import time

import psycopg2
import pytest
from support.cluster import BUILD
from support.server import free_port
from support.wait import HANG_S

TABLES, START_MAX_S, RUN_MAX_S = 4, 20, 60


@pytest.fixture
def prototype(cluster, tmp_path):
    """(port, seats file, conninfo) of a running prototype, which must exit cleanly."""
    name, port = cluster.new_database(migrated=False), free_port()
    process = subprocess.Popen([BUILD / "prototype", str(port), str(TABLES), cluster.conninfo(name)])
    until = time.monotonic() + START_MAX_S
    while time.monotonic() < until:
        # lapse: the loop retries
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            break
        assert process.poll() is None
        time.sleep(0.02)
    seats = tmp_path / "seats"
    seats.write_text(
        "".join(f"{table} {seat} {table}.{seat}\n" for table in range(1, TABLES + 1) for seat in range(4))
    )
    yield port, seats, cluster.conninfo(name)
    process.terminate()
    assert process.wait(timeout=HANG_S) == 0
    cluster.drop_database(name)


def load(*options):
    done = subprocess.run(
        [
            BUILD / "tableload",
            "--mode",
            "closed",
            "--tables",
            str(TABLES),
            "--seconds",
            "3",
            *map(str, options),
        ],
        capture_output=True,
        text=True,
        timeout=RUN_MAX_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert not any(result["flaws"].values()), result["flaws"]
    return result


def test_each_move_is_stored_as_a_row(prototype):
    port, seats, conninfo = prototype
    result = load("--via", "file", "--seats-file", seats, "--ws", f"127.0.0.1:{port}", "--warmup", 0)
    with contextlib.closing(psycopg2.connect(conninfo)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*), count(DISTINCT command) FROM relay WHERE table_id = 1")
        rows, commands = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM relay")
        assert cursor.fetchone()[0] >= result["moves"] > 4 * 52, "and the stock was renewed at least once"
    assert rows == commands > 52


def test_sends_at_least_as_much_as_rummyd(prototype, server):
    port, seats, _ = prototype
    least = load("--via", "file", "--seats-file", seats, "--ws", f"127.0.0.1:{port}", "--warmup", 1)
    rest = ("--via", "rest", "--ws", f"127.0.0.1:{server.ws_port}", "--http", f"127.0.0.1:{server.http_port}")
    # On a busy machine games begin late, and few tables end early.
    ours = next(
        result for warmup in (1, 2, 3, 4, 6) if (result := load(*rest, "--warmup", warmup))["moves"] > TABLES
    )
    for what in (
        "frames_in",
        "bytes_in",
    ):  # the number of hands that end in this time, each with a long frame, is random
        assert least[what] / least["moves"] == pytest.approx(ours[what] / ours["moves"], rel=0.15), what
