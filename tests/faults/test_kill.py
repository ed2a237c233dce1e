"""kill -9 at random moments under a load of many tables: acknowledged moves are kept, and no player saw a
move that was lost.

RUMMY_KILLS and RUMMY_KILL_TABLES set the number of kills and tables (default 6 and 24).
"""

import asyncio
import os
import random
import time

import pytest
import requests
import websockets
from support.table import Closed, Player, Table
from support.wait import HANG_S

KILLS = int(os.environ.get("RUMMY_KILLS", "6"))
TABLES = int(os.environ.get("RUMMY_KILL_TABLES", "24"))
GONE = (OSError, asyncio.TimeoutError, requests.RequestException, websockets.WebSocketException, EOFError)


class Survivor:
    """A player who continues after every kill, and remembers every frame."""

    def __init__(self, server, number):
        self.server = server
        self.random = random.Random(number)
        self.session = number % 3 == 0  # plays sessions of several hands, alone with bots
        self.player = None
        self.table = None
        self.unanswered = None
        self.games = 0
        self.reconnects = 0
        self.repeats = 0

    async def live(self, stop):
        while not stop.is_set():
            try:
                await self.sit_down()
                await self.play(stop)
            except Closed as closed:
                assert closed.code in (1000, 1006, 1012, 1013, 4001), closed
                if closed.code == 1000:
                    self.table = None
            except GONE:
                await asyncio.sleep(0.05)

    async def sit_down(self):
        if self.player is None:
            try:
                self.player = await asyncio.to_thread(Player, self.server)
            except AssertionError as refused:  # the server's first attempt to reach the database failed
                if not any(code in str(refused) for code in ('"unavailable"', '"outcome_unknown"')):
                    raise
                raise TimeoutError from None
        if self.table is None:
            answer = await asyncio.to_thread(self.player.post, *self.wanted())
            if answer.status_code == 409:  # out of chips, or at tables that were not canceled in time
                self.player = None
                return
            if answer.status_code != 201:
                raise TimeoutError
            seat = answer.json()
            self.unanswered = None
            self.table = Table(self.server, seat["table_id"], seat["ticket"])
            self.table.checked = False
            return
        answer = await asyncio.to_thread(self.player.post, f"/tables/{self.table.table}/tickets")
        if answer.status_code == 409:  # the game is settled, and the notification was lost with the process
            self.table = None
            return
        if answer.status_code != 201:
            raise TimeoutError
        back = self.random.choice((0, 0, 20, 200))
        self.reconnects += 1
        self.table.reopen(answer.json()["ticket"], back)

    def wanted(self):
        if not self.session:
            return ("/rooms/desert/seats",)
        return "/tables", {
            "variant": self.random.choice(("treff", "deals3")),
            "seats": 2,
            "bots": 1,
            "bot_level": "strong",
        }

    async def play(self, stop):
        table = self.table
        if table is None:
            return
        async with table:
            await self.ask_again()
            await table.sit_down()
            while not stop.is_set() and await table.my_turn_comes(HANG_S):
                await self.step()
            if table.phase == "over":
                await table.until("settled")
                self.games += 1
                self.table = None

    async def ask_again(self):
        """Sends unanswered commands again. Answered ones must get the same reply."""
        table = self.table
        if self.unanswered:
            command, kind, d = self.unanswered
            self.note(await table.do(kind, d, id=command))
        if table.acks and self.random.random() < 0.5:
            command = self.random.choice(list(table.acks)[-10:])
            answer = await table.do("draw", {"from": "stock"}, id=command)
            assert (answer["t"], answer["v"]) == ("ack", table.acks[command]), (answer, table.acks[command])
            self.repeats += 1

    async def step(self):
        table = self.table
        kind, d = table.plain_move()
        command = f"k{self.random.getrandbits(60):x}"
        self.unanswered = (command, kind, d)
        self.note(await table.do(kind, d, id=command))

    def note(self, answer):
        self.unanswered = None
        assert answer["t"] != "ack" or answer["v"] <= self.table.v, "its events come before the answer"


@pytest.fixture
def options():
    return {"hand_pause_ms": 400}


def test_acknowledged_moves_survive_kills(table_server):
    server, promises = table_server, table_server.promises
    chance = random.Random(51)
    starts = []

    async def run():
        stop = asyncio.Event()
        survivors = [Survivor(server, number) for number in range(TABLES)]
        lives = [asyncio.create_task(survivor.live(stop)) for survivor in survivors]
        for kill in range(KILLS):
            await asyncio.sleep(chance.uniform(0.1, 1.1))  # lapse: kills at random moments of the games
            for life in lives:
                assert not life.done(), life.exception()
            server.kill()
            if kill % 10 == 9:
                await asyncio.to_thread(promises.books_are_clean)
            starting = time.monotonic()
            await asyncio.to_thread(server.start)
            starts.append(time.monotonic() - starting)
        await asyncio.sleep(3)  # lapse: games continue after the last kill
        stop.set()
        # Some wait for a turn of a player who has left. A frame that arrives at that moment can hide the
        # cancellation from a task.
        waiting = set(lives)
        while waiting:
            for life in waiting:
                life.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=0.5)  # lapse: the loop cancels them again
        for ended in await asyncio.gather(*lives, return_exceptions=True):
            assert ended is None or isinstance(ended, asyncio.CancelledError), ended
        return survivors

    began = time.monotonic()
    survivors = asyncio.run(run())
    took = time.monotonic() - began
    moves, games = promises.hold()
    print(
        f"\n{KILLS} kills in {took:.0f} s, {TABLES} players: {moves} moves acknowledged,"
        f" {sum(s.reconnects for s in survivors)} reconnects, {sum(s.repeats for s in survivors)} repeated"
        f" commands, {games} games settled; ready again after {sorted(starts)[len(starts) // 2]:.2f} s, at"
        f" most {max(starts):.2f} s"
    )
    assert moves > KILLS
