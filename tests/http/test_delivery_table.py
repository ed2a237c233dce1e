"""Every row of the tables of webhooks and push services in docs/providers.md: our reaction to each
response."""

import email.utils
import time
import uuid

import pytest
from push_rig import apps, service
from support.cluster import SERVER
from support.contract import Client
from support.provider_table import complete, rows
from support.push_service import Browser, make_key
from support.receiver import Receiver
from support.server import Server
from support.wait import HANG_S

HOOKS, WEB, FCM, APNS = rows("webhooks"), rows("webpush"), rows("fcm"), rows("apns")


@pytest.fixture(scope="module")
def server(cluster, database, tmp_path_factory, service, apps):
    folder = tmp_path_factory.mktemp("server")
    make_key(folder / "key.pem")
    it = Server(
        cluster.conninfo(database, SERVER),
        folder,
        rate_limits="off",
        webhooks_private="on",
        webhook_timeout_ms=5000,  # exceeded only by `silence`
        vapid_key_file=folder / "key.pem",
        push_hosts="127.0.0.1",
        mail_from="noreply@play.example",
        **apps.options,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module", autouse=True)
def slow(server, sql):
    """Delays retries, so that deliveries to be retried stay visible."""
    sql("UPDATE settings SET value = '600' WHERE name = 'delivery_retry_first_s'")


def after_first(sql, where, *values, within=HANG_S):
    """State of the newest delivery after its first try: sent, failed, or to be retried, and after how many
    seconds."""
    end = time.monotonic() + within
    while True:
        found = sql(
            "SELECT sent_at IS NOT NULL, failed_at IS NOT NULL, tries, taken, extract(epoch FROM next_try -"
            f" now()) FROM deliveries WHERE {where} ORDER BY id DESC LIMIT 1",
            *values,
        )
        if not found:
            return "gone", 0
        sent, failed, tries, taken, wait_s = found[0]
        if sent or failed:
            return "sent" if sent else "given up", 0
        if tries and not taken and wait_s > 100:
            return "again", float(wait_s)
        assert time.monotonic() < end, found
        time.sleep(0.02)


def body(text, status=200):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)

    return answer


def cut(handler):
    handler.close_connection = True
    handler.connection.shutdown(2)


def silence(handler):
    handler.rfile.read(1)  # returns once the caller has given up waiting
    handler.close_connection = True


def html_redirect(to):
    return 302, {"Location": to}


LATER = (429, {"Retry-After": "3600"})

ANSWERS = {
    "200": 200,
    "201": 201,
    "202": 202,
    "204": 204,
    "200-body": body(b"<html>thank you</html>"),
    "redirect": html_redirect("http://127.0.0.1:9/"),
    "400": 400,
    "401": 401,
    "403": 403,
    "404": 404,
    "405": 405,
    "408": 408,
    "410": 410,
    "413": 413,
    "422": 422,
    "429": 429,
    "500": 500,
    "503": 503,
    "429-later": LATER,
    "503-date": lambda handler: (
        handler.send_response(503),
        handler.send_header("Retry-After", email.utils.formatdate(time.time() + 3600, usegmt=True)),
        handler.send_header("Content-Length", "0"),
        handler.end_headers(),
    ),
    "cut": cut,
    "silence": silence,
}


def plays(table):
    """The responses that a table lists."""
    return {row.id: ANSWERS[row.id] for row in table if row.id in ANSWERS}


FCM_ANSWERS = {
    "sent": (200, {"name": "projects/rummy-7/messages/1"}),
    "unregistered": (404, {"error": {"status": "NOT_FOUND", "details": [{"errorCode": "UNREGISTERED"}]}}),
    "not-found": (404, {"error": {"status": "NOT_FOUND", "message": "Requested entity was not found."}}),
    "invalid": (
        400,
        {"error": {"status": "INVALID_ARGUMENT", "details": [{"errorCode": "INVALID_ARGUMENT"}]}},
    ),
    "other-project": (
        403,
        {"error": {"status": "PERMISSION_DENIED", "details": [{"errorCode": "SENDER_ID_MISMATCH"}]}},
    ),
    "unauthenticated": (401, {"error": {"status": "UNAUTHENTICATED"}}),
    "quota": (429, {"error": {"status": "RESOURCE_EXHAUSTED", "details": [{"errorCode": "QUOTA_EXCEEDED"}]}}),
    "internal": (500, {"error": {"status": "INTERNAL"}}),
    "unavailable": (503, {"error": {"status": "UNAVAILABLE"}}),
}
APNS_ANSWERS = {
    "sent": (200, {}),
    "unregistered": (410, {"reason": "Unregistered", "timestamp": 1795900000000}),
    "expired": (410, {"reason": "ExpiredToken"}),
    "bad-token": (400, {"reason": "BadDeviceToken"}),
    "other-topic": (400, {"reason": "DeviceTokenNotForTopic"}),
    "bad-topic": (400, {"reason": "BadTopic"}),
    "bad-path": (404, {"reason": "BadPath"}),
    "provider-token": (403, {"reason": "InvalidProviderToken"}),
    "provider-expired": (403, {"reason": "ExpiredProviderToken"}),
    "too-large": (413, {"reason": "PayloadTooLarge"}),
    "too-many": (429, {"reason": "TooManyRequests"}),
    "internal": (500, {"reason": "InternalServerError"}),
    "shutdown": (503, {"reason": "Shutdown"}),
}


def test_the_tables_are_complete():
    for table in (HOOKS, WEB):
        complete(table, plays(table))
    complete(FCM, FCM_ANSWERS)
    complete(APNS, APNS_ANSWERS)


@pytest.mark.parametrize("row", HOOKS, ids=str)
def test_webhooks(server, holder, sql, row):
    receiver, admin = Receiver(), holder("owner")
    key = lambda: {"Idempotency-Key": uuid.uuid4().hex}
    hook = admin.call(
        "POST",
        "/v1/admin/webhooks",
        {"url": receiver.url, "events": ["player.banned"]},
        headers=key(),
        status=201,
    ).json()
    receiver.answers = [ANSWERS[row.id]]
    admin.call("POST", f"/v1/admin/webhooks/{hook['id']}/ping", {}, headers=key(), status=202)
    became, wait_s = after_first(sql, "endpoint_id = %s", int(hook["id"]))
    active = next(i for i in admin.get("/v1/admin/webhooks")["items"] if i["id"] == hook["id"])["active"]
    admin.call("DELETE", f"/v1/admin/webhooks/{hook['id']}")
    receiver.close()
    assert (became if active else "switched off") == row.result.split(",")[0]
    assert (wait_s > 3000) == row.result.endswith("an hour later")


def device(server, subscription):
    client = Client(server).guest()
    it = client.call("POST", "/v1/me/devices", subscription, status=201).json()
    return client, int(it["id"])


def pushed(sql, client, id, result):
    sql("SELECT notify_player(%s, 'season', '{\"season\": 4}')", int(client.player["id"]))
    became, wait_s = after_first(sql, "device_id = %s", id)
    if became == "gone":
        assert client.get("/v1/me/devices")["items"] == []
    left = len(client.get("/v1/me/devices")["items"])
    assert (became if left else "device removed") == result.split(",")[0]
    assert (wait_s > 3000) == result.endswith("an hour later")


@pytest.mark.parametrize("row", WEB, ids=str)
def test_web_push(server, service, sql, row):
    client, id = device(server, Browser(service).subscription)
    service.answers = [ANSWERS[row.id]] * (
        2 if row.id == "cut" else 1
    )  # a closed kept-alive connection is reopened once
    pushed(sql, client, id, row.result)
    service.answers = []


@pytest.mark.parametrize("row", FCM, ids=str)
def test_firebase(server, apps, sql, row):
    client, id = device(server, {"kind": "fcm", "token": uuid.uuid4().hex * 4})
    apps.says = [FCM_ANSWERS[row.id]]
    pushed(sql, client, id, row.result)


@pytest.mark.parametrize("row", APNS, ids=str)
def test_apple(server, apps, sql, row):
    client, id = device(server, {"kind": "apns", "token": uuid.uuid4().hex * 2})
    apps.says = [APNS_ANSWERS[row.id]]
    pushed(sql, client, id, row.result)
