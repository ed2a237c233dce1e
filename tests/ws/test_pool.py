"""What only a live table can show of the Indian games: joining a pool again between two hands, and the time to group
running out."""

import asyncio
import subprocess
from contextlib import AsyncExitStack

import pytest
from support.server import RUMMYD
from support.table import Player, Table

GAMES_MAX = 12


def wrongly(hand):
    """A declaration of thirteen cards that cannot hold: each group has cards of several ranks and suits."""
    cards = sorted(hand)
    return {"groups": [cards[i:13:4] for i in range(4)], "finish": cards[13]}


async def act(table, what):
    """On the own turn: drops, or draws and declares wrongly."""
    assert await table.my_turn_comes()
    if what == "wrong":
        assert (await table.do("draw", {"from": "stock"}))["t"] == "ack"
    answer = await table.do("declare", wrongly(table.hand)) if what == "wrong" else await table.do("drop")
    assert answer["t"] == "ack", answer


async def hand(tables, plan):
    """Plays one hand: each does what the plan says when his turn comes, until one is left."""
    done = set()
    for table in tables:
        while table.phase not in ("draw", "play"):
            await table.receive(20)
    while len(done) < len(plan):
        mover = tables[0].to_move
        if mover in plan and mover not in done:
            await act(tables[mover], plan[mover])
            done.add(mover)
        elif mover is not None and mover not in done:
            assert await tables[mover].my_turn_comes()
            await tables[mover].step()
            await tables[mover].step()
        if len(done) < len(plan):
            while tables[0].to_move in (mover, *done):
                await tables[0].receive(20)
    for table in tables:
        while table.next_hand is None or table.phase != "hand_over":
            await table.receive(20)
    return tables[0]


async def next_one(tables):
    for table in tables:
        table.next_hand, number = None, table.next_hand
        table.phase = "hand_over"
        await table.send("seed", {"seed": f"{number:064x}"})
        await table.send("ready")


def test_who_is_out_of_a_pool_joins_it_again_and_the_record_tells_it(server, tmp_path):
    people = [Player(server, name) for name in ("Ana", "Boris", "Ceca")]
    seats = [people[0].post("/tables", {"variant": "pool101", "seats": 3, "options": {"turn_s": 120}}).json()]
    seats += [person.post("/tables/join", {"code": seats[0]["code"]}).json() for person in people[1:]]

    async def run():
        async with AsyncExitStack() as stack:
            tables = [await stack.enter_async_context(Table(server, seat["table_id"], seat["ticket"])) for seat in seats]
            for table in tables:
                await table.send("seed", {"seed": "ab" * 32})
            for table in tables:
                await table.until("snapshot", seconds=20)
            await hand(tables, {0: "wrong", 1: "drop"})
            early = await tables[0].do("rejoin")
            await next_one(tables)
            await hand(tables, {0: "wrong", 1: "drop"})
            joined = await tables[0].do("rejoin")
            twice = await tables[0].do("rejoin")
            for table in tables[1:]:
                await table.until("rejoined")
            await next_one(tables)
            for table in tables:
                await table.until("snapshot", seconds=20)
            await act(tables[tables[0].to_move], "drop")
            for table in tables[:2]:
                await table.do("leave")
            settled = await tables[2].until("settled")
            return tables, settled, early, joined, twice

    tables, settled, early, joined, twice = asyncio.run(run())
    assert (early["t"], early["code"]) == ("nack", "not_out_of_the_pool")
    assert joined["t"] == "ack" and (twice["t"], twice["code"]) == ("nack", "not_out_of_the_pool")
    for table in tables:
        out = next(f for f in table.frames if f["t"] == "eliminated")
        back = next(f for f in table.frames if f["t"] == "rejoined")
        assert (out["seat"], out["d"]["total"]) == (back["seat"], 160) == (0, 160)
        assert 20 < back["d"]["total"] <= 61, "one more than the highest of those who are in"
        third = [f for f in table.frames if f["t"] == "dealt" and f["d"]["hand_no"] == 3]
        assert {f["seat"] for f in third} == {0, 1, 2}, "he is dealt in"
    record = people[2].get(f"/games/{settled['d']['game_id']}/record").text
    assert '[Between "rejoin 0"]' in record
    file = tmp_path / "pool.txt"
    file.write_text(record)
    done = subprocess.run([RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    file.write_text(record.replace('[Between "rejoin 0"]\n', ""))
    done = subprocess.run([RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 1 and "wrong" in done.stdout, done.stdout


def test_who_leaves_between_two_hands_and_ends_the_session_is_in_the_record(server, tmp_path):
    people = [Player(server, "Stays"), Player(server, "Leaves")]
    first = people[0].post("/tables", {"variant": "deals2", "seats": 2, "options": {"turn_s": 120}}).json()
    seats = [first, people[1].post("/tables/join", {"code": first["code"]}).json()]

    async def run():
        async with AsyncExitStack() as stack:
            a, b = [await stack.enter_async_context(Table(server, seat["table_id"], seat["ticket"])) for seat in seats]
            await asyncio.gather(a.sit_down(), b.sit_down())
            tables = [a, b]
            while a.to_move is None:
                await a.receive(20)
            await hand(tables, {a.to_move: "wrong"})
            assert (await b.do("leave"))["t"] == "ack"
            assert await b.until_closed() == 4000
            return await a.until("settled")

    settled = asyncio.run(run())["d"]
    assert [seat["place"] for seat in settled["seats"]] == [1, 2]
    record = people[0].get(f"/games/{settled['game_id']}/record").text
    assert "\nafter leave 1\nfinal 0 place 1 total " in record
    file = tmp_path / "session.txt"

    def verified(text):
        file.write_text(text)
        return subprocess.run([RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    done = verified(record)
    assert done.returncode == 0, done.stdout
    for told, other, why in (("final 0 place 1", "final 0 place 2", "wrong_score"), (" won\nfinal", "\nfinal", "wrong_score"),
                             ("after leave 1", "after leave 1, leave 0", "wrong_session")):
        assert told in record
        done = verified(record.replace(told, other))
        assert done.returncode == 1 and why in done.stdout, done.stdout


@pytest.fixture(scope="module")
def hasty(cluster, server):
    """A room of points for two, where the time to group is a second."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE one AS SELECT * FROM rooms WHERE id = 'desert'")
        cursor.execute("UPDATE one SET id = 'hasty', name = 'Hasty', position = 99, variant = 'points', params = 'group_s=1',"
                       " seats_n = 2, stake = 0, reward = 0, bots = true, bot_level = 3")
        cursor.execute("INSERT INTO rooms SELECT * FROM one")
    connection.close()
    return "hasty"


def test_the_time_to_group_runs_out_and_the_server_arranges(server, hasty):
    async def run(player):
        seat = player.take_seat(hasty)
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            while table.phase not in ("group", "over", "hand_over"):
                if table.my_turn():
                    await table.step()
                else:
                    await table.receive(20)
            settled = await table.until("settled", seconds=20)
            return table, settled

    for n in range(GAMES_MAX):  # a bot may drop, too
        player = Player(server, f"Ema {n}")
        table, settled = asyncio.run(run(player))
        if any(f["t"] == "declared" and f["d"]["valid"] for f in table.frames):
            break
    assert not any(f["t"] == "grouped" for f in table.frames), "nobody has grouped"
    score = next(f["d"] for f in table.frames if f["t"] == "scored" and f["seat"] == table.me)
    record = player.get(f"/games/{settled['d']['game_id']}/record").text
    assert "close\n" in record
    line = next(line for line in record.splitlines() if line.startswith(f"score {table.me} "))
    shown = line.partition(" groups ")[2]
    assert shown == " | ".join(" ".join(cards) for cards in score.get("groups", []))
