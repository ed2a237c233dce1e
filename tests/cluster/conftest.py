"""A whole cluster of scripts/cluster for each test file: its commands, its database, and players who keep
playing through any fault.

Requires the packages of `scripts/install cluster` (`scripts/install test` includes them).
"""

import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import psycopg2
import pytest
import requests
from nodes.rig import Going, acked_stand
from rummyd.live import PING_S
from support.cluster import READER, ROOT, RUMMYD, scratch
from support.server import free_port
from support.times import STRICT

sys.path.insert(0, str(ROOT / "scripts"))
import cluster_parts
import cluster_processes
from support.wait import HANG_S

SCRIPT = ROOT / "scripts" / "cluster"
NEVER = ("bug:", "table_lost", "journal_refused", "record_refused", "loss_not_written")
PATIENCE_S = 90  # for a move after a fault
CROWD = int(os.environ.get("RUMMY_CLUSTER_CROWD", "0"))  # tables in addition to those whose pause is measured
# Patroni keeps its configured times where pauses are measured, and in the long sequences.
AS_CONFIGURED = STRICT or CROWD > 0 or "RUMMY_CLUSTER_SEQUENCES" in os.environ


class Slow(Going):
    """Thinks before each move, so that a game outlasts a fault. Notices a dead connection as soon as players'
    clients do: a frozen node closes nothing, and its machine still replies to TCP keepalives."""

    think_s = 0.4
    ping_s = PING_S

    async def step(self):
        await asyncio.sleep(self.think_s)  # lapse: a player who thinks
        return await super().step()


class Leisurely(Slow):
    """One of a thousand additional tables, the background load during a failover."""

    think_s = 20
    checked = False  # validation against the contract, which takes more time than the game


class Front:
    """The address that players use."""

    def __init__(self, url):
        self.url, self.ws_url, self.tables = url, "ws" + url.removeprefix("http"), []


class Here:
    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rummyd-cluster-", dir=scratch()))
        self.folder.chmod(0o755)
        try:
            self.begin(options)
        except BaseException:
            self.close()  # otherwise, processes that have started already would run forever
            raise

    def begin(self, options):
        self.say(
            "up",
            "--as-is",
            f"--port={free_port()}",
            "--rate_limits=off",
            "--bot_think_ms=0",
            "--seed_wait_ms=100",
            *options,
        )
        self.all = json.loads((self.folder / "cluster.json").read_text())
        if not AS_CONFIGURED:
            self.hurry_patroni()
        self.look("UPDATE settings SET value = '1000000' WHERE name = 'solo_games_per_day'")
        self.front = Front(f"http://localhost:{self.all['ports']['play']}")

    def run(self, *words):
        return subprocess.run(
            [SCRIPT, f"--dir={self.folder}", *words], capture_output=True, text=True, check=False, timeout=300
        )

    def say(self, *words):
        """Runs one of the cluster's commands and returns its output."""
        done = self.run(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr or done.stdout}\n{self.logs()}"
        return done.stdout

    def cluster(self):
        """The parts of the cluster, as in scripts/cluster."""
        owner = cluster_processes.Owner()
        return cluster_parts.Cluster(self.folder, owner, cluster_processes.Processes(self.folder, owner))

    def hurry_patroni(self):
        """One Patroni cycle per second. This changes only how long Patroni waits between checks."""
        answer = requests.patch(
            f"http://127.0.0.1:{self.all['ports']['rest1']}/config", json={"loop_wait": 1}, timeout=HANG_S
        )
        assert answer.status_code == 200, answer.text

    def end_the_lock(self, primary):
        """Expires the lock of a silent primary at once, as `ttl` (20 s) would. With Patroni as configured it
        expires by itself, as in tests/e2e/play/cluster.spec.mjs."""
        if AS_CONFIGURED:
            return
        answer = requests.delete(
            f"http://127.0.0.1:{self.all['ports']['etcd']}/v2/keys/service/rummy/leader",
            params={"prevValue": primary},
            timeout=HANG_S,
        )
        assert answer.status_code == 200, answer.text

    def conninfo(self, role="rummyd_owner"):
        return self.cluster().conninfo(role)

    def look(self, question, *values):
        """Queries the primary, once there is one."""
        until = time.monotonic() + HANG_S
        while True:
            try:
                with contextlib.closing(psycopg2.connect(self.conninfo())) as connection:
                    connection.autocommit = True
                    with connection.cursor() as cursor:
                        cursor.execute(question, values)
                        return cursor.fetchall() if cursor.description else []
            except psycopg2.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def log(self, name):
        file = self.folder / "log" / f"{name}.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def logs(self):
        return "\n".join(
            f"--- {file.stem}\n{file.read_text(errors='replace')[-1500:]}"
            for file in (self.folder / "log").glob("*.log")
        )

    def owner(self, table):
        return self.look("SELECT node FROM tables WHERE id = %s", int(table.table))[0][0]

    def close(self):
        self.run("down", "--now")
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- Play

    async def crowd(self, over):
        """Runs CROWD tables and their games until `over` is not empty."""
        tables = [await asyncio.to_thread(Leisurely, self.front) for _ in range(CROWD)]
        for table in tables:
            table.wait_s = table.patience_s = PATIENCE_S
        games = [asyncio.create_task(table.play(lambda _: bool(over))) for table in tables]
        until = time.monotonic() + PATIENCE_S + Leisurely.think_s
        while not all(table.v for table in tables):
            assert time.monotonic() < until, (
                f"{sum(not table.v for table in tables)} of {CROWD} tables have not begun"
            )
            await asyncio.sleep(0.2)
        return tables, games

    def under_play(self, fault, tables=4, before=2, after=3):
        """Runs `fault()` while this many tables are in play, each until this many moves after the fault are
        acknowledged. Returns the tables, followed by those of the crowd, and the longest time from the
        start of the fault to the first such move on any table."""
        began, over = [], []

        def enough(table):
            return bool(began) and sum(at > began[0] for at in table.acked_at) >= after

        async def play():
            beside, games_beside = await self.crowd(over)
            playing = [Slow(self.front) for _ in range(tables)]
            for table in playing:
                table.wait_s = table.patience_s = PATIENCE_S
            games = [asyncio.create_task(table.play(enough)) for table in playing]
            while min(len(table.acked_at) for table in playing) < before:
                await asyncio.sleep(0.02)
                for game in games:
                    if game.done():
                        game.result()
            at = time.monotonic()
            await asyncio.to_thread(fault, playing)
            began.extend((time.monotonic(), at))
            _, waiting = await asyncio.wait(games, timeout=PATIENCE_S)
            stuck = [
                (playing[n].ws_url, playing[n].v, playing[n].frames[-3:])
                for n, game in enumerate(games)
                if game in waiting
            ]
            assert not stuck, f"{stuck}\n{self.logs()}"
            over.append(True)
            await asyncio.gather(*games, *games_beside)
            return playing, beside

        playing, beside = asyncio.run(play())
        done, at = began
        return playing + beside, max(
            next((moved for moved in table.acked_at if moved > done), at) - at for table in playing
        )

    def sound(self, tables):
        """Invariants after every fault: every acknowledged move is stored, the ledger is clean, no stake is
        held without a live table, no forbidden log line was written."""
        n = acked_stand(self, tables)
        proof = subprocess.run(
            [RUMMYD, "ledger-check", "--db", self.conninfo(READER)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert proof.returncode == 0, proof.stdout + proof.stderr
        for name in self.all["nodes"]:
            for word in NEVER:
                assert word not in self.log(name), self.log(name)[-3000:]
        return n


@pytest.fixture(scope="module")
def here():
    it = Here()
    yield it
    it.close()
