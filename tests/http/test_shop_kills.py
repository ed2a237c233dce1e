"""The server is killed during the life of an order: gold is still credited exactly once for each paid
order."""

import random
import threading
import time

import pytest
import requests
from support.volume import volume
from support.wait import HANG_S

# --- the server is killed -----------------------------------------------------------------------------------


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


def test_killed_before_the_buyer_got_the_answer_and_paid_nevertheless(own_shop):
    """The session exists, the server is down, and Stripe reports the payment while the order is still
    `created`."""
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
def test_killed_during_the_webhook(own_shop, cluster, committed):
    """The statement waits for a lock when the server is killed; it takes effect (or not) without a
    reply."""
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
    waiting = (
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    until = time.monotonic() + HANG_S
    while not (found := shop.sql(waiting)) and time.monotonic() < until:
        time.sleep(0.02)
    shop.server.kill()
    thread.join()
    assert lost
    if not committed:
        shop.sql("SELECT pg_terminate_backend(%s)", found[0][0])
    holder.rollback()
    holder.close()
    until = time.monotonic() + HANG_S
    while (
        committed
        and not shop.sql("SELECT 1 FROM shop_orders WHERE state = 'paid'")
        and time.monotonic() < until
    ):
        time.sleep(0.02)
    shop.server.start()
    assert (shop.sql("SELECT state FROM shop_orders")[0][0] == "paid") == committed
    shop.tell_raw(body, header)
    assert shop.gold() == 300 and shop.postings() == [("shop", 300)]


def until_done(shop, seconds, act):
    """Repeats an action until it succeeds; the server is killed this many seconds after the first attempt,
    and then restarted."""

    def start_again():
        timer.join()
        if shop.server.process.poll() is not None:
            shop.server.start()

    timer = threading.Timer(seconds, shop.server.kill)
    timer.start()
    for _ in range(4):
        try:
            act()
            break
        except requests.ConnectionError:
            start_again()
    start_again()


def test_killed_at_any_moment(own_shop):
    """Orders during each of which the server is killed at some moment; Stripe repeats its events until one
    succeeds."""
    shop = own_shop
    rng = random.Random(51)
    shop.sql("UPDATE settings SET value = '100' WHERE name = 'shop_open_orders_max'")
    paid, orders = 0, volume(30, 10)
    for turn in range(orders):
        key, pack = f"turn-{turn}", rng.choice(["gold_100", "gold_300"])

        def order_and_pay(key=key, pack=pack):
            order = shop.order(key=key, pack=pack, status=201).json()
            if order["state"] == "pending":
                shop.tell(shop.stripe.pay(order["pay_url"].split("/pay/")[1].split("#")[0]))

        until_done(shop, rng.random() * 0.03, order_and_pay)
        paid += {"gold_100": 100, "gold_300": 300}[pack]
    # Failed deliveries are repeated, as Stripe does for three days.
    for session in shop.stripe.sessions:
        shop.tell(shop.stripe.pay(session))
        shop.tell(shop.stripe.pay(session))
    assert len(shop.stripe.sessions) == orders
    assert shop.sql("SELECT count(*), sum(gold) FROM shop_orders WHERE state = 'paid'") == [(orders, paid)]
    assert shop.gold() == paid and len(shop.postings()) == orders


@pytest.mark.parametrize("manner", ["cut", "cut_after"])
def test_killed_while_stripe_makes_a_refund(own_shop, manner):
    shop = own_shop
    order, session = shop.paid()

    def kill(_):
        shop.server.kill()
        return manner

    assert shop.operator  # creates the operator's key before the kill
    shop.stripe.manners[:] = [kill]
    with pytest.raises(requests.ConnectionError):
        shop.refund(order, key="mine")
    shop.server.start()
    assert (shop.state(order), shop.gold()) == ("refunding", 0)
    assert shop.refund(order, key="mine", status=200).json()["state"] == "refunded"
    assert len(shop.stripe.refunds) == 1 and shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_refunds_killed_at_any_moment(own_shop):
    """Refunds during each of which the server is killed at some moment; the operator repeats the request
    until it succeeds."""
    shop = own_shop
    rng = random.Random(7)
    shop.sql("UPDATE settings SET value = '100' WHERE name = 'shop_open_orders_max'")
    orders = [shop.paid(pack="gold_100")[0] for _ in range(volume(10, 5))]
    assert shop.operator
    for turn, order in enumerate(orders):

        def refund(order=order, turn=turn):
            assert shop.refund(order, key=f"turn-{turn}", status=200).json()["state"] == "refunded"

        until_done(shop, rng.random() * 0.02, refund)
    assert len(shop.stripe.refunds) == len(orders)
    assert shop.sql("SELECT count(*), sum(gold_back) FROM shop_orders WHERE state = 'refunded'") == [
        (len(orders), 100 * len(orders))
    ]
    assert shop.gold() == 0 and len(shop.postings()) == 2 * len(orders)
