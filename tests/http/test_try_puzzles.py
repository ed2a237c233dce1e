"""Puzzles over REST: the daily one, the next one, a try, the player's statistics, also when signed out."""

import pytest
from support.puzzles import put_puzzle

SHARES_SERVER = True


@pytest.fixture
def puzzle(sql):
    return str(put_puzzle(sql))


def test_a_try_returns_the_answer_and_is_recorded(new_client, anyone, puzzle):
    ann, ben = new_client().guest(), new_client().guest()
    shown = anyone.get(f"/v1/puzzles/{puzzle}")
    assert shown["mine"] is None and shown == ann.get(f"/v1/puzzles/{puzzle}") and "answer" not in shown
    done = ann.call("POST", f"/v1/puzzles/{puzzle}/tries", {"choice": "KS"}, status=200).json()
    assert (done["right"], done["answer"], done["choices"][0]["choice"]) == (False, "5D", "5D")
    again = ann.call("POST", f"/v1/puzzles/{puzzle}/tries", {"choice": "5D"}, status=200).json()
    assert again == done == ann.get(f"/v1/puzzles/{puzzle}")["mine"]
    for other in (ben, anyone):
        assert other.get(f"/v1/puzzles/{puzzle}")["mine"] is None
    mine = ann.get("/v1/me/puzzles")
    assert (mine["tried"], mine["solved"], mine["rating"]) == (1, 0, done["rating"])
    assert mine["recent"][0]["puzzle"] == puzzle and mine["recent"][0]["choice"] == "KS"


def test_invalid_tries_are_refused(new_client, anyone, puzzle):
    ann = new_client().guest()
    path = f"/v1/puzzles/{puzzle}/tries"
    assert ann.call("POST", path, {"choice": "AS"}, status=422).json()["code"] == "no_such_choice"
    assert ann.get("/v1/me/puzzles")["tried"] == 0
    assert (
        ann.call("POST", "/v1/puzzles/999999999/tries", {"choice": "AS"}, status=404).json()["code"]
        == "no_such_puzzle"
    )
    anyone.call("POST", path, {"choice": "5D"}, status=401)
    anyone.call("GET", "/v1/puzzles/next", status=401)
    anyone.call("GET", "/v1/me/puzzles", status=401)
    assert anyone.call("GET", "/v1/puzzles/999999999", status=404).json()["code"] == "no_such_puzzle"
    for wrong in ("theme=throw", "variant=whist", "tag=a.b", "variant=rami&variant=rami", "limit=3"):
        ann.call("GET", f"/v1/puzzles/next?{wrong}", status=400)


def test_the_next_puzzle(new_client, sql):
    ann, tag = new_client().guest(), "of_this_test"
    made = [str(put_puzzle(sql, tags=[tag], rating=rating)) for rating in (1500, 2600)]
    path = f"/v1/puzzles/next?variant=rummy51&theme=discard&tag={tag}"
    for puzzle in made:
        assert ann.get(path)["id"] == puzzle == ann.get(path)["id"]
        ann.call("POST", f"/v1/puzzles/{puzzle}/tries", {"choice": "5D"}, status=200)
    assert ann.call("GET", path, status=404).json()["code"] == "no_puzzle"


def test_the_daily_puzzle(new_client, anyone, sql):
    ann = new_client().guest()
    put_puzzle(sql, reserved=True)
    sql("SELECT do_puzzle_days()")
    daily = ann.get("/v1/puzzles/daily")
    assert anyone.get("/v1/puzzles/daily") == daily and daily["streak"] == {"days": 0, "best": 0}
    puzzle = daily["puzzle"]
    path = f"/v1/puzzles/{puzzle['id']}"
    done = ann.call("POST", path + "/tries", {"choice": puzzle["options"][0]}, status=200).json()
    assert done["streak"] == {"days": 1, "best": 1}
    assert (
        ann.get("/v1/puzzles/daily")["streak"]
        == {"days": 1, "best": 1}
        == ann.get("/v1/me/puzzles")["streak"]
    )
    assert ann.get("/v1/puzzles/daily")["puzzle"]["mine"] == done
