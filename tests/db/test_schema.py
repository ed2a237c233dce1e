"""schema.sql, db/functions, and db/data: what a fresh database consists of, their style, and what a second
`rummyd migrate` leaves alone. (tests/db/test_migrate.c tests how migrations and replaced functions are
applied.)
"""

import hashlib
import io
import re
import subprocess
import tarfile

import pytest
from sources import DEFINITION, FILES, GENERATED, LAYERS, ROOT, SCHEMA, definitions, statements
from support.cluster import RUMMYD


@pytest.fixture(scope="module")
def functions():
    return definitions()


# --- style --------------------------------------------------------------------------------------------------


def test_function_files_contain_only_functions_with_comments():
    for path in FILES:
        text = path.read_text()
        found = [match[0] for match in DEFINITION.finditer(text)]
        assert found and text == "\n".join(found), f"{path}: {DEFINITION.sub('', text).strip()[:100]}"


def test_a_function_is_in_the_file_of_its_name_or_family(functions):
    names = [path.stem for path in FILES]
    assert len(set(names)) == len(names), "two files of one name"
    for name, (path, _, _) in functions.items():
        alone = sum(other == path for other, _, _ in functions.values()) == 1
        assert name == path.stem or (not alone and name.startswith(path.stem)), f"{name} is defined in {path}"


def test_the_database_has_exactly_the_functions_of_the_files(rows, functions):
    assert sorted(
        name for (name,) in rows("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
    ) == sorted(functions)


def test_every_function_in_the_database_has_its_comment(rows, functions):
    for name, comment in rows(
        "SELECT proname, obj_description(oid, 'pg_proc') FROM pg_proc"
        " WHERE pronamespace = 'public'::regnamespace"
    ):
        assert comment == functions[name][2], name
        assert len(comment.split("\nCalled ")[0]) > 20, f"{name}: {comment}"


def callers_of(functions):
    """name -> callers: layers of C, triggers, jobs, functions."""
    code = {name: re.sub(r"--[^\n]*", "", text.split("(", 1)[1]) for name, (_, text, _) in functions.items()}
    words = {name: set(re.findall(r"\b(\w+)\(", text)) for name, text in code.items()}
    strings = {}
    for layer in LAYERS:
        text = "".join(
            re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            for path in [*(ROOT / layer).glob("**/*.c"), *[GENERATED] * (layer == "api")]
        )
        strings[layer] = set(re.findall(r"\b(\w+)\(", " ".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', text))))
    triggers = re.findall(
        r"CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*? ON (\w+)\b.*?EXECUTE FUNCTION (\w+)\(", SCHEMA, re.S
    )
    jobs = set(re.findall(r"\n    \('(\w+)',", (ROOT / "db" / "data" / "09-jobs.sql").read_text()))
    return {
        name: (
            [layer for layer in LAYERS if name in strings[layer]]
            + sorted(
                f"the trigger {trigger} of {table}" for trigger, table, called in triggers if called == name
            )
            + [f"the job {job}" for job in jobs if name == f"{job}_step"]
            + sorted(other for other in words if other != name and name in words[other])
        )
        for name in functions
    }


def test_function_comments_list_the_actual_callers(functions):
    for name, callers in callers_of(functions).items():
        said = functions[name][2].split("\nCalled ")[-1].replace("\n", " ")
        expected = "everywhere." if len(callers) > 12 else f"by {', '.join(callers)}."
        assert said == expected, f"{functions[name][0]}: the comment of {name} should end: Called {expected}"


def test_each_data_file_has_a_unique_number():
    """`rummyd migrate` runs them in the order of their names: files with the same number would have no
    order."""
    names = sorted(path.name for path in (ROOT / "db/data").iterdir())
    numbers = [re.fullmatch(r"(\d\d)-[a-z0-9-]+\.sql", name)[1] for name in names]
    assert len(set(numbers)) == len(numbers), names


def test_every_table_has_a_comment():
    lines = SCHEMA.split("\n")
    for number, line in enumerate(lines):
        if re.match(r"CREATE (?:UNLOGGED )?TABLE \w+ \(", line):
            before = (
                lines[number - 2] if lines[number - 1].startswith("CREATE SEQUENCE") else lines[number - 1]
            )
            assert before.startswith("-- "), line


def test_lines_are_short():
    for path in [ROOT / "schema.sql", *(ROOT / "db").glob("**/*.sql")]:
        for number, line in enumerate(path.read_text().split("\n"), 1):
            assert len(line) <= 110 and line == line.rstrip() and "\t" not in line, f"{path}:{number}"


def test_a_statement_has_the_name_of_the_function_it_calls(functions):
    """A statement that calls no function, or several, has a descriptive name instead, because do_ and q_
    are for functions only."""
    found = list(statements())
    assert len(found) > 100
    for path, name, sql in found:
        called = set(re.findall(r"\b(\w+)\(", sql)) & set(functions)
        acts = {function for function in called if function.startswith("do_")}
        assert acts <= {name}, f"{path}: {name} calls {acts}"
        assert name in called or not name.startswith(("do_", "q_")), f"{path}: there is no {name} in {sql}"


def test_generated_statements_can_be_prepared(rows):
    """The contract names their functions and arguments (x-sql)."""
    generated = [(name, sql) for path, name, sql in statements() if ROOT / path == GENERATED]
    assert len(generated) > 40
    for name, sql in generated:
        assert rows(f"PREPARE {name} AS {sql}; SELECT '{name}'") == [(name,)]


# --- contents of a database ---------------------------------------------------------------------------------


def test_every_table_is_in_the_schema_once(rows):
    named = re.findall(r"^CREATE (?:UNLOGGED )?TABLE (\w+)", SCHEMA, re.M)
    assert len(set(named)) == len(named)
    assert sorted(named) == sorted(
        name
        for (name,) in rows(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace ="
            " 'public'::regnamespace"
        )
    )


def test_the_endings_match_those_of_the_engine():
    """engine/core/endings.def is the source; SQL cannot include it."""
    names = re.findall(
        r'^ENG_ENDING\(\w+, "(\w+)"', (ROOT / "engine" / "core" / "endings.def").read_text(), re.M
    )
    checks = re.findall(r"\bending IN \(([^)]*)\)", SCHEMA)
    assert names and len(checks) == 2
    assert all(re.findall(r"'(\w+)'", check) == names for check in checks)


def test_every_ledger_trigger_is_always_enabled(rows):
    found = rows("""SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger
                    WHERE tgrelid IN ('accounts'::regclass, 'transfers'::regclass, 'postings'::regclass)
                      AND NOT tgisinternal ORDER BY 1, 2""")
    assert len(found) == 11 and {enabled for _, _, enabled in found} == {"A"}, found


def test_a_second_migration_keeps_changes_of_the_operator(cluster):
    """When functions are replaced, the data is applied again, but adds only missing rows that the program
    needs."""
    name = cluster.new_database()
    connection = cluster.connect(name)
    cursor = connection.cursor()
    cursor.execute("UPDATE settings SET value = '77' WHERE name = 'welcome_silver'")
    cursor.execute("DELETE FROM settings WHERE name = 'board_around'")
    cursor.execute("UPDATE jobs SET every_s = 60 WHERE job = 'upkeep'")
    cursor.execute("UPDATE levels SET reward_gold = 3 WHERE level = 2")
    cursor.execute("UPDATE rooms SET stake = 11 WHERE id = 'desert'")
    cursor.execute(
        "DELETE FROM month_prizes; DELETE FROM league_prizes WHERE place > 3; DELETE FROM limit_currencies"
    )
    cursor.execute("DELETE FROM shop_packs WHERE id = 'gold_300'")
    cursor.execute("UPDATE schema_state SET code = 'older'")
    done = subprocess.run([RUMMYD, "migrate", "--db", cluster.conninfo(name)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "applied 0 migrations, functions replaced; the database is up to date\n"
    for sql, value in {
        "SELECT value FROM settings WHERE name = 'welcome_silver'": "77",
        "SELECT value FROM settings WHERE name = 'board_around'": "5",
        "SELECT every_s FROM jobs WHERE job = 'upkeep'": 60,
        "SELECT reward_gold FROM levels WHERE level = 2": 3,
        "SELECT stake FROM rooms WHERE id = 'desert'": 11,
        "SELECT count(*) FROM month_prizes": 0,
        "SELECT max(place) FROM league_prizes": 3,
        "SELECT count(*) FROM limit_currencies": 0,
        "SELECT count(*) FROM shop_packs": 2,
        "SELECT count(*) FROM seasons": 1,
        "SELECT count(*) FROM accounts WHERE kind = 'house'": 30,
    }.items():
        cursor.execute(sql)
        assert cursor.fetchone()[0] == value, sql
    connection.close()
    cluster.drop_database(name)


# --- from the last release to now ---------------------------------------------------------------------------


def last_release():
    """path -> text of the sources of a database at the last tag, or now if nothing was released yet."""
    tag = subprocess.run(
        ["git", "-C", ROOT, "describe", "--tags", "--abbrev=0", "--match", "v*"],
        capture_output=True,
        text=True,
    )
    if tag.returncode != 0:
        paths = [ROOT / "schema.sql", *(ROOT / "db").glob("**/*.sql")]
        return {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    packed = subprocess.run(
        ["git", "-C", ROOT, "archive", tag.stdout.strip(), "schema.sql", "db"],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        return {
            file.name: files.extractfile(file).read().decode() for file in files if file.name.endswith(".sql")
        }


def make_as_then(cursor, files):
    """Creates the database that `rummyd migrate` of that version made of these files."""
    functions, data = (
        [files[path] for path in sorted(files) if path.startswith(folder)]
        for folder in ("db/functions/", "db/data/")
    )
    tables, triggers = re.split(r"^(?=-- ==== Triggers)", files["schema.sql"], flags=re.M)
    cursor.execute("SET check_function_bodies = off")
    for sql in [tables, "INSERT INTO schema_state DEFAULT VALUES", *functions, triggers, *data]:
        cursor.execute(sql)
    for path in sorted(path for path in files if path.startswith("db/migrations/")):
        name = path.rsplit("/", 1)[1]
        cursor.execute(
            "INSERT INTO schema_migrations (version, name, checksum) VALUES (%s, %s, %s)",
            (int(name.split("-")[0]), name, hashlib.sha256(files[path].encode()).digest()),
        )
    cursor.execute("""UPDATE schema_state SET code = 'then', functions = ARRAY(
        SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace)""")


def dump_of(cluster, name):
    """The schema as an unordered set of statements, and the rows of an empty game."""
    text = subprocess.run(
        [
            "pg_dump",
            "--no-owner",
            "--inserts",
            "--exclude-table-data=schema_*",
            "--exclude-table-data=seasons",
            f"--dbname={cluster.conninfo(name)}",
        ],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    text = re.sub(r"^(--|SET|\\).*\n", "", text, flags=re.M)
    text = re.sub(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^']*'", "'some time'", text)
    return sorted(part for part in text.split("\n\n") if part.strip())


def test_migrating_the_last_release_equals_a_fresh_database(cluster):
    """Migrations and replaced functions make them equal; before the first release, functions alone do."""
    then, now = cluster.new_database(migrated=False), cluster.new_database(migrated=False)
    connection = cluster.connect(then)
    make_as_then(connection.cursor(), last_release())
    connection.close()
    done, _ = [
        subprocess.run(
            [RUMMYD, "migrate", "--db", cluster.conninfo(name)], capture_output=True, text=True, check=True
        )
        for name in (then, now)
    ]
    assert "functions replaced" in done.stdout, done
    was, fresh = dump_of(cluster, then), dump_of(cluster, now)
    assert len(fresh) > 500
    assert was == fresh, sorted(set(was) ^ set(fresh))[:5]
    cluster.drop_database(then)
    cluster.drop_database(now)


def test_each_prepared_statement_has_a_unique_name():
    """Two statements with one name fail on a connection that prepares both, because the second is "already
    prepared"."""
    of = {}
    for file, name, _ in statements():
        of.setdefault(name, []).append(str(file))
    assert len(of) > 300
    twice = {name: files for name, files in of.items() if len(files) > 1}
    assert not twice
    assert not [name for name in of if len(name) > 63]
