"""A player's week over REST: the contract's shape, the setting of its notification, and who may read it."""

import pytest
from support.dates import this_week

SHARES_SERVER = True


def test_a_week_without_games(new_client, anyone):
    guest = new_client().guest()
    path = f"/v1/me/weeks/{this_week()}"
    week = guest.get(path)
    assert (week["week"], week["games"], week["best"], week["variants"]) == (this_week(), 0, None, [])
    assert [friend["player_id"] for friend in week["friends"]] == [guest.player["id"]]
    assert (week["previous"], week["next"]) == (None, None)
    anyone.call("GET", path, status=401)


@pytest.mark.parametrize("week", ["2026-W54", "2026-w48", "2026-W4", "next", "2099-W01", "2020-W01"])
def test_an_invalid_week_is_not_found(new_client, week):
    answer = new_client().guest().call("GET", f"/v1/me/weeks/{week}", status=404)
    assert answer.json()["code"] == "no_such_week"


def test_the_notification_can_be_turned_off_and_on(new_client):
    guest, path = new_client().guest(), "/v1/me/notification-settings"
    assert guest.get(path)["week"] is True
    assert guest.call("PATCH", path, {"week": False}, status=200).json()["week"] is False
    assert guest.get(path)["week"] is False
    assert guest.call("PATCH", path, {"week": True}, status=200).json()["week"] is True
