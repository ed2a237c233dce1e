"""A PostgreSQL cluster for tests and fresh, migrated databases on it.

A test run uses one cluster: the one in the folder RUMMY_TEST_CLUSTER names (scripts/test starts it),
or else a new one in a temporary folder, stopped at the end.
"""

import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile

import psycopg2

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RUMMY_BUILD", ROOT / "build")).resolve()
RUMMYD = BUILD / "rummyd"
PG = ROOT / "scripts" / "pg"
OWNER, SERVER, READER = "rummyd_owner", "rummyd", "rummyd_read"  # of db/roles.sql

_numbers = itertools.count(1)


class Cluster:
    """One private cluster. `conninfo(name)` says how to connect to a database of it, as its owner or another role."""

    def __init__(self, own=False, folder=None, env=None):
        """own: a new one even when the run has one, for a test that takes PostgreSQL away; folder: where it is;
        env: more environment of its server."""
        self.env = {**os.environ, "RUMMY_PG_ENV": " ".join(f"{name}={value}" for name, value in (env or {}).items())}
        given = None if own else os.environ.get("RUMMY_TEST_CLUSTER")
        self.folder = given or folder or tempfile.mkdtemp(prefix="rummyd-test-pg-")
        self.own = not given
        self.base = self.start()
        self.migrated = False

    def start(self):
        """Starts it if it does not run; returns the conninfo of its first database."""
        return subprocess.run([PG, "start", self.folder], env=self.env, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def stop(self):
        subprocess.run([PG, "stop", self.folder], check=True)

    def close(self):
        if self.own:
            self.stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    def conninfo(self, name="rummyd", user=OWNER):
        host, port = self.base.split()[:2]
        return f"{host} {port} user={user} dbname={name}"

    def connect(self, name="rummyd", user=OWNER):
        """An autocommit connection to the database `name`."""
        connection = psycopg2.connect(self.conninfo(name, user))
        connection.autocommit = True
        return connection

    def run(self, statement):
        connection = self.connect()
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement)
        finally:
            connection.close()

    def template(self):
        """The name of a migrated database that others are copied from; made at first use."""
        name = f"template_{os.getpid()}"
        if not self.migrated:
            self.run(f"CREATE DATABASE {name}")
            subprocess.run([RUMMYD, "migrate", "--db", self.conninfo(name)], check=True, stdout=subprocess.DEVNULL)
            self.log_sequences_anew(name)
            self.no_quests(name)
            self.migrated = True
        return name

    def log_sequences_anew(self, name):
        """PostgreSQL logs 32 numbers of a sequence at a time. A copy of the database believes that they are logged, which they
        are for the first one only: a crash would give them out twice."""
        connection = self.connect(name)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last_value) FROM pg_sequences WHERE last_value IS NOT NULL"
            )
        connection.close()

    def no_quests(self, name):
        """Each week has others: what a game brings would depend on the day of the test. A test of quests has them on offer."""
        connection = self.connect(name)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE quests SET on_offer = false")
        connection.close()

    def new_database(self, migrated=True, tablespace=None):
        """A fresh database; returns its name."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        # To copy the files costs half of a copy through the log where they are in memory, and much more on a disk, to which
        # each of a thousand files is synced.
        way = "FILE_COPY" if str(self.folder).startswith("/dev/shm/") else "WAL_LOG"
        template = f" TEMPLATE {self.template()} STRATEGY {way}" if migrated else ""
        self.run(f"CREATE DATABASE {name}{template}" + (f" TABLESPACE {tablespace}" if tablespace else ""))
        self.run(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")  # no copy has that of its template
        return name

    def drop_database(self, name):
        try:
            self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        except psycopg2.errors.InsufficientPrivilege:
            # Autovacuum is at work there; only a superuser may end it by force, but it makes way by itself.
            self.run(f"DROP DATABASE IF EXISTS {name}")
