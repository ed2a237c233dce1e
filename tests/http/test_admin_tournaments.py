"""Tournaments as operators see them: search filters, pots, and entries, and who canceled them and why."""

import time
import uuid

import pytest
from support.contract import Client
from support.wait import HANG_S


@pytest.fixture(scope="module")
def operator(holder):
    return holder("games")


def act(client, path, body, **more):
    return client.call("POST", path, body, headers={"Idempotency-Key": uuid.uuid4().hex}, **more)


def announce(operator, **more):
    body = {
        "name": "A cup",
        "kind": "knockout",
        "variant": "straight",
        "seats": 2,
        "entry": 10,
        "entries_max": 4,
        **more,
    }
    return act(operator, "/v1/admin/tournaments", body, status=201).json()


def call_off(operator, number, reason="no light"):
    return act(operator, f"/v1/admin/tournaments/{number}/cancel", {"reason": reason}, status=200).json()


def when(operator, number, holds):
    """Returns the tournament once the condition holds. Its steps run within seconds."""
    until = time.monotonic() + HANG_S
    while True:
        it = operator.get(f"/v1/admin/tournaments/{number}")
        if holds(it):
            return it
        assert time.monotonic() < until, it
        time.sleep(0.1)


@pytest.fixture
def others(operator):
    """Excludes tournaments that other tests announced."""
    before = operator.get("/v1/admin/tournaments?limit=1")["items"]
    return int(before[0]["id"]) if before else 0


def test_tournaments_are_filtered_by_state_kind_and_variant_newest_first(operator, others):
    cup, swiss, rummy = (
        announce(operator),
        announce(operator, kind="swiss", rounds=2),
        announce(operator, variant="rummy51"),
    )
    call_off(operator, cup["id"])

    def found(query=""):
        items = operator.get(f"/v1/admin/tournaments?limit=100&{query}")["items"]
        return [i["id"] for i in items if int(i["id"]) > others]

    assert found() == [rummy["id"], swiss["id"], cup["id"]]
    assert found("state=open") == [rummy["id"], swiss["id"]]
    assert found("state=cancelled") == [cup["id"]], "also while entries are on their way back"
    assert found("kind=swiss") == [swiss["id"]] and found("kind=stages") == []
    assert found("variant=rummy51&state=open") == [rummy["id"]] and found("variant=straight&kind=swiss") == [
        swiss["id"]
    ]
    assert found("state=ended") == [], "a state that none of these has"
    for bad in ("state=a%20b", "state=lost", "kind=%21", "variant=X", "colour=red", "limit=0", "cursor=x"):
        operator.call("GET", f"/v1/admin/tournaments?{bad}", status=400)
    page = operator.get("/v1/admin/tournaments?limit=2")
    assert [i["id"] for i in page["items"]] == [rummy["id"], swiss["id"]] and page["items"][1] == swiss
    assert operator.get(f"/v1/admin/tournaments?limit=2&cursor={page['next']}")["items"][0]["id"] == cup["id"]


def test_tournament_tables_require_a_hand_clock(operator):
    body = {
        "name": "A cup",
        "kind": "knockout",
        "variant": "straight",
        "seats": 2,
        "entry": 0,
        "entries_max": 4,
    }
    for options, code in (
        ({"hand_s": 0}, "hand_clock_needed"),
        ({"hand_s": 59, "turn_s": 60}, "hand_clock_short"),
    ):
        refused = act(operator, "/v1/admin/tournaments", {**body, "options": options}, status=422).json()[
            "errors"
        ]
        assert [(fault["pointer"], fault["code"]) for fault in refused] == [("/options/hand_s", code)]
    assert announce(operator, options={"hand_s": 90, "turn_s": 20})["options"] == {"hand_s": 90, "turn_s": 20}


def test_a_tournament_shows_its_pot_entries_and_cancellation_reason(server, operator):
    number = announce(operator, prize_table="standard")["id"]
    players = [Client(server).guest() for _ in range(3)]
    for player in players:
        act(player, f"/v1/tournaments/{number}/entries", None, status=201)
    players[2].call("DELETE", f"/v1/tournaments/{number}/entries/me", status=204)

    it = operator.get(f"/v1/admin/tournaments/{number}")
    public = players[0].get(f"/v1/tournaments/{number}")
    assert {k: v for k, v in it.items() if k in public} == {
        k: v for k, v in public.items() if k not in ("own", "teams", "draws", "deals")
    }
    assert (it["pot"], it["pot_silver"], it["pot_gold"], it["wait_s"]) == (20, 20, 0, 60)
    assert [line["action"] for line in it["log"]] == ["make_tournament"] and it["log"][0]["reason"] is None
    entries = operator.get(f"/v1/admin/tournaments/{number}/entries")["items"]
    assert [(e["entry"], e["player_id"], e["silver"], e["gold"], e["back"], e["bot"]) for e in entries] == [
        (1, players[0].player["id"], 10, 0, False, False),
        (2, players[1].player["id"], 10, 0, False, False),
    ]

    call_off(operator, number, "no light")
    it = when(operator, number, lambda it: it["ended_at"])
    assert (it["state"], it["reason"], it["pot"], it["pot_silver"], it["pot_gold"]) == (
        "cancelled",
        "by_operator",
        20,
        0,
        0,
    )
    assert [(line["action"], line["reason"]) for line in it["log"]] == [
        ("make_tournament", None),
        ("cancel_tournament", "no light"),
    ]
    first = operator.get(f"/v1/admin/tournaments/{number}/entries?limit=1")
    assert [(e["entry"], e["silver"], e["back"]) for e in first["items"]] == [(1, 10, True)]
    rest = operator.get(f"/v1/admin/tournaments/{number}/entries?limit=1&cursor={first['next']}")
    assert [e["entry"] for e in rest["items"]] == [2] and rest["next"] is None


def test_a_refused_cancellation_is_not_logged(operator):
    number = announce(operator)["id"]
    call_off(operator, number, "one")
    act(
        operator,
        f"/v1/admin/tournaments/{number}/cancel",
        {"reason": "two"},
        status=409,
        code="tournament_over",
    )
    log = operator.get(f"/v1/admin/tournaments/{number}")["log"]
    assert [line["reason"] for line in log] == [None, "one"]


def test_reading_tournaments_requires_a_permitted_role(holder, guest, anyone, operator):
    number = announce(operator)["id"]
    for path in (
        "/v1/admin/tournaments",
        f"/v1/admin/tournaments/{number}",
        f"/v1/admin/tournaments/{number}/entries",
    ):
        assert holder("support").get(path)
        for client, status, said in (
            (holder("money"), 403, "api_key_forbidden"),
            (guest, 401, "api_key_invalid"),
            (anyone, 401, "api_key_missing"),
        ):
            client.call("GET", path, status=status, code=said)
    for more in ("", "/entries"):
        operator.call("GET", f"/v1/admin/tournaments/999999999{more}", status=404, code="no_such_tournament")
        operator.call("GET", f"/v1/admin/tournaments/x{more}", status=400, code="bad_parameter")


def test_a_team_match_is_announced_and_lists_the_team_of_each_entry(server, operator):
    it = announce(operator, kind="teams", bots_to=4, entry=0)
    assert (it["kind"], it["duplicate"], it["prize_table"], it["entries_min"], it["bots_to"]) == (
        "teams",
        True,
        None,
        1,
        4,
    )
    player = Client(server).guest()
    act(player, f"/v1/tournaments/{it['id']}/entries", {"team": 2}, status=201)
    assert [
        entry["team"] for entry in operator.get(f"/v1/admin/tournaments/{it['id']}/entries")["items"]
    ] == [2]
    assert operator.get(f"/v1/admin/tournaments/{it['id']}")["prizes"] == []
    call_off(operator, it["id"])


@pytest.mark.parametrize(
    "code,more",
    [
        ("tournament_teams", {"duplicate": False}),
        ("tournament_teams", {"entries_max": 8}),
        ("tournament_teams", {"seats": 3, "entries_max": 6}),
        ("tournament_teams", {"prize_table": "standard"}),
        ("tournament_teams", {"bots_to": 2}),
        ("tournament_teams", {"entries_min": 2}),
        ("tournament_kind", {"rounds": 1}),
        ("tournament_kind", {"advance": 1}),
        ("tournament_kind", {"keep_percent": 50}),
        ("duplicate_prizes_off", {}),
        ("no_such_variant", {"variant": "chess"}),
    ],
)
def test_options_that_do_not_fit_team_matches_are_refused(operator, code, more):
    body = {
        "name": "A cup",
        "kind": "teams",
        "variant": "straight",
        "seats": 2,
        "entry": 10,
        "entries_max": 4,
        **more,
    }
    act(operator, "/v1/admin/tournaments", body, status=422, code=code)
