"""A socket that is cut after every single event of a game, at every seat: the resumed state equals the
server's."""

import asyncio
import contextlib

import websockets
from support.after import kept
from support.model import Model, Modelled, choose
from support.table import Closed, Player
from support.volume import volume
from support.wait import HANG_S

SEATS = 3
COMPARED_OF = volume(1, 4)  # one in this many of the resumed states


class Cut:
    """A player who keeps each socket for only one more event."""

    def __init__(self, server, number):
        self.server = server
        self.player = Player(server, f"Cut {number}")
        self.seat = None
        self.model = None
        self.cuts = self.compared = self.sent = 0
        self.pending = None  # sent, but its reply not received
        self.over = False

    async def ticket(self):
        answer = await asyncio.to_thread(self.player.post, f"/tables/{self.seat['table_id']}/tickets")
        if answer.status_code == 409:
            self.over = True
            return None
        assert answer.status_code == 201, answer.text
        return answer.json()["ticket"]

    async def fill(self):
        """Waits for the deal."""
        async with Modelled(self.server, self.seat["table_id"], self.seat["ticket"]) as table:
            await table.sit_down()
            self.model = table.model

    async def one_event(self):
        """Connects with its state, receives the next event, and disconnects without closing."""
        ticket = await self.ticket()
        if ticket is None:
            return
        table = Modelled(self.server, self.seat["table_id"], ticket, self.model.v, self.model)
        table.me = self.model.me
        table.hand = sorted(self.model.hand)
        table.checked = False
        async with table:
            before = self.model.v
            with contextlib.suppress(Closed):
                if self.model.to_move == self.model.me and self.model.phase in ("draw", "play"):
                    await self.move(table)
                while self.model.v == before and self.model.phase != "over":
                    await table.receive(HANG_S)
                self.over = self.model.phase == "over"
            self.cuts += 1
            table.socket.transport.abort()

    async def move(self, table):
        if self.pending is None:
            kind, d = await choose(table)
            if kind is None or self.model.to_move != self.model.me:
                return
            self.sent += 1
            self.pending = (f"cut-{self.sent}", kind, d)
        command, kind, d = self.pending
        self.pending = None
        await table.send(kind, d, id=command)

    async def compare(self):
        """Compares its assembled state with a fresh snapshot from the server."""
        ticket = await self.ticket()
        if ticket is None:
            return
        async with Modelled(self.server, self.seat["table_id"], ticket) as table:
            table.checked = False
            with contextlib.suppress(Closed, websockets.ConnectionClosed):
                snapshot = await table.until("snapshot")
                if snapshot["v"] == self.model.v:
                    self.model.same_as(snapshot)
                    self.compared += 1

    async def live(self):
        while not self.over:
            await self.one_event()
            if not self.over and self.cuts % COMPARED_OF == 0:
                await self.compare()


def test_every_seat_resumes_after_a_cut_at_every_event(cluster, tmp_path):
    with kept(cluster, tmp_path, {"seed_wait_ms": 300, "linger_ms": 60000}) as server:
        cut_everywhere(server)


def cut_everywhere(server):
    look = server.promises.look
    look("UPDATE rooms SET seats_n = %s, fill_wait_ms = 3600000 WHERE id = 'desert' RETURNING id", SEATS)
    players = [Cut(server, i) for i in range(SEATS)]
    for player in players:
        player.seat = player.player.take_seat()

    async def run():
        await asyncio.gather(*(player.fill() for player in players))
        await asyncio.wait_for(asyncio.gather(*(player.live() for player in players)), 240)
        for player in players:  # all of them have reached the same end
            await player.compare()

    asyncio.run(run())
    assert look("SELECT state FROM tables WHERE id = %s", players[0].seat["table_id"]) == [("finished",)]
    cuts, compared = sum(p.cuts for p in players), sum(p.compared for p in players)
    print(f"\n{players[0].model.v} events, {cuts} cuts, {compared} snapshots equal to what was resumed")
    assert compared > cuts / 4 / COMPARED_OF and cuts > 30


def test_the_comparison_detects_a_difference():
    """A test of the comparison itself, which must detect an extra card."""
    seat = {"seat": 0, "cards_n": 1, "opened": False, "away": False, "left": False, "round": 1}
    d = {
        "me": 0,
        "hand": ["2H1"],
        "stock_n": 5,
        "discard": ["3H1"],
        "to_move": 0,
        "phase": "draw",
        "seats": [seat],
        "melds": [],
    }
    model = Model({"v": 7, "d": d})
    model.same_as({"v": 7, "d": d})
    for wrong in (
        {"hand": ["2H2"]},
        {"stock_n": 4},
        {"discard": []},
        {"seats": [{**seat, "cards_n": 2}]},
        {"phase": "play"},
    ):
        try:
            model.same_as({"v": 7, "d": {**d, **wrong}})
        except AssertionError:
            continue
        raise AssertionError(wrong)
