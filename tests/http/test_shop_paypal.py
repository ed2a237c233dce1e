"""PayPal: orders, captures, its webhook, refunds, and disputes, while PayPal misbehaves."""

import subprocess
import threading
import uuid

import pytest
from shop_rig import EVERY_ENV
from support.cluster import RUMMYD
from support.contract import Client
from support.wait import HANG_S


def asked(shop, path):
    return [r for r in shop.paypal.requests if r[1].startswith(path)]


# --- what is enabled ----------------------------------------------------------------------------------------


def test_all_payment_providers_are_listed(every_shop):
    assert Client(every_shop.server).get("/v1/shop/packs")["providers"] == ["stripe", "paypal", "sms"]


@pytest.mark.parametrize(
    "left_out, flags, said",
    [
        ("RUMMYD_PAYPAL_SECRET", [], "paypal_secret_file: missing, although other settings of"),
        ("RUMMYD_PAYPAL_CLIENT_ID", [], "paypal_client_id: missing"),
        ("RUMMYD_PAYPAL_WEBHOOK_ID", [], "paypal_webhook_id: missing"),
        ("RUMMYD_SMS_NUMBER", [], "sms_number: missing, although other settings of SMS are set"),
        ("RUMMYD_SMS_SECRET", [], "sms_secret_file: missing"),
        (None, ["--sms_number=+49"], "sms_number: must be at most 15 digits"),
        (None, ["--sms_keyword=GOLD BAR"], "sms_keyword: must be 1 to 20 letters and digits"),
        (None, ["--paypal_client_id=a:b"], "paypal_client_id: must be printable"),
        (None, ["--paypal_url=http://x"], "paypal_url: must begin with https://"),
        (None, ["--paypal_secret=x"], "unknown flag"),
    ],
)
def test_an_incomplete_provider_prevents_startup(tmp_path, left_out, flags, said):
    secret = tmp_path / "jwt"
    secret.write_text("0123456789abcdef0123456789abcdef-jwt")
    secret.chmod(0o600)
    env = {name: value for name, value in EVERY_ENV.items() if name != left_out}
    done = subprocess.run(
        [RUMMYD, "serve", f"--jwt_secret_file={secret}", "--db=dbname=nowhere", "--db_wait_s=0", *flags],
        env=env,
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode != 0 and said in done.stderr


# --- an order -----------------------------------------------------------------------------------------------


def test_an_order_is_approved_captured_and_credited_once(every_shop):
    shop = every_shop
    order, name = shop.paypal_order()
    _, _, form, headers = asked(shop, "/v2/checkout/orders")[0]
    [(token,)] = shop.sql("SELECT token::text FROM shop_orders WHERE id = %s", int(order["id"]))
    unit = form["purchase_units"][0]
    assert unit["custom_id"] == headers["PayPal-Request-Id"] == token and unit["amount"] == {
        "currency_code": "EUR",
        "value": "4.99",
    }
    assert form["payment_source"]["paypal"]["experience_context"]["return_url"].endswith(
        f"/shop?paid={token}"
    )
    approved = shop.paypal.approve(name)
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    shop.tell_paypal(approved)
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    for event in (approved, shop.paypal.captured(name), shop.paypal.captured(name)):
        shop.tell_paypal(event)
    assert shop.postings() == [("shop", 300)] and len(shop.paypal.captures) == 1


def test_the_order_of_a_returning_buyer_is_captured(every_shop):
    shop = every_shop
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    order, name = shop.paypal_order()
    assert shop.state(order) == "pending" and not shop.paypal.captures
    approved = shop.paypal.approve(name)
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    shop.tell_paypal(approved)
    assert shop.postings() == [("shop", 300)] and len(shop.paypal.captures) == 1


def test_one_access_token_serves_many_requests_and_is_replaced_if_lost(every_shop):
    shop = every_shop
    shop.paypal_order()  # forgets the previous test's access token
    shop.paypal_order()
    assert len(asked(shop, "/v1/oauth2/token")) == 1
    shop.paypal.bearers.clear()
    shop.paypal_order()
    assert len(asked(shop, "/v1/oauth2/token")) == 2
    shop.paypal.bearer_s = 60  # expires immediately
    try:
        shop.paypal.bearers.clear()
        shop.paypal_order()
        shop.paypal_order()
    finally:
        del shop.paypal.bearer_s
        shop.paypal.bearer_s = 32400
    assert len(asked(shop, "/v1/oauth2/token")) == 4


@pytest.mark.parametrize("manner", ["cut", "cut_after", "cut_half", "500", "503", "429", "409", "hang"])
def test_a_lost_answer_makes_one_order(every_shop, manner):
    shop = every_shop
    shop.paypal.manners[:] = [manner]
    order, name = shop.paypal_order()
    assert (
        len(shop.paypal.orders) == 1
        and len({h["PayPal-Request-Id"] for _, _, _, h in asked(shop, "/v2/checkout/orders")}) == 1
    )
    shop.tell_paypal(shop.paypal.approve(name))
    assert shop.gold() == 300


@pytest.mark.parametrize("manners", [["cut"] * 3, ["500"] * 3, ["garbage"], ["huge"] * 3, ["401", "401"]])
def test_an_order_can_be_repeated_after_paypal_was_unavailable(every_shop, manners):
    shop = every_shop
    shop.paypal.manners[:] = manners
    shop.order(provider="paypal", key="mine", status=503, code="payment_unavailable")
    shop.paypal.manners.clear()
    order = shop.order(provider="paypal", key="mine", status=201).json()
    assert order["state"] == "pending" and len(shop.paypal.orders) == 1


@pytest.mark.parametrize(
    "site",
    [
        "http://www.paypal.com",
        "https://www.paypal.com.evil.example",
        "javascript:alert(1)//https://www.paypal.com",
    ],
)
def test_buyers_are_sent_only_to_paypal(every_shop, site):
    shop = every_shop
    shop.paypal.site = site
    shop.order(provider="paypal", key="where", status=503, code="payment_unavailable")
    [order] = shop.buyer.get("/v1/shop/orders")["items"]
    assert (order["state"], order["pay_url"]) == ("created", None)
    assert shop.server.logged("no PayPal page") and "evil" not in shop.server.log()


def test_the_paypal_sandbox_is_accepted(every_shop):
    every_shop.paypal.site = "https://www.sandbox.paypal.com"
    order, name = every_shop.paypal_order()
    assert order["pay_url"] == f"https://www.sandbox.paypal.com/checkoutnow?token={name}"


@pytest.mark.parametrize(
    "manner", ["cut", "cut_after", "cut_half", "hang", "500", "garbage", "other", "409", "401"]
)
def test_a_capture_with_a_lost_answer_takes_the_money_once(every_shop, manner):
    shop = every_shop
    order, name = shop.paypal_order()
    shop.paypal.approve(name)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    seen = []

    def at_capture(handler):
        seen.append(handler.path)
        return manner if handler.path.endswith("/capture") else None

    shop.paypal.manners[:] = [at_capture] * 2
    for _ in range(3):
        shop.state(order)
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    assert len(shop.paypal.captures) == 1 and any(path.endswith("/capture") for path in seen)
    shop.tell_paypal(shop.paypal.captured(name))
    assert shop.postings() == [("shop", 300)]


def test_a_declined_card_does_not_end_the_order(every_shop):
    shop = every_shop
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    order, name = shop.paypal_order()
    shop.paypal.declined.add(name)
    shop.paypal.approve(name)
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    shop.paypal.declined.clear()
    assert (shop.state(order), shop.gold()) == ("paid", 300)


@pytest.mark.parametrize("good", [True, False])
def test_a_delayed_payment_is_credited_or_fails_later(every_shop, good):
    shop = every_shop
    order, name = shop.paypal_order()
    shop.paypal.pending.add(name)
    shop.tell_paypal(shop.paypal.approve(name))
    shop.tell_paypal(shop.paypal.captured(name))
    assert (shop.state(order), shop.gold()) == ("pending", 0)
    shop.tell_paypal(shop.paypal.decide(name, good))
    assert (shop.state(order), shop.gold()) == (("paid", 300) if good else ("failed", 0))


@pytest.mark.parametrize(
    "price, currency, value",
    [(1000, "jpy", "1000"), (199000, "huf", "1990"), (5, "usd", "0.05"), (100000, "gbp", "1000.00")],
)
def test_amounts_are_exact_in_every_currency(every_shop, price, currency, value):
    shop = every_shop
    [(old_price, old_currency)] = shop.sql(
        "SELECT price_minor, currency FROM shop_packs WHERE id = 'gold_100'"
    )
    shop.sql("UPDATE shop_packs SET price_minor = %s, currency = %s WHERE id = 'gold_100'", price, currency)
    try:
        order, name = shop.paypal_order(pack="gold_100")
    finally:
        shop.sql(
            "UPDATE shop_packs SET price_minor = %s, currency = %s WHERE id = 'gold_100'",
            old_price,
            old_currency,
        )
    assert shop.paypal.orders[name]["purchase_units"][0]["amount"] == {
        "currency_code": currency.upper(),
        "value": value,
    }
    shop.tell_paypal(shop.paypal.approve(name))
    assert (shop.state(order), shop.gold()) == ("paid", 100)


def test_an_amount_that_paypal_does_not_support_is_refused(every_shop):
    shop = every_shop
    shop.sql("UPDATE shop_packs SET price_minor = 199050, currency = 'huf' WHERE id = 'gold_100'")
    try:
        shop.order(provider="paypal", pack="gold_100", status=502, code="payment_refused")
    finally:
        shop.sql("UPDATE shop_packs SET price_minor = 199, currency = 'eur' WHERE id = 'gold_100'")
    assert not shop.paypal.orders


# --- the webhook --------------------------------------------------------------------------------------------


def test_a_forged_call_changes_nothing(every_shop):
    shop = every_shop
    order, name = shop.paypal_order()
    approved = shop.paypal.approve(name)
    shop.tell_paypal(approved, forged=True, status=400, code="signature_bad")
    body, headers = shop.paypal.signed(approved)
    for missing in headers:
        less = {k: v for k, v in headers.items() if k != missing}
        shop.call_hook("paypal", body, less, 400, "signature_bad")
    other = {**headers, "Paypal-Transmission-Id": str(uuid.uuid4())}
    shop.call_hook("paypal", body, other, 400, "signature_bad")
    shop.call_hook("paypal", body.replace(name.encode(), b"X" * len(name)), headers, 400, "signature_bad")
    assert (shop.state(order), shop.gold(), shop.paypal.captures) == ("pending", 0, {})


@pytest.mark.parametrize(
    "body",
    [
        b"x",
        b"[]",
        b"{}",
        b'{"id": "WH-1"}',
        b'{"id": "WH-1", "event_type": "X", "resource": []}',
        b'{"id": "W", "id": "W", "event_type": "X", "resource": {}}',
        b"\xff\xfe",
        b'{"id": "WH 1", "event_type": "X", "resource": {}}',
    ],
)
def test_a_malformed_call_is_refused_without_querying_paypal(every_shop, body):
    every_shop.tell_paypal(body, status=400, code="event_bad")
    assert not every_shop.paypal.requests


def test_unusual_members_of_a_signed_call_are_harmless(every_shop):
    shop = every_shop
    odd = [
        None,
        7,
        [],
        {},
        [[]],
        "x" * 5000,
        "a\u202eb",
        {"value": "1e9", "currency_code": "EUR"},
        {"value": "-1.00", "currency_code": "€€€"},
        True,
    ]
    for kind in (
        "CHECKOUT.ORDER.APPROVED",
        "PAYMENT.CAPTURE.COMPLETED",
        "PAYMENT.CAPTURE.REFUNDED",
        "PAYMENT.CAPTURE.REVERSED",
        "PAYMENT.REFUND.FAILED",
        "CUSTOMER.DISPUTE.CREATED",
        "CUSTOMER.DISPUTE.RESOLVED",
        "PING",
    ):
        for value in odd:
            thing = dict.fromkeys(
                (
                    "id",
                    "custom_id",
                    "amount",
                    "links",
                    "status",
                    "supplementary_data",
                    "purchase_units",
                    "seller_payable_breakdown",
                    "dispute_id",
                    "disputed_transactions",
                    "dispute_outcome",
                ),
                value,
            )
            shop.tell_paypal(shop.paypal.event(kind, thing))
    assert shop.gold() == 0


@pytest.mark.parametrize("manners", [["cut"] * 3, ["500"] * 3, ["hang"] * 3])
def test_calls_are_refused_for_retry_while_paypal_is_unavailable(every_shop, manners):
    shop = every_shop
    order, name = shop.paypal_order()
    event = shop.paypal.approve(name)
    shop.paypal.manners[:] = manners
    shop.tell_paypal(event, status=503, code="payment_unavailable")
    shop.paypal.manners.clear()
    shop.tell_paypal(event)
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_orders_of_other_shops_are_ignored_and_never_captured(every_shop):
    shop = every_shop
    _, name = shop.paypal_order()
    with shop.paypal.lock:
        theirs = {
            **shop.paypal.orders[name],
            "id": "THEIRS",
            "purchase_units": [
                {**shop.paypal.orders[name]["purchase_units"][0], "custom_id": str(uuid.uuid4())}
            ],
        }
        shop.paypal.orders["THEIRS"] = theirs
    shop.tell_paypal(shop.paypal.approve("THEIRS"))
    assert not shop.paypal.captures and shop.gold() == 0


def test_concurrent_calls_credit_once(every_shop):
    shop = every_shop
    order, name = shop.paypal_order()
    calls = [shop.paypal.signed(shop.paypal.approve(name)) for _ in range(12)]
    statuses = []

    def tell(call):
        statuses.append(shop.call_hook("paypal", *call).status_code)

    threads = [threading.Thread(target=tell, args=(c,)) for c in calls]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert statuses == [200] * 12 and shop.postings() == [("shop", 300)] and len(shop.paypal.captures) == 1


@pytest.mark.parametrize(
    "amount",
    [
        {"currency_code": "EUR", "value": "0.01"},
        {"currency_code": "USD", "value": "4.99"},
        {"currency_code": "EUR", "value": "4.999"},
        {"currency_code": "EUR", "value": "4,99"},
        None,
    ],
)
def test_a_differing_amount_buys_nothing(every_shop, amount):
    shop = every_shop
    order, name = shop.paypal_order()
    with shop.paypal.lock:
        shop.paypal.orders[name]["purchase_units"][0]["amount"] = amount
    shop.tell_paypal(shop.paypal.approve(name))
    assert (shop.state(order), shop.gold(), shop.flags(order)) == ("pending", 0, ["amount_differs"])


# --- money that goes back -----------------------------------------------------------------------------------


def test_partial_refunds_take_gold_in_proportion_in_any_order(every_shop):
    shop = every_shop
    order, name = shop.paypal_paid()
    first, second = shop.paypal.refund(name, 100), shop.paypal.refund(name, 200)
    shop.tell_paypal(second)
    assert shop.gold() == 300 - 300 * 300 // 499
    shop.tell_paypal(first)
    shop.tell_paypal(second)
    assert shop.gold() == 300 - 300 * 300 // 499
    shop.tell_paypal(shop.paypal.refund(name, 199, "REVERSED"))
    assert (shop.state(order), shop.gold()) == ("refunded", 0)


@pytest.mark.parametrize("manner", [None, "cut", "cut_after", "cut_half", "500"])
def test_an_operators_refund_is_made_once_in_full(every_shop, manner):
    shop = every_shop
    order, name = shop.paypal_paid()
    shop.paypal.manners[:] = [manner] if manner else []
    shop.refund(order, status=200)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    [capture] = shop.paypal.captures.values()
    assert capture["refunded"] == 499
    shop.tell_paypal(shop.paypal.events[-1])
    assert (shop.state(order), shop.gold()) == ("refunded", 0) and not shop.flags(order)


def test_a_manual_refund_counts_as_the_refund(every_shop):
    shop = every_shop
    order, name = shop.paypal_paid()
    shop.paypal.refund(name, 499)
    shop.refund(order, status=200)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)


def test_disputes_suspend_and_restore_the_gold(every_shop):
    shop = every_shop
    order, name = shop.paypal_paid()
    shop.tell_paypal(shop.paypal.dispute(name))
    assert (shop.state(order), shop.gold()) == ("disputed", 0)
    shop.tell_paypal(shop.paypal.dispute(name, "RESOLVED", "RESOLVED_SELLER_FAVOUR"))
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    shop.tell_paypal(shop.paypal.dispute(name, "UPDATED"))  # reported late
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    shop.tell_paypal(shop.paypal.dispute(name, "RESOLVED", "RESOLVED_BUYER_FAVOUR", number=2))
    assert (shop.state(order), shop.gold()) == ("charged_back", 0)
