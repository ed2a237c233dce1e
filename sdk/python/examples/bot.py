"""Plays one game of a variant against the server's bots: [RUMMYD_TOKEN=rbt_…] bot.py URL VARIANT"""

import asyncio
import os
import sys
from typing import Any

from rummyd import Refused, Rest, Table

# In order of preference; kinds not listed are never played.
LIKES = ["declare", "group", "meld", "lay_off", "draw", "flip", "discard", "take_back"]


def choose(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The first move of the preferred kind. The server lists good moves first, and the stock before the
    discard pile."""
    return min((move for move in moves if move["t"] in LIKES), key=lambda move: LIKES.index(move["t"]))


async def play(url: str, variant: str) -> Table:
    rest = Rest(url, os.environ.get("RUMMYD_TOKEN"))  # a bot account's
    if not rest.bot_token:
        rest.guest()
    seat = rest.open_table({"variant": variant, "seats": 2, "bots": 1, "bot_level": "easy"})
    async with Table(rest, seat) as table:
        while await table.turn():
            try:
                await table.play(choose(await table.legal()))
            except Refused as refused:  # the turn timed out, for example
                print(refused, file=sys.stderr)
        return table


if __name__ == "__main__":
    table = asyncio.run(play(*sys.argv[1:]))
    place = table.settled["seats"][table.me]["place"] if table.settled else "unknown"
    print(f"{sys.argv[2]}: place {place} after {table.hand_no} hands")
