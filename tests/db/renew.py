"""A database that looks new for each test. What a test has written is undone, which costs PostgreSQL 13 ms,
and the sessions stay. A copy of the template costs 60 ms, and its sessions compile every function that they
call.

The triggers that also guard against sessions in replica mode (ENABLE ALWAYS) are relaxed here, because
undoing a test uses such a session. A file whose tests use replica mode, or examine plans or the database
itself, sets OWN_DATABASES = True and gets a copy for each test."""

import psycopg2
from db_rig import Rig
from psycopg2.extensions import TRANSACTION_STATUS_ACTIVE, TRANSACTION_STATUS_IDLE
from support import adverse

ROWS_MAX = 3000  # above this, dropping the database is cheaper and leaves no dead rows
# A change in one of these shows that a test has altered the schema.
CATALOGS = [
    "pg_attrdef",
    "pg_attribute",
    "pg_class",
    "pg_constraint",
    "pg_default_acl",
    "pg_event_trigger",
    "pg_extension",
    "pg_index",
    "pg_inherits",
    "pg_language",
    "pg_namespace",
    "pg_operator",
    "pg_policy",
    "pg_proc",
    "pg_publication",
    "pg_rewrite",
    "pg_statistic",
    "pg_statistic_ext",
    "pg_trigger",
    "pg_type",
]
SESSION = (
    "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL; CLOSE ALL; UNLISTEN *; DEALLOCATE ALL;"
    " DISCARD TEMP; DISCARD SEQUENCES; SELECT pg_advisory_unlock_all()"
)


class Original:
    """The initial state of a database, and how to restore it."""

    def __init__(self, cluster, name):
        self.db = cluster.connect(name, "postgres")
        for table, trigger in self.rows(
            "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE tgenabled = 'A' AND tgparentid = 0"
        ):
            self.rows(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")
        self.rows("SET session_replication_role = replica")  # no triggers, no foreign keys
        tables = [
            row[0]
            for row in self.rows(
                "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace::regnamespace"
                " NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) ORDER BY 1"
            )
        ]
        filled = [table for table in tables if self.rows(f"SELECT 1 FROM {table} LIMIT 1")]
        contents = ", ".join(
            f"(SELECT coalesce(array_agg(t ORDER BY ctid)::text, '{{}}') FROM ONLY {table} t)"
            for table in filled
        )
        self.rows(f"PREPARE contents AS SELECT {contents}")
        empty = [f"DELETE FROM ONLY {table} RETURNING 1" for table in tables if table not in filled]
        parts = ", ".join(f"d{n} AS ({delete})" for n, delete in enumerate(empty))
        counted = " + ".join(f"(SELECT count(*) FROM d{n})" for n in range(len(empty)))
        self.rows(f"PREPARE empty AS WITH {parts} SELECT {counted}")
        marks = ", ".join(
            f"(SELECT (count(*), max(xmin::text::bigint))::text FROM {catalog})" for catalog in CATALOGS
        )
        self.rows(
            f"PREPARE marks AS SELECT {marks}, (SELECT (xmin, datacl)::text FROM pg_database WHERE datname ="
            " current_database()), (SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid ="
            " s.setdatabase WHERE datname = current_database())"
        )
        self.filled = dict(zip(filled, self.contents(), strict=True))
        self.sequences = self.numbers()
        self.marks = self.rows("EXECUTE marks")

    def rows(self, statement, *values):
        with self.db.cursor() as cursor:
            cursor.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def contents(self):
        return self.rows("EXECUTE contents")[0]

    def numbers(self):
        return self.rows(
            "SELECT format('%I.%I', schemaname, sequencename), last_value, start_value FROM pg_sequences"
            " ORDER BY 1"
        )

    def end_others(self, kept):
        """Ends the sessions that a test has left open, because one may be in a transaction. False if one
        remains."""
        others = (
            " FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
            " AND pid <> pg_backend_pid() AND pid <> ALL (%s)"
        )
        self.rows("SELECT pg_terminate_backend(pid, 30000)" + others, kept)
        return self.rows("SELECT 1" + others, kept) == []

    def restore(self):
        """False if that is impossible, or more expensive than another database."""
        if self.rows("EXECUTE marks") != self.marks or self.rows("EXECUTE empty")[0][0] > ROWS_MAX:
            return False
        for (table, before), now in zip(self.filled.items(), self.contents(), strict=True):
            if now != before:
                self.rows(f"DELETE FROM ONLY {table}")
                self.rows(
                    f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM unnest(%s::{table}[])", before
                )
        for before, now in zip(self.sequences, self.numbers(), strict=True):
            name, last, start = before
            if now != before:
                self.rows("SELECT setval(%s, %s, %s)", name, last or start, last is not None)
        return True


def renew_session(session):
    """False if it cannot be reused."""
    if (
        session.closed
        or not session.autocommit
        or session.get_transaction_status() != TRANSACTION_STATUS_IDLE
    ):
        return False
    with session.cursor() as cursor:
        cursor.execute(SESSION)
    session.notices.clear()
    session.notifies.clear()
    return True


CLOSE = psycopg2.extensions.connection.close  # closes even a session that would return to the pool


class PooledSession(psycopg2.extensions.connection):
    """Its close() passes the session on to the next test, unless it cannot be reused."""

    pool, user = None, None

    def close(self):
        idle = self.pool.idle.setdefault(self.user, [])
        if self in idle:
            return
        if not self.closed and self.get_transaction_status() != TRANSACTION_STATUS_ACTIVE:
            try:
                self.rollback()
                self.autocommit = True
                if renew_session(self):
                    idle.append(self)
                    return
            except psycopg2.Error:
                pass
        super().close()


class Pool:
    """Sessions of one database. A new session costs PostgreSQL 5 ms, and 50 ms more for the functions that it
    compiles."""

    def __init__(self, cluster):
        self.cluster, self.idle = cluster, {}

    def session(self, name, user, **more):
        idle = self.idle.get(user, [])
        while idle:
            session = idle.pop()
            if not session.closed and renew_session(session):
                return session
        session = self.cluster.session(name, user, connection_factory=PooledSession, **more)
        session.pool, session.user = self, user
        return session

    def leave(self, sessions):
        """Removes these sessions from the pool."""
        self.idle = {user: [it for it in idle if it not in sessions] for user, idle in self.idle.items()}

    def processes(self):
        return [
            session.get_backend_pid() for idle in self.idle.values() for session in idle if not session.closed
        ]

    def close(self):
        for idle in self.idle.values():
            for session in idle:
                CLOSE(session)
        self.idle = {}


class Rigs:
    """Rigs for one test after another, each on a database that looks new."""

    def __init__(self, cluster, own=False):
        """own: each on a copy of the template."""
        self.cluster, self.own = cluster, own or adverse.WANTED
        self.name, self.original, self.sessions, self.pool = None, None, (), None

    def take(self):
        if self.name is None:
            self.name = self.cluster.new_database()
            if not self.own:
                self.original, self.pool = Original(self.cluster, self.name), Pool(self.cluster)
        return Rig(self.cluster, self.name, sessions=self.sessions, pool=self.pool)

    def give_back(self, rig):
        self.sessions = (rig.db, rig.node_session)
        if self.pool:
            self.pool.leave(self.sessions)
        if not (self.original and self.renewed()):
            self.drop()

    def renewed(self):
        if any(session.closed for session in self.sessions):
            return False
        kept = [session.get_backend_pid() for session in self.sessions] + self.pool.processes()
        return (
            self.original.end_others(kept)
            and all(renew_session(session) for session in self.sessions)
            and self.original.restore()
        )

    def give_up(self):
        """Takes the database of the current rig out of the pool, without our session."""
        if self.original:
            self.original.db.close()
            self.pool.close()
            self.original, self.pool = None, None

    def drop(self):
        if self.pool:
            self.pool.close()
        for session in (*self.sessions, *([self.original.db] if self.original else [])):
            CLOSE(session)
        if self.name:
            self.cluster.drop_database(self.name)
        self.name, self.original, self.sessions, self.pool = None, None, (), None
