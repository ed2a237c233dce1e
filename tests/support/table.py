"""A player at a live table over a real WebSocket. Every frame from the server is held against asyncapi.yaml."""

import asyncio
import hashlib
import itertools
import json
import uuid

import jsonschema
import requests
import websockets
import yaml

from .cluster import ROOT
from .contract import a_name

NOT_MOVES = ("seed", "ready", "chat", "emote", "legal", "ping")
RANKS = "A23456789TJQK"


class Contract:
    """asyncapi.yaml: a validator for each frame the server may send, by its `t`."""

    def __init__(self):
        self.document = yaml.safe_load((ROOT / "asyncapi.yaml").read_text())
        self.seen = set()
        self.validators = {}
        for operation in ("answer", "state", "event", "lobby"):
            for name in self.names(operation):
                self.validators[self.type_of(name)] = self.validator(name)

    def names(self, operation):
        messages = self.document["operations"][operation]["messages"]
        return [message["$ref"].split("/")[-1] for message in messages]

    def type_of(self, name):
        return self.document["components"]["messages"][name]["payload"]["properties"]["t"]["const"]

    def validator(self, name):
        payload = self.document["components"]["messages"][name]["payload"]
        return jsonschema.Draft7Validator({**payload, "components": self.document["components"]})

    def check(self, frame):
        kind = frame.get("t")
        assert kind in self.validators, f"a frame the contract does not know: {frame}"
        self.validators[kind].validate(frame)
        self.seen.add(kind)


CONTRACT = Contract()


def offered(ticket):
    """The subprotocols that open a socket."""
    return ["rummy.v1", f"ticket.{ticket}"]


class Closed(Exception):
    """The server closed the socket; `code` says why."""

    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code


class Player:
    """An account: enters as a guest, takes seats."""

    def __init__(self, server, nickname="Ana", address=None):
        """nickname: how theirs begins. address: comes from there, as a proxy says."""
        self.server = server
        via = {"X-Forwarded-For": address} if address else {}
        self.nickname = a_name(nickname)
        body = {"nickname": self.nickname}
        answer = requests.post(server.url + "/v1/auth/guest", json=body, headers=via, timeout=10)
        assert answer.status_code in (200, 201), answer.text
        self.via = via
        self.take_tokens(answer)
        self.id = answer.json()["player"]["id"]
        self.secret = answer.json()["device_secret"]

    def take_tokens(self, answer):
        self.headers = {**self.via, "Authorization": "Bearer " + answer.json()["access_token"]}
        self.refresh_token = answer.json()["refresh_token"]

    def refresh(self):
        body = {"refresh_token": self.refresh_token}
        answer = requests.post(self.server.url + "/v1/auth/refresh", json=body, headers=self.via, timeout=10)
        assert answer.status_code == 200, answer.text
        self.take_tokens(answer)

    def get(self, path):
        return requests.get(self.server.url + "/v1" + path, headers=self.headers, timeout=10)

    def post(self, path, body=None):
        headers = {**self.headers, "Idempotency-Key": uuid.uuid4().hex}
        return requests.post(self.server.url + "/v1" + path, json=body, headers=headers, timeout=10)

    def take_seat(self, room="desert"):
        answer = self.post(f"/rooms/{room}/seats")
        assert answer.status_code == 201, answer.text
        return answer.json()

    def ticket(self, table):
        answer = self.post(f"/tables/{table}/tickets")
        assert answer.status_code == 201, answer.text
        return answer.json()["ticket"]

    def silver(self):
        return self.get("/wallet").json()["silver"]


class Followed:
    """What has a `socket`: each frame is held against the contract when it is `checked`, kept in `frames`, and
    followed by `follow`."""

    async def __aexit__(self, *_):
        await self.socket.close()

    async def receive(self, seconds=10):
        """The next frame, checked and followed."""
        try:
            text = await asyncio.wait_for(self.socket.recv(), seconds)
        except websockets.ConnectionClosed as closed:
            raise Closed(closed.rcvd.code if closed.rcvd else 1006) from None
        frame = json.loads(text)
        if self.checked:
            CONTRACT.check(frame)
        self.frames.append(frame)
        self.follow(frame)
        return frame


class Table(Followed):
    """A socket, and what its player knows from it alone: version, own hand, whose turn it is."""

    def __init__(self, server, table, ticket, since=None):
        self.server = server
        server.tables.append(self)
        self.table = table
        self.ticket, self.url = ticket, self.address(since)
        self.socket = None
        self.frames = []
        self.v = since
        self.me = None
        self.hand = []
        self.to_move = None
        self.phase = None
        self.commands = 0
        self.known = {}
        self.stock_n, self.discard, self.taken = 0, [], None
        self.params = {}
        self.next_hand, self.seeded = None, None
        self.v_declared, self.grouped_v = None, None
        self.acks, self.throws = {}, {}  # what was acknowledged of the own moves: command -> v; v -> cards
        self.sent = {}
        self.checked = True  # against the contract, which takes a millisecond a frame

    def address(self, since):
        query = f"?v={since}" if since is not None else ""
        return f"{self.server.ws_url}/ws/tables/{self.table}{query}"

    def reopen(self, ticket, back=0):
        """The next connection asks for what is missing, and for the `back` events before it once more."""
        self.ticket, self.url = ticket, self.address(max(1, self.v - back) if self.v else None)

    async def __aenter__(self):
        self.socket = await websockets.connect(
            self.url, subprotocols=offered(self.ticket), ping_interval=None, max_size=2**20, max_queue=None, open_timeout=10, close_timeout=2
        )
        return self

    async def until(self, *kinds, seconds=10):
        """Frames up to the first of these kinds, which is returned."""
        while True:
            frame = await self.receive(seconds)
            if frame["t"] in kinds:
                return frame

    async def until_closed(self, seconds=10):
        try:
            while True:
                await self.receive(seconds)
        except Closed as closed:
            return closed.code

    def follow(self, frame):
        kind, d, seat = frame["t"], frame.get("d"), frame.get("seat")
        if kind == "ack" and frame["id"] in self.sent and self.v is not None:
            self.note_ack(frame["v"], frame["id"], *self.sent[frame["id"]])
        if kind == "snapshot":
            assert self.v is None or frame["v"] >= self.v, f"seen {self.v}, and now there is only {frame['v']}"
            self.v, self.me, self.hand = frame["v"], d["me"], list(d["hand"])
            self.to_move, self.phase = d["to_move"], d["phase"]
            self.stock_n, self.discard = d["stock_n"], list(d["discard"])
            self.params, self.taken = d["params"], None
            return
        if kind == "next_hand":
            self.next_hand = d["hand_no"]
            return
        if "v" not in frame or kind in ("ack", "legal"):
            return
        if self.v is not None and frame["v"] <= self.v:
            assert self.known.get(frame["v"], frame) == frame, f"{self.known[frame['v']]} has become {frame}"
            return
        self.known[frame["v"]] = frame
        self.follow_piles(kind, d)
        if self.v is not None:
            assert frame["v"] == self.v + 1, f"after {self.v} comes {frame}"
        self.v = frame["v"]
        if kind == "turn":
            self.to_move, self.phase = seat, d["phase"]
        elif kind == "declared" and d["valid"]:
            self.to_move, self.phase, self.v_declared = None, "group", frame["v"]
        elif kind == "hand_ended":
            self.to_move, self.phase = None, "hand_over"
        elif kind == "session_ended":
            self.phase = "over"
        if seat is not None and seat == self.me:
            self.follow_own(kind, d)

    def note_ack(self, v, command, kind, d):
        assert self.acks.setdefault(command, v) == v, f"{command} was {self.acks[command]}, and now it is {v}"
        if kind == "discard":
            self.throws[v] = d["cards"]

    def own_throws(self):
        return [(self.me, list(cards)) for _, cards in sorted(self.throws.items())]

    def follow_piles(self, kind, d):
        if kind == "dealt":
            self.stock_n, self.discard = d["stock_n"], []
        elif kind == "drew" and d["from"] == "stock":
            self.stock_n -= 1
        elif kind == "drew":
            del self.discard[-1:]  # of a pile that was there before this client came nothing is known
        elif kind in ("discarded", "draw_cancelled"):
            self.discard += d.get("cards") or [d["card"]]
        elif kind == "reshuffled":
            self.stock_n, self.discard = d["stock_n"], self.discard[-1:]
        elif kind == "flipped":
            self.stock_n, self.discard = d["stock_n"], [d["card"]]

    def follow_own(self, kind, d):
        if kind == "dealt":
            self.hand = list(d["cards"])
        elif kind == "drew":
            self.hand.append(d["card"])
            self.phase = "play"
            self.taken = d["card"] if d["from"] == "discard" else None
        elif kind == "draw_cancelled":
            self.hand.remove(d["card"])
            self.phase = "draw"
        elif kind in ("melded", "discarded"):
            for card in d["cards"]:
                self.hand.remove(card)
        elif kind == "taken_back":
            self.hand.extend(d["cards"])
        elif kind == "laid_off":
            self.hand.remove(d["card"])
        elif kind == "swapped":
            self.hand.remove(d["card"])
            self.hand.append(d["joker"])
        elif kind == "swap_undone":
            self.hand.append(d["card"])
            self.hand.remove(d["joker"])

    async def send(self, kind, d=None, **more):
        """Sends a command; returns its id."""
        self.commands += 1
        frame = {"t": kind, "id": more.pop("id", f"{uuid.uuid4().hex[:8]}-{self.commands}"), **more}
        if d is not None:
            frame["d"] = d
        if kind not in NOT_MOVES:
            self.sent.setdefault(frame["id"], (kind, d))
        await self.socket.send(json.dumps(frame))
        return frame["id"]

    async def answer(self, command, seconds=10):
        while True:
            frame = await self.receive(seconds)
            if frame.get("id") == command:
                return frame

    async def do(self, kind, d=None, **more):
        """Sends a command and returns its answer; everything before it is followed."""
        return await self.answer(await self.send(kind, d, **more))

    def my_turn(self):
        return self.me is not None and self.to_move == self.me

    def throw_away(self):
        """A card that may always be thrown: a natural one."""
        kept = self.taken if self.params.get("throw_back") == 0 else None
        return next(card for card in self.hand if not card.startswith("X") and card != kept)

    def plain_move(self):
        """What may be done in one's own turn with a stock to draw from: draw from it, throw a natural card."""
        return ("draw", {"from": "stock"}) if self.phase == "draw" else ("discard", {"cards": [self.throw_away()]})

    async def step(self):
        """One legal command of the own turn: draws from stock, throws a natural card."""
        if self.phase == "draw" and self.params.get("stock_flips") and self.stock_n == 0:
            answer = await self.do("flip")
            return answer if answer["t"] == "ack" else await self.do("draw", {"from": "discard"})
        return await self.do(*self.plain_move())

    async def go_on(self):
        """Between hands: a seed, and ready."""
        if self.seeded != self.next_hand:
            self.seeded = self.next_hand
            seed = hashlib.sha256(f"{self.ticket} {self.next_hand}".encode()).hexdigest()
            answer = await self.do("seed", {"seed": seed})
            # What was missed while the line was down may say that the hand is dealt, or all is over.
            assert answer["t"] == "ack" or answer["code"] in ("seed_too_late", "table_over"), answer
            await self.send("ready")

    async def sit_down(self, *instead):
        """Sends a seed and waits for the deal, or for a frame of these kinds; returns what came, None at a table that plays."""
        if self.me is not None:
            return None
        await self.send("seed", {"seed": hashlib.sha256(self.ticket.encode()).hexdigest()})
        return await self.until("snapshot", *instead, seconds=20)

    async def my_turn_comes(self, seconds=60):
        while not self.my_turn() and self.phase != "over":
            if self.phase == "group" and self.hand and self.grouped_v != self.v_declared:  # who is out was dealt nothing
                self.grouped_v = self.v_declared
                await self.send("group", {"groups": [self.hand[:3]], "done": True})
                continue
            if self.phase == "hand_over" and self.next_hand is not None and self.seeded != self.next_hand:
                await self.go_on()
                continue
            await self.receive(seconds)
        return self.my_turn()

    async def play_out(self):
        """Plays on until the game is settled; returns the `settled` frame."""
        while await self.my_turn_comes():
            await self.step()
        # It may have come before the answer to the last command.
        settled = next((frame for frame in self.frames if frame["t"] == "settled"), None)
        return settled or await self.until("settled")


KINDS = itertools.count(31)


def new_kind(server):
    """Tables that rooms open from now on are of a kind of their own: nobody new is seated where others wait."""
    server.promises.look("UPDATE rooms SET params = %s RETURNING id", f"turn_s={next(KINDS)}")


def open_table(player, seat=None, since=None):
    """A table for the player's seat (a new one in Desert), with the ticket of the seat or a fresh one."""
    if seat is None:
        seat = player.take_seat()
        return Table(player.server, seat["table_id"], seat["ticket"], since)
    return Table(player.server, seat, player.ticket(seat), since)
