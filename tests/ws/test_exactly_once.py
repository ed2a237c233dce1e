"""The same game over a bad connection and a dying server: every frame twice, replies never read, commands
repeated after a kill -9. It must equal the game over a good connection, move for move."""

import asyncio
import json
import re
import time

import requests
import websockets
from support.after import kept
from support.model import Modelled, choose
from support.table import Closed, Player
from support.wait import HANG_S

GONE = (
    OSError,
    asyncio.TimeoutError,
    requests.RequestException,
    websockets.WebSocketException,
    EOFError,
    Closed,
)
SEED = "5eed" * 16
KILLS = 4


class Client:
    """A seat that plays based only on what it sees. `bad`: each command is sent twice, and every third
    reply is not awaited."""

    def __init__(self, server, number, bad, kill):
        self.server, self.bad, self.kill = server, bad, kill
        self.player = Player(server, f"Player {number}")
        self.number = number
        self.seat = None
        self.table = None
        self.sent = 0
        self.repeats = 0

    async def connect(self):
        while True:
            try:
                answer = await asyncio.to_thread(self.player.post, f"/tables/{self.seat['table_id']}/tickets")
                if answer.status_code == 409:
                    return False
                assert answer.status_code in (201, 503), answer.text
                if answer.status_code == 201:
                    old = self.table
                    self.table = Modelled(
                        self.server,
                        self.seat["table_id"],
                        answer.json()["ticket"],
                        old and old.v,
                        old and old.model,
                    )
                    if old:
                        self.table.me, self.table.hand = old.me, old.hand
                        self.table.to_move, self.table.phase = old.to_move, old.phase
                    self.table.checked = False
                    await self.table.__aenter__()
                    return True
            except GONE:
                await asyncio.sleep(0.05)

    async def sit_down(self):
        assert await self.connect()
        assert (await self.table.do("seed", {"seed": f"{self.number:02d}" * 16}))["t"] == "ack"

    async def act(self, kind, d):
        """Sends the command until there is a reply; all replies must be equal."""
        self.sent += 1
        command = f"c-{self.sent}"
        text = json.dumps({"t": kind, "id": command, "d": d})
        answers = []
        drop = self.bad and self.sent % 3 == 0
        while True:
            try:
                await self.table.socket.send(text)
                if self.bad:
                    await self.table.socket.send(text)
                if drop:
                    drop = False
                    self.table.socket.transport.abort()
                    raise OSError("the answer was lost")
                if self.bad and self.sent % 7 == 0:
                    await self.kill(self)
                answers.append(await self.table.answer(command))
                if self.bad:
                    answers.append(await self.table.answer(command))
                break
            except GONE:
                self.repeats += 1
                if not await self.connect():
                    return
        assert all(answer == answers[0] for answer in answers), answers
        assert answers[0]["t"] == "ack", (kind, d, answers[0])

    async def play(self):
        while True:
            try:
                while not self.table.my_turn() and self.table.phase != "over":
                    await self.table.receive(HANG_S)
                if self.table.phase == "over":
                    return
                kind, d = await choose(self.table)
            except GONE:
                if not await self.connect():
                    return
                continue
            if kind and self.table.my_turn():
                await self.act(kind, d)


def prepare(server):
    """Two players; the deals of both servers come from one seed."""
    look = server.promises.look
    look("UPDATE rooms SET seats_n = 2, fill_wait_ms = 3600000 WHERE id = 'desert' RETURNING id")
    look(f"""
        CREATE FUNCTION one_seed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.server_seed := decode('{SEED}', 'hex'); NEW.commit := sha256(NEW.server_seed); RETURN NEW;
            END $$;
        CREATE TRIGGER one_seed BEFORE INSERT ON tables FOR EACH ROW EXECUTE FUNCTION one_seed();
        SELECT true""")


def outcome(server):
    look = server.promises.look
    ((record,),) = look("SELECT record FROM hands WHERE record IS NOT NULL")
    results = look("SELECT seat, place, points, opened, cards_left, won FROM game_players ORDER BY seat")
    purses = look(
        "SELECT balance FROM accounts WHERE kind = 'purse' AND player_id IS NOT NULL ORDER BY player_id,"
        " currency"
    )
    return re.sub(r"(?m)^\[(Start|End|Date|Time|Name)[^\n]*\n", "", record), results, purses


def play_once(cluster, folder, bad):
    """Returns the outcome, kills, repeated commands, and seconds. Acknowledged moves must persist, whatever
    happened in between."""
    with kept(cluster, folder, {"seed_wait_ms": 3000}) as server:
        prepare(server)
        return play(server, bad)


def play(server, bad):
    kills, one_by_one = [], asyncio.Lock()

    async def kill(client):
        async with one_by_one:  # otherwise both would start a server, and one would be refused
            if len(kills) < KILLS:
                kills.append(client.sent)
                server.kill()
                await asyncio.to_thread(server.start)

    clients = [Client(server, number, bad, kill) for number in (1, 2)]
    for client in clients:
        client.seat = client.player.take_seat()

    async def run():
        await asyncio.gather(*(client.sit_down() for client in clients))
        await asyncio.wait_for(asyncio.gather(*(client.play() for client in clients)), 200)
        for client in clients:
            await client.table.__aexit__()

    began = time.monotonic()
    asyncio.run(run())
    return outcome(server), len(kills), sum(client.repeats for client in clients), time.monotonic() - began


def test_a_bad_connection_and_server_kills_do_not_change_the_game(cluster, tmp_path_factory):
    good, _, _, seconds = play_once(cluster, tmp_path_factory.mktemp("good"), bad=False)
    bad, kills, repeats, bad_seconds = play_once(cluster, tmp_path_factory.mktemp("bad"), bad=True)
    assert kills >= 1 and repeats > kills
    print(f"\n{kills} kills, {repeats} commands sent again; {seconds:.0f} s and {bad_seconds:.0f} s")
    assert bad[1:] == good[1:]
    assert bad[0] == good[0]
