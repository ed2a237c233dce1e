"""Frames that are not right get their named error; nothing crashes, and who goes on is closed."""

import asyncio
import json
import time

import pytest
import websockets
from support.table import Player, Table, open_table

BAD = [
    ("", "bad_json", None),
    ("{", "bad_json", None),
    ("[]", "bad_json", None),
    ("null", "bad_json", None),
    ('{"t":"ping","id":"a","id":"b"}', "duplicate_member", None),
    ('{"t":"ping"}', "missing_member", None),
    ('{"t":"ping","id":7}', "wrong_type", None),
    ('{"t":"ping","id":""}', "bad_length", None),
    ('{"t":"ping","id":"ä"}', "bad_format", None),
    ('{"id":"a"}', "missing_member", "a"),
    ('{"t":"fly","id":"a"}', "unknown_type", "a"),
    ('{"t":7,"id":"a"}', "wrong_type", "a"),
    ('{"t":"ping","id":"a","x":1}', "unknown_member", "a"),
    ('{"t":"ping","id":"a","d":[]}', "wrong_type", "a"),
    ('{"t":"ping","id":"a","base":4294967297}', "out_of_range", "a"),
    ('{"t":"ping","id":"a","base":1.0}', "wrong_type", "a"),
    ('{"t":"draw","id":"a"}', "missing_member", "a"),
    ('{"t":"draw","id":"a","d":{"from":"sleeve"}}', "bad_format", "a"),
    ('{"t":"meld","id":"a","d":{"cards":[]}}', "bad_length", "a"),
    ('{"t":"meld","id":"a","d":{"cards":["1H1"]}}', "bad_format", "a"),
    ('{"t":"lay_off","id":"a","d":{"card":"TH1","meld":99}}', "out_of_range", "a"),
    ('{"t":"seed","id":"a","d":{"seed":"00"}}', "bad_seed", "a"),
    ("[" * 8000, "bad_json", None),
]


def talk(server, what):
    """Runs what(table) on a socket of a new player's waiting or running table."""
    player = Player(server)

    async def run():
        async with open_table(player) as table:
            await table.receive()
            return await what(table)

    return asyncio.run(run())


@pytest.mark.parametrize("text,code,command", BAD, ids=[f"{code}-{i}" for i, (_, code, _) in enumerate(BAD)])
def test_named_errors(server, text, code, command):
    async def send(table):
        await table.socket.send(text)
        return await table.until("nack")

    frame = talk(server, send)
    assert (frame["code"], frame["id"]) == (code, command)


def test_not_utf8(server):
    async def send(table):
        # A text frame of the library must be a str: give the bytes to its connection as they are.
        await table.socket.write_frame(True, 1, b'{"t":"ping","id":"\xff"}')
        return await table.until("nack")

    assert talk(server, send)["code"] == "bad_utf8"


def test_binary(server):
    async def send(table):
        await table.socket.send(b'{"t":"ping","id":"a"}')
        return await table.until("nack")

    assert talk(server, send)["code"] == "bad_frame"


def test_too_big_and_then_it_goes_on(server):
    async def send(table):
        await table.socket.send('{"t":"ping","id":"a","x":"' + "x" * 100000 + '"}')
        nack = await table.until("nack")
        assert nack["code"] == "frame_too_big"
        await table.socket.send(json.dumps({"t": "ping", "id": "p"}).ljust(8192))
        return await table.until("pong")

    assert talk(server, send)["id"] == "p"


def test_one_byte_over_the_limit(server):
    async def send(table):
        await table.socket.send(json.dumps({"t": "ping", "id": "p"}).ljust(8193))
        return await table.until("nack", "pong")

    assert talk(server, send)["code"] == "frame_too_big"


def test_in_pieces(server):
    async def send(table):
        async def pieces():
            yield '{"t":"pi'
            yield 'ng","id"'
            yield ':"in-pieces"}'

        await table.socket.send(pieces())
        return await table.until("pong")

    assert talk(server, send)["id"] == "in-pieces"


def test_garbage_again_and_again_closes(server):
    async def send(table):
        for _ in range(20):
            try:
                await table.socket.send("garbage")
            except websockets.ConnectionClosed:
                break
        return await table.until_closed()

    assert talk(server, send) == 1008


def test_flooding_closes(new_server):
    server = new_server()

    async def flood(table):
        try:
            for k in range(500):
                await table.socket.send(json.dumps({"t": "ping", "id": f"p{k}"}))
        except websockets.ConnectionClosed:
            pass
        return await table.until_closed()

    assert talk(server, flood) == 4429


def test_a_human_pace_is_no_flood(new_server):
    server = new_server()

    async def click(table):
        for k in range(60):
            await table.do("ping")
            await asyncio.sleep(0.05)
        return "fine"

    assert talk(server, click) == "fine"


def test_the_client_library_pings(server):
    async def ping(table):
        await (await table.socket.ping(b"hello"))
        return "fine"

    assert talk(server, ping) == "fine"


def test_cut_in_the_middle_of_a_frame(server):
    """A socket that dies in the middle of a message takes nothing with it."""
    player = Player(server)

    async def cut():
        async with open_table(player) as table:
            await table.receive()
            await table.socket.write_frame(False, 1, b'{"t":"pi')
            table.socket.transport.abort()
        async with open_table(player, table.table) as again:
            return await again.do("ping")

    assert asyncio.run(cut())["t"] == "pong"


def test_commands_of_a_table_that_is_over(server):
    player = Player(server)
    time.sleep(1)  # not at a table that still waits with players of other tests, who are gone

    async def play():
        seat = player.take_seat()
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await table.play_out()
            return await table.do("draw", {"from": "stock"})

    assert asyncio.run(play())["code"] == "table_over"
