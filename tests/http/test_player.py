"""The signed-in player, their purses and postings, and the rooms that they see."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from support.chips import WELCOME_SILVER
from support.contract import OPENAPI, Client
from support.wait import HANG_S

SHARES_SERVER = True

ROOMS = [
    ("desert", 10, 10, "1.0", "Ant", 1),
    ("tundra", 20, 25, "2.2", "Frog", 6),
    ("steppe", 30, 40, "3.4", "Snake", 12),
    ("savannah", 40, 55, "4.6", "Wolf", 18),
    ("oasis", 50, 75, "5.8", "Eagle", 27),
    ("forest", 60, 90, "7.0", "Elephant", 38),
]


def test_a_new_player(guest):
    me = guest.get("/v1/me")
    assert me == guest.player
    assert (me["level"], me["title"], me["clover_points"], me["level_points_needed"]) == (1, "Ant", 0, 100)
    assert me["rating"] == {"value": None, "games": 0}


def test_concurrent_readers_each_get_their_own_data(server, sql):
    """Concurrent requests are combined into one statement."""
    players = [Client(server).guest() for _ in range(24)]
    sql("UPDATE players SET deleted_at = now() WHERE id = %s", players[7].player["id"])
    lines = [socket.create_connection(("127.0.0.1", server.http_port), timeout=HANG_S) for _ in players]
    for line, player in zip(lines, players):
        line.sendall(
            f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {player.token}\r\nConnection:"
            " close\r\n\r\n".encode()
        )
    for i, (line, player) in enumerate(zip(lines, players)):
        head, body = line.makefile("rb").read().split(b"\r\n\r\n", 1)
        line.close()
        if i == 7:
            assert head.startswith(b"HTTP/1.1 401 ") and json.loads(body)["code"] == "token_invalid"
        else:
            assert head.startswith(b"HTTP/1.1 200 ") and json.loads(body) == player.player


def test_the_last_level_needs_no_further_points(guest, sql):
    sql("UPDATE players SET level = 50, level_points = 7 WHERE id = %s", guest.player["id"])
    me = guest.get("/v1/me")
    assert (me["title"], me["level_points"], me["level_points_needed"]) == ("Lion", 7, None)


def test_nickname_and_avatar_can_be_changed(guest):
    assert guest.call("PATCH", "/v1/me", {"nickname": "Zoë 猫"}, status=200).json()["nickname"] == "Zoë 猫"
    me = guest.call("PATCH", "/v1/me", {"avatar": "fox_2"}, status=200).json()
    assert (me["nickname"], me["avatar"]) == ("Zoë 猫", "fox_2")
    assert guest.call("PATCH", "/v1/me", {}, status=200).json() == me == guest.get("/v1/me")


LANGUAGES = OPENAPI["components"]["schemas"]["Language"]["enum"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_email_language_can_be_chosen(guest, language):
    me = guest.call("PATCH", "/v1/me", {"language": language}, status=200).json()
    assert me == {**guest.player, "language": language} == guest.get("/v1/me")
    assert guest.call("PATCH", "/v1/me", {"avatar": "owl"}, status=200).json() == {
        **me,
        "avatar": "owl",
    }, "it stays when something else changes"


@pytest.mark.parametrize("language", ["xx", "EN", "sr", "sr-latn", "en-XA", "de "])
def test_an_unsupported_language_is_refused(guest, language):
    problem = guest.call(
        "PATCH", "/v1/me", {"avatar": "owl", "language": language}, status=422, code="bad_format"
    ).json()
    [fault] = problem["errors"]
    assert (fault["pointer"], fault["code"], fault["allowed"]) == ("/language", "unknown_choice", LANGUAGES)
    assert guest.get("/v1/me") == guest.player, "nothing has changed"


@pytest.mark.parametrize(
    "body, code, member",
    [
        ({"nickname": "x"}, "bad_length", "nickname"),
        ({"nickname": "x" * 21}, "bad_length", "nickname"),
        ({"nickname": " ab"}, "bad_format", "nickname"),
        ({"nickname": "a\u202eb"}, "bad_format", "nickname"),
        ({"nickname": "a\nb"}, "bad_format", "nickname"),
        ({"nickname": None}, "wrong_type", "nickname"),
        ({"nickname": ["ab"]}, "wrong_type", "nickname"),
        ({"avatar": "../fox"}, "bad_format", "avatar"),
        ({"avatar": ""}, "bad_length", "avatar"),
        ({"language": ""}, "bad_length", "language"),
        ({"language": "sr-Latn-RS"}, "bad_length", "language"),
        ({"language": None}, "wrong_type", "language"),
        ({"language": ["de"]}, "wrong_type", "language"),
        ({"level": 50}, "unknown_member", "level"),
        ({"id": "1", "nickname": "ab"}, "unknown_member", "id"),
    ],
)
def test_invalid_profiles_are_refused(guest, body, code, member):
    problem = guest.call("PATCH", "/v1/me", body, status=422, code=code).json()
    assert f"`{member}`" in problem["detail"]
    assert guest.get("/v1/me") == guest.player


def test_a_new_wallet_is_the_sum_of_its_postings(guest):
    wallet = guest.get("/v1/wallet")
    bonus = wallet.pop("bonus")
    assert wallet == {"silver": WELCOME_SILVER, "gold": 0, "silver_cap": 100, "holds": []}
    assert bonus.pop("tomorrow_at").endswith("T22:00:00.000Z")
    assert bonus == {
        "due": False,
        "streak": 0,
        "played_today": False,
        "today_amount": None,
        "today_lost": None,
        "tomorrow_amount": 40,
    }
    page = guest.get("/v1/wallet/postings")
    assert [(p["currency"], p["amount"], p["balance_after"], p["cause"]) for p in page["items"]] == [
        ("silver", WELCOME_SILVER, WELCOME_SILVER, "welcome")
    ]
    assert page["next"] is None


def collect(client):
    return client.call("POST", "/v1/wallet/daily-bonus", status=200).json()


def test_the_wallet_shows_a_due_bonus_and_only_claiming_it_pays(guest, sql):
    """Reads change nothing, however often; the first claim credits three midnights, once."""
    player = guest.player["id"]
    sql(
        "SELECT ledger_post('grant', 'less:' || p, NULL, '', ARRAY[ROW(account_purse(p, 'silver'), -50,"
        " 'grant'), ROW(account_house('grant', 'silver'), 50, 'grant')]::ledger_leg[]) FROM (SELECT"
        " %s::bigint AS p) x",
        player,
    )
    sql("UPDATE player_days SET bonus_day = bonus_day - 3 WHERE player_id = %s", player)
    for _ in range(2):
        wallet = guest.get("/v1/wallet")
        assert (wallet["silver"], wallet["bonus"]["due"], wallet["bonus"]["today_amount"]) == (10, True, None)
    assert len(guest.get("/v1/wallet/postings")["items"]) == 2
    wallet = collect(guest)
    assert (wallet["silver"], wallet["bonus"]["due"]) == (100, False)
    assert (wallet["bonus"]["today_amount"], wallet["bonus"]["today_lost"]) == (40, 30)
    assert collect(guest) == guest.get("/v1/wallet") == wallet
    items = guest.get("/v1/wallet/postings")["items"]
    assert [p["amount"] for p in items if p["cause"] == "daily"] == [40, 40, 40]


def test_concurrent_claims_of_the_bonus_pay_once(guest, sql):
    sql("UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = %s", guest.player["id"])
    headers = {"Authorization": f"Bearer {guest.token}"}
    with ThreadPoolExecutor(8) as pool:
        said = list(
            pool.map(
                lambda _: requests.post(
                    guest.url + "/v1/wallet/daily-bonus", headers=headers, timeout=HANG_S
                ),
                range(16),
            )
        )
    assert {answer.status_code for answer in said} == {200}
    causes = [p["cause"] for p in guest.get("/v1/wallet/postings")["items"]]
    assert causes.count("daily") == 1


def grant(sql, player, n):
    """Writes n transfers of 1 gold, enough for several pages."""
    sql(
        "SELECT ledger_post('grant', 'test:' || p || ':' || g, NULL, '', credit_legs(p, 'gold', 1, 'grant'))"
        " FROM (SELECT %s::bigint AS p) x, generate_series(1, %s) g",
        player,
        n,
    )


@pytest.mark.parametrize("limit", [1, 7, 20, 100])
def test_pages_show_every_item_once(guest, sql, limit):
    grant(sql, guest.player["id"], 45)
    seen, cursor = [], None
    while True:
        page = guest.get(f"/v1/wallet/postings?limit={limit}" + (f"&cursor={cursor}" if cursor else ""))
        assert len(page["items"]) == min(limit, 46 - len(seen))
        seen += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    ids = [int(p["id"]) for p in seen]
    assert len(ids) == 46 and ids == sorted(set(ids), reverse=True)
    wallet = guest.get("/v1/wallet")
    for currency in ("silver", "gold"):
        assert sum(p["amount"] for p in seen if p["currency"] == currency) == wallet[currency]


def test_a_page_is_not_shifted_by_later_items(guest, sql):
    grant(sql, guest.player["id"], 5)
    first = guest.get("/v1/wallet/postings?limit=3")
    sql(
        "SELECT ledger_post('grant', 'late:' || p, NULL, '', credit_legs(p, 'gold', 1, 'grant'))"
        " FROM (SELECT %s::bigint AS p) x",
        guest.player["id"],
    )
    second = guest.get(f"/v1/wallet/postings?limit=10&cursor={first['next']}")
    ids = [int(p["id"]) for p in first["items"] + second["items"]]
    assert len(ids) == 6 and ids == sorted(ids, reverse=True)


def test_a_cursor_is_valid_only_for_its_list_and_reader(guest, new_client, sql):
    grant(sql, guest.player["id"], 3)
    cursor = guest.get("/v1/wallet/postings?limit=1")["next"]
    guest.call("GET", f"/v1/games?cursor={cursor}", status=400, code="bad_cursor")
    new_client().guest().call("GET", f"/v1/wallet/postings?cursor={cursor}", status=400, code="bad_cursor")


def test_rooms(guest):
    items = guest.get("/v1/rooms")["items"]
    shown = [
        (r["id"], r["stake"], r["reward"], r["multiplier"], r["title_required"], r["level_required"])
        for r in items
    ]
    assert shown == ROOMS
    assert [r["unlocked"] for r in items] == [True] + 5 * [False]
    assert items[0]["why_locked"] is None and items[1]["why_locked"] == "room_locked"


def once(ask, right, seconds=HANG_S):
    """Polls until the response is right: rooms are read once per second for all players."""
    until = time.monotonic() + seconds
    while not right(answer := ask()) and time.monotonic() < until:
        time.sleep(0.05)
    assert right(answer)
    return answer


def test_a_higher_level_unlocks_rooms(guest, sql):
    sql("UPDATE players SET level = 12 WHERE id = %s", guest.player["id"])
    assert [r["unlocked"] for r in guest.get("/v1/rooms")["items"]] == 3 * [True] + 3 * [False]


def test_a_closed_room_is_shown_as_closed(guest, sql):
    sql("UPDATE rooms SET open = false WHERE id = 'desert'")
    try:
        room = once(lambda: guest.get("/v1/rooms")["items"][0], lambda room: not room["unlocked"])
        assert room["why_locked"] == "room_closed"
        guest.take_seat(status=409, code="room_closed")
    finally:
        sql("UPDATE rooms SET open = true WHERE id = 'desert'")
    once(lambda: guest.get("/v1/rooms")["items"][0], lambda room: room["unlocked"])


def test_rooms_answer_304_until_something_changes(guest):
    tag = guest.call("GET", "/v1/rooms", status=200).headers["ETag"]
    unchanged = guest.call("GET", "/v1/rooms", headers={"If-None-Match": tag}, status=304)
    assert unchanged.headers["ETag"] == tag
    guest.call("GET", "/v1/rooms", headers={"If-None-Match": f'"other", W/{tag}'}, status=304)
    guest.call("GET", "/v1/rooms", headers={"If-None-Match": '"other"'}, status=200)
    guest.take_seat(status=201)
    changed = once(
        lambda: guest.call("GET", "/v1/rooms", headers={"If-None-Match": tag}),
        lambda answer: answer.status_code == 200,
    )
    assert changed.json()["items"][0]["people"] >= 1
