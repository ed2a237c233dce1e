"""A player at a live table over a real WebSocket. Every frame from the server is validated against
asyncapi.yaml."""

import asyncio
import contextlib
import hashlib
import itertools
import re

import jsonschema
import rummyd
from rummyd import ApiError, Closed, Http, new_key
from rummyd.live import is_event

from .cluster import ROOT
from .contract import a_name, closed, read_contract
from .wait import HANG_S

NOT_MOVES = ("seed", "ready", "chat", "emote", "legal", "ping")
RANKS = "A23456789TJQK"
REFUSALS = set(
    re.findall(r'^ENG_REFUSAL\(\w+, "(\w+)"', (ROOT / "engine/core/refusals.def").read_text(), re.M)
)
PLAYED = set()  # commands that a table has acknowledged, or has refused because of a game rule


class Contract:
    """asyncapi.yaml, with a validator for each frame that the server may send, by its `t`."""

    def __init__(self):
        self.document = read_contract("asyncapi.yaml")
        self.closed = closed(self.document["components"])
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
        """Validators that allow only what the contract lists today."""
        payload = self.document["components"]["messages"][name]["payload"]
        return jsonschema.Draft7Validator({**closed(payload), "components": self.closed})

    def check(self, frame):
        kind = frame.get("t")
        assert kind in self.validators, f"a frame the contract does not know: {frame}"
        self.validators[kind].validate(frame)
        self.seen.add(kind)


CONTRACT = Contract()


def offered(ticket):
    """The subprotocols that open a socket."""
    return ["rummy.v1", f"ticket.{ticket}"]


class Player(Http):
    """An account: signs in as a guest, takes seats."""

    def __init__(self, server, nickname="Ana", address=None):
        """nickname: its prefix. address: the client address that a proxy reports."""
        super().__init__(server.url)
        self.http.trust_env = False  # skips the search for a proxy of 127.0.0.1
        self.server = server
        self.http.headers.update({"X-Forwarded-For": address, "Connection": "close"})  # None omits the header
        self.nickname = a_name(nickname)
        answer = self.send("POST", "/v1/auth/guest", body={"nickname": self.nickname})
        assert answer.status_code in (200, 201), answer.text
        self.take_tokens(answer)
        self.id = answer.json()["player"]["id"]
        self.secret = answer.json()["device_secret"]

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def take_tokens(self, answer):
        self.keep(answer.json())

    def refresh(self):
        answer = self.send("POST", "/v1/auth/refresh", body={"refresh_token": self.refresh_token})
        assert answer.status_code == 200, answer.text
        self.take_tokens(answer)

    def get(self, path):
        return self.send("GET", "/v1" + path)

    def post(self, path, body=None):
        return self.send("POST", "/v1" + path, body=body, headers={"Idempotency-Key": new_key()})

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


class Judged(rummyd.Socket):
    """A socket that does not reconnect. Each frame is validated against the contract if `checked`, and kept
    in `frames`, even if it was received before."""

    reconnect = False
    ping_s = None
    wait_s = HANG_S  # only a hang takes that long
    pending_max = 2**30
    checked = True  # whether to validate against the contract, which takes 1 ms per frame

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.kinds = {}  # types of the commands sent, by command id

    def heard(self, frame):
        if self.checked:
            CONTRACT.check(frame)
        self.frames.append(frame)
        if frame["t"] in ("ack", "pong", "legal") or frame.get("code") in REFUSALS:
            PLAYED.add(self.kinds.get(frame.get("id")))

    async def send(self, kind, d=None, **more):
        command = await super().send(kind, d, **more)
        self.kinds[command] = kind
        return command

    def connecting(self, ticket):
        return {**super().connecting(ticket), "open_timeout": self.wait_s}

    async def until_closed(self, seconds=HANG_S):
        try:
            while True:
                await self.receive(seconds)
        except Closed as closed:
            return closed.code


async def connect_all(sockets, at_once=8):
    """Enters all of the contexts, a few at a time, because the server closes connections whose handshakes
    take too long."""
    limit = asyncio.Semaphore(at_once)

    async def one(socket):
        async with limit:
            await socket.__aenter__()

    await asyncio.gather(*(one(socket) for socket in sockets))


class Table(Judged, rummyd.Table):
    """A seat's socket, opened with a ticket. Fails if repeated events differ, a version is missing, or a
    command is acknowledged with two different versions."""

    def __init__(self, server, table, ticket, since=None):
        super().__init__(None, table)
        self.server = server
        server.tables.append(self)
        self.ticket, self.url = ticket, self.address(since)
        self.frames = []
        self.v = since
        self.known = {}
        self.seeded = None
        self.acks, self.throws = {}, {}  # acknowledged commands: command -> v, v -> cards
        self.sent = {}

    def address(self, since):
        query = f"?v={since}" if since is not None else ""
        return f"{self.server.ws_url}/ws/tables/{self.table}{query}"

    def reopen(self, ticket, back=0):
        """The next connection requests the missing events, and repeats the last `back` events before
        them."""
        self.ticket, self.url = ticket, self.address(max(1, self.v - back) if self.v else None)

    async def connect(self):
        await self.open(self.url, self.ticket)

    def heard(self, frame):
        super().heard(frame)
        v = frame.get("v")
        if frame["t"] == "ack" and frame["id"] in self.sent and self.v is not None:
            self.note_ack(v, frame["id"], *self.sent[frame["id"]])
        if frame["t"] == "snapshot":
            assert self.v is None or v >= self.v, f"seen {self.v}, and now there is only {v}"
        if is_event(frame) and self.v is not None and v <= self.v:
            assert self.known.get(v, frame) == frame, f"{self.known[v]} has become {frame}"
        elif is_event(frame):
            assert self.v in (None, v - 1), f"after {self.v} comes {frame}"
            self.known[v] = frame

    def note_ack(self, v, command, kind, d):
        assert self.acks.setdefault(command, v) == v, f"{command} was {self.acks[command]}, and now it is {v}"
        if kind == "discard":
            self.throws[v] = d["cards"]

    def own_throws(self):
        return [(self.me, list(cards)) for _, cards in sorted(self.throws.items())]

    async def send(self, kind, d=None, **more):
        command = await super().send(kind, d, **more)
        if kind not in NOT_MOVES:
            self.sent.setdefault(command, (kind, d))
        return command

    async def do(self, kind, d=None, **more):
        """Sends a command and returns its reply, ack or nack."""
        return await self.ask(kind, d, **more)

    def my_turn(self):
        return self.me is not None and self.to_move == self.me

    def throw_away(self):
        """A card that may always be discarded: a natural one."""
        kept = self.taken if self.params.get("throw_back") == 0 else None
        return next(card for card in self.hand if not card.startswith("X") and card != kept)

    def plain_move(self):
        """A move that is always legal on the player's turn while there is a stock: draw from it, discard a
        natural card."""
        return (
            ("draw", {"from": "stock"})
            if self.phase == "draw"
            else ("discard", {"cards": [self.throw_away()]})
        )

    async def step(self):
        """One legal command on the player's turn: draws from the stock, discards a natural card."""
        if self.phase == "draw" and self.params.get("stock_flips") and self.stock_n == 0:
            answer = await self.do("flip")
            return answer if answer["t"] == "ack" else await self.do("draw", {"from": "discard"})
        return await self.do(*self.plain_move())

    async def go_on(self):
        """Between hands: sends a seed, then `ready`."""
        if self.seeded != self.next_hand:
            self.seeded = self.next_hand
            seed = hashlib.sha256(f"{self.ticket} {self.next_hand}".encode()).hexdigest()
            answer = await self.do("seed", {"seed": seed})
            # Missed events may report that the hand was dealt, or that the game is over; a shared deal takes
            # no seeds.
            assert answer["t"] == "ack" or answer["code"] in (
                "seed_too_late",
                "table_over",
                "seed_is_given",
            ), answer
            await self.send("ready")

    async def sit_down(self, *instead):
        """Sends a seed and waits for the deal, or for one of these frames; returns it, or None if the table
        is already playing."""
        if self.me is not None:
            return None
        await self.send("seed", {"seed": hashlib.sha256(self.ticket.encode()).hexdigest()})
        return await self.until("snapshot", *instead, seconds=HANG_S)

    async def my_turn_comes(self, seconds=60):
        while not self.my_turn() and self.phase != "over":
            if self.must_group:
                self.must_group = False
                await self.send("group", {"groups": [self.hand[:3]], "done": True})
                continue
            if self.phase == "hand_over" and self.next_hand is not None and self.seeded != self.next_hand:
                await self.go_on()
                continue
            await self.receive(seconds)
        return self.my_turn()

    async def play_out(self):
        """Plays until the game is settled; returns the `settled` frame."""
        while await self.my_turn_comes():
            await self.step()
        # The frame may have arrived before the reply to the last command.
        settled = next((frame for frame in self.frames if frame["t"] == "settled"), None)
        return settled or await self.until("settled")


class Returning(Table):
    """A client that follows docs/clients.md: after 4001 and other non-final closes it reconnects with a fresh
    ticket and its version, and resends commands without a reply."""

    reconnect = True
    patience_s = 60
    wait_s = HANG_S

    def __init__(self, player, seat):
        """seat: the reply to taking a seat, or to requesting a ticket."""
        super().__init__(player.server, seat["table_id"], seat["ticket"])
        self.player, self.first, self.ws_url = player, seat, seat["ws_url"]

    async def connect(self):
        at, self.first = self.first, None
        if at is None:
            answer = await asyncio.to_thread(self.player.post, f"/tables/{self.table}/tickets")
            if answer.status_code != 201:
                raise ApiError(answer.json(), answer.status_code)
            at = answer.json()
        self.ws_url = at["ws_url"]
        await self.open(at["ws_url"] + (f"?v={self.v}" if self.v else ""), at["ticket"])
        for text in self._pending.values():
            await self.socket.send(text)


def nobody_opens(server):
    """Makes opening and going out impossible at tables that rooms start from now on. Otherwise a bot wins 1
    in 500 deals in its second turn."""
    server.promises.look("UPDATE rooms SET params = 'opening_min=200' RETURNING id")


KINDS = itertools.count(31)


def new_kind(server):
    """Makes rooms open tables of a new kind from now on, so that new players do not join tables where
    others wait."""
    server.promises.look("UPDATE rooms SET params = %s RETURNING id", f"turn_s={next(KINDS)}")


@contextlib.contextmanager
def without_bots(server):
    """At tables that rooms open during the block, bots sit down once all players there have requested them
    (`ready`)."""
    [[wait]] = server.promises.look("SELECT fill_wait_ms FROM rooms WHERE id = 'desert'")
    server.promises.look("UPDATE rooms SET fill_wait_ms = 3600000 RETURNING id")
    yield
    server.promises.look("UPDATE rooms SET fill_wait_ms = %s RETURNING id", wait)


def open_table(player, seat=None, since=None):
    """A table for the player's seat (a new one in Desert), with the ticket of the seat or a fresh one."""
    if seat is None:
        seat = player.take_seat()
        return Table(player.server, seat["table_id"], seat["ticket"], since)
    return Table(player.server, seat, player.ticket(seat), since)
