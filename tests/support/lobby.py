"""A player in the lobby, over a real WebSocket. Validates every frame from the server against
asyncapi.yaml."""

import asyncio
import socket
import time

import rummyd

from .table import Judged
from .wait import HANG_S


class Lobby(Judged, rummyd.Lobby):
    """A socket in the lobby, and the state that its frames describe."""

    def __init__(self, player, ticket=None, receive_bytes=None):
        """receive_bytes: size of the socket's receive buffer."""
        super().__init__(None)
        self.player = player
        self.ticket = ticket
        self.receive_bytes = receive_bytes
        # whether to validate against the contract, which is slow for a full lobby
        self.checked = receive_bytes is None
        self.frames = []

    async def connect(self):
        if self.ticket is None:
            answer = await asyncio.to_thread(self.player.post, "/lobby/tickets")
            assert answer.status_code == 201, answer.text
            self.url, self.ticket = answer.json()["ws_url"], answer.json()["ticket"]
            assert self.url.endswith("/ws/lobby")
        await self.open(f"{self.player.server.ws_url}/ws/lobby", self.ticket)

    def connecting(self, ticket):
        line = socket.socket()
        if self.receive_bytes:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_bytes)
        line.connect(("127.0.0.1", self.player.server.ws_port))
        return {**super().connecting(ticket), "sock": line, "max_queue": 32}

    @property
    def people(self):
        return (self.online, self.playing)

    async def until(self, true, seconds=HANG_S):
        """Follows frames until `true()` holds."""
        until = time.monotonic() + seconds
        while not true():
            await self.receive(until - time.monotonic())
