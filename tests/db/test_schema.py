"""schema.sql is what the migrations yield, in both directions."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HINT = "regenerate it: rummyd migrate --db C on an empty database, then scripts/dump-schema C > schema.sql"


def dump(cluster, name):
    return subprocess.run([ROOT / "scripts" / "dump-schema", cluster.conninfo(name)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def test_the_migrations_yield_schema_sql(cluster, database):
    assert (ROOT / "schema.sql").read_text() == dump(cluster, database), HINT


def test_schema_sql_loads_into_an_empty_database_and_is_itself_again(cluster):
    name = cluster.new_database(migrated=False)
    try:
        text = (ROOT / "schema.sql").read_text()
        connection = cluster.connect(name)
        with connection.cursor() as cursor:
            cursor.execute(text)
        connection.close()
        assert dump(cluster, name) == text
    finally:
        cluster.drop_database(name)


def test_every_trigger_of_the_ledger_is_always_on(cluster, database):
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("""SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger
                          WHERE tgrelid IN ('accounts'::regclass, 'transfers'::regclass, 'postings'::regclass)
                            AND NOT tgisinternal ORDER BY 1, 2""")
        found = cursor.fetchall()
    connection.close()
    assert len(found) == 10 and {enabled for _, _, enabled in found} == {"A"}, found
