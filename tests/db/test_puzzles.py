"""Puzzles in the database: Glicko-2 ratings, tries that count once, the daily puzzle, streaks, and what each
viewer may see."""

import json

import pytest
from db_rig import at_once
from support.puzzles import CHOICES, put_puzzle

TODAY = "(now() AT TIME ZONE 'UTC')::date"


@pytest.fixture
def own(rig):
    """Only the puzzles that the test creates."""
    rig.rows("DELETE FROM puzzle_days")
    rig.rows("DELETE FROM puzzles")
    return lambda **more: put_puzzle(rig.rows, **more)


def answer(rig, function, *args):
    code, body = rig.row(f"SELECT code, body FROM {function}({', '.join(['%s'] * len(args))})", *args)
    return code, json.loads(body) if body else None


def attempt(rig, player, puzzle, choice="5D"):
    return answer(rig, "do_puzzle_try", player, puzzle, choice)


# --- Glicko-2 -----------------------------------------------------------------------------------------------


def glicko(rig, of, others, scores):
    rated = ", ".join(["ROW(%s, %s, %s)::glicko"] * len(others))
    return rig.row(
        f"SELECT r.* FROM glicko2(ROW(%s, %s, %s)::glicko, ARRAY[{rated}], %s::float8[]) r",
        *of,
        *[number for other in others for number in other],
        scores,
    )


def test_ratings_match_the_published_example(rig):
    """Glickman, "Example of the Glicko-2 system": a win against 1400, losses against 1550 and 1700."""
    others = [(1400, 30, 0.06), (1550, 100, 0.06), (1700, 300, 0.06)]
    rating, rd, volatility = glicko(rig, (1500, 200, 0.06), others, [1, 0, 0])
    assert (round(rating, 2), round(rd, 2), round(volatility, 5)) == (1464.05, 151.52, 0.06)
    assert abs(rating - 1464.06) < 0.02 and abs(volatility - 0.05999) < 0.00001


def test_a_surprising_result_moves_a_rating_more_symmetrically(rig):
    up, _, _ = glicko(rig, (1500, 100, 0.06), [(1700, 50, 0.06)], [1])
    expected, _, _ = glicko(rig, (1500, 100, 0.06), [(1300, 50, 0.06)], [1])
    down, rd, volatility = glicko(rig, (1500, 100, 0.06), [(1300, 50, 0.06)], [0])
    assert up - 1500 > expected - 1500 > 0 and abs((1500 - down) - (up - 1500)) < 0.01
    assert rd < 100 and 0.059 < volatility < 0.062


def test_ratings_far_apart_stay_finite(rig):
    for score in (0, 1):
        rating, rd, volatility = glicko(rig, (3000, 30, 0.06), [(200, 350, 0.06)], [score])
        assert 100 < rating < 3100 and 0 < rd < 350 and 0 < volatility < 1


# --- tries --------------------------------------------------------------------------------------------------


def test_a_repeated_try_counts_once(rig, own):
    player, puzzle = rig.player(), own()
    code, first = attempt(rig, player, puzzle)
    assert code == "ok" and first["right"] and first["answer"] == "5D" and first["choices"] == CHOICES
    assert first["rating_before"] == 1500 and first["rating"] > 1500 > first["puzzle_rating"]
    assert first["streak"] == {"days": 1, "best": 1} and first["source"] is None  # it is the only one
    assert attempt(rig, player, puzzle) == ("ok", first)
    assert attempt(rig, player, puzzle, "KS") == ("ok", first)
    assert attempt(rig, player, puzzle, "no such") == ("ok", first)
    assert rig.rows("SELECT tries_n, solved_n FROM puzzles") == [[1, 1]]
    assert rig.rows("SELECT tried_n, solved_n FROM puzzle_players") == [[1, 1]]


def test_concurrent_tries_count_once(rig, own):
    player, puzzle = rig.player(), own()

    def act(connection):
        return rig.row("SELECT body FROM do_puzzle_try(%s, %s, '5D')", player, puzzle, via=connection)[0]

    results = at_once(rig, *[act] * 6)
    assert len(set(results)) == 1, results
    assert rig.one("SELECT tries_n FROM puzzles") == 1


def test_a_wrong_try_lowers_the_rating(rig, own):
    player, puzzle = rig.player(), own()
    code, body = attempt(rig, player, puzzle, "KS")
    assert code == "ok" and not body["right"] and body["rating"] < 1500 < body["puzzle_rating"]


def test_invalid_tries_change_nothing(rig, own):
    player, puzzle = rig.player(), own()
    assert attempt(rig, player, puzzle, "5D1") == ("no_such_choice", None)
    assert attempt(rig, player, 10**15) == ("no_such_puzzle", None)
    assert attempt(rig, 10**15, puzzle) == ("no_such_player", None)
    assert rig.one("SELECT tries_n FROM puzzles") == 0 and rig.one("SELECT count(*) FROM puzzle_tries") == 0


# --- what is shown ------------------------------------------------------------------------------------------


def test_the_answer_is_shown_only_after_an_own_try(rig, own):
    ann, ben, puzzle = rig.player(), rig.player(), own()
    attempt(rig, ann, puzzle, "KS")
    for reader in (ben, 0):
        code, shown = answer(rig, "q_puzzle", reader, puzzle)
        assert code == "ok" and shown["mine"] is None
        assert not {"answer", "choices", "source"} & set(shown)
        assert shown["options"] == ["5D", "9H", "KS"] and (shown["tries"], shown["solved"]) == (1, 0)
    assert answer(rig, "q_puzzle", ann, puzzle)[1]["mine"]["answer"] == "5D"


def test_a_withdrawn_puzzle_is_visible_only_to_players_who_tried_it(rig, own):
    ann, ben, puzzle = rig.player(), rig.player(), own()
    attempt(rig, ann, puzzle)
    rig.rows("UPDATE puzzles SET withdrawn_at = now()")
    rig.rows("UPDATE puzzle_days SET day = day - 9")
    assert answer(rig, "q_puzzle", ann, puzzle)[0] == "ok"
    assert answer(rig, "q_puzzle", ben, puzzle)[0] == "no_such_puzzle"
    assert attempt(rig, ben, puzzle)[0] == "no_such_puzzle"
    assert answer(rig, "q_puzzle_next", ben, None, None, None)[0] == "no_puzzle"


def test_the_next_puzzle_is_the_nearest_one_not_yet_tried(rig, own):
    ann = rig.player()
    far, near, low = own(rating=1900), own(rating=1540), own(rating=1300, theme="open", tags=["late_opening"])
    kept = own(rating=1500, reserved=True)
    other = own(rating=1501, variant="pool101")

    def following(*of):
        code, body = answer(rig, "q_puzzle_next", ann, *of)
        return int(body["id"]) if body else code

    assert following("pool101", None, None) == other
    assert following(None, "open", None) == following(None, None, "late_opening") == low
    assert following("pool101", "open", None) == "no_puzzle"
    seen = []
    while (puzzle := following("rummy51", None, None)) != "no_puzzle":
        seen.append(puzzle)
        assert attempt(rig, ann, puzzle)[0] == "ok"
        rig.rows("UPDATE puzzle_players SET rating = 1500")
    assert kept not in seen and set(seen) >= {near, low, far} and seen.index(near) < seen.index(far)


def test_a_player_s_own_figures_match_their_tries(rig, own):
    ann = rig.player()
    nothing = answer(rig, "q_my_puzzles", ann)[1]
    assert (nothing["rating"], nothing["rd"], nothing["tried"], nothing["recent"]) == (1500, 350, 0, [])
    for n in range(22):
        attempt(rig, ann, own(theme="open" if n % 2 else "discard"), "5D" if n < 11 else "KS")
    mine = answer(rig, "q_my_puzzles", ann)[1]
    assert (mine["tried"], mine["solved"], len(mine["recent"])) == (22, 11, 20)
    assert mine["variants"] == [{"variant": "rummy51", "tried": 22, "solved": 11}]
    assert [(t["theme"], t["tried"]) for t in mine["themes"]] == [("discard", 11), ("open", 11)]
    assert mine["recent"][0]["answer"] == "5D" and mine["recent"][0]["choice"] == "KS" and mine["rd"] < 350


# --- the day ------------------------------------------------------------------------------------------------


def test_a_day_has_one_puzzle_for_all_players(rig, own):
    for _ in range(5):
        own(reserved=True)
    free = own()
    ann, ben = rig.player(), rig.player()
    before = answer(rig, "q_puzzle_daily", ann)[1]
    assert rig.one("SELECT do_puzzle_days()") == 2 and rig.one("SELECT do_puzzle_days()") == 0
    rig.rows("UPDATE puzzles SET rating = 2200")
    for reader in (ann, ben, 0):
        shown = answer(rig, "q_puzzle_daily", reader)[1]
        assert shown["puzzle"]["id"] == before["puzzle"]["id"] != str(free)
        assert shown["streak"] == {"days": 0, "best": 0} and shown["puzzle"]["mine"] is None
    tomorrow = rig.one(f"SELECT puzzle_id FROM puzzle_days WHERE day = {TODAY} + 1")
    assert attempt(rig, ann, tomorrow)[0] == "no_such_puzzle" == answer(rig, "q_puzzle", ann, tomorrow)[0]


def test_days_rotate_variants_and_reuse_puzzles_only_when_none_is_left(rig, own):
    variants = ["rummy51", "pool101", "rami"]
    made = {own(variant=variant, reserved=n < 2): variant for variant in variants for n in range(3)}
    days = []
    for day in range(12):
        puzzle = rig.one(f"SELECT puzzle_of_day({TODAY} + {day})")
        rig.rows(f"INSERT INTO puzzle_days VALUES ({TODAY} + {day}, %s)", puzzle)
        days.append(puzzle)
    assert len(set(days[:9])) == 9 and days[9:] == days[:3]
    for at in range(0, 9, 3):
        assert {made[puzzle] for puzzle in days[at : at + 3]} == set(variants)
    reserved = {row[0] for row in rig.rows("SELECT id FROM puzzles WHERE reserved")}
    assert set(days[:6]) == reserved


def test_without_puzzles_there_is_no_daily_puzzle(rig, own):
    assert answer(rig, "q_puzzle_daily", 0) == ("no_puzzle", None)
    assert rig.one("SELECT do_puzzle_days()") == 0


def test_a_streak_counts_consecutive_days(rig, own):
    ann = rig.player()
    puzzles = [own(reserved=True) for _ in range(6)]

    def on_day(n, puzzle, choice="KS"):
        """Simulates that n days have passed by moving all days into the past."""
        rig.rows("UPDATE puzzle_players SET streak_day = streak_day - %s", n)
        rig.rows("DELETE FROM puzzle_days")
        rig.rows(f"INSERT INTO puzzle_days VALUES ({TODAY}, %s)", puzzle)
        return attempt(rig, ann, puzzle, choice)[1]["streak"]

    assert on_day(0, puzzles[0]) == {"days": 1, "best": 1}
    assert on_day(1, puzzles[1]) == {"days": 2, "best": 2}
    assert on_day(1, puzzles[2], "5D") == {"days": 3, "best": 3}
    assert on_day(0, puzzles[2]) == {"days": 3, "best": 3}  # the same again
    assert answer(rig, "q_my_puzzles", ann)[1]["streak"] == {"days": 3, "best": 3}
    assert on_day(2, puzzles[3]) == {"days": 1, "best": 3}
    rig.rows("UPDATE puzzle_players SET streak_day = streak_day - 2")
    assert answer(rig, "q_puzzle_daily", ann)[1]["streak"] == {"days": 0, "best": 3}


def test_a_puzzle_of_another_day_does_not_count_for_the_streak(rig, own):
    ann, old, today = rig.player(), own(reserved=True), own(reserved=True)
    rig.rows(f"INSERT INTO puzzle_days VALUES ({TODAY} - 1, %s), ({TODAY}, %s)", old, today)
    assert attempt(rig, ann, old)[1]["streak"] is None
    assert attempt(rig, ann, today)[1]["streak"] == {"days": 1, "best": 1}


# --- the account --------------------------------------------------------------------------------------------


def test_no_data_remains_of_an_erased_account(rig, own):
    ann, ben, puzzle = rig.player(), rig.player(), own()
    attempt(rig, ann, puzzle)
    attempt(rig, ben, puzzle, "KS")
    rig.rows("INSERT INTO deletions (player_id, due_at) VALUES (%s, now())", ann)
    rig.rows("SELECT erase_player(%s)", ann)
    assert (
        rig.rows("SELECT player_id FROM puzzle_tries UNION ALL SELECT player_id FROM puzzle_players")
        == [[ben]] * 2
    )
    assert rig.rows("SELECT tries_n, solved_n FROM puzzles") == [[2, 1]]  # no player is named


def test_puzzles_bring_no_chips_or_points(rig, own):
    ann, puzzle = rig.player(), own()
    before = rig.rows("SELECT max(id) FROM postings"), rig.rows("SELECT * FROM player_counters")
    attempt(rig, ann, puzzle)
    assert (rig.rows("SELECT max(id) FROM postings"), rig.rows("SELECT * FROM player_counters")) == before
