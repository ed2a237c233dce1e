"""What happens to seats and sockets at a node when the state of an account changes: the rows of
docs/state-changes.md that need a node. A socket that remains open still gets replies, and no socket of
another player is closed."""

import asyncio
import uuid
from contextlib import AsyncExitStack

import pytest
from support.contract import Client
from support.keys import make_key
from support.lobby import Lobby
from support.rounds import seated, sit_down
from support.state_changes import AT_A_NODE, table
from support.table import Player, Table
from support.wait import HANG_S
from test_spectators import watching

TABLE = table()


@pytest.fixture(scope="module")
def admin(server):
    client = Client(server)
    client.token = make_key(server.owner_db)
    return client


def act(admin, player, path, **body):
    admin.call(
        "POST",
        f"/v1/admin/players/{player.id}/{path}",
        {"reason": "x", **body},
        status=200,
        headers={"Idempotency-Key": uuid.uuid4().hex},
    )


def ok(answer):
    assert answer.status_code in (200, 201, 202, 204), answer.text
    return answer


def ask_deletion(w):
    ok(w.me.post("/me/deletion", {"confirm": "delete"}))


def delete(w):
    ask_deletion(w)
    w.server.promises.look(
        "UPDATE deletions SET due_at = now() WHERE player_id = %s RETURNING player_id", w.me.id
    )
    while not w.server.promises.look(
        "SELECT 1 FROM deletions WHERE player_id = %s AND erased_at IS NOT NULL", w.me.id
    ):
        w.server.promises.look("SELECT erase_players_step(now())")


def set_limit(name, value):
    return lambda w: ok(w.me.send("PATCH", "/v1/me/limits", body={name: value}))


def blocked_by_others(w):
    for other in (w.other, w.third):
        ok(other.send("PUT", f"/v1/players/{w.me.id}/block"))
    w.others.remove(w.host)  # the host leaves the table where both wait


# How each event is caused, and the close code of the player's sockets.
EVENTS = {
    "banned": (lambda w: act(w.admin, w.me, "ban"), 4403),
    "deletion requested": (ask_deletion, 4000),
    "account deleted": (delete, 4005),
    "self-exclusion": (set_limit("exclude_days", 1), 4000),
    "time limit lowered": (set_limit("minutes_per_day", 0), 4000),
    "purchase limit lowered": (set_limit("purchases_per_day", 0), None),
    "other player blocked": (
        lambda w: [ok(w.me.send("PUT", f"/v1/players/{other.id}/block")) for other in (w.other, w.third)],
        4000,
    ),
    "blocked by the other player": (blocked_by_others, None),
    "muted by an operator": (lambda w: act(w.admin, w.me, "mute", hours=1), None),
    "kept apart from the other player": (
        lambda w: [
            act(w.admin, w.me, "separations", other=other.id, separated=True) for other in (w.other, w.third)
        ],
        4000,
    ),
    "sessions ended": (lambda w: act(w.admin, w.me, "sessions/end"), 4005),
}


class World:
    """A player in the lobby and watching a table; unless they are to be deleted, also at a waiting table
    and at a running one."""

    def __init__(self, server, admin):
        self.server, self.admin = server, admin
        self.me, self.other, self.third = (Player(server, name) for name in ("Mia", "Boris", "Ceca"))
        self.sockets = {}

    def table(self, seat):
        return Table(self.server, seat["table_id"], seat["ticket"])

    async def begin(self, stack, words):
        watched = seated([self.third, self.other], "rummy51", visibility="private", options={"turn_s": 120})
        self.others = list((await sit_down(stack, self.server, watched)).values())
        self.sockets["Spectator socket"] = watching(self.me, watched[0]["table_id"], code=watched[0]["code"])
        self.sockets["Socket in the lobby"] = Lobby(self.me)
        if words["Socket at a waiting table"] != "–":
            opened = ok(
                self.other.post("/tables", {"variant": "rummy51", "seats": 3, "visibility": "public"})
            ).json()
            taken = ok(self.me.post(f"/tables/{opened['table_id']}/seats")).json()
            self.sockets["Socket at a waiting table"] = self.table(taken)
            self.host = await stack.enter_async_context(self.table(opened))
            self.others.append(self.host)
        for socket in self.sockets.values():
            await stack.enter_async_context(socket)
            await socket.receive()
        if words["Playing seat"] != "–":
            played = await sit_down(
                stack,
                self.server,
                seated([self.me, self.third], "rummy51", visibility="private", options={"turn_s": 120}),
            )
            self.sockets["Socket at a playing table"], self.opponent = played.values()
            self.others.append(self.opponent)


async def answered(socket):
    assert (await socket.answer(await socket.send("ping")))["t"] == "pong"


async def follow(server, admin, event):
    words = {name: TABLE[name][event] for name in AT_A_NODE}
    act_on, close_code = EVENTS[event]
    world = World(server, admin)
    async with AsyncExitStack() as stack:
        await world.begin(stack, words)
        assert set(world.sockets) == {name for name in words if words[name] != "–"} - {"Playing seat"}
        await asyncio.to_thread(act_on, world)
        ends = [name for name in world.sockets if words[name] == "ends"]
        assert {name: await world.sockets[name].until_closed(HANG_S) for name in ends} == dict.fromkeys(
            ends, close_code
        )
        if words["Playing seat"] == "ends" and not any(f["t"] == "left" for f in world.opponent.frames):
            await world.opponent.until("left")
        for socket in [*world.others, *(world.sockets[name] for name in world.sockets if name not in ends)]:
            await answered(socket)
        if words["Playing seat"] == "stays":
            assert not any(frame["t"] == "left" for frame in world.opponent.frames)


@pytest.mark.parametrize("event", EVENTS)
def test_seats_and_sockets_end_or_stay_as_documented(server, admin, event):
    asyncio.run(follow(server, admin, event))


def test_a_ban_on_another_node_also_removes_the_player_from_the_game(server):
    """The change is only written to the database."""
    asyncio.run(banned_elsewhere(server))


async def banned_elsewhere(server):
    people = [Player(server, name) for name in ("Mia", "Boris")]
    async with AsyncExitStack() as stack:
        played = await sit_down(
            stack, server, seated(people, "rummy51", visibility="private", options={"turn_s": 120})
        )
        server.promises.look("UPDATE players SET banned_at = now() WHERE id = %s RETURNING id", people[0].id)
        assert (await played[1].until("left", seconds=60))["seat"] == 0


def test_the_document_lists_exactly_the_tested_events():
    assert {event for name in AT_A_NODE for event in TABLE[name]} == set(EVENTS)
