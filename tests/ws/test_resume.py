"""Reconnecting, from every version that a client may have."""

import asyncio

import pytest
from support.table import Player, open_table

TURNS = 3
DEALS_MAX = 10  # deals in which a bot goes out before the player's third turn are rare


async def some_turns(player):
    """A table at which the player has played their turns and the game continues; None if it ended before
    that."""
    async with open_table(player) as table:
        await table.sit_down()
        for _ in range(TURNS):
            if not await table.my_turn_comes():
                return None
            await table.step()
            if table.phase == "play":
                await table.step()
        return table if await table.my_turn_comes() else None


@pytest.fixture(scope="module")
def played(server):
    """A player some turns into a game, with the frames they received live."""
    for _ in range(DEALS_MAX):
        player = Player(server)
        table = asyncio.run(some_turns(player))
        if table:
            return player, table
    raise AssertionError("every game was over before it had begun")


def events(table):
    return [
        frame for frame in table.frames if "v" in frame and frame["t"] not in ("snapshot", "ack", "legal")
    ]


def test_a_client_at_any_version_gets_the_missing_frames(played):
    player, live = played
    sent = {frame["v"]: frame for frame in events(live)}

    async def resume(since):
        async with open_table(player, live.table, since) as table:
            await table.until("clock")
            return table

    for since in range(1, live.v + 1):
        again = asyncio.run(resume(since))
        got = events(again)
        assert [frame["v"] for frame in got] == list(range(since + 1, live.v + 1))
        for frame in got:
            if frame["v"] in sent:
                assert frame == sent[frame["v"]]
        assert again.frames[: len(got)] == got, "they come first"


def test_a_missing_or_future_version_gets_a_snapshot(played):
    player, live = played

    async def connect(since):
        async with open_table(player, live.table, since) as table:
            table.v = None
            return await table.receive()

    for since in (None, 0, live.v + 1, 4294967295):
        frame = asyncio.run(connect(since))
        assert frame["t"] == "snapshot" and frame["v"] == live.v
        assert sorted(frame["d"]["hand"]) == sorted(live.hand)


def test_rest_shows_the_same_version_and_hand(played):
    player, live = played
    answer = player.get(f"/tables/{live.table}")
    assert answer.status_code == 200
    body = answer.json()
    shown = body.get("d", body)
    assert sorted(shown["hand"]) == sorted(live.hand)
    assert f'"{live.v}"' in answer.headers["ETag"]


def test_a_command_sent_before_the_seat_is_found_is_executed(server):
    player = Player(server)

    async def connect():
        async with open_table(player) as table:
            first = await table.send("seed", {"seed": "ab" * 16})
            return await table.answer(first)

    assert asyncio.run(connect())["t"] == "ack"


def test_commands_sent_before_the_seat_is_found_are_answered_in_order(server):
    """They are sent together, so the server may have read any number of them when the seat is found."""
    player = Player(server)

    async def connect():
        async with open_table(player) as table:
            sent = [await table.send("seed", {"seed": "ab" * 16})] + [
                await table.send("ping") for _ in range(5)
            ]
            answers = []
            while len(answers) < len(sent):
                frame = await table.receive()
                if frame.get("id") in sent:
                    answers.append(frame)
            return sent, answers

    sent, answers = asyncio.run(connect())
    pongs = [frame["id"] for frame in answers if frame["t"] == "pong"]
    assert pongs == sent[1:], "none refused, none twice, none out of its order"
    of_the_seed = [frame for frame in answers if frame["id"] == sent[0]]
    assert len(of_the_seed) == 1 and of_the_seed[0].get("code") != "busy", "it waited for the seat"
