"""/v1/me/limits, and every way to get a seat or place an order that players have blocked for themselves."""

import uuid

import pytest


def key():
    return {"headers": {"Idempotency-Key": uuid.uuid4().hex}}


def ways_to_a_seat(host):
    """Each way, as a function of the player."""
    private = host.call("POST", "/v1/tables", {"variant": "straight", "seats": 3}, status=201, **key()).json()
    public = host.call(
        "POST", "/v1/tables", {"variant": "straight", "seats": 3, "visibility": "public"}, status=201, **key()
    ).json()
    return [
        lambda who, **more: who.call("POST", "/v1/rooms/desert/seats", **key(), **more),
        lambda who, **more: who.call(
            "POST", "/v1/tables", {"variant": "straight", "seats": 2}, **key(), **more
        ),
        lambda who, **more: who.call("POST", f"/v1/tables/by-code/{private['code']}/seats", **key(), **more),
        lambda who, **more: who.call("POST", f"/v1/tables/{public['table_id']}/seats", **key(), **more),
    ]


@pytest.mark.parametrize(
    "limit, code", [({"exclude_days": 1}, "limit_excluded"), ({"minutes_per_day": 0}, "limit_time")]
)
def test_play_limits_close_every_way_to_a_seat(new_client, limit, code):
    player = new_client().guest()
    ways = ways_to_a_seat(new_client().guest())
    before = player.get("/v1/wallet")
    player.call("PATCH", "/v1/me/limits", limit, status=200)
    for way in ways:
        way(player, status=403, code=code)
    assert player.get("/v1/wallet") == before and player.get("/v1/me/tables")["items"] == []
    friend = new_client().guest()
    for way in ways:
        way(friend, status=201)


def test_limits_are_set_and_read(guest):
    none = guest.get("/v1/me/limits")
    assert guest.call("PATCH", "/v1/me/limits", {}, status=200).json() == none
    tight = guest.call(
        "PATCH", "/v1/me/limits", {"minutes_per_day": 90, "purchases_per_day": 1000}, status=200
    ).json()
    assert (tight["minutes_per_day"], tight["purchases_per_day"], tight["pending"]) == (90, 1000, [])
    loose = guest.call("PATCH", "/v1/me/limits", {"minutes_per_day": 1440}, status=200).json()
    assert loose["minutes_per_day"] == 90 and [(p["limit"], p["value"]) for p in loose["pending"]] == [
        ("minutes_per_day", None)
    ]
    assert guest.get("/v1/me/limits") == loose


@pytest.mark.parametrize(
    "kind",
    ["application/json", "application/merge-patch+json", "application/merge-patch+json; charset=utf-8"],
)
def test_null_removes_a_limit_and_absent_members_stay_unchanged(guest, sql, kind):
    def change(body):
        return guest.call(
            "PATCH", "/v1/me/limits", data=body, headers={"Content-Type": kind}, status=200
        ).json()

    sql("UPDATE settings SET value = '0' WHERE name = 'limit_loosen_s'")
    try:
        change('{"minutes_per_day": 90, "purchases_per_day": 1000}')
        after = change('{"minutes_per_day": null}')
        assert (after["minutes_per_day"], after["purchases_per_day"]) == (None, 1000)
        after = change('{"purchases_per_day": null}')
        assert (after["minutes_per_day"], after["purchases_per_day"], after["pending"]) == (None, None, [])
    finally:
        sql("UPDATE settings SET value = '259200' WHERE name = 'limit_loosen_s'")


@pytest.mark.parametrize(
    "body, code",
    [
        ({"minutes_per_day": -1}, "out_of_range"),
        ({"minutes_per_day": 1441}, "out_of_range"),
        ({"purchases_per_day": 10**9}, "out_of_range"),
        ({"exclude_days": 3651}, "out_of_range"),
        ({"minutes_per_day": "90"}, "wrong_type"),
        ({"exclude_days": None}, "wrong_type"),
        ({"minutes": 90}, "unknown_member"),
        ({"minutes_per_day": 90, "exclude_days": True}, "wrong_type"),
    ],
)
def test_invalid_limits_are_refused(guest, anyone, body, code):
    before = guest.get("/v1/me/limits")
    guest.call("PATCH", "/v1/me/limits", body, status=422, code=code)
    anyone.call("PATCH", "/v1/me/limits", body, status=401, code="token_missing")
    assert guest.get("/v1/me/limits") == before
