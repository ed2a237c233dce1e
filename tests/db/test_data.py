"""The initial data of the database, compared row by row with the rule tables of the original game."""

import json
import subprocess

import pytest
from support.cluster import RUMMYD

# Level, title, points to the next level, reward: as printed in the source (no reward for level 1, no next
# level after 50).
LEVELS = """
1 Ant 100 0 · 2 Ant 150 10 · 3 Butterfly 200 10 · 4 Butterfly 300 10 · 5 Butterfly 400 10 · 6 Frog 500 15
7 Frog 600 15 · 8 Frog 700 15 · 9 Turtle 800 20 · 10 Turtle 900 20 · 11 Turtle 1000 20 · 12 Snake 1400 25
13 Snake 1800 25 · 14 Snake 2200 25 · 15 Fox 2600 30 · 16 Fox 3000 30 · 17 Fox 3500 30 · 18 Wolf 4000 35
19 Wolf 4500 35 · 20 Wolf 5000 35 · 21 Monkey 5500 40 · 22 Monkey 6000 40 · 23 Monkey 7000 40
24 Alligator 8000 45 · 25 Alligator 9000 45 · 26 Alligator 10000 45 · 27 Eagle 12000 50 · 28 Eagle 14000 50
29 Eagle 16000 50 · 30 Bear 18000 55 · 31 Bear 20000 55 · 32 Bear 22000 55 · 33 Bear 24000 55
34 Rhino 27000 60
35 Rhino 30000 60 · 36 Rhino 33000 65 · 37 Rhino 36000 65 · 38 Elephant 40000 70 · 39 Elephant 44000 70
40 Elephant 48000 75 · 41 Elephant 52000 75 · 42 Leopard 65000 80 · 43 Leopard 70000 80 · 44 Leopard 75000 85
45 Leopard 80000 85 · 46 Lion 85000 90 · 47 Lion 90000 90 · 48 Lion 95000 95 · 49 Lion 100000 95
50 Lion 0 100
""".replace("\n", " · ").split(" · ")
LEVELS = [line.split() for line in LEVELS if line]

TITLES = {
    "Ant": 1,
    "Butterfly": 3,
    "Frog": 6,
    "Turtle": 9,
    "Snake": 12,
    "Fox": 15,
    "Wolf": 18,
    "Monkey": 21,
    "Alligator": 24,
    "Eagle": 27,
    "Bear": 30,
    "Rhino": 34,
    "Elephant": 38,
    "Leopard": 42,
    "Lion": 46,
}

# Name, unlocking title, stake, reward, multiplier in tenths.
ROOMS = [
    ("Desert", "Ant", 10, 10, 10),
    ("Tundra", "Frog", 20, 25, 22),
    ("Steppe", "Snake", 30, 40, 34),
    ("Savannah", "Wolf", 40, 55, 46),
    ("Oasis", "Eagle", 50, 75, 58),
    ("Forest", "Elephant", 60, 90, 70),
]


def test_there_are_fifty_levels_and_fifteen_titles(rows):
    assert len(LEVELS) == 50 and len(TITLES) == 15
    assert rows("SELECT count(*) FROM levels") == [(50,)]
    assert dict(rows("SELECT name, level_from FROM titles")) == TITLES


@pytest.mark.parametrize("level, title, points, reward", LEVELS, ids=[line[0] for line in LEVELS])
def test_each_level_matches_the_rules(rows, level, title, points, reward):
    cap = 100 if int(level) == 1 else 100 + 4 * int(level)
    expected = (title, int(points) or None, int(reward), cap)
    assert rows(
        f"SELECT title, points_needed, reward_gold, silver_cap FROM levels WHERE level = {level}"
    ) == [expected]


def test_each_level_has_the_highest_title_reached(rows):
    assert (
        rows(
            """SELECT l.level FROM levels l WHERE l.title <> (
                   SELECT t.name FROM titles t WHERE t.level_from <= l.level
                   ORDER BY t.level_from DESC LIMIT 1)"""
        )
        == []
    )


def test_the_rooms_match_the_rules(rows):
    assert rows("SELECT name, title, stake, reward, multiplier_tenths FROM rooms ORDER BY position") == ROOMS
    assert rows("SELECT DISTINCT variant, seats_n, open FROM rooms") == [("rummy51", 4, True)]
    assert rows("SELECT id FROM rooms WHERE bots ORDER BY position") == [("desert",), ("tundra",)]


def test_the_points_of_places_match_the_rules(rows):
    assert rows("SELECT place, points FROM place_points WHERE variant = 'rummy51' ORDER BY place") == [
        (1, 80),
        (2, 65),
        (3, 50),
        (4, 35),
    ]


def test_days_begin_two_hours_ahead_of_utc_all_year(rows):
    assert rows(
        """SELECT local_day('2026-07-01 21:59:59+00')::text, local_day('2026-07-01 22:00+00')::text,
                          local_day('2026-01-01 21:59:59+00')::text, local_day('2026-01-01 22:00+00')::text"""
    ) == [("2026-07-01", "2026-07-02", "2026-01-01", "2026-01-02")]


def test_a_missing_setting_is_named(rows):
    with pytest.raises(Exception, match="setting no_such is missing"):
        rows("SELECT setting_int('no_such')")


def test_each_variant_has_leaderboards(rows):
    variants = json.loads(subprocess.run([RUMMYD, "variants"], check=True, capture_output=True).stdout)
    assert {row[0] for row in rows("SELECT variant FROM ranked_variants")} == set(variants)


def test_each_variant_has_ten_starter_puzzles(rows, tmp_path):
    variants = json.loads(subprocess.run([RUMMYD, "variants"], check=True, capture_output=True).stdout)
    counted = rows("SELECT variant, count(*), count(*) FILTER (WHERE reserved) FROM puzzles GROUP BY variant")
    assert sorted(tuple(row) for row in counted) == sorted((name, 10, 5) for name in variants)
    for number, position in rows("SELECT id, position FROM puzzles WHERE origin = 'starter'"):
        path = tmp_path / f"{number}.txt"
        path.write_text(position)
        said = subprocess.run([RUMMYD, "verify", path], check=True, capture_output=True, text=True)
        assert "verified" in said.stdout, number
    assert rows("SELECT id FROM puzzles WHERE choices -> 0 ->> 'choice' <> answer") == []
