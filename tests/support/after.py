"""Invariants after every fault: no acknowledged move is lost, hashes match, the books balance, no stake is
held without a live table, memory use is back to normal, and the next process takes over all tables."""

import contextlib
import os
import re
import subprocess
import time

from .cluster import READER, RUMMYD, SERVER
from .metrics import Metrics
from .server import Server
from .wait import HANG_S

NO_LINES = ("group", "rejoin", "leave")  # lines of a record that do not belong to a turn
# Freed memory that a sanitizer keeps in quarantine to detect use after free.
SANITIZER_KIB = 512 * 1024 if os.environ.get("RUMMY_SANITIZER") else 0
SLACK_KIB = 12 * 1024 + SANITIZER_KIB  # memory that the allocator keeps
# Log events that no fault may cause.
BUGS = (
    "bug:",
    "table_lost",
    "loss_not_written",
    "journal_refused",
    "record_refused",
    "bot_refused",
    "move_refused",
    "stale_epoch",
    "fenced",
)


def metric(server, name):
    return int(Metrics(server)[name])


def resident_kib(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def wait_for(server, name, most, seconds=HANG_S):
    """Waits until the metric is at most `most`."""
    until = time.monotonic() + seconds
    while metric(server, name) > most:
        assert time.monotonic() < until, f"{name} is {metric(server, name)}"
        time.sleep(0.05)


def verify(record):
    """Deals, plays, and scores the hands of a session again."""
    done = subprocess.run([RUMMYD, "verify", "-"], input=record, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return sum(int(line.rsplit(", ", 1)[1].split()[0]) for line in done.stdout.splitlines())


def thrown_in(record):
    """(seat, cards) of every discard in a record."""
    moves = re.findall(r"(?m)^\d+\. (\d+) (.*)$", record)
    return [
        (int(seat), cards.split()) for seat, line in moves for cards in re.findall(r"throw ([^,]+)", line)
    ]


def is_part(some, whole):
    """Whether `whole` contains them in this order. True if whole is None, because it is not known yet."""
    rest = iter(whole or some)
    return all(each in rest for each in some)


class Promises:
    """The invariants of one server and its database; create it before the fault. The server's `tables` hold
    the frames that players received."""

    def __init__(self, cluster, server, database):
        self.cluster, self.server, self.database = cluster, server, database
        self.kib = resident_kib(server)

    def look(self, question, *values):
        return self.cluster.look(self.database, question, *values)

    def books_are_clean(self):
        """The ledger proof also checks that no stake is held without a live table."""
        done = subprocess.run(
            [RUMMYD, "ledger-check", "--db", self.cluster.conninfo(self.database, READER)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def journal_has(self, tables):
        """Checks that the journal has every acknowledged move of a running table, with its version."""
        ids = [int(table.table) for table in tables]
        states = dict(self.look("SELECT id, state FROM tables WHERE id = ANY (%s)", ids))
        written = {}
        for table, command, v in self.look(
            "SELECT table_id, command, v FROM journal WHERE table_id = ANY (%s) AND command <> ''", ids
        ):
            written.setdefault(table, {})[command] = v
        for table, number in zip(tables, ids, strict=True):
            assert states.get(number) in ("playing", "finished") or not table.acks, (
                number,
                states.get(number),
            )
            if states.get(number) == "playing":
                stands = written.get(number, {})
                lost = {command: v for command, v in table.acks.items() if stands.get(command) != v}
                assert not lost, (number, lost)

    def records_hold(self, tables):
        """Checks that the record of every settled game can be replayed, and has the acknowledged moves in
        their order."""
        games = self.look(
            "SELECT g.table_id, string_agg(h.record, E'\\n' ORDER BY h.hand_no) FROM games g"
            " JOIN hands h ON h.table_id = g.table_id GROUP BY g.table_id"
        )
        thrown = {}
        for table, record in games:
            moves = verify(record)
            thrown[str(table)] = thrown_in(record)
            told = {
                c
                for t in tables
                if str(t.table) == str(table)
                for c in t.acks
                if t.sent[c][0] not in NO_LINES
            }
            assert moves >= len(told), (table, moves, told)
        for table in tables:
            assert is_part(table.own_throws(), thrown.get(str(table.table))), (
                table.table,
                table.own_throws(),
            )
        left = self.look(
            "SELECT count(*) FROM journal j JOIN tables t ON t.id = j.table_id WHERE t.state <> 'playing'"
        )
        assert left == [(0,)], "journals of ended tables are folded"
        return len(games)

    def memory_is_back(self, slack_kib=SLACK_KIB):
        wait_for(self.server, "rummyd_ws_connections", 0)
        now = resident_kib(self.server)
        assert now < self.kib + slack_kib, f"{self.kib} KiB before, {now} KiB after"
        return now

    def log_is_clean(self):
        self.server.no_finding()
        log = self.server.log()
        for bad in BUGS:
            assert bad not in log, bad + log.split(bad, 1)[1][:300]

    def next_process_takes_over(self):
        """A new process replays every live table of its node from the journal with matching hashes, and
        exits with 0."""
        self.server.kill()
        node = self.server.options.get("node", "n1")
        live = self.look(
            "SELECT count(*) FROM tables WHERE state IN ('waiting', 'playing') AND NOT asleep AND node = %s",
            node,
        )[0][0]
        said = len(self.server.log())
        self.server.start()
        assert self.server.stop() == 0
        taken = [line for line in self.server.log()[said:].splitlines() if '"tables_taken_over"' in line]
        assert len(taken) == 1 and f'"tables":{live},"left_out":0' in taken[0], (live, taken)

    def hold(self):
        """Checks all invariants and stops the server. Returns (acknowledged moves, settled games)."""
        tables = self.server.tables
        if self.server.process.poll() is None:
            self.memory_is_back()
        self.next_process_takes_over()
        self.journal_has(tables)
        self.books_are_clean()
        games = self.records_hold(tables)
        self.log_is_clean()
        return sum(len(table.acks) for table in tables), games


def quicken(cluster, database):
    """Makes rooms fill with bots immediately, and lifts the daily limit of games against bots."""
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET fill_wait_ms = 200")
        cursor.execute("UPDATE settings SET value = '1000000' WHERE name = 'solo_games_per_day'")
    connection.close()


def served(cluster, folder, options, database=None):
    """A server whose bots move without delay. Its `promises` must hold at the end."""
    database = database or cluster.new_database()
    quicken(cluster, database)
    server = Server(
        cluster.conninfo(database, SERVER),
        folder,
        **{"rate_limits": "off", "bot_think_ms": 0, "seed_wait_ms": 100, **options},
    )
    server.database = database
    server.start()
    server.promises = Promises(cluster, server, database)
    return server


@contextlib.contextmanager
def kept(cluster, folder, options):
    """The same on a database that is dropped afterward; checks at the end that its promises hold."""
    server = served(cluster, folder, options)
    try:
        yield server
        server.promises.hold()
    finally:
        server.kill()
        cluster.drop_database(server.database)
