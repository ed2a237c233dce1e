"""Leaderboards, profiles, achievements, friends, invitations and notifications over REST."""

import uuid

import pytest
from support.chips import WELCOME_SILVER


def rate(sql, client, points, games=20, clover=100, wins=3):
    sql(
        """INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating, clover)
           SELECT %s, 'rummy51', p, %s, %s, %s, 0, rating_of(%s, %s, 10000, 100), %s
           FROM unnest(ARRAY['all', to_char(local_day(now()), 'YYYY-MM')]) p""",
        int(client.player["id"]),
        games,
        points,
        wins,
        points,
        games,
        clover,
    )


def accept(client, invite, key=None, **more):
    return client.call(
        "PUT",
        "/v1/me/invitation",
        {"code": invite},
        headers={"Idempotency-Key": key or uuid.uuid4().hex},
        **more,
    )


def test_leaderboard_pages_neighbors_and_friends(new_client, sql):
    people = [new_client().guest() for _ in range(5)]
    for i, client in enumerate(people):
        rate(sql, client, 1900 - 100 * i)
    mia = people[2]
    first = mia.get("/v1/leaderboards/rummy51/rating/all?limit=2")
    second = mia.get(f"/v1/leaderboards/rummy51/rating/all?limit=2&cursor={first['next']}")
    rest = mia.get(f"/v1/leaderboards/rummy51/rating/all?limit=2&cursor={second['next']}")
    lines = first["items"] + second["items"] + rest["items"]
    assert [(i["place"], i["player_id"], i["value"], i["games"]) for i in lines] == [
        (n + 1, c.player["id"], 9500 - 500 * n, 20) for n, c in enumerate(people)
    ]
    assert rest["next"] is None and [i["own"] for i in lines] == [False, False, True, False, False]
    month = mia.get("/v1/leaderboards/rummy51/clover/month")
    assert len(month["items"]) == 5 and month["period"] != "month"
    assert mia.get(f"/v1/leaderboards/rummy51/clover/{month['period']}")["items"] == month["items"]
    for other in (
        "/v1/leaderboards/rummy51/rating/month",
        "/v1/leaderboards/rummy51/wins/all",
        "/v1/leaderboards/points/rating/all",
    ):
        mia.call("GET", f"{other}?cursor={first['next']}", status=400, code="bad_cursor")
    around = mia.get("/v1/leaderboards/rummy51/rating/all/around")
    assert around["place"] == 3 and around["items"] == lines
    assert new_client().guest().get("/v1/leaderboards/rummy51/rating/all/around") == {
        "place": None,
        "items": [],
    }
    mia.call("PUT", f"/v1/friends/{people[4].player['id']}", status=200)
    people[4].call("PUT", f"/v1/friends/{mia.player['id']}", status=200)
    path = "/v1/leaderboards/rummy51/rating/all/friends"
    friends = mia.get(path)
    assert [(i["place"], i["player_id"]) for i in friends["items"]] == [
        (3, mia.player["id"]),
        (5, people[4].player["id"]),
    ]
    assert (friends["variant"], friends["board"], friends["period"], friends["next"]) == (
        "rummy51",
        "rating",
        "all",
        None,
    )
    page = mia.get(f"{path}?limit=1")
    assert page["items"] == friends["items"][:1]
    assert mia.get(f"{path}?limit=1&cursor={page['next']}") == {**friends, "items": friends["items"][1:]}
    for client, other, cursor in [
        (mia, path, first["next"]),
        (mia, path, "x"),
        (mia, path[:-8], page["next"]),
        (people[4], path, page["next"]),
        (mia, path.replace("rating", "wins"), page["next"]),
    ]:
        client.call("GET", f"{other}?cursor={cursor}", status=400, code="bad_cursor")
    mia.call("GET", f"{path}?limit=101", status=400, code="bad_parameter")


@pytest.mark.parametrize(
    "path, code",
    [
        ("snap/rating/all", "no_such_board"),
        ("rummy51/luck/all", "no_such_board"),
        ("rummy51/rating/ever", "no_such_period"),
        ("rummy51/rating/2026-13", "no_such_period"),
        ("RUMMY51/rating/all", "no_such_board"),
        ("rummy51/rating/2026.11", "no_such_period"),
    ],
)
def test_unknown_leaderboards_are_refused(guest, path, code):
    for tail in ("", "/around", "/friends"):
        guest.call("GET", f"/v1/leaderboards/{path}{tail}", status=404, code=code)


def test_a_profile_is_public(guest, new_client, sql):
    profile = new_client().guest().get(f"/v1/players/{guest.player['id']}")
    assert (profile["nickname"], profile["title"], profile["achievements"], profile["variants"]) == (
        guest.player["nickname"],
        "Ant",
        [],
        [],
    )
    assert "silver" not in str(profile)
    guest.call("GET", "/v1/players/999999", status=404, code="player_unknown")
    guest.call("GET", "/v1/players/x", status=400, code="bad_parameter")


def test_achievements_show_progress(guest, sql):
    sql("SELECT add_to_counter(%s, 'wins', 3, false)", int(guest.player["id"]))
    items = {i["id"]: i for i in guest.get("/v1/me/achievements")["items"]}
    assert len(items) == 30
    assert (items["wins_10"]["progress"], items["wins_10"]["goal"], items["wins_10"]["earned_at"]) == (
        3,
        10,
        None,
    )
    sql("SELECT add_to_counter(%s, 'wins', 7, false)", int(guest.player["id"]))
    items = {i["id"]: i for i in guest.get("/v1/me/achievements")["items"]}
    assert items["wins_10"]["earned_at"] and items["wins_50"]["progress"] == 10
    assert guest.get("/v1/wallet")["gold"] == 20
    assert guest.get("/v1/wallet/postings")["items"][0]["cause"] == "achievement"


def test_weekly_quests_show_progress_and_pay_automatically(guest, sql):
    player = int(guest.player["id"])
    sql("UPDATE quests SET on_offer = id IN ('tournaments_1', 'rummy51_3')")
    before = guest.get("/v1/me/quests")
    assert before["starts_at"] < before["ends_at"] and [
        (i["id"], i["progress"], i["done_at"]) for i in before["items"]
    ] == [("rummy51_3", 0, None), ("tournaments_1", 0, None)]
    sql("INSERT INTO counts_due (player_id, counter, n) VALUES (%s, 'tournaments', 1)", player)
    sql("SELECT do_counts_due(100)")
    after = guest.get("/v1/me/quests")["items"]
    assert after[0] == before["items"][0] and after[1]["progress"] == 1 and after[1]["done_at"]
    assert (
        guest.get("/v1/wallet")["gold"] == 10
        and guest.get("/v1/wallet/postings")["items"][0]["cause"] == "quest"
    )
    news = guest.get("/v1/notifications")["items"]
    assert [(n["kind"], n["data"]["id"], n["data"]["gold"]) for n in news] == [("quest", "tournaments_1", 10)]
    sql("UPDATE quests SET on_offer = false")


def test_friend_requests_are_made_accepted_and_ended(guest, new_client):
    other = new_client().guest()
    mine, theirs = f"/v1/friends/{other.player['id']}", f"/v1/friends/{guest.player['id']}"
    for _ in range(2):
        assert guest.call("PUT", mine, status=200).json() == {"state": "asked"}
    assert [f["state"] for f in guest.get("/v1/friends")["items"]] == ["asked"]
    assert [f["state"] for f in other.get("/v1/friends")["items"]] == ["asks"]
    for _ in range(2):
        assert other.call("PUT", theirs, status=200).json() == {"state": "friends"}
    assert [f["player_id"] for f in guest.get("/v1/friends")["items"]] == [other.player["id"]]
    for _ in range(2):
        guest.call("DELETE", mine, status=204)
    assert other.get("/v1/friends")["items"] == []
    guest.call("PUT", theirs, status=409, code="friend_self")
    guest.call("PUT", "/v1/friends/999999", status=404, code="player_unknown")


def asks_of(client):
    """Who requested, as the player sees it: in their notifications, and in their list."""
    told = [n["data"]["player_id"] for n in client.get("/v1/notifications")["items"] if n["kind"] == "friend"]
    return told, [f["player_id"] for f in client.get("/v1/friends")["items"] if f["state"] == "asks"]


def test_a_friend_request_notifies_once_per_period(guest, new_client, sql):
    other = new_client().guest()
    me, path = guest.player["id"], f"/v1/friends/{other.player['id']}"
    for _ in range(3):
        assert guest.call("PUT", path, status=200).json() == {"state": "asked"}
        assert asks_of(other) == ([me], [me])
        guest.call("DELETE", path, status=204)
    assert asks_of(other) == ([me], [])
    sql("UPDATE notifications SET at = at - interval '8 days' WHERE player_id = %s", int(other.player["id"]))
    guest.call("PUT", path, status=200)
    assert asks_of(other) == ([me, me], [me])


def test_a_blocked_players_friend_request_is_hidden_and_looks_normal(guest, new_client):
    other, free = new_client().guest(), new_client().guest()
    me, path = guest.player["id"], f"/v1/friends/{other.player['id']}"
    block = f"/v1/players/{me}/block"
    other.call("PUT", block, status=200)
    answers = [[client.call("PUT", path, status=200).json() for _ in range(2)] for client in (guest, free)]
    assert answers[0] == answers[1] == [{"state": "asked"}] * 2
    assert guest.get("/v1/friends")["items"] == free.get("/v1/friends")["items"]
    assert asks_of(other) == ([free.player["id"]], [free.player["id"]])
    other.call("DELETE", block, status=200)
    assert set(asks_of(other)[1]) == {me, free.player["id"]}, "still asked, and no longer hidden"


def test_a_block_withdraws_the_players_own_request_and_hides_the_next_one(guest, new_client):
    other = new_client().guest()
    guest.call("PUT", f"/v1/friends/{other.player['id']}", status=200)
    guest.call("PUT", f"/v1/players/{other.player['id']}/block", status=200)
    assert other.call("PUT", f"/v1/friends/{guest.player['id']}", status=200).json() == {"state": "asked"}, (
        "there is nothing to accept"
    )
    assert guest.get("/v1/notifications")["items"] == []


def test_invitations(guest, new_client, sql):
    invited = new_client().register()
    code = guest.call("POST", "/v1/invites", status=200).json()["code"]
    key = uuid.uuid4().hex
    assert (
        accept(invited, code, key, status=200).json()
        == {"gold": 10}
        == accept(invited, code, key, status=200).json()
    )
    accept(invited, code, status=409, code="invite_used")
    accept(invited, "ABCDEFGH", key, status=422, code="idempotency_key_reused")
    accept(new_client().guest(), code, status=409, code="invite_guest")
    accept(new_client().register(), "ABCDEFGH", status=404, code="invite_unknown")
    invited.call(
        "PUT",
        "/v1/me/invitation",
        {"code": "short"},
        headers={"Idempotency-Key": "a"},
        status=422,
        code="bad_length",
    )
    invited.call(
        "PUT",
        "/v1/me/invitation",
        {"code": "AB DEFGH"},
        headers={"Idempotency-Key": "a"},
        status=422,
        code="bad_format",
    )
    assert invited.get("/v1/wallet")["gold"] == 0, "not before they have played"
    sql("SELECT do_counts_due(100)")
    shown = guest.get("/v1/invites")
    assert (shown["paid"], [i["state"] for i in shown["items"]]) == (0, ["open"])
    sql(
        "UPDATE invites SET state = 'paid', owed = true WHERE invited_id = %s", int(invited.player["id"])
    )  # see test_invites.py
    sql("INSERT INTO counts_due (player_id, counter, n) VALUES (%s, 'invites', 1)", int(guest.player["id"]))
    sql("SELECT do_counts_due(100)")
    shown = guest.get("/v1/invites")
    assert (shown["paid"], [i["state"] for i in shown["items"]]) == (1, ["paid"])
    assert (guest.get("/v1/wallet")["gold"], invited.get("/v1/wallet")["gold"]) == (40, 10)
    assert [n["kind"] for n in guest.get("/v1/notifications")["items"]] == ["achievement", "invite"]


def test_notifications_are_marked_read_up_to_one(guest, sql):
    for n in range(5):
        sql("SELECT notify_player(%s, 'level', %s)", int(guest.player["id"]), f'{{"level": {n}}}')
    first = guest.get("/v1/notifications?limit=2")
    second = guest.get(f"/v1/notifications?limit=9&cursor={first['next']}")
    assert [n["data"]["level"] for n in first["items"] + second["items"]] == [4, 3, 2, 1, 0]
    assert not any(n["read"] for n in second["items"])
    assert guest.call(
        "PUT", "/v1/notifications/read-mark", {"up_to": second["items"][0]["id"]}, status=200
    ).json() == {"unread": 2}
    assert [n["read"] for n in guest.get("/v1/notifications")["items"]] == [False, False, True, True, True]
    for body, code in [
        ({"up_to": "x"}, "bad_format"),
        ({"up_to": ""}, "bad_length"),
        ({"up_to": 3}, "wrong_type"),
        ({}, "missing_member"),
    ]:
        guest.call("PUT", "/v1/notifications/read-mark", body, status=422, code=code)


def test_a_public_table_with_a_stake_is_listed_held_and_refunded(guest, new_client):
    def open_table(client, **body):
        return client.call(
            "POST",
            "/v1/tables",
            {"variant": "straight", "seats": 2, "visibility": "public", **body},
            headers={"Idempotency-Key": uuid.uuid4().hex},
        )

    seat = open_table(guest, stake=10)
    assert seat.status_code == 201
    (listed,) = [
        t
        for t in guest.get("/v1/tables?variant=straight")["items"]
        if t["table_id"] == seat.json()["table_id"]
    ]
    assert (listed["stake"], listed["point_value"]) == (10, 0)
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
    guest.call("DELETE", f"/v1/tables/{seat.json()['table_id']}/seats/me", status=204)
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER
    other = new_client().guest()
    for body, code in [
        ({"stake": 10, "bots": 1}, "stake_bots"),
        ({"stake": 10, "visibility": "private"}, "stake_private"),
        ({"stake": 7}, "stake_unknown"),
        ({"point_value": 1}, "stake_variant"),
        ({"stake": 20}, "room_locked"),
        ({"stake": -1}, "out_of_range"),
        ({"point_value": "1"}, "wrong_type"),
    ]:
        assert open_table(other, **body).json()["code"] == code
    assert other.get("/v1/wallet")["silver"] == WELCOME_SILVER
