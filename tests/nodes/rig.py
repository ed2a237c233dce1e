"""A player who follows their table to any node, and the frames that they received."""

import asyncio
import time

from support.table import Player, Returning


class Going(Returning):
    """Reconnects through the node that its player currently uses (`turn_to`), wherever that leads."""

    def __init__(self, server, **body):
        player = Player(server)
        answer = player.post(
            "/tables", {"variant": "straight", "seats": 2, "bots": 1, "bot_level": "easy", **body}
        )
        assert answer.status_code == 201, answer.text
        super().__init__(player, answer.json())
        self.acked_at = []  # time.monotonic() of each acknowledged move
        self.moves_of_mine = 0  # `moved` frames received
        # s from each `moved` to the next frame, which comes from the table's new node
        self.pauses = []
        self._left_at = None

    def turn_to(self, server):
        """Uses this node from now on."""
        self.player.url = server.url

    def heard(self, frame):
        super().heard(frame)
        if frame["t"] == "moved":
            self.moves_of_mine += 1
            self._left_at = time.monotonic()
        elif self._left_at is not None:
            self.pauses.append(time.monotonic() - self._left_at)
            self._left_at = None

    async def play(self, until):
        """Moves whenever it is their turn, until `enough` returns true or the game is over."""
        async with self:
            await self.sit_down()
            while not until(self) and await self.my_turn_comes():
                answer = await self.step()
                if answer["t"] == "ack":
                    self.acked_at.append(time.monotonic())
                await asyncio.sleep(0.05)


def acked_stand(nodes, tables):
    """Checks that every acknowledged move of a running table is stored under its version; returns their
    number."""
    n = 0
    for table in tables:
        stands = dict(
            nodes.look(
                "SELECT command, v FROM journal WHERE table_id = %s AND command <> ''", int(table.table)
            )
        )
        if stands:
            assert {command: stands.get(command) for command in table.acks} == table.acks
            n += len(table.acks)
    return n
