"""bench/nodes at its smallest: one and two nodes under play (RUMMY_BENCH_NODES), and plausible figures."""

import os
import subprocess
import sys

from support.cluster import BUILD, ROOT
from support.wait import HANG_S

NODES = [sys.executable, ROOT / "bench" / "nodes"]
RUN_MAX_S = 240
MOST = os.environ.get("RUMMY_BENCH_NODES", "2")


def test_reports_the_cost_of_a_move_next_to_other_nodes():
    done = subprocess.run(
        [*NODES, "--rounds", "1", "--nodes", MOST, "--tables", "8", "--rate", "40", "--seconds", "2"],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        timeout=RUN_MAX_S,
        env={**os.environ, "BUILD": str(BUILD)},
    )
    assert done.returncode == 0, done.stdout
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in done.stdout.splitlines()
        if line.startswith("| ")
    ]
    assert [row[0] for row in rows] == ["nodes", *(str(n) for n in (1, 2, 4) if n <= int(MOST))]
    for n, moves, cost, _, postgres, _ in rows[1:]:
        assert 0.8 * 40 * int(n) <= float(moves) <= 1.1 * 40 * int(n)
        assert 0 < float(cost.split()[0]) < 20_000 and 0 < float(postgres.split()[0]) < 100_000


def test_refuses_options_that_the_load_generator_cannot_play():
    for options in (("--tables", "4901"), ("--rounds", "0"), ("--rate", "0"), ("--seconds", "-1")):
        refused = subprocess.run(
            [*NODES, *options], check=False, capture_output=True, text=True, timeout=HANG_S
        )
        assert refused.returncode == 2 and "more than nothing" in refused.stderr, options
