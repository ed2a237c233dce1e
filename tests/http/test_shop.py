"""Packs and orders: what is on sale, how an order is opened while Stripe misbehaves, and how an order is
queried if no webhook reports it."""

import email.utils
import subprocess
import threading
import time

import pytest
from shop_rig import ENV, KEY, SECRET, SECRETS, WITHOUT, Shop
from support.cluster import RUMMYD
from support.contract import Client
from support.times import promised
from support.wait import HANG_S

# --- packs and what is off ---------------------------------------------------------------------------


def test_packs_are_listed_with_prices_and_an_etag(shop):
    answer = Client(shop.server).call("GET", "/v1/shop/packs", status=200)
    packs = answer.json()
    assert [(p["id"], p["gold"]) for p in packs["items"]] == [
        ("gold_100", 100),
        ("gold_300", 300),
        ("gold_1000", 1000),
    ]
    assert packs["providers"] == ["stripe"]
    again = Client(shop.server).call(
        "GET", "/v1/shop/packs", headers={"If-None-Match": answer.headers["ETag"]}, status=304
    )
    assert again.headers["ETag"] == answer.headers["ETag"]


def test_operators_set_prices_and_an_order_keeps_its_price(own_shop):
    shop = own_shop
    before, session = shop.bought(pack="gold_100")
    shop.sql("UPDATE shop_packs SET price_minor = 777, currency = 'usd' WHERE id = 'gold_100'")
    shop.sql("UPDATE shop_packs SET on_sale = false WHERE id = 'gold_300'")
    until = time.monotonic() + HANG_S  # packs are read once per second for all players
    while (items := {p["id"]: p for p in Client(shop.server).get("/v1/shop/packs")["items"]}).keys() != {
        "gold_100",
        "gold_1000",
    } and time.monotonic() < until:
        time.sleep(0.05)
    assert set(items) == {"gold_100", "gold_1000"} and (
        items["gold_100"]["amount"],
        items["gold_100"]["currency"],
    ) == (777, "usd")
    shop.order(pack="gold_300", status=404, code="no_such_pack")
    shop.tell(shop.stripe.pay(session))
    assert (shop.state(before), shop.gold()) == ("paid", 100)
    after, session = shop.bought(pack="gold_100")
    assert (after["amount"], after["currency"]) == (777, "usd")
    assert shop.stripe.sessions[session]["amount_total"] == 777


def test_without_configuration_packs_are_listed_and_buying_is_off(new_shop):
    shop = new_shop(env=WITHOUT, stripe_url=None)
    packs = Client(shop.server).get("/v1/shop/packs")
    assert len(packs["items"]) == 3 and packs["providers"] == []
    shop.order(status=409, code="shop_off")
    shop.tell({"id": "evt_1", "type": "x", "data": {"object": {}}}, status=409, code="shop_off")
    assert shop.sql("SELECT count(*) FROM shop_orders") == [(0,)]
    assert shop.buyer.get("/v1/shop/orders") == {"items": [], "next": None}


@pytest.mark.parametrize(
    "env, flags, said",
    [
        ({"RUMMYD_STRIPE_KEY": KEY}, [], "stripe_webhook_secret_file: missing"),
        ({"RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET}, [], "stripe_key_file: missing"),
        (
            {"RUMMYD_STRIPE_KEY": "sk", "RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET},
            [],
            "stripe_key: must have at least 16 bytes",
        ),
        (
            {"RUMMYD_STRIPE_KEY": KEY, "RUMMYD_STRIPE_WEBHOOK_SECRET": "w"},
            [],
            "stripe_webhook_secret: must have at least 16 bytes",
        ),
        ({"RUMMYD_STRIPE_KEY": "k" * 300}, [], "stripe_key: longer than"),
        ({}, ["--stripe_key_file=/nowhere"], "stripe_key_file: cannot read"),
        ({}, ["--stripe_key=x"], "unknown flag"),
        ({}, ["--stripe_url=ftp://x"], "stripe_url: must begin with https://"),
        ({}, ["--stripe_page_host=https://x"], "stripe_page_host: must be a lowercase host name"),
        ({}, ["--public_url=x"], "public_url: must begin with"),
        ({}, ["--pay_timeout_ms=1"], "pay_timeout_ms"),
    ],
)
def test_an_incomplete_configuration_prevents_startup(env, flags, said, tmp_path):
    done = subprocess.run(
        [RUMMYD, "serve", "--dev", "--db=host=/nowhere", "--db_wait_s=0", *flags],
        env={**WITHOUT, **env},
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode != 0 and said in done.stderr, done.stderr


def test_plain_http_to_stripe_is_for_dev_and_secrets_are_not_in_the_file(tmp_path):
    secret = tmp_path / "jwt"
    secret.write_text("0123456789abcdefghijklmnopqrstuvwxyz")
    done = subprocess.run(
        [RUMMYD, "serve", f"--jwt_secret_file={secret}", "--stripe_url=http://127.0.0.1:1"],
        env=WITHOUT,
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode != 0 and "stripe_url: must begin with https://" in done.stderr
    config = tmp_path / "rummyd.conf"
    config.write_text("stripe_key = sk_live_1234567890123456\n")
    done = subprocess.run(
        [RUMMYD, "serve", f"--config={config}"], env=WITHOUT, capture_output=True, text=True, timeout=HANG_S
    )
    assert (
        done.returncode != 0
        and "stripe_key: must not be in this file; use stripe_key_file or RUMMYD_STRIPE_KEY" in done.stderr
    )


def test_secrets_can_be_read_from_files(new_shop, tmp_path):
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


def test_an_order_is_paid_and_credits_the_gold(shop):
    order, session = shop.bought()
    assert (order["gold"], order["amount"], order["currency"], order["provider"]) == (
        300,
        499,
        "eur",
        "stripe",
    )
    form = shop.stripe.requests[0][2]
    assert form["line_items[0][price_data][unit_amount]"] == "499" and form["success_url"].endswith(
        "/shop?paid=" + form["client_reference_id"]
    )
    assert shop.gold() == 0
    shop.tell(shop.stripe.pay(session))
    assert shop.gold() == 300
    paid = shop.buyer.get(f"/v1/shop/orders/{order['id']}")
    assert paid["state"] == "paid" and paid["paid_at"] and paid["pay_url"] is None
    posting = shop.buyer.get("/v1/wallet/postings")["items"][0]
    assert (posting["cause"], posting["amount"]) == ("shop", 300)
    assert shop.buyer.get("/v1/shop/orders")["items"] == [paid]


def test_orders_are_visible_only_to_their_buyer(shop):
    order, _ = shop.bought()
    stranger = Client(shop.server).guest()
    stranger.call("GET", f"/v1/shop/orders/{order['id']}", status=404, code="no_such_order")
    assert stranger.get("/v1/shop/orders")["items"] == []
    Client(shop.server).call("GET", "/v1/shop/orders", status=401, code="token_missing")
    shop.buyer.call("GET", "/v1/shop/orders/x", status=400, code="bad_parameter")
    shop.buyer.call("GET", "/v1/shop/orders?cursor=x", status=400, code="bad_cursor")


@pytest.mark.parametrize(
    "body, status, code",
    [
        ({}, 422, "missing_member"),
        ({"pack": "gold_100"}, 422, "missing_member"),
        ({"pack": "gold_100", "provider": "stripe", "gold": 1}, 422, "unknown_member"),
        ({"pack": "Gold", "provider": "stripe"}, 422, "bad_format"),
        ({"pack": 1, "provider": "stripe"}, 422, "wrong_type"),
        ({"pack": "", "provider": "stripe"}, 422, "bad_length"),
        ({"pack": "gold_100", "provider": "paypal"}, 409, "shop_off"),
        ({"pack": "gold_7", "provider": "stripe"}, 404, "no_such_pack"),
    ],
)
def test_invalid_orders_are_refused(shop, body, status, code):
    shop.buyer.call(
        "POST", "/v1/shop/orders", body, headers={"Idempotency-Key": "k"}, status=status, code=code
    )
    assert shop.buyer.get("/v1/shop/orders")["items"] == [] and shop.stripe.requests == []


def test_a_repeat_returns_the_same_order(shop):
    first = shop.order(key="once", status=201).json()
    assert shop.order(key="once", status=201).json() == first
    shop.order(key="once", pack="gold_100", status=422, code="idempotency_key_reused")
    assert len(shop.stripe.sessions) == 1 and len(shop.stripe.requests) == 1
    shop.buyer.call(
        "POST",
        "/v1/shop/orders",
        {"pack": "gold_100", "provider": "stripe"},
        status=400,
        code="idempotency_key_missing",
    )


def test_open_orders_are_limited_and_banned_players_cannot_order(shop):
    for _ in range(5):
        shop.order(status=201)
    shop.order(status=409, code="too_many_orders")
    shop.sql(
        "UPDATE players SET banned_at = now() - interval '1 hour' WHERE id = %s", shop.player
    )  # their token is taken
    shop.order(status=403, code="account_banned")


def test_a_purchase_above_the_limit_is_refused(shop):
    buyer = shop.buyer
    buyer.call("PATCH", "/v1/me/limits", {"purchases_per_day": 600}, status=200)
    shop.order(pack="gold_300", status=201)
    shop.order(pack="gold_300", key="two", status=403, code="limit_purchases")
    assert len(buyer.get("/v1/shop/orders")["items"]) == len(shop.stripe.sessions) == 1
    assert buyer.get("/v1/me/limits")["purchases_today"] == 499
    shop.order(pack="gold_300", key="two", status=403, code="limit_purchases")
    buyer.call("PATCH", "/v1/me/limits", {"exclude_days": 1}, status=200)
    shop.order(pack="gold_100", status=403, code="limit_excluded")


# --- Stripe misbehaves while an order is opened ------------------------------------------------------------


@pytest.mark.parametrize("manner", ["cut", "cut_after", "cut_half", "hang", "500", "503", "429", "409"])
def test_an_unanswered_call_is_retried_with_the_same_key(shop, manner):
    shop.stripe.manners[:] = [manner]
    order, session = shop.bought()
    keys = {headers["Idempotency-Key"] for _, _, _, headers in shop.stripe.requests}
    assert len(shop.stripe.requests) == 2 and len(keys) == 1 and len(shop.stripe.sessions) == 1
    shop.tell(shop.stripe.pay(session))
    assert (shop.state(order), shop.gold()) == ("paid", 300)


@pytest.mark.parametrize(
    "manners", [["hang"] * 3, ["cut_after"] * 3, ["500"] * 3, ["garbage"], ["huge"] * 3, ["401"]]
)
def test_an_order_waits_for_its_repeat_while_stripe_does_not_answer(shop, manners):
    shop.stripe.manners[:] = manners
    answer = shop.order(key="again", status=503, code="payment_unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["pay_url"]) == ("created", None)
    shop.stripe.manners.clear()
    opened = shop.order(key="again", status=201).json()
    assert (opened["id"], opened["state"]) == (order["id"], "pending")
    assert len(shop.stripe.sessions) == 1


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_stripe_gets_no_requests_during_a_requested_pause(new_shop, form):
    """This includes requests about other buyers' orders. Events that Stripe sends are applied as usual."""
    shop = new_shop()
    after = "3600" if form == "seconds" else email.utils.formatdate(time.time() + 3600, usegmt=True)
    order, session = shop.paid()
    another, its_session = shop.bought()
    serve, asked = shop.stripe.serve, len(shop.stripe.requests)
    shop.stripe.serve = lambda *_: (429, {"error": {"message": "slow down"}}, {"Retry-After": after})
    shop.order(key="first", status=503, code="payment_unavailable")
    assert len(shop.stripe.requests) == asked + 1
    shop.stripe.serve = serve
    shop.order(key="first", status=503, code="payment_unavailable")
    Shop(shop.server, shop.stripe, shop.connection).order(status=503, code="payment_unavailable")
    shop.refund(order, status=503, code="payment_unavailable")
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    assert (shop.state(order), shop.state(another)) == ("refunding", "pending")
    assert len(shop.stripe.requests) == asked + 1
    shop.tell(shop.stripe.pay(its_session))
    assert shop.state(another) == "paid"


@pytest.mark.parametrize(
    "url",
    [
        "http://checkout.stripe.com/c/pay/x",
        "https://checkout.stripe.com.evil.example/c/pay/x",
        "javascript:alert(1)",
    ],
)
def test_buyers_are_sent_only_to_stripe(shop, url):
    shop.stripe.sends_to = url
    shop.order(key="where", status=503, code="payment_unavailable")
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["pay_url"]) == ("created", None)
    assert shop.server.logged("no url of https://checkout.stripe.com") and "evil" not in shop.server.log()


def test_a_custom_stripe_domain_can_be_configured(new_shop):
    shop = new_shop(stripe_page_host="pay.play.example")
    shop.stripe.sends_to = "https://pay.play.example/c/pay/x"
    assert shop.order(status=201).json()["pay_url"] == shop.stripe.sends_to


@pytest.mark.parametrize("manner", ["400", "404"])
def test_an_order_refused_by_stripe_has_failed(shop, manner):
    shop.stripe.manners[:] = [manner]
    shop.order(key="no", status=502, code="payment_refused")
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["why"]) == ("failed", "refused")
    assert shop.order(key="no", status=201).json()["state"] == "failed"
    assert len(shop.stripe.requests) == 1 and shop.server.logged("stand-in says")


def test_a_slow_stripe_does_not_block_other_requests(new_shop):
    shop = new_shop(pay_timeout_ms=3000)
    shop.stripe.manners[:] = ["hang"] * 8
    buyers = [Client(shop.server).guest() for _ in range(8)]

    def buy(client):
        client.call(
            "POST",
            "/v1/shop/orders",
            {"pack": "gold_100", "provider": "stripe"},
            headers={"Idempotency-Key": "k"},
        )

    threads = [threading.Thread(target=buy, args=(b,)) for b in buyers]
    for t in threads:
        t.start()
    until = time.monotonic() + HANG_S
    while len(shop.stripe.requests) < 4 and time.monotonic() < until:
        time.sleep(0.02)
    began = time.monotonic()
    Client(shop.server).register()  # argon2 has its own workers
    shop.gold()
    promised("a registration while Stripe hangs", time.monotonic() - began, 2)
    # The server can also stop, because it abandons requests to Stripe.
    began = time.monotonic()
    assert shop.server.stop() == 0
    promised("a stop while Stripe hangs", time.monotonic() - began, 10)
    for t in threads:
        t.join(HANG_S)


# --- a webhook that never arrives ---------------------------------------------------------------------------


def test_reading_an_order_queries_stripe(shop):
    order, session = shop.bought()
    event = shop.stripe.pay(session)
    asked = len(shop.stripe.requests)
    # it is only seconds old, so it is not queried yet
    assert shop.state(order) == "pending" and len(shop.stripe.requests) == asked
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    assert len(shop.stripe.requests) == asked + 1
    shop.tell(event)
    shop.state(order)
    assert shop.postings() == [("shop", 300)] and len(shop.stripe.requests) == asked + 1


@pytest.mark.parametrize("manner", ["cut", "hang", "500", "garbage", "other", "401"])
def test_while_stripe_is_unavailable_the_last_known_state_is_shown(shop, manner):
    order, session = shop.bought()
    shop.stripe.pay(session)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    shop.stripe.manners[:] = [manner] * 3
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    shop.stripe.manners.clear()
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_an_unpaid_order_ends(shop):
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    order, session = shop.bought()
    assert shop.state(order) == "pending"
    shop.stripe.expire(session)
    assert shop.state(order) == "expired"
    lost, session = shop.bought()
    del shop.stripe.sessions[session]
    assert shop.state(lost) == "pending"  # the session could still be paid
    order, session = shop.bought()
    shop.tell(shop.stripe.expire(session))
    assert shop.state(order) == "expired"
    shop.tell(shop.stripe.pay(session))  # the money has arrived nevertheless
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_the_shop_polls_pending_orders(new_shop):
    shop = new_shop(pay_poll_s=1)
    paid, one = shop.bought()
    waiting, two = shop.bought()
    gone, three = shop.bought()
    shop.stripe.pay(one)
    shop.stripe.expire(three)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_first_s'")
    shop.stripe.manners[:] = ["500", "cut"]
    until = time.monotonic() + HANG_S
    while time.monotonic() < until:
        states = dict(shop.sql("SELECT id::text, state FROM shop_orders"))
        if (states[paid["id"]], states[gone["id"]]) == ("paid", "expired"):
            break
        time.sleep(0.1)
    assert states == {paid["id"]: "paid", waiting["id"]: "pending", gone["id"]: "expired"}
    assert shop.gold() == 300
    assert shop.server.stop() == 0 and shop.proven()
