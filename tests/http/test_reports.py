"""The report queue: what an operator sees, that a report is closed once, and that it is logged."""

import uuid

import pytest
from support.contract import Client

SHARES_SERVER = True


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


@pytest.fixture
def reported(server, sql):
    """Two players at a private table; the second has written a message, and the first has reported them."""
    ann, bob = Client(server).guest(), Client(server).guest()
    seat = ann.call(
        "POST", "/v1/tables", {"variant": "rummy51", "seats": 2}, status=201, headers=key()
    ).json()
    bob.call("POST", f"/v1/tables/by-code/{seat['code']}/seats", status=201, headers=key())
    him = bob.get("/v1/me")["id"]
    for n in range(22):
        assert (
            sql(
                "SELECT code FROM do_chat(%s, %s, 1, 'chat', %s, %s)",
                him,
                seat["table_id"],
                f"line {n}",
                f"c{n}",
            )[0][0]
            == "ok"
        )
    report = ann.call(
        "POST",
        f"/v1/tables/{seat['table_id']}/reports",
        {"seat": 1, "reason": "insult", "text": "Look."},
        status=201,
    )
    return {
        "id": report.json()["id"],
        "table": seat["table_id"],
        "reporter": ann.get("/v1/me")["id"],
        "reported": him,
    }


def close(client, report, status=200, code=None, note="warned", headers=None):
    return client.call(
        "POST",
        f"/v1/admin/reports/{report}/close",
        {"note": note},
        status=status,
        code=code,
        headers=headers or key(),
    )


def test_an_operator_reads_the_queue_and_closes_a_report(holder, reported, sql):
    admin = holder("owner")
    # the test in another file may close any report
    last = sql("SELECT coalesce(max(id), 0) FROM audit")[0][0]
    items = admin.get("/v1/admin/reports?limit=100")["items"]
    mine = next(item for item in items if item["id"] == reported["id"])
    assert (mine["reporter"]["player_id"], mine["reported"]["player_id"]) == (
        reported["reporter"],
        reported["reported"],
    )
    assert (mine["table_id"], mine["reason"], mine["text"], mine["state"]) == (
        reported["table"],
        "insult",
        "Look.",
        "open",
    )
    assert [line["text"] for line in mine["chat"]] == [f"line {n}" for n in range(2, 22)], (
        "the last twenty, in order"
    )
    assert mine["open_of_player"] == 1
    headers = key()
    closed = close(admin, reported["id"], headers=headers).json()
    assert (closed["state"], closed["note"], closed["open_of_player"]) == ("closed", "warned", 0) and closed[
        "closed_at"
    ]
    assert close(admin, reported["id"], headers=headers).json() == closed, "a repeat"
    close(admin, reported["id"], status=409, code="report_closed", note="again")
    assert reported["id"] not in [item["id"] for item in admin.get("/v1/admin/reports?limit=100")["items"]]
    log = sql(
        "SELECT action, code, detail FROM audit WHERE action = 'close_report' AND detail->>'report' = %s"
        " AND id > %s ORDER BY id",
        reported["id"],
        last,
    )
    assert [tuple(row) for row in log] == [
        ("close_report", code, {"report": int(reported["id"])})
        for code in ("ok", "repeated", "report_closed")
    ]


def test_the_queue_is_paged_oldest_first(holder, server, sql, reported):
    admin = holder("owner")
    sql(
        "INSERT INTO reports (reporter_id, reported_id, table_id, reason) SELECT p.id, %s, %s, 'other' FROM"
        " (SELECT id FROM players WHERE id NOT IN (%s, %s) ORDER BY id LIMIT 3) p RETURNING id",
        reported["reported"],
        reported["table"],
        reported["reporter"],
        reported["reported"],
    )
    ids, path = [], "/v1/admin/reports?limit=1"
    while path:
        page = admin.get(path)
        ids += [int(item["id"]) for item in page["items"]]
        path = f"/v1/admin/reports?limit=1&cursor={page['next']}" if page["next"] else None
    assert ids == sorted(ids) and int(reported["id"]) in ids and len(ids) == len(set(ids))


def test_other_roles_can_neither_read_nor_close_reports(holder, anyone, guest, reported):
    holder("jobs").call("GET", "/v1/admin/reports", status=403, code="api_key_forbidden")
    close(holder("jobs"), reported["id"], status=403, code="api_key_forbidden")
    anyone.call("GET", "/v1/admin/reports", status=401, code="api_key_missing")
    guest.call("GET", "/v1/admin/reports", status=401, code="api_key_invalid")
    assert reported["id"] in [
        item["id"] for item in holder("owner").get("/v1/admin/reports?limit=100")["items"]
    ]


@pytest.mark.parametrize(
    "report, body, status, code",
    [
        ("999999", {"note": "x"}, 404, "no_such_report"),
        ("x", {"note": "x"}, 400, "bad_parameter"),
        ("1", {}, 422, "missing_member"),
        ("1", {"note": ""}, 422, "bad_length"),
        ("1", {"note": "n" * 201}, 422, "bad_length"),
        ("1", {"note": "x", "ban": True}, 422, "unknown_member"),
    ],
)
def test_invalid_requests_to_close_a_report_are_refused(holder, report, body, status, code):
    holder("owner").call(
        "POST", f"/v1/admin/reports/{report}/close", body, status=status, code=code, headers=key()
    )
