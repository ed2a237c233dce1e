"""A small fake of rummyd's live tables, to test the load generator: it implements drawing and discarding from
the protocol of asyncapi.yaml, and can be configured to break one of the protocol's guarantees.

Players never meld; cards, versions, resume, and snapshots are correct.
"""

import json
import random
import time
import urllib.parse

import websockets

SEATS = 4
PACK = [r + s + str(c) for c in (1, 2) for s in "CSHD" for r in "A23456789TJQK"] + ["X1", "X2", "X3", "X4"]


class Table:
    def __init__(self, number, server):
        self.id = number
        self.server = server
        deck = PACK[:]
        random.Random(number).shuffle(deck)
        self.hands = [set(deck[i * 14 : (i + 1) * 14]) for i in range(SEATS)]
        self.hands[0].add(deck[56])
        self.stock, self.pile = deck[57:], []
        self.sockets = [None] * SEATS
        self.drawn = None
        self.events = []  # (public frame, seat that sees `private`, private frame)
        self.to_move, self.phase = 0, "play"
        for seat in range(SEATS):
            self.event("dealt", seat, {"n": len(self.hands[seat])}, {"cards": sorted(self.hands[seat])})
        self.event("turn", 0, {"round": 1, "phase": "play"})

    @property
    def v(self):
        return len(self.events)

    def event(self, kind, seat, data, private=None):
        v = self.v + 1
        frame = {"v": v, "t": kind, "seat": seat, "d": data}
        self.events.append((frame, seat if private is not None else None, {**frame, "d": private}))

    def seen_by(self, seat, entry):
        frame, owner, private = entry
        fault = self.server.due_fault()
        if owner is not None and (owner == seat or (fault == "leak" and frame["t"] == "drew")):
            frame = private
        if fault == "differs" and frame["t"] == "discarded" and seat == 2:
            frame = {**frame, "d": {**frame["d"], "buried": True}}
        return json.dumps(frame)

    def snapshot(self, seat):
        turn = {"drew": self.drawn is not None, "drawn": self.drawn if seat == self.to_move else None}
        return {
            "t": "snapshot",
            "v": self.v,
            "d": {
                "me": seat,
                "phase": self.phase,
                "to_move": self.to_move,
                "hand": sorted(self.hands[seat]),
                "stock_n": len(self.stock),
                "discard": self.pile,
                "melds": [],
                "turn": turn,
            },
        }

    def play(self, seat, frame):
        """Returns a refusal, or None if the move was made."""
        if frame.get("base", self.v) != self.v:
            return "stale_base"
        if seat != self.to_move:
            return "not_your_turn"
        if frame["t"] == "draw":
            if self.phase != "draw":
                return "already_drawn"
            if not self.stock:
                self.stock, self.pile = self.pile[:-1], self.pile[-1:]
                self.event("reshuffled", None, {"stock_n": len(self.stock)})
            card = self.stock.pop()
            self.hands[seat].add(card)
            self.drawn, self.phase = card, "play"
            public = {"from": "stock", "must_open": False}
            self.event("drew", seat, public, {**public, "card": card})
            return None
        if frame["t"] != "discard":
            return "unknown_type"
        (card,) = frame["d"]["cards"]
        if self.phase != "play":
            return "must_draw_first"
        if card not in self.hands[seat]:
            return "card_not_held"
        self.hands[seat].remove(card)
        self.pile.append("2C1" if self.server.due_fault() == "cards" else card)
        self.event("discarded", seat, {"cards": self.pile[-1:], "buried": False})
        self.to_move, self.phase, self.drawn = (seat + 1) % SEATS, "draw", None
        self.event("turn", self.to_move, {"round": 1, "phase": "draw"})
        if self.server.game_length and self.v >= self.server.game_length:
            self.phase = "over"
            self.event("hand_ended", None, {"winner": None, "ending": "stalled", "rummy": False})
            self.event("session_ended", None, {"winner": None})
        return None


class FakeServer:
    """fault: one of gap, repeat, leak, differs, cards, ack_early, ack_lost, nack, silent; the server begins
    to misbehave after `after` commands."""

    def __init__(self, tables=4, fault=None, after=20, game_length=0, cut_every=0, stall_s=0):
        self.fault, self.after, self.game_length = fault, after, game_length
        self.cut_every, self.stall_s = cut_every, stall_s
        self.commands = 0
        self.tables = {n: Table(n, self) for n in range(1, tables + 1)}

    def due_fault(self):
        return self.fault if self.commands > self.after else None

    def seats_file(self, path):
        path.write_text("".join(f"{n} {s} ticket{n}.{s}\n" for n in self.tables for s in range(SEATS)))
        return path

    async def tell(self, table, first):
        for entry in table.events[first:]:
            for seat, socket in enumerate(table.sockets):
                if socket is None or (
                    self.due_fault() == "gap" and seat == 1 and entry[0]["t"] == "discarded"
                ):
                    continue
                for _ in range(2 if self.due_fault() == "repeat" else 1):
                    await socket.send(table.seen_by(seat, entry))

    async def command(self, table, seat, socket, text):
        frame = json.loads(text)
        self.commands += 1
        if self.stall_s and self.commands == self.after:
            time.sleep(self.stall_s)  # lapse: all players wait
        if self.due_fault() == "silent":
            return
        first = table.v
        refusal = "busy" if self.commands % 50 == 0 else table.play(seat, frame)
        if self.due_fault() == "nack":
            refusal = "internal"
        if refusal:
            await socket.send(
                json.dumps({"t": "nack", "id": frame["id"], "code": refusal, "cards": [], "text": "No."})
            )
            return
        ack = json.dumps({"t": "ack", "id": frame["id"], "v": table.v})
        if self.due_fault() == "ack_early":
            await socket.send(ack)
        await self.tell(table, first)
        if self.due_fault() != "ack_early":
            await socket.send(ack)
        if self.cut_every and self.commands % self.cut_every == 0:
            await self.cut(table)

    async def cut(self, table):
        if self.due_fault() == "ack_lost":
            table.events = table.events[:-4]  # as if the last moves had never been committed
        for other in self.tables.values():
            for socket in filter(None, other.sockets):
                socket.transport.abort()

    async def handle(self, socket):
        # Python's websockets has the path in the request since version 14.
        parts = urllib.parse.urlsplit(socket.request.path if hasattr(socket, "request") else socket.path)
        query = dict(urllib.parse.parse_qsl(parts.query))
        table = self.tables[int(parts.path.rsplit("/", 1)[1])]
        seat = int(query["ticket"].split(".")[1])
        if "v" in query:
            for entry in table.events[int(query["v"]) :]:
                await socket.send(table.seen_by(seat, entry))
        else:
            await socket.send(json.dumps(table.snapshot(seat)))
        await socket.send(json.dumps({"t": "clock", "d": {"seat": 0, "ms_left": 30000, "turn_ms": 30000}}))
        table.sockets[seat] = socket
        try:
            async for text in socket:
                await self.command(table, seat, socket, text)
        except websockets.ConnectionClosed:
            pass
        finally:
            if table.sockets[seat] is socket:
                table.sockets[seat] = None

    async def serve(self):
        return await websockets.serve(self.handle, "127.0.0.1", 0, subprotocols=["rummy.v1"], ping_interval=1)
