"""The database's disk is full: tables pause and notify their players, nothing acknowledged is lost, nothing
uncommitted is shown, and everything continues once there is space again."""

import asyncio
import contextlib
import os
import pathlib
import shutil
import tempfile
import time

import psycopg2
import pytest
import requests
import websockets
from support.after import served
from support.cluster import OWNER, Cluster
from support.disk import Disk
from support.table import Closed, Player, open_table
from support.wait import HANG_S

PLAYERS = 6


@pytest.fixture
def disk():
    """Accessible to PostgreSQL's own user."""
    parent = tempfile.mkdtemp(prefix="rummyd-test-disk-", dir="/var/tmp")
    os.chmod(parent, 0o755)
    it = Disk(pathlib.Path(parent) / "disk", 384)
    yield it
    it.close()
    shutil.rmtree(parent, ignore_errors=True)


async def alone(player):
    """A separate table with a bot, so that no player waits for another one."""
    wanted = {"variant": "rummy51", "seats": 2, "bots": 1, "options": {"turn_s": 120}}
    answer = await asyncio.to_thread(player.post, "/tables", wanted)
    assert answer.status_code == 201, answer.text
    return open_table(player, answer.json()["table_id"])


def is_paused(table):
    return (
        next(frame["t"] for frame in reversed(table.frames) if frame["t"] in ("paused", "resumed"))
        == "paused"
    )


async def resumed(table):
    while is_paused(table):
        await table.receive(60)


class Playing:
    """A player who plays game after game until the tables pause; the first such player plays so slowly that
    their game does not end before that."""

    def __init__(self, server, number):
        self.server = server
        self.pace_s = 0.5 if number == 0 else 0
        self.player = Player(server, f"Player {number}")
        self.table = None
        self.asked = None

    async def until_paused(self, filling):
        """filling: an event that is set before the disk fills. A player who is between two games at that
        time has no table."""
        while True:
            try:
                await self.sit_down()
            except (TimeoutError, AssertionError, Closed, OSError, websockets.WebSocketException):
                if not filling.is_set():
                    raise
                if self.table and self.table.socket:
                    await self.table.__aexit__()
                self.table = None
                return
            if await self.moves("paused"):
                return
            await self.table.__aexit__()

    async def sit_down(self):
        self.table = await alone(self.player)
        await self.table.__aenter__()
        self.table.checked = False
        came = await self.table.sit_down("paused")
        if came and came["t"] == "paused":
            raise TimeoutError  # no cards are dealt until there is space

    async def moves(self, kind):
        """Makes moves until a frame of this kind arrives (true) or the game is over."""
        while self.table.phase != "over":
            if self.asked is None and self.table.my_turn():
                await asyncio.sleep(self.pace_s)  # lapse: the player's pace
                draw = self.table.phase == "draw"
                what = (
                    ("draw", {"from": "stock"}) if draw else ("discard", {"cards": [self.table.throw_away()]})
                )
                self.asked = await self.table.send(*what)
            frame = await self.table.receive(60)
            if frame.get("id") == self.asked:
                self.asked = None
            if frame["t"] == kind:
                return True
        return False

    async def stands_still(self):
        """Checks that the game makes no progress: commands are refused with the reason, or wait behind
        pending ones at their table."""
        v, seen = self.table.v, len(self.table.frames)
        answer = None
        with contextlib.suppress(asyncio.TimeoutError):
            asked = self.asked or await self.table.send("flip", id="while-full")  # never legal here
            answer = await self.table.answer(asked, 1)
        if any(frame["t"] == "resumed" for frame in self.table.frames[seen:]) or not is_paused(self.table):
            return  # there was space for a few more rows, and everything acknowledged is committed
        if self.table.v > v:  # there was space for this table's rows; others still wait
            await asyncio.to_thread(self.is_committed, self.table.v)
        else:
            assert answer is None or answer["code"] == "paused", answer
        if answer:
            self.asked = None

    def is_committed(self, v):
        """Checks the journal, which is deleted when the game is settled."""
        with contextlib.suppress(psycopg2.OperationalError):  # the query fails
            rows = self.server.promises.look(
                "SELECT state = 'finished' OR (SELECT max(v) FROM journal WHERE table_id = t.id) >= %s"
                " FROM tables t WHERE id = %s",
                v,
                self.table.table,
            )
            assert rows == [(True,)], rows

    async def goes_on(self):
        """Pending moves are acknowledged, and the game continues."""
        await resumed(self.table)
        if self.asked and not any(frame.get("id") == self.asked for frame in self.table.frames):
            await self.table.answer(self.asked, 30)
        self.asked = None
        for _ in range(3):
            await moved(self.table)
        await self.table.__aexit__()


async def moved(table):
    """Waits until one move of the player succeeds, however often the tables pause again before there is
    enough space."""
    while await table.my_turn_comes():
        answer = await table.step()
        if answer["t"] == "ack":
            return
        assert answer["code"] == "paused", answer
        await resumed(table)


def until_refused(server):
    """Creates accounts until the disk is full; the refusal invites a retry."""
    for _ in range(2000):
        answer = requests.post(server.url + "/v1/auth/guest", json={}, timeout=HANG_S)
        if answer.status_code == 503:
            assert (
                answer.json()["code"] in ("unavailable", "outcome_unknown")
                and int(answer.headers["Retry-After"]) >= 1
            )
            return
        assert answer.status_code in (200, 201), answer.text
    raise AssertionError("the disk never filled up")


def fill_and_free(server, fill, free):
    """The common part of both tests with a full disk."""
    players = [Playing(server, number) for number in range(PLAYERS)]

    async def run():
        thinks = await alone(Player(server, "Thinker"))
        await thinks.__aenter__()
        await thinks.sit_down()
        await thinks.my_turn_comes()
        turn_began = time.monotonic()
        filling = asyncio.Event()
        paused = asyncio.gather(*(player.until_paused(filling) for player in players))
        while not all(player.table and player.table.v for player in players):
            assert not paused.done(), paused
            await asyncio.sleep(0.05)
        filling.set()
        await asyncio.to_thread(fill)
        await asyncio.wait_for(paused, 120)
        playing = [player for player in players if player.table]
        assert playing, "no player was in a game"
        thought_ms = (time.monotonic() - turn_began) * 1000
        await asyncio.gather(*(player.stands_still() for player in playing))
        await thinks.until("paused", seconds=60)
        answer = await thinks.do("flip")  # never legal here
        assert answer["code"] == "paused" or not is_paused(thinks), answer
        ready = await asyncio.to_thread(requests.get, server.url + "/healthz", timeout=HANG_S)
        assert ready.status_code == 200, "the process is alive"
        await asyncio.to_thread(until_refused, server)
        await asyncio.to_thread(free)
        await resumed(thinks)
        since = max(i for i, frame in enumerate(thinks.frames) if frame["t"] == "resumed")
        told = [frame for frame in thinks.frames[since:] if frame["t"] == "clock"]
        clock = told[0] if told else await thinks.until("clock")
        assert clock["d"]["ms_left"] > clock["d"]["turn_ms"] - thought_ms - 1000, "the clock stood still"
        await moved(thinks)
        await thinks.__aexit__()
        await asyncio.gather(*(player.goes_on() for player in playing))

    asyncio.run(run())


def test_games_survive_a_full_disk_of_the_database_log(disk, tmp_path):
    """With everything on one disk, PostgreSQL panics, restarts, panics again, and gives up if it takes too
    long."""
    cluster = Cluster(own=True, folder=disk.folder / "pg")
    server = None
    try:
        server = served(cluster, tmp_path, {})

        def fill():
            disk.fill()
            try:  # the remainder of its current segments
                connection = cluster.connect("postgres", user="postgres")
                for _ in range(2000):
                    connection.cursor().execute(
                        "SELECT pg_logical_emit_message(true, 'ballast', repeat('x', 1000000))"
                    )
            except psycopg2.Error:
                return
            raise AssertionError("the log has room without an end")

        def free():
            disk.free()
            until = time.monotonic() + HANG_S
            while time.monotonic() < until:
                try:
                    cluster.connect().close()
                    return
                except psycopg2.OperationalError:
                    time.sleep(0.2)
                    if not (pathlib.Path(cluster.folder) / "data" / "postmaster.pid").exists():
                        cluster.start()  # as a machine's service manager does
            raise AssertionError("PostgreSQL does not come back")

        fill_and_free(server, fill, free)
        server.promises.hold()
    finally:
        if server:
            server.kill()
        cluster.close()


def test_games_survive_a_full_disk_of_the_database_tables(disk, own_cluster, tmp_path):
    """The WAL has space but the tables' files do not, so PostgreSQL fails each statement and keeps
    running."""
    space = disk.folder / "space"
    space.mkdir()
    shutil.chown(space, "postgres")
    owner = own_cluster.connect(user="postgres")
    owner.cursor().execute(f"CREATE TABLESPACE small LOCATION '{space}'")
    owner.cursor().execute(f"GRANT CREATE ON TABLESPACE small TO {OWNER}")
    database = own_cluster.new_database(tablespace="small")
    server = served(own_cluster, tmp_path, {}, database)
    try:
        fill_and_free(server, disk.fill, disk.free)
        server.promises.hold()
    finally:
        server.kill()
        own_cluster.drop_database(database)
        owner.cursor().execute("DROP TABLESPACE small")
        owner.close()
