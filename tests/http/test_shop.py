"""The shop against a stand-in of Stripe: gold once for each paid order, whatever happens on the way."""

import itertools
import os
import random
import subprocess
import threading
import time
import uuid

import pytest
import requests

from support.cluster import RUMMYD
from support.contract import Client
from support.server import Server
from support.stripe import KEY, SECRET, Stripe

SECRETS = {"RUMMYD_STRIPE_KEY": KEY, "RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET}
WITHOUT = {name: value for name, value in os.environ.items() if not name.startswith("RUMMYD_")}
ENV = {**WITHOUT, **SECRETS, "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}


@pytest.fixture(scope="module")
def shared_stripe():
    it = Stripe()
    yield it
    it.close()


@pytest.fixture
def stripe():
    it = Stripe()
    yield it
    it.close()


class Shop:
    """A server with cards, its database, and a buyer."""

    def __init__(self, server, stripe, connection):
        self.server, self.stripe, self.connection = server, stripe, connection
        self.buyer = Client(server).guest()
        self.player = int(self.buyer.player["id"])

    def sql(self, statement, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def order(self, pack="gold_300", key=None, provider="stripe", **more):
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self.buyer.call("POST", "/v1/shop/orders", {"pack": pack, "provider": provider}, headers=headers, **more)

    def bought(self, **more):
        """An open order and the session at which to pay it."""
        order = self.order(status=201, **more).json()
        assert order["state"] == "pending"
        return order, order["pay_url"].split("/pay/")[1].split("#")[0]

    def tell(self, event, status=200, code=None, **signing):
        body, header = self.stripe.signed(event, **signing)
        return self.tell_raw(body, header, status, code)

    def tell_raw(self, body, header, status=200, code=None):
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if header is not None:
            headers["Stripe-Signature"] = header
        return Client(self.server).call("POST", "/v1/shop/webhooks/stripe", data=body, headers=headers, status=status, code=code)

    def gold(self):
        return self.buyer.get("/v1/wallet")["gold"]

    def state(self, order):
        return self.buyer.get(f"/v1/shop/orders/{order['id']}")["state"]

    def spend(self, gold):
        self.sql("SELECT ledger_post('grant', 'spent:' || gen_random_uuid(), NULL, '', ARRAY[ROW(account_purse(%s, 'gold'), -%s, 'grant'),"
                 " ROW(account_house('grant', 'gold'), %s, 'grant')]::ledger_leg[])", self.player, gold, gold)

    def postings(self):
        items = self.buyer.get("/v1/wallet/postings?limit=100")["items"]
        return [(p["cause"], p["amount"]) for p in reversed(items) if p["currency"] == "gold"]

    def proven(self):
        """ledger-check as an operator runs it."""
        done = subprocess.run([RUMMYD, "ledger-check", f"--db={self.server.options['db']}"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return True


@pytest.fixture
def new_shop(new_server, stripe, cluster):
    made = []

    def make(env=ENV, **options):
        options = {"rate_limits": "off", "pay_timeout_ms": 400, "pay_ask_s": 0, "stripe_url": stripe.url, **options}
        server = new_server(env=env, **options)
        connection = cluster.connect(server.database)
        shop = Shop(server, stripe, connection)
        made.append(shop)
        return shop

    yield make
    for shop in made:
        shop.connection.close()


@pytest.fixture(scope="module")
def shared(cluster, database, shared_stripe, tmp_path_factory):
    """One server with cards, for what needs none of its own."""
    server = Server(cluster.conninfo(database), tmp_path_factory.mktemp("shop"), env=ENV, rate_limits="off", pay_timeout_ms=400,
                    pay_ask_s=0, stripe_url=shared_stripe.url).start()
    connection = cluster.connect(database)
    yield server, connection
    connection.close()
    assert server.stop() == 0, server.log()[-2000:]
    assert KEY not in server.log() and SECRET not in server.log()


@pytest.fixture
def shop(shared, shared_stripe):
    """A new buyer at the shared server, and Stripe as if nothing had been."""
    shared_stripe.forget()
    it = Shop(shared[0], shared_stripe, shared[1])
    settings = it.sql("SELECT name, value FROM settings WHERE name LIKE 'shop_%%'")
    yield it
    for name, value in settings:
        it.sql("UPDATE settings SET value = %s WHERE name = %s", value, name)
    assert it.proven()


@pytest.fixture
def own_shop(new_shop):
    it = new_shop()
    yield it
    assert it.proven()
    assert it.server.stop() == 0, it.server.log()[-2000:]
    assert KEY not in it.server.log() and SECRET not in it.server.log()


# --- packs and what is off ---------------------------------------------------------------------------


def test_packs_are_shown_with_prices_and_a_tag(shop):
    answer = Client(shop.server).call("GET", "/v1/shop/packs", status=200)
    packs = answer.json()
    assert [(p["id"], p["gold"]) for p in packs["items"]] == [("gold_100", 100), ("gold_300", 300), ("gold_1000", 1000)]
    assert packs["providers"] == ["stripe"]
    again = Client(shop.server).call("GET", "/v1/shop/packs", headers={"If-None-Match": answer.headers["ETag"]}, status=304)
    assert again.headers["ETag"] == answer.headers["ETag"]


def test_prices_are_the_operators_and_an_order_keeps_its_own(own_shop):
    shop = own_shop
    before, session = shop.bought(pack="gold_100")
    shop.sql("UPDATE shop_packs SET price_minor = 777, currency = 'usd' WHERE id = 'gold_100'")
    shop.sql("UPDATE shop_packs SET on_sale = false WHERE id = 'gold_300'")
    time.sleep(1.1)  # packs are read once a second for everybody
    items = {p["id"]: p for p in Client(shop.server).get("/v1/shop/packs")["items"]}
    assert set(items) == {"gold_100", "gold_1000"} and (items["gold_100"]["amount"], items["gold_100"]["currency"]) == (777, "usd")
    shop.order(pack="gold_300", status=404, code="no_such_pack")
    shop.tell(shop.stripe.pay(session))
    assert (shop.state(before), shop.gold()) == ("paid", 100)
    after, session = shop.bought(pack="gold_100")
    assert (after["amount"], after["currency"]) == (777, "usd")
    assert shop.stripe.sessions[session]["amount_total"] == 777


def test_without_configuration_packs_are_shown_and_buying_is_off(new_shop):
    shop = new_shop(env=WITHOUT, stripe_url=None)
    packs = Client(shop.server).get("/v1/shop/packs")
    assert len(packs["items"]) == 3 and packs["providers"] == []
    shop.order(status=409, code="shop_off")
    shop.tell({"id": "evt_1", "type": "x", "data": {"object": {}}}, status=409, code="shop_off")
    assert shop.sql("SELECT count(*) FROM shop_orders") == [(0,)]
    assert shop.buyer.get("/v1/shop/orders") == {"items": [], "next": None}


@pytest.mark.parametrize("env, flags, said", [
    ({"RUMMYD_STRIPE_KEY": KEY}, [], "stripe_webhook_secret_file: missing"),
    ({"RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET}, [], "stripe_key_file: missing"),
    ({"RUMMYD_STRIPE_KEY": "sk", "RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET}, [], "stripe_key: under 16 bytes"),
    ({"RUMMYD_STRIPE_KEY": KEY, "RUMMYD_STRIPE_WEBHOOK_SECRET": "w"}, [], "stripe_webhook_secret: under 16 bytes"),
    ({"RUMMYD_STRIPE_KEY": "k" * 300}, [], "stripe_key: longer than"),
    ({}, ["--stripe_key_file=/nowhere"], "stripe_key_file: cannot read"),
    ({}, ["--stripe_key=x"], "there is no such flag"),
    ({}, ["--stripe_url=ftp://x"], "stripe_url: must begin with https://"),
    ({}, ["--public_url=x"], "public_url: must begin with"),
    ({}, ["--pay_timeout_ms=1"], "pay_timeout_ms"),
])
def test_half_a_configuration_refuses_to_start(env, flags, said, tmp_path):
    done = subprocess.run([RUMMYD, "serve", "--dev", "--db=host=/nowhere", "--db_wait_s=0", *flags], env={**WITHOUT, **env},
                          capture_output=True, text=True, timeout=20)
    assert done.returncode != 0 and said in done.stderr, done.stderr


def test_plain_http_to_stripe_is_for_dev_only_and_secrets_are_not_in_the_file(tmp_path):
    secret = tmp_path / "jwt"
    secret.write_text("0123456789abcdefghijklmnopqrstuvwxyz")
    done = subprocess.run([RUMMYD, "serve", f"--jwt_secret_file={secret}", "--stripe_url=http://127.0.0.1:1"], env=WITHOUT,
                          capture_output=True, text=True, timeout=20)
    assert done.returncode != 0 and "stripe_url: must begin with https://" in done.stderr
    config = tmp_path / "rummyd.conf"
    config.write_text("stripe_key = sk_live_1234567890123456\n")
    done = subprocess.run([RUMMYD, "serve", f"--config={config}"], env=WITHOUT, capture_output=True, text=True, timeout=20)
    assert done.returncode != 0 and "stripe_key: not in this file; use stripe_key_file or RUMMYD_STRIPE_KEY" in done.stderr


def test_secrets_may_stand_in_files(new_shop, tmp_path):
    (tmp_path / "key").write_text(KEY + "\n")
    (tmp_path / "secret").write_text(SECRET + "\n")
    env = {**ENV}
    for name in SECRETS:
        del env[name]
    shop = new_shop(env=env, stripe_key_file=tmp_path / "key", stripe_webhook_secret_file=tmp_path / "secret")
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    assert shop.state(order) == "paid"


# --- orders --------------------------------------------------------------------------------------------


def test_from_the_order_to_the_gold(shop):
    order, session = shop.bought()
    assert (order["gold"], order["amount"], order["currency"], order["provider"]) == (300, 499, "eur", "stripe")
    form = shop.stripe.requests[0][2]
    assert form["line_items[0][price_data][unit_amount]"] == "499" and form["success_url"].endswith("/shop?paid=" + form["client_reference_id"])
    assert shop.gold() == 0
    shop.tell(shop.stripe.pay(session))
    assert shop.gold() == 300
    paid = shop.buyer.get(f"/v1/shop/orders/{order['id']}")
    assert paid["state"] == "paid" and paid["paid_at"] and paid["pay_url"] is None
    posting = shop.buyer.get("/v1/wallet/postings")["items"][0]
    assert (posting["cause"], posting["amount"], posting["text"]) == ("shop", 300, "Gold bought")
    assert shop.buyer.get("/v1/shop/orders")["items"] == [paid]


def test_orders_are_their_buyers_alone(shop):
    order, _ = shop.bought()
    stranger = Client(shop.server).guest()
    stranger.call("GET", f"/v1/shop/orders/{order['id']}", status=404, code="no_such_order")
    assert stranger.get("/v1/shop/orders")["items"] == []
    Client(shop.server).call("GET", "/v1/shop/orders", status=401, code="token_missing")
    shop.buyer.call("GET", "/v1/shop/orders/x", status=400, code="bad_parameter")
    shop.buyer.call("GET", "/v1/shop/orders?cursor=x", status=400, code="bad_cursor")


@pytest.mark.parametrize("body, status, code", [
    ({}, 422, "missing_member"), ({"pack": "gold_100"}, 422, "missing_member"),
    ({"pack": "gold_100", "provider": "stripe", "gold": 1}, 422, "unknown_member"),
    ({"pack": "Gold", "provider": "stripe"}, 422, "bad_format"), ({"pack": 1, "provider": "stripe"}, 422, "wrong_type"),
    ({"pack": "", "provider": "stripe"}, 422, "bad_length"), ({"pack": "gold_100", "provider": "paypal"}, 409, "shop_off"),
    ({"pack": "gold_7", "provider": "stripe"}, 404, "no_such_pack"),
])
def test_what_is_no_order(shop, body, status, code):
    shop.buyer.call("POST", "/v1/shop/orders", body, headers={"Idempotency-Key": "k"}, status=status, code=code)
    assert shop.buyer.get("/v1/shop/orders")["items"] == [] and shop.stripe.requests == []


def test_a_repeat_is_the_same_order(shop):
    first = shop.order(key="once", status=201).json()
    assert shop.order(key="once", status=201).json() == first
    shop.order(key="once", pack="gold_100", status=422, code="idempotency_key_reused")
    assert len(shop.stripe.sessions) == 1 and len(shop.stripe.requests) == 1
    shop.buyer.call("POST", "/v1/shop/orders", {"pack": "gold_100", "provider": "stripe"}, status=400, code="idempotency_key_missing")


def test_one_at_a_time_may_buy_so_much_and_the_banned_nothing(shop):
    for _ in range(5):
        shop.order(status=201)
    shop.order(status=409, code="too_many_orders")
    shop.sql("UPDATE players SET banned_at = now() WHERE id = %s", shop.player)
    shop.order(status=403, code="account_banned")


# --- Stripe misbehaves while an order is opened ------------------------------------------------------------


@pytest.mark.parametrize("manner", ["cut", "cut_after", "cut_half", "hang", "500", "503", "429", "409"])
def test_a_call_that_gets_no_answer_is_said_again_with_the_same_key(shop, manner):
    shop.stripe.manners[:] = [manner]
    order, session = shop.bought()
    keys = {headers["Idempotency-Key"] for _, _, _, headers in shop.stripe.requests}
    assert len(shop.stripe.requests) == 2 and len(keys) == 1 and len(shop.stripe.sessions) == 1
    shop.tell(shop.stripe.pay(session))
    assert (shop.state(order), shop.gold()) == ("paid", 300)


@pytest.mark.parametrize("manners", [["hang"] * 3, ["cut_after"] * 3, ["500"] * 3, ["garbage"], ["huge"] * 3, ["401"]])
def test_when_nobody_answers_the_order_waits_for_its_repeat(shop, manners):
    shop.stripe.manners[:] = manners
    answer = shop.order(key="again", status=503, code="payment_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["pay_url"]) == ("created", None)
    shop.stripe.manners.clear()
    opened = shop.order(key="again", status=201).json()
    assert (opened["id"], opened["state"]) == (order["id"], "pending")
    assert len(shop.stripe.sessions) == 1


@pytest.mark.parametrize("manner", ["400", "404"])
def test_an_order_stripe_refuses_has_failed(shop, manner):
    shop.stripe.manners[:] = [manner]
    shop.order(key="no", status=502, code="payment_refused")
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["why"]) == ("failed", "refused by the provider")
    assert shop.order(key="no", status=201).json()["state"] == "failed"
    assert len(shop.stripe.requests) == 1 and "stand-in says" in shop.server.log()


def test_a_slow_stripe_holds_up_nobody_else(new_shop):
    shop = new_shop(pay_timeout_ms=3000)
    shop.stripe.manners[:] = ["hang"] * 8
    buyers = [Client(shop.server).guest() for _ in range(8)]

    def buy(client):
        client.call("POST", "/v1/shop/orders", {"pack": "gold_100", "provider": "stripe"}, headers={"Idempotency-Key": "k"})

    threads = [threading.Thread(target=buy, args=(b,)) for b in buyers]
    for t in threads:
        t.start()
    until = time.monotonic() + 5
    while len(shop.stripe.requests) < 4 and time.monotonic() < until:
        time.sleep(0.02)
    began = time.monotonic()
    Client(shop.server).register()  # argon2 has workers of its own
    shop.gold()
    assert time.monotonic() - began < 2
    # And the server can stop: what waits for Stripe is given up.
    began = time.monotonic()
    assert shop.server.stop() == 0
    assert time.monotonic() - began < 10
    for t in threads:
        t.join(15)


# --- webhooks ------------------------------------------------------------------------------------------------


def test_a_forged_or_stale_call_changes_nothing(shop):
    order, session = shop.bought()
    event = shop.stripe.pay(session)
    now = int(time.time())
    body, good = shop.stripe.signed(event)
    for header in (None, "", "t=1", "v1=" + "0" * 64, f"t={now},v1=" + "0" * 64, f"t={now},v1=zz", good.replace("v1=", "v0="),
                   good.replace(f"t={now}", f"t={now + 1}"), f"t=x{good}", good.split(",")[1], f"t=-5,{good.split(',')[1]}",
                   good[:-1]):
        shop.tell_raw(body, header, 400, "signature_bad")
    shop.tell_raw(body + b" ", good, 400, "signature_bad")
    shop.tell_raw(body.replace(b"499", b"500"), good, 400, "signature_bad")
    shop.tell_raw(b"", good, 400, "signature_bad")
    shop.tell(event, secret="whsec_of_somebody_else", status=400, code="signature_bad")
    for age in (-310, -86400, 310, 10**9):
        shop.tell(event, at=now + age, status=400, code="signature_stale")
    assert shop.sql("SELECT count(*) FROM shop_events WHERE order_id = %s", int(order["id"])) == [(0,)] and shop.gold() == 0
    # While the secret is being changed Stripe signs with both; within the window a clock may be off.
    shop.tell_raw(body, "t=%s,v1=%s,%s" % (now, "0" * 64, good.split(",", 1)[1]))
    assert shop.gold() == 300
    shop.tell(event, at=now - 290)
    assert shop.gold() == 300


@pytest.mark.parametrize("body", [
    b"x", b"[]", b"{}", b'{"id": "evt_1"}', b'{"id": "evt_1", "type": "charge.refunded", "data": []}', b'{"id": 1, "type": "x", "data": {"object": {}}}',
    b'{"id": "a", "id": "b", "type": "x", "data": {"object": {}}}', b"\xff\xfe",
    b'{"id": "' + b"e" * 200 + b'", "type": "x", "data": {"object": {}}}'])
def test_a_signed_call_that_makes_no_sense_is_refused(shop, body):
    shop.tell(body, status=400, code="event_bad")


def test_odd_members_of_a_signed_call_do_no_harm(shop):
    odd = [None, 7, [], {}, "x" * 5000, "a\u202eb", -1, 2**62, True]
    for kind in ("checkout.session.completed", "checkout.session.expired", "charge.refunded", "charge.dispute.created", "charge.dispute.closed", "ping"):
        for i, value in enumerate(odd):
            thing = {name: value for name in ("id", "client_reference_id", "payment_intent", "amount_total", "currency", "metadata",
                                              "amount_refunded", "status", "payment_status")}
            shop.tell({"id": f"evt_c_{kind}_{i}", "type": kind, "data": {"object": thing}})
    assert shop.sql("SELECT count(*) FROM shop_events WHERE event_id LIKE 'evt_c%%' AND order_id IS NOT NULL") == [(0,)]


def test_the_wire_of_the_webhook(shop):
    url = shop.server.url + "/v1/shop/webhooks/stripe"
    assert requests.post(url, data=b"{}", headers={"Content-Type": "text/plain"}).json()["code"] == "unsupported_media_type"
    big = b"{" + b" " * (256 * 1024) + b"}"
    assert requests.post(url, data=big, headers={"Content-Type": "application/json"}).json()["code"] == "body_too_large"
    pieces = (big[i : i + 4096] for i in range(0, len(big), 4096))
    assert requests.post(url, data=pieces, headers={"Content-Type": "application/json"}).json()["code"] == "body_too_large"
    # In pieces it is the same body.
    order, session = shop.bought()
    body, header = shop.stripe.signed(shop.stripe.pay(session))
    pieces = (body[i : i + 100] for i in range(0, len(body), 100))
    assert requests.post(url, data=pieces, headers={"Content-Type": "application/json", "Stripe-Signature": header}).status_code == 200
    assert shop.gold() == 300


def test_events_of_others_are_passed_over(shop):
    order, session = shop.bought()
    theirs = {"id": "cs_of_another_shop", "client_reference_id": "their own", "payment_status": "paid", "amount_total": 499, "currency": "eur"}
    shop.tell(shop.stripe.event("checkout.session.completed", theirs))
    shop.tell(shop.stripe.event("checkout.session.completed", {**theirs, "client_reference_id": str(uuid.uuid4())}))
    shop.tell(shop.stripe.event("invoice.paid", theirs))
    assert shop.gold() == 0 and shop.state(order) == "pending"
    assert shop.sql("SELECT count(*) FROM shop_events WHERE order_id = %s OR order_id IS NULL AND kind = 'paid'", int(order["id"])) == [(0,)]


def test_duplicates_at_once_credit_once(shop):
    order, session = shop.bought()
    body, header = shop.stripe.signed(shop.stripe.pay(session))
    other, other_header = shop.stripe.signed(shop.stripe.keep_promise(session))
    answers = []

    def tell(i):
        answers.append(shop.tell_raw(*((body, header) if i % 2 else (other, other_header))).status_code)

    threads = [threading.Thread(target=tell, args=(i,)) for i in range(24)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert answers == [200] * 24
    assert shop.postings() == [("shop", 300)]


def test_payments_that_take_days(shop):
    good, session = shop.bought()
    shop.tell(shop.stripe.promise(session))
    assert (shop.state(good), shop.gold()) == ("pending", 0)
    shop.tell(shop.stripe.keep_promise(session))
    assert (shop.state(good), shop.gold()) == ("paid", 300)
    bad, session = shop.bought()
    shop.tell(shop.stripe.promise(session))
    shop.tell(shop.stripe.keep_promise(session, good=False))
    assert (shop.state(bad), shop.gold()) == ("failed", 300)


def test_another_amount_than_was_asked_for_is_for_a_person_to_look_at(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session, amount_total=1))
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    assert shop.sql("SELECT reason FROM shop_flags WHERE order_id = %s", int(order["id"])) == [("amount_differs",)]


# --- money that goes back ---------------------------------------------------------------------------------------


def test_a_refund_takes_the_gold_back_in_proportion(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    part, whole = shop.stripe.refund(session, 250), shop.stripe.refund(session, 499)
    for event in (part, part):
        shop.tell(event)
        assert (shop.state(order), shop.gold()) == ("paid", 300 - 150)
    shop.tell(whole)
    shop.tell(part)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    assert shop.postings() == [("shop", 300), ("shop_back", -150), ("shop_back", -150)]


def test_refunds_out_of_order_count_the_most(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    part, whole = shop.stripe.refund(session, 250), shop.stripe.refund(session, 499, metadata=False)
    shop.tell(whole)
    shop.tell(part)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_what_was_spent_is_flagged(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.spend(220)
    shop.tell(shop.stripe.refund(session, 499))
    it = shop.buyer.get(f"/v1/shop/orders/{order['id']}")
    assert (it["state"], it["gold_back"], it["gold_short"], shop.gold()) == ("refunded", 80, 220, 0)
    assert shop.sql("SELECT reason, gold FROM shop_flags WHERE order_id = %s", int(order["id"])) == [("gold_short", 220)]


def test_a_charge_back_that_is_won_gives_the_gold_again(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.spend(100)
    shop.tell(shop.stripe.dispute(session))
    shop.tell(shop.stripe.dispute(session, kind="funds_withdrawn"))
    assert (shop.state(order), shop.gold()) == ("disputed", 0)
    shop.tell(shop.stripe.dispute(session, status="won", kind="closed"))
    assert (shop.state(order), shop.gold()) == ("paid", 200)
    flags = shop.sql("SELECT reason, gold, settled_at IS NOT NULL FROM shop_flags WHERE order_id = %s", int(order["id"]))
    assert flags == [("gold_short", 100, True)]
    shop.tell(shop.stripe.dispute(session))  # heard of late
    assert (shop.state(order), shop.gold()) == ("paid", 200)


def test_a_charge_back_that_is_lost_keeps_it(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.tell(shop.stripe.dispute(session, status="warning_needs_response"))
    assert (shop.state(order), shop.gold()) == ("paid", 300)  # only a question so far
    shop.tell(shop.stripe.dispute(session, status="lost", kind="closed"))
    assert (shop.state(order), shop.gold()) == ("charged_back", 0)
    shop.tell(shop.stripe.refund(session, 499))
    assert (shop.state(order), shop.gold()) == ("charged_back", 0)


def history(stripe, session):
    return [stripe.pay(session), stripe.refund(session, 100), stripe.refund(session, 250, metadata=False),
            stripe.dispute(session), stripe.dispute(session, status="won", kind="closed")]


@pytest.mark.parametrize("turn", range(8))
def test_any_order_with_duplicates_ends_the_same(shop, turn):
    """Five facts in many orders, each told twice: paid, a part refunded, a dispute won."""
    orders = list(itertools.permutations(range(5)))
    random.Random(turn).shuffle(orders)
    for places in orders[:4]:
        before = shop.gold()
        order, session = shop.bought()
        events = history(shop.stripe, session)
        for body, header in [shop.stripe.signed(events[i]) for i in places for _ in range(2)]:
            headers = {"Content-Type": "application/json", "Stripe-Signature": header}
            assert requests.post(shop.server.url + "/v1/shop/webhooks/stripe", data=body, headers=headers).status_code == 200
        assert (shop.state(order), shop.gold() - before) == ("paid", 150), places
        assert shop.sql("SELECT count(*) FROM shop_moves WHERE order_id = %s AND what = 'paid'", int(order["id"])) == [(1,)]


# --- a webhook that never comes -----------------------------------------------------------------------------------


def test_looking_at_an_order_asks_for_it(shop):
    order, session = shop.bought()
    event = shop.stripe.pay(session)
    asked = len(shop.stripe.requests)
    assert shop.state(order) == "pending" and len(shop.stripe.requests) == asked  # it is seconds old: not yet
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_look_s'")
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    assert len(shop.stripe.requests) == asked + 1
    shop.tell(event)
    shop.state(order)
    assert shop.postings() == [("shop", 300)] and len(shop.stripe.requests) == asked + 1


@pytest.mark.parametrize("manner", ["cut", "hang", "500", "garbage", "other", "401"])
def test_looking_while_stripe_is_away_shows_what_is_known(shop, manner):
    order, session = shop.bought()
    shop.stripe.pay(session)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_look_s'")
    shop.stripe.manners[:] = [manner] * 3
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    shop.stripe.manners.clear()
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_an_order_nobody_paid_ends(shop):
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_look_s'")
    order, session = shop.bought()
    assert shop.state(order) == "pending"
    shop.stripe.expire(session)
    assert shop.state(order) == "expired"
    lost, session = shop.bought()
    del shop.stripe.sessions[session]
    assert shop.state(lost) == "pending"  # it could still be paid
    order, session = shop.bought()
    shop.tell(shop.stripe.expire(session))
    assert shop.state(order) == "expired"
    shop.tell(shop.stripe.pay(session))  # the money has come all the same
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_the_shop_asks_by_itself(new_shop):
    shop = new_shop(pay_ask_s=1)
    paid, one = shop.bought()
    waiting, two = shop.bought()
    gone, three = shop.bought()
    shop.stripe.pay(one)
    shop.stripe.expire(three)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_ask_first_s'")
    shop.stripe.manners[:] = ["500", "cut"]
    until = time.monotonic() + 15
    while time.monotonic() < until:
        states = dict(shop.sql("SELECT id::text, state FROM shop_orders"))
        if (states[paid["id"]], states[gone["id"]]) == ("paid", "expired"):
            break
        time.sleep(0.1)
    assert states == {paid["id"]: "paid", waiting["id"]: "pending", gone["id"]: "expired"}
    assert shop.gold() == 300
    assert shop.server.stop() == 0 and shop.proven()


# --- the server is killed --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["cut", "cut_after"])
def test_killed_while_stripe_opens_the_order(own_shop, manner):
    shop = own_shop
    def kill(_):
        shop.server.kill()
        return manner

    shop.stripe.manners[:] = [kill]
    with pytest.raises(requests.ConnectionError):
        shop.order(key="mine")
    shop.server.start()
    opened = shop.order(key="mine", status=201).json()
    assert opened["state"] == "pending" and len(shop.stripe.sessions) == 1
    assert shop.sql("SELECT count(*) FROM shop_orders") == [(1,)]
    shop.tell(shop.stripe.pay(next(iter(shop.stripe.sessions))))
    assert shop.gold() == 300


def test_killed_before_the_buyer_was_told_and_paid_all_the_same(own_shop):
    """The session is there, the server is not, and Stripe tells of the money while the order is still `created`."""
    shop = own_shop

    def kill(_):
        shop.server.kill()

    shop.stripe.manners[:] = [kill]
    with pytest.raises(requests.ConnectionError):
        shop.order(key="mine")
    shop.server.start()
    shop.tell(shop.stripe.pay(next(iter(shop.stripe.sessions))))
    order = shop.order(key="mine", status=201).json()
    assert (order["state"], shop.gold()) == ("paid", 300)


@pytest.mark.parametrize("committed", [False, True])
def test_killed_within_the_webhook(own_shop, cluster, committed):
    """The statement waits for a lock; the server dies; it is done (or not) without anybody hearing of it."""
    shop = own_shop
    order, session = shop.bought()
    body, header = shop.stripe.signed(shop.stripe.pay(session))
    holder = cluster.connect(shop.server.database)
    holder.autocommit = False
    with holder.cursor() as cursor:
        cursor.execute("SELECT 1 FROM shop_orders WHERE id = %s FOR UPDATE", (int(order["id"]),))
    lost = []

    def tell():
        try:
            shop.tell_raw(body, header)
        except requests.ConnectionError:
            lost.append(True)

    thread = threading.Thread(target=tell)
    thread.start()
    waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    until = time.monotonic() + 10
    while not (found := shop.sql(waiting)) and time.monotonic() < until:
        time.sleep(0.02)
    shop.server.kill()
    thread.join()
    assert lost
    if not committed:
        shop.sql("SELECT pg_terminate_backend(%s)", found[0][0])
    holder.rollback()
    holder.close()
    until = time.monotonic() + 10
    while committed and not shop.sql("SELECT 1 FROM shop_orders WHERE state = 'paid'") and time.monotonic() < until:
        time.sleep(0.02)
    shop.server.start()
    assert (shop.sql("SELECT state FROM shop_orders")[0][0] == "paid") == committed
    shop.tell_raw(body, header)
    assert shop.gold() == 300 and shop.postings() == [("shop", 300)]


def test_killed_at_any_moment(own_shop):
    """Thirty orders, the server killed at thirty moments of their lives; Stripe tells again until it is heard."""
    shop = own_shop
    rng = random.Random(51)
    shop.sql("UPDATE settings SET value = '100' WHERE name = 'shop_open_orders_max'")
    paid = 0
    for turn in range(30):
        key, pack = f"turn-{turn}", rng.choice(["gold_100", "gold_300"])
        timer = threading.Timer(rng.random() * 0.03, shop.server.kill)
        timer.start()
        for _ in range(4):
            try:
                order = shop.order(key=key, pack=pack, status=201).json()
                if order["state"] == "pending":
                    shop.tell(shop.stripe.pay(order["pay_url"].split("/pay/")[1].split("#")[0]))
                break
            except requests.ConnectionError:
                timer.join()
                if shop.server.process.poll() is not None:
                    shop.server.start()
        timer.join()
        if shop.server.process.poll() is not None:
            shop.server.start()
        paid += {"gold_100": 100, "gold_300": 300}[pack]
    # What was not heard is told again, as Stripe does for three days.
    for session in shop.stripe.sessions:
        shop.tell(shop.stripe.pay(session))
        shop.tell(shop.stripe.pay(session))
    assert len(shop.stripe.sessions) == 30
    assert shop.sql("SELECT count(*), sum(gold) FROM shop_orders WHERE state = 'paid'") == [(30, paid)]
    assert shop.gold() == paid and len(shop.postings()) == 30
