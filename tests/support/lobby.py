"""A player in the lobby over a real WebSocket. Every frame from the server is held against asyncapi.yaml."""

import asyncio
import socket
import time

import websockets

from .table import Followed, offered


class Lobby(Followed):
    """A socket in the lobby, and the picture its frames make."""

    def __init__(self, player, ticket=None, receive_bytes=None):
        """receive_bytes: how much its kernel takes for it."""
        self.player = player
        self.ticket = ticket
        self.receive_bytes = receive_bytes
        self.checked = receive_bytes is None  # against the contract, which takes its time for a whole picture
        self.socket = None
        self.frames = []
        self.rooms, self.tables = {}, {}
        self.people = None

    async def __aenter__(self):
        if self.ticket is None:
            answer = await asyncio.to_thread(self.player.post, "/lobby/tickets")
            assert answer.status_code == 201, answer.text
            self.url, self.ticket = answer.json()["ws_url"], answer.json()["ticket"]
            assert self.url.endswith("/ws/lobby")
        url = f"{self.player.server.ws_url}/ws/lobby"
        line = socket.socket()
        if self.receive_bytes:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_bytes)
        line.connect(("127.0.0.1", self.player.server.ws_port))
        self.socket = await websockets.connect(
            url, sock=line, subprotocols=offered(self.ticket), ping_interval=None, max_size=2**20, open_timeout=10, close_timeout=2
        )
        return self

    def follow(self, frame):
        d = frame.get("d", {})
        if frame["t"] == "lobby":
            self.rooms, self.tables = {}, {}
        if frame["t"] in ("lobby", "lobby_changed"):
            self.rooms.update({room["id"]: room for room in d["rooms"]})
            self.tables.update({table["id"]: table for table in d["tables"]})
            for table in d.get("gone", []):
                del self.tables[table]
            self.people = (d["online"], d["playing"])

    async def until(self, true, seconds=15):
        """Follows frames until `true()` holds."""
        until = time.monotonic() + seconds
        while not true():
            await self.receive(until - time.monotonic())
