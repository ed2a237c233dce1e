"""A player who sees every card wins most games of every variant, and bench-luck refuses what it cannot
measure."""

import re
import subprocess

from support.cluster import BUILD

ROW = re.compile(
    r"(\w+) +(\d) players, (\d+) games: a player who sees (?:all|hands) wins "
    r"([\d.]+) \(95 %: ([\d.]+) to ([\d.]+)\), "
    r"all games of ([\d.]+) of the deals, none of ([\d.]+)"
)


def luck(*arguments):
    return subprocess.run(
        [BUILD / "bench-luck", *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
    )


def rows(*arguments):
    done = luck(*arguments)
    assert done.returncode == 0, done.stderr
    return [ROW.fullmatch(line).groups() for line in done.stdout.splitlines()]


def test_a_player_who_sees_all_cards_wins_most_games_of_every_variant():
    seen = rows("all", 40)
    assert [row[0] for row in seen] == [
        "rummy51",
        "straight",
        "treff",
        "rummy40",
        "rami",
        "points",
        "pool101",
        "pool201",
        "deals2",
        "deals3",
    ]
    for variant, players, games, wins, low, high, swept, lost in seen:
        assert (players, games) == ("2", "40")
        assert 0.6 < float(wins) <= 1, variant
        assert float(low) <= float(wins) <= float(high)
        # It wins both, one, or neither of a deal's two games, so the other two figures determine its win
        # rate.
        assert abs(float(wins) - (1 + float(swept) - float(lost)) / 2) < 0.03, variant


def test_equal_deals_give_equal_figures_at_tables_of_any_size():
    assert rows("all", 40, 2, 5, "treff") == rows("all", 40, 2, 5, "treff")
    (four,) = rows("all", 40, 4, 1, "rummy51")
    assert four[1] == "4" and float(four[3]) > 0.6


def test_a_player_who_sees_only_the_hands_guesses_the_stock():
    (hands,), (everything,) = rows("hands", 20, 2, 1, "points"), rows("all", 20, 2, 1, "points")
    assert hands != everything and 0.3 < float(hands[3]) < 1


def test_refuses_what_it_cannot_measure():
    for arguments in (
        (),
        ("some",),
        ("all", "many"),
        ("all", 5),
        ("all", 40, 1),
        ("hands", 40, 7),
        ("all", 40, 2, -1),
        ("all", 40, 2, 1, "bridge"),
        ("all", 40, 2, 1, "treff", 1),
    ):
        done = luck(*arguments)
        assert done.returncode == 2 and done.stdout == "" and "bench-luck" in done.stderr, arguments
