"""Playing again with the same players, and who is seated with whom."""

import asyncio
import uuid

import pytest
import requests
from support.table import Player, Table, new_kind
from support.wait import HANG_S
from test_chat import mark


@pytest.fixture(scope="module")
def rooms(server, cluster):
    """Two seats, and a long wait for bots, so that players fill the tables themselves."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET seats_n = 2, fill_wait_ms = 3600000 WHERE id = 'desert'")
        yield cursor
    connection.close()


def pair(server, rooms):
    new_kind(server)
    one, two = Player(server, "One"), Player(server, "Two")
    a, b = one.take_seat(), two.take_seat()
    assert a["table_id"] == b["table_id"]
    return one, two, a, b


async def play_a_game(one, two, a, b, then=None):
    """Both play to the end; `then` runs while their sockets are still open."""
    async with (
        Table(one.server, a["table_id"], a["ticket"]) as first,
        Table(two.server, b["table_id"], b["ticket"]) as second,
    ):
        await asyncio.gather(first.sit_down(), second.sit_down())
        await asyncio.gather(first.play_out(), second.play_out())
        return await then(first, second) if then else None


def again(player, table, key=None):
    headers = {**player.headers, "Idempotency-Key": key or uuid.uuid4().hex}
    return requests.post(f"{player.server.url}/v1/tables/{table}/rematch", headers=headers, timeout=HANG_S)


def test_a_rematch_is_offered_accepted_and_played(server, rooms):
    one, two, a, b = pair(server, rooms)
    stranger = Player(server)

    async def then(first, second):
        answer = await asyncio.to_thread(again, one, a["table_id"])
        assert answer.status_code == 201, answer.text
        mine = answer.json()
        offer = (await second.until("rematch"))["d"]
        assert offer == {"table_id": mine["table_id"], "seats": [a["seat"]]}
        assert (await asyncio.to_thread(again, stranger, a["table_id"])).json()["code"] == "not_seated"
        taken = await asyncio.to_thread(stranger.take_seat)
        assert taken["table_id"] != mine["table_id"], "it waits for the others"
        theirs = (await asyncio.to_thread(again, two, a["table_id"])).json()
        assert theirs["table_id"] == mine["table_id"] and theirs["seat"] != mine["seat"]
        while True:
            offer = (await first.until("rematch"))["d"]
            if len(offer["seats"]) == 2:
                break
        return mine, theirs

    mine, theirs = asyncio.run(play_a_game(one, two, a, b, then))
    assert mine["table_id"] != a["table_id"]
    asyncio.run(play_a_game(one, two, mine, theirs))
    assert len(one.get("/games").json()["items"]) == 2
    assert again(one, a["table_id"]).json()["code"] == "rematch_over", "it has been played"


def test_repeated_requests_give_the_same_seat_whatever_the_key(server, rooms):
    one, two, a, b = pair(server, rooms)
    asyncio.run(play_a_game(one, two, a, b))
    before = one.silver()
    first = again(one, a["table_id"], "key-1").json()
    assert again(one, a["table_id"], "key-1").json() == first
    other = again(one, a["table_id"]).json()
    assert (other["table_id"], other["seat"]) == (first["table_id"], first["seat"])
    assert other["ticket"] != first["ticket"]
    rooms.execute(
        "SELECT sum(stake_silver + stake_gold) FROM seats WHERE table_id = %s", (first["table_id"],)
    )
    assert rooms.fetchone() == (10,), "one stake"
    rooms.execute("SELECT count(*) FROM seats WHERE table_id = %s", (first["table_id"],))
    assert rooms.fetchone() == (1,)
    headers = one.headers
    assert (
        requests.delete(
            f"{server.url}/v1/tables/{first['table_id']}/seats/me", headers=headers, timeout=HANG_S
        ).status_code
        == 204
    )
    assert one.silver() == before, "declined after all: the stake is back"


def test_a_rematch_is_refused_before_the_end_and_long_after(server, rooms):
    one, two, a, b = pair(server, rooms)
    assert again(one, a["table_id"]).json()["code"] == "game_running"
    assert again(one, "999999").json()["code"] == "no_such_table"
    asyncio.run(play_a_game(one, two, a, b))
    rooms.execute(
        "UPDATE tables SET ended_at = ended_at - interval '3 minutes' WHERE id = %s", (a["table_id"],)
    )
    assert again(one, a["table_id"]).json()["code"] == "rematch_over"


def test_concurrent_rematch_requests_open_one_table(server, rooms):
    one, two, a, b = pair(server, rooms)
    asyncio.run(play_a_game(one, two, a, b))

    async def both():
        return await asyncio.gather(
            *(asyncio.to_thread(again, player, a["table_id"]) for player in (one, two))
        )

    answers = [answer.json() for answer in asyncio.run(both())]
    assert answers[0]["table_id"] == answers[1]["table_id"]
    assert {answer["seat"] for answer in answers} == {0, 1}
    asyncio.run(play_a_game(one, two, *answers))


def test_a_rematch_with_a_blocked_player_is_refused(server, rooms):
    one, two, a, b = pair(server, rooms)
    asyncio.run(play_a_game(one, two, a, b))
    assert mark(two, f"/players/{one.id}/block", True).json()["blocked"] is True
    assert again(one, a["table_id"]).status_code == 201
    assert again(two, a["table_id"]).json()["code"] == "blocked"


@pytest.mark.parametrize("who", ["the newcomer", "the one who waits"])
def test_blocked_players_are_not_seated_together(server, rooms, who):
    one, two = Player(server, "One"), Player(server, "Two")
    blocker, blocked = (two, one) if who == "the newcomer" else (one, two)
    mark(blocker, f"/players/{blocked.id}/block", True)
    new_kind(server)
    a, b = one.take_seat(), two.take_seat()
    assert a["table_id"] != b["table_id"]
    mark(blocker, f"/players/{blocked.id}/block", False)
    third = Player(server)
    assert third.take_seat()["table_id"] in (a["table_id"], b["table_id"])


def test_players_of_similar_rating_are_seated_together_given_a_choice(server, rooms):
    weak, strong, newcomer, middle = (Player(server, name) for name in ("Weak", "Strong", "New", "Middle"))
    for player, rating in ((weak, 2000), (strong, 8000), (newcomer, 8300)):
        rooms.execute(
            "INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating)"
            " VALUES (%s, 'rummy51', 'all', 30, 0, 0, 0, %s)",
            (player.id, rating),
        )
    mark(weak, f"/players/{strong.id}/block", True)  # so that each of them opens a table
    new_kind(server)
    first, second = weak.take_seat(), strong.take_seat()
    assert first["table_id"] != second["table_id"]
    assert newcomer.take_seat()["table_id"] == second["table_id"], "the older table is further away"
    assert middle.take_seat()["table_id"] == first["table_id"]


def test_the_rematch_of_a_private_table_keeps_its_code(server):
    one, two = Player(server), Player(server)
    opened = one.post("/tables", {"variant": "rummy51", "seats": 2, "visibility": "private"})
    assert opened.status_code == 201, opened.text
    a = opened.json()
    b = two.post(f"/tables/by-code/{a['code']}/seats").json()
    asyncio.run(play_a_game(one, two, a, b))
    mine = again(one, a["table_id"]).json()
    assert mine["code"] == a["code"]
    assert again(two, a["table_id"]).json()["table_id"] == mine["table_id"]
    guest = Player(server)
    assert (
        guest.post(f"/tables/{mine['table_id']}/spectators", {"code": "WRONG1"}).json()["code"]
        == "no_such_table"
    )
    assert guest.post(f"/tables/{mine['table_id']}/spectators").json()["code"] == "no_such_table"
    assert guest.post(f"/tables/{mine['table_id']}/spectators", {"code": mine["code"]}).status_code == 201


def test_a_player_can_replace_a_bot_before_the_game_begins(new_server):
    """The deal waits for all seeds. After the usual 300 ms, a bot could have taken the seat permanently."""
    server = new_server(rate_limits="off", seed_wait_ms=60000)
    one, two, three = Player(server), Player(server), Player(server)
    a = one.post("/tables", {"variant": "rummy51", "seats": 3, "visibility": "public", "bots": 2}).json()
    b = two.post(f"/tables/{a['table_id']}/seats").json()
    assert b["seat"] != a["seat"]

    async def run():
        async with (
            Table(server, a["table_id"], a["ticket"]) as first,
            Table(server, b["table_id"], b["ticket"]) as second,
        ):
            await asyncio.gather(first.sit_down(), second.sit_down())
            seats = next(f for f in first.frames if f["t"] == "snapshot")["d"]["seats"]
            assert sorted(seat["bot"] for seat in seats) == [False, False, True]

    asyncio.run(run())
    assert three.post(f"/tables/{a['table_id']}/seats").json()["code"] == "table_full"


def test_a_bot_returns_when_the_player_who_replaced_it_leaves(new_server):
    """A player who took a bot's seat and leaves before the deal does not delay the others."""
    server = new_server(rate_limits="off", seed_wait_ms=60000)
    one, two = Player(server), Player(server)
    a = one.post("/tables", {"variant": "rummy51", "seats": 2, "visibility": "public", "bots": 1}).json()
    b = two.post(f"/tables/{a['table_id']}/seats").json()

    async def run():
        async with Table(server, b["table_id"], b["ticket"]) as second:
            await second.until("waiting")
            await second.send("leave")
            assert await second.until_closed() == 4000
        async with Table(server, a["table_id"], a["ticket"]) as first:
            await first.sit_down()
            seats = next(f for f in first.frames if f["t"] == "snapshot")["d"]["seats"]
            assert [seat["bot"] for seat in seats] == [False, True]

    asyncio.run(run())
