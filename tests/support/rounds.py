"""Scripted hands of human players: who drops, makes a false declaration, or leaves on their turn, until one
is left. Also the ledger entries of a game."""

import asyncio
import subprocess

from .cluster import RUMMYD
from .table import Table


def seated(people, variant, **table):
    """The first player opens a table for all of them, and the others join it; returns their replies."""
    answer = people[0].post("/tables", {"variant": variant, "seats": len(people), **table})
    assert answer.status_code == 201, answer.text
    seats = [answer.json()]
    for person in people[1:]:
        code = seats[0]["code"]
        answer = person.post(
            f"/tables/by-code/{code}/seats" if code else f"/tables/{seats[0]['table_id']}/seats"
        )
        assert answer.status_code == 201, answer.text
        seats.append(answer.json())
    return seats


async def sit_down(stack, server, seats, ready=False):
    """Connects all players, and returns their tables once the cards are dealt. ready: they request bots for
    the other seats."""
    tables = [
        await stack.enter_async_context(Table(server, seat["table_id"], seat["ticket"])) for seat in seats
    ]
    for table in tables:
        if ready:
            await table.send("ready")
        await table.send("seed", {"seed": "ab" * 32})
    await asyncio.gather(*(table.until("snapshot", seconds=60) for table in tables))
    return dict(enumerate(tables))


def wrongly(hand):
    """An invalid declaration of thirteen cards: each group has cards of several ranks and suits."""
    cards = sorted(hand)
    return {"groups": [cards[i:13:4] for i in range(4)], "finish": cards[13]}


async def act(table, what):
    """On the player's turn: drops or leaves before drawing, or draws and leaves, makes a false declaration,
    or (None) discards a card. Returns the reply."""
    assert await table.my_turn_comes()
    if what == "drop" or what == "leave":
        return await table.do(what)
    if table.phase == "draw":
        assert (await table.do("draw", {"from": "stock"}))["t"] == "ack"
    if what == "wrong":
        return await table.do("declare", wrongly(table.hand))
    return await table.do("leave") if what else await table.step()


async def play_hand(tables, plan):
    """Plays one hand: each player follows the plan on their turn; those without a plan draw and discard.
    Removes players who leave from `tables`. Returns the last reply."""
    watch = next(table for seat, table in tables.items() if seat not in plan)
    left = dict(plan)
    while left:
        while watch.to_move not in tables:  # a bot
            await watch.receive(60)
        mover = watch.to_move
        what = left.pop(mover, None)
        answer = await act(tables[mover], what)
        assert answer["t"] == "ack", answer
        if what and what.startswith("leave"):
            assert await tables.pop(mover).until_closed() == 4000
        for table in tables.values():
            while table.v < answer["v"]:
                await table.receive(60)
    return answer


async def hand_is_over(table):
    """Waits until the session is over, or the next hand is announced and this player has not sent a seed for
    it."""
    while table.phase != "over" and (table.phase != "hand_over" or table.next_hand == table.seeded):
        await table.receive(60)


async def is_dealt(table):
    """Waits for the deal. If the pause ended meanwhile, the deal arrived before the reply to the seed."""
    while table.phase == "hand_over":
        await table.receive(60)


async def next_hand(tables):
    """All present players get ready; returns once the next hand is dealt."""
    for table in tables.values():
        await hand_is_over(table)
        await table.go_on()
    await asyncio.gather(*(is_dealt(table) for table in tables.values()))


def verified(text, folder):
    """`rummyd verify` of a record: whether it is valid, and the output."""
    file = folder / "record.txt"
    file.write_text(text)
    done = subprocess.run(
        [RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode == 0, done.stdout


def purse(cluster, server, player, silver, gold):
    """Gives the player exactly these chips."""
    with cluster.connect(server.database) as connection, connection.cursor() as cursor:
        for currency, amount in (("silver", silver), ("gold", gold)):
            cursor.execute(
                """SELECT ledger_post('grant', 'purse:' || %(p)s || ':' || %(c)s, NULL, '', ARRAY[
                       ROW(account_purse(%(p)s, %(c)s), %(a)s - balance, 'grant'),
                       ROW(account_house('grant', %(c)s), balance - %(a)s, 'grant')]::ledger_leg[])
                   FROM accounts WHERE kind = 'purse' AND player_id = %(p)s AND currency = %(c)s
                       AND balance <> %(a)s""",
                {"p": int(player.id), "c": currency, "a": amount},
            )


def moved(cluster, server, table_id, people):
    """Chips moved by the table's stakes and settlement: {(player, account, reason, currency): chips}.
    Checks that no chips are held any longer and that the whole ledger is correct."""
    names = {int(person.id): seat for seat, person in enumerate(people)}
    with cluster.connect(server.database) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.player_id, a.kind, a.cause, p.reason, a.currency, sum(p.amount) FROM transfers t"
            " JOIN postings p ON p.transfer_id = t.id JOIN accounts a ON a.id = p.account_id"
            " WHERE t.table_id = %s AND t.cause IN ('stake', 'settle') GROUP BY 1, 2, 3, 4, 5",
            (table_id,),
        )
        found = {
            (names.get(player, cause), kind, reason, currency): int(chips)
            for player, kind, cause, reason, currency, chips in cursor.fetchall()
        }
        cursor.execute(
            "SELECT cause, count(*) FROM transfers WHERE table_id = %s AND cause IN ('stake', 'settle') GROUP"
            " BY 1",
            (table_id,),
        )
        assert dict(cursor.fetchall()) == {
            "stake": len(people),
            "settle": 1,
        }, "a stake each, and one settlement"
        cursor.execute("SELECT * FROM q_ledger_check()")
        assert cursor.fetchall() == []
    assert not any(found.pop(key) for key in list(found) if key[1] == "hold"), "nothing is held anymore"
    return found
