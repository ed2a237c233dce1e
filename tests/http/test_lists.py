"""Lists: filters, pages of few or many items, and cursors that are valid only with their filters."""

import datetime
import json
import os
import pathlib
import socket
import time

import pytest
from support.node import Node
from support.times import promised
from support.wait import HANG_S


@pytest.fixture(scope="module")
def node(cluster, database, server):
    it = Node(cluster, database)
    yield it
    it.connection.close()


def leaf(client, path, limit):
    """A whole list, page by page; each page except the last is full."""
    items, cursor = [], None
    while True:
        page = client.get(
            f"{path}{'&' if '?' in path else '?'}limit={limit}" + (f"&cursor={cursor}" if cursor else "")
        )
        items += page["items"]
        cursor = page["next"]
        if not cursor:
            return items
        assert len(page["items"]) == limit


def ids(items):
    return [int(item["id"]) for item in items]


def ago(**much):
    """A time before now, as the API writes it."""
    return (datetime.datetime.now(datetime.UTC) - datetime.timedelta(**much)).strftime(
        "%Y-%m-%dT%H:%M:%S.%f"
    )[:-3] + "Z"


# --- games ---


@pytest.fixture
def games(guest, new_client, node, sql):
    """Five games of the guest, with a stranger's games in between, each a day after the previous one. Every
    second game is of another variant."""
    stranger, made = new_client().guest(), []
    for _ in range(5):
        made.append(int(node.play(guest.player["id"])[1]))
        node.play(stranger.player["id"])
    sql(
        "UPDATE games SET ended_at = now() - (SELECT count(*) FROM games o WHERE o.id > games.id) * interval"
        " '1 day'"
    )
    sql("UPDATE games SET variant = 'treff' WHERE id = ANY (%s)", made[::2])
    sql("UPDATE game_players SET variant = 'treff' WHERE game_id = ANY (%s)", made[::2])
    return made


def test_games_are_filtered_by_time_and_variant(guest, games):
    whole = leaf(guest, "/v1/games", 2)
    assert ids(whole) == games[::-1]
    for n, item in enumerate(whole):  # `since` includes the time itself, `until` excludes it
        assert ids(leaf(guest, f"/v1/games?since={item['ended_at']}", 2)) == ids(whole[: n + 1])
        assert ids(leaf(guest, f"/v1/games?until={item['ended_at']}", 2)) == ids(whole[n + 1 :])
    between = f"since={whole[3]['ended_at']}&until={whole[1]['ended_at']}"
    assert ids(leaf(guest, f"/v1/games?{between}", 1)) == ids(whole[2:4])
    assert ids(leaf(guest, "/v1/games?variant=treff", 1)) == games[::-2]
    assert ids(leaf(guest, f"/v1/games?variant=treff&{between}", 1)) == [
        i for i in ids(whole[2:4]) if i in games[::2]
    ]
    assert leaf(guest, "/v1/games?variant=rami", 1) == leaf(guest, f"/v1/games?since={ago(days=-1)}", 1) == []
    assert leaf(guest, f"/v1/games?since={ago(days=1)}&until={ago(days=3)}", 1) == [], (
        "a time that ends before it begins"
    )
    assert (
        ids(leaf(guest, "/v1/games?since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59.999Z", 100))
        == games[::-1]
    )


def test_a_game_that_ended_later_than_its_id_suggests_is_found(guest, node, sql):
    """Ids are assigned before games end, so a game that ends later may have the lower id."""
    early, late = (int(node.play(guest.player["id"])[1]) for _ in range(2))
    sql("UPDATE games SET ended_at = now() + interval '20 minutes' WHERE id = %s", early)
    assert ids(guest.get(f"/v1/games?since={ago(minutes=-10)}")["items"]) == [early]
    assert ids(guest.get(f"/v1/games?until={ago(minutes=-10)}")["items"]) == [late]


# --- postings ---


def grant(sql, player, n, reason="grant", lot=0):
    """n transfers of 1 gold each. All lines are written in one statement, so that PostgreSQL checks them
    together."""
    prefix = f"list:{player}:{reason}:{lot}:"
    sql(
        "DO $$ BEGIN"
        " INSERT INTO transfers (cause, key) SELECT 'grant', %s || n FROM generate_series(1, %s) n;"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT t.id, l.account_id, l.amount, l.reason FROM transfers t,"
        " unnest(credit_legs(%s, 'gold', 1, %s)) l"
        " WHERE starts_with(t.key, %s) AND l.amount <> 0 ORDER BY t.id; END $$",
        prefix,
        n,
        player,
        reason,
        prefix,
    )


def test_postings_are_filtered_by_cause_and_time(guest, sql):
    grant(sql, guest.player["id"], 5)
    grant(sql, guest.player["id"], 3, "league")
    whole = leaf(guest, "/v1/wallet/postings", 4)
    assert [p["cause"] for p in whole] == ["league"] * 3 + ["grant"] * 5 + ["welcome"]
    for cause in "league", "grant", "welcome", "shop":
        assert leaf(guest, f"/v1/wallet/postings?cause={cause}", 2) == [
            p for p in whole if p["cause"] == cause
        ]
    at = whole[3]["at"]
    assert leaf(guest, f"/v1/wallet/postings?since={at}", 2) == [p for p in whole if p["at"] >= at]
    assert leaf(guest, f"/v1/wallet/postings?until={at}", 2) == [p for p in whole if p["at"] < at]
    assert leaf(guest, f"/v1/wallet/postings?cause=grant&since={at}", 2) == [
        p for p in whole if p["at"] >= at and p["cause"] == "grant"
    ]
    assert (
        leaf(guest, f"/v1/wallet/postings?since={ago(hours=-3)}", 2)
        == leaf(guest, f"/v1/wallet/postings?until={ago(days=3)}", 2)
        == []
    )
    assert len(leaf(guest, f"/v1/wallet/postings?since={ago(days=3)}&until={ago(hours=-3)}", 2)) == 9


# --- cursors ---


def test_a_cursor_is_valid_only_for_its_filters(guest, games, sql):
    grant(sql, guest.player["id"], 5)
    for path, filters in (
        (
            "/v1/games",
            [
                "",
                "variant=treff",
                f"since={ago(days=9)}",
                f"until={ago(days=-9)}",
                f"variant=treff&since={ago(days=9)}",
            ],
        ),
        ("/v1/wallet/postings", ["", "cause=grant", f"since={ago(days=9)}", f"until={ago(days=-9)}"]),
    ):
        cursors = {said: guest.get(f"{path}?limit=1&{said}".rstrip("&"))["next"] for said in filters}
        for said, cursor in cursors.items():
            for other in filters:
                answer = guest.call(
                    "GET", f"{path}?cursor={cursor}&{other}".rstrip("&"), status=200 if said == other else 400
                )
                assert said == other or answer.json()["code"] == "bad_cursor"
        swapped = "&".join(reversed(filters[-1].split("&")))
        guest.call("GET", f"{path}?{swapped}&limit=3&cursor={cursors[filters[-1]]}", status=200)


def test_a_cursor_is_valid_only_for_its_table(guest, sql):
    tables = []
    for _ in range(2):
        table = guest.call(
            "POST",
            "/v1/tables",
            {"variant": "rummy51", "seats": 4},
            headers={"Idempotency-Key": f"t{len(tables)}"},
            status=201,
        ).json()["table_id"]
        sql(
            "INSERT INTO table_chat (table_id, player_id, seat, kind, text, command) SELECT %s, %s, 0,"
            " 'chat', 'Line ' || n, n FROM generate_series(1, 5) n",
            table,
            guest.player["id"],
        )
        tables.append(table)
    lines = leaf(guest, f"/v1/tables/{tables[0]}/chat", 2)
    assert [line["text"] for line in lines] == [f"Line {n}" for n in (5, 4, 3, 2, 1)]
    cursor = guest.get(f"/v1/tables/{tables[0]}/chat?limit=2")["next"]
    guest.call("GET", f"/v1/tables/{tables[1]}/chat?cursor={cursor}", status=400, code="bad_cursor")


# --- players ---


def people(sql, n, first):
    return [
        str(row[0])
        for row in sql(
            "SELECT do_create_player('guest', %s || lpad(n::text, 3, '0'), 'fox') FROM generate_series(1,"
            " %s) n",
            first,
            n,
        )
    ]


def test_friends_are_paged(guest, sql):
    me = int(guest.player["id"])
    ben, ann, asked, asks, blocked = (
        people(sql, n, first) for n, first in ((6, "Ben"), (6, "Ann"), (3, "Zoe"), (3, "Yan"), (1, "Xi"))
    )
    sql("INSERT INTO friends (from_id, to_id, accepted_at) SELECT %s, unnest(%s::bigint[]), now()", me, ben)
    sql("INSERT INTO friends (from_id, to_id, accepted_at) SELECT unnest(%s::bigint[]), %s, now()", ann, me)
    sql("INSERT INTO friends (from_id, to_id) SELECT %s, unnest(%s::bigint[])", me, asked)
    sql("INSERT INTO friends (from_id, to_id) SELECT unnest(%s::bigint[]), %s", asks + blocked, me)
    sql("INSERT INTO player_blocks (player_id, other_id, blocked) VALUES (%s, %s, true)", me, blocked[0])
    wanted = [
        *((p, "asks") for p in asks),
        *((p, "asked") for p in asked),
        *((p, "friends") for p in ann + ben),
    ]
    for limit in 1, 4, 100:
        assert [(f["player_id"], f["state"]) for f in leaf(guest, "/v1/friends", limit)] == wanted
    page = guest.get("/v1/friends?limit=7")
    sql("DELETE FROM friends WHERE %s IN (from_id, to_id)", int(page["items"][-1]["player_id"]))
    rest = guest.get(f"/v1/friends?limit=100&cursor={page['next']}")
    assert [(f["player_id"], f["state"]) for f in rest["items"]] == wanted[7:], (
        "the cursor works after its last friend was removed"
    )


def test_blocks_are_paged(guest, sql):
    me = int(guest.player["id"])
    others = people(sql, 9, "Loud")
    sql(
        "INSERT INTO player_blocks (player_id, other_id, muted, at) SELECT %s, o, true, now() -"
        " make_interval(secs => n / 3) FROM unnest(%s::bigint[]) WITH ORDINALITY x (o, n)",
        me,
        others,
    )
    wanted = [others[i] for i in (0, 1, 2, 3, 4, 5, 6, 7, 8)]
    for limit in 1, 2, 100:
        assert [b["player_id"] for b in leaf(guest, "/v1/me/blocks", limit)] == wanted
    assert guest.get("/v1/me/blocks?limit=1")["items"] == [
        {"player_id": others[0], "nickname": "Loud001", "muted": True, "blocked": False}
    ]


# --- complete, as lines ---


def lines(client, path):
    answer = client.call("GET", path, status=200)
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert answer.content == b"" or answer.content.endswith(b"\n")
    return [json.loads(line) for line in answer.content.decode().splitlines()]


@pytest.mark.parametrize("n", [0, 1, 99, 100, 101, 250])
def test_an_ndjson_list_equals_the_paged_list(guest, sql, n):
    grant(sql, guest.player["id"], n)
    whole = leaf(guest, "/v1/wallet/postings", 100)
    assert lines(guest, "/v1/wallet/postings?format=ndjson") == whole and len(whole) == n + 1
    assert lines(guest, "/v1/wallet/postings?format=ndjson&cause=grant") == whole[:n]
    assert lines(guest, "/v1/wallet/postings?format=ndjson&cause=shop") == []
    assert guest.get("/v1/wallet/postings?format=json&limit=3")["items"] == whole[:3]
    assert lines(guest, "/v1/wallet/postings?format=ndjson") == whole, "the connection stays usable"


def test_head_of_an_ndjson_list_returns_only_headers(server, guest):
    with socket.create_connection(("127.0.0.1", server.http_port), HANG_S) as it:
        it.sendall(
            "HEAD /v1/wallet/postings?format=ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
            f" {guest.token}\r\n\r\n".encode()
        )
        text = b"".join(iter(lambda: it.recv(4096), b""))
    assert text.split(b" ", 1)[1].startswith(b"200 OK\r\n") and b"application/x-ndjson" in text
    assert text.count(b"\r\n\r\n") == 1 and text.endswith(b"\r\n\r\n")


def test_games_are_available_as_ndjson(guest, games):
    assert lines(guest, "/v1/games?format=ndjson") == leaf(guest, "/v1/games", 100)
    assert ids(lines(guest, "/v1/games?variant=treff&format=ndjson")) == games[::-2]


def test_ndjson_lists_and_unpaged_lists_refuse_page_parameters(guest, sql):
    grant(sql, guest.player["id"], 3)
    cursor = guest.get("/v1/wallet/postings?limit=1")["next"]
    for more, name in ("limit=5", "limit"), (f"cursor={cursor}", "cursor"):
        refused = guest.call(
            "GET", f"/v1/wallet/postings?format=ndjson&{more}", status=400, code="bad_parameter"
        ).json()
        assert [(fault["parameter"], fault["code"]) for fault in refused["errors"]] == [(name, "not_taken")]
    guest.call("GET", "/v1/friends?format=ndjson", status=400, code="bad_parameter")


def memory(server, what):
    return int(
        next(
            line.split()[1]
            for line in pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
            if line.startswith(what + ":")
        )
    )


def many(sql, client, n):
    """Writes n postings, a thousand of them for a league, as many games would. They are only read, so the
    triggers are off, which makes PostgreSQL 20 times as fast. No other file uses this database."""
    sql(
        "DO $$ DECLARE v_purse bigint := account_purse(%s, 'gold'); BEGIN"
        " ALTER TABLE transfers DISABLE TRIGGER USER; ALTER TABLE postings DISABLE TRIGGER USER;"
        " WITH t AS (INSERT INTO transfers (cause, key) SELECT 'grant', %s || n FROM generate_series(1, %s) n"
        " RETURNING id), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM t)"
        " INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)"
        " SELECT nextval('postings_id'), id, v_purse, 1, CASE WHEN n > 1000 THEN 'grant' ELSE 'league' END, n"
        " FROM numbered ORDER BY n;"
        " ALTER TABLE transfers ENABLE TRIGGER USER; ALTER TABLE postings ENABLE TRIGGER USER; END $$",
        client.player["id"],
        f"many:{client.player['id']}:",
        n,
    )


def start_reading(server, client):
    """A client that requests its postings and reads the head of the response, on a socket with a small
    buffer."""
    it = socket.socket()
    it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
    it.connect(("127.0.0.1", server.http_port))
    it.settimeout(HANG_S)
    it.sendall(
        "GET /v1/wallet/postings?format=ndjson HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
        f" {client.token}\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        head += it.recv(64)
    return it, head


def open_streams(anyone):
    text = anyone.call("GET", "/metrics", status=200).text
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("rummyd_http_streams ")))


def streams_become(anyone, n, seconds=HANG_S):
    deadline = time.monotonic() + seconds
    while (now := open_streams(anyone)) != n:
        assert time.monotonic() < deadline, f"{now} streams are open"
        time.sleep(0.05)


def until(condition, seconds=HANG_S):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_large_stream_uses_constant_memory_and_closing_frees_its_slot(
    server, guest, anyone, new_client, sql
):
    many(sql, guest, 40000)  # more than the kernel buffers (tcp_wmem) for a client that does not read
    assert (
        len(lines(guest, "/v1/wallet/postings?format=ndjson&cause=league")) == 1000
    )  # the memory for a stream is allocated by now
    pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # resets the peak
    before = memory(server, "VmRSS")
    answer = guest.call("GET", "/v1/wallet/postings?format=ndjson", status=200)
    assert answer.content.count(b"\n") == 40001 and len(answer.content) > 4_800_000
    if not os.environ.get("RUMMY_SANITIZER"):  # sanitizers keep freed memory
        assert memory(server, "VmHWM") - before < 400, "a twelfth of the bytes sent"

    # Two clients that stop reading; for each the server holds a chunk and a position.
    slow = [start_reading(server, guest) for _ in range(2)]
    assert all(head.startswith(b"HTTP/1.1 200") and b"application/x-ndjson" in head for _, head in slow)
    streams_become(anyone, 2)
    third, head = start_reading(server, guest)
    assert head.startswith(b"HTTP/1.1 503") and b"Retry-After" in head
    third.close()
    other = new_client().guest()
    assert len(lines(other, "/v1/wallet/postings?format=ndjson")) == 1, "the places are each player's"
    slow[0][0].close()
    streams_become(anyone, 1)
    assert len(lines(guest, "/v1/wallet/postings?format=ndjson&cause=league")) == 1000
    # The remaining client may read to the end.
    it, text = slow[1]
    while not text.endswith(b"\r\n0\r\n\r\n"):
        got = it.recv(65536)
        assert got, "cut before its end"
        text += got
    it.close()
    streams_become(anyone, 0)


def test_a_stopping_server_does_not_wait_for_slow_readers(new_server, cluster):
    from support.contract import Client

    server = new_server()
    connection = cluster.connect(server.database)

    def sql(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)

    client = Client(server).guest()
    many(sql, client, 5000)
    slow = [start_reading(server, client)[0] for _ in range(2)]
    began = time.monotonic()
    assert server.stop() == 0, server.log()[-3000:]
    promised("a stop with slow readers", time.monotonic() - began, 10)
    for it in slow:
        it.close()
    connection.close()


def test_an_interrupted_list_has_no_final_chunk(new_server, cluster):
    """A client that checks for HTTP's last chunk notices that the response is incomplete."""
    from support.contract import Client

    server = new_server()
    connection = cluster.connect(server.database)

    def sql(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    client = Client(server).guest()
    many(sql, client, 40000)  # as above, so that the server has not sent everything before the table is gone
    it, text = start_reading(server, client)
    sql("ALTER TABLE transfers RENAME TO gone")
    while True:
        got = it.recv(65536)
        if not got:
            break
        text += got
    sql("ALTER TABLE gone RENAME TO transfers")
    assert not text.endswith(b"0\r\n\r\n") and 0 < text.count(b'"id"') < 40001
    # the previous connection has been idle for so long that the server may be closing it
    fresh = Client(server)
    fresh.token = client.token
    assert fresh.get("/v1/wallet/postings?limit=1")["items"], "the server still answers"
    connection.close()
