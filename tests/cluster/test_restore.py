"""A point-in-time restore with pgBackRest, as in docs/cluster.md: the ledger and the players are those of
that moment."""

import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

import psycopg2
import pytest
from support.cluster import READER, RUMMYD, SERVER, Cluster, scratch
from support.server import Server
from support.table import Player
from support.wait import HANG_S, until

pytestmark = pytest.mark.skipif(shutil.which("pgbackrest") is None, reason="pgBackRest is not installed")


@pytest.fixture
def folder():
    """A folder that PostgreSQL's user can enter."""
    it = pathlib.Path(tempfile.mkdtemp(prefix="rummyd-restore-", dir=scratch()))
    it.chmod(0o755)
    (it / "repository").mkdir(mode=0o700)
    if os.geteuid() == 0:
        of = pwd.getpwnam("postgres")
        os.chown(it / "repository", of.pw_uid, of.pw_gid)
    yield it
    shutil.rmtree(it, ignore_errors=True)


def superuser(cluster, *statements):
    connection = psycopg2.connect(cluster.conninfo("postgres", "postgres"))
    connection.autocommit = True
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        rows = cursor.fetchall() if cursor.description else []
    connection.close()
    return rows


class PgBackRest:
    def __init__(self, folder, cluster):
        socket = cluster.base.split()[0].removeprefix("host=")
        self.config = folder / "pgbackrest.conf"
        self.config.write_text(
            f"[global]\nrepo1-path={folder}/repository\nrepo1-retention-full=2\nstart-fast=y\ncompress-type=none\nlog-level-file=off\nlog-level-console=warn\n"
            f"lock-path={folder}/repository\n[rummy]\npg1-path={cluster.folder}/data\npg1-socket-path={socket}\npg1-user=postgres\n"
        )
        self.say = f"pgbackrest --config={self.config} --stanza=rummy"

    def __call__(self, *words):
        user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        done = subprocess.run(
            [*self.say.split(), *words], cwd="/", capture_output=True, text=True, check=False, **user
        )
        assert done.returncode == 0, done.stdout + done.stderr


def promoted(cluster):
    until = time.monotonic() + HANG_S
    while superuser(cluster, "SELECT pg_is_in_recovery()") != [(False,)]:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_restore_gives_the_database_of_that_moment(folder):
    (folder / "was").mkdir()
    was = Cluster(own=True, folder=folder / "was")
    backrest = PgBackRest(folder, was)
    superuser(
        was,
        "ALTER SYSTEM SET archive_mode = on",
        f"ALTER SYSTEM SET archive_command = '{backrest.say} archive-push %p'",
    )
    was.stop()
    was.base = was.start()
    backrest = PgBackRest(folder, was)  # its socket has moved
    backrest("stanza-create")
    subprocess.run([RUMMYD, "migrate", "--db", was.conninfo()], check=True, stdout=subprocess.DEVNULL)
    backrest("--type=full", "backup")

    server = Server(was.conninfo(user=SERVER), folder, rate_limits="off").start()
    kept = Player(server)  # after the backup: only in the archive
    # lapse: pgBackRest records the end of a backup to the second, and it must be before the target
    time.sleep(1.1)
    ((moment,),) = superuser(was, "SELECT clock_timestamp()")
    time.sleep(0.2)  # lapse: the target time is between the two players
    Player(server)  # must not be restored
    server.stop()
    superuser(was, "SELECT pg_switch_wal()")
    backrest("check")
    was.stop()

    again = folder / "again"
    again.mkdir()
    data = again / "data"
    data.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(data, "postgres", "postgres")
    backrest(
        f"--pg1-path={data}",
        "--type=time",
        f"--target={moment}",
        "--target-action=promote",
        "--archive-mode=off",
        "restore",
    )
    restored = Cluster.__new__(Cluster)
    restored.__dict__.update(was.__dict__, folder=again)

    def start():
        """Roles are checked once it accepts connections, which may be before it is a primary."""
        with contextlib.suppress(subprocess.CalledProcessError):
            return restored.start()

    restored.base = until(start, "the restored cluster does not start")
    try:
        promoted(restored)
        connection = restored.connect()
        with connection.cursor() as cursor:
            cursor.execute("SELECT id::text FROM players WHERE kind = 'guest' ORDER BY id")
            assert cursor.fetchall() == [(kept.id,)]
        connection.close()
        assert (
            subprocess.run(
                [RUMMYD, "ledger-check", "--db", restored.conninfo(user=READER)], check=False
            ).returncode
            == 0
        )
        server = Server(restored.conninfo(user=SERVER), folder, rate_limits="off").start()
        Player(server)
        server.stop()
    finally:
        restored.stop()
