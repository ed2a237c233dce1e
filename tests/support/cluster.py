"""A PostgreSQL cluster for tests and fresh, migrated databases on it.

A test run uses one cluster: the one in the folder RUMMY_TEST_CLUSTER names (scripts/test starts it),
or else a new one in a temporary folder, stopped at the end.
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import psycopg2

from . import adverse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RUMMY_BUILD", ROOT / "build")).resolve()
RUMMYD = BUILD / "rummyd"
PG = ROOT / "scripts" / "pg"
OWNER, SERVER, READER = "rummyd_owner", "rummyd", "rummyd_read"  # names from db/roles.sql

KEPT = os.environ.get("RUMMY_TEST_KEEP") == "1"  # keeps the database template, too

_numbers = itertools.count(1)

# States caused by tests that stop the database or cancel a statement. (Functions also raise refusals, RU…,
# on purpose.)
EXPECTED_STATES = {"57P01", "57014"}


def parent(process):
    """The parent of a process, given its folder in /proc; None if it has ended."""
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def scratch():
    """Folder for further clusters of a run: next to the run's cluster, which scripts/test puts into memory
    if there is enough. None means the default folder for temporary files."""
    given = os.environ.get("RUMMY_TEST_CLUSTER")
    return pathlib.Path(given).parent if given else None


class Cluster:
    """One private cluster. `conninfo(name)` is for a database in it, as its owner or another role."""

    def __init__(self, own=False, folder=None, env=None):
        """own: create a new one even if the run has one, for a test that stops PostgreSQL; folder: its
        location; env: additional environment variables of its server."""
        self.env = {
            **os.environ,
            "RUMMY_PG_ENV": " ".join(f"{name}={value}" for name, value in (env or {}).items()),
        }
        given = None if own else os.environ.get("RUMMY_TEST_CLUSTER")
        self.folder = given or folder or tempfile.mkdtemp(prefix="rummyd-test-pg-", dir=scratch())
        self.own = not given
        self.base = self.start()
        self.made_template = None
        self.sessions = {}  # one per role, on a cluster that is never stopped
        self.looks = {}  # one session per database that tests inspect

    def start(self):
        """Starts it unless it is running; returns the conninfo of its first database."""
        return subprocess.run(
            [PG, "start", self.folder], env=self.env, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    def stop(self):
        subprocess.run([PG, "stop", self.folder], check=True)

    def postmaster(self):
        """The postmaster, for a test that breaks the cluster. The cluster must be private, because all tests
        of a run share the other one."""
        assert self.own, "others are at work on this cluster: make another with Cluster(own=True)"
        return int((pathlib.Path(self.folder) / "data" / "postmaster.pid").read_text().split()[0])

    def signal(self, which):
        """Sends a signal to all of its processes."""
        first = self.postmaster()
        for pid in [
            first,
            *(int(path.name) for path in pathlib.Path("/proc").glob("[0-9]*") if parent(path) == first),
        ]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, which)

    def freeze(self):
        """Freezes the cluster: connections stay open, but get no replies."""
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)

    @contextlib.contextmanager
    def frozen(self):
        self.freeze()
        try:
            yield
        finally:
            self.thaw()

    def close(self):
        for session in (*self.sessions.values(), *self.looks.values()):
            session.close()
        if self.own:
            self.stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    def log_size(self):
        return (pathlib.Path(self.folder) / "log").stat().st_size

    def server_errors(self, name, since=0):
        """Errors that PostgreSQL has logged for the server's role in the database `name`, from an offset in
        the log: (SQLSTATE, message)."""
        with open(pathlib.Path(self.folder) / "log", "rb") as log:
            log.seek(since)
            text = log.read().decode("utf-8", "replace")
        return re.findall(
            rf"^\S+ \S+ \S+ \[\d+\] {SERVER}@{name} (\w{{5}}) (?:ERROR|FATAL|PANIC):  (.*)$", text, re.M
        )

    @contextlib.contextmanager
    def quiet(self, name):
        """Fails if PostgreSQL refuses a statement of the server, even if the server retries it or ignores the
        result."""
        logged = self.log_size()
        yield
        faults = {
            error
            for error in self.server_errors(name, logged)
            if error[0] not in EXPECTED_STATES and not error[0].startswith("RU")
        }
        assert not faults, f"statements of the server that failed in PostgreSQL: {sorted(faults)[:10]}"

    def conninfo(self, name="rummyd", user=OWNER):
        host, port = self.base.split()[:2]
        return f"{host} {port} user={user} dbname={name}"

    def connect(self, name="rummyd", user=OWNER):
        """An autocommit connection to the database `name`."""
        connection = self.session(name, user)
        connection.autocommit = True
        return connection

    def session(self, name, user=OWNER, settings=None, **more):
        """A connection to the database `name`, to an adverse one with the program's settings. settings:
        other values to pin, for a test that itself makes its database adverse. Without pinned timeouts,
        PostgreSQL would end the session of a test that pauses for 50 ms."""
        pinned = adverse.TESTS_PIN | (settings or {}) if adverse.WANTED or settings is not None else None
        return psycopg2.connect(
            self.conninfo(name, user), **({"options": adverse.options(pinned)} if pinned else {}), **more
        )

    def run(self, statement, user=OWNER):
        """Executes a statement about the cluster. The session on the shared cluster stays open, because
        opening one costs as much as many statements."""
        session = self.sessions.get(user) or self.connect(user=user)
        if not self.own:
            self.sessions[user] = session
        try:
            with session.cursor() as cursor:
                cursor.execute(statement)
        finally:
            if self.own:
                session.close()

    def look(self, name, question, *values):
        """The rows of a statement on the database `name`. Tests that wait poll often, so the session is kept,
        and reopened if it breaks."""
        kept = name in self.looks
        if not kept:
            self.looks[name] = self.connect(name)
        try:
            with self.looks[name].cursor() as cursor:
                cursor.execute(question, values)
                return cursor.fetchall() if cursor.description else []
        except (psycopg2.OperationalError, psycopg2.InterfaceError):
            if self.looks[name].closed:
                del self.looks[name]
            if not kept or name in self.looks:
                raise
        return self.look(name, question, *values)

    def template(self):
        """The name of the migrated template database. The first process of a run that needs it creates it
        for all processes; each build of the program has its own."""
        if self.made_template is None and KEPT:
            self.made_template = self.kept_template()
        if self.made_template is None:
            build = RUMMYD.stat()
            what = f"{RUMMYD} {build.st_mtime_ns} {build.st_size} {adverse.WANTED}"
            name = "template_" + hashlib.sha256(what.encode()).hexdigest()[:16]
            with open(pathlib.Path(self.folder) / "template.lock", "w", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not self.exists(name):
                    self.make_template(name)
            self.made_template = name
        return self.made_template

    def kept_template(self):
        """A template that outlives the run: while schema and data are the same, `rummyd migrate` replaces
        only changed functions. scripts/test.d/first requests it."""
        parts = [ROOT / "schema.sql", *sorted(ROOT.glob("db/migrations/*")), *sorted(ROOT.glob("db/data/*"))]
        what = hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()[:16]
        name = f"template_kept_{what}"
        with open(pathlib.Path(self.folder) / "template.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.exists(name):
                command = [RUMMYD, "migrate", "--db", self.conninfo(name)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            else:
                self.make_template(name)
        return name

    def exists(self, name):
        connection = self.connect()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
                return cursor.rowcount == 1
        finally:
            connection.close()

    def make_template(self, name):
        """Renames the template once it is complete."""
        unfinished = f"{name}_unfinished"
        self.run(f"DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")
        self.run(f"CREATE DATABASE {unfinished} {adverse.LOCALE if adverse.WANTED else ''}")
        subprocess.run(
            [RUMMYD, "migrate", "--db", self.conninfo(unfinished)], check=True, stdout=subprocess.DEVNULL
        )
        self.log_sequences_anew(unfinished)
        self.no_quests(unfinished)
        self.run(f"ALTER DATABASE {unfinished} RENAME TO {name}")

    def log_sequences_anew(self, name):
        """PostgreSQL logs 32 numbers of a sequence at a time. A copied database considers them logged,
        although only the original has logged them: after a crash they would be issued twice."""
        connection = self.connect(name)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last_value) FROM"
                " pg_sequences WHERE last_value IS NOT NULL"
            )
        connection.close()

    def no_quests(self, name):
        """Removes the quests: they change weekly, so rewards would depend on the day of the test. Tests of
        quests offer their own."""
        connection = self.connect(name)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE quests SET on_offer = false")
        connection.close()

    def new_database(self, migrated=True, tablespace=None):
        """A fresh database; returns its name."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        # In memory, copying the files takes half as long as copying through the log; on a disk it takes
        # much longer, because each of a thousand files is synced.
        way = "FILE_COPY" if str(self.folder).startswith("/dev/shm/") else "WAL_LOG"
        template = f" TEMPLATE {self.template()} STRATEGY {way}" if migrated else ""
        self.run(f"CREATE DATABASE {name}{template}" + (f" TABLESPACE {tablespace}" if tablespace else ""))
        self.run(
            f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC"
        )  # copies do not inherit it from the template
        for statement in adverse.settings(name, adverse.ADVERSE) if adverse.WANTED else ():
            self.run(statement, "postgres")
        return name

    def drop_database(self, name):
        if name in self.looks:
            self.looks.pop(name).close()
        try:
            self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        except psycopg2.errors.InsufficientPrivilege:
            # Autovacuum is running there. Only a superuser can cancel it, but it yields by itself.
            self.run(f"DROP DATABASE IF EXISTS {name}")
