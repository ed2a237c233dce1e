"""Upgrades with games in play: the kept database of every release to the newest version, and the machinery
itself with two made-up releases after this one, which are linked from this build and other SQL.

Each upgrade must end with the schema of a new database, its games must continue, and the books must balance.
"""

import os
import re
import shlex
import subprocess

import pytest
from support import kept
from support.cluster import BUILD, ROOT, RUMMYD, SERVER
from support.server import Server
from support.wait import until

LONG = True
ADDED = """
CREATE TABLE cups (
    id   bigint PRIMARY KEY,
    name text   NOT NULL
);

ALTER TABLE tournaments ADD COLUMN cup_id bigint REFERENCES cups (id);
"""
LATER = """
ALTER TABLE players ADD COLUMN cups_n integer NOT NULL DEFAULT 0;
"""
FIRST = (
    "0001-cups.sql",
    ADDED + "INSERT INTO cups VALUES (1, 'Friday cup'); UPDATE tournaments SET cup_id = 1;",
)
SECOND = ("0002-count-cups.sql", LATER + "UPDATE players SET cups_n = 1;")
FAILS = ("0002-count-cups.sql", LATER + "UPDATE players SET cups_n = 1 / (id - id);")


@pytest.fixture(scope="module")
def linked(tmp_path_factory):
    """Links a program like this build's with further migrations and a longer schema.sql."""
    made = {}
    words = subprocess.run(
        ["make", "-s", f"BUILD={BUILD}", "print-cflags", "print-link"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")},
    ).stdout.splitlines()
    cflags, link = (shlex.split(line) for line in words)
    sanitizer = os.environ.get("RUMMY_SANITIZER")
    san = [f"-fsanitize={sanitizer}"] if sanitizer else []
    cc = shlex.split(os.environ.get("CC", "cc"))

    def make(name, schema, *migrations):
        if name in made:
            return made[name]
        folder = tmp_path_factory.mktemp(name)
        text = (ROOT / "schema.sql").read_text()
        tables, mark, triggers = text.partition("\n-- ==== Triggers")
        (folder / "schema.sql").write_text(tables + schema + mark + triggers)
        for file, sql in migrations:
            (folder / file).write_text(sql)
        objects = []
        for table, files in (
            ("db_schema_sql", [folder / "schema.sql"]),
            (
                "db_migrations",
                [*sorted(ROOT.glob("db/migrations/*.sql")), *(folder / f for f, _ in migrations)],
            ),
        ):
            code = subprocess.run(
                [ROOT / "scripts/embed", table, *files], check=True, stdout=subprocess.PIPE
            ).stdout
            (folder / f"{table}.c").write_bytes(code)
            objects.append(folder / f"{table}.o")
            subprocess.run(
                [*cc, *cflags, *san, "-c", "-o", objects[-1], folder / f"{table}.c"], cwd=ROOT, check=True
            )
        libraries = [BUILD / word for word in link if word.startswith("lib") and word.endswith(".a")]
        rest = [word for word in link if not word.endswith(".a")]
        made[name] = folder / "rummyd"
        subprocess.run(
            [*cc, *san, "-o", made[name], *objects, BUILD / "server/main.o", *libraries, *rest],
            cwd=ROOT,
            check=True,
        )
        return made[name]

    return make


@pytest.fixture(scope="module")
def next_release(linked):
    return linked("next", ADDED, FIRST)


@pytest.fixture(scope="module")
def release_after(linked):
    return linked("after", ADDED + LATER, FIRST, SECOND)


@pytest.fixture(scope="module")
def today(cluster, tmp_path_factory):
    """A kept database of this version."""
    folder = tmp_path_factory.mktemp("today")
    name = cluster.new_database()
    server = Server(cluster.conninfo(name, SERVER), tmp_path_factory.mktemp("state"), **kept.FILL).start()
    kept.keep(cluster.conninfo(name), kept.fill(server, cluster, name), folder)
    cluster.drop_database(name)
    return folder


@pytest.fixture
def old(cluster, today):
    """The name of a database of this version, with games in play."""
    name = kept.restore(cluster, today)
    assert kept.migrate(cluster.conninfo(name)).returncode == 0
    yield name
    cluster.drop_database(name)


def same_schema_as_new(cluster, name, program):
    new = cluster.new_database(migrated=False)
    done = kept.migrate(cluster.conninfo(new), program=program)
    assert (done.returncode, done.stdout) == (0, "created a new database\n"), done.stderr
    assert kept.schema(cluster.conninfo(name)) == kept.schema(cluster.conninfo(new))
    cluster.drop_database(new)


def plays_on(cluster, name, folder, state, program):
    server = Server(cluster.conninfo(name, SERVER), state, program=program, **kept.FILL).start()
    try:
        kept.play_on(server, folder, lambda *question: cluster.look(name, *question))
        assert server.stop() == 0, server.log()[-3000:]
    finally:
        if server.process.poll() is None:
            server.kill()
    kept.books_are_clean(cluster, name)


def applied(cluster, name):
    return [row for (row,) in cluster.look(name, "SELECT name FROM schema_migrations ORDER BY version")]


# --- the kept databases of all releases ---------------------------------------------------------------------


def test_the_database_of_each_release_becomes_the_newest(cluster, tmp_path):
    for folder in kept.kept_versions():
        name = kept.restore(cluster, folder)
        done = kept.migrate(cluster.conninfo(name))
        assert done.returncode == 0, f"{folder.name}: {done.stderr}"
        same_schema_as_new(cluster, name, RUMMYD)
        (tmp_path / folder.name).mkdir()
        plays_on(cluster, name, folder, tmp_path / folder.name, RUMMYD)
        cluster.drop_database(name)


# --- the machinery, with two releases that do not exist -----------------------------------------------------


def test_a_kept_database_is_small(today):
    assert (today / kept.DUMP).stat().st_size <= 300_000


def test_games_continue_after_an_upgrade_that_skips_a_release(cluster, old, today, release_after, tmp_path):
    done = kept.migrate(cluster.conninfo(old), program=release_after)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "applied 2 migrations, functions replaced; the database is up to date\n"
    same_schema_as_new(cluster, old, release_after)
    assert cluster.look(old, "SELECT count(*) > 0, min(cups_n) FROM players") == [(True, 1)]
    plays_on(cluster, old, today, tmp_path, release_after)


def test_each_release_in_turn_leads_to_the_same_schema(cluster, old, next_release, release_after):
    for program in (next_release, release_after):
        done = kept.migrate(cluster.conninfo(old), program=program)
        assert done.stdout.startswith("applied 1 migrations, "), done.stderr
    same_schema_as_new(cluster, old, release_after)
    kept.books_are_clean(cluster, old)


def test_a_failing_migration_leaves_the_state_before_it(cluster, old, linked, release_after):
    broken = linked("broken", ADDED + LATER, FIRST, FAILS)
    done = kept.migrate(cluster.conninfo(old), program=broken)
    assert (done.returncode, done.stdout) == (1, "")
    said = done.stderr.splitlines()[-1]
    assert said == "rummyd: migration 0002-count-cups.sql failed: PostgreSQL: division by zero"
    assert applied(cluster, old) == [FIRST[0]]
    assert cluster.look(
        old, "SELECT count(*) FROM information_schema.columns WHERE column_name = 'cups_n'"
    ) == [(0,)]
    kept.books_are_clean(cluster, old)
    assert kept.migrate(cluster.conninfo(old), program=release_after).returncode == 0
    same_schema_as_new(cluster, old, release_after)


def test_a_killed_migration_leaves_the_old_database(cluster, old, today, next_release, tmp_path):
    """A reader of tournaments holds it up in the middle: after it has created a table."""
    before = kept.schema(cluster.conninfo(old))
    reader = cluster.session(old)
    reader.cursor().execute("SELECT count(*) FROM tournaments")
    with subprocess.Popen([next_release, "migrate", "--db", cluster.conninfo(old)]) as process:
        waits = (
            "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'tournaments'::regclass"
            " AND mode = 'AccessExclusiveLock'"
        )
        until(lambda: cluster.look(old, waits), "the migration does not wait")
        process.kill()
    reader.rollback()
    reader.close()
    others = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    until(lambda: not cluster.look(old, others), "the session of the killed program remains")
    assert kept.schema(cluster.conninfo(old)) == before and applied(cluster, old) == []
    plays_on(cluster, old, today, tmp_path, RUMMYD)
    assert kept.migrate(cluster.conninfo(old), program=next_release).returncode == 0
    same_schema_as_new(cluster, old, next_release)


def test_an_older_program_refuses_a_newer_database_in_one_sentence(cluster, old, next_release, tmp_path):
    assert kept.migrate(cluster.conninfo(old), program=next_release).returncode == 0
    said = (
        "rummyd: migration 0001-cups.sql is newer than this program; run the program that applied it, or a"
        " newer one\n"
    )
    done = kept.migrate(cluster.conninfo(old))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    server = Server(cluster.conninfo(old, SERVER), tmp_path).start(wait=False)
    assert server.process.wait() == 1
    server.logged("migration 0001-cups.sql is newer than this program")


# --- the plan of an upgrade ---------------------------------------------------------------------------------


def test_the_plan_lists_migrations_locks_and_functions_and_changes_nothing(cluster, old, release_after):
    cluster.look(old, "ALTER FUNCTION setting_int RENAME TO setting_number")
    cluster.look(old, "UPDATE schema_state SET functions = array_append(functions, 'gone(bigint)')")
    before = kept.schema(cluster.conninfo(old))
    done = kept.migrate(cluster.conninfo(old), "--plan", program=release_after)
    assert done.returncode == 0, done.stderr
    plan = re.sub(r": \d+ rows, \d+ kB, at most \d+ s", "", done.stdout).splitlines()
    assert plan == [
        "migration 0001-cups.sql",
        "  lock ACCESS EXCLUSIVE on tournaments",
        "  lock ROW EXCLUSIVE on tournaments",
        "migration 0002-count-cups.sql",
        "  lock ACCESS EXCLUSIVE on players",
        "  lock ROW EXCLUSIVE on players",
        "  new function setting_int",
        "  removed function gone(bigint)",
        "functions: 1 new, 0 changed, 1 removed; all are replaced in one transaction, which locks no table of"
        " players",
        "pending: 2 migrations; nothing was changed",
    ]
    assert kept.schema(cluster.conninfo(old)) == before and applied(cluster, old) == []


STATEMENTS = {
    "ALTER TABLE players ADD CONSTRAINT x CHECK (id > 0) NOT VALID": ["ACCESS EXCLUSIVE on players"],
    "ALTER TABLE players VALIDATE CONSTRAINT x": ["SHARE UPDATE EXCLUSIVE on players"],
    "CREATE UNIQUE INDEX x ON players (id)": ["SHARE on players"],
    "CREATE TABLE x (id bigint REFERENCES players (id))": ["SHARE ROW EXCLUSIVE on players"],
    "CREATE TRIGGER x BEFORE INSERT ON players FOR EACH ROW EXECUTE FUNCTION y()": [
        "SHARE ROW EXCLUSIVE on players"
    ],
    "DROP TRIGGER x ON players": ["ACCESS EXCLUSIVE on players"],
    "DROP TABLE IF EXISTS public.players": ["ACCESS EXCLUSIVE on players"],
    "DELETE FROM players; -- don't UPDATE tables": ["ROW EXCLUSIVE on players"],
    "UPDATE players SET nickname = 'a; DROP TABLE tables;'": ["ROW EXCLUSIVE on players"],
    "DO $$ BEGIN DELETE FROM players; END $$": [],
}


def test_the_plan_finds_the_lock_of_each_kind_of_statement(cluster, old, linked):
    files = [(f"{number:04}-x.sql", f"{statement};\n") for number, statement in enumerate(STATEMENTS, 1)]
    done = kept.migrate(cluster.conninfo(old), "--plan", program=linked("kinds", "", *files))
    assert done.returncode == 0, done.stderr
    for part, (statement, locks) in zip(
        done.stdout.split("migration ")[1:], STATEMENTS.items(), strict=False
    ):
        assert re.findall(r"  lock (.*?): \d+ rows", part) == locks, statement
    assert "  not analyzed: DO ''\n" in done.stdout


def test_the_plan_of_other_databases(cluster, old, next_release):
    empty = cluster.new_database(migrated=False)
    done = kept.migrate(cluster.conninfo(empty), "--plan")
    assert (done.returncode, done.stdout) == (0, "the database is empty: migrate would create it\n")
    assert cluster.look(empty, "SELECT to_regclass('schema_state')") == [(None,)]
    cluster.drop_database(empty)
    done = kept.migrate(cluster.conninfo(old), "--plan")
    assert (done.returncode, done.stdout) == (0, "pending: 0 migrations; the database is up to date\n")
    assert kept.migrate(cluster.conninfo(old), program=next_release).returncode == 0
    done = kept.migrate(cluster.conninfo(old), "--plan")
    assert (done.returncode, done.stdout) == (1, "") and "is newer than this program" in done.stderr


def test_invalid_flags_of_the_plan_are_named(cluster, old):
    for flag, said in (
        ("--plan=yes", 'rummyd: --plan takes no value (got "yes")\n'),
        ("--plam", "rummyd: --plam: unknown flag\n"),
    ):
        done = kept.migrate(cluster.conninfo(old), flag)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
