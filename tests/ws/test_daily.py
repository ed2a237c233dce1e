"""The daily deal from its first card to the ranking: the same choices get the same cards, which stay secret
until the end, and which anyone can prove afterward."""

import asyncio
import datetime
import hashlib
import sys
import time
import uuid

import psycopg2
import pytest
import rummyd
from support.after import kept, verify
from support.cluster import ROOT
from support.contract import Client
from support.table import Judged

sys.path.insert(0, str(ROOT / "sdk/python/examples"))
import bot
from support.wait import HANG_S


class Seat(Judged, rummyd.Table):
    """A seat whose frames are validated against the contract."""

    checked = True
    reconnect = True

    def __init__(self, rest, seat):
        super().__init__(rest, seat)
        self.frames = []


def today():
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def sql(server, text, *args):
    with psycopg2.connect(server.owner_db) as connection, connection.cursor() as cursor:
        cursor.execute(text, args)
        return cursor.fetchall() if cursor.description else None


def entrant(server):
    """A guest whose plays are ranked."""
    client = Client(server).guest()
    sql(server, "UPDATE players SET email_verified_at = now() WHERE id = %s", client.player["id"])
    return client


def enter(client, variant, day=None, body=None, **more):
    path = f"/v1/daily-deals/{day or today()}/{variant}/plays"
    return client.call(
        "POST", path, body or {}, headers={"Idempotency-Key": uuid.uuid4().hex}, **{"status": 201, **more}
    ).json()


def rest_of(server, client):
    rest = rummyd.Rest(server.url)
    rest.token = client.token
    return rest


async def play(server, client, seat, turns=10**6):
    """Keeps playing as the example does; returns the frames."""
    async with Seat(rest_of(server, client), seat) as table:
        while turns and await table.turn():
            turns -= 1
            await table.play(bot.choose(await table.legal()))
        return table


def over(server, day):
    """Simulates that the day's midnight has passed."""
    before = (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()
    sql(
        server,
        "INSERT INTO daily_days SELECT %s, seed, commit, committed_at - interval '1 day', client_seed, true"
        " FROM daily_days WHERE day = %s ON CONFLICT (day) DO UPDATE SET seed = excluded.seed, commit ="
        " excluded.commit, client_seed = excluded.client_seed, closed = true",
        before,
        day,
    )
    sql(
        server,
        "UPDATE deals SET opens_at = opens_at - interval '1 day' WHERE id IN (SELECT deal_id FROM daily_deals"
        " WHERE day = %s)",
        day,
    )
    sql(server, "UPDATE daily_deals SET day = %s WHERE day = %s", before, day)
    sql(server, "UPDATE daily_seeds SET day = %s WHERE day = %s", before, day)
    sql(server, "UPDATE daily_days SET closed = false, client_seed = NULL WHERE day = %s", day)
    return before


def hidden(client, game):
    """The entries for a game in the player's list of games and in the public profile."""
    listed = next(i for i in client.get("/v1/games")["items"] if i["id"] == game)
    profile = client.get(f"/v1/players/{client.get('/v1/me')['id']}")
    return listed["hidden"], next(i for i in profile["last_games"] if i["id"] == game)["hidden"]


def events(table):
    """The events as seat 0 saw them, without clock values and without `legal`, which is sent on request."""
    return [
        (f["t"], f.get("seat"), f.get("d"))
        for f in table.frames
        if "v" in f and f["t"] not in ("snapshot", "ack", "settled", "legal")
    ]


def told(table):
    return {frame["t"] for frame in table.frames}


@pytest.fixture(scope="module")
def server(cluster, tmp_path_factory):
    with kept(cluster, tmp_path_factory.mktemp("server"), {"hand_pause_ms": 300, "bot_think_ms": 1}) as it:
        sql(it, "UPDATE settings SET value = '0' WHERE name = 'daily_rated_games_min'")
        yield it


@pytest.mark.parametrize("variant", ["rummy51", "straight", "points"])
def test_the_same_choices_get_the_same_cards(server, variant):
    day = today()
    ann, bob, eve = (entrant(server) for _ in range(3))
    one, two = enter(ann, variant), enter(bob, variant)
    assert one["commit"] == two["commit"] and one["table_id"] != two["table_id"]
    first, second = (asyncio.run(play(server, who, seat)) for who, seat in ((ann, one), (bob, two)))
    assert events(first) == events(second) and first.settled and second.settled
    assert "fairness" not in told(first) | told(second)
    assert {f["code"] for f in first.frames if f["t"] == "nack"} <= {"seed_is_given", "seed_too_late"}
    snapshot = next(f for f in first.frames if f["t"] == "snapshot")
    assert snapshot["d"]["table"]["same_deal"] is True

    # Before the day is over no one sees the cards, not even its players, but they see the ranking.
    game = first.settled["game_id"]
    for client in (ann, bob):
        client.call("GET", f"/v1/games/{game}", status=403 if client is ann else 404)
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/record"):
        ann.call("GET", path, status=403, code="deal_not_open")
        eve.call("GET", path, status=404)
    assert hidden(ann, game) == (True, True)
    eve.call("GET", f"/v1/daily-deals/{day}/{variant}/board", status=403, code="daily_not_played")
    board = ann.get(f"/v1/daily-deals/{day}/{variant}/board")
    assert (
        board["entrants"] == 2
        and [(i["rank"], i["percent"], i["game_id"]) for i in board["items"]] == [(1, 50, None)] * 2
    )
    assert board["own"]["rank"] == 1 and board["state"] == "open"
    enter(ann, variant, status=409, code="daily_played")
    ann.call(
        "POST",
        f"/v1/tables/{one['table_id']}/rematch",
        {},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=409,
        code="rematch_over",
    )

    # Afterward everyone sees the cards, and can prove them from the seeds.
    before = over(server, day)
    held = next(i for i in eve.get("/v1/daily-deals")["items"] if i["day"] == before)
    assert (
        held["state"] == "final"
        and hashlib.sha256(bytes.fromhex(held["server_seed"])).hexdigest() == held["commit"]
    )
    deal = hashlib.sha256(b"rummy-daily-1" + bytes.fromhex(held["server_seed"]) + variant.encode()).digest()
    shown = eve.get(f"/v1/games/{game}")
    assert hidden(ann, game) == (False, False)
    for hand in shown["hands"]:
        assert (
            hand["server_seed"]
            == hashlib.sha256(b"rummy-deal-seed-1" + deal + hand["hand_no"].to_bytes(4, "big")).hexdigest()
        )
        assert hand["client_seeds"] == [held["client_seed"]] + [""] * (len(shown["results"]) - 1)
    number = next(d["number"] for d in held["deals"] if d["variant"] == variant)
    assert shown["fairness"]["table_id"] == number
    record = eve.call("GET", f"/v1/games/{game}/record", status=200).text
    assert f'[Table "{number}"]' in record and verify(record) > 0
    assert [i["game_id"] for i in eve.get(f"/v1/daily-deals/{before}/{variant}/board")["items"]].count(
        None
    ) == 0
    enter(eve, variant, before, status=409, code="daily_over")


def test_each_player_gets_one_table(server):
    ann = entrant(server)
    # Opening is impossible, so no bot ends the game.
    sql(
        server,
        """UPDATE daily_variants SET options = '{"session_hands": 1, "opening_min": 200}'
           WHERE variant = 'rummy40'""",
    )
    seat = enter(ann, "rummy40")
    assert enter(ann, "rummy40")["table_id"] == seat["table_id"]
    asyncio.run(play(server, ann, seat, turns=1))
    assert enter(ann, "rummy40")["table_id"] == seat["table_id"]
    assert enter(ann, "treff")["table_id"] != seat["table_id"]
    own = {
        d["variant"]: d["own"]
        for i in ann.get("/v1/daily-deals")["items"]
        if i["day"] == today()
        for d in i["deals"]
    }
    assert own["rummy40"]["state"] == "playing" and own["points"] is None


def test_a_daily_seat_cannot_be_given_back(server):
    ann = entrant(server)
    seat = enter(ann, "deals2")
    ann.call("DELETE", f"/v1/tables/{seat['table_id']}/seats/me", status=409, code="seat_is_given")
    assert enter(ann, "deals2")["table_id"] == seat["table_id"]


def test_an_absent_player_is_played_for_and_the_game_counts(server):
    """An abandoned game is finished by timeouts and then by a bot, and counts as it ends."""
    ann = entrant(server)
    sql(server, "UPDATE settings SET value = '0' WHERE name = 'daily_wait_s'")
    sql(
        server,
        """UPDATE daily_variants SET options = '{"turn_s": 10, "timeouts_max": 1}'
           WHERE variant = 'deals3'""",
    )
    enter(ann, "deals3")
    sql(server, "UPDATE settings SET value = '300' WHERE name = 'daily_wait_s'")
    deadline = time.monotonic() + 2 * HANG_S
    while True:
        own = next(
            d["own"]
            for i in ann.get("/v1/daily-deals")["items"]
            if i["day"] == today()
            for d in i["deals"]
            if d["variant"] == "deals3"
        )
        if own["state"] == "done":
            break
        assert time.monotonic() < deadline, own
        time.sleep(0.1)
    assert own["state"] == "done" and own["points"] is not None


def test_a_player_who_leaves_is_ranked_last(server):
    """In a game in which no one can meld before everyone has had a turn."""
    ann, bob = entrant(server), entrant(server)

    async def leave():
        async with Seat(rest_of(server, ann), enter(ann, "rami")) as table:
            assert await table.turn()
            await table.do("leave")

    asyncio.run(leave())
    asyncio.run(play(server, bob, enter(bob, "rami")))
    board = bob.get(f"/v1/daily-deals/{today()}/rami/board")
    deadline = time.monotonic() + HANG_S
    while board["entrants"] != 2:  # bots play her game to its end
        assert time.monotonic() < deadline, board
        time.sleep(0.2)
        board = bob.get(f"/v1/daily-deals/{today()}/rami/board")
    assert [(i["player_id"], i["left"], i["percent"]) for i in board["items"]] == [
        (bob.player["id"], False, 100),
        (ann.player["id"], True, 0),
    ]


def test_the_next_client_seed_combines_the_seeds_of_all_entrants(server):
    """It is a hash of all entrants' seeds of the day before, in order, which everyone can read, so no
    single player determines it."""
    ann, bob = entrant(server), entrant(server)
    seeds = [bytes(range(n, n + 16)) for n in (1, 2)]
    for client, seed in zip((ann, bob), seeds, strict=True):
        enter(client, "pool101", body={"seed": seed.hex()})
    given = [
        bytes.fromhex(row[0])
        for row in sql(
            server, "SELECT encode(seed, 'hex') FROM daily_seeds WHERE day = %s ORDER BY id", today()
        )
    ]
    assert given[-2:] == seeds
    before = over(server, today())
    assert before < today()
    bob.call("GET", f"/v1/daily-deals/{today()}/seeds", status=409, code="daily_not_begun")
    enter(bob, "points")
    shown = bob.get(f"/v1/daily-deals/{today()}/seeds")
    assert [bytes.fromhex(item["seed"]) for item in shown["items"]] == given
    text = b"rummy-daily-seeds-1" + today().encode() + b"".join(bytes([len(seed)]) + seed for seed in given)
    assert shown["client_seed"] == hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize(
    ("day", "variant", "status", "code"),
    [
        ("2026-02-30", "rummy51", 404, "no_such_daily"),
        ("yesterday", "rummy51", 404, "no_such_daily"),
        (None, "chess", 404, "no_such_daily"),
        (None, "Rummy51", 404, "no_such_daily"),
        ("2020-01-01", "rummy51", 409, "daily_over"),
        ("2999-12-31", "rummy51", 409, "daily_not_begun"),
    ],
)
def test_unknown_past_and_future_deals_are_refused(server, day, variant, status, code):
    enter(entrant(server), variant, day, status=status, code=code)


@pytest.mark.parametrize("seed", ["", "00", "zz" * 16, "0" * 33, "00" * 33, 5, None])
def test_invalid_seeds_are_refused(server, seed):
    before = sql(server, "SELECT count(*) FROM deal_plays")
    enter(entrant(server), "rummy51", body={"seed": seed}, status=422)
    assert sql(server, "SELECT count(*) FROM deal_plays") == before
