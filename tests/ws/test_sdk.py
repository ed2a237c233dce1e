"""The clients of sdk/, as a bot author uses them: their examples play every game, and no connection failure
ends one."""

import asyncio
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
import typing
import uuid

import psycopg2
import pytest
import requests
import rummyd
import websockets
from rummyd import frames
from support.after import kept
from support.cluster import ROOT, RUMMYD
from support.contract import Client, a_name
from support.totp import PASSWORD, Member

sys.path.insert(0, str(ROOT / "sdk/python/examples"))
import bot
import sign_in
from support.wait import HANG_S

LONG = True
TYPESCRIPT = ROOT / "sdk/typescript"
VARIANTS = (
    "rummy51",
    "straight",
    "treff",
    "rummy40",
    "rami",
    "points",
    "pool101",
    "pool201",
    "deals2",
    "deals3",
)


@pytest.fixture(scope="module")
def server(cluster, tmp_path_factory):
    with (
        kept(cluster, tmp_path_factory.mktemp("server"), {"hand_pause_ms": 1000}) as it,
        cluster.quiet(it.database),
    ):
        yield it


@pytest.fixture
def rest(server):
    it = rummyd.Rest(server.url)
    it.guest()
    return it


def opened(rest, variant="straight"):
    return rest.open_table({"variant": variant, "seats": 2, "bots": 1, "bot_level": "easy"})


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_python_example_plays_every_variant(server, variant):
    table = asyncio.run(bot.play(server.url, variant))
    assert table.over and min(seat["place"] for seat in table.settled["seats"]) == 1


@pytest.fixture(scope="module")
def node_bot():
    """The example in TypeScript, which scripts/test has already built."""
    made = TYPESCRIPT / "dist/examples/bot.js"
    sources = [*TYPESCRIPT.glob("src/*.ts"), *TYPESCRIPT.glob("examples/*.ts"), *ROOT.glob("*api.yaml")]
    if not made.exists() or made.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        subprocess.run(["npm", "--prefix", TYPESCRIPT, "run", "build"], check=True, stdout=subprocess.DEVNULL)

    def start(server, variant):
        return subprocess.Popen(
            ["node", made, server.url, variant], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start


def ended(process, seconds=60):
    """Returns its output, once the process has ended."""
    try:
        said, wrong = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode == 0, wrong
    return said


def test_the_typescript_example_plays_every_variant(server, node_bot):
    for four in (
        VARIANTS[:4],
        VARIANTS[4:7],
        VARIANTS[7:],
    ):  # concurrently, because each of them waits most of the time
        for variant, process in [(variant, node_bot(server, variant)) for variant in four]:
            assert ended(process).startswith(f"{variant}: place "), variant


def test_the_typescript_example_survives_server_restarts(new_server, node_bot):
    server = new_server(rate_limits="off", bot_think_ms=60, seed_wait_ms=100, hand_pause_ms=1000)
    process = node_bot(server, "treff")
    moves = 0
    for end in (server.stop, server.kill):
        until = time.monotonic() + HANG_S
        while server_moves(server) < moves + 12:
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        end()
        server.start()
        moves = server_moves(server)
    assert ended(process).startswith("treff: place ")


def server_moves(server):
    with psycopg2.connect(server.owner_db) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(v), 0) FROM journal")
        return cursor.fetchone()[0]


def test_the_examples_are_short():
    for name in ("python/examples/bot.py", "typescript/examples/bot.ts"):
        assert len((ROOT / "sdk" / name).read_text(encoding="utf-8").splitlines()) <= 40, name


class Watched(rummyd.Table):
    """A scripted server that records what it was sent."""

    wait_s = HANG_S

    def __init__(self, *args):
        super().__init__(*args)
        self.told, self.opened, self.repeated = [], 0, []

    def follow(self, frame):
        super().follow(frame)
        self.told.append(frame)

    async def open(self, url, ticket):
        await super().open(url, ticket)
        self.opened += 1
        self.repeated += [json.loads(text)["t"] for text in self._pending.values()]

    def versions(self):
        return [frame["v"] for frame in self.told if rummyd.live.is_event(frame)]

    async def play_on(self, moves=10**6):
        for _ in range(moves):
            if not await self.turn():
                return True
            await self.play(bot.choose(await self.legal()))
        return False


def gap_free(versions):
    return versions == list(range(versions[0], versions[0] + len(versions)))


def test_a_client_survives_a_connection_that_breaks_repeatedly(rest):
    async def run():
        async with Watched(rest, opened(rest, "treff")) as table:
            table.patience_s = HANG_S
            over = False
            while not over:
                over = await table.play_on(12)
                table.socket.transport.abort()
            return table

    table = asyncio.run(run())
    assert table.opened > 2 and gap_free(table.versions())
    assert table.over and [frame["t"] for frame in table.told].count("session_ended") <= 1, (
        "the end can be missed, too"
    )


class Stalling:
    """A proxy to a port that stops passing bytes on command but closes nothing, so only a client that pings
    can notice."""

    def __init__(self, port):
        self.to, self.writers = port, []

    async def __aenter__(self):
        self.passing = asyncio.Event()
        self.passing.set()
        self.server = await asyncio.start_server(self.join, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for writer in self.writers:
            writer.close()

    async def join(self, reader, writer):
        dead = self.passing  # the event for this connection; later ones use another event
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
        self.writers += [writer, far_writer]

        async def carry(source, sink):
            while data := await source.read(4096):
                await dead.wait()
                sink.write(data)

        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer), return_exceptions=True)

    def stall(self):
        """Existing connections are dead; new connections pass."""
        self.passing.clear()
        self.passing = asyncio.Event()
        self.passing.set()


def test_a_client_detects_a_silently_dead_connection(server, rest):
    async def run():
        async with Stalling(server.ws_port) as line:
            seat = opened(rest, "treff")
            here = seat["ws_url"].replace(f":{server.ws_port}/", f":{line.port}/")

            class Through(Watched):
                async def open(self, url, ticket):
                    await super().open(url.replace(seat["ws_url"], here), ticket)

            async with Through(rest, seat) as table:
                assert await table.turn()
                line.stall()
                await table.play_on(2)
                return table

    table = asyncio.run(run())
    assert table.opened == 2 and gap_free(table.versions())


def test_an_unanswered_command_is_sent_again_and_counts_once(rest):
    async def run():
        async with Watched(rest, opened(rest, "rummy51")) as table:
            assert await table.turn()
            move = bot.choose(await table.legal())
            before = len(table.hand)
            command = await table.send(move["t"], move["d"])
            table.socket.transport.abort()
            answer = await table.answer(command)
            await table.play_on(1)
            return table, answer, move, before

    table, answer, move, before = asyncio.run(run())
    assert answer["t"] == "ack" and table.repeated == [move["t"]]
    assert [f["t"] for f in table.told].count("drew") >= 1 and before in (14, 15)
    assert gap_free(table.versions())


def test_a_client_reconnects_after_a_server_restart_or_kill(cluster, new_server):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=100, hand_pause_ms=1000)
    rest = rummyd.Rest(server.url)
    rest.guest()

    async def run():
        async with Watched(rest, opened(rest, "pool101")) as table:  # lasts beyond the second stop
            assert not await table.play_on(3)
            for end in (server.stop, server.kill):
                again = threading.Thread(target=lambda: (end(), server.start()))
                again.start()
                await table.play_on(3)
                await asyncio.to_thread(again.join)
                # on a connection to the restarted server, so that the next stop is a separate one
                await table.play_on(1)
            await table.play_on()
            return table

    table = asyncio.run(run())
    assert table.opened >= 3 and gap_free(table.versions()) and table.over
    assert "restarting" in [frame["t"] for frame in table.told]


class Line:
    """A connection on which a frame arrives when the test sends it."""

    def __init__(self):
        self.frame = asyncio.get_running_loop().create_future()

    async def recv(self):
        return await self.frame


def test_a_wait_canceled_as_a_frame_arrives_ends():
    async def run():
        table = rummyd.Table(None, "1")
        table.socket = line = Line()
        waits = asyncio.ensure_future(table.receive(HANG_S))
        while not line.frame._callbacks:
            await asyncio.sleep(0)
        line.frame.set_result('{"t": "presence", "d": {"seat": 0, "on": true}}')
        await asyncio.sleep(0)
        if waits.cancel():
            await asyncio.wait([waits])
            assert waits.cancelled()

    asyncio.run(run())


def test_a_newer_socket_closes_the_older_for_good(rest):
    async def run():
        async with rummyd.Table(rest, opened(rest)) as first:
            await first.turn()
            async with rummyd.Table(rest, first.table) as second:
                with pytest.raises(rummyd.Closed) as closed:
                    await first.until("never", seconds=HANG_S)
                assert await second.turn()
                return closed.value.code

    assert asyncio.run(run()) == frames.REPLACED


def test_a_refused_move_raises_an_error_with_its_code(rest):
    async def run():
        async with rummyd.Table(rest, opened(rest)) as table:
            assert await table.turn()
            with pytest.raises(rummyd.Refused) as refused:
                await table.do("discard", {"cards": ["X6"]})
            return refused.value.code

    assert asyncio.run(run()) in ("must_draw_first", "card_not_held")


# --- bot accounts ---


def test_a_bot_account_is_marked_as_a_bot_in_results_and_records(server, member, monkeypatch):
    with psycopg2.connect(server.owner_db) as connection, connection.cursor() as cursor:
        cursor.execute(
            "UPDATE players SET email_verified_at = now() WHERE id = %s", (int(member.player["id"]),)
        )
    key = lambda: {"Idempotency-Key": uuid.uuid4().hex}
    robin = member.call(
        "POST", "/v1/me/bots", {"nickname": a_name("Robin")}, headers=key(), status=201
    ).json()
    body = {"name": "here", "scopes": ["read", "play"], "expires_in_days": 1}
    secret = member.call("POST", f"/v1/me/bots/{robin['id']}/tokens", body, headers=key(), status=201).json()[
        "secret"
    ]
    monkeypatch.setenv("RUMMYD_TOKEN", secret)
    table = asyncio.run(bot.play(server.url, "points"))
    reader, game = Client(server), table.settled["game_id"]
    reader.token = reader.call("POST", "/v1/auth/token", {"token": secret}, status=200).json()["access_token"]
    assert reader.get("/v1/wallet")["silver"] == 0
    seats = {
        seat["player_id"]: (seat["bot"], seat["program"])
        for seat in reader.get(f"/v1/games/{game}")["results"]
    }
    assert seats == {robin["id"]: (True, True), None: (True, False)}
    ((listed,),) = [[item for item in reader.get("/v1/games")["items"] if item["id"] == game]]
    assert [(other["player_id"], other["bot"], other["program"]) for other in listed["opponents"]] == [
        (None, True, False)
    ]
    record = reader.call("GET", f"/v1/games/{game}/record", status=200).text
    assert sorted(re.findall(r'\[Kind\d "(.*)"\]', record)) == ["bot account", "bot easy"]
    checked = subprocess.run(
        [RUMMYD, "verify", "-"], input=record, capture_output=True, text=True, timeout=60, check=False
    )
    assert checked.returncode == 0, checked.stderr


# --- signing in ---


@pytest.fixture
def member(server):
    client = Client(server)
    client.email = f"{uuid.uuid4().hex}@example.org"
    return client.register(client.email, "nine dancing herons")


def test_a_session_persists_between_runs(server, member, tmp_path, monkeypatch):
    """As in the example and the README: the password is requested once."""
    asked = []
    monkeypatch.setattr(sign_in.getpass, "getpass", lambda: asked.append(1) or "nine dancing herons")
    file = tmp_path / "session"
    for _ in range(3):  # each run refreshes the session and stores the next token
        rest = sign_in.signed_in(server.url + "/", member.email, file)
        assert rest.get_me()["nickname"] == member.player["nickname"] and file.stat().st_mode & 0o777 == 0o600
    assert asked == [1]
    kept = file.read_text()
    member.call("POST", "/v1/auth/logout-everywhere", status=204)
    assert (
        sign_in.signed_in(server.url, member.email, file).get_me()
        and asked == [1, 1]
        and file.read_text() != kept
    )
    sign_in.signed_in(server.url, member.email, file).sign_out()
    assert not file.exists() and not rummyd.Rest(server.url, saved=rummyd.SessionFile(file)).signed_in


def test_sign_in_requests_the_second_factor(server):
    connection = psycopg2.connect(server.owner_db)
    connection.autocommit = True

    def sql(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    member = Member(server, sql).set_up().confirm()
    rest = rummyd.Rest(server.url)
    with pytest.raises(rummyd.ApiError) as refused:
        rest.sign_in(member.email, PASSWORD)
    assert refused.value.code == "second_factor_needed" and not rest.signed_in
    rest.sign_in(member.email, PASSWORD, lambda: member.codes[0])
    assert rest.get_me()["id"]
    connection.close()


def test_a_typescript_session_persists_between_runs(server, member, tmp_path, node_bot):
    file, run = (
        tmp_path / "session",
        ["node", TYPESCRIPT / "dist/examples/sign-in.js", server.url + "/", member.email],
    )
    for password in ("nine dancing herons", "no longer needed", "nor now"):
        said = subprocess.run(
            [*run, file],
            env={**os.environ, "PASSWORD": password},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert said.stdout == f"signed in as {member.player['nickname']}\n", said.stderr
        assert file.stat().st_mode & 0o777 == 0o600
        kept = json.loads(file.read_text())
        file.write_text(json.dumps({**kept, "renewAt": 0}))  # the next run refreshes the session


def test_an_address_may_end_with_a_slash(server):
    rest = rummyd.Rest(server.url + "//")
    rest.guest()
    assert rest.get_me()["id"]


async def until_true(true):
    until = time.monotonic() + HANG_S
    while not await asyncio.to_thread(true):
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("when", ["before a turn", "before it asks", "before it moves"])
@pytest.mark.parametrize("line", ["open", "broken"])
def test_a_game_that_ends_while_the_program_sleeps_is_reported_as_over(server, when, line):
    """The documented loop ends, however long the program slept and whatever happened to its connection."""
    ann, bob = rummyd.Rest(server.url), rummyd.Rest(server.url)
    ann.guest(), bob.guest()

    async def run():
        seat = ann.open_table({"variant": "points", "seats": 2, "visibility": "private"})
        async with (
            Watched(ann, seat) as table,
            Watched(bob, bob.take_seat_by_code(seat["code"], {})) as other,
        ):

            async def sleep(now):
                if now != when or slept:
                    return
                slept.append(now)
                await other.do("leave")
                await until_true(lambda: not bob.list_my_tables()["items"])
                if line == "broken":
                    table.socket.transport.abort()

            slept, turns = [], [asyncio.ensure_future(one.turn()) for one in (table, other)]
            await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
            while not turns[0].done():  # the other player begins the game
                await other.play(bot.choose(await other.legal()))
                turns[1] = asyncio.ensure_future(other.turn())
                await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
            turns[1].cancel()
            await asyncio.wait(turns)
            while await table.turn():
                try:
                    await sleep("before it asks")
                    move = bot.choose(await table.legal())
                    await sleep("before it moves")
                    await table.play(move)
                except rummyd.Refused as refused:
                    print(refused)
                await sleep("before a turn")
            return table, slept

    table, slept = asyncio.run(asyncio.wait_for(run(), 60))
    assert table.over and slept


def test_the_lobby_shows_its_rooms(rest):
    async def run():
        async with rummyd.Lobby(rest) as lobby:
            await lobby.until("lobby", seconds=HANG_S)
            lobby.socket.transport.abort()
            lobby.rooms = {}
            await lobby.until("lobby", seconds=HANG_S)
            return lobby

    assert "desert" in asyncio.run(run()).rooms


class Stub:
    """A server that sends scripted frames on each connection, and then closes it with a code (None: it stays
    open)."""

    def __init__(self, *connections):
        self.connections, self.came, self.tickets = list(connections), [], 0

    def new_ticket(self, table):
        self.tickets += 1
        return {"ws_url": f"ws://127.0.0.1:{self.port}/ws/tables/{table}", "ticket": f"t{self.tickets}"}

    async def serve(self, socket):
        path = socket.path if hasattr(socket, "path") else socket.request.path  # before and since version 13
        self.came.append((path, time.monotonic()))
        told, code = self.connections.pop(0)
        for frame in told:
            await socket.send(json.dumps(frame))
        await (socket.close(code) if code else socket.wait_closed())

    async def __aenter__(self):
        self.server = await websockets.serve(self.serve, "127.0.0.1", 0, subprotocols=["rummy.v1"])
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()


AWAY = [{"v": v, "t": "away", "seat": 1, "d": {}} for v in range(20)]
SHOWN = {
    "t": "snapshot",
    "v": 5,
    "d": {
        **dict.fromkeys(("me", "to_move", "phase"), 0),
        "hand": [],
        "discard": [],
        "stock_n": 0,
        "hand_no": 1,
        "params": {},
        "to_group": [],
        "dropped": [],
        "wrong": [],
        "sat_out": [],
    },
}


async def told_by(*connections, until):
    async with Stub(*connections) as stub, Watched(stub, "7") as table:
        while table.v != until:
            await table.receive(HANG_S)
        return stub, table


def test_a_client_waits_the_announced_delay_before_reconnecting():
    going = {"t": "restarting", "d": {"retry_ms": 900}}
    stub, table = asyncio.run(
        told_by(([SHOWN, AWAY[6], going], frames.RESTARTING), ([AWAY[7]], None), until=7)
    )
    (first, at), (second, later) = stub.came
    assert (first, second) == ("/ws/tables/7", "/ws/tables/7?v=6") and 0.9 <= later - at < 2
    assert stub.tickets == 2 and table.versions() == [6, 7]


def test_missed_frames_are_requested_and_known_ones_skipped():
    stub, table = asyncio.run(
        told_by(([SHOWN, AWAY[4], AWAY[6], AWAY[8]], None), ([AWAY[6], AWAY[7], AWAY[8]], None), until=8)
    )
    assert [path for path, _ in stub.came] == ["/ws/tables/7", "/ws/tables/7?v=6"]
    assert table.versions() == [6, 7, 8]


def test_reconnects_to_a_failing_server_back_off():
    stub, _ = asyncio.run(told_by(([], frames.TRY_LATER), ([], frames.INTERNAL), ([SHOWN], None), until=5))
    waits = [later - at for (_, at), (_, later) in zip(stub.came, stub.came[1:], strict=False)]
    assert 0.75 <= waits[0] < 1.6 and 1.5 <= waits[1] < 2.9, waits


def test_type_names_are_unique_and_annotations_resolve():
    for module in (rummyd.schemas, frames):
        source = (ROOT / "sdk/python/rummyd" / f"{module.__name__.split('.')[-1]}.py").read_text(
            encoding="utf-8"
        )
        names = re.findall(r"(?m)^(?:class )?(\w+)(?:\(TypedDict\):| = TypedDict\(|: TypeAlias)", source)
        assert len(names) > 100 and len(names) == len(set(names)), {
            name for name in names if names.count(name) > 1
        }
        for name in names:
            kind = getattr(module, name)
            assert (
                not hasattr(kind, "__required_keys__")
                or typing.get_type_hints(kind).keys() == kind.__annotations__.keys()
            )


# ---- REST


class Answers(rummyd.Rest):
    """A server whose first responses are these: (status, headers). Status 0 means no response although the
    server has processed the request."""

    def __init__(self, url, *answers, **more):
        super().__init__(url, **more)
        self.answers, self.keys, self.asked = list(answers), [], []

    def send(self, method, path, **request):
        self.asked.append(path)
        self.keys.append(request.get("headers", {}).get("Idempotency-Key"))
        answer = self.answers.pop(0) if self.answers else None
        if answer is None or answer[0] == 0:
            response = super().send(method, path, **request)
            if answer is None:
                return response
            raise requests.ConnectionError
        response = requests.Response()
        response.status_code, response._content = answer[0], b'{"code": "rate_limited", "detail": "Wait."}'
        response.headers.update(answer[1])
        return response


def test_a_lost_reply_is_requested_again_with_the_same_key(server):
    rest = Answers(server.url)
    rest.guest()
    rest.answers, rest.keys = [(0, {})], []
    seat = rest.take_seat("desert")
    assert len(rest.keys) == 2 and len(set(rest.keys)) == 1 and rest.keys[0]
    assert [table["table_id"] for table in rest.list_my_tables()["items"]] == [seat["table_id"]], "one seat"


def test_a_client_retries_after_the_delay_that_the_server_sends(server):
    rest = Answers(server.url)
    rest.guest()
    rest.answers = [(429, {"Retry-After": "0.2"}), (503, {"Retry-After": "0.1"})]
    assert rest.get_me()["kind"] == "guest"
    rest.answers = [(429, {"Retry-After": "61"})]
    with pytest.raises(rummyd.ApiError) as refused:
        rest.get_me()
    assert (refused.value.code, refused.value.status) == ("rate_limited", 429)
    rest.answers = [(503, {"Retry-After": "0.1"})]
    with pytest.raises(rummyd.ApiError):
        rest.change_me({"avatar": "owl"})  # without a key: it may have been executed


class Lines(http.server.BaseHTTPRequestHandler):
    """Answers every request with an empty response, and keeps the connection."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.lines.append(self.client_address)
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_a_connection_the_server_may_be_closing_is_not_reused():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lines) as stand_in:
        stand_in.lines, stand_in.daemon_threads = [], True
        threading.Thread(target=stand_in.serve_forever, daemon=True).start()
        rest = rummyd.Http(f"http://127.0.0.1:{stand_in.server_port}")
        for idle_s in (0, 9, 11, 0):
            rest.sent_at -= idle_s
            assert rest.send("POST", "/v1/x", body={}).status_code == 204
        stand_in.shutdown()
    first, second, third, fourth = stand_in.lines
    assert first == second != third == fourth


def test_concurrent_requests_refresh_the_tokens_once(server):
    rest = Answers(server.url)
    session = rest.guest()
    rest.renew_at, rest.asked = 0.0, []
    threads = [threading.Thread(target=rest.get_me) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rest.asked.count("/v1/auth/refresh") == 1 and len(rest.asked) == 5
    assert rest.refresh_token != session["refresh_token"]


def a_bot_token(server, *scopes):
    """A player who has a bot, the bot's id, and one of its tokens."""
    owner = Client(server).register(f"{uuid.uuid4().hex}@example.org", "nine dancing herons")
    with psycopg2.connect(server.owner_db) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE players SET email_verified_at = now() WHERE id = %s", (owner.player["id"],))
    key = {"Idempotency-Key": uuid.uuid4().hex}
    mine = owner.call("POST", "/v1/me/bots", {"nickname": a_name("Robin")}, headers=key, status=201).json()
    body = {"name": "x", "scopes": list(scopes), "expires_in_days": 1}
    key = {"Idempotency-Key": uuid.uuid4().hex}
    return (
        owner,
        mine,
        owner.call("POST", f"/v1/me/bots/{mine['id']}/tokens", body, headers=key, status=201).json(),
    )


@pytest.mark.parametrize("may", (True, False))
def test_a_token_s_socket_needs_the_chat_scope_and_closes_with_the_token(server, may):
    owner, mine, made = a_bot_token(server, "play", *["chat"] * may)

    async def talk():
        rest = rummyd.Rest(server.url, made["secret"])
        async with rummyd.Table(rest, opened(rest)) as table:
            if may:
                await table.do("chat", {"text": "hello"})
            else:
                with pytest.raises(rummyd.Refused, match="scope_missing"):
                    await table.do("chat", {"text": "hello"})
            owner.call("DELETE", f"/v1/me/bots/{mine['id']}/tokens/{made['token']['id']}", status=204)
            with pytest.raises((rummyd.Closed, rummyd.ApiError)):
                while True:
                    await table.receive()

    asyncio.run(talk())


def test_a_bot_account_token_plays_and_is_renewed_until_revoked(server, monkeypatch):
    owner, mine, made = a_bot_token(server, "read", "play")
    rest = Answers(server.url, token=made["secret"])
    assert (rest.get_me()["id"], rest.get_me()["kind"]) == (mine["id"], "bot")
    monkeypatch.setenv("RUMMYD_TOKEN", made["secret"])
    assert asyncio.run(bot.play(server.url, "straight")).over
    with psycopg2.connect(server.owner_db) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM game_players WHERE player_id = %s", (mine["id"],))
        assert cursor.fetchone() == (1,)
        cursor.execute(
            "SELECT (SELECT count(*) FROM player_stats WHERE player_id = %s), sum(balance)::int FROM accounts"
            " WHERE player_id = %s",
            (mine["id"], mine["id"]),
        )
        assert cursor.fetchone() == (0, 0)  # practice games do not count
    assert rest.asked.count("/v1/auth/token") == 1
    rest.renew_at = 0.0
    rest.get_me()
    assert rest.asked.count("/v1/auth/token") == 2
    owner.call("DELETE", f"/v1/me/bots/{mine['id']}/tokens/{made['token']['id']}", status=204)
    with pytest.raises(rummyd.ApiError) as refused:
        rest.get_me()
    assert refused.value.code == "bot_token_invalid"


def test_an_api_problem_raises_an_error_with_its_code(rest):
    with pytest.raises(rummyd.ApiError) as refused:
        rest.open_table({"variant": "rummy52", "seats": 2})
    assert refused.value.status in (404, 422) and refused.value.problem["trace_id"]


class Told:
    """A connection that provides these frames to its reader, and answers each command with the last one."""

    def __init__(self, told, answer):
        self.told, self.answer = [json.dumps(frame) for frame in told], answer

    async def recv(self):
        return self.told.pop(0)

    async def send(self, text):
        self.told.append(json.dumps({**self.answer, "id": json.loads(text)["id"]}))


def test_unknown_members_values_and_kinds_of_newer_servers_are_accepted(rest):
    base = {
        "me": 0,
        "hand": ["2H1", "X1"],
        "phase": "musing",
        "to_move": 1,
        "hand_no": 1,
        "stock_n": 5,
        "discard": [],
        "params": {},
        "mood": "calm",
        **{name: [] for name in ("to_group", "dropped", "wrong", "sat_out")},
    }
    table = rummyd.Table(rest, "7")
    table.socket = Told([
        {"t": "snapshot", "v": 5, "d": base}, {"t": "weather", "d": {"rain": True}},
        {"v": 6, "t": "sneezed", "seat": 0, "d": {"loudly": True}},
        {"v": 7, "t": "drew", "seat": 0, "d": {"from": "sleeve", "card": "3H1", "must_open": False,
        "colour": "red"}},
        {"v": 8, "t": "turn", "seat": 0, "d": {"round": 1, "phase": "draw", "hurry": False}},
    ], {"t": "nack", "code": "too_windy", "cards": [], "text": "Wait.", "until": 9})  # fmt: skip

    async def play():
        assert await table.turn() and table.hand == ["2H1", "X1", "3H1"]
        with pytest.raises(rummyd.Refused) as refused:
            await table.do("draw", {"from": "stock"})
        return refused.value.code

    assert asyncio.run(play()) == "too_windy"
