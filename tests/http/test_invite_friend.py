"""Inviting a friend to a private table: permissions, rate limits, and the friend's notification."""

import asyncio
import uuid

import pytest
from support.table import Table


def befriended(one, *others):
    for other in others:
        one.call("PUT", f"/v1/friends/{other.player['id']}", status=200)
        other.call("PUT", f"/v1/friends/{one.player['id']}", status=200)


def opened(client, **more):
    body = {"variant": "straight", "seats": 3, **more}
    return client.call(
        "POST", "/v1/tables", body, headers={"Idempotency-Key": uuid.uuid4().hex}, status=201
    ).json()


async def begin(server, seat):
    """The cards are dealt."""
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()


def invite(client, friend, table, **more):
    return client.call("PUT", f"/v1/friends/{friend.player['id']}/tables/{table}", **{"status": 204, **more})


def invitations(client):
    return [
        item["data"] for item in client.get("/v1/notifications")["items"] if item["kind"] == "table_invite"
    ]


@pytest.fixture
def friend(guest, new_client):
    friend = new_client().guest()
    befriended(guest, friend)
    return friend


def test_a_friend_is_invited_once_per_table_and_joins_by_the_code(guest, friend):
    table = opened(guest)
    for _ in range(2):
        invite(guest, friend, table["table_id"])
    assert invitations(friend) == [
        {
            "player_id": guest.player["id"],
            "nickname": guest.player["nickname"],
            "table_id": table["table_id"],
            "variant": "straight",
            "code": table["code"],
            "ws_url": table["ws_url"],
        }
    ]
    friend.call(
        "POST",
        f"/v1/tables/by-code/{table['code']}/seats",
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=201,
    )
    assert invitations(guest) == []


def test_only_friends_can_be_invited(guest, friend, new_client):
    table = opened(guest)["table_id"]
    stranger, asked = new_client().guest(), new_client().guest()
    guest.call("PUT", f"/v1/friends/{asked.player['id']}", status=200)
    for who in (stranger, asked, guest):
        invite(guest, who, table, status=409, code="not_friends")
    guest.call("DELETE", f"/v1/friends/{friend.player['id']}", status=204)
    invite(guest, friend, table, status=409, code="not_friends")
    assert [invitations(who) for who in (stranger, asked, guest, friend)] == [[]] * 4


def test_blocked_players_are_not_invited_and_blockers_are_not_notified(guest, friend, new_client):
    table = opened(guest)["table_id"]
    friend.call("PUT", f"/v1/players/{guest.player['id']}/block", status=200)
    invite(guest, friend, table)
    assert invitations(friend) == []
    other = new_client().guest()
    befriended(guest, other)
    guest.call("PUT", f"/v1/players/{other.player['id']}/block", status=200)
    invite(guest, other, table, status=409, code="not_friends")
    assert invitations(other) == []


def test_invitations_require_a_waiting_private_table_and_a_seat_at_it(server, guest, friend, sql):
    public = opened(guest, visibility="public")["table_id"]
    invite(guest, friend, public, status=409, code="not_private")
    theirs = opened(friend)["table_id"]
    invite(guest, friend, theirs, status=403, code="not_seated")
    invite(guest, friend, "999999999", status=404, code="no_such_table")
    full = opened(guest, bots=2)["table_id"]
    invite(guest, friend, full, status=409, code="table_full")
    playing = opened(guest, seats=2, bots=1)
    asyncio.run(begin(server, playing))
    invite(guest, friend, playing["table_id"], status=409, code="table_full")
    over = opened(guest)["table_id"]
    sql("UPDATE tables SET state = 'cancelled', ended_at = now() WHERE id = %s", int(over))
    invite(guest, friend, over, status=409, code="table_over")
    assert invitations(friend) == []


def test_a_player_can_send_five_invitations_a_minute(guest, new_client, sql):
    friends = [new_client().guest() for _ in range(6)]
    befriended(guest, *friends)
    table = opened(guest, seats=4)["table_id"]
    for friend in friends[:5]:
        invite(guest, friend, table)
    invite(guest, friends[5], table, status=429, code="too_many_table_invites")
    invite(guest, friends[0], table)
    assert invitations(friends[5]) == []
    sql(
        "UPDATE notifications SET at = at - interval '61 seconds' WHERE player_id = %s",
        int(friends[0].player["id"]),
    )
    invite(guest, friends[5], table)
    assert len(invitations(friends[5])) == 1
