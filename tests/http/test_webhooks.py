"""Outgoing webhooks: sent once per event, signed, retried until accepted, and never sent to forbidden
addresses."""

import threading
import time
import uuid

import pytest
from support.cluster import SERVER
from support.contract import Client
from support.keys import make_key
from support.metrics import Metrics
from support.receiver import Receiver
from support.server import Server
from support.wait import HANG_S, PROVIDER_TIMEOUT_MS, until

EVENTS = ["player.banned", "player.unbanned"]


@pytest.fixture(scope="module")
def server(quiet, cluster, database, tmp_path_factory):
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        rate_limits="off",
        webhooks_private="on",
        webhook_timeout_ms=PROVIDER_TIMEOUT_MS,
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture(scope="module")
def quick(sql):
    """Retries without delay."""
    sql("UPDATE settings SET value = '0' WHERE name = 'delivery_retry_first_s'")
    sql("UPDATE settings SET value = '3' WHERE name = 'delivery_tries_max'")


@pytest.fixture(scope="module")
def admin(holder):
    return holder("owner")


@pytest.fixture
def receiver():
    it = Receiver()
    yield it
    it.close()


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


class Hook:
    def __init__(self, admin, receiver, events=None):
        self.admin, self.receiver = admin, receiver
        made = admin.call(
            "POST",
            "/v1/admin/webhooks",
            {"url": receiver.url, "events": events or EVENTS},
            headers=key(),
            status=201,
        )
        self.json, self.secret = made.json(), made.json()["secret"]
        self.path = f"/v1/admin/webhooks/{self.json['id']}"
        assert made.headers["Location"] == self.path

    def ping(self):
        return self.admin.call("POST", self.path + "/ping", {}, headers=key(), status=202).json()

    def seen(self):
        return next(i for i in self.admin.get("/v1/admin/webhooks")["items"] if i["id"] == self.json["id"])

    def deliveries(self):
        return self.admin.get(self.path + "/deliveries")["items"]

    def until(self, state, within=HANG_S):
        """Waits until the newest delivery is in this state, and returns it."""
        end = time.monotonic() + within
        while (newest := self.deliveries()[0])["state"] != state and time.monotonic() < end:
            time.sleep(0.05)
        assert newest["state"] == state, newest
        return newest


@pytest.fixture
def hook(server, quick, admin, receiver):
    it = Hook(admin, receiver)
    yield it
    admin.call("DELETE", it.path)


# --- events -------------------------------------------------------------------------------------------------


def test_a_ban_is_sent_once_and_signed(server, admin, hook, receiver):
    player = Client(server).guest().player["id"]
    body, once = {"reason": "cheats"}, key()
    for _ in range(2):
        admin.call("POST", f"/v1/admin/players/{player}/ban", body, headers=once, status=200)
    admin.call("POST", f"/v1/admin/players/{player}/unban", body, headers=key(), status=200)
    banned, unbanned = sorted(receiver.wait(2), key=lambda m: m.json["type"])
    assert banned.json == {
        "type": "player.banned",
        "version": 1,
        "timestamp": banned.json["timestamp"],
        "data": {"player_id": player},
    }
    assert (unbanned.json["type"], unbanned.json["data"]) == ("player.unbanned", {"player_id": player})
    for message in (banned, unbanned):
        assert (
            message.signed_by(hook.secret) and abs(int(message.headers["webhook-timestamp"]) - message.at) < 5
        )
        assert message.headers["Content-Type"] == "application/json" and b"cheats" not in message.body
    shown = hook.until("sent")
    assert shown["status"] == 204 and shown["tries"] == 1 and shown["body"]["type"].startswith("player.")
    assert {i["webhook_id"] for i in hook.deliveries()} == {
        banned.id,
        unbanned.id,
    } and banned.id != unbanned.id
    assert hook.secret not in server.log() and receiver.url not in server.log()


def test_only_subscribed_events_are_sent_and_none_to_a_disabled_endpoint(server, admin, hook, receiver):
    player = Client(server).guest().player["id"]
    admin.call("PATCH", hook.path, {"events": ["player.unbanned"]}, status=200)
    admin.call("POST", f"/v1/admin/players/{player}/ban", {"reason": "x"}, headers=key(), status=200)
    assert hook.deliveries() == []
    assert admin.call("PATCH", hook.path, {"active": False}, status=200).json()["active"] is False
    admin.call("POST", f"/v1/admin/players/{player}/unban", {"reason": "x"}, headers=key(), status=200)
    assert hook.deliveries() == []
    ping = hook.ping()
    assert receiver.wait(1)[0].id == ping["webhook_id"], "a ping comes all the same"


def test_a_report_contains_only_ids(server, admin, receiver, quick):
    hook = Hook(admin, receiver, ["report.opened"])
    ann, bob = Client(server).guest(), Client(server).guest()
    seat = ann.call(
        "POST", "/v1/tables", {"variant": "rummy51", "seats": 4}, headers=key(), status=201
    ).json()
    bob.call("POST", f"/v1/tables/by-code/{seat['code']}/seats", headers=key(), status=201)
    for _ in range(2):
        said = ann.call(
            "POST",
            f"/v1/tables/{seat['table_id']}/reports",
            {"seat": 1, "reason": "insult", "text": "Secret words."},
            status=201,
        )
    (message,) = receiver.wait(1)
    assert message.json["data"] == {
        "report_id": said.json()["id"],
        "player_id": bob.player["id"],
        "table_id": seat["table_id"],
        "reason": "insult",
    }
    admin.call("DELETE", hook.path, status=204)


def test_the_end_of_a_season_and_a_deleted_account_are_sent_with_their_data(
    server, admin, receiver, quick, sql
):
    hook = Hook(admin, receiver, ["season.closed", "player.deleted"])
    player = int(Client(server).guest().player["id"])
    sql("INSERT INTO deletions (player_id, due_at) VALUES (%s, now())", player)
    sql("SELECT erase_player(%s)", player)
    sql("SELECT season_finish(s) FROM seasons s WHERE no = (SELECT min(no) FROM seasons)")
    told = {m.json["type"]: m.json["data"] for m in receiver.wait(2)}
    assert told["player.deleted"] == {"player_id": str(player)} and told["season.closed"]["season"] == 1
    admin.call("DELETE", hook.path, status=204)


def test_a_paid_order_is_sent_once_however_often_the_provider_reports_it(new_shop, receiver):
    """From the buyer's order through the provider's signed call to the operator's program, and then the
    refund."""
    shop = new_shop(webhooks_private="on")
    hook = Hook(shop.operator, receiver, ["order.paid", "order.refunded"])
    order, session = shop.bought()
    event = shop.stripe.pay(session)
    shop.tell(event, secret="whsec_of_somebody_else", status=400, code="signature_bad")
    assert hook.deliveries() == [], "unsigned events pay nothing"
    for _ in range(2):
        shop.tell(event)
    (message,) = receiver.wait(1)
    wanted = {
        "order_id": order["id"],
        "player_id": str(shop.player),
        "pack": "gold_300",
        "gold": 300,
        "amount": 499,
        "currency": "eur",
        "provider": "stripe",
        "refunded": 0,
    }
    assert (message.json["type"], message.json["data"]) == ("order.paid", wanted) and message.signed_by(
        hook.secret
    )
    hook.until("sent")
    assert len(hook.deliveries()) == 1
    shop.refund(order, status=200)
    message = receiver.wait(2)[1]
    assert (message.json["type"], message.json["data"]) == (
        "order.refunded",
        {**wanted, "refunded": 499},
    ) and message.signed_by(hook.secret)


# --- secrets ------------------------------------------------------------------------------------------------


def test_the_secret_is_shown_once_and_a_repeat_returns_the_same(server, admin, receiver, sql):
    once, body = key(), {"url": receiver.url, "events": EVENTS}
    first = admin.call("POST", "/v1/admin/webhooks", body, headers=once, status=201).json()
    assert admin.call("POST", "/v1/admin/webhooks", body, headers=once, status=201).json() == first
    (listed,) = [i for i in admin.get("/v1/admin/webhooks")["items"] if i["id"] == first["id"]]
    assert listed == {name: value for name, value in first.items() if name != "secret"}
    raw = first["secret"].removeprefix("whsec_")
    kept = sql(
        "SELECT encode(sealed, 'base64') || (SELECT string_agg(answer::text, '') FROM admin_answers) FROM"
        " webhook_secrets WHERE endpoint_id = %s",
        int(first["id"]),
    )[0][0]
    assert (
        raw not in kept and raw not in str(admin.get("/v1/admin/audit?limit=50")) and raw not in server.log()
    )
    admin.call("DELETE", f"/v1/admin/webhooks/{first['id']}", status=204)


def test_a_new_secret_signs_alongside_the_old_one_for_a_while(hook, admin, receiver, sql):
    new = admin.call("POST", hook.path + "/secret", {}, headers=key(), status=200).json()
    assert new["secret"] != hook.secret and new["old_secret_until"] is not None
    hook.ping()
    (message,) = receiver.wait(1)
    assert message.signed_by(hook.secret) and message.signed_by(new["secret"])
    sql("UPDATE webhook_secrets SET until = now() WHERE until IS NOT NULL")
    hook.ping()
    message = receiver.wait(2)[1]
    assert message.signed_by(new["secret"]) and not message.signed_by(hook.secret)
    third = admin.call("POST", hook.path + "/secret", {}, headers=key(), status=200).json()
    assert (
        admin.call("POST", hook.path + "/secret", {}, headers=key(), status=200).json()["secret"]
        != third["secret"]
    )
    assert sql("SELECT count(*) FROM webhook_secrets WHERE endpoint_id = %s", int(hook.json["id"])) == [(2,)]


# --- retries ------------------------------------------------------------------------------------------------


def test_a_refused_message_is_retried_with_the_same_id_until_accepted(hook, receiver):
    receiver.answers = [500, 302]
    hook.ping()
    messages = receiver.wait(3)
    assert (
        len({m.id for m in messages}) == 1
        and len({m.body for m in messages}) == 1
        and all(m.signed_by(hook.secret) for m in messages)
    )
    assert hook.until("sent")["tries"] == 3 and hook.seen()["failing_since"] is None


def test_a_message_is_given_up_after_all_tries_and_can_be_resent(server, hook, admin, receiver):
    before = Metrics(server)
    receiver.usual = 503
    ping = hook.ping()
    receiver.wait(3)
    failed = hook.until("failed")
    assert (failed["tries"], failed["status"]) == (3, 503) and hook.seen()["failing_since"] is not None
    after = Metrics(server)
    count = lambda outcome: (lambda name: after[name] - before[name])(
        f'rummyd_webhooks_total{{outcome="{outcome}"}}'
    )
    assert (count("again"), count("given_up"), count("sent")) == (2, 1, 0)
    receiver.usual = 204
    admin.call("POST", f"{hook.path}/deliveries/{ping['id']}/redeliver", {}, headers=key(), status=202)
    assert receiver.wait(4)[3].id == ping["webhook_id"]
    hook.until("sent")
    admin.call(
        "POST",
        f"{hook.path}/deliveries/9999999/redeliver",
        {},
        headers=key(),
        status=404,
        code="no_such_delivery",
    )


def test_a_retry_waits_as_long_as_the_receiver_requests(hook, receiver, sql):
    receiver.answers = [(429, {"Retry-After": "3600"})]
    hook.ping()
    receiver.wait(1)
    end = time.monotonic() + HANG_S
    while hook.deliveries()[0]["status"] != 429 and time.monotonic() < end:
        time.sleep(0.05)
    assert (
        3500
        < sql("SELECT extract(epoch FROM next_try - now()) FROM deliveries ORDER BY id DESC LIMIT 1")[0][0]
        <= 3601
    )


def test_an_endpoint_that_returns_410_is_switched_off(server, hook, admin, receiver):
    receiver.answers = [410]
    hook.ping()
    assert hook.until("failed")["status"] == 410
    seen = hook.seen()
    assert seen["active"] is False and seen["off_at"] is not None and server.logged("webhook_switched_off")
    on = admin.call("PATCH", hook.path, {"active": True}, status=200).json()
    assert on["active"] and on["off_at"] is None and on["failing_since"] is None


def test_an_endpoint_that_fails_for_days_is_switched_off(hook, receiver, sql):
    receiver.usual = 500
    sql(
        "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE id = %s",
        int(hook.json["id"]),
    )
    hook.ping()
    hook.until("failed")
    assert hook.seen()["off_at"] is not None
    assert sql("SELECT off_n FROM q_delivery_queue()") == [(1,)]


# --- hostile receivers --------------------------------------------------------------------------------------


def drip(handler):
    """A body that drips and does not end."""
    handler.wfile.write(b"HTTP/1.1 500 No\r\nContent-Length: 100000\r\n\r\n")
    try:
        for _ in range(1000):
            handler.wfile.write(b"x")
            time.sleep(0.1)  # lapse: drop by drop
    except OSError:
        pass
    handler.close_connection = True


def flood(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    try:
        for _ in range(1000):
            handler.wfile.write(b"x" * 1_000_000)
    except OSError:
        handler.close_connection = True


def test_an_endless_response_is_not_read_and_redirects_are_not_followed(hook, receiver):
    elsewhere = Receiver()
    try:
        receiver.answers = [flood, (302, {"Location": elsewhere.url}), (307, {"Location": elsewhere.url})]
        hook.ping()
        assert hook.until("sent", within=HANG_S)["status"] == 200, "the status came before the flood"
        hook.ping()
        hook.until("sent")
        assert len(receiver.wait(4)) == 4 and elsewhere.messages == []
    finally:
        elsewhere.close()


def test_a_silent_receiver_does_not_block_others(new_server, receiver):
    it = new_server(rate_limits="off", webhooks_private="on", webhook_timeout_ms=30000)
    admin, over = Client(it), threading.Event()
    admin.token = make_key(it.owner_db, "owner")

    def hold(handler):
        over.wait(30)
        handler.wfile.write(b"HTTP/1.1 204 OK\r\n\r\n")

    silent = Receiver(usual=hold)
    slow, hook = Hook(admin, silent), Hook(admin, receiver)
    try:
        for _ in range(8):
            slow.ping()
        silent.wait(4)
        hook.ping()
        receiver.wait(1)
        assert len(silent.messages) == 4, "at most 4 at a time"
        over.set()
        silent.wait(8)
    finally:
        over.set()
        silent.close()


def test_a_silent_receiver_times_out(hook, receiver):
    receiver.usual = lambda handler: handler.connection.recv(1)  # until the server closes the connection
    hook.ping()
    receiver.wait(2)
    until(lambda: "imeout" in (hook.deliveries()[-1]["said"] or ""))


def test_an_endless_body_has_the_same_timeout(hook, receiver):
    receiver.answers = [drip]
    hook.ping()
    messages = receiver.wait(2, within=HANG_S)
    assert messages[1].at - messages[0].at < 50, "it drips for 100 s"
    assert hook.until("sent")["tries"] == 2


@pytest.mark.parametrize(
    "url, fault",
    [
        ("http://hooks.example.org/x", "not_https"),
        ("https://hooks.example.org:22/x", "not_https"),
        ("https://127.0.0.1/x", "not_public"),
        ("https://10.1.2.3/x", "not_public"),
        ("https://169.254.169.254/latest", "not_public"),
        ("https://[::1]/x", "not_public"),
        ("https://[::ffff:10.0.0.1]/x", "not_public"),
        ("https://localhost/x", "not_public"),
        ("https://db.internal/x", "not_public"),
        ("https://metadata/x", "not_public"),
        ("https://u:p@hooks.example.org/", "not_a_url"),
        ("https://hooks.example.org/#x", "not_a_url"),
        ("ftp://hooks.example.org/x", "not_a_url"),
        ("hooks.example.org", "not_a_url"),
        ("https://2130706433/x", "not_a_url"),
        ("https://hooks%2eexample.org/x", "not_a_url"),
        ("https://hooks.example.org/a b", "not_a_url"),
        ("https://hooks.exämple.org/", "not_a_url"),
    ],
)
def test_forbidden_addresses_are_refused(strict, url, fault):
    admin, _ = strict
    said = admin.call(
        "POST",
        "/v1/admin/webhooks",
        {"url": url, "events": EVENTS},
        headers=key(),
        status=422,
        code="bad_format",
    ).json()
    assert [(e["pointer"], e["code"]) for e in said["errors"]] == [("/url", fault)]


@pytest.fixture(scope="module")
def strict(cluster, tmp_path_factory):
    """An operator of a server that sends only to the internet, and its database."""
    name = cluster.new_database()
    it = Server(cluster.conninfo(name, SERVER), tmp_path_factory.mktemp("strict"), rate_limits="off").start()
    admin = Client(it)
    admin.token = make_key(it.owner_db, "owner")
    connection = cluster.connect(name)
    yield admin, connection
    connection.close()
    it.stop()
    cluster.drop_database(name)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "2130706433"])
def test_an_address_that_leads_to_this_machine_gets_nothing(strict, receiver, host):
    """As if the address resolved differently when it was configured."""
    admin, connection = strict
    receiver_port = receiver.http.server_address[1]
    receiver.url = "https://hooks.example.org/x"
    hook = Hook(admin, receiver)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE webhook_endpoints SET url = %s WHERE id = %s",
            (f"https://{host}:{receiver_port}/", int(hook.json["id"])),
        )
    hook.ping()
    failed = hook.until("failed")
    assert (failed["status"], failed["said"], failed["tries"]) == (None, "the address is private", 1)
    admin.call("DELETE", hook.path, status=204)


@pytest.mark.parametrize(
    "body, code",
    [
        ({"events": EVENTS}, "missing_member"),
        ({"url": "https://a.example/"}, "missing_member"),
        ({"url": "https://a.example/", "events": []}, "bad_format"),
        ({"url": "https://a.example/", "events": ["order.paid", "order.paid"]}, "bad_format"),
        ({"url": "https://a.example/", "events": ["ping"]}, "bad_format"),
        ({"url": "https://a.example/", "events": ["order.eaten"]}, "bad_format"),
        ({"url": "https://a.example/", "events": "order.paid"}, "wrong_type"),
        ({"url": "https://a.example/", "events": [7]}, "wrong_type"),
        ({"url": "https://a.example/" + "a" * 500, "events": EVENTS}, "bad_length"),
        ({"url": "https://a.example/", "events": EVENTS, "secret": "x"}, "unknown_member"),
    ],
)
def test_invalid_webhooks_are_refused(admin, body, code):
    before = admin.get("/v1/admin/webhooks")
    admin.call("POST", "/v1/admin/webhooks", body, headers=key(), status=422, code=code)
    assert admin.get("/v1/admin/webhooks") == before


def test_the_number_of_webhooks_is_limited(admin, receiver, sql):
    sql(
        "UPDATE settings SET value = (SELECT count(*) FROM webhook_endpoints)::text WHERE name ="
        " 'webhooks_max'"
    )
    admin.call(
        "POST",
        "/v1/admin/webhooks",
        {"url": receiver.url, "events": EVENTS},
        headers=key(),
        status=409,
        code="too_many_webhooks",
    )
    sql("UPDATE settings SET value = '16' WHERE name = 'webhooks_max'")


# --- killed servers, and several ----------------------------------------------------------------------------


def test_a_message_not_recorded_before_a_kill_is_resent_with_the_same_id(new_server, cluster, receiver):
    it = new_server(rate_limits="off", webhooks_private="on")
    connection = cluster.connect(it.database)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE settings SET value = '1' WHERE name = 'delivery_lease_s'")
    admin = Client(it)
    admin.token = make_key(it.owner_db, "owner")
    hook = Hook(admin, receiver)
    receiver.answers = [lambda handler: it.kill()]
    hook.ping()
    receiver.wait(1)
    it.process.wait(HANG_S)
    it.start()
    first, second = receiver.wait(2)
    assert first.id == second.id and first.body == second.body and second.signed_by(hook.secret)
    assert hook.until("sent")["tries"] == 2
    connection.close()


def test_two_servers_send_each_message_once(server, hook, cluster, database, tmp_path, receiver, sql):
    with_it = Server(
        cluster.conninfo(database, SERVER), tmp_path, rate_limits="off", webhooks_private="on", node="n2"
    ).start()
    try:
        # lapse: a slow receiver
        receiver.usual = lambda handler: (time.sleep(0.01), handler.wfile.write(b"HTTP/1.1 204 OK\r\n\r\n"))
        sql(
            "SELECT webhook_put('player.banned', jsonb_build_object('player_id', n::text)) FROM"
            " generate_series(1, 60) n"
        )
        messages = receiver.wait(60, within=HANG_S)
        assert len({m.id for m in messages}) == 60
        unsent = "SELECT count(*) FROM deliveries WHERE endpoint_id IS NOT NULL AND sent_at IS NULL"
        until(lambda: sql(unsent) == [(0,)])
        assert len(receiver.messages) == 60
        hook.until("sent")
    finally:
        assert with_it.stop() == 0
