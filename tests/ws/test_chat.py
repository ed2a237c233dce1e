"""Chat and emotes over real sockets: stored before delivery, delivered once, and not to players who muted the
author."""

import asyncio
import contextlib
import json
import uuid
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import requests
from support.frames import write_frame
from support.rounds import seated, sit_down
from support.table import Player, Table, open_table
from support.wait import HANG_S
from test_spectators import watching


class Pair:
    """Two players at one table of a room that waits for them."""

    def __init__(self, server):
        self.one, self.two = Player(server, "One"), Player(server, "Two")
        self.a = self.one.take_seat()
        self.b = self.two.take_seat()
        # one of them filled a table that another test has left
        while self.a["table_id"] != self.b["table_id"]:
            self.a, self.b = self.b, self.one.take_seat()
            self.one, self.two = self.two, self.one
        self.table = self.a["table_id"]

    def sockets(self):
        return (
            Table(self.one.server, self.table, self.a["ticket"]),
            Table(self.two.server, self.table, self.b["ticket"]),
        )


@pytest.fixture
def pair(server, cluster):
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 3600000")
    yield Pair(server)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 500")
        cursor.execute("UPDATE tables SET fill_at = now() WHERE state = 'waiting'")
    connection.close()


def run(pair, what):
    async def both():
        one, two = pair.sockets()
        async with one, two:
            await one.receive()
            await two.receive()
            answer = await what(one, two)
            for table in (one, two):
                await table.send("leave")
                await table.until_closed()
            return answer

    return asyncio.run(both())


async def heard(table, kind="chat", seconds=HANG_S):
    return (await table.until(kind, seconds=seconds))["d"]


@pytest.mark.quick("chat", "emote")
def test_messages_are_delivered_stored_and_acknowledged(pair):
    async def talk(one, two):
        said = await one.send("chat", {"text": 'Hello 👋 "you"'})
        d = await heard(two)
        assert (d["seat"], d["text"]) == (pair.a["seat"], 'Hello 👋 "you"')
        assert (await one.answer(said))["t"] == "ack"
        assert [frame["d"] for frame in one.frames if frame["t"] == "chat"] == [d], "the speaker sees it too"
        await two.send("emote", {"name": "thanks"})
        emote = await heard(one, "emote")
        assert (emote["seat"], emote["name"]) == (pair.b["seat"], "thanks")
        assert int(emote["id"]) > int(d["id"])
        items = pair.one.get(f"/tables/{pair.table}/chat").json()["items"]
        assert [(item["seat"], item["kind"], item["text"]) for item in items] == [
            (pair.b["seat"], "emote", "thanks"),
            (pair.a["seat"], "chat", d["text"]),
        ]
        first = pair.one.get(f"/tables/{pair.table}/chat?limit=1").json()
        rest = pair.one.get(f"/tables/{pair.table}/chat?limit=1&cursor={first['next']}").json()
        assert (first["items"] + rest["items"], rest["next"]) == (items, None)
        foreign = Player(pair.one.server)
        assert (
            foreign.get(f"/tables/{pair.table}/chat").status_code,
            foreign.get(f"/tables/{pair.table}/chat").json()["code"],
        ) == (403, "not_seated")
        assert foreign.get("/tables/999999/chat").json()["code"] == "no_such_table"

    run(pair, talk)


def test_a_repeated_command_is_delivered_once(pair):
    async def talk(one, two):
        first = await one.do("chat", {"text": "once"}, id="say-1")
        again = await one.do("chat", {"text": "once"}, id="say-1")
        assert first == again and first["t"] == "ack"
        await one.do("chat", {"text": "twice"}, id="say-2")
        assert (await heard(two))["text"] == "once"
        assert (await heard(two))["text"] == "twice"

    run(pair, talk)


BAD = [
    ({"text": ""}, "bad_text"),
    ({"text": "   "}, "bad_text"),
    ({"text": "x" * 201}, "bad_text"),
    ({"text": "a\nb"}, "bad_text"),
    ({"text": "\u202eabc"}, "bad_text"),
    ({"text": 7}, "wrong_type"),
    ({}, "missing_member"),
    (None, "missing_member"),
    ({"text": "a", "to": 2}, "unknown_member"),
    ({"name": "thanks"}, "unknown_member"),
]


@pytest.mark.parametrize("d,code", BAD, ids=[f"{code}-{i}" for i, (_, code) in enumerate(BAD)])
def test_invalid_messages_and_emotes_are_refused(server, d, code):
    player = Player(server)

    async def talk():
        async with open_table(player) as table:
            nack = await table.do("chat", d)
            assert (nack["t"], nack["code"]) == ("nack", code)
            assert (await table.do("emote", {"name": "rude"}))["code"] == "unknown_emote"

    asyncio.run(talk())
    assert player.get("/wallet").status_code == 200


FREE_TEXT = json.loads((Path(__file__).parents[1] / "texts" / "free_text.json").read_text(encoding="utf-8"))


def test_chat_follows_the_rule_for_all_free_text(pair):
    """A sample: a seat may send five messages in ten seconds, and a socket that sends bad frames is
    closed."""
    refused = ["an override that is closed", "an open isolate", "tags without a flag", "a tower of marks"]
    accepted = [
        "Persian, with non-joiner",
        "Sinhala, with joiner",
        "Emoji, family",
        "Emoji, flag of Scotland",
    ]

    async def talk(one, two):
        for name in refused:
            assert (await one.do("chat", {"text": FREE_TEXT["refused"][name]})).get("code") == "bad_text", (
                name
            )
        for name in accepted:
            assert (await one.do("chat", {"text": FREE_TEXT["accepted"][name]}))["t"] == "ack", name
            assert (await heard(two))["text"] == FREE_TEXT["accepted"][name], name
        assert (await one.do("chat", {"text": "👍" * 200}))["t"] == "ack", (
            "200 code points, of four bytes each"
        )

    run(pair, talk)


def test_invalid_utf8_and_escaped_control_characters_are_refused(server):
    player = Player(server)

    async def talk():
        async with open_table(player) as table:
            await table.receive()
            await write_frame(table.socket, True, 1, b'{"t":"chat","id":"a","d":{"text":"\xff"}}')
            assert (await table.until("nack"))["code"] == "bad_utf8"
            for text in ("\\u0000", "\\u001b[2J", "\\ud800", "\\u202e"):
                await table.socket.send('{"t":"chat","id":"b","d":{"text":"%s"}}' % text)
                assert (await table.until("nack"))["code"] in ("bad_text", "bad_json"), text

    asyncio.run(talk())


def test_messages_over_the_rate_limit_are_refused_and_not_delivered(pair):
    async def talk(one, two):
        # Sends them together, because the server counts the messages within 10 s.
        sent = [await one.send("chat", {"text": f"n{i}"}, id=f"n{i}") for i in range(6)]
        told = {}
        while len(told) < len(sent):  # a refusal overtakes messages that wait for the database
            frame = await one.receive()
            if frame.get("id") in sent:
                told[frame["id"]] = frame
        answers = [told[id] for id in sent]
        assert [answer["t"] for answer in answers] == ["ack"] * 5 + ["nack"]
        assert answers[5]["code"] == "chat_too_fast"
        repeated = await one.do("chat", {"text": "n0"}, id="n0")
        # The version is the table's, which may have advanced meanwhile.
        assert {**repeated, "v": 0} == {**answers[0], "v": 0}, "a repeat has its answer all the same"
        assert (await two.do("chat", {"text": "I may"}))["t"] == "ack"
        texts = [frame["d"]["text"] for frame in two.frames if frame["t"] == "chat"]
        assert texts == ["n0", "n1", "n2", "n3", "n4", "I may"]

    run(pair, talk)


def test_unstored_messages_of_a_seat_are_limited(pair, cluster, server):
    """While the database cannot store messages, repeats do not pile up: the sixth is refused."""

    async def talk(one, two):
        with contextlib.closing(cluster.session(server.database)) as connection:
            connection.cursor().execute("LOCK TABLE table_chat IN EXCLUSIVE MODE")
            for _ in range(6):
                await one.send("chat", {"text": "Anyone?"}, id="same")
            answers = [await one.answer("same")]
            connection.rollback()
        answers += [await one.answer("same") for _ in range(5)]
        assert [(answer["t"], answer.get("code")) for answer in answers] == [
            ("nack", "busy"),
            *[("ack", None)] * 5,
        ]
        assert (await two.do("chat", {"text": "Yes"}))["t"] == "ack"
        assert [frame["d"]["text"] for frame in two.frames if frame["t"] == "chat"] == ["Anyone?", "Yes"]

    run(pair, talk)


def mark(player, path, on):
    """Mutes or blocks a player, sends a friend request, or undoes one of these."""
    ask = requests.put if on else requests.delete
    return ask(player.server.url + "/v1" + path, headers=player.headers, timeout=HANG_S)


def test_messages_of_a_muted_player_do_not_reach_the_player_who_muted_them(pair):
    async def talk(one, two):
        answer = mark(pair.two, f"/players/{pair.one.id}/mute", True)
        assert answer.json() == {"player_id": pair.one.id, "muted": True, "blocked": False}
        assert (await one.do("chat", {"text": "hidden"}))["t"] == "ack"
        assert (await one.do("emote", {"name": "wow"}))["t"] == "ack"
        assert mark(pair.two, f"/players/{pair.one.id}/mute", False).json()["muted"] is False
        assert (await one.do("chat", {"text": "heard"}))["t"] == "ack"
        assert (await heard(two))["text"] == "heard"
        assert not any(frame["t"] == "emote" for frame in two.frames)

    run(pair, talk)
    assert pair.two.get("/me/blocks").json()["items"] == []


def test_messages_of_a_blocked_player_are_hidden_at_a_shared_table(server):
    people = [Player(server, name) for name in ("One", "Two")]

    async def talk():
        async with AsyncExitStack() as stack:
            one, two = (
                await sit_down(
                    stack, server, seated(people, "rummy51", visibility="private", options={"turn_s": 120})
                )
            ).values()
            assert mark(people[1], f"/players/{people[0].id}/block", True).json()["blocked"] is True
            assert (await one.do("chat", {"text": "hidden"}))["t"] == "ack"
            lines = f"/tables/{one.table}/chat"
            assert (
                people[1].get(lines).json()["items"] == [] and len(people[0].get(lines).json()["items"]) == 1
            )
            mark(people[1], f"/players/{people[0].id}/block", False)
            assert (await one.do("chat", {"text": "heard"}))["t"] == "ack"
            assert (await heard(two))["text"] == "heard"

    asyncio.run(talk())


def test_muting_oneself_or_an_unknown_player_is_refused(server):
    player = Player(server)
    assert mark(player, f"/players/{player.id}/mute", True).json()["code"] == "no_such_other"
    assert mark(player, "/players/999999/mute", True).json()["code"] == "no_such_other"
    assert mark(player, "/players/x/mute", True).json()["code"] == "bad_parameter"


def test_players_muted_by_an_operator_cannot_send_chat(pair, cluster):
    connection = cluster.connect(pair.one.server.database)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE players SET chat_muted_until = now() + interval '1 hour' WHERE id = %s", (pair.one.id,)
        )
    connection.close()

    async def talk(one, two):
        assert (await one.do("chat", {"text": "no"}))["code"] == "chat_muted"
        assert (await two.do("chat", {"text": "yes"}))["t"] == "ack"

    run(pair, talk)


def test_spectators_receive_chat_and_cannot_send(pair):
    guest = Player(pair.one.server)

    async def talk(one, two):
        async with watching(guest, pair.table) as seen:
            await seen.receive()
            await one.do("chat", {"text": "for all"})
            assert (await heard(seen))["text"] == "for all"
            assert (await seen.do("chat", {"text": "from outside"}))["code"] == "not_seated"
            assert (await two.do("ping"))["t"] == "pong"
            assert not any("from outside" in json.dumps(frame) for frame in one.frames + two.frames)

    run(pair, talk)


def test_a_seat_at_the_own_table_is_reported_once(pair):
    def report(player, body, table=pair.table):
        return player.post(f"/tables/{table}/reports", body)

    first = report(pair.one, {"seat": pair.b["seat"], "reason": "insult", "text": "Look at the chat."})
    assert first.status_code == 201
    assert report(pair.one, {"seat": pair.b["seat"], "reason": "other"}).json() == first.json(), (
        "one for a table"
    )
    assert (
        report(pair.one, {"seat": pair.a["seat"], "reason": "other"}).json()["code"] == "no_such_seat_there"
    )
    assert report(pair.one, {"seat": 3, "reason": "other"}).json()["code"] == "no_such_seat_there"
    assert report(pair.one, {"seat": 9, "reason": "other"}).json()["code"] == "out_of_range"
    assert report(pair.one, {"seat": 1, "reason": "ugly"}).json()["code"] == "bad_format"
    stranger = Player(pair.one.server)
    assert report(stranger, {"seat": 1, "reason": "other"}).json()["code"] == "no_such_table"
    for player, seat in ((pair.one, pair.a), (pair.two, pair.b)):
        import requests

        url = f"{player.server.url}/v1/tables/{pair.table}/seats/me"
        assert requests.delete(url, headers=player.headers, timeout=HANG_S).status_code == 204, seat


def test_the_game_record_contains_no_chat(new_server, cluster):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=300)
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 500")
    connection.close()
    player = Player(server)
    word = uuid.uuid4().hex

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            assert (await table.do("chat", {"text": word}))["t"] == "ack"
            return await table.play_out()

    settled = asyncio.run(play())
    game = settled["d"]["game_id"]
    assert word not in player.get(f"/games/{game}/record").text
    assert word not in player.get(f"/games/{game}").text
    assert word not in server.log()
