"""A game at a table that a player opened."""

import asyncio

import pytest
from support.table import Player, Table, new_kind, open_table


def test_a_private_game_with_bots_starts_at_once_and_moves_no_chips(server):
    player = Player(server)
    before = player.silver()
    seat = player.post("/tables", {"variant": "rummy51", "seats": 3, "bots": 2, "bot_level": "easy"}).json()

    async def play():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            settled = await table.play_out()
            return table, settled

    table, settled = asyncio.run(play())
    waiting = table.frames[0]
    assert (waiting["t"], waiting["d"]["bots_n"], waiting["d"]["starts_in_ms"]) == (
        "waiting",
        2,
        None,
    ) or waiting["t"] == "snapshot"
    snapshot = next(frame for frame in table.frames if frame["t"] == "snapshot")
    assert len(snapshot["d"]["seats"]) == 3 and snapshot["d"]["table"]["visibility"] == "private"
    own = settled["d"]["seats"][table.me]
    assert (own["clover"], own["silver"], own["gold"], own["rating"]) == (0, 0, 0, None)
    assert all(s["points"] > 0 for s in settled["d"]["seats"]), "bots have their points too"
    assert player.silver() == before
    game = player.get(f"/games/{settled['d']['game_id']}").json()
    assert (game["room"], game["rated"], game["practice"]) == (None, False, True)


OPTIONS = {
    "rummy51": (
        {"opening_min": 60, "taken_discard_in_opening": 1},
        {"opening_min": 60, "taken_discard_in_opening": 1},
    ),
    "straight": (
        {"ace": "high", "target": 300},
        {"ace_low": 0, "ace_high": 1, "ace_points": 15, "target": 300},
    ),
    "treff": ({"rounds": 5}, {"session_hands": 5}),
    "rummy40": ({"opening_min": 33, "rounds": 5}, {"opening_min": 33, "session_hands": 5}),
    "rami": ({"opening_min": 33, "rounds": 1}, {"opening_min": 33, "session_hands": 1}),
}


@pytest.mark.parametrize("variant", OPTIONS)
def test_every_option_of_a_meld_game_applies_to_the_table(server, variant):
    """tests/vectors tests the effect of each option."""
    options, wanted = OPTIONS[variant]
    player = Player(server)
    known = next(v for v in player.get("/variants").json()["items"] if v["id"] == variant)["options"]
    assert {option["name"] for option in known} == {*options, "turn_s", "hand_s"}
    usual = {option["name"]: option["default_word"] or option["default"] for option in known}
    assert all(usual[name] != value for name, value in options.items())
    seat = player.post(
        "/tables", {"variant": variant, "seats": 2, "bots": 1, "options": {**options, "turn_s": 45}}
    ).json()

    async def look():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            snapshot = next(frame for frame in table.frames if frame["t"] == "snapshot")["d"]
            while not any(frame["t"] == "clock" for frame in table.frames):
                await table.receive()
            return snapshot, next(frame for frame in table.frames if frame["t"] == "clock")["d"]

    snapshot, clock = asyncio.run(look())
    assert {name: snapshot["params"][name] for name in wanted} == wanted
    assert snapshot["params"]["turn_s"] == 45 and clock["turn_ms"] == 45000
    assert snapshot["turn"]["opening_min"] == wanted.get("opening_min", 0)


@pytest.fixture
def short_wait(server, cluster):
    """Makes tables that players open wait 1 s for players."""
    with cluster.connect(server.database) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT value FROM settings WHERE name = 'open_table_wait_ms'")
        (before,) = cursor.fetchone()
        cursor.execute("UPDATE settings SET value = '1000' WHERE name = 'open_table_wait_ms'")
        connection.commit()
        yield
        cursor.execute("UPDATE settings SET value = %s WHERE name = 'open_table_wait_ms'", (before,))


def test_an_empty_table_is_canceled_at_its_deadline_with_a_refund(server, short_wait):
    player = Player(server)
    before = player.silver()
    answer = player.post("/tables", {"variant": "straight", "seats": 2, "visibility": "public", "stake": 10})
    assert answer.status_code == 201, answer.text
    seat = answer.json()
    assert player.silver() == before - 10

    async def wait():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            assert (await table.receive())["d"]["variant"] == "straight", (
                "a waiting player gets the rules of the table"
            )
            assert (await table.until("cancelled"))["d"] == {"reason": "not_enough_players"}
            assert await table.until_closed() == 1000

    asyncio.run(wait())
    assert player.silver() == before
    late = Player(server, "Boris").post(f"/tables/{seat['table_id']}/seats")
    assert (late.status_code, late.json()["code"]) == (409, "table_over")


# --- only the host of a private table can start it with bots in the free seats, and only there ---


def opened(host, **more):
    answer = host.post("/tables", {"variant": "rummy51", "seats": 4, "bots": 0, "bot_level": "easy", **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def joined(guest, seat):
    answer = guest.post(f"/tables/by-code/{seat['code']}/seats")
    assert answer.status_code == 201, answer.text
    return answer.json()


def sitting(server, seat):
    return Table(server, seat["table_id"], seat["ticket"])


async def shows(table, people):
    """Returns the waiting table once this many players sit there."""
    while True:
        frame = await table.until("waiting")
        if sum(seat["player_id"] is not None for seat in frame["d"]["seats"]) == people:
            return frame["d"]


def test_only_the_host_starts_with_bots_and_the_rematch_keeps_them(server):
    host, guest = Player(server), Player(server, "Ben")
    before = host.silver(), guest.silver()
    mine = opened(host)
    theirs = joined(guest, mine)

    async def play():
        async with sitting(server, mine) as a, sitting(server, theirs) as b:
            waiting = await shows(b, 2)
            assert (waiting["host"], waiting["bots"], waiting["starts_in_ms"]) == (mine["seat"], False, None)
            assert (await b.do("ready"))["code"] == "not_host"
            assert (await b.do("ready", seat=mine["seat"]))["t"] == "nack", (
                "a player cannot ask on behalf of another seat"
            )
            assert (await a.do("ready", {"bots": 4}))["code"] == "unknown_member"
            assert [(await a.do("ready"))["t"] for _ in range(2)] == ["ack", "ack"], "twice is once"
            snapshot = (await a.until("snapshot"))["d"]
            assert [seat["bot"] for seat in snapshot["seats"]] == [False, False, True, True]
            await b.until("snapshot")
            assert (await a.do("ready"))["code"] == "not_between_hands"
            await asyncio.gather(a.play_out(), b.play_out())

    asyncio.run(play())
    assert (host.silver(), guest.silver()) == before
    again = [player.post(f"/tables/{mine['table_id']}/rematch") for player in (guest, host)]
    assert [answer.status_code for answer in again] == [201, 201], [answer.text for answer in again]

    async def once_more():
        async with open_table(host, again[1].json()["table_id"]) as a:
            await a.sit_down()
            return a.frames

    frames = asyncio.run(once_more())
    assert sum(seat["bot"] for seat in next(f for f in frames if f["t"] == "snapshot")["d"]["seats"]) == 2


def test_the_host_can_start_before_reading_any_frame(server):
    host = Player(server)
    seat = opened(host, seats=2)

    async def early():
        async with sitting(server, seat) as table:
            assert (await table.do("ready"))["t"] == "ack", "before any frame was read"
            assert len((await table.until("snapshot"))["d"]["seats"]) == 2
            assert (await table.do("leave"))["t"] == "ack"

    asyncio.run(early())


def test_a_player_who_joins_during_the_start_has_a_seat_and_bots_the_rest(server):
    """In whatever order the newcomer's request and the start are processed."""
    for _ in range(3):
        host, guest = Player(server), Player(server, "Ben")
        seat = opened(host, seats=3)

        async def meet(host=host, guest=guest, seat=seat):
            async with sitting(server, seat) as table:
                await table.until("waiting")
                await table.send("ready")
                answer = await asyncio.to_thread(guest.post, f"/tables/by-code/{seat['code']}/seats")
                seats = (await table.until("snapshot"))["d"]["seats"]
                people = [each["player_id"] for each in seats if not each["bot"]]
                late = answer.status_code == 409 and answer.json()["code"] == "table_full"
                assert people == ([host.id] if late else [host.id, guest.id]), answer.text
                assert sum(each["bot"] for each in seats) == 3 - len(people)
                await table.send("leave")

        asyncio.run(meet())


@pytest.mark.parametrize("chips", [{}, {"stake": 10}])
def test_a_public_table_waits_for_human_players(server, chips):
    host = Player(server)
    before = host.silver()
    seat = opened(host, variant="straight", seats=2, visibility="public", **chips)

    async def ask():
        async with sitting(server, seat) as table:
            assert (await table.until("waiting"))["d"]["host"] is None
            answer = await table.do("ready")
            await table.send("leave")
            assert await table.until_closed() == 4000
            return answer

    assert asyncio.run(ask())["code"] == "no_bots_here"
    assert host.silver() == before


def test_a_room_table_has_no_host(server):
    new_kind(server)
    player = Player(server)
    seat = player.take_seat()

    async def look():
        async with sitting(server, seat) as table:
            assert (await table.until("waiting"))["d"]["host"] is None
            await table.send("leave")

    asyncio.run(look())


def test_a_spectator_cannot_start_the_game(server):
    host, other = Player(server), Player(server, "Eve")
    seat = opened(host)
    answer = other.post(f"/tables/{seat['table_id']}/spectators", {"code": seat["code"]})
    assert answer.status_code == 201, answer.text

    async def ask():
        async with sitting(server, {**seat, **answer.json()}) as table:
            assert (await table.until("waiting"))["d"]["host"] == seat["seat"]
            return await table.do("ready")

    assert asyncio.run(ask())["t"] == "nack"
