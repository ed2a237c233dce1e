"""Tables that their node cannot continue: it reports each once and keeps its data, and the tables end with
refunds. Transient failures do not cause this."""

import asyncio
import subprocess
import time
import uuid

import pytest
from support.after import Promises, metric, served
from support.cluster import RUMMYD
from support.contract import Client
from support.keys import make_key
from support.table import Closed, Player, Table, nobody_opens, open_table
from support.wait import HANG_S


@pytest.fixture
def server(cluster, tmp_path):
    it = served(cluster, tmp_path, {"log_level": "info"})
    yield it
    if it.process.poll() is None:
        assert it.stop() == 0, it.log()[-3000:]
    it.no_finding()
    cluster.drop_database(it.database)


@pytest.fixture
def admin(server):
    client = Client(server)
    client.token = make_key(server.owner_db)
    return client


def act(admin, path, body, **more):
    return admin.call("POST", path, body, headers={"Idempotency-Key": uuid.uuid4().hex}, **more)


def cancel(admin, table):
    return act(admin, f"/v1/admin/tables/{table}/cancel", {"reason": "It is lost."}, status=202).json()


def as_client(player, server):
    client = Client(server)
    client.token = player.headers["Authorization"].split()[1]
    return client


def wait(question, seconds=HANG_S):
    until = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return answer


def verify(record):
    done = subprocess.run([RUMMYD, "verify", "-"], input=record, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "verified" in done.stdout, done.stdout + done.stderr
    return done.stdout


def plant(server, player, table):
    """The key of the table's settlement was used for something else."""
    assert server.promises.look(
        "SELECT code FROM do_credit(%s, 'gold', 1, 'grant', %s, '')", int(player.id), f"settle:table:{table}"
    ) == [("ok",)]


async def moves(table, turns=1):
    for _ in range(2 * turns):
        await table.my_turn_comes()
        assert (await table.step())["t"] == "ack"


def test_a_refused_settlement_loses_the_table_and_an_operator_ends_it(server, admin):
    player = Player(server)
    me, before = as_client(player, server), player.silver()

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            plant(server, player, table.table)
            with pytest.raises(Closed) as closed:
                await table.play_out()
            assert closed.value.code == 4004
            assert not any(frame["t"] in ("hand_ended", "settled", "cancelled") for frame in table.frames), (
                "nothing that is not so"
            )
            return table

    table = asyncio.run(play())
    wait(lambda: metric(server, "rummyd_tables_lost_total") == 1 and metric(server, "rummyd_tables") == 0)
    assert me.get("/v1/me/tables")["items"][0]["state"] == "lost"
    for path, method in (
        (f"/v1/tables/{table.table}/tickets", "POST"),
        (f"/v1/tables/{table.table}", "GET"),
        (f"/v1/tables/{table.table}/seats/me", "DELETE"),
    ):
        me.call(
            method,
            path,
            headers={"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else None,
            status=409,
            code="table_lost",
        )
    assert player.silver() == before - 10, "held"

    (item,) = admin.get("/v1/admin/lost-tables")["items"]
    assert (item["id"], item["state"], item["lost"]["code"]) == (table.table, "lost", "write_refused")
    assert item["lost"]["data"]["write"] == "settle" and item["lost"]["data"]["why"].startswith(
        "PostgreSQL: "
    )
    assert item["seats"][table.me]["held_silver"] == 10
    record = admin.call("GET", f"/v1/admin/tables/{table.table}/lost-record", status=200).text
    verify(record)
    assert "\nresult " in record
    page = admin.get(f"/v1/admin/tables/{table.table}/lost-moves?limit=7")
    rows = page["items"]
    while page["next"]:
        page = admin.get(f"/v1/admin/tables/{table.table}/lost-moves?limit=7&cursor={page['next']}")
        rows += page["items"]
    assert (
        len(rows) == item["lost"]["moves"]
        and {row["command"]: row["v"] for row in rows if row["command"]}.items() >= table.acks.items()
    )
    assert [row["v"] for row in rows] == sorted(row["v"] for row in rows)

    wait(lambda: admin.get("/readyz")["lost_tables"] == 1)
    assert admin.get("/readyz")["status"] == "ready", "a warning, not an outage"
    assert metric(server, "rummyd_lost_tables_open") == 1
    assert cancel(admin, table.table)["state"] == "cancelled", "at once"
    assert player.silver() == before and me.get("/v1/me/tables")["items"] == []
    told = me.get("/v1/notifications")["items"][0]
    assert (told["kind"], told["data"]) == (
        "refund",
        {"table_id": table.table, "variant": "rummy51", "silver": 10, "gold": 0, "ws_url": None},
    )
    act(admin, f"/v1/admin/tables/{table.table}/cancel", {"reason": "x"}, status=409, code="table_over")
    assert admin.get("/v1/admin/lost-tables")["items"] == []
    assert admin.get(f"/v1/admin/tables/{table.table}")["lost"]["code"] == "write_refused", (
        "known results remain"
    )
    assert admin.call("GET", f"/v1/admin/tables/{table.table}/lost-record", status=200).text == record
    me.call(
        "POST",
        f"/v1/tables/{table.table}/tickets",
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=409,
        code="table_over",
    )
    assert admin.get("/v1/admin/ledger/proof")["clean"] is True


def test_four_differing_journals_do_not_lock_players_out(server, admin):
    nobody_opens(server)
    player, other = Player(server), Player(server, "Other")
    before = player.silver()

    async def play_a_turn(who):
        async with open_table(who) as table:
            await table.sit_down()
            await moves(table)
            return table

    async def play():
        """Plays the four tables at the same time, so that no clock runs out at one while another is
        played."""
        return await play_a_turn(other), list(await asyncio.gather(*(play_a_turn(player) for _ in range(4))))

    good, tables = asyncio.run(play())
    tables.sort(key=lambda table: int(table.table))
    ids = [int(table.table) for table in tables]
    assert player.post("/rooms/desert/seats").json()["code"] == "too_many_tables"
    stale = [player.ticket(table.table) for table in tables]
    server.kill()
    server.promises.look(
        "UPDATE journal SET hash = hash # 256 WHERE (table_id, v) IN (SELECT table_id, max(v) FROM journal"
        " WHERE table_id = ANY (%s) GROUP BY 1) RETURNING v",
        ids,
    )
    server.start()
    me = as_client(player, server)
    wait(lambda: [t["state"] for t in me.get("/v1/me/tables")["items"]] == ["lost"] * 4)
    assert server.logged('"tables":1,"left_out":4'), "the intact table is loaded"

    async def come_back():
        for table, ticket in zip(tables, stale, strict=True):
            async with Table(server, table.table, ticket) as again:
                assert await again.until_closed() == 4004
                assert again.frames == []
        async with open_table(other, good.table) as again:
            await again.until("snapshot")

    asyncio.run(come_back())
    assert server.log().count('"event":"table_lost"') == 4, "once each"
    seat = player.take_seat()
    assert [t["state"] for t in me.get("/v1/me/tables")["items"]][1:] == ["lost"] * 4
    assert player.silver() == before - 50
    items = admin.get("/v1/admin/lost-tables?limit=3")
    assert [item["id"] for item in items["items"]] == [table.table for table in tables[:3]] and items["next"]
    for table, item in zip(tables, items["items"], strict=False):
        data = item["lost"]["data"]
        last = admin.get(f"/v1/admin/tables/{table.table}/lost-moves?limit=100")["items"][-1]
        assert (item["lost"]["code"], data["what"], data["v"]) == ("replay_differs", "hash", last["v"])
        assert data["hash"] == last["hash"] and last["v"] >= max(table.acks.values())
        assert int(data["hash"], 16) ^ int(data["hash_played"], 16) == 256
        record = admin.call("GET", f"/v1/admin/tables/{table.table}/lost-record", status=200).text
        assert verify(record) and "\nresult " not in record
    for table in tables[:2]:
        assert cancel(admin, table.table)["state"] == "cancelled"
    server.promises.look("UPDATE lost_tables SET at = at - interval '25 hours' RETURNING at")
    answer = act(admin, "/v1/admin/jobs/stale_tables", None, status=200).json()
    assert answer["result"] == {"tables": 0, "lost": 2} and answer["done"]
    assert player.silver() == before - 10
    assert len([n for n in me.get("/v1/notifications")["items"] if n["kind"] == "refund"]) == 4
    assert player.post(f"/tables/{seat['table_id']}/tickets").status_code == 201
    Promises(server.promises.cluster, server, server.database).books_are_clean()


def test_spectators_of_a_lost_table_are_notified(server, admin):
    """The journal contains a different move in its place."""
    player, watcher = Player(server), Player(server, "Watcher")

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.my_turn_comes()
            seen = watcher.post(f"/tables/{table.table}/spectators").json()
            async with Table(server, table.table, seen["ticket"]) as eyes:
                await eyes.until("snapshot")
                server.promises.look(
                    "INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash)"
                    " SELECT %s, 1, %s + n, 1, 0, '\\x00', 0 FROM generate_series(1, 9) n RETURNING v",
                    int(table.table),
                    table.v,
                )
                first = (
                    ("draw", {"from": "stock"})
                    if table.phase == "draw"
                    else ("discard", {"cards": [table.throw_away()]})
                )
                v, command = table.v, await table.send(*first)
                assert await table.until_closed() == 4004 and await eyes.until_closed() == 4004
                assert not any(
                    f.get("id") == command or f.get("v", 0) > v for f in table.frames + eyes.frames
                )
                return table.table

    table = asyncio.run(play())
    lost = admin.get(f"/v1/admin/tables/{table}")["lost"]
    assert (lost["code"], lost["data"]["write"]) == ("write_refused", "move")
    verify(admin.call("GET", f"/v1/admin/tables/{table}/lost-record", status=200).text)
    assert cancel(admin, table)["state"] == "cancelled"


def test_invalid_journal_rows_make_a_lost_table(server, admin):
    nobody_opens(server)
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await moves(table)
            return table.table

    table = asyncio.run(play())
    server.kill()
    server.promises.look(
        "UPDATE journal SET move = decode(repeat('00', 900), 'hex') WHERE table_id = %s RETURNING v",
        int(table),
    )
    server.start()
    lost = wait(lambda: admin.get(f"/v1/admin/tables/{table}")["lost"])
    assert (lost["code"], lost["data"]) == ("rows_unreadable", {"what": "rows"}) and lost["moves"] > 0
    assert (
        admin.call("GET", f"/v1/admin/tables/{table}/lost-record", status=200).text
        == "; nothing of it plays again\n"
    )
    assert cancel(admin, table)["state"] == "cancelled"
    admin.call("GET", "/v1/admin/tables/999/lost-record", status=404, code="no_such_table")
    admin.call("GET", "/v1/admin/tables/999/lost-moves", status=404, code="no_such_table")


PASSING = ["40001", "40P01", "53100", "25006", "42501", "57014", "XX000"]


@pytest.mark.parametrize("state", PASSING)
def test_transient_failures_are_retried_until_they_pass(server, state):
    player = Player(server)
    server.promises.look("INSERT INTO settings VALUES ('trouble', 'on', '') RETURNING name")
    connection = server.promises.cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute(f"""
            CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF EXISTS (SELECT 1 FROM settings WHERE name = 'trouble' AND value = 'on') THEN
                    RAISE EXCEPTION 'not now' USING ERRCODE = '{state}';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER trouble BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION trouble()""")

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            playing = asyncio.create_task(table.play_out())
            while not any(frame["t"] == "paused" for frame in table.frames):
                assert not playing.done()
                await asyncio.sleep(0.05)
            await asyncio.sleep(1)  # lapse: the settlement is retried meanwhile
            with connection.cursor() as cursor:
                cursor.execute("UPDATE settings SET value = 'off' WHERE name = 'trouble'")
            settled = await asyncio.wait_for(playing, HANG_S)
            assert settled["t"] == "settled"

    asyncio.run(play())
    connection.close()
    log = server.log()
    assert (
        "table_lost" not in log
        and "journal_refused" not in log
        and '"event":"journal_lost"' in log
        and "not now" in log
    )
    server.promises.books_are_clean()
