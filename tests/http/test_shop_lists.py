"""Events that reach only the provider's event list: the server finds paid orders there whose webhook and
redirect were both lost, and orders whose opening got no response."""

import time

import pytest
import requests
from support.wait import HANG_S


def until(found, seconds=HANG_S):
    end = time.monotonic() + seconds
    while not found() and time.monotonic() < end:
        time.sleep(0.1)
    return found()


@pytest.fixture
def listing(new_every_shop):
    shop = new_every_shop(pay_poll_s=1)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_list_s'")
    shop.stripe.page = shop.paypal.page = 2  # so that there are several pages
    yield shop
    assert shop.proven()


def states(shop):
    return dict(shop.sql("SELECT id::text, state FROM shop_orders"))


def test_payments_without_a_webhook_are_found_once(listing):
    shop = listing
    stripes, session = shop.bought()
    paypals, name = shop.paypal_order()
    shop.stripe.pay(session)
    shop.paypal.approve(name)
    shop.paypal.serve(
        "POST",
        f"/v2/checkout/orders/{name}/capture",
        {},
        {
            "Authorization": "Bearer " + next(iter(shop.paypal.bearers)),
            "PayPal-Request-Id": "of another server",
        },
    )
    assert until(lambda: states(shop) == {stripes["id"]: "paid", paypals["id"]: "paid"})
    assert shop.gold() == 600
    shop.stripe.refund(session, 499)
    shop.paypal.refund(name, 100)
    assert until(lambda: shop.gold() == 300 - 300 * 100 // 499)
    time.sleep(2.5)  # lapse: the same events are listed again
    assert shop.gold() == 300 - 300 * 100 // 499 and len([p for p in shop.postings() if p[0] == "shop"]) == 2
    assert "rummyd_shop_found_total 4" in requests.get(shop.server.url + "/metrics").text


def test_a_paid_order_whose_opening_got_no_answer_is_found(new_every_shop):
    """An order whose session id only Stripe has."""
    shop = new_every_shop(pay_poll_s=1)
    listed = "SELECT 1 FROM shop_lists WHERE provider = 'stripe' AND listed_until > now() - interval '1 hour'"
    assert until(lambda: shop.sql(listed)), "the next one is read after 600 s"
    shop.stripe.manners[:] = ["cut_after", "cut", "cut"]
    shop.order(status=503, code="payment_unavailable")
    [session] = shop.stripe.sessions
    shop.stripe.pay(session)
    assert list(states(shop).values()) == ["created"] and shop.sql(
        "SELECT provider_ref FROM shop_orders"
    ) == [(None,)]
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_list_s'")
    assert until(lambda: list(states(shop).values()) == ["paid"]) and shop.gold() == 300


def test_an_interrupted_list_is_read_again(listing):
    shop = listing
    sessions = [shop.bought()[1] for _ in range(5)]
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_list_overlap_s'")
    for i, session in enumerate(sessions):
        shop.stripe.pay(session, **({"amount_total": 1} if i == 4 else {}))

    def late(handler):
        return "500" if "starting_after" in handler.path else None

    shop.stripe.list_manners = True
    shop.stripe.manners[:] = [late] * 8
    assert until(lambda: sorted(states(shop).values()) == ["paid"] * 4 + ["pending"]) and shop.gold() == 1200
    assert shop.sql("SELECT reason FROM shop_flags") == [("amount_differs",)]
    for text in ("evt_", "shop_not_listed"):
        assert shop.server.logged(text)
