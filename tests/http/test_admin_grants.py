"""Chips that operators give or take, immediately or after a second person's approval, and each only
once."""

import threading
import uuid

import pytest
from support.contract import Client
from support.keys import make_key


def new_key():
    return {"Idempotency-Key": uuid.uuid4().hex}


@pytest.fixture
def operator(server, cluster, database):
    """A client with a key that has a role and belongs to a person."""

    def make(holder=None, role="money"):
        client = Client(server)
        client.token = make_key(cluster.conninfo(database), role, holder=holder or uuid.uuid4().hex)
        return client

    return make


def grant(client, player, amount, currency="gold", status=201, headers=None, **more):
    return client.call(
        "POST",
        f"/v1/admin/players/{player['id']}/grants",
        {
            "currency": currency,
            "amount": amount,
            "reason": "compensation",
            "note": "table 9 broke off",
            **more,
        },
        headers=headers or new_key(),
        status=status,
    ).json()


def gold(player):
    return player.get("/v1/wallet")["gold"]


def test_a_small_grant_is_paid_at_once_and_visible_to_the_player(operator, guest, sql):
    mia = operator()
    headers = new_key()
    first, again = (grant(mia, guest.player, 90, headers=headers) for _ in range(2))
    assert first == again and (first["state"], first["amount"], first["over_cap"], first["settled_by"]) == (
        "done",
        90,
        0,
        first["key"],
    )
    assert gold(guest) == 90
    line = guest.get("/v1/wallet/postings?cause=grant")["items"]
    assert [(item["amount"], item["currency"]) for item in line] == [(90, "gold")]
    taken = grant(mia, guest.player, -40, reason="correction")
    assert taken["state"] == "done" and gold(guest) == 50
    assert [item["amount"] for item in guest.get("/v1/wallet/postings?cause=correction")["items"]] == [-40]
    grant(mia, guest.player, -51, status=409)
    assert gold(guest) == 50 and sql(
        "SELECT count(*) FROM chip_grants WHERE player_id = %s", int(guest.player["id"])
    ) == [(2,)]
    assert sql("SELECT * FROM q_ledger_check()") == []


def test_silver_stops_at_the_cap_and_the_grant_reports_the_excess(operator, guest):
    cap, have = (guest.get("/v1/wallet")[name] for name in ("silver_cap", "silver"))
    done = grant(operator(), guest.player, cap - have + 30, "silver")
    assert done["over_cap"] == 30 and guest.get("/v1/wallet")["silver"] == cap


def test_a_large_grant_requires_another_person(operator, guest, holder):
    mia, bob = operator("Mia", "support"), operator("Bob")
    asked = grant(mia, guest.player, 501)
    assert asked["state"] == "waiting" and asked["lapses_at"] and gold(guest) == 0
    path = f"/v1/admin/grants/{asked['id']}"
    mia.call("POST", f"{path}/approve", headers=new_key(), status=403, code="api_key_forbidden")
    for same in ("Mia", "mia", "MIA"):  # another key of the same person does not count as a second person
        operator(same).call(
            "POST", f"{path}/approve", headers=new_key(), status=409, code="second_operator_needed"
        )
    assert [
        item["id"] for item in bob.get(f"/v1/admin/grants?state=waiting&player={guest.player['id']}")["items"]
    ] == [asked["id"]]
    done = bob.call("POST", f"{path}/approve", headers=new_key(), status=200).json()
    assert done["state"] == "done" and done["settled_by"] != done["key"] and gold(guest) == 501
    for act in ("approve", "refuse"):
        bob.call("POST", f"{path}/{act}", headers=new_key(), status=409, code="grant_settled")
    assert bob.get(path) == done and gold(guest) == 501
    assert bob.get(f"/v1/admin/grants?state=waiting&player={guest.player['id']}")["items"] == []


def test_small_grants_above_the_daily_limit_wait_across_a_persons_keys(operator, guest, sql):
    keys = [operator("Ann"), operator("ann")]
    states = [grant(keys[n % 2], guest.player, 500)["state"] for n in range(5)]
    assert states == ["done"] * 4 + ["waiting"] and gold(guest) == 2000
    assert grant(operator("Eve"), guest.player, 500)["state"] == "done"


def test_concurrent_grants_cannot_both_use_the_daily_limit(operator, guest):
    keys, states = [operator("Two") for _ in range(6)], []
    threads = [
        threading.Thread(target=lambda key=key: states.append(grant(key, guest.player, 500)["state"]))
        for key in keys
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(states) == ["done"] * 4 + ["waiting"] * 2 and gold(guest) == 2000


def test_concurrent_approvals_pay_once(operator, guest, sql):
    asked = grant(operator("Mia"), guest.player, 900)
    callers, codes = [operator() for _ in range(5)], []
    threads = [
        threading.Thread(
            target=lambda c=c: codes.append(
                c.call("POST", f"/v1/admin/grants/{asked['id']}/approve", headers=new_key()).status_code
            )
        )
        for c in callers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] + [409] * 4 and gold(guest) == 900
    assert sql("SELECT * FROM q_ledger_check()") == []


def test_a_refused_withdrawn_or_lapsed_grant_moves_no_chips(operator, guest, sql):
    mia, bob = operator("Mia"), operator("Bob")
    back, no, late = (grant(mia, guest.player, 700)["id"] for _ in range(3))
    assert (
        mia.call("POST", f"/v1/admin/grants/{back}/refuse", headers=new_key(), status=200).json()["state"]
        == "refused"
    )
    assert (
        bob.call("POST", f"/v1/admin/grants/{no}/refuse", headers=new_key(), status=200).json()["state"]
        == "refused"
    )
    sql("UPDATE chip_grants SET at = at - interval '7 days' WHERE id = %s", int(late))
    assert bob.get(f"/v1/admin/grants/{late}")["state"] == "lapsed"
    for each in (back, no, late):
        bob.call(
            "POST", f"/v1/admin/grants/{each}/approve", headers=new_key(), status=409, code="grant_settled"
        )
    mine = f"player={guest.player['id']}"
    assert {
        state: [i["id"] for i in bob.get(f"/v1/admin/grants?{mine}&state={state}")["items"]]
        for state in ("waiting", "refused", "lapsed", "done")
    } == {"waiting": [], "refused": [no, back], "lapsed": [late], "done": []}
    assert gold(guest) == 0


def test_a_correction_larger_than_the_balance_remains_pending(operator, guest):
    mia, bob = operator("Mia"), operator("Bob")
    asked = grant(mia, guest.player, -600, reason="correction")
    bob.call(
        "POST",
        f"/v1/admin/grants/{asked['id']}/approve",
        headers=new_key(),
        status=409,
        code="purse_too_small",
    )
    assert bob.get(f"/v1/admin/grants/{asked['id']}")["state"] == "waiting"


@pytest.mark.parametrize(
    "body, code",
    [
        ({"amount": 0}, "out_of_range"),
        ({"amount": 1000001}, "out_of_range"),
        ({"amount": -1000001}, "out_of_range"),
        ({"amount": 1.5}, "wrong_type"),
        ({"currency": "clover"}, "bad_format"),
        ({"reason": "because"}, "bad_format"),
        ({"note": ""}, "bad_length"),
        ({"note": "x" * 201}, "bad_length"),
        ({"player": "1"}, "unknown_member"),
    ],
)
def test_invalid_grants_are_refused(operator, guest, sql, body, code):
    said = (
        operator()
        .call(
            "POST",
            f"/v1/admin/players/{guest.player['id']}/grants",
            {"currency": "gold", "amount": 1, "reason": "prize", "note": "x", **body},
            headers=new_key(),
            status=422,
            code=code,
        )
        .json()
    )
    assert said["errors"][0]["pointer"] == f"/{next(iter(body))}"
    assert sql("SELECT count(*) FROM chip_grants WHERE player_id = %s", int(guest.player["id"])) == [(0,)]


def test_the_ledger_proof_compares_grants_with_transfers(operator, guest, sql):
    done = grant(operator(), guest.player, 10)
    sql("UPDATE chip_grants SET amount = 11 WHERE id = %s", int(done["id"]))
    assert [row[:2] for row in sql("SELECT * FROM q_ledger_check()")] == [
        ("grant_differs", f"grant {done['id']}")
    ]
    sql("UPDATE chip_grants SET amount = 10 WHERE id = %s", int(done["id"]))


def test_unknown_players_and_grants_are_refused(operator, guest, holder):
    mia = operator()
    mia.call(
        "POST",
        "/v1/admin/players/999999/grants",
        {"currency": "gold", "amount": 1, "reason": "prize", "note": "x"},
        headers=new_key(),
        status=404,
        code="player_unknown",
    )
    for act in ("approve", "refuse"):
        mia.call(
            "POST", f"/v1/admin/grants/999999/{act}", headers=new_key(), status=404, code="no_such_grant"
        )
    mia.call("GET", "/v1/admin/grants/999999", status=404, code="no_such_grant")
