"""Taking seats, reconnecting, and giving them back: chips that move, repeats, refusals."""

import concurrent.futures
import re
import uuid

import pytest
from support.chips import WELCOME_SILVER
from support.wait import HANG_S, until


@pytest.fixture(autouse=True, scope="module")
def patient_rooms(sql):
    """Tables of this file wait for players and are not filled with bots meanwhile."""
    sql("UPDATE rooms SET fill_wait_ms = 3600000")


def test_a_seat_holds_its_stake_and_leads_to_a_table(guest, server):
    seat = guest.take_seat(status=201).json()
    assert seat["ws_url"].endswith(f"/ws/tables/{seat['table_id']}")
    assert re.fullmatch(r"[0-9a-f]{50}\.[0-9a-f]{32}", seat["ticket"])
    wallet = guest.get("/v1/wallet")
    assert wallet["silver"] == WELCOME_SILVER - 10 and wallet["holds"] == [
        {"table_id": seat["table_id"], "silver": 10, "gold": 0}
    ]
    mine = guest.get("/v1/me/tables")["items"]
    assert mine == [
        {
            "table_id": seat["table_id"],
            "variant": "rummy51",
            "room": "desert",
            "code": None,
            "seat": seat["seat"],
            "state": "waiting",
            "turn_hours": None,
            "ws_url": seat["ws_url"],
            "turn": None,
            "tournament": None,
        }
    ]
    newest = guest.get("/v1/wallet/postings?limit=1")["items"][0]
    assert (newest["cause"], newest["amount"], newest["table_id"]) == ("stake", -10, seat["table_id"])


def test_leaving_returns_the_stake(guest):
    table = guest.take_seat(status=201).json()["table_id"]
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=204)
    wallet = guest.get("/v1/wallet")
    del wallet["bonus"]
    assert wallet == {"silver": WELCOME_SILVER, "gold": 0, "silver_cap": 100, "holds": []}
    assert guest.get("/v1/me/tables") == {"items": []}
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=403, code="not_seated")
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER


def test_at_most_four_players_share_a_table(new_client):
    first = new_client().guest().take_seat(status=201).json()
    seats = [first] + [new_client().guest().take_seat(status=201).json() for _ in range(7)]
    by_table = {}
    for seat in seats:
        by_table.setdefault(seat["table_id"], []).append(seat["seat"])
    for numbers in by_table.values():
        assert len(numbers) == len(set(numbers)) <= 4
    assert len(by_table) <= 4


def test_a_repeat_returns_the_first_answer_and_moves_no_chips(guest):
    key = uuid.uuid4().hex
    first = guest.take_seat(key=key, status=201)
    for _ in range(3):
        assert guest.take_seat(key=key, status=201).json() == first.json()
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
    guest.take_seat("tundra", key=key, status=422, code="idempotency_key_reused")
    assert len(guest.get("/v1/me/tables")["items"]) == 1


def test_a_repeat_with_another_body_is_refused(guest):
    key = uuid.uuid4().hex
    guest.take_seat(key=key, status=201)
    guest.take_seat(key=key, body={}, status=422, code="idempotency_key_reused")


def test_concurrent_repeats_take_one_seat(guest):
    key = uuid.uuid4().hex
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: guest.take_seat(key=key), range(24)))
    good = [a for a in answers if a.status_code == 201]
    assert good and all(a.json() == good[0].json() for a in good)
    assert all(a.status_code == 201 or a.json()["code"] == "idempotency_running" for a in answers)
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10


def test_a_repeat_during_the_first_request_is_refused_as_running(guest, new_client, cluster, database, sql):
    """The first request waits for the lock on the player's row."""
    key, holder = uuid.uuid4().hex, cluster.connect(database)
    holder.autocommit = False
    with holder.cursor() as cursor, concurrent.futures.ThreadPoolExecutor(1) as pool:
        cursor.execute("SELECT 1 FROM players WHERE id = %s FOR UPDATE", (guest.player["id"],))
        same = new_client()
        same.token = guest.token
        first = pool.submit(guest.take_seat, key=key)
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND application_name = 'rummyd rest'"
        )
        until(lambda: sql(waiting) != [(0,)])
        same.take_seat(key=key, status=409, code="idempotency_running")
        same.get("/v1/me")  # no other player waits
        new_client().guest().take_seat(status=201)
        holder.rollback()
        answer = first.result(timeout=HANG_S)
    holder.close()
    assert answer.status_code == 201
    assert guest.take_seat(key=key, status=201).json() == answer.json()


def test_keys_are_scoped_to_a_player(guest, new_client):
    key = uuid.uuid4().hex
    other = new_client().guest()
    guest.take_seat(key=key, status=201)
    other.take_seat(key=key, status=201)
    assert other.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 65, 'a"b', "a/b"])
def test_invalid_keys_are_refused(guest, key):
    headers = {"Idempotency-Key": key.encode()}
    guest.call("POST", "/v1/rooms/desert/seats", headers=headers, status=400, code="idempotency_key_bad")


def test_a_key_is_required(guest):
    guest.call("POST", "/v1/rooms/desert/seats", status=400, code="idempotency_key_missing")
    guest.call("POST", "/v1/tables/1/tickets", status=400, code="idempotency_key_missing")
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER


def test_a_locked_room_is_refused(guest):
    guest.take_seat("tundra", status=403, code="room_locked")
    assert guest.get("/v1/wallet")["holds"] == []


@pytest.mark.parametrize("room", ["moon", "Desert", "desert%20", "%F0%9F%90%88", "x" * 63])
def test_unknown_rooms_are_refused(guest, room):
    guest.take_seat(room, status=404)


def test_a_seat_requires_enough_chips(guest, sql):
    sql(
        "SELECT ledger_post('grant', 'empty:' || p, NULL, '', ARRAY["
        " ROW(account_purse(p, 'silver'), -55, 'grant'), ROW(account_house('grant', 'silver'), 55, 'grant')"
        "]::ledger_leg[]) FROM (SELECT %s::bigint AS p) x",
        guest.player["id"],
    )
    key = uuid.uuid4().hex
    guest.take_seat(key=key, status=409, code="no_funds")
    guest.take_seat(key=key, status=409, code="no_funds")
    assert guest.get("/v1/wallet")["silver"] == 5


def test_a_stake_is_taken_from_silver_first(guest, sql):
    sql(
        "SELECT ledger_post('grant', 'mixed:' || p, NULL, '', ARRAY["
        " ROW(account_purse(p, 'silver'), -54, 'grant'), ROW(account_house('grant', 'silver'), 54, 'grant'),"
        " ROW(account_purse(p, 'gold'), 50, 'grant'), ROW(account_house('grant', 'gold'), -50, 'grant')"
        "]::ledger_leg[]) FROM (SELECT %s::bigint AS p) x",
        guest.player["id"],
    )
    table = guest.take_seat(status=201).json()["table_id"]
    wallet = guest.get("/v1/wallet")
    assert (wallet["silver"], wallet["gold"]) == (0, 46)
    assert wallet["holds"] == [{"table_id": table, "silver": 6, "gold": 4}]
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=204)
    wallet = guest.get("/v1/wallet")
    assert (wallet["silver"], wallet["gold"], wallet["holds"]) == (6, 50, [])


def test_the_number_of_seats_per_player_is_limited(guest):
    tables = {guest.take_seat(status=201).json()["table_id"] for _ in range(4)}
    assert len(tables) == 4
    guest.take_seat(status=409, code="too_many_tables")


def test_a_seated_player_can_get_a_new_ticket(guest):
    seat = guest.take_seat(status=201).json()
    key = uuid.uuid4().hex
    ticket = guest.new_ticket(seat["table_id"], key=key, status=201).json()
    assert ticket["ticket"] != seat["ticket"]
    assert {k: ticket[k] for k in ("table_id", "seat", "ws_url", "commit")} == {
        k: seat[k] for k in ("table_id", "seat", "ws_url", "commit")
    }
    assert guest.new_ticket(seat["table_id"], key=key, status=201).json() == ticket
    other = guest.take_seat(status=201).json()["table_id"]
    guest.new_ticket(other, key=key, status=422, code="idempotency_key_reused")


def test_only_seated_players_get_tickets(guest, new_client):
    table = new_client().guest().take_seat(status=201).json()["table_id"]
    guest.new_ticket(table, status=403, code="not_seated")
    guest.new_ticket("999999", status=403, code="not_seated")
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=403, code="not_seated")
    guest.call("GET", f"/v1/tables/{table}", status=403, code="not_seated")


def test_unknown_tables_are_refused(guest):
    guest.call("DELETE", "/v1/tables/999999/seats/me", status=404, code="no_such_table")
    guest.call("GET", "/v1/tables/999999", status=404, code="no_such_table")


@pytest.mark.parametrize("table", ["x", "0", "-1", "01", "1.0", "9223372036854775808", "1%27", "%E2%80%AE"])
def test_malformed_ids_are_refused(guest, table):
    guest.call("GET", f"/v1/tables/{table}", status=400, code="bad_parameter")
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=400, code="bad_parameter")
    guest.new_ticket(table, status=400, code="bad_parameter")
    guest.call("GET", f"/v1/games/{table}", status=400, code="bad_parameter")
    guest.call("GET", f"/v1/games/{table}/record", status=400, code="bad_parameter")


def test_a_waiting_table_is_visible_to_its_player(guest):
    seat = guest.take_seat(status=201).json()
    seen = guest.call("GET", f"/v1/tables/{seat['table_id']}", status=200)
    d = seen.json()["d"]
    assert (d["me"], d["phase"], d["table"]["id"]) == (seat["seat"], "waiting", seat["table_id"])
    assert d["table"]["commit"] == seat["commit"]
    tag = seen.headers["ETag"]
    guest.call("GET", f"/v1/tables/{seat['table_id']}", headers={"If-None-Match": tag}, status=304)


def test_a_closed_table_cannot_be_read(guest):
    table = guest.take_seat(status=201).json()["table_id"]
    guest.call("DELETE", f"/v1/tables/{table}/seats/me", status=204)
    guest.call("GET", f"/v1/tables/{table}", status=403, code="not_seated")
