"""A whole game against bots, as one player sees it, and its stored results."""

import asyncio
import hashlib
import hmac
import subprocess

import pytest
from support.cluster import RUMMYD
from support.table import Player, Table, open_table, without_bots

SEED_WAIT_MS = 60000  # the deal has the player's seed


@pytest.fixture(scope="module")
def game(server):
    """A player, and the frames of a game that they played to its settlement."""
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.play_out()
            await table.until("fairness")
            return table

    player.silver_before = player.silver()
    return player, asyncio.run(play())


def by_kind(table, kind):
    return [frame for frame in table.frames if frame["t"] == kind]


@pytest.mark.quick
def test_a_game_begins_with_the_waiting_table_and_a_snapshot(game):
    _, table = game
    waiting = table.frames[0]
    snapshot = by_kind(table, "snapshot")[0]
    assert waiting["t"] == "waiting"
    about = {
        name: waiting["d"].get(name)
        for name in ("variant", "room", "visibility", "commit", "stake", "reward", "multiplier")
    }
    assert snapshot["d"]["table"] == about | {
        "id": by_kind(table, "fairness")[0]["d"]["table_id"],
        "hand_no": 1,
    }
    assert (about["room"], about["stake"]) == ("Desert", 10)
    assert snapshot["v"] == 5
    assert len(snapshot["d"]["hand"]) in (14, 15)
    assert [seat["bot"] for seat in snapshot["d"]["seats"]] == [False, True, True, True]


def test_cards_that_others_draw_are_hidden(game):
    _, table = game
    for frame in by_kind(table, "drew"):
        shown = frame["seat"] == table.me or frame["d"]["from"] == "discard"
        assert ("card" in frame["d"]) == shown, frame


@pytest.mark.quick
def test_a_game_ends_with_the_scores_of_all_seats(game):
    _, table = game
    scores = by_kind(table, "scored")
    assert sorted(score["d"]["place"] for score in scores) == [1, 2, 3, 4]
    own = next(score for score in scores if score["seat"] == table.me)
    assert sorted(own["d"]["cards"]) == sorted(table.hand)


@pytest.mark.quick
def test_the_settlement_shows_only_own_chips_which_are_in_the_wallet(game):
    player, table = game
    settled = by_kind(table, "settled")[0]["d"]
    for seat in settled["seats"]:
        assert (seat["silver"] is not None) == (seat["seat"] == table.me)
    own = settled["seats"][table.me]
    assert player.silver() == player.silver_before + own["silver"]
    assert own["clover"] > 0


@pytest.mark.quick
def test_the_deal_can_be_verified(game):
    _, table = game
    fair = by_kind(table, "fairness")[0]["d"]
    assert hashlib.sha256(bytes.fromhex(fair["server_seed"])).hexdigest() == fair["commit"]
    assert fair["commit"] == by_kind(table, "waiting")[0]["d"]["commit"]
    assert fair["client_seeds"][table.me] != ""
    message = (
        fair["key_text"].encode()
        + int(fair["table_id"]).to_bytes(8, "big")
        + fair["hand_no"].to_bytes(4, "big")
    )
    for seed in fair["client_seeds"]:
        message += bytes([len(seed) // 2]) + bytes.fromhex(seed)
    key = hmac.new(bytes.fromhex(fair["server_seed"]), message, hashlib.sha256).digest()
    assert len(key) == 32


def test_the_record_verifies_offline(game, tmp_path):
    player, table = game
    number = by_kind(table, "settled")[0]["d"]["game_id"]
    answer = player.get(f"/games/{number}/record")
    assert answer.status_code == 200
    file = tmp_path / "game.txt"
    file.write_bytes(answer.content)
    done = subprocess.run([RUMMYD, "verify", file], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0 and "verified" in done.stdout
    file.write_bytes(answer.content.replace(b"discard", b"dizcard") + b"x")
    assert subprocess.run([RUMMYD, "verify", file], stderr=subprocess.PIPE, check=False).returncode == 1


def test_two_players_at_one_table_see_the_same_game(server):
    one, two = Player(server, "One"), Player(server, "Two")
    with without_bots(server):
        first, second = one.take_seat(), two.take_seat()
    assert first["table_id"] == second["table_id"]

    async def play():
        async with (
            Table(server, first["table_id"], first["ticket"]) as a,
            Table(server, second["table_id"], second["ticket"]) as b,
        ):
            await asyncio.gather(a.send("ready"), b.send("ready"))
            await asyncio.gather(a.sit_down(), b.sit_down())
            await asyncio.gather(a.play_out(), b.play_out())
            return a, b

    a, b = asyncio.run(play())
    public = ("turn", "melded", "discarded", "laid_off", "opened", "scored", "hand_ended")
    assert [f for f in a.frames if f["t"] in public] == [f for f in b.frames if f["t"] in public]
    assert {f["v"] for f in a.frames if "v" in f and f["t"] not in ("ack", "legal")} == {
        f["v"] for f in b.frames if "v" in f and f["t"] not in ("ack", "legal")
    }


def throws_seen(table):
    """By seat and the seat that drew next: draws after a discard, and discards that were taken and kept. No
    player was away."""
    seen, top = {str(seat): {} for seat in range(4)}, None
    assert not by_kind(table, "timed_out") and not by_kind(table, "away")
    for frame in table.frames:
        if frame["t"] == "discarded" and frame.get("seat") is not None:
            top = str(frame["seat"])
        elif frame["t"] == "drew" and top is not None:
            count = seen[top].setdefault(str(frame["seat"]), [0, 0])
            count[0] += 1
            count[1] += frame["d"]["from"] == "discard"
            last, top = count, None
        elif frame["t"] == "draw_cancelled" and last:
            last[1] -= 1
    return {int(seat): found for seat, found in seen.items()}


def test_the_stored_facts_match_the_frames_of_the_game(game, cluster, server):
    """The facts for achievements agree with the frames that all players received."""
    _, table = game
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.seat, p.facts, p.opened FROM game_players p JOIN games g ON g.id = p.game_id WHERE"
            " g.table_id = %s",
            (int(by_kind(table, "fairness")[0]["d"]["table_id"]),),
        )
        facts = {seat: (found, opened) for seat, found, opened in cursor.fetchall()}
    connection.close()
    assert sorted(facts) == [0, 1, 2, 3]
    assert {seat: found["throws"] for seat, (found, _) in facts.items()} == throws_seen(table)
    for seat, (found, opened) in facts.items():
        sums = [frame["d"]["sum"] for frame in by_kind(table, "opened") if frame["seat"] == seat]
        swaps = sum(frame["seat"] == seat for frame in by_kind(table, "swapped")) - sum(
            frame["seat"] == seat for frame in by_kind(table, "swap_undone")
        )
        thrown = [frame["d"]["cards"] for frame in by_kind(table, "discarded") if frame["seat"] == seat]
        assert found["opening"] == (sums[-1] if sums else 0) and (found["opening"] > 0) == opened
        assert found["swaps"] == swaps
        assert found["buried"] == any(len(cards) > 1 for cards in thrown)
        assert found["joker_out"] == any(card.startswith("X") for card in thrown[-1])


def test_the_record_of_a_deleted_player_verifies_and_does_not_name_them(server, tmp_path):
    """Must be the last test of the file: another game, whose player then leaves."""
    player = Player(server, "Zorblax")

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.play_out()
            await table.until("fairness")
            return table

    number = by_kind(asyncio.run(play()), "settled")[0]["d"]["game_id"]
    before = player.get(f"/games/{number}/record").text
    look = server.promises.look
    (player_id,) = look(
        "SELECT player_id FROM game_players WHERE game_id = %s AND player_id IS NOT NULL", number
    )[0]
    look("INSERT INTO deletions (player_id, due_at) VALUES (%s, now()) RETURNING 1", player_id)
    for _ in range(10):
        look("SELECT erase_players_step(now())")
    after = Player(server, "Other").get(f"/games/{number}/record").text
    assert "Zorblax" in before and "Zorblax" not in after and '"Deleted player ' in after
    file = tmp_path / "game.txt"
    file.write_text(after)
    done = subprocess.run([RUMMYD, "verify", file], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0 and "verified" in done.stdout
