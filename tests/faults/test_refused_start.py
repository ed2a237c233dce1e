"""Tables that start in one statement: the server finds the one that PostgreSQL rejects, and the others
play."""

import asyncio
import contextlib
import time

import pytest
from support.after import metric, served
from support.table import Player, open_table
from test_lost import wait

TABLES = 7


@pytest.fixture
def server(cluster, tmp_path):
    it = served(cluster, tmp_path, {"log_level": "info"})
    yield it
    if it.process.poll() is None:
        assert it.stop() == 0, it.log()[-3000:]
    it.no_finding()
    cluster.drop_database(it.database)


def test_a_rejected_start_does_not_delay_other_tables(server):
    owner = server.promises.cluster.connect(server.database)
    with owner.cursor() as cursor:
        cursor.execute("""
            CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_advisory_xact_lock(77);
                IF EXISTS (SELECT 1 FROM settings WHERE name = 'trouble' AND value = NEW.table_id::text) THEN
                    RAISE EXCEPTION 'not this one';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER trouble BEFORE INSERT ON hands FOR EACH ROW EXECUTE FUNCTION trouble();
            UPDATE rooms SET seats_n = 2, fill_wait_ms = 3600000;
            SELECT pg_advisory_lock(77)""")
        seats = [(player := Player(server), player.take_seat()) for _ in range(2 * TABLES)][::2]

        async def visit(act):
            async with contextlib.AsyncExitStack() as stack:
                for player, seat in seats:
                    await stack.enter_async_context(open_table(player, seat["table_id"]))
                await asyncio.to_thread(act)

        asyncio.run(visit(lambda: release(server, cursor, [int(seat["table_id"]) for _, seat in seats])))
    owner.close()
    wait(lambda: metric(server, "rummyd_tables_lost_total") == 1)
    refused = [line for line in server.log().split("\n") if "journal_refused" in line]
    assert len(refused) == 1 and "not this one" in refused[0]


def release(server, cursor, tables):
    """Once the first start waits for the lock, the others wait behind it: the test corrupts one of them,
    then lets all continue."""
    waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted"
    wait(lambda: server.promises.look(waits) == [(1,)])
    time.sleep(1)  # lapse: the other starts queue up in the server, which no metric shows
    cursor.execute("INSERT INTO settings VALUES ('trouble', %s, '')", (str(tables[5]),))
    cursor.execute("SELECT pg_advisory_unlock(77)")

    def states():
        return [row[0] for row in server.promises.look("SELECT state FROM tables ORDER BY id")]

    wait(lambda: "waiting" not in states())
    assert states() == ["lost" if table == tables[5] else "playing" for table in sorted(tables)]
