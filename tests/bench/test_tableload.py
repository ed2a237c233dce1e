"""The load generator against a fake server: it must keep playing while the server keeps its guarantees, and
report each guarantee that the server breaks."""

import asyncio
import json

import pytest
from fake_server import FakeServer
from support.cluster import BUILD

TABLELOAD = BUILD / "tableload"
RUN_MAX_S = 60


async def load(server, tmp_path, *options):
    listener = await server.serve()
    port = listener.sockets[0].getsockname()[1]
    seats = server.seats_file(tmp_path / "seats")
    process = await asyncio.create_subprocess_exec(
        TABLELOAD,
        "--via",
        "file",
        "--seats-file",
        seats,
        "--ws",
        f"127.0.0.1:{port}",
        "--warmup",
        "0",
        "--seconds",
        "1",
        *map(str, options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), RUN_MAX_S)
    listener.close()
    await listener.wait_closed()
    return process.returncode, json.loads(out), err.decode()


def run(server, tmp_path, *options):
    code, result, err = asyncio.run(load(server, tmp_path, *options))
    flaws = {name for name, n in result["flaws"].items() if n}
    return code, result, flaws, err


def test_closed_loop_reports_no_flaws_of_an_honest_server(tmp_path):
    code, result, flaws, err = run(FakeServer(tables=4), tmp_path, "--tables", 4)
    assert (code, flaws) == (0, set()), err
    assert result["moves"] > 100
    assert result["seen_us"]["n"] == result["moves"]
    assert result["seen_us"]["p50"] > 0


def test_open_loop_keeps_its_rate(tmp_path):
    """A closed loop makes thousands of moves in that time; a busy machine may still have pending ones at the
    end."""
    code, result, flaws, err = run(
        FakeServer(tables=4), tmp_path, "--tables", 4, "--mode", "open", "--rate", 100, "--seconds", 2
    )
    assert (code, flaws) == (0, set()), err
    assert 100 < result["moves"] <= 201


def test_open_loop_charges_a_stall_to_every_move_that_was_due(tmp_path):
    server = FakeServer(tables=4, after=50, stall_s=0.5)
    code, result, flaws, err = run(
        server, tmp_path, "--tables", 4, "--mode", "open", "--rate", 200, "--seconds", 2
    )
    assert (code, flaws) == (0, set()), err
    assert result["seen_us"]["p90"] > 150_000, result["seen_us"]


def test_continues_at_a_spare_table_when_a_game_ends(tmp_path):
    server = FakeServer(tables=8, game_length=40)
    code, result, flaws, err = run(server, tmp_path, "--tables", 4, "--spares", 4, "--seconds", 2)
    assert (code, flaws) == (0, set()), err
    assert result["games"] == 8


def test_ends_after_the_given_number_of_games(tmp_path):
    server = FakeServer(tables=4, game_length=40)
    code, result, flaws, err = run(server, tmp_path, "--tables", 4, "--games", 4, "--seconds", 30)
    assert (code, flaws) == (0, set()), err
    assert result["games"] == 4
    assert result["seconds"] < 30, "it did not run to its time"


def test_idle_sends_nothing(tmp_path):
    server = FakeServer(tables=4)
    code, result, flaws, err = run(server, tmp_path, "--tables", 4, "--mode", "idle")
    assert (code, flaws, result["moves"]) == (0, set(), 0), err
    assert server.commands == 0


def test_storm_reconnects_every_socket(tmp_path):
    code, result, flaws, err = run(FakeServer(tables=4), tmp_path, "--tables", 4, "--mode", "storm")
    assert (code, flaws) == (0, set()), err
    assert result["reconnects"] == 16
    assert result["storm_s"] > 0


def test_crash_mode_reconnects_and_logs_everything(tmp_path):
    log = tmp_path / "log"
    server = FakeServer(tables=4, cut_every=40)
    code, result, flaws, err = run(
        server, tmp_path, "--tables", 4, "--mode", "crash", "--log", log, "--seconds", 2
    )
    assert (code, flaws) == (0, set()), err
    assert result["reconnects"] > 0
    lines = log.read_text().splitlines()
    assert {line[0] for line in lines} >= set("CASEX")
    acked = [line.split() for line in lines if line.startswith("A ")]
    seen = {tuple(line.split()[1:4]) for line in lines if line[0] in "ES"}
    assert acked and all(tuple(line[1:4]) in seen for line in acked)


@pytest.mark.parametrize(
    ("fault", "flaw"),
    [
        ("gap", "gap"),
        ("repeat", "repeat"),
        ("leak", "leak"),
        ("differs", "differs"),
        ("cards", "cards"),
        ("ack_early", "ack_early"),
        ("nack", "nack"),
    ],
)
def test_names_the_broken_promise(tmp_path, fault, flaw):
    code, _, flaws, err = run(FakeServer(tables=1, fault=fault), tmp_path, "--tables", 1)
    assert code == 1
    assert flaw in flaws, (flaws, err)


def test_detects_lost_acknowledged_moves(tmp_path):
    server = FakeServer(tables=1, fault="ack_lost", after=60, cut_every=40)
    code, _, flaws, err = run(server, tmp_path, "--tables", 1, "--mode", "crash", "--seconds", 2)
    assert code == 1
    assert "lost" in flaws, (flaws, err)


def test_counts_moves_that_are_never_answered(tmp_path):
    code, result, _, err = run(FakeServer(tables=1, fault="silent"), tmp_path, "--tables", 1, "--seconds", 11)
    assert code == 1, err
    assert result["stuck"] >= 1


@pytest.mark.parametrize(
    "address", ["10.0.0.1:80", "example.com:80", "127.0.0.1", "127.0.0.1:0", "1.27.0.1:80"]
)
def test_refuses_other_machines(tmp_path, address):
    async def attempt():
        process = await asyncio.create_subprocess_exec(
            TABLELOAD, "--ws", address, stderr=asyncio.subprocess.DEVNULL
        )
        return await process.wait()

    assert asyncio.run(attempt()) == 2
