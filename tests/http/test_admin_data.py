"""Settings that operators change without a build, tables that they end, and the ledger check."""

import time
import uuid

import pytest
from support.chips import WELCOME_SILVER
from support.metrics import Metrics
from support.wait import HANG_S


@pytest.fixture(scope="module")
def admin(holder):
    return holder("owner")


LISTS = [
    ("rooms", {"reward": 12}, "attic", "no_such_room"),
    ("packs", {"amount": 250}, "gold_7", "no_such_pack"),
    ("achievements", {"gold": 7}, "flight", "no_such_achievement"),
]


@pytest.mark.parametrize("kind, change, unknown, code", LISTS)
def test_a_change_is_visible_logged_and_limited_to_one_row(admin, kind, change, unknown, code):
    before = admin.get(f"/v1/admin/{kind}")["items"]
    it = before[0]["id"]
    changed = admin.call("PATCH", f"/v1/admin/{kind}/{it}", change, status=200).json()
    try:
        assert changed == {**before[0], **change}
        assert admin.get(f"/v1/admin/{kind}")["items"] == [changed, *before[1:]]
        assert admin.call("PATCH", f"/v1/admin/{kind}/{it}", {}, status=200).json() == changed
        for none in (unknown, "X", "a" * 33, "a%20b"):
            admin.call("PATCH", f"/v1/admin/{kind}/{none}", change, status=404, code=code)
        lines = [
            i for i in admin.get("/v1/admin/audit?limit=20")["items"] if i["action"].startswith("change_")
        ]
        assert {**change, kind[:-1]: it} in [i["detail"] for i in lines] and lines[0]["code"] == code
    finally:
        admin.call("PATCH", f"/v1/admin/{kind}/{it}", {name: before[0][name] for name in change}, status=200)


@pytest.mark.parametrize("kind, change, unknown, code", LISTS)
def test_only_an_admin_can_change_data(holder, guest, anyone, admin, kind, change, unknown, code):
    before = admin.get(f"/v1/admin/{kind}")
    it = before["items"][0]["id"]
    for client, status, said in (
        (holder("jobs"), 403, "api_key_forbidden"),
        (guest, 401, "api_key_invalid"),
        (anyone, 401, "api_key_missing"),
    ):
        client.call("GET", f"/v1/admin/{kind}", status=status, code=said)
        client.call("PATCH", f"/v1/admin/{kind}/{it}", change, status=status, code=said)
    assert admin.get(f"/v1/admin/{kind}") == before


@pytest.mark.parametrize(
    "path, body, code",
    [
        ("rooms/desert", {"stake": -1}, "out_of_range"),
        ("rooms/desert", {"stake": 1000001}, "out_of_range"),
        ("rooms/desert", {"open": 1}, "wrong_type"),
        ("rooms/desert", {"name": ""}, "bad_length"),
        ("rooms/desert", {"title": "Dragon"}, "no_such_title"),
        ("rooms/desert", {"variant": "x"}, "unknown_member"),
        ("rooms/desert", {"multiplier_tenths": 1001}, "out_of_range"),
        ("rooms/desert", {"fill_wait_ms": 600001}, "out_of_range"),
        ("packs/gold_100", {"gold": 0}, "out_of_range"),
        ("packs/gold_100", {"amount": 0}, "out_of_range"),
        ("packs/gold_100", {"currency": "EUR"}, "bad_format"),
        ("packs/gold_100", {"currency": "euro"}, "bad_length"),
        ("packs/gold_100", {"on_sale": "no"}, "wrong_type"),
        ("packs/gold_100", {"id": "x"}, "unknown_member"),
        ("achievements/wins_10", {"gold": -1}, "out_of_range"),
        ("achievements/wins_10", {"goal": 0}, "out_of_range"),
        ("achievements/wins_10", {"about": "x"}, "unknown_member"),
        ("achievements/wins_10", {"counter": "x"}, "unknown_member"),
    ],
)
def test_invalid_changes_are_refused(admin, path, body, code):
    kind = path.split("/")[0]
    before = admin.get(f"/v1/admin/{kind}")
    admin.call("PATCH", f"/v1/admin/{path}", body, status=422, code=code)
    assert admin.get(f"/v1/admin/{kind}") == before


def until(condition, seconds=HANG_S):
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    assert met


def test_a_changed_stake_is_visible_and_ends_waiting_tables_of_the_old_one(admin, new_client):
    ann, bob = new_client().guest(), new_client().guest()
    old = ann.take_seat(status=201).json()
    room = lambda: next(r for r in ann.get("/v1/rooms")["items"] if r["id"] == "desert")
    admin.call("PATCH", "/v1/admin/rooms/desert", {"stake": 30, "fill_wait_ms": 60000}, status=200)
    try:
        until(lambda: room()["stake"] == 30)
        new = bob.take_seat(status=201).json()
        assert new["table_id"] != old["table_id"] and bob.get("/v1/wallet")["silver"] == WELCOME_SILVER - 30
        until(lambda: ann.get("/v1/wallet")["silver"] == WELCOME_SILVER)
        admin.call("PATCH", "/v1/admin/rooms/desert", {"open": False}, status=200)
        new_client().guest().take_seat(status=409, code="room_closed")
        until(lambda: bob.get("/v1/wallet")["silver"] == WELCOME_SILVER)
    finally:
        admin.call(
            "PATCH", "/v1/admin/rooms/desert", {"stake": 10, "fill_wait_ms": 5000, "open": True}, status=200
        )


# --- tables -------------------------------------------------------------------------------------------------


def cancel(client, table, key=None, reason="a card was seen", **more):
    return client.call(
        "POST",
        f"/v1/admin/tables/{table}/cancel",
        {"reason": reason},
        headers={"Idempotency-Key": key or uuid.uuid4().hex},
        **more,
    )


def test_a_waiting_table_is_canceled_with_refunds(admin, holder, guest):
    table = guest.take_seat(status=201).json()["table_id"]
    seen = admin.get(f"/v1/admin/tables/{table}")
    assert (seen["state"], seen["seats"][0]["player_id"], seen["seats"][0]["held_silver"]) == (
        "waiting",
        guest.player["id"],
        10,
    )
    cancel(holder("jobs"), table, status=403, code="api_key_forbidden")
    cancel(guest, table, status=401, code="api_key_invalid")
    first = cancel(admin, table, "once", status=202).content
    until(lambda: admin.get(f"/v1/admin/tables/{table}")["state"] == "cancelled")
    assert cancel(admin, table, "once", status=202).content == first
    cancel(admin, table, "once", reason="another", status=422, code="idempotency_key_reused")
    cancel(admin, table, status=409, code="table_over")
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER and guest.get("/v1/me/tables")["items"] == []
    assert [s["held_silver"] for s in admin.get(f"/v1/admin/tables/{table}")["seats"]] == [0]
    cancel(admin, 999999999, status=404, code="no_such_table")
    cancel(admin, "x", status=400, code="bad_parameter")
    admin.call("GET", "/v1/admin/tables/999999999", status=404, code="no_such_table")
    assert ("cancel_table", "ok") in [
        (i["action"], i["code"]) for i in admin.get("/v1/admin/audit?limit=30")["items"]
    ]


def test_a_table_that_its_node_has_not_read_yet_is_canceled(admin, guest, cluster, database):
    """Notified before its rows are read, the node still ends it."""
    with cluster.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_id FROM do_take_seat(%s, 'desert', 'k1', 'b', gen_random_uuid(), sha256('s'),"
            " sha256('c'), 'n1')",
            (int(guest.player["id"]),),
        )
        table = cursor.fetchone()[0]
        connection.commit()
    cancel(admin, table, status=202)
    until(lambda: admin.get(f"/v1/admin/tables/{table}")["state"] == "cancelled")


def test_a_table_of_another_node_is_canceled(admin, guest, cluster, database):
    table = guest.take_seat(status=201).json()["table_id"]
    cancel(admin, table, status=202)
    until(lambda: admin.get(f"/v1/admin/tables/{table}")["state"] == "cancelled")
    # As if a node n7 had opened it. While that node is alive, it gets the request; after that, the node
    # that takes over the table gets it.
    player = int(guest.player["id"])
    with_node = cluster.connect(database)
    with with_node.cursor() as cursor:
        cursor.execute("SELECT epoch FROM do_node_start('n7')")
        (epoch,) = cursor.fetchone()
        cursor.execute("SELECT do_node_renew('n7', %s, 'ready', 'ws://n7', '0.1.0', 100, 0, 0, 0)", (epoch,))
        cursor.execute(
            "SELECT table_id FROM do_take_seat(%s, 'tundra', 'k7', 'b', gen_random_uuid(), sha256('s'),"
            " sha256('c'), 'n7')",
            (player,),
        )
        assert cursor.fetchone() == (None,), "this room is locked for them"
        cursor.execute("UPDATE players SET level = 6 WHERE id = %s", (player,))
        cursor.execute(
            "SELECT table_id FROM do_take_seat(%s, 'tundra', 'k8', 'b', gen_random_uuid(), sha256('s'),"
            " sha256('c'), 'n7')",
            (player,),
        )
        (other,) = cursor.fetchone()
        cursor.execute("UPDATE tables SET node = 'n7' WHERE id = %s", (other,))  # wherever there was capacity
    first = cancel(admin, other, status=202).json()
    assert (first["state"], first["node"]) == ("waiting", "n7") and first["cancel_asked_at"]
    assert cancel(admin, other, status=202).json() == first, "asked for once"
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 20
    with_node.close()
    until(lambda: admin.get(f"/v1/admin/tables/{other}")["state"] == "cancelled")
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER


# --- the ledger ---------------------------------------------------------------------------------------------


def test_the_ledger_proof(admin, holder, guest, server, cluster, database):
    assert Metrics(server)["rummyd_ledger_proved_at_seconds"] == 0
    clean = admin.get("/v1/admin/ledger/proof")
    assert clean["clean"] is True and clean["problems"] == 0 and clean["said"][0].startswith("ledger clean: ")
    holder("games").call("GET", "/v1/admin/ledger/proof", status=403, code="api_key_forbidden")
    guest.call("GET", "/v1/admin/ledger/proof", status=401, code="api_key_invalid")
    root = cluster.connect(database, user="postgres")
    with root.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE accounts SET balance = balance + 5 WHERE kind = 'purse' AND currency = 'gold' AND"
            " player_id = %s RETURNING id",
            (guest.player["id"],),
        )
        (account,) = cursor.fetchone()
        try:
            wrong = admin.get("/v1/admin/ledger/proof")
            assert (wrong["clean"], wrong["problems"]) == (False, 1)
            assert wrong["said"] == [f"balance_differs: account {account}: stored 5, postings 0"]
            assert Metrics(server)["rummyd_ledger_problems"] == 1
        finally:
            cursor.execute("UPDATE accounts SET balance = balance - 5 WHERE id = %s", (account,))
            cursor.execute("ALTER TABLE accounts ENABLE TRIGGER USER")
            cursor.execute(
                "ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_guard, ENABLE ALWAYS TRIGGER account_kept"
            )
    root.close()
    assert admin.get("/v1/admin/ledger/proof")["clean"] is True
    shown = Metrics(server)
    assert (
        shown["rummyd_ledger_problems"] == 0
        and abs(shown["rummyd_ledger_proved_at_seconds"] - time.time()) < 30
    )


# --- rooms --------------------------------------------------------------------------------------------------

ROOM = {"name": "Attic", "variant": "treff", "seats": 2, "stake": 10, "reward": 5, "title": "Ant"}


def opened(admin, status=201, code=None, **more):
    return admin.call(
        "POST",
        "/v1/admin/rooms",
        {"id": f"r{uuid.uuid4().hex[:20]}", **ROOM, **more},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=status,
        code=code,
    )


def test_a_room_of_another_variant_can_be_opened_played_in_and_closed(admin, new_client, sql):
    room = opened(admin, options={}).json()
    assert (room["variant"], room["seats_n"], room["multiplier_tenths"], room["open"]) == (
        "treff",
        2,
        10,
        True,
    )
    assert admin.get("/v1/admin/rooms")["items"][-1] == room
    mia, bob = new_client().guest(), new_client().guest()
    until = time.monotonic() + HANG_S
    while room["id"] not in [item["id"] for item in mia.get("/v1/rooms")["items"]]:
        assert time.monotonic() < until
        time.sleep(0.1)
    seats = [
        client.call(
            "POST", f"/v1/rooms/{room['id']}/seats", headers={"Idempotency-Key": uuid.uuid4().hex}, status=201
        ).json()
        for client in (mia, bob)
    ]
    assert seats[0]["table_id"] == seats[1]["table_id"]
    assert sql("SELECT variant, seats_n, stake FROM tables WHERE id = %s", int(seats[0]["table_id"])) == [
        ("treff", 2, 10)
    ]
    admin.call("PATCH", f"/v1/admin/rooms/{room['id']}", {"open": False}, status=200)
    new_client().guest().call(
        "POST",
        f"/v1/rooms/{room['id']}/seats",
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=409,
        code="room_closed",
    )


def test_each_listed_title_can_unlock_a_room(admin, sql):
    titles = admin.get("/v1/admin/rooms")["titles"]
    assert [(title["name"], title["level_from"]) for title in titles] == sql(
        "SELECT name, level_from FROM titles ORDER BY level_from"
    ) and len(titles) > 5
    for title in titles:
        room = opened(admin, title=title["name"], open=False).json()
        assert room["title"] == title["name"]
    assert "GET /v1/admin/rooms" in opened(admin, 422, "no_such_title", title="Dragon").json()["detail"]


@pytest.mark.parametrize(
    "more, status, code",
    [
        ({"id": "desert"}, 409, "room_exists"),
        ({"title": "Dragon"}, 422, "no_such_title"),
        ({"variant": "poker"}, 422, "no_such_variant"),
        ({"seats": 6}, 422, "out_of_range"),
        ({"options": {"joker": 1}}, 422, "bad_option"),
        ({"options": {"hand_s": 0}}, 422, "bad_option"),
        ({"variant": "rummy51", "seats": 4}, 409, "room_out_of_order"),
        ({"id": "A room"}, 422, "bad_format"),
        ({"stake": -1}, 422, "out_of_range"),
        ({"bot_level": "expert"}, 422, "bad_format"),
        ({"position": 1}, 422, "unknown_member"),
    ],
)
def test_invalid_rooms_are_refused(admin, more, status, code):
    before = admin.get("/v1/admin/rooms")
    opened(admin, status, code, **more)
    assert admin.get("/v1/admin/rooms") == before


def test_the_number_of_rooms_is_limited(admin, sql):
    sql("UPDATE settings SET value = (SELECT count(*) FROM rooms) WHERE name = 'rooms_max'")
    opened(admin, 409, "too_many_rooms")
    sql("UPDATE settings SET value = '64' WHERE name = 'rooms_max'")
