"""bench/game at its smallest: whole games on a real server, and plausible figures."""

import os
import subprocess
import sys

from support.cluster import BUILD, ROOT

RUN_MAX_S = 240


def figures(*options):
    """The rows it prints: name -> cells."""
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "game", *options],
        env={**os.environ, "BUILD": str(BUILD)},
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        timeout=RUN_MAX_S,
    )
    assert done.returncode == 0, done.stdout
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    return {name: [float(cell.replace(",", "")) for cell in cells if cell] for name, *cells in lines[2:]}


def test_plays_whole_games_and_reports_their_cost():
    """Once against itself, so that both sides and the ratio are printed."""
    rows = figures("--tables", "8", "--rounds", "1", "--against", str(ROOT))
    assert rows["moves of a game"] == [100, 100]
    for name in (
        "four seats: PostgreSQL",
        "start, moves, settlement: server",
        "wallet and profile of the four: server",
    ):
        old, new, ratio = rows[name]
        assert 0 < old < 1000 and 0 < new < 1000, (name, rows[name])
    old, new, ratio = rows["a game: both"]
    parts = [
        sum(row[side] for name, row in rows.items() if name in ("a game: PostgreSQL", "a game: server"))
        for side in (0, 1)
    ]
    assert abs(parts[0] - old) < 0.02 and abs(parts[1] - new) < 0.02 and abs(new / old - ratio) < 0.02


def test_refuses_table_counts_that_do_not_average_a_hundred_moves():
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "game", "--tables", "12"],
        check=False,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2 and "a multiple of 8" in done.stderr
