"""bench/scale: the model of how many machines a number of players needs."""

import subprocess
import sys

from support.cluster import ROOT
from support.wait import HANG_S

SCALE = [sys.executable, ROOT / "bench" / "scale"]


def figures(*options):
    """The rows it prints: name -> numbers of the one column."""
    said = subprocess.run(
        [*SCALE, *options], check=True, capture_output=True, text=True, timeout=HANG_S
    ).stdout
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in said.splitlines()]
    return {
        row[0]: [float(cell.replace(",", "")) for cell in row[1].split(" / ")]
        for row in rows
        if row[1] != "---:"
    }


def test_figures_for_a_million_players_match_a_manual_calculation():
    """250,000 tables. A game of 60 moves, one every 5 s, plus a pause of 1 min takes 360 s, which makes 694
    games and 41,667 moves per second."""
    rows = figures("--people", "1000000", "--move-s", "5", "--game-moves", "60", "--pause-s", "60")
    assert rows["tables"] == [250_000] and rows["games/s"] == [694] and rows["moves/s"] == [41_667]
    # Each move takes 53 µs of a hub: 2.2 hubs, or 5 at half load. With 20,000 sockets per node: 50 nodes
    # and one spare.
    assert rows["– for their sockets / for their hubs"] == [50, 5] and rows["nodes"] == [51]
    # 0.6 of the measured game, 694 times per second, with 78.2 kB of log each.
    assert rows["write-ahead log, MB/s"] == [33]


def test_the_document_contains_the_output():
    made = subprocess.run(SCALE, check=True, capture_output=True, text=True, timeout=HANG_S).stdout
    assert made.strip() in (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")


def test_invalid_options_are_refused():
    for options in (("--people", "0"), ("--move-s", "0"), ("--pause-s", "-1"), ("--people", "many")):
        refused = subprocess.run(
            [*SCALE, *options], check=False, capture_output=True, text=True, timeout=HANG_S
        )
        assert refused.returncode == 2 and refused.stderr, options
