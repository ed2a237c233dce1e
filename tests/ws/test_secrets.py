"""The running program: no seed and no card of other players appears in a frame, a REST response, or the log
during the game. (tests/tables/test_secrets.c checks the bytes sent to every viewer of every variant.)"""

import asyncio
import base64
import json
import re

import pytest
import requests
from support.keys import make_key
from support.table import Player, Table
from support.wait import HANG_S
from test_spectators import watch

CARD = re.compile(r"\b([A2-9TJQK][CSHD][12]|X[1-6])\b")
GAMES = 2
PATHS = (
    "/tables/{table}",
    "/tables/{table}/chat",
    "/me",
    "/me/tables",
    "/rooms",
    "/games",
    "/wallet",
    "/wallet/postings",
    "/tables",
)
# Paths that are available only after the end, or not at all.
EARLY = (
    "/games/{table}",
    "/games/{table}/record",
    "/games/{table}/record?hand=1",
    "/tables/{table}/record",
    "/tables/{table}?v=1",
)
OPERATOR = (
    "/admin/tables/{table}",
    "/admin/audit",
    "/admin/jobs",
    "/admin/ledger/proof",
    "/admin/reports",
    "/admin/players/{player}",
)
OPEN = ("/metrics", "/readyz", "/healthz", "/version")


def forms(seed):
    """A secret in every possible notation."""
    hexed = seed.hex()
    return [
        hexed,
        hexed.upper(),
        base64.b64encode(seed).decode(),
        base64.urlsafe_b64encode(seed).decode().rstrip("="),
        hexed[:32],
        hexed[32:],
    ]


def read_all(server, table, one, two, guest, secrets):
    """Reads everything that each client can read while the hand is played; returns the number of bytes."""
    hands = set(one[1].hand), set(two[1].hand)
    operator = {"Authorization": "Bearer " + make_key(server.owner_db)}
    readers = [(one[0].headers, hands[1]), (two[0].headers, hands[0]), (guest.headers, hands[0] | hands[1])]
    asked = [(headers, hidden, "/v1" + path) for headers, hidden in readers for path in PATHS + EARLY]
    asked += [(operator, hands[0] | hands[1], "/v1" + path) for path in OPERATOR]
    asked += [
        ({}, hands[0] | hands[1], path)
        for path in OPEN + tuple("/v1" + path for path in PATHS + EARLY + OPERATOR)
    ]
    seen = 0
    for headers, hidden, path in asked:
        answer = requests.get(
            server.url + path.format(table=table, player=one[0].id), headers=headers, timeout=HANG_S
        )
        text = answer.text + json.dumps(dict(answer.headers))
        seen += len(text)
        assert not set(CARD.findall(text)) & hidden, path
        assert not any(secret in text for secret in secrets), path
        assert answer.status_code == 200 or headers is not operator and path not in OPEN, (path, text)
        assert answer.status_code >= 400 or not any(
            path.startswith("/v1" + early) for early in ("/games/", "/tables/{table}/record")
        ), path
    return seen


async def six_turns(table):
    for _ in range(6):
        if table.phase != "over" and await table.my_turn_comes():
            await table.step()
            if table.phase == "play" and table.my_turn():
                await table.step()


def test_seeds_and_cards_of_others_are_never_disclosed(new_server, cluster):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=300, log_level="debug")
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE rooms SET seats_n = 2, fill_wait_ms = 3600000 WHERE id = 'desert'")
    seeds, bytes_seen = [], 0

    async def game():
        nonlocal bytes_seen
        one, two, guest = (Player(server, name) for name in ("One", "Two", "Three"))
        a, b = one.take_seat(), two.take_seat()
        assert a["table_id"] == b["table_id"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT server_seed FROM tables WHERE id = %s", (a["table_id"],))
            secrets = forms(bytes(cursor.fetchone()[0]))
        seeds.append(secrets)
        ticket = await asyncio.to_thread(watch, guest, a["table_id"])
        async with (
            Table(server, a["table_id"], a["ticket"]) as first,
            Table(server, b["table_id"], b["ticket"]) as second,
            Table(server, a["table_id"], ticket["ticket"]) as third,
        ):
            await asyncio.gather(first.sit_down(), second.sit_down())
            await asyncio.gather(six_turns(first), six_turns(second))
            while third.v is None or third.v < max(first.v, second.v):
                await third.receive()
            if first.phase != "over":
                bytes_seen += await asyncio.to_thread(
                    read_all, server, a["table_id"], (one, first), (two, second), guest, secrets
                )
            for table in (first, second, third):
                before = [frame for frame in table.frames if frame["t"] not in ("fairness", "settled")]
                text = json.dumps(before)
                bytes_seen += len(text)
                assert not any(secret in text for secret in secrets)

    for _ in range(GAMES):
        asyncio.run(game())
    connection.close()
    assert server.stop() == 0
    log = server.log()
    assert '"event":"serving"' in log and bytes_seen > 10000
    for secrets in seeds:
        assert not any(secret in log for secret in secrets)
    assert not CARD.findall(log), "no card in the log, not even at its lowest level"
    for word in ("Bearer ", "device_secret", "ticket="):
        assert word not in log, word


@pytest.mark.parametrize("level", ["info"])
def test_input_of_a_failing_client_is_not_logged(new_server, level):
    """A stranger's input is not logged, neither their token nor their frame."""
    server = new_server(rate_limits="off", log_level=level)
    player = Player(server)
    seat = player.take_seat()

    async def send():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.socket.send('{"t":"chat","id":"a","d":{"text":"a-secret-word"}}')
            await table.socket.send("garbage-of-a-stranger")
            await table.until("nack")

    asyncio.run(send())
    assert server.stop() == 0
    log = server.log()
    for word in (
        "a-secret-word",
        "garbage-of-a-stranger",
        seat["ticket"],
        player.headers["Authorization"].split()[1],
    ):
        assert word not in log
