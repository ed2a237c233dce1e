"""Invalid frames get their named error, nothing crashes, and a client that keeps sending them is
disconnected."""

import asyncio
import contextlib
import json

import pytest
import websockets
from support.after import SANITIZER_KIB, resident_kib
from support.frames import frame, write_frame
from support.table import Player, Table, new_kind, open_table

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
def test_invalid_frames_get_a_named_error(server, text, code, command):
    async def send(table):
        await table.socket.send(text)
        return await table.until("nack")

    frame = talk(server, send)
    assert (frame["code"], frame["id"]) == (code, command)


def test_invalid_utf8_is_refused(server):
    async def send(table):
        # The library accepts only str for a text frame, so this passes the bytes to its connection
        # unchanged.
        await write_frame(table.socket, True, 1, b'{"t":"ping","id":"\xff"}')
        return await table.until("nack")

    assert talk(server, send)["code"] == "bad_utf8"


def test_binary_frames_are_refused(server):
    async def send(table):
        await table.socket.send(b'{"t":"ping","id":"a"}')
        return await table.until("nack")

    assert talk(server, send)["code"] == "bad_frame"


def test_the_socket_keeps_working_after_a_frame_that_is_too_big(server):
    async def send(table):
        await table.socket.send('{"t":"ping","id":"a","x":"' + "x" * 100000 + '"}')
        nack = await table.until("nack")
        assert nack["code"] == "frame_too_big"
        await table.socket.send(json.dumps({"t": "ping", "id": "p"}).ljust(8192))
        return await table.until("pong")

    assert talk(server, send)["id"] == "p"


def test_a_frame_one_byte_over_the_limit_is_refused(server):
    async def send(table):
        await table.socket.send(json.dumps({"t": "ping", "id": "p"}).ljust(8193))
        return await table.until("nack", "pong")

    assert talk(server, send)["code"] == "frame_too_big"


def test_a_fragmented_message_is_read(server):
    async def send(table):
        async def pieces():
            yield '{"t":"pi'
            yield 'ng","id"'
            yield ':"in-pieces"}'

        await table.socket.send(pieces())
        return await table.until("pong")

    assert talk(server, send)["id"] == "in-pieces"


def test_repeated_garbage_closes_the_socket(server):
    async def send(table):
        for _ in range(20):
            try:
                await table.socket.send("garbage")
            except websockets.ConnectionClosed:
                break
        return await table.until_closed()

    assert talk(server, send) == 1008


def test_the_sixth_invalid_frame_closes_the_socket(server):
    async def send(table):
        with contextlib.suppress(websockets.ConnectionClosed):
            for _ in range(8):
                await table.socket.send("garbage")
        assert await table.until_closed() == 1008
        return [frame["code"] for frame in table.frames if frame["t"] == "nack"]

    assert talk(server, send) == ["bad_json"] * 6


PING = b'{"t":"ping","id":"a"}'
NO_FRAMES = {
    "a reserved bit": frame(0xC1, PING),
    "a reserved opcode": frame(0x83, PING),
    "a reserved control opcode": frame(0x8B, b"x"),
    "a continuation of nothing": frame(0x80, PING),
    "a control frame in pieces": frame(0x09, b"x"),
    "a control frame that is too long": frame(0x89, b"x" * 126),
    "longer than anything": b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0" + PING,
    "a new message in the middle of one": frame(0x01, b'{"t":') + frame(0x81, PING),
    "a close of no known code": frame(0x88, (7).to_bytes(2, "big")),
}


@pytest.mark.parametrize("data", NO_FRAMES.values(), ids=NO_FRAMES.keys())
def test_invalid_websocket_bytes_close_only_their_own_connection(server, data):
    player = Player(server)

    async def send():
        async with open_table(player) as table, open_table(player2) as other:
            await table.receive()
            table.socket.transport.write(data)
            code = await table.until_closed()
            assert (await other.do("ping"))["t"] == "pong"
        async with open_table(player, table.table) as again:
            assert (await again.do("ping"))["t"] == "pong", "they may come back"
        return code

    player2 = Player(server)
    assert asyncio.run(send()) in (1002, 1006, 1007, 1009)


def test_an_endless_message_is_not_kept_in_memory(server):
    """An endless sequence of fragments is not stored, it is refused once, and frames after its end are read
    again."""

    async def send(table):
        await write_frame(table.socket, False, 1, b'{"t":"ping","id":"')
        before = resident_kib(server)
        for _ in range(4000):
            await write_frame(table.socket, False, 0, b"x" * 4000)
        await (await table.socket.ping(b"all of it is there"))
        assert resident_kib(server) < before + 4096 + SANITIZER_KIB, "16 MB are not kept"
        await write_frame(table.socket, True, 0, b'"}')
        answer = await table.do("ping")
        assert answer["t"] == "pong" and [f["code"] for f in table.frames if f["t"] == "nack"] == [
            "frame_too_big"
        ]
        return answer

    assert talk(server, send)["t"] == "pong"


@pytest.mark.parametrize(
    ("pieces", "good"),
    [((b"\xc3", b"\xa4"), True), ((b"\xc3", b"\xc3\xa4"), False), ((b"\xc3\xa4", b"\xa4"), False)],
)
def test_a_character_split_between_fragments_is_checked_as_one(server, pieces, good):
    """UTF-8 is validated over the whole message."""

    async def send(table):
        await write_frame(table.socket, False, 1, b'{"t":"chat","id":"c","d":{"text":"' + pieces[0])
        await write_frame(table.socket, True, 0, pieces[1] + b'"}}')
        return await table.answer("c") if good else await table.until("nack")

    answer = talk(server, send)
    assert answer.get("code") != "bad_utf8" if good else answer["code"] == "bad_utf8", answer


def test_flooding_closes_the_socket(new_server):
    server = new_server()

    async def flood(table):
        try:
            for k in range(500):
                await table.socket.send(json.dumps({"t": "ping", "id": f"p{k}"}))
        except websockets.ConnectionClosed:
            pass
        return await table.until_closed()

    assert talk(server, flood) == 4429


def test_commands_at_a_human_pace_are_not_flooding(new_server):
    server = new_server()

    async def click(table):
        for _ in range(60):
            await table.do("ping")
            await asyncio.sleep(0.05)  # lapse: the pace of a human player
        return "fine"

    assert talk(server, click) == "fine"


def test_pings_of_the_client_library_are_answered(server):
    async def ping(table):
        await (await table.socket.ping(b"hello"))
        return "fine"

    assert talk(server, ping) == "fine"


def test_a_socket_cut_in_the_middle_of_a_frame_affects_nothing_else(server):
    """A socket that breaks in the middle of a message affects nothing else."""
    player = Player(server)

    async def cut():
        async with open_table(player) as table:
            await table.receive()
            await write_frame(table.socket, False, 1, b'{"t":"pi')
            table.socket.transport.abort()
        async with open_table(player, table.table) as again:
            return await again.do("ping")

    assert asyncio.run(cut())["t"] == "pong"


def test_commands_to_a_finished_table_are_refused(server):
    player = Player(server)
    new_kind(server)  # avoids a table that still waits with players of other tests, who have left

    async def play():
        seat = player.take_seat()
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await table.play_out()
            return await table.do("draw", {"from": "stock"})

    assert asyncio.run(play())["code"] == "table_over"
