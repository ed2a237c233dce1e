"""Whole sessions of every variant over the wire, with bots: hands follow one another, totals add up, records
are valid."""

import asyncio
import hashlib
import subprocess

import pytest
from support.cluster import RUMMYD
from support.table import Player, Table

SEED_WAIT_MS, HAND_PAUSE_MS = (
    60000,
    5000,
)  # each deal has the player's seed; players who are out of a pool are awaited each time

# Games, with options that end them soon: sessions of a few hands.
SESSIONS = {
    "rummy51": (4, {}),
    "straight": (3, {"target": 50}),
    "treff": (2, {}),
    "rummy40": (3, {}),
    "rami": (2, {"opening_min": 30}),
    "points": (3, {}),
    "pool101": (3, {}),
    "pool201": (2, {}),
    "deals2": (2, {}),
    "deals3": (2, {}),
}


def seat_of(player, variant, seats, options):
    answer = player.post(
        "/tables",
        {"variant": variant, "seats": seats, "options": options, "bots": seats - 1, "bot_level": "strong"},
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def by_kind(frames, kind):
    return [frame for frame in frames if frame["t"] == kind]


def hands_of(table):
    """The frames of each hand: from its deal to its scores."""
    hands = {}
    number = None
    for frame in table.frames:
        if frame["t"] == "dealt":
            number = frame["d"]["hand_no"]
        if frame["t"] == "snapshot" and frame["d"]["phase"] in ("draw", "play"):
            number = frame["d"]["hand_no"]
        if number is not None:
            hands.setdefault(number, []).append(frame)
    return hands


@pytest.fixture(scope="module", params=SESSIONS)
def session(request, server):
    """A player, and all frames of a session that they played to the end."""
    player = Player(server)
    seats, options = SESSIONS[request.param]
    seat = seat_of(player, request.param, seats, options)

    async def play():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await table.play_out()
            while len(by_kind(table.frames, "fairness")) < len(by_kind(table.frames, "hand_ended")):
                await table.receive()
            return table

    table = asyncio.run(play())
    return player, table


def test_totals_are_the_sum_of_the_hands(session):
    _, table = session
    hands = hands_of(table)
    snapshot = by_kind(table.frames, "snapshot")[0]["d"]
    sums = list(snapshot["totals"])
    for number in sorted(hands):
        for frame in hands[number]:
            if frame["t"] == "rejoined":
                sums[frame["seat"]] = frame["d"]["total"]
            if frame["t"] == "scored":
                sums[frame["seat"]] += frame["d"]["points"]
                assert frame["d"]["total"] == sums[frame["seat"]], (number, frame)
    ended = by_kind(table.frames, "session_ended")[0]["d"]
    assert ended["totals"] == sums
    best = (max if snapshot["params"]["best_high"] else min)(sums)
    if not snapshot["params"]["pool"]:
        assert ended["winners"] == [seat for seat, total in enumerate(sums) if total == best]
    assert ended["winner"] == (ended["winners"][0] if len(ended["winners"]) == 1 else None)


def test_every_hand_is_committed_before_and_revealed_after(session):
    _, table = session
    promised = [by_kind(table.frames, "snapshot")[0]["d"]["table"]["commit"]]
    for frame in by_kind(table.frames, "next_hand"):
        if frame["d"]["commit"] not in promised:
            promised.append(frame["d"]["commit"])
    fair = by_kind(table.frames, "fairness")
    ended = by_kind(table.frames, "hand_ended")
    assert [f["d"]["hand_no"] for f in fair] == list(range(1, len(ended) + 1))
    if table.frames.index(by_kind(table.frames, "session_ended")[0]) > table.frames.index(fair[-1]):
        # the session ended between two hands: the last commitment is for a hand that was never dealt
        promised.pop()
    assert [f["d"]["commit"] for f in fair] == promised
    for frame in fair:
        assert hashlib.sha256(bytes.fromhex(frame["d"]["server_seed"])).hexdigest() == frame["d"]["commit"]
        assert frame["d"]["client_seeds"][table.me] != ""
    texts = [str(frame) for frame in table.frames]
    for frame in fair:
        first = next(i for i, text in enumerate(texts) if frame["d"]["server_seed"] in text)
        end = next(
            i
            for i, f in enumerate(table.frames)
            if f["t"] == "fairness" and f["d"]["hand_no"] == frame["d"]["hand_no"]
        )
        assert first == end, "no seed is revealed before its hand has ended"


def test_the_records_of_the_session_and_of_each_hand_verify(session, tmp_path):
    player, table = session
    settled = by_kind(table.frames, "settled")[0]["d"]
    hands = len(by_kind(table.frames, "hand_ended"))
    whole = player.get(f"/games/{settled['game_id']}/record")
    assert whole.status_code == 200
    files = [tmp_path / "session.txt"]
    files[0].write_bytes(whole.content)
    for number in range(1, hands + 1):
        one = player.get(f"/games/{settled['game_id']}/record?hand={number}")
        assert one.status_code == 200 and one.text in whole.text
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_bytes(one.content)
    for file in files:
        done = subprocess.run(
            [RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert done.returncode == 0, (file.name, done.stdout)
    assert player.get(f"/games/{settled['game_id']}/record?hand={hands + 1}").status_code == 404


def test_the_game_response_lists_its_hands(session):
    player, table = session
    game = player.get(f"/games/{by_kind(table.frames, 'settled')[0]['d']['game_id']}").json()
    fair = by_kind(table.frames, "fairness")
    assert [(h["hand_no"], h["commit"], h["server_seed"], h["client_seeds"]) for h in game["hands"]] == [
        (f["d"]["hand_no"], f["d"]["commit"], f["d"]["server_seed"], f["d"]["client_seeds"]) for f in fair
    ]
    totals = by_kind(table.frames, "session_ended")[0]["d"]["totals"]
    assert [score["total"] for score in game["hands"][-1]["scores"]] == totals
    assert [result["points"] for result in game["results"]] == totals
    scored = [f["d"]["points"] for f in by_kind(table.frames, "scored")]
    assert [score["points"] for hand in game["hands"] for score in hand["scores"]] == scored


def test_the_journal_is_empty_after_the_session(session, cluster, server):
    _, table = session
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM journal WHERE table_id = %s", (table.table,))
        assert cursor.fetchone() == (0,)
    connection.close()
