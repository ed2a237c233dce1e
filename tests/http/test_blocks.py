"""Muting and blocking players: setting, removing, and the list."""

import pytest

SHARES_SERVER = True

PATHS = {"muted": "mute", "blocked": "block"}


@pytest.mark.parametrize("what, other_thing", [("muted", "blocked"), ("blocked", "muted")])
def test_mute_and_block_are_set_and_removed_independently(guest, new_client, what, other_thing):
    other = new_client().guest()
    path, second = (f"/v1/players/{other.player['id']}/{PATHS[w]}" for w in (what, other_thing))
    only = {"player_id": other.player["id"], what: True, other_thing: False}
    both, none = {**only, other_thing: True}, {**only, what: False}

    def listed():
        return [
            {k: v for k, v in item.items() if k != "nickname"} for item in guest.get("/v1/me/blocks")["items"]
        ]

    assert [guest.call("PUT", path, status=200).json() for _ in range(2)] == [only, only]
    assert listed() == [only]
    assert guest.call("PUT", second, status=200).json() == both
    assert guest.call("DELETE", second, status=200).json() == only
    assert listed() == [only]
    assert [guest.call("DELETE", path, status=200).json() for _ in range(2)] == [none, none]
    assert listed() == [] and other.get("/v1/me/blocks")["items"] == []


@pytest.mark.parametrize("word", PATHS.values())
def test_players_who_cannot_be_muted_or_blocked(guest, word):
    for method in ("PUT", "DELETE"):
        for player in (guest.player["id"], "999999"):
            guest.call(method, f"/v1/players/{player}/{word}", status=404, code="no_such_other")
        guest.call(method, f"/v1/players/x/{word}", status=400, code="bad_parameter")
    guest.call("PUT", f"/v1/players/999999/{word}", {"muted": True}, status=400, code="no_body_taken")


def test_a_full_block_list_takes_no_further_player(guest, new_client, sql):
    first, other = (new_client().guest().player["id"] for _ in range(2))
    guest.call("PUT", f"/v1/players/{first}/mute", status=200)
    kept = sql("UPDATE settings SET value = '1' WHERE name = 'blocks_per_player_max' RETURNING value")
    assert len(kept) == 1
    try:
        for word in PATHS.values():
            guest.call("PUT", f"/v1/players/{other}/{word}", status=409, code="too_many_blocks")
            guest.call("DELETE", f"/v1/players/{other}/{word}", status=200)
        assert guest.call("PUT", f"/v1/players/{first}/block", status=200).json()["blocked"] is True
    finally:
        sql("UPDATE settings SET value = '1000' WHERE name = 'blocks_per_player_max'")
