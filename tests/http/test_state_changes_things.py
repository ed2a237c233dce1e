"""How changes of clubs, rooms, keys, and friendships affect everything in progress: the tables of
docs/state-changes.md, cell by cell."""

import asyncio
import uuid

import pytest
from club_rig import member
from shop_rig import ENV
from state_changes_rig import assert_tested, cells, eventually
from support.chips import WELCOME_SILVER
from support.cluster import SERVER
from support.contract import Client, a_name
from support.keys import make_key
from support.lobby import Lobby
from support.server import Server
from support.table import Player, Table
from support.totp import PASSWORD
from support.wait import HANG_S


def test_every_cell_of_the_tables_has_a_test():
    assert_tested(__file__, "Clubs", "Rooms", "Keys and bots", "Friends")


# --- the rig ---


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        env=ENV,
        rate_limits="off",
        seed_wait_ms=50,
        hand_pause_ms=50,
        sleep_after_ms=100,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module")
def admin(server):
    client = Client(server)
    client.token = make_key(server.owner_db)
    return client


@pytest.fixture
def owner(server):
    return Client(server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD)


@pytest.fixture
def club(owner):
    body = {"name": a_name("Owls"), "joining": "open"}
    return owner.call("POST", "/v1/clubs", body, headers=key(), status=201).json()["id"]


@pytest.fixture
def ben(server, club):
    return member(Client(server).guest(), club)


@pytest.fixture
def cat(server, club):
    return member(Client(server).guest(), club)


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def open_table(client, status=201, code=None, **body):
    return client.call(
        "POST", "/v1/tables", {"variant": "straight", **body}, status=status, code=code, headers=key()
    ).json()


def sit(client, table, status=201, code=None):
    return client.call("POST", f"/v1/tables/{table}/seats", headers=key(), status=status, code=code).json()


def watch(client, table, status=201, code=None):
    return client.call(
        "POST", f"/v1/tables/{table}/spectators", {}, headers=key(), status=status, code=code
    ).json()


def silver(client):
    return client.get("/v1/wallet")["silver"]


def leave(client, club):
    client.call("DELETE", f"/v1/clubs/{club}/members/{client.player['id']}", status=204)


def remove(owner, club, who):
    owner.call("DELETE", f"/v1/clubs/{club}/members/{who.player['id']}", status=204)


def close(owner, club):
    owner.call("DELETE", f"/v1/clubs/{club}", status=204)


def finished(sql, table):
    """Makes a table without stakes look finished to its players. Its node can no longer change that. A
    table that is `playing` only in its rows would be lost as soon as the node reads them."""
    sql("UPDATE tables SET state = 'finished', ended_at = now() WHERE id = %s", int(table))
    sql("UPDATE seats SET live = false WHERE table_id = %s", int(table))


async def begin(server, seat):
    """The cards are dealt."""
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()


async def play_on(server, seat, act):
    """Sits down, lets something happen, and makes a move in the running game."""
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()
        await asyncio.to_thread(act)
        assert await table.my_turn_comes()
        assert (await table.step())["t"] == "ack"


# --- clubs ---

CLUBS = ("Clubs", "member leaves or is removed", "club closes", "owner transfers the club")
CLUB_ENDS = {
    "left": lambda owner, club, ben, cat: leave(ben, club),
    "removed": lambda owner, club, ben, cat: remove(owner, club, ben),
}


@cells("Clubs", "seat at a waiting table", CLUBS[1])
@pytest.mark.parametrize("way", CLUB_ENDS)
def test_a_seat_at_a_waiting_table_is_given_up_with_the_membership(server, owner, club, ben, cat, way):
    table = open_table(owner, seats=3, stake=10, club=club)["table_id"]
    slow = open_table(cat, seats=3, turn_hours=24, club=club)["table_id"]
    private = open_table(ben, seats=2)["table_id"]
    seat = sit(ben, table)
    sit(ben, slow)
    assert silver(ben) == WELCOME_SILVER - 10

    async def run():
        async with Table(server, table, seat["ticket"]) as here:
            await here.until("waiting")
            await asyncio.to_thread(CLUB_ENDS[way], owner, club, ben, cat)
            assert await here.until_closed() == 4000

    asyncio.run(run())
    assert silver(ben) == WELCOME_SILVER and silver(owner) == WELCOME_SILVER - 10
    for left in (table, slow):
        ben.call("POST", f"/v1/tables/{left}/tickets", headers=key(), status=403, code="not_seated")
    assert ben.get(f"/v1/tables/{private}"), "a table outside the club is unaffected"
    assert {t["table_id"]: t["people"] for t in owner.get(f"/v1/clubs/{club}/tables")["items"]} == {
        table: 1,
        slow: 1,
    }


def closed_by_owner(owner, admin, club):
    close(owner, club)


def closed_by_operator(owner, admin, club):
    admin.call("POST", f"/v1/admin/clubs/{club}/close", {"reason": "x"}, headers=key(), status=200)


@cells("Clubs", "seat at a waiting table", CLUBS[2])
@pytest.mark.parametrize("end", [closed_by_owner, closed_by_operator])
def test_a_waiting_table_of_a_closed_club_ends_with_refunds(server, admin, sql, owner, club, ben, end):
    table = open_table(owner, seats=3, stake=10, club=club)["table_id"]
    slow = open_table(ben, seats=3, turn_hours=24, club=club)["table_id"]
    seat = sit(ben, table)

    async def run():
        async with Table(server, table, seat["ticket"]) as here:
            await here.until("waiting")
            await asyncio.to_thread(end, owner, admin, club)
            await here.until("cancelled")
            assert await here.until_closed() == 1000

    asyncio.run(run())
    assert (silver(ben), silver(owner)) == (WELCOME_SILVER, WELCOME_SILVER)
    eventually(
        lambda: (
            sql(
                "SELECT bool_and(state = 'cancelled') FROM tables WHERE id IN (%s, %s)", int(table), int(slow)
            )
            == [(True,)]
        ),
        "both end",
    )


def test_deleting_the_owners_account_ends_the_club_and_its_tables(sql, owner, club, ben):
    table = open_table(ben, seats=3, club=club)["table_id"]
    sql("INSERT INTO deletions (player_id, due_at) VALUES (%s, now())", int(owner.player["id"]))
    sql("SELECT erase_player(%s)", int(owner.player["id"]))
    assert sql("SELECT count(*) FROM clubs WHERE id = %s", int(club)) == [(0,)]
    eventually(
        lambda: sql("SELECT state FROM tables WHERE id = %s", int(table)) == [("cancelled",)], "it ends"
    )
    assert [n["data"]["state"] for n in ben.get("/v1/notifications")["items"] if n["kind"] == "club"] == [
        "ended"
    ]


@cells("Clubs", "running or sleeping game", *CLUBS[1:3])
@pytest.mark.parametrize(
    "act", [lambda owner, club, ben: remove(owner, club, ben), lambda owner, club, ben: close(owner, club)]
)
def test_a_running_or_sleeping_club_game_continues(server, sql, owner, club, ben, act):
    asleep = open_table(ben, seats=2, bots=1, turn_hours=24, club=club)
    asyncio.run(begin(server, asleep))
    eventually(
        lambda: sql("SELECT asleep FROM tables WHERE id = %s", int(asleep["table_id"])) == [(True,)],
        "it sleeps",
    )
    running = open_table(ben, seats=2, bots=1, club=club)
    asyncio.run(play_on(server, running, lambda: act(owner, club, ben)))

    async def wake():
        ticket = ben.call(
            "POST", f"/v1/tables/{asleep['table_id']}/tickets", headers=key(), status=201
        ).json()["ticket"]
        async with Table(server, asleep["table_id"], ticket) as table:
            await table.until("snapshot")
            assert await table.my_turn_comes() and (await table.step())["t"] == "ack"

    asyncio.run(wake())


@cells("Clubs", "running or sleeping game", CLUBS[3])
@cells("Clubs", "seat at a waiting table", CLUBS[3])
@cells("Clubs", "rematch", CLUBS[3])
@cells("Clubs", "join code, link, and invitation", CLUBS[3])
@cells("Clubs", "spectator", CLUBS[3])
@cells("Clubs", "request to join", CLUBS[3])
@cells("Clubs", "chat", CLUBS[3])
@cells("Clubs", "member list and leaderboard", CLUBS[3])
@cells("Clubs", "rights of the role", CLUBS[3])
def test_handing_over_a_club_changes_only_the_owners_rights(server, sql, owner, club, cat):
    heir = member(Client(server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD), club)
    waiting = open_table(owner, seats=3, club=club)["table_id"]
    private = open_table(owner, seats=2, visibility="private", club=club)
    done = open_table(owner, seats=2, club=club)["table_id"]
    sit(cat, done)
    finished(sql, done)
    owner.call("PATCH", f"/v1/clubs/{club}", {"joining": "ask"}, status=200)
    asks = Client(server).guest()
    asks.call("PUT", f"/v1/clubs/{club}/members/{asks.player['id']}", status=200)
    line = owner.call("POST", f"/v1/clubs/{club}/chat", {"text": "hello"}, headers=key(), status=201).json()
    running = open_table(owner, seats=2, bots=1, club=club)
    asyncio.run(
        play_on(
            server,
            running,
            lambda: owner.call("PATCH", f"/v1/clubs/{club}", {"owner_id": heir.player["id"]}, status=200),
        )
    )
    owner.call("DELETE", f"/v1/clubs/{club}", status=403, code="not_club_owner")
    owner.call("PUT", f"/v1/clubs/{club}/members/{asks.player['id']}", status=403, code="not_club_owner")
    assert sit(owner, waiting)["table_id"] == waiting and watch(cat, waiting)["table_id"] == waiting
    cat.call("POST", f"/v1/tables/by-code/{private['code']}/seats", headers=key(), status=201)
    owner.call("POST", f"/v1/tables/{done}/rematch", headers=key(), status=201)
    assert [item["id"] for item in heir.get(f"/v1/clubs/{club}/chat")["items"]] == [line["id"]]
    roles = {item["player_id"]: item["role"] for item in heir.get(f"/v1/clubs/{club}/members")["items"]}
    assert (roles[owner.player["id"]], roles[heir.player["id"]], roles[asks.player["id"]]) == (
        "member",
        "owner",
        "asks",
    )
    heir.call("PUT", f"/v1/clubs/{club}/members/{asks.player['id']}", status=200)


@cells("Clubs", "rematch", *CLUBS[1:3])
@pytest.mark.parametrize("act", [remove, lambda owner, club, ben: close(owner, club)])
def test_a_rematch_requires_the_club(sql, owner, club, ben, act):
    table = open_table(owner, seats=2, club=club)["table_id"]
    sit(ben, table)
    finished(sql, table)
    act(owner, club, ben)
    ben.call("POST", f"/v1/tables/{table}/rematch", headers=key(), status=403, code="not_club_member")


@cells("Clubs", "join code, link, and invitation", *CLUBS[1:3])
def test_codes_and_invitations_end_with_the_membership(server, sql, owner, club, ben, cat):
    for friend in (ben, cat):
        owner.call("PUT", f"/v1/friends/{friend.player['id']}", status=200)
        friend.call("PUT", f"/v1/friends/{owner.player['id']}", status=200)
    private = open_table(owner, seats=3, visibility="private", club=club)
    code = f"/v1/tables/by-code/{private['code']}"
    owner.call("PUT", f"/v1/friends/{ben.player['id']}/tables/{private['table_id']}", status=204)
    remove(owner, club, ben)
    ben.call("GET", f"{code}/invitation", status=403, code="not_club_member")
    ben.call("POST", f"{code}/seats", headers=key(), status=403, code="not_club_member")
    owner.call(
        "PUT",
        f"/v1/friends/{ben.player['id']}/tables/{private['table_id']}",
        status=403,
        code="not_club_member",
    )
    playing = open_table(owner, seats=2, bots=1, visibility="private", club=club)
    asyncio.run(begin(server, playing))
    close(owner, club)
    cat.call(
        "POST",
        f"/v1/tables/by-code/{playing['code']}/seats",
        headers=key(),
        status=403,
        code="not_club_member",
    )
    eventually(
        lambda: sql("SELECT state FROM tables WHERE id = %s", int(private["table_id"])) == [("cancelled",)],
        "it ends",
    )
    cat.call("POST", f"{code}/seats", headers=key(), status=404, code="no_such_table")


@cells("Clubs", "spectator", *CLUBS[1:3])
@pytest.mark.parametrize("act", [remove, lambda owner, club, cat: close(owner, club)])
def test_a_spectator_can_watch_to_the_end_but_gets_no_new_ticket(server, owner, club, ben, cat, act):
    running = open_table(ben, seats=2, bots=1, club=club)

    async def run():
        async with Table(server, running["table_id"], running["ticket"]) as table:
            await table.sit_down()
            ticket = (await asyncio.to_thread(watch, cat, running["table_id"]))["ticket"]
            async with Table(server, running["table_id"], ticket) as beside:
                await beside.until("snapshot")
                await asyncio.to_thread(act, owner, club, cat)
                assert await table.my_turn_comes() and (await table.step())["t"] == "ack"
                await beside.until("drew")

    asyncio.run(run())
    watch(cat, running["table_id"], status=403, code="not_club_member")


@cells("Clubs", "request to join", *CLUBS[1:3])
def test_a_join_request_ends_when_withdrawn_or_when_the_club_closes(server, sql, owner, club):
    owner.call("PATCH", f"/v1/clubs/{club}", {"joining": "ask"}, status=200)
    one, two = (Client(server).guest() for _ in range(2))
    for client in (one, two):
        assert client.call("PUT", f"/v1/clubs/{club}/members/{client.player['id']}", status=200).json() == {
            "role": "asks"
        }
    leave(one, club)
    owner.call("PUT", f"/v1/clubs/{club}/members/{one.player['id']}", status=409, code="does_not_ask")
    close(owner, club)
    assert two.get("/v1/me/clubs")["items"] == [] and sql(
        "SELECT count(*) FROM club_members WHERE club_id = %s", int(club)
    ) == [(0,)]


@cells("Clubs", "chat", *CLUBS[1:3])
@cells("Clubs", "member list and leaderboard", *CLUBS[1:3])
def test_chat_member_list_and_leaderboard_follow_the_membership(server, sql, owner, club, ben, cat):
    line = ben.call("POST", f"/v1/clubs/{club}/chat", {"text": "so long"}, headers=key(), status=201).json()
    cat.call(
        "POST", f"/v1/clubs/{club}/chat/{line['id']}/reports", {"reason": "other"}, headers=key(), status=201
    )
    board = f"/v1/clubs/{club}/leaderboards/straight/wins/all"
    leave(ben, club)
    ben.call("GET", f"/v1/clubs/{club}/chat", status=403, code="not_club_member")
    ben.call(
        "POST", f"/v1/clubs/{club}/chat", {"text": "again"}, headers=key(), status=403, code="not_club_member"
    )
    assert [item["text"] for item in owner.get(f"/v1/clubs/{club}/chat")["items"]] == ["so long"]
    assert ben.player["id"] not in [
        item["player_id"] for item in owner.get(f"/v1/clubs/{club}/members")["items"]
    ]
    assert repr(ben.player["id"]) not in str(owner.get(board))
    close(owner, club)
    for path in (f"/v1/clubs/{club}/chat", f"/v1/clubs/{club}/members", board):
        cat.call("GET", path, status=404, code="no_such_club")
    assert sql("SELECT count(*) FROM club_chat WHERE club_id = %s", int(club)) == [(0,)]
    assert sql("SELECT said FROM reports WHERE club_id = %s", int(club)) == [("so long",)]


# --- rooms ---

ROOM_COLUMNS = (
    "room closes",
    "stake, reward, multiplier, or bot accounts change",
    "title, name, bots, or waiting time change",
)


@pytest.fixture
def room(admin):
    """A separate room, which waits long for its second player."""
    name = "r" + uuid.uuid4().hex[:12]
    body = {
        "id": name,
        "name": "Test",
        "variant": "straight",
        "seats": 2,
        "stake": 10,
        "reward": 20,
        "title": "Ant",
        "bots": True,
        "fill_wait_ms": 500000,
    }
    admin.call("POST", "/v1/admin/rooms", body, headers=key(), status=201)
    return name


def change(admin, room, **body):
    return admin.call("PATCH", f"/v1/admin/rooms/{room}", body, status=200).json()


def room_seat(client, room, **more):
    return client.call("POST", f"/v1/rooms/{room}/seats", headers=key(), **more).json()


TERMS = [{"stake": 20}, {"reward": 30}, {"multiplier_tenths": 20}]
OTHERS = [{"name": "Other"}, {"title": "Lion"}, {"bots": False}, {"fill_wait_ms": 600000}]


@cells("Rooms", "seat at a waiting table", *ROOM_COLUMNS)
@pytest.mark.parametrize(
    "body, ends",
    [
        ({"open": False}, True),
        *[(body, True) for body in TERMS],
        *[(body, False) for body in OTHERS],
        ({"open": True, "stake": 10}, False),
    ],
)
def test_a_waiting_table_of_a_changed_room(server, admin, sql, room, body, ends):
    guest = Client(server).guest()
    seat = room_seat(guest, room, status=201)

    async def run():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.until("waiting")
            await asyncio.to_thread(change, admin, room, **body)
            if ends:
                await table.until("cancelled")
                assert await table.until_closed() == 1000
            else:
                assert (await table.do("ping"))["t"] == "pong"

    asyncio.run(run())
    assert silver(guest) == (WELCOME_SILVER if ends else WELCOME_SILVER - 10)
    assert sql(
        "SELECT state, cancel_asked_at IS NOT NULL FROM tables WHERE id = %s", int(seat["table_id"])
    ) == [("cancelled", True) if ends else ("waiting", False)]


def test_a_waiting_table_ends_when_its_room_is_opened_to_bot_accounts(server, admin, sql, room):
    change(admin, room, stake=0, reward=0)
    seat = room_seat(Client(server).guest(), room, status=201)
    change(admin, room, bot_accounts=True)
    eventually(
        lambda: sql("SELECT state FROM tables WHERE id = %s", int(seat["table_id"])) == [("cancelled",)],
        "it ends",
    )


def test_a_refused_change_ends_no_table(server, admin, sql, room):
    seat = room_seat(Client(server).guest(), room, status=201)
    admin.call(
        "PATCH",
        f"/v1/admin/rooms/{room}",
        {"open": False, "title": "Nobody"},
        status=422,
        code="no_such_title",
    )
    assert sql("SELECT cancel_asked_at FROM tables WHERE id = %s", int(seat["table_id"])) == [(None,)]


@cells("Rooms", "running game", *ROOM_COLUMNS)
@pytest.mark.parametrize("body", [{"open": False}, *TERMS, *OTHERS])
def test_a_game_of_a_room_continues_under_its_original_terms(server, admin, sql, room, body):
    change(admin, room, fill_wait_ms=0)
    guest = Client(server).guest()
    seat = room_seat(guest, room, status=201)
    asyncio.run(play_on(server, seat, lambda: change(admin, room, **body)))
    assert sql(
        "SELECT state, stake, reward, multiplier_tenths, cancel_asked_at FROM tables WHERE id = %s",
        int(seat["table_id"]),
    ) == [("playing", 10, 20, 10, None)]


@cells("Rooms", "request for a seat", *ROOM_COLUMNS)
@cells("Rooms", "rematch", *ROOM_COLUMNS)
def test_a_seat_and_a_rematch_follow_the_room(server, admin, sql, room):
    change(admin, room, stake=0, reward=0)
    ann, bob = (Client(server).guest() for _ in range(2))
    table = room_seat(ann, room, status=201)["table_id"]
    assert room_seat(bob, room, status=201)["table_id"] == table

    def both(**more):
        answer = room_seat(Client(server).guest(), room, **more)
        ann.call("POST", f"/v1/tables/{table}/rematch", headers=key(), **more)
        return answer

    finished(sql, table)
    change(admin, room, open=False)
    both(status=409, code="room_closed")
    change(admin, room, open=True, title="Lion")
    both(status=403, code="room_locked")
    change(admin, room, title="Ant", stake=20)
    seat = both(status=201)
    assert sql(
        "SELECT DISTINCT stake FROM tables WHERE id = %s OR rematch_of = %s",
        int(seat["table_id"]),
        int(table),
    ) == [(20,)]


@cells("Rooms", "lobby socket", *ROOM_COLUMNS)
def test_the_lobby_shows_the_current_state_of_the_room(server, admin, room):
    async def run():
        async with Lobby(Player(server)) as lobby:

            def shown():
                items = [
                    item
                    for frame in lobby.frames
                    for item in frame["d"].get("rooms", [])
                    if item["id"] == room
                ]
                return (
                    {name: items[-1][name] for name in ("open", "stake", "name", "bots")} if items else None
                )

            await lobby.until(shown)
            for body in ({"open": False}, {"stake": 20}, {"name": "Other", "bots": False}):
                await asyncio.to_thread(change, admin, room, **body)
                await lobby.until(lambda: shown().items() >= body.items())

    asyncio.run(run())


# --- keys ---

KEYS = ("API key revoked", "API key rotated")


def make_api_key(server, admin, role="money"):
    """A client with a new key, and the key."""
    body = {"name": uuid.uuid4().hex, "role": role, "holder": uuid.uuid4().hex[:8]}
    made = admin.call("POST", "/v1/admin/keys", body, headers=key(), status=201).json()
    client = Client(server)
    client.token = made["secret"]
    return client, made["key"]["id"]


def act(admin, key_id, what):
    return admin.call("POST", f"/v1/admin/keys/{key_id}/{what}", headers=key(), status=200).json()


def propose(client, player, headers):
    body = {"currency": "gold", "amount": 5000, "reason": "prize", "note": "won the cup"}
    return client.call("POST", f"/v1/admin/players/{player}/grants", body, headers=headers)


@cells("Keys and bots", "next request", *KEYS)
@cells("Keys and bots", "repeat of an answered request", *KEYS)
@cells("Keys and bots", "grant that awaits a second operator", *KEYS)
@cells("Keys and bots", "other tokens and sessions", *KEYS)
def test_revoking_a_key_withdraws_its_proposals(server, admin, sql):
    guest = Client(server).guest()
    (thief, thief_id), (mia, mia_id), (other, _) = (make_api_key(server, admin) for _ in range(3))
    headers = key()
    stolen, kept = (
        propose(thief, guest.player["id"], headers).json(),
        propose(mia, guest.player["id"], key()).json(),
    )
    assert (stolen["state"], kept["state"]) == ("waiting", "waiting")
    new = act(admin, mia_id, "rotate")
    mia.get("/v1/admin/grants")
    mia.token = new["secret"]
    mia.get("/v1/admin/grants")
    assert propose(thief, guest.player["id"], headers).json() == stolen
    act(admin, thief_id, "revoke")
    thief.call("GET", "/v1/admin/grants", status=401, code="api_key_invalid")
    assert propose(thief, guest.player["id"], headers).json()["code"] == "api_key_invalid"
    other.call(
        "POST", f"/v1/admin/grants/{stolen['id']}/approve", headers=key(), status=409, code="grant_settled"
    )
    assert other.get(f"/v1/admin/grants/{stolen['id']}")["state"] == "refused"
    other.call("POST", f"/v1/admin/grants/{kept['id']}/approve", headers=key(), status=200)
    assert guest.get("/v1/wallet")["gold"] == 5000


def test_revoking_a_key_at_the_console_withdraws_its_proposals(server, admin, sql):
    guest = Client(server).guest()
    thief, key_id = make_api_key(server, admin)
    grant = propose(thief, guest.player["id"], key()).json()
    (name,) = sql("SELECT name FROM api_keys WHERE id = %s", int(key_id))[0]
    assert sql("SELECT code FROM do_revoke_key(%s)", name) == [("ok",)]
    assert sql("SELECT code FROM do_revoke_key(%s)", name) == [("no_such_key",)]
    assert sql("SELECT state, settled_by FROM chip_grants WHERE id = %s", int(grant["id"])) == [
        ("refused", int(key_id))
    ]


@cells("Keys and bots", "running job that it started", *KEYS)
def test_a_job_stops_when_its_key_is_revoked(server, admin, sql):
    client, key_id = make_api_key(server, admin, "jobs")
    headers = key()

    def step():
        return client.call("POST", "/v1/admin/jobs/stale_tables", headers=headers)

    act(admin, key_id, "rotate")
    assert step().status_code == 200
    act(admin, key_id, "revoke")
    assert step().json()["code"] == "api_key_invalid"
    hashed = sql("SELECT key_hash FROM api_keys WHERE id = %s", int(key_id))[0][0]
    assert sql("SELECT code, again FROM do_job(%s, 'stale_tables', 'next', 'b', 1)", hashed) == [
        ("api_key_invalid", False)
    ]


@cells("Keys and bots", "webhooks and keys that it created", *KEYS)
def test_webhooks_and_keys_survive_the_key_that_created_them(server, admin, sql):
    maker, maker_id = make_api_key(server, admin, "owner")
    made, _ = make_api_key(server, maker, "support")
    body = {"url": "https://hooks.example.org/rummy", "events": ["player.banned"]}
    hook = maker.call("POST", "/v1/admin/webhooks", body, headers=key(), status=201).json()
    for what in ("rotate", "revoke"):
        act(admin, maker_id, what)
        made.get("/v1/admin/reports")
        assert {item["id"]: item["active"] for item in admin.get("/v1/admin/webhooks")["items"]}[
            hook["id"]
        ] is True


# --- bots ---

BOTS = ("bot token revoked", "bot retired")


class Bot:
    """A bot of a new owner with two tokens, and a client that entered with the first."""

    def __init__(self, server, sql):
        self.server = server
        self.owner = Client(server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD)
        sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(self.owner.player["id"]))
        self.id = self.owner.call(
            "POST", "/v1/me/bots", {"nickname": a_name("Robin")}, headers=key(), status=201
        ).json()["id"]
        self.tokens = [self.token() for _ in range(2)]
        self.client, self.other = (self.enter(made["secret"]) for made in self.tokens)

    def token(self):
        body = {"name": "t", "scopes": ["read", "play"], "expires_in_days": 30}
        return self.owner.call(
            "POST", f"/v1/me/bots/{self.id}/tokens", body, headers=key(), status=201
        ).json()

    def enter(self, secret):
        client = Client(self.server)
        client.token = client.call("POST", "/v1/auth/token", {"token": secret}, status=200).json()[
            "access_token"
        ]
        return client

    def end(self, what):
        path = f"/tokens/{self.tokens[0]['token']['id']}" if what == BOTS[0] else ""
        self.owner.call("DELETE", f"/v1/me/bots/{self.id}{path}", status=204)


@pytest.fixture
def bot(server, sql):
    return Bot(server, sql)


def private_table(host, bot, seats):
    """Opens a private table of the host and seats the bot; returns both responses."""
    table = open_table(host, seats=seats, visibility="private")
    return (
        table,
        bot.client.call(
            "POST", f"/v1/tables/by-code/{table['code']}/seats", headers=key(), status=201
        ).json(),
    )


@cells("Keys and bots", "next request", *BOTS)
@cells("Keys and bots", "repeat of an answered request", *BOTS)
@cells("Keys and bots", "sign-in with the secret", *BOTS)
@cells("Keys and bots", "seat at a waiting table", *BOTS)
@cells("Keys and bots", "other tokens and sessions", *BOTS)
@pytest.mark.parametrize("what", BOTS)
def test_a_bot_without_its_token_is_refused(server, sql, owner, bot, what):
    headers = key()
    table = open_table(owner, seats=3, visibility="private")
    join = f"/v1/tables/by-code/{table['code']}/seats"
    bot.client.call("POST", join, headers=headers, status=201)
    bot.end(what)
    bot.client.call("GET", "/v1/me", status=401, code="token_invalid")
    bot.client.call("POST", join, headers=headers, status=401, code="token_invalid")
    Client(server).call(
        "POST", "/v1/auth/token", {"token": bot.tokens[0]["secret"]}, status=401, code="bot_token_invalid"
    )
    kept = what == BOTS[0]
    bot.other.call("GET", "/v1/me", status=200 if kept else 401)
    assert sql("SELECT people_n FROM tables WHERE id = %s", int(table["table_id"])) == [(2 if kept else 1,)]


def by_this_node(bot, sql, what):
    bot.end(what)


def by_another_node(bot, sql, what):
    (
        sql("SELECT bot_tokens_end(%s, %s)", int(bot.id), int(bot.tokens[0]["token"]["id"]))
        if what == BOTS[0]
        else sql("SELECT bot_retire(%s)", int(bot.id))
    )


@cells("Keys and bots", "sockets, on every node", *BOTS)
@cells("Keys and bots", "running game", *BOTS)
@pytest.mark.parametrize("what", BOTS)
@pytest.mark.parametrize("where", [by_this_node, by_another_node])
def test_the_sockets_of_a_bot_close_and_its_game_continues(server, sql, owner, bot, what, where):
    table, seat = private_table(owner, bot, 2)

    async def run():
        async with (
            Table(server, table["table_id"], table["ticket"]) as host,
            Table(server, seat["table_id"], seat["ticket"]) as there,
        ):
            await asyncio.gather(host.sit_down(), there.sit_down())
            await asyncio.to_thread(where, bot, sql, what)
            assert await there.until_closed(HANG_S) == 4005
            while (await host.until("presence", seconds=HANG_S))["d"] != {"seat": there.me, "on": False}:
                pass
            assert (await host.do("ping"))["t"] == "pong"

    asyncio.run(run())
    assert sql("SELECT state FROM tables WHERE id = %s", int(table["table_id"])) == [("playing",)]
    assert sql(
        "SELECT left_at FROM seats WHERE table_id = %s AND player_id = %s",
        int(table["table_id"]),
        int(bot.id),
    ) == [(None,)]


# --- friends ---


def invitations(client):
    return [
        n["data"]["table_id"] for n in client.get("/v1/notifications")["items"] if n["kind"] == "table_invite"
    ]


@cells("Friends", "invitation to a table", "friendship ends")
@cells("Friends", "join code that a friend has", "friendship ends")
@cells("Friends", "seats at one table", "friendship ends")
@cells("Friends", "friends' leaderboard", "friendship ends")
@pytest.mark.parametrize("who", [0, 1])
def test_ending_a_friendship_ends_its_invitations(server, sql, owner, who):
    ann, eve = Client(server).guest(), Client(server).guest()
    for friend in (ann, eve):
        owner.call("PUT", f"/v1/friends/{friend.player['id']}", status=200)
        friend.call("PUT", f"/v1/friends/{owner.player['id']}", status=200)
    first, second = (open_table(owner, seats=3, visibility="private") for _ in range(2))
    for table, friend in ((first, ann), (second, ann), (second, eve)):
        owner.call("PUT", f"/v1/friends/{friend.player['id']}/tables/{table['table_id']}", status=204)
    ann.call("POST", f"/v1/tables/by-code/{first['code']}/seats", headers=key(), status=201)
    one, other = ((owner, ann), (ann, owner))[who]
    one.call("DELETE", f"/v1/friends/{other.player['id']}", status=204)
    assert invitations(ann) == [] and invitations(eve) == [second["table_id"]]
    assert sql("SELECT people_n FROM tables WHERE id = %s", int(first["table_id"])) == [(2,)]
    ann.call("POST", f"/v1/tables/by-code/{second['code']}/seats", headers=key(), status=201)
    assert repr(owner.player["id"]) not in str(ann.get("/v1/leaderboards/straight/wins/all/friends"))
    owner.call(
        "PUT", f"/v1/friends/{ann.player['id']}/tables/{first['table_id']}", status=409, code="not_friends"
    )


@cells("Friends", "lobby socket", "friendship ends")
def test_the_lobby_of_a_former_friend_no_longer_shows_the_player(server):
    ann, bob = Player(server), Player(server)
    for one, other in ((ann, bob), (bob, ann)):
        assert one.send("PUT", f"/v1/friends/{other.id}").status_code == 200

    async def run():
        async with Lobby(ann) as lobby, Lobby(bob) as friend:

            def shown():
                lists = [frame["d"]["items"] for frame in lobby.frames if frame["t"] == "friends"]
                return [item["player_id"] for item in lists[-1]] if lists else None

            await friend.receive()
            await lobby.until(lambda: shown() == [bob.id])
            assert (await asyncio.to_thread(bob.send, "DELETE", f"/v1/friends/{ann.id}")).status_code == 204
            await lobby.until(lambda: shown() == [])

    asyncio.run(run())


def test_the_ledger_is_clean_at_the_end(admin):
    proof = admin.get("/v1/admin/ledger/proof")
    assert proof["clean"] is True, proof
