"""Kept databases: a small dump of each release with games of every kind in play (scripts/keep-dump), its
restore, and the continuation of its games on a newer schema."""

import asyncio
import datetime
import json
import lzma
import re
import subprocess
import sys
import uuid

import rummyd

from .cluster import READER, ROOT, RUMMYD
from .contract import Client
from .keys import make_key
from .wait import until, until_async

sys.path.insert(0, str(ROOT / "sdk/python/examples"))
import bot

RELEASES = ROOT / "releases"
DUMP, PLAYERS = "database.sql.xz", "players.json"
FILL = {
    "bot_think_ms": 20,
    "seed_wait_ms": 100,
    "hand_pause_ms": 100,
    "sleep_after_ms": 200,
    "rate_limits": "off",
}
SLOW_VARIANTS = ("rummy51", "points")


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def post(client, path, body=None, status=201):
    return client.call("POST", path, body or {}, status=status, headers=key()).json()


async def play(server, client, seat, turns=10**6):
    """Plays this many turns, or to the end of the game. True: the game is over. seat: the reply to taking
    one, or the id of a table where the player has one."""
    rest = rummyd.Rest(server.url)
    rest.token = client.token
    async with rummyd.Table(rest, seat) as table:
        while turns and await table.turn():
            turns -= 1
            while table.to_act:
                try:
                    await table.play(bot.choose(await table.legal()))
                except rummyd.Refused as refused:
                    if refused.code not in ("table_over", "not_your_turn"):
                        raise
        return table.over


# --- making one ---------------------------------------------------------------------------------------------


class Kept:
    """The players of a kept database, each with their table."""

    def __init__(self, server):
        self.server, self.players = server, []

    def guest(self, kind, table=None):
        client = Client(self.server).guest()
        self.players.append({"kind": kind, "table": table, "client": client})
        return client

    def sat(self, table):
        self.players[-1]["table"] = table

    async def begin(self, client, seat, turns=2):
        self.sat(seat["table_id"])
        await play(self.server, client, seat, turns)

    async def with_bots(self):
        """A table of a room, and one table per variant."""
        ann = self.guest("room")
        await self.begin(ann, ann.take_seat().json())
        for item in ann.get("/v1/variants")["items"]:
            seats = max(2, item["seats_min"])
            client = self.guest("private")
            body = {"variant": item["id"], "seats": seats, "bots": seats - 1}
            await self.begin(client, post(client, "/v1/tables", body))

    async def finished(self):
        client = self.guest("finished")
        seat = post(client, "/v1/tables", {"variant": "points", "seats": 2, "bots": 1})
        assert await play(self.server, client, seat)

    async def daily(self):
        client = self.guest("daily")
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        await self.begin(client, post(client, f"/v1/daily-deals/{day}/rummy51/plays"))

    async def correspondence(self, look):
        """Tables for two players, each with a few turns played, that sleep."""
        for variant in SLOW_VARIANTS:
            ann = self.guest("correspondence")
            seat = post(ann, "/v1/tables", {"variant": variant, "seats": 2, "turn_hours": 72})
            self.sat(seat["table_id"])
            ben = self.guest("correspondence", seat["table_id"])
            other = post(ben, f"/v1/tables/by-code/{seat['code']}/seats")
            await asyncio.gather(*(play(self.server, *who, turns=2) for who in ((ann, seat), (ben, other))))
        await until_async(
            lambda: look("SELECT count(*) FROM tables WHERE asleep") == [(len(SLOW_VARIANTS),)],
            "the correspondence tables do not sleep",
        )

    async def tournaments(self, conninfo, look):
        """One in its first round, and one that accepts entries."""
        operator, token = Client(self.server), make_key(conninfo, "games")
        numbers = []
        for kind in ("knockout", "swiss"):
            body = {
                "name": "Friday cup",
                "kind": kind,
                "variant": "straight",
                "seats": 2,
                "entry": 10,
                "entries_max": 4,
                "bots_to": 4,
                "break_s": 0,
                "wait_s": 3600,
                "options": {"target": 50},
                **({"rounds": 2} if kind == "swiss" else {}),
            }
            answer = operator.call(
                "POST",
                "/v1/admin/tournaments",
                body,
                status=201,
                headers={**key(), "Authorization": f"Bearer {token}"},
            )
            numbers.append(answer.json()["id"])
        for number in numbers:
            for n in range(2):
                client = self.guest("tournament")
                self.players[-1]["tournament"] = number
                post(client, f"/v1/tournaments/{number}/entries", {"client_seed": f"{n:032x}"})
        look("UPDATE tournaments SET starts_at = now() WHERE id = %s RETURNING id", int(numbers[0]))
        for player in self.players:
            if player.get("tournament") == numbers[0]:
                client = player["client"]
                path = f"/v1/tournaments/{numbers[0]}"
                table = await until_async(lambda c=client, p=path: c.get(p)["own"]["table_id"])
                player["table"] = table
        await asyncio.gather(
            *(
                play(self.server, player["client"], player["table"], 1)
                for player in self.players
                if player.get("tournament") == numbers[0]
            )
        )

    def listed(self):
        return [
            {
                "kind": player["kind"],
                "table": player["table"],
                "tournament": player.get("tournament"),
                "secret": player["client"].device_secret,
            }
            for player in self.players
        ]


def fill(server, cluster, database):
    """Plays until the database has games of every kind, and stops the server; returns the players."""
    kept = Kept(server)

    def look(*question):
        return cluster.look(database, *question)

    async def everything():
        await kept.finished()
        await kept.daily()
        await kept.correspondence(look)
        await kept.tournaments(cluster.conninfo(database), look)
        await kept.with_bots()

    asyncio.run(everything())
    assert server.stop() == 0, server.log()[-3000:]
    return kept.listed()


def dump(conninfo):
    """SQL without owners and privileges, because `rummyd migrate` grants them."""
    done = subprocess.run(
        ["pg_dump", "--no-owner", "--no-privileges", f"--dbname={conninfo}"],
        check=True,
        stdout=subprocess.PIPE,
    )
    # \restrict contains a random word, and psql before 15.14 does not know it.
    return re.sub(rb"(?m)^\\(un)?restrict .*\n", b"", done.stdout)


def keep(conninfo, players, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PLAYERS).write_text(json.dumps(players, indent=1) + "\n")
    (folder / DUMP).write_bytes(lzma.compress(dump(conninfo), preset=9 | lzma.PRESET_EXTREME))


# --- using one ----------------------------------------------------------------------------------------------


def kept_versions():
    """The folders of all releases with a dump, the oldest first."""
    found = [path.parent for path in RELEASES.glob(f"*/{DUMP}")]
    return sorted(found, key=lambda folder: [int(part) for part in folder.name.split(".")])


def restore(cluster, folder):
    """The name of a new database with the contents of the dump."""
    name = cluster.new_database(migrated=False)
    sql = lzma.decompress((folder / DUMP).read_bytes())
    command = ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", f"--dbname={cluster.conninfo(name)}"]
    done = subprocess.run(command, input=sql, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return name


def migrate(conninfo, *words, program=RUMMYD):
    return subprocess.run(
        [program, "migrate", *words, "--db", conninfo], capture_output=True, text=True, check=False
    )


def schema(conninfo):
    """Everything but rows, as pg_dump prints it."""
    done = subprocess.run(
        ["pg_dump", "--schema-only", f"--dbname={conninfo}"], check=True, stdout=subprocess.PIPE, text=True
    )
    return re.sub(r"(?m)^\\(un)?restrict .*\n", "", done.stdout)


def books_are_clean(cluster, database):
    for proof in ("ledger-check", "ratings-check"):
        done = subprocess.run(
            [RUMMYD, proof, "--db", cluster.conninfo(database, READER)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


async def continue_tournament(server, client, number):
    """Plays wherever it seats the player, until it is over."""
    played = set()
    while (now := await asyncio.to_thread(client.get, f"/v1/tournaments/{number}"))["state"] not in (
        "ended",
        "cancelled",
    ):
        table = now["own"]["table_id"]
        if table is None or table in played:
            await asyncio.sleep(0.1)
            continue
        played.add(table)
        await play(server, client, table)
    return len(played)


def play_on(server, folder, look):
    """Each player signs in again and continues: games with bots and tournaments to their end, correspondence
    tables for two turns each. Games whose time ran out between dump and restore must be settled."""
    players = json.loads((folder / PLAYERS).read_text())
    look("UPDATE tournaments SET starts_at = now() WHERE state = 'open' RETURNING id")

    async def one(player):
        client = Client(server).guest(player["secret"])
        if player["tournament"]:
            await continue_tournament(server, client, player["tournament"])
        elif player["table"]:
            mine = [item["table_id"] for item in client.get("/v1/me/tables")["items"]]
            if player["table"] in mine:
                turns = 2 if player["kind"] == "correspondence" else 10**6
                await play(server, client, player["table"], turns)
            else:
                assert client.get("/v1/games")["items"], player
        else:
            assert client.get("/v1/games")["items"], player

    async def everyone():
        await asyncio.gather(*(one(player) for player in players))

    asyncio.run(everyone())
    until(
        lambda: (
            look("SELECT count(*) FROM tables WHERE NOT asleep AND state IN ('waiting', 'playing')") == [(0,)]
        ),
        lambda: look("SELECT id, state, asleep FROM tables"),
    )
