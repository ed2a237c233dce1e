"""`rummyd puzzles`: mining finished games, by one job at a time and never from hidden games; checking,
exporting, importing."""

import json
import re
import subprocess

import pytest
from support.cluster import RUMMYD, SERVER
from support.puzzles import put_puzzle

LONG = True

GAMES = 3


def rummyd(*args, code=0):
    done = subprocess.run([RUMMYD, *args], capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A session of bots, of some hands."""
    path = tmp_path_factory.mktemp("records") / "game.txt"
    simulate = ("simulate", "--variant", "pool201", "--games", "1", "--seed", "4", "--record", str(path))
    rummyd(*simulate, "--seats", "strong,medium,strong")
    return path.read_text()


@pytest.fixture
def mine(rig):
    """Starts without puzzles; mine(flags…) runs the job as the server's role."""
    for table in ("puzzle_days", "puzzles", "puzzle_mining", "puzzle_games_due"):
        rig.rows(f"DELETE FROM {table}")
    return lambda *flags: rummyd("puzzles", *flags, f"--db={rig.cluster.conninfo(rig.name, SERVER)}")


def finished(rig, record):
    """A game that ended some minutes ago."""
    table = rig.table_of(rig.player())
    game = rig.settle(table, [1, 2, 3, 4], record=record)[0]["game_id"]
    rig.rows("UPDATE games SET ended_at = ended_at - interval '5 minutes' WHERE id = %s", game)
    return game


def at(rig):
    return rig.one("SELECT max(game_id) FROM puzzle_mining")


def test_games_are_searched_once_and_the_puzzles_found_are_valid(rig, mine, record):
    games = [finished(rig, record) for _ in range(GAMES)]
    said = mine("mine", "--games", "2")
    assert said.startswith("2 games searched") and at(rig) == games[1]
    assert mine("mine").startswith("1 games searched") and at(rig) == games[2]
    assert mine("mine").startswith("0 games searched")
    found = rig.rows("SELECT * FROM puzzles ORDER BY id")
    assert found and {puzzle["game_id"] for puzzle in found} <= set(games)
    for puzzle in found:
        assert puzzle["variant"] == "pool201" and puzzle["origin"] == "game" and puzzle["players_n"] == 3
        best, *others = puzzle["choices"]
        assert best["choice"] == puzzle["answer"] and best["error"] == 0
        assert all(best["worth"] - other["worth"] > 3 * other["error"] > 0 for other in others)
        assert {choice["choice"] for choice in puzzle["choices"]} == set(puzzle["options"])
        assert not re.search(r"\b(Ana|Boris|Ceca)\b", puzzle["position"])
    assert max(rig.rows("SELECT count(*) FROM puzzles GROUP BY game_id"))[0] <= 2


def test_positions_are_valid_and_do_not_reveal_the_hidden_cards(rig, mine, record, tmp_path):
    finished(rig, record)
    mine("mine")
    for n, (position, seat) in enumerate(rig.rows("SELECT position, seat FROM puzzles")):
        path = tmp_path / f"{n}.txt"
        path.write_text(position)
        assert "verified" in rummyd("verify", str(path))
        hidden = [
            cards
            for other, cards in re.findall(r'^\[(?:Cards(\d)|Stock) "(.*)"\]$', position, re.M)
            if other != str(seat)
        ]
        assert len(hidden) >= 2
        assert not [cards for cards in hidden if f'"{cards}"' in record]


def test_searching_a_game_again_finds_the_same_puzzles(rig, mine, record):
    game = finished(rig, record)
    mine("mine")
    first = rig.rows("SELECT position, answer, choices::text FROM puzzles ORDER BY id")
    rig.rows("DELETE FROM puzzles")
    rig.rows("UPDATE puzzle_mining SET game_id = %s", game - 1)
    mine("mine")
    assert rig.rows("SELECT position, answer, choices::text FROM puzzles ORDER BY id") == first


def test_private_and_club_games_are_skipped(rig, mine, record):
    ann = rig.player()
    private = finished(rig, record)
    rig.rows(
        "UPDATE tables SET visibility = 'private', code = 'ABCDEF', room_id = NULL, creator_id = %s WHERE id"
        " = (SELECT table_id FROM games WHERE id = %s)",
        ann,
        private,
    )
    of_club = finished(rig, record)
    rig.rows(
        "UPDATE tables SET visibility = 'public', room_id = NULL, creator_id = %s, club_id = 7 WHERE id ="
        " (SELECT table_id FROM games WHERE id = %s)",
        ann,
        of_club,
    )
    assert mine("mine").startswith("0 games searched") and at(rig) == of_club
    assert rig.rows("SELECT * FROM puzzle_games_due") == []


def test_games_of_a_shared_deal_are_skipped_until_it_is_public(rig, mine, record):
    deal = rig.one(
        "INSERT INTO deals (variant, params, options, seats_n, bot_level, best_high, seed, client_seed, "
        " opens_at) VALUES ('pool201', '', '{}', 3, 3, false, %s, %s, 'infinity') RETURNING id",
        b"s" * 32,
        b"c" * 16,
    )
    shared, other = finished(rig, record), finished(rig, record)
    rig.rows(
        "UPDATE tables SET visibility = 'house', room_id = NULL, practice = true, stake = 0, watch_delay_ms ="
        " NULL, deal_id = %s WHERE id = (SELECT table_id FROM games WHERE id = %s)",
        deal,
        shared,
    )
    assert mine("mine").startswith("1 games searched") and at(rig) == other
    assert rig.rows("SELECT game_id FROM puzzle_games_due") == [[shared]]
    assert rig.rows("SELECT 1 FROM puzzles WHERE game_id = %s", shared) == []
    rig.rows("UPDATE deals SET opens_at = now() WHERE id = %s", deal)
    assert mine("mine").startswith("1 games searched")
    assert rig.rows("SELECT game_id FROM puzzle_games_due") == []


def test_one_job_runs_at_a_time(rig, mine, record):
    game = finished(rig, record)
    assert rig.row("SELECT * FROM do_puzzle_claim(1)") == ["ok", game]
    assert rig.row("SELECT code FROM do_puzzle_claim(2)") == ["mining_held"]
    assert "another job is already searching" in mine("mine")
    assert rig.row("SELECT * FROM do_puzzle_claim(1)") == ["ok", game]
    rig.rows("UPDATE puzzle_mining SET held_until = now() - interval '1 second'")
    assert rig.row("SELECT * FROM do_puzzle_claim(2)") == ["ok", game]
    assert rig.row("SELECT code FROM do_puzzle_mined(1, %s, '{}')", game) == ["mining_held"]
    assert rig.row("SELECT code FROM do_puzzle_mined(2, %s, '{}')", game) == ["ok"]
    assert rig.row("SELECT * FROM do_puzzle_claim(2)") == ["none", None]
    rig.rows("SELECT do_puzzle_release(2)")
    assert rig.row("SELECT code FROM do_puzzle_claim(3)") == ["none"]


def test_an_unreadable_record_is_skipped(rig, mine):
    finished(rig, "no record")
    assert mine("mine").startswith("1 games searched, 0 decisions")


def test_a_disputed_puzzle_is_withdrawn(rig, mine, record):
    finished(rig, record)
    mine("mine")
    rig.rows("UPDATE puzzles SET deals_n = 60")  # more would take too long
    puzzle = rig.one("SELECT min(id) FROM puzzles")
    rig.rows("UPDATE puzzles SET answer = options[1] WHERE id = %s AND answer <> options[1]", puzzle)
    rig.rows(
        "UPDATE puzzles SET answer = options[2] WHERE id = %s AND answer = choices->0->>'choice'", puzzle
    )
    odd = put_puzzle(rig.rows, position="no position")
    said = mine("check")
    assert f"puzzle {puzzle}: disputed, withdrawn" in said
    assert f"puzzle {odd}: invalid position, withdrawn" in said
    gone = {row[0] for row in rig.rows("SELECT id FROM puzzles WHERE withdrawn_at IS NOT NULL")}
    assert {puzzle, odd} <= gone
    assert rig.one("SELECT count(*) FROM puzzles WHERE checked_at IS NULL") == 0
    assert mine("check").startswith("0 puzzles checked, 0 disputed")


def test_the_data_set_has_an_open_license_and_names_no_players(rig, mine, record, tmp_path):
    finished(rig, record)
    mine("mine")
    rig.rows("UPDATE puzzles SET reserved = false")
    kept = put_puzzle(rig.rows, reserved=True)
    text = mine("export")
    head, *lines = [json.loads(line) for line in text.splitlines()]
    assert head["format"] == "rummyd-puzzles" and head["license"] == "CC0-1.0"
    assert str(kept) not in [line["id"] for line in lines] and len(lines) == rig.one(
        "SELECT count(*) - 1 FROM puzzles"
    )
    for line in lines:
        assert {"variant", "position", "theme", "tags", "answer", "choices", "rating", "rd", "tries"} <= set(
            line
        )
        assert "game" not in line and "game_id" not in line
    path = tmp_path / "puzzles.jsonl"
    path.write_text(text)
    assert mine("import", str(path)) == "0 puzzles added\n"
    rig.rows("DELETE FROM puzzles")
    assert mine("import", str(path)) == f"{len(lines)} puzzles added\n"
    assert mine("check", "--limit", "1").startswith("1 puzzles checked")


def test_invalid_arguments_are_refused():
    for words in (
        (),
        ("dig",),
        ("import",),
        ("starter", "whist"),
        ("mine", "--games", "0"),
        ("mine", "--limit=x"),
    ):
        assert rummyd("puzzles", *words, code=2)


def test_a_starter_set_is_the_same_each_time():
    once = rummyd("puzzles", "starter", "pool101", "--per-variant", "1")
    assert once == rummyd("puzzles", "starter", "pool101", "--per-variant=1", "--seed=1")
    assert all(len(line) <= 110 for line in once.splitlines()) and "do_puzzle_import" in once
