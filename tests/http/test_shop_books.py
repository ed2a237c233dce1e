"""Everything at once, at random: buyers at all providers and stores, refunds and disputes, lost responses,
forged, repeated, reordered, and lost calls, a server that is killed. At the end the gold of each player
matches the providers' own books."""

import os
import random
import threading
import time
import uuid

import pytest
import requests
from support.contract import Client
from support.stores import Apple
from support.volume import volume
from support.wait import HANG_S

SEEDS = [int(s) for s in os.environ.get("RUMMY_SHOP_SEEDS", volume("1 2 3", "1")).split()]
STEPS = int(os.environ.get("RUMMY_SHOP_STEPS", "220"))
PACKS = {"gold_100": (100, 199), "gold_300": (300, 499), "gold_1000": (1000, 1499)}
BAD = ["cut", "cut_after", "cut_half", "500", "503", "429", "409", "garbage"]


class Sale:
    """One sale, as its provider records it. kept: minor units that the provider has kept."""

    def __init__(self, provider, buyer, pack, name, order=None):
        self.provider, self.buyer, self.pack, self.name, self.order = provider, buyer, pack, name, order
        self.gold, self.price = PACKS[pack]
        self.paid, self.back, self.disputed, self.wrong = False, 0, None, False

    def owed(self):
        """Gold that the buyer should have for this sale."""
        if not self.paid or self.wrong or self.disputed in ("open", "lost"):
            return 0
        return self.gold - self.gold * self.back // self.price


class World:
    def __init__(self, shop, seed):
        self.shop, self.random = shop, random.Random(seed)
        self.buyers = [Client(shop.server).guest() for _ in range(4)]
        self.sales, self.calls, self.kills = [], [], 0
        self.accounts = {b.player["id"]: shop.account(b) for b in self.buyers}

    def maybe(self, chance):
        return self.random.random() < chance

    # --- how requests get lost -----------------------------------------------------------------------

    def spoil(self, stand_in):
        stand_in.manners[:] = [
            self.random.choice(BAD) if self.maybe(0.3) else None for _ in range(self.random.randrange(4))
        ]

    def heal(self):
        for stand_in in (self.shop.stripe, self.shop.paypal, self.shop.google):
            stand_in.manners.clear()

    def tell(self, provider, body, headers=None, event=None):
        """A provider's call, which may be lost, late, twice, and out of order; it is repeated until it gets a
        200."""
        if self.maybe(0.12):
            return  # lost permanently; only the list has it
        for _ in range(1 + self.maybe(0.2)):
            self.calls.insert(self.random.randrange(len(self.calls) + 1), (provider, body, headers, event))

    def deliver(self, n):
        for _ in range(min(n, len(self.calls))):
            provider, body, headers, event = self.calls.pop(0)
            if event is not None:  # signed again for every attempt
                body, headers = (
                    self.shop.carrier.signed(event)
                    if provider == "sms"
                    else (self.shop.paypal.signed(event) if provider == "paypal" else self.stripes(event))
                )
            try:
                status = requests.post(
                    f"{self.shop.server.url}/v1/shop/webhooks/{provider}",
                    data=body,
                    timeout=HANG_S,
                    headers={"Content-Type": "application/json", **(headers or {})},
                ).status_code
            except requests.ConnectionError:
                status = 0
            assert status in (0, 200, 503), (provider, status)
            if status != 200:
                self.calls.append((provider, body, headers, event))

    def stripes(self, event):
        body, header = self.shop.stripe.signed(event)
        return body, {"Stripe-Signature": header}

    def call(self, client, *args, **more):
        try:
            return client.call(*args, **more)
        except requests.ConnectionError:
            return None  # the server was killed

    def kill(self):
        """Kills the server after a short random delay."""
        self.kills += 1
        timer = threading.Timer(self.random.random() * 0.05, self.shop.server.kill)
        timer.start()
        return timer

    # --- what buyers do ------------------------------------------------------------------------------

    def order(self):
        provider = self.random.choice(["stripe", "paypal", "sms"])
        buyer, pack = self.random.choice(self.buyers), self.random.choice(list(PACKS))
        key = uuid.uuid4().hex
        if provider != "sms":
            self.spoil(getattr(self.shop, provider))
        for _ in range(2):
            answer = self.call(
                buyer,
                "POST",
                "/v1/shop/orders",
                {"pack": pack, "provider": provider},
                headers={"Idempotency-Key": key},
            )
            if answer is not None and answer.status_code == 201:
                order = answer.json()
                if order["state"] == "pending":
                    self.sales.append(
                        Sale(provider, buyer, pack, self.name_of(provider, order["pay_url"]), order["id"])
                    )
                return
            if answer is not None and answer.json().get("code") == "too_many_orders":
                return
            self.heal()

    @staticmethod
    def name_of(provider, url):
        if provider == "stripe":
            return url.split("/pay/")[1].split("#")[0]
        return url.split("token=")[1] if provider == "paypal" else url.split("body=")[1].replace("%20", " ")

    def pay(self):
        waiting = [
            s for s in self.sales if not s.paid and not s.wrong and s.provider in ("stripe", "paypal", "sms")
        ]
        if not waiting:
            return
        sale, shop = self.random.choice(waiting), self.shop
        wrong = self.maybe(0.08)
        if sale.provider == "stripe":
            sale.paid, sale.wrong = True, wrong
            self.tell(
                "stripe", None, event=shop.stripe.pay(sale.name, **({"amount_total": 1} if wrong else {}))
            )
        elif sale.provider == "paypal":
            if shop.paypal.orders[sale.name]["status"] == "PAYER_ACTION_REQUIRED":
                self.tell("paypal", None, event=shop.paypal.approve(sale.name))
        else:
            sale.paid, sale.wrong = True, wrong
            sale.event = shop.carrier.event("paid", sale.name, sale.price, "USD" if wrong else "EUR")
            self.calls.append(
                ("sms", None, None, sale.event)
            )  # a carrier has no list, so it repeats calls until one succeeds

    def show(self):
        """An app buys at its store and sends the receipt, possibly twice, and possibly from another account
        as well."""
        shop, buyer, pack = self.shop, self.random.choice(self.buyers), self.random.choice(list(PACKS))
        product, account = (
            pack.replace("_", ""),
            self.accounts[buyer.player["id"]] if self.maybe(0.7) else None,
        )
        provider = self.random.choice(["apple", "google"])
        if provider == "apple":
            it = shop.apple.transaction(product, account)
            receipt, name = shop.apple.authority.sign(it), it
        else:
            self.spoil(shop.google)
            receipt = name = shop.google.buy(product, account)
        sale = Sale(provider, buyer, pack, name)
        sale.receipt, sale.product, sale.paid = receipt, product, True
        self.sales.append(sale)
        if account and self.maybe(0.3):
            thief = self.random.choice([b for b in self.buyers if b is not buyer])
            stolen = self.call(
                thief,
                "POST",
                "/v1/shop/receipts",
                {"store": provider, "product": product, "receipt": receipt},
                headers={"Idempotency-Key": uuid.uuid4().hex},
            )
            assert stolen is None or stolen.status_code in (403, 503), stolen.text
        self.show_again(sale)

    def show_again(self, sale):
        body = {"store": sale.provider, "product": sale.product, "receipt": sale.receipt}
        answer = self.call(
            sale.buyer, "POST", "/v1/shop/receipts", body, headers={"Idempotency-Key": uuid.uuid4().hex}
        )
        if answer is not None and answer.status_code == 200:
            sale.order = answer.json()["id"]
        else:
            assert (
                answer is None or answer.status_code == 503 or answer.json()["code"] == "receipt_revoked"
            ), answer.text
        return sale.order is not None

    def give_back(self):
        sold = [s for s in self.sales if s.paid and not s.wrong and s.back < s.price and s.disputed is None]
        if not sold:
            return
        again = [s for s in sold if s.back]  # a second part, and a third
        sale, shop = self.random.choice(again if again and self.maybe(0.5) else sold), self.shop
        part = (
            sale.price - sale.back
            if self.maybe(0.5)
            else self.random.randrange(1, sale.price - sale.back + 1)
        )
        if sale.provider == "stripe":
            sale.back += part
            self.tell("stripe", None, event=shop.stripe.refund(sale.name, sale.back))
        elif sale.provider == "paypal":
            sale.back += part
            self.tell("paypal", None, event=shop.paypal.refund(sale.name, part))
        elif sale.provider == "sms":
            sale.back += part
            self.calls.append(
                (
                    "sms",
                    None,
                    None,
                    shop.carrier.event(
                        "refunded", sale.name, sale.back, "EUR", message=sale.event["message"]
                    ),
                )
            )
        elif sale.order is None:
            return  # a store refunds a delivered purchase
        elif sale.provider == "apple":
            sale.back = sale.price
            self.calls.append(("apple", shop.apple.notification("REFUND", sale.name), None, None))
        else:
            sale.back = sale.price
            shop.google.void(sale.name)
            self.tell("google", shop.google.push(sale.name))

    def dispute(self):
        sold = [
            s
            for s in self.sales
            if s.paid
            and not s.wrong
            and s.provider in ("stripe", "paypal")
            and s.back == 0
            and s.disputed != "lost"
        ]
        if not sold:
            return
        sale, shop = self.random.choice(sold), self.shop
        if sale.disputed in (None, "won"):
            if sale.disputed == "won":
                return  # once each
            sale.disputed = "open"
            event = (
                shop.stripe.dispute(sale.name)
                if sale.provider == "stripe"
                else shop.paypal.dispute(sale.name)
            )
        else:
            sale.disputed = self.random.choice(["won", "lost"])
            outcome = {"won": "RESOLVED_SELLER_FAVOUR", "lost": "RESOLVED_BUYER_FAVOUR"}[sale.disputed]
            event = (
                shop.stripe.dispute(sale.name, status=sale.disputed, kind="closed")
                if sale.provider == "stripe"
                else shop.paypal.dispute(sale.name, "RESOLVED", outcome)
            )
        self.tell(sale.provider, None, event=event)

    def look(self):
        sale = self.random.choice(self.sales) if self.sales else None
        if sale and sale.order:
            self.call(sale.buyer, "GET", f"/v1/shop/orders/{sale.order}")

    def forge(self):
        """An attacker who knows everything except the secrets."""
        shop = self.shop
        sale = self.random.choice(self.sales) if self.sales else None
        if not sale:
            return
        text = sale.name if isinstance(sale.name, str) else "x"
        calls = [
            ("sms", *shop.carrier.signed(shop.carrier.paid(text, sale.price), secret="guessed")),
            (
                "paypal",
                *shop.paypal.signed(
                    {"id": "WH-FORGED", "event_type": "PAYMENT.CAPTURE.COMPLETED", "resource": {"id": text}},
                    forged=True,
                ),
            ),
            ("apple", Apple().notification("REFUND", shop.apple.transaction("gold100")), {}),
        ]
        provider, body, headers = self.random.choice(calls)
        try:
            status = requests.post(
                f"{shop.server.url}/v1/shop/webhooks/{provider}",
                data=body,
                timeout=HANG_S,
                headers={"Content-Type": "application/json", **headers},
            ).status_code
            assert status in (400, 503), (provider, status)
        except requests.ConnectionError:
            pass

    # --- at the end ----------------------------------------------------------------------------------

    def settle(self):
        """Delivers the late calls; the lists contain the lost ones."""
        self.heal()
        shop = self.shop
        for sale in self.sales:
            if sale.provider in ("apple", "google") and sale.order is None and sale.back == 0:
                assert self.show_again(sale)
        until = time.monotonic() + 5 * HANG_S
        while time.monotonic() < until:
            self.deliver(len(self.calls))
            for sale in self.sales:  # orders at PayPal; the shop captures approved ones in time
                if sale.provider == "paypal":
                    sale.paid = shop.paypal.orders[sale.name]["status"] == "COMPLETED"
            approved = any(o["status"] == "APPROVED" for o in shop.paypal.orders.values())
            if not self.calls and not approved and self.golds() == self.wanted() and self.flags_are_set():
                return
            time.sleep(0.3)

    def flags_are_set(self):
        """Every payment with a wrong amount is flagged, once each."""
        flagged = self.shop.sql(
            "SELECT count(DISTINCT order_id) FROM shop_flags WHERE reason = 'amount_differs'"
        )
        return flagged == [(sum(s.wrong for s in self.sales),)]

    def golds(self):
        """Gold of each buyer; buyers do not spend any here."""
        return [b.get("/v1/wallet")["gold"] for b in self.buyers]

    def wanted(self):
        return [sum(s.owed() for s in self.sales if s.buyer is b) for b in self.buyers]


@pytest.mark.parametrize("seed", SEEDS)
def test_gold_matches_the_books_of_the_providers(new_every_shop, seed):
    shop = new_every_shop(pay_poll_s=1)
    shop.sql(
        "UPDATE settings SET value = '0' WHERE name IN"
        " ('shop_list_s', 'shop_query_every_s', 'shop_query_first_s')"
    )
    shop.sql("UPDATE settings SET value = '1' WHERE name = 'shop_query_max_s'")
    shop.sql("UPDATE settings SET value = '200' WHERE name = 'shop_open_orders_max'")
    world = World(shop, seed)
    acts = (
        [world.order] * 6
        + [world.pay] * 6
        + [world.show] * 3
        + [world.give_back] * 2
        + [world.dispute] * 2
        + [world.look] * 2
        + [world.forge]
    )
    for step in range(STEPS):
        timer = world.kill() if step % 45 == 44 else None
        world.random.choice(acts)()
        world.deliver(world.random.randrange(3))
        world.heal()
        for sale in world.sales:
            if sale.provider == "paypal":
                sale.paid = shop.paypal.orders[sale.name]["status"] == "COMPLETED"
        if timer:
            timer.join()
            shop.server.start()
    world.settle()
    assert world.golds() == world.wanted(), [
        (s.provider, s.order, s.gold, s.price, s.paid, s.back, s.disputed, s.wrong, s.owed())
        for s in world.sales
    ]
    credited = shop.sql("SELECT coalesce(sum(gold), 0) FROM shop_transfers WHERE what = 'paid'")[0][0]
    assert (
        credited == sum(s.gold for s in world.sales if s.paid and not s.wrong) and world.kills == STEPS // 45
    )
    assert {s.provider for s in world.sales if s.owed()} == {"stripe", "paypal", "sms", "apple", "google"}
    assert world.flags_are_set()
    assert len(shop.paypal.captures) == sum(s.provider == "paypal" and s.paid for s in world.sales)
    assert shop.proven()
