"""A player who goes on wherever their table is, and what they were told meanwhile."""

import asyncio
import time

from support.table import Player, Returning


class Going(Returning):
    """Comes back by way of whatever node its player asks (`turn_to`), wherever that sends it."""

    def __init__(self, server, **body):
        player = Player(server)
        answer = player.post(
            "/tables", {"variant": "straight", "seats": 2, "bots": 1, "bot_level": "easy", **body}
        )
        assert answer.status_code == 201, answer.text
        super().__init__(player, answer.json())
        self.acked_at = []  # time.monotonic() of each acknowledged move
        self.moves_of_mine = 0  # `moved` that came
        # s from each `moved` to the next frame, which comes from the node that has the table now
        self.pauses = []
        self._left_at = None

    def turn_to(self, server):
        """From now on this node."""
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
        """Moves whenever it is their turn, until that says so or the game is over."""
        async with self:
            await self.sit_down()
            while not until(self) and await self.my_turn_comes():
                answer = await self.step()
                if answer["t"] == "ack":
                    self.acked_at.append(time.monotonic())
                await asyncio.sleep(0.05)


def acked_stand(nodes, tables):
    """Every acknowledged move of a table that is still at play, under its version; how many."""
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
