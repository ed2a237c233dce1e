"""kill -9 at random instants under load of many tables: what was acknowledged stands, and nobody saw what does not.

RUMMY_KILLS and RUMMY_KILL_TABLES say how often and under how many tables (default 50 and 24).
"""

import asyncio
import os
import random
import subprocess
import time

import requests
import websockets
from support.cluster import RUMMYD
from support.server import Server
from support.table import Closed, Player, Table

KILLS = int(os.environ.get("RUMMY_KILLS", "50"))
TABLES = int(os.environ.get("RUMMY_KILL_TABLES", "24"))
GONE = (OSError, asyncio.TimeoutError, requests.RequestException, websockets.WebSocketException, EOFError)


class Survivor:
    """A player who goes on after every kill, and remembers everything he was told."""

    def __init__(self, server, number):
        self.server = server
        self.random = random.Random(number)
        self.session = number % 3 == 0  # plays sessions of several hands, alone with bots
        self.player = None
        self.table = None
        self.acked = {}  # table -> {command id: v}
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
            except AssertionError as refused:  # it listens before it has found its database again
                if '"unavailable"' not in str(refused):
                    raise
                raise asyncio.TimeoutError from None
        if self.table is None:
            answer = await asyncio.to_thread(self.player.post, *self.wanted())
            if answer.status_code == 409:  # out of chips, or at tables that were cancelled too late
                self.player = None
                return
            if answer.status_code != 201:
                raise asyncio.TimeoutError
            seat = answer.json()
            self.unanswered = None
            self.table = Table(self.server, seat["table_id"], seat["ticket"])
            self.table.checked = False
            return
        answer = await asyncio.to_thread(self.player.post, f"/tables/{self.table.table}/tickets")
        if answer.status_code == 409:  # settled, and the news was lost with the process
            self.table = None
            return
        if answer.status_code != 201:
            raise asyncio.TimeoutError
        back = self.random.choice((0, 0, 20, 200))
        self.reconnects += 1
        self.table.reopen(answer.json()["ticket"], back)

    def wanted(self):
        if not self.session:
            return ("/rooms/desert/seats",)
        return "/tables", {"variant": self.random.choice(("treff", "deals3")), "seats": 2, "bots": True, "bot_level": "strong"}

    async def play(self, stop):
        table = self.table
        if table is None:
            return
        async with table:
            await self.ask_again()
            await table.sit_down()
            while not stop.is_set() and await table.my_turn_comes(40):
                await self.step()
            if table.phase == "over":
                await table.until("settled")
                self.games += 1
                self.table = None

    async def ask_again(self):
        """What was not answered is sent again; what was must get the same answer."""
        table = self.table
        acked = self.acked.setdefault(table.table, {})
        if self.unanswered:
            command, kind, d = self.unanswered
            self.note(command, await table.do(kind, d, id=command))
        if acked and self.random.random() < 0.5:
            command = self.random.choice(list(acked)[-10:])
            answer = await table.do("draw", {"from": "stock"}, id=command)
            assert (answer["t"], answer["v"]) == ("ack", acked[command]), (answer, acked[command])
            self.repeats += 1

    async def step(self):
        table = self.table
        kind, d = ("draw", {"from": "stock"}) if table.phase == "draw" else ("discard", {"cards": [table.throw_away()]})
        command = f"k{self.random.getrandbits(60):x}"
        self.unanswered = (command, kind, d)
        self.note(command, await table.do(kind, d, id=command))

    def note(self, command, answer):
        self.unanswered = None
        if answer["t"] == "ack":
            self.acked.setdefault(self.table.table, {})[command] = answer["v"]
            assert answer["v"] <= self.table.v, "its events come before the answer"


def check_ledger(cluster, database):
    done = subprocess.run(
        [RUMMYD, "ledger-check", "--db", cluster.conninfo(database)], stdout=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def check_journal(cluster, database, survivors):
    """Every acknowledged move of a running table stands in its journal under its version."""
    connection = cluster.connect(database)
    checked = 0
    with connection.cursor() as cursor:
        for survivor in survivors:
            for table, acked in survivor.acked.items():
                cursor.execute("SELECT state FROM tables WHERE id = %s", (table,))
                if cursor.fetchone()[0] != "playing":
                    continue
                cursor.execute("SELECT command, v FROM journal WHERE table_id = %s AND command <> ''", (table,))
                written = dict(cursor.fetchall())
                for command, v in acked.items():
                    assert written.get(command) == v, (table, command, v)
                    checked += 1
    connection.close()
    return checked


def check_records(cluster, database, folder):
    """The record of every settled game plays again."""
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT g.id, string_agg(h.record, E'\\n' ORDER BY h.hand_no) FROM games g"
            " JOIN hands h ON h.table_id = g.table_id GROUP BY g.id"
        )
        games = cursor.fetchall()
        cursor.execute("SELECT count(*) FROM journal j JOIN tables t ON t.id = j.table_id WHERE t.state <> 'playing'")
        assert cursor.fetchone() == (0,), "journals of ended tables are folded"
    connection.close()
    for number, record in games:
        file = folder / f"{number}.txt"
        file.write_text(record)
        done = subprocess.run([RUMMYD, "verify", file], stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, done.stderr
    return len(games)


def open_desert(cluster, database):
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 200")
        cursor.execute("UPDATE settings SET value = '100000' WHERE name = 'alone_games_a_day'")
    connection.close()


def test_kill(cluster, tmp_path):
    database = cluster.new_database()
    open_desert(cluster, database)
    server = Server(
        cluster.conninfo(database), tmp_path, rate_limits="off", bot_think_ms=0, seed_wait_ms=100, hand_pause_ms=400
    ).start()
    chance = random.Random(51)
    starts = []

    async def run():
        stop = asyncio.Event()
        survivors = [Survivor(server, number) for number in range(TABLES)]
        lives = [asyncio.create_task(survivor.live(stop)) for survivor in survivors]
        for kill in range(KILLS):
            await asyncio.sleep(chance.uniform(0.2, 1.5))
            for life in lives:
                assert not life.done(), life.exception()
            server.kill()
            if kill % 10 == 9:
                await asyncio.to_thread(check_ledger, cluster, database)
            starting = time.monotonic()
            await asyncio.to_thread(server.start)
            starts.append(time.monotonic() - starting)
        await asyncio.sleep(3)
        stop.set()
        for life in lives:  # some wait for a turn of one who has gone home
            life.cancel()
        for ended in await asyncio.gather(*lives, return_exceptions=True):
            assert ended is None or isinstance(ended, asyncio.CancelledError), ended
        return survivors

    began = time.monotonic()
    survivors = asyncio.run(run())
    moves = check_journal(cluster, database, survivors)
    assert server.stop() == 0
    check_ledger(cluster, database)
    games = check_records(cluster, database, tmp_path)
    log = server.log()
    for bad in ("replay_mismatch", "table_lost", "journal_refused", "record_refused", "bot_refused", "bug:", "fenced"):
        assert bad not in log, bad
    acked = sum(len(acked) for survivor in survivors for acked in survivor.acked.values())
    print(
        f"\n{KILLS} kills in {time.monotonic() - began:.0f} s, {TABLES} players: {acked} moves acknowledged, {moves} of them "
        f"of running tables, {sum(s.reconnects for s in survivors)} reconnects, "
        f"{sum(s.repeats for s in survivors)} repeated commands, {games} games settled; "
        f"ready again after {sorted(starts)[len(starts) // 2]:.2f} s, at most {max(starts):.2f} s"
    )
    assert acked > KILLS
    cluster.drop_database(database)
