"""A streaming standby of a private cluster, which tests can delay, kill, and restart."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import psycopg2

from .cluster import scratch
from .wait import HANG_S

STEP_DOWN = (
    ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--reset-env"]
    if os.geteuid() == 0
    else []
)


class Standby:
    def __init__(self, cluster):
        """A copy of the cluster, which must be private."""
        data = pathlib.Path(cluster.folder) / "data"
        self.bin = pathlib.Path("/usr/lib/postgresql") / (data / "PG_VERSION").read_text().strip() / "bin"
        self.port = (pathlib.Path(cluster.folder) / "port").read_text().strip()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rummyd-standby-", dir=scratch()))
        if STEP_DOWN:
            shutil.chown(self.folder, "postgres", "postgres")
        with open(data / "pg_hba.conf", "a") as hba:
            hba.write("local replication all trust\n")
        socket = (pathlib.Path(cluster.folder) / "socket").read_text().strip()
        subprocess.run(
            [
                self.bin / "psql",
                "-qAtc",
                "SELECT pg_reload_conf()",
                "-h",
                socket,
                "-p",
                self.port,
                "-U",
                "postgres",
                "postgres",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.run(
            "pg_basebackup",
            "-h",
            socket,
            "-p",
            self.port,
            "-U",
            "postgres",
            "-D",
            self.folder / "data",
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
        )
        # must be at least the limit of the primary
        primary = (self.folder / "data" / "rummyd.conf").read_text()
        settings = [
            f"port = {self.port}",
            "listen_addresses = ''",
            f"unix_socket_directories = '{self.folder}'",
            *re.findall(r"^max_connections = .*", primary, re.M),
        ]
        (self.folder / "data" / "rummyd.conf").write_text("\n".join(settings) + "\n")
        self.process = None

    def run(self, program, *words):
        subprocess.run([*STEP_DOWN, self.bin / program, *words], check=True, cwd="/", capture_output=True)

    def start(self, delay_ms=0):
        """delay_ms: replay delay of commits."""
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen(
                [
                    *STEP_DOWN,
                    self.bin / "postgres",
                    "-D",
                    self.folder / "data",
                    "-c",
                    f"recovery_min_apply_delay={delay_ms}",
                ],
                cwd="/",
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 60
        while (
            subprocess.run(
                [self.bin / "pg_isready", "-q", "-h", self.folder, "-p", self.port], check=False
            ).returncode
            != 0
        ):
            assert self.process.poll() is None and time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)
        return self

    def conninfo(self, name, user):
        return f"host={self.folder} port={self.port} user={user} dbname={name}"

    def ask(self, question):
        connection = psycopg2.connect(self.conninfo("postgres", "postgres"))
        with connection, connection.cursor() as cursor:
            cursor.execute(question)
            row = cursor.fetchone()
        connection.close()
        return row[0]

    def pause(self):
        """Pauses replay; the standby still receives WAL."""
        self.ask("SELECT pg_wal_replay_pause()")
        until = time.monotonic() + HANG_S
        while self.ask("SELECT pg_get_wal_replay_pause_state()") != "paused":
            assert time.monotonic() < until
            time.sleep(0.02)

    def resume(self):
        self.ask("SELECT pg_wal_replay_resume()")

    def stop(self):
        """Immediate shutdown."""
        if self.process is not None and self.process.poll() is None:
            self.run("pg_ctl", "stop", "-D", self.folder / "data", "-m", "immediate")
            self.process.wait(HANG_S)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
