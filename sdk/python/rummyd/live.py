"""Live tables and the lobby, with asyncio: a socket that reconnects by itself, and the state derived from its
frames."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

import websockets

from . import frames
from .rest import ApiError, Rest

# The client does not reconnect after these close codes.
FINAL = (frames.OVER, frames.LEFT, frames.REPLACED, frames.LOST, frames.FORBIDDEN)
# After these errors, no more tickets are available.
REFUSED = ("table_over", "table_lost", "has_seat")
RETRY_S = (0.3, 0.7, 1, 2, 4)
FLOODED_S = 10
OPEN_S = 10
PING_S = 2  # a dead connection is detected within twice this time plus 1 s
# Errors raised if a connection breaks without a close code.
LINE = (OSError, TimeoutError, websockets.WebSocketException)
NO_EVENTS = ("ack", "snapshot", "legal")

Frame = dict[str, Any]


class Closed(Exception):
    """The server closed the socket for good; `code` is the reason (`frames.LEFT`, `frames.REPLACED`, ...)."""

    def __init__(self, code: int):
        super().__init__(f"closed with {code}")
        self.code = code


class Refused(Exception):
    """The server refused a command and changed nothing. `nack` is the reply; `code` and `cards` are its
    members."""

    def __init__(self, nack: Frame):
        super().__init__(f"{nack['code']}: {nack['text']}")
        self.nack, self.code, self.cards = nack, nack["code"], nack["cards"]


def _refused(code: str, text: str) -> Refused:
    """A refusal in the server's format."""
    return Refused({"t": "nack", "code": code, "text": text, "cards": []})


def is_event(frame: Frame) -> bool:
    return "v" in frame and frame["t"] not in NO_EVENTS


class Socket:
    """Delivers frames in order, and each event once. When the connection breaks, it reconnects with a new
    ticket, requests missed events, and resends unanswered commands.

    Only methods that wait for a frame (`receive`, `answer`, `do`) read frames. Other frames that arrive
    meanwhile update the state and are otherwise skipped; override `heard` to see all of them."""

    reconnect = True
    patience_s = 300.0  # how long to try to reconnect
    ping_s: float | None = PING_S
    wait_s: float | None = None  # how long to wait for a frame; None: forever
    pending_max = 32  # commands without a reply

    def __init__(self, address: Callable[[], Mapping[str, Any]]):
        """address: returns `ws_url` and a new `ticket`. It is called in a thread, once per connection."""
        self._address = address
        self.socket: Any = None
        self.v: int | None = None
        self._pending: dict[str, str] = {}
        self._prefix, self._numbers = secrets.token_hex(4), itertools.count(1)
        self._retry_s: float | None = None  # the delay that the server sent
        self._failures, self._opened_at = 0, 0.0

    async def __aenter__(self) -> Self:
        try:
            await self.connect()
        except LINE:
            if not self.reconnect:
                raise
            await self._come_back(1006)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.socket is not None:
            await self.socket.close()

    # ---- The connection

    async def connect(self) -> None:
        """Makes one attempt to connect, with a new ticket and the last known version."""
        at = await asyncio.to_thread(self._address)
        await self.open(at["ws_url"] + (f"?v={self.v}" if self.v else ""), at["ticket"])
        for text in self._pending.values():
            await self.socket.send(text)

    async def open(self, url: str, ticket: str) -> None:
        """Connects to exactly this address."""
        self.socket = await websockets.connect(url, **self.connecting(ticket))
        self._opened_at = time.monotonic()

    def connecting(self, ticket: str) -> dict[str, Any]:
        """Arguments for `websockets.connect`. The ticket is passed as a subprotocol, because proxies log
        URLs."""
        return {
            "subprotocols": ["rummy.v1", f"ticket.{ticket}"], "ping_interval": self.ping_s,
            "ping_timeout": self.ping_s, "max_size": 2**20, "max_queue": None, "open_timeout": OPEN_S,
            "close_timeout": 1,
        }  # fmt: skip

    async def _come_back(self, code: int) -> None:
        """Reconnects, with increasing waits, for at most patience_s."""
        until = time.monotonic() + self.patience_s
        last: Exception | None = None
        for tries in itertools.count():
            wait = self._wait_s(code, tries)
            if time.monotonic() + wait > until:
                raise last or Closed(code)
            await asyncio.sleep(wait)
            try:
                await self.connect()
                return
            except ApiError as error:
                if error.status in (401, 403, 404) or error.code in REFUSED:
                    raise
                last = error
                self._retry_s = error.problem.get("retry_s")
            except LINE as lost:
                last = lost
            code = 1006

    def _wait_s(self, code: int, tries: int) -> float:
        if time.monotonic() - self._opened_at >= frames.BACK_OFF_RESET_MS / 1000:
            self._failures = 0
        wait: float = RETRY_S[min(tries, len(RETRY_S) - 1)]
        if code == frames.FLOODING:
            wait = FLOODED_S
        if code in frames.BACK_OFF_CODES:
            wait = (
                min(
                    frames.BACK_OFF_FIRST_MS * frames.BACK_OFF_FACTOR**self._failures, frames.BACK_OFF_MOST_MS
                )
                / 1000
            )
            self._failures += 1
        told, self._retry_s = self._retry_s, None
        return told if told is not None else wait * random.uniform(0.75, 1.25)

    # ---- Frames

    async def receive(self, seconds: float | None = None) -> Frame:
        """Returns the next frame after processing it. Raises TimeoutError if none arrives within this
        time."""
        seconds = self.wait_s if seconds is None else seconds
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            try:
                # wait_for of Python 3.11 can lose a frame that arrives together with a cancellation.
                async with asyncio.timeout(None if until is None else until - time.monotonic()):
                    text = await self.socket.recv()
            except websockets.ConnectionClosed as closed:
                await self._closed(closed.rcvd.code if closed.rcvd else 1006)
                continue
            frame: Frame = json.loads(text)
            self.heard(frame)
            if frame["t"] in ("ack", "nack", "legal", "pong"):
                self._pending.pop(frame["id"], None)
            if frame["t"] == "restarting":
                self._retry_s = frame["d"]["retry_ms"] / 1000
            if frame["t"] == "moved":  # the server closes the socket after this frame
                self._retry_s = 0
            if await self._is_next(frame):
                self.follow(frame)
                return frame

    async def _closed(self, code: int) -> None:
        if not self.reconnect or code in FINAL:
            raise Closed(code) from None
        await self._come_back(code)

    async def _is_next(self, frame: Frame) -> bool:
        """Whether to deliver the frame. Known events are not delivered again, and after a gap, the missing
        ones come first."""
        if frame["t"] == "snapshot":
            self.v = frame["v"]
        if not is_event(frame):
            return True
        known = frame["v"] - 1 if self.v is None else self.v
        if frame["v"] > known + 1:
            await self.socket.close()
            await self._closed(1006)
        if frame["v"] != known + 1:
            return False
        self.v = frame["v"]
        return True

    def heard(self, frame: Frame) -> None:
        """Called with every frame as it arrives, before processing."""

    def follow(self, frame: Frame) -> None:
        """Called with each frame, in order."""

    async def until(self, *kinds: str, seconds: float | None = None) -> Frame:
        """Reads frames until one of these kinds arrives, and returns that frame."""
        while True:
            frame = await self.receive(seconds)
            if frame["t"] in kinds:
                return frame

    # ---- Commands

    async def send(self, kind: str, d: Any = None, *, id: str | None = None, **more: Any) -> str:
        """Sends a command and returns its id. It is sent again after each reconnection until there is a
        reply."""
        if len(self._pending) >= self.pending_max:
            raise RuntimeError(f"{self.pending_max} commands are unanswered; wait for a reply first")
        command = id or f"{self._prefix}-{next(self._numbers)}"
        text = json.dumps({"t": kind, "id": command, **more, **({} if d is None else {"d": d})})
        self._pending[command] = text
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            if not self.reconnect:
                raise
        return command

    async def answer(self, command: str, seconds: float | None = None) -> Frame:
        """Returns the server's reply to a command."""
        while True:
            frame = await self.receive(seconds)
            if frame.get("id") == command:
                return frame

    async def ask(self, kind: str, d: Any = None, **more: Any) -> Frame:
        """Sends a command and returns its reply, ack or nack, after processing all frames before it."""
        return await self.answer(await self.send(kind, d, **more))

    async def do(self, kind: str, d: Any = None, **more: Any) -> Frame:
        """The same as `ask`, but raises Refused if the server refuses the command."""
        frame = await self.ask(kind, d, **more)
        if frame["t"] == "nack":
            raise Refused(frame)
        return frame


class Lobby(Socket):
    """The lobby, and the state built from its frames. A player has only one lobby socket, the newest
    one."""

    def __init__(self, rest: Rest):
        super().__init__(lambda: rest.new_lobby_ticket())
        self.rooms: dict[str, Frame] = {}
        self.games: dict[str, Frame] = {}
        self.tables: dict[str, Frame] = {}
        self.online = self.playing = 0
        self.friends: list[Frame] = []

    def follow(self, frame: Frame) -> None:
        d = frame.get("d", {})
        if frame["t"] == "lobby":
            self.rooms, self.tables = {}, {}
        if frame["t"] in ("lobby", "lobby_changed"):
            self.rooms.update({room["id"]: room for room in d["rooms"]})
            self.tables.update({table["id"]: table for table in d["tables"]})
            if "games" in d:
                self.games = {game["variant"]: game for game in d["games"]}
            for table in d.get("gone", []):
                self.tables.pop(table, None)
            self.online, self.playing = d["online"], d["playing"]
        if frame["t"] == "friends":
            self.friends = d["items"]


class Table(Socket):
    """A table as its player sees it: their hand, whose turn it is, and the piles."""

    def __init__(self, rest: Rest, seat: Mapping[str, Any] | str):
        """seat: the response to taking a seat, or the id of a table at which the player has one."""
        first = [seat] if isinstance(seat, Mapping) else []
        self.table: str = seat["table_id"] if isinstance(seat, Mapping) else seat
        super().__init__(lambda: first.pop() if first else rest.new_ticket(self.table))
        self.me: int | None = None
        self.hand: list[str] = []
        self.to_move: int | None = None
        self.phase: str | None = None
        self.stock_n = 0
        self.discard: list[str] = []
        self.params: dict[str, int] = {}
        self.taken: str | None = None  # the discard taken in this turn
        self.must_group = False  # the hand is waiting for this seat's grouping
        self.out_of_hand = False  # has dropped, or made an invalid declaration
        self.hand_no = 0
        self.next_hand: int | None = None  # between hands: the number of the next one
        self.settled: Frame | None = None
        self._seeded = 0
        self._gone = False  # the connection is closed for good

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def to_act(self) -> bool:
        """Whether it is this seat's turn, or it must group its cards after another player's declaration."""
        return self.me is not None and (self.to_move == self.me or self.must_group)

    # ---- Playing

    async def do(self, kind: str, d: Any = None, **more: Any) -> Frame:
        """Raises Refused with the code `table_over` even if the game ended while the program was away."""
        try:
            frame = await super().do(kind, d, **more)
            while self.v is not None and self.v < frame.get("v", 0):
                await self.receive()  # its effects are known before this returns
        except (ApiError, Closed) as error:
            if not self._ended_by(error):
                raise
            raise _refused("table_over", "This table is closed.") from error
        return frame

    def _ended_by(self, error: ApiError | Closed) -> bool:
        """Whether the error means that the game is over. If so, the connection has closed for good."""
        if error.code not in ("table_over", frames.OVER):
            return False
        self.phase, self.to_move, self.must_group, self._gone = "over", None, False, True
        return True

    async def turn(self) -> bool:
        """Waits until it is this seat's turn. Before each deal it sends a seed and `ready`. False: the game
        is over."""
        try:
            while not self.to_act:
                if self.over and (self.settled or self._gone):
                    return False
                await self._get_ready()
                await self.receive()
        except (ApiError, Closed) as error:
            if not self._ended_by(error):  # the game ended while the connection was down
                raise
            return False
        return True

    async def _get_ready(self) -> None:
        hand = self.next_hand if self.phase == "hand_over" else 1 if self.me is None else None
        if hand is not None and self._seeded < hand:
            self._seeded = hand
            await self.send("seed", {"seed": secrets.token_hex(32)})
            if hand > 1:
                await self.send("ready")

    async def legal(self) -> list[Frame]:
        """Legal moves of this seat as commands, good ones first. Raises Refused if there are none because
        the turn timed out or the game is over."""
        moves: list[Frame] = (await self.do("legal", {"hints": True}))["d"]["moves"]
        if not moves:
            raise (
                _refused("table_over", "This table is closed.")
                if self.over
                else _refused("not_your_turn", "It's not your turn.")
            )
        return moves

    async def play(self, move: Frame) -> Frame:
        """Makes one of these moves; a grouping is final."""
        done = {"done": True} if move["t"] == "group" else {}
        return await self.do(move["t"], {**move["d"], **done})

    # ---- State

    def follow(self, frame: Frame) -> None:
        kind, d, seat = frame["t"], frame.get("d", {}), frame.get("seat")
        if kind == "snapshot":
            self._snapshot(d)
        elif kind == "next_hand":
            self.next_hand = d["hand_no"]
        elif kind == "settled":
            self.settled = d
        elif is_event(frame):
            self._piles(kind, d)
            self._turns(kind, d, seat)
            if seat is not None and seat == self.me:
                self._own(kind, d)

    def _snapshot(self, d: Frame) -> None:
        self.me, self.hand = d["me"], list(d["hand"])
        self.to_move, self.phase, self.must_group = d["to_move"], d["phase"], d["me"] in d["to_group"]
        self.out_of_hand = d["me"] in (*d["dropped"], *d["wrong"], *d["sat_out"])
        self.stock_n, self.discard = d["stock_n"], list(d["discard"])
        self.params, self.taken, self.hand_no = d["params"], None, d["hand_no"]

    def _turns(self, kind: str, d: Frame, seat: int | None) -> None:
        if kind == "dealt":
            self.hand_no, self.out_of_hand = d["hand_no"], False
        elif kind == "turn":
            self.to_move, self.phase = seat, d["phase"]
        elif kind == "declared" and d["valid"]:
            self.to_move, self.phase = None, "group"
            self.must_group = seat != self.me and bool(self.hand) and not self.out_of_hand
        elif kind == "hand_ended":
            self.to_move, self.phase, self.must_group = None, "hand_over", False
        elif kind == "session_ended":
            self.phase = "over"

    def _piles(self, kind: str, d: Frame) -> None:
        if kind == "dealt":
            self.stock_n, self.discard = d["stock_n"], []
        elif kind == "drew" and d["from"] == "stock":
            self.stock_n -= 1
        elif kind == "drew":
            del self.discard[-1:]  # may be empty: the client does not know earlier discards
        elif kind in ("discarded", "draw_cancelled"):
            self.discard += d.get("cards") or [d["card"]]
        elif kind == "reshuffled":
            self.stock_n, self.discard = d["stock_n"], self.discard[-1:]
        elif kind == "flipped":
            self.stock_n, self.discard = d["stock_n"], [d["card"]]

    def _own(self, kind: str, d: Frame) -> None:
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
        elif kind in ("dropped", "declared"):
            self.out_of_hand = True
        elif kind == "grouped" and d["done"]:
            self.must_group = False
