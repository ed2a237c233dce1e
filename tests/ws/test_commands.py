"""Commands: repeats, refusals, legal moves, leaving, timeouts."""

import asyncio
import datetime

import pytest
from support.table import Player, new_kind, nobody_opens, open_table


def play(server, what, player=None):
    player = player or Player(server)

    async def run():
        async with open_table(player) as table:
            return await what(table)

    return asyncio.run(run())


def test_a_repeated_id_gets_the_first_reply_even_on_another_socket(server):
    player = Player(server)

    async def first(table):
        await table.sit_down()
        await table.my_turn_comes()
        refused = await table.do(
            "discard", {"cards": ["X1" if "X1" not in table.hand else "X2"]}, id="refused"
        )
        kind, d = table.plain_move()
        done = await table.do(kind, d, id="done")
        again = await table.do(kind, d, id="done")
        assert again == done and done["t"] == "ack"
        assert await table.do("discard", {"cards": ["AH1"]}, id="refused") == refused
        return table, kind, d, done, refused

    table, kind, d, done, refused = play(server, first, player)

    async def second():
        async with open_table(player, table.table, table.v) as again:
            assert await again.do(kind, d, id="done") == done
            assert await again.do("discard", {"cards": ["AH1"]}, id="refused") == refused

    asyncio.run(second())


def test_a_stale_base_is_refused_and_a_current_one_accepted(server):
    async def base(table):
        await table.sit_down()
        await table.my_turn_comes()
        turn = table.v
        assert (await table.do("draw", {"from": "stock"}, base=turn - 1))["code"] in ("stale_base",)
        kind, d = table.plain_move()
        return await table.do(kind, d, base=turn)

    assert play(server, base)["t"] == "ack"


def test_rule_refusals_name_the_cards(server):
    async def refusals(table):
        await table.sit_down()
        await table.my_turn_comes()
        if table.phase == "draw":
            assert (await table.do("discard", {"cards": [table.throw_away()]}))["code"] == "must_draw_first"
            await table.do("draw", {"from": "stock"})
        absent = next(c for c in ("AH1", "KS2", "2D1", "9C2", "TH2", "5S1") if c not in table.hand)
        nack = await table.do("discard", {"cards": [absent]})
        assert (nack["code"], nack["cards"]) == ("card_not_held", [absent])
        assert nack["text"].endswith(".")
        return await table.do("return")

    assert play(server, refusals)["code"] == "not_away"


@pytest.mark.quick("draw", "legal", "discard")
def test_legal_lists_the_allowed_moves(server):
    async def legal(table):
        assert (await table.do("legal"))["t"] == "legal"
        await table.sit_down()
        await table.my_turn_comes()
        answer = await table.do("legal", {"hints": True})
        assert answer["v"] == table.v
        assert ("draw" in answer["d"]["types"]) == (table.phase == "draw")
        if table.phase == "discard":  # the starter has one more card and does not draw
            await table.step()
            assert await table.my_turn_comes()
        await table.do("draw", {"from": "stock"})
        answer = await table.do("legal")
        assert {move["t"] for move in answer["d"]["moves"]} <= set(answer["d"]["types"]) - {
            "meld",
            "declare",
            "group",
        }
        throws = [move for move in answer["d"]["moves"] if move["t"] == "discard"]
        assert throws and all(set(move["d"]["cards"]) <= set(table.hand) for move in throws)
        return await table.do(throws[0]["t"], throws[0]["d"])

    nobody_opens(server)
    try:
        assert play(server, legal)["t"] == "ack"
    finally:
        new_kind(server)


@pytest.mark.quick("ping")
def test_pong_contains_the_server_time(server):
    async def ping(table):
        return await table.do("ping")

    now = datetime.datetime.fromisoformat(play(server, ping)["d"]["now"].replace("Z", "+00:00"))
    assert abs((now - datetime.datetime.now(datetime.UTC)).total_seconds()) < 5


@pytest.fixture
def waiting(server):
    """Makes tables that are opened now wait, however slow this machine is, and keeps players from joining
    those of other tests."""
    look = server.promises.look
    look("UPDATE rooms SET fill_wait_ms = 600000 RETURNING id")
    new_kind(server)
    yield
    look("UPDATE rooms SET fill_wait_ms = 500, params = '' RETURNING id")


@pytest.mark.usefixtures("waiting")
def test_leaving_a_waiting_table_refunds_the_stake(server):
    player = Player(server)
    before = player.silver()

    async def leave(table):
        await table.receive()
        assert player.silver() == before - 10
        await table.send("leave")
        return await table.until_closed()

    assert play(server, leave, player) == 4000
    assert player.silver() == before


def test_a_seed_after_the_deal_is_refused(server):
    async def late(table):
        await table.sit_down()
        return await table.do("seed", {"seed": "00" * 16})

    assert play(server, late)["code"] == "seed_too_late"


@pytest.mark.usefixtures("waiting")
def test_moves_before_the_deal_are_refused(server):
    async def early(table):
        await table.receive()
        answer = await table.do("draw", {"from": "stock"})
        await table.send("leave")
        assert await table.until_closed() == 4000
        return answer

    assert play(server, early)["code"] == "not_started"


@pytest.mark.quick
def test_a_returning_player_learns_what_was_played_for_them(server, cluster):
    """With the shortest clock a table may have."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET params = 'turn_s=10' WHERE id = 'desert'")
    player = Player(server)

    async def sleep():
        async with open_table(player) as table:
            await table.sit_down()
            timed_out = await table.until("timed_out", seconds=60)
            assert timed_out["seat"] == table.me and timed_out["d"]["in_a_row"] == 1
            await table.until("turn")  # the moves played for them come first
            assert next(frame for frame in table.frames if frame["t"] == "clock")["d"]["turn_ms"] == 10000
            assert not any(frame["t"] == "played_for_you" for frame in table.frames), "they see it themselves"
            return table

    async def wake(table):
        async with open_table(player, table.table, since=table.v) as back:
            told = (await back.until("played_for_you"))["d"]
        first = next(v for v, frame in table.known.items() if frame["t"] == "timed_out")
        own = [frame for v, frame in table.known.items() if frame.get("seat") == table.me and v >= first]
        thrown = [card for frame in own if frame["t"] == "discarded" for card in frame["d"]["cards"]]
        assert (told["from_v"], told["to_v"], told["turns"], told["time_outs"]) == (first, table.v, 1, 1)
        assert told["thrown"] == thrown and len(thrown) == 1
        assert (told["hands"], told["points"], told["reserve_used_ms"]) == (0, 0, 0)

    try:
        asyncio.run(wake(asyncio.run(sleep())))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE rooms SET params = '' WHERE id = 'desert'")
        connection.close()
