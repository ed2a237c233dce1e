"""Spectators: who may watch, what they see, and that this does not include the seats' secrets."""

import asyncio
import json
import re
import time

import pytest
import requests
from support.table import (
    CONTRACT,
    Closed,
    Player,
    Table,
    connect_all,
    new_kind,
    nobody_opens,
    open_table,
)
from support.times import promised
from support.wait import HANG_S

SEED_WAIT_MS = 60000  # the deal waits for the player's seed, however late the spectators are


@pytest.fixture
def lasting(server):
    """Games that bots cannot end before the test's third turn, which happens once in 500 deals."""
    nobody_opens(server)
    yield
    new_kind(server)


def watch(player, table, code=None):
    answer = player.post(f"/tables/{table}/spectators", {"code": code} if code else None)
    assert answer.status_code == 201, answer.text
    return answer.json()


def watching(player, table, since=None, code=None):
    return Table(player.server, table, watch(player, table, code)["ticket"], since)


def same_as_public(own, seen):
    """The event as a spectator may see it: the seat's own, without its private part."""
    if own["t"] == "drew" and own["d"]["from"] == "stock":
        own = {**own, "d": {key: value for key, value in own["d"].items() if key != "card"}}
    if own["t"] == "dealt":
        own = {**own, "d": {key: value for key, value in own["d"].items() if key != "cards"}}
    assert seen == own


def test_a_spectator_follows_a_game_from_waiting_to_the_seeds(server):
    player, guest = Player(server), Player(server)

    async def run():
        async with open_table(player) as table, watching(guest, table.table) as seen:
            assert (await seen.receive())["t"] == "waiting"
            await table.sit_down()
            snapshot = await seen.until("snapshot")
            assert snapshot["d"]["me"] is None and snapshot["d"]["hand"] == []
            playing = asyncio.create_task(table.play_out())
            await seen.until("settled", seconds=60)
            await seen.until("fairness")
            settled = await playing
            return table, seen, settled

    table, seen, settled = asyncio.run(run())
    own = {
        frame["v"]: frame for frame in table.frames if "v" in frame and frame["t"] not in ("snapshot", "ack")
    }
    public = {frame["v"]: frame for frame in seen.frames if "v" in frame and frame["t"] != "snapshot"}
    assert len(public) > 20 and set(public) == set(own)
    for v, frame in public.items():
        same_as_public(own[v], frame)
    assert sum(frame["t"] == "scored" for frame in seen.frames) == 4, "all hands are open now"
    chips = next(frame for frame in seen.frames if frame["t"] == "settled")["d"]["seats"]
    assert all(seat["silver"] is None and seat["gold"] is None for seat in chips)
    assert settled["d"]["game_id"] == next(f for f in seen.frames if f["t"] == "settled")["d"]["game_id"]
    told = [frame["d"]["n"] for frame in table.frames if frame["t"] == "watchers"]
    assert told[:1] == [1]


def test_no_frame_reveals_a_card_in_a_hand_before_the_end(server, lasting):
    player, guest = Player(server), Player(server)

    async def run():
        async with open_table(player) as table, watching(guest, table.table) as seen:
            await table.sit_down()
            await seen.until("snapshot")
            hand = set(table.hand)
            for _ in range(3):
                assert await table.my_turn_comes()
                await table.step()
                hand |= set(table.hand)
            shown = {
                card
                for frame in table.frames
                for card in re.findall(r'"([A2-9TJQK][CSHD][12]|X\d)"', json.dumps(frame))
                if frame["t"] in ("discarded", "melded", "laid_off", "swapped")
            }
            while seen.v < table.v:
                await seen.receive()
            assert not any(frame["t"] == "scored" for frame in seen.frames)
            text = json.dumps(seen.frames)
            discards = set(
                re.findall(
                    r'"([A2-9TJQK][CSHD][12]|X\d)"',
                    json.dumps([f for f in seen.frames if f["t"] != "snapshot"]),
                )
            )
            for card in hand - shown - discards:
                snapshot = next(f for f in seen.frames if f["t"] == "snapshot")
                if card not in snapshot["d"]["discard"]:
                    assert card not in text, card

    asyncio.run(run())


def test_spectators_can_join_late_and_reconnect(server, lasting):
    player, guest = Player(server), Player(server)

    async def run():
        async with open_table(player) as table:
            await table.sit_down()
            await table.my_turn_comes()
            async with watching(guest, table.table) as seen:
                first = await seen.receive()
                assert first["t"] == "snapshot" and first["v"] >= table.v
                at = seen.v
            await table.step()
            async with watching(guest, table.table, since=at) as again:
                while again.v < table.v:
                    frame = await again.receive()
                    assert frame["t"] != "snapshot"

    asyncio.run(run())


def test_a_spectator_cannot_play(server):
    player, guest = Player(server), Player(server)

    async def run():
        async with open_table(player) as table, watching(guest, table.table) as seen:
            await seen.receive()
            for kind, d in (
                ("seed", {"seed": "00" * 16}),
                ("leave", None),
                ("draw", {"from": "stock"}),
                ("legal", {}),
            ):
                nack = await seen.do(kind, d)
                assert (nack["t"], nack["code"]) == ("nack", "not_seated")
            assert (await seen.do("ping"))["t"] == "pong"

    asyncio.run(run())


def test_spectators_without_access_are_refused(server, cluster):
    player, guest = Player(server), Player(server)
    seat = player.take_seat()
    table = seat["table_id"]
    assert player.post(f"/tables/{table}/spectators").json()["code"] == "has_seat"
    assert guest.post("/tables/999999/spectators").json()["code"] == "no_such_table"
    assert guest.post(f"/tables/{table}/spectators", {"code": ""}).json()["code"] == "bad_length"
    assert guest.post(f"/tables/{table}/spectators", {"cod": "x"}).json()["code"] == "unknown_member"
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tables SET watch_delay_ms = NULL WHERE id = %s", (table,))
        answer = guest.post(f"/tables/{table}/spectators")
        cursor.execute(
            "UPDATE tables SET watch_delay_ms = 0 WHERE id = %s", (table,)
        )  # other players may still sit down there
    connection.close()
    assert (answer.status_code, answer.json()["code"]) == (403, "not_watchable")


def test_a_spectator_ticket_is_valid_for_one_table_and_one_use(server):
    player, guest = Player(server), Player(server)
    table, other = player.take_seat()["table_id"], Player(server).take_seat()["table_id"]

    async def code(table, ticket):
        async with Table(server, table, ticket) as it:
            return await it.until_closed()

    ticket = watch(guest, table)["ticket"]
    if other != table:
        assert asyncio.run(code(other, ticket)) == 4401

    async def use():
        async with Table(server, table, ticket) as it:
            await it.receive()

    asyncio.run(use())
    assert asyncio.run(code(table, ticket)) == 4401


def test_the_same_key_gives_the_same_ticket(server):
    player, guest = Player(server), Player(server)
    table = player.take_seat()["table_id"]
    headers = {**guest.headers, "Idempotency-Key": "watch-1"}
    answers = [
        requests.post(f"{server.url}/v1/tables/{table}/spectators", headers=headers, timeout=HANG_S)
        for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json() and answers[0].status_code == 201


def open_own(player, **body):
    answer = player.post("/tables", {"variant": "rummy51", "seats": 2, **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_table_is_watched_as_its_creator_chose(server):
    player, guest = Player(server), Player(server)
    public, unseen, private = (
        open_own(player, visibility=visibility, **more)
        for visibility, more in (
            ("public", {"watch_delay_ms": 60000}),
            ("public", {"watch_delay_ms": None}),
            ("private", {}),
        )
    )
    assert watch(guest, public["table_id"])["delay_ms"] == 60000
    refused = guest.post(f"/tables/{unseen['table_id']}/spectators")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_watchable")
    assert guest.post(f"/tables/{private['table_id']}/spectators").json()["code"] == "no_such_table"
    assert watch(guest, private["table_id"], private["code"])["delay_ms"] == 0
    listed = {item["table_id"]: item["watch_delay_ms"] for item in guest.get("/tables").json()["items"]}
    assert (listed[public["table_id"]], listed[unseen["table_id"]]) == (60000, None)
    for table in (public, unseen, private):
        assert (
            requests.delete(
                f"{server.url}/v1/tables/{table['table_id']}/seats/me", headers=player.headers, timeout=HANG_S
            ).status_code
            == 204
        )


def test_a_room_table_has_the_watch_delay_of_its_room(server, cluster):
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET watch_delay_ms = 2000, seats_n = 3 WHERE id = 'tundra'")
        cursor.execute(
            "INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node,"
            " server_seed, commit, fill_at, state) SELECT id, variant, params, seats_n, 0, 0, 0, (SELECT name"
            " FROM nodes), sha256(''), sha256(''), now(), 'cancelled' FROM rooms WHERE id = 'tundra'"
            " RETURNING watch_delay_ms"
        )
        assert cursor.fetchone() == (2000,)
    connection.close()


def test_spectators_see_events_after_the_delay(server, lasting):
    """The creator set 2 s: a spectator sees events 2 s later than a seat, and no clock."""
    player, guest = Player(server), Player(server)

    async def run():
        seat = await asyncio.to_thread(open_own, player, bots=1, watch_delay_ms=2000)
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            answer = await asyncio.to_thread(watch, guest, seat["table_id"], seat["code"])
            assert answer["delay_ms"] == 2000
            async with Table(server, seat["table_id"], answer["ticket"]) as seen:
                await table.sit_down()
                await seen.until("snapshot")
                assert await table.my_turn_comes()
                at = time.monotonic()
                await table.step()
                v = table.v
                while seen.v < v:
                    await seen.receive()
                assert time.monotonic() - at >= 1.9
                assert not any(frame["t"] == "clock" for frame in seen.frames)

    asyncio.run(run())


@pytest.mark.parametrize("n", [1000])
def test_a_thousand_spectators_follow_one_table(server, lasting, n):
    """All of them follow it without a gap, and the table does not wait for them."""
    player, guest = Player(server), Player(server)

    async def tickets(table, wanted):
        """Requests tickets just before they are used, because they expire after a minute."""
        limit = asyncio.Semaphore(8)

        async def one():
            async with limit:
                return (await asyncio.to_thread(watch, guest, table))["ticket"]

        return await asyncio.gather(*(one() for _ in range(wanted)))

    async def run():
        async with open_table(player) as table:
            await table.sit_down()
            all_seen = []
            for _ in range(0, n, 100):
                some = [Table(server, table.table, ticket) for ticket in await tickets(table.table, 100)]
                for seen in some:
                    seen.checked = False
                await connect_all(some)
                all_seen += some
            await asyncio.gather(*(seen.until("snapshot", seconds=60) for seen in all_seen))
            assert await table.my_turn_comes()
            slowest = 0
            for _ in range(2):
                if table.phase == "over":
                    break
                began = time.monotonic()
                await table.step()
                slowest = max(slowest, time.monotonic() - began)
            v = table.v

            async def catch_up(seen):
                while seen.v < v:
                    await seen.receive(60)

            await asyncio.gather(*(catch_up(seen) for seen in all_seen))
            assert {seen.v >= v for seen in all_seen} == {True}
            await asyncio.gather(*(seen.__aexit__() for seen in all_seen))
            promised(f"a move that {n} spectators see", slowest, 2)

    try:
        asyncio.run(run())
    except Closed as closed:
        raise AssertionError(f"closed with {closed.code}") from None
    assert "watchers" in CONTRACT.seen
