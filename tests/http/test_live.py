"""A running table, seen through REST while its node plays it."""

import asyncio
import json
import threading
import time

import pytest
import websockets
from support.table import offered
from support.wait import HANG_S


@pytest.fixture(autouse=True, scope="module")
def hasty_rooms(sql):
    """Bots fill the seats as soon as a player has joined."""
    sql("UPDATE rooms SET fill_wait_ms = 500")


class Watcher(threading.Thread):
    """Keeps a player at their table and remembers their last snapshot and version."""

    def __init__(self, seat):
        super().__init__(daemon=True)
        self.url, self.offered = seat["ws_url"], offered(seat["ticket"])
        self.snapshot, self.v = None, -1
        self.there, self.leave = threading.Event(), threading.Event()
        self.start()
        assert self.there.wait(HANG_S), "no snapshot came"

    def run(self):
        asyncio.run(self.watch())

    async def watch(self):
        async with websockets.connect(self.url, subprotocols=self.offered) as socket:
            while not self.leave.is_set():
                try:
                    # lapse: a poll; the loop retries
                    frame = json.loads(await asyncio.wait_for(socket.recv(), 0.1))
                except TimeoutError:
                    continue
                except websockets.ConnectionClosed:
                    return  # a newer socket took over the seat
                self.v = frame.get("v", self.v)
                if frame["t"] == "snapshot":
                    self.snapshot = frame
                    self.there.set()

    def end(self):
        self.leave.set()
        self.join(HANG_S)


@pytest.fixture
def playing(guest):
    """(player, seat) of a running table."""
    seat = guest.take_seat(status=201).json()
    watcher = Watcher(seat)
    until = time.monotonic() + HANG_S
    while guest.get("/v1/me/tables")["items"][0]["state"] != "playing":
        assert time.monotonic() < until, "the table does not begin"
        time.sleep(0.1)
    yield guest, seat
    watcher.end()


def test_a_running_game_can_only_be_left_at_the_table(playing):
    guest, seat = playing
    guest.call("DELETE", f"/v1/tables/{seat['table_id']}/seats/me", status=409, code="game_running")
    guest.new_ticket(seat["table_id"], status=201)


def test_a_player_sees_only_their_own_hand(playing):
    guest, seat = playing
    d = guest.get(f"/v1/tables/{seat['table_id']}")["d"]
    assert d["phase"] in ("draw", "play") and d["me"] == seat["seat"]
    assert [s["bot"] for s in d["seats"]].count(True) == 3
    assert len(d["hand"]) in (14, 15)
    assert "server_seed" not in json.dumps(d)
    for other in d["seats"]:
        assert "hand" not in other and other["cards_n"] >= 0


def test_rest_and_socket_show_the_same_version(playing):
    guest, seat = playing
    for _ in range(50):
        watcher = Watcher({**seat, "ticket": guest.new_ticket(seat["table_id"], status=201).json()["ticket"]})
        answer = guest.call("GET", f"/v1/tables/{seat['table_id']}", status=200)
        watcher.end()
        if answer.json()["v"] == watcher.snapshot["v"]:
            break
    rest, frame = answer.json(), watcher.snapshot
    assert rest["v"] == frame["v"] and answer.headers["ETag"] == f'"{rest["v"]}"'
    for side in (rest, frame):
        side["d"].pop("clock", None)  # runs on
        for one in side["d"]["seats"]:
            one.pop("on")  # only the node has this information
    assert rest["d"] == frame["d"]


def test_an_unchanged_table_returns_304(playing):
    guest, seat = playing
    for _ in range(20):
        tag = guest.call("GET", f"/v1/tables/{seat['table_id']}", status=200).headers["ETag"]
        again = guest.call("GET", f"/v1/tables/{seat['table_id']}", headers={"If-None-Match": tag})
        if again.status_code == 304:
            return
    pytest.fail("never unchanged")
