"""GET /v1/admin/status: the identity and permissions of a key, the pending items that it may see, players
online, nodes."""

import uuid

import pytest
from support.contract import Client

WAITING = ["reports", "flags", "grants", "lost_tables", "jobs", "webhooks"]
SEEN = {
    "jobs": {"jobs"},
    "support": {"reports", "flags", "grants", "jobs"},
    "money": {"flags", "grants", "jobs"},
    "games": {"reports", "lost_tables", "jobs"},
    "owner": set(WAITING),
}


@pytest.fixture(scope="module")
def owner(holder):
    return holder("owner")


def status_of(client):
    return client.get("/v1/admin/status")


@pytest.mark.parametrize("role", SEEN)
def test_a_key_sees_its_role_and_its_pending_items(holder, sql, role):
    told = status_of(holder(role))
    assert told["key"]["role"] == role and told["key"]["scope"] is None
    assert set(told["actions"]) == {
        action
        for action, roles in sql("SELECT action, roles FROM admin_rights()")
        if role == "owner" or role in roles
    }
    assert {kind for kind in WAITING if told["waiting"][kind] is not None} == SEEN[role]


def test_a_scoped_key_sees_its_permitted_actions(owner, server):
    body = {
        "name": uuid.uuid4().hex,
        "role": "support",
        "holder": "Mia",
        "scope": "reports:read players:write",
    }
    client = Client(server)
    client.token = owner.call(
        "POST", "/v1/admin/keys", body, headers={"Idempotency-Key": uuid.uuid4().hex}, status=201
    ).json()["secret"]
    told = status_of(client)
    assert told["key"]["scope"] == "reports:read players:write"
    assert {"read:reports", "read:players", "ban"} <= set(told["actions"]) and not {
        "close_report",
        "read:orders",
    } & set(told["actions"])
    assert told["waiting"] == {**dict.fromkeys(WAITING), "reports": told["waiting"]["reports"]}


def test_the_status_counts_players_tables_and_overdue_jobs(owner, server, guest, sql):
    before = status_of(owner)
    assert guest.take_seat().status_code == 201
    sql(
        "UPDATE jobs SET done_at = now() - interval '1 year', since = now() - interval '1 year' WHERE job ="
        " 'upkeep'"
    )
    after = status_of(owner)
    assert after["waiting"]["jobs"] >= 1
    assert after["play"]["people"] == before["play"]["people"] + 1
    assert (
        after["play"]["waiting"] + after["play"]["playing"]
        == before["play"]["waiting"] + before["play"]["playing"] + 1
    )
    (node,) = [n for n in after["nodes"] if n["tables"] > 0]
    assert node["alive"] and node["starts"] >= 1 and node["people"] == after["play"]["people"]
    sql("UPDATE node_leases SET alive_at = now() - interval '1 day' WHERE node <> %s", node["name"])
    assert [n["name"] for n in status_of(owner)["nodes"] if n["alive"]] == [node["name"]]


def test_reading_the_status_is_logged(owner):
    status_of(owner)
    newest = owner.get("/v1/admin/audit?limit=1&action=read:status")["items"]
    assert [(i["action"], i["code"]) for i in newest] == [("read:status", "ok")]
