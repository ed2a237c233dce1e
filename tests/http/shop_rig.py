"""A server with card payments, a fake Stripe, and a buyer. conftest.py imports the fixtures."""

import functools
import os
import subprocess
import uuid

import pytest
from support import carrier as sms
from support import paypal as pp
from support.cluster import RUMMYD, SERVER
from support.contract import Client
from support.keys import make_key
from support.server import Server
from support.stores import BUNDLE, PACKAGE, Apple, Google
from support.stripe import KEY, SECRET, Stripe
from support.wait import PROVIDER_TIMEOUT_MS

SECRETS = {"RUMMYD_STRIPE_KEY": KEY, "RUMMYD_STRIPE_WEBHOOK_SECRET": SECRET}
WITHOUT = {name: value for name, value in os.environ.items() if not name.startswith("RUMMYD_")}
ENV = {**WITHOUT, **SECRETS, "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
EVERY_ENV = {
    **ENV,
    "RUMMYD_PAYPAL_CLIENT_ID": pp.CLIENT,
    "RUMMYD_PAYPAL_SECRET": pp.SECRET,
    "RUMMYD_PAYPAL_WEBHOOK_ID": pp.WEBHOOK,
    "RUMMYD_SMS_NUMBER": sms.NUMBER,
    "RUMMYD_SMS_SECRET": sms.SECRET,
}


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


def proven(server):
    """ledger-check as an operator runs it. It reads the whole ledger, so tests that share a server run it
    once, at the end, when errors made by any test are still there."""
    done = subprocess.run(
        [RUMMYD, "ledger-check", f"--db={server.options['db']}"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return True


class Shop:
    """A server with card payments, its database, and a buyer."""

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
        return self.buyer.call(
            "POST", "/v1/shop/orders", {"pack": pack, "provider": provider}, headers=headers, **more
        )

    def bought(self, **more):
        """Creates an open order; returns it and the session in which to pay it."""
        order = self.order(status=201, **more).json()
        assert order["state"] == "pending"
        return order, order["pay_url"].split("/pay/")[1].split("#")[0]

    def tell(self, event, status=200, code=None, **signing):
        body, header = self.stripe.signed(event, **signing)
        return self.tell_raw(body, header, status, code)

    def tell_raw(self, body, header, status=200, code=None):
        return self.call_hook(
            "stripe", body, {} if header is None else {"Stripe-Signature": header}, status, code
        )

    def call_hook(self, provider, body, headers, status=200, code=None):
        headers = {"Content-Type": "application/json; charset=utf-8", **headers}
        return Client(self.server).call(
            "POST", f"/v1/shop/webhooks/{provider}", data=body, headers=headers, status=status, code=code
        )

    def admin(self, role="owner"):
        client = Client(self.server)
        client.token = make_key(self.server.owner_db, role)
        return client

    def refund(self, order, key=None, admin=None, reason="bought twice", **more):
        admin = admin or self.operator
        return admin.call(
            "POST",
            f"/v1/admin/orders/{order['id']}/refund",
            {"reason": reason},
            headers={"Idempotency-Key": key or uuid.uuid4().hex},
            **more,
        )

    @functools.cached_property
    def operator(self):
        return self.admin()

    def paid(self, **more):
        """Creates a paid order; returns it and its session."""
        order, session = self.bought(**more)
        self.tell(self.stripe.pay(session))
        assert self.state(order) == "paid"
        return order, session

    def gold(self):
        return self.buyer.get("/v1/wallet")["gold"]

    def state(self, order):
        return self.buyer.get(f"/v1/shop/orders/{order['id']}")["state"]

    def spend(self, gold):
        self.sql(
            "SELECT ledger_post('grant', 'spent:' || gen_random_uuid(), NULL, '', ARRAY[ROW(account_purse(%s,"
            " 'gold'), -%s, 'grant'), ROW(account_house('grant', 'gold'), %s, 'grant')]::ledger_leg[])",
            self.player,
            gold,
            gold,
        )

    def postings(self):
        items = self.buyer.get("/v1/wallet/postings?limit=100")["items"]
        return [(p["cause"], p["amount"]) for p in reversed(items) if p["currency"] == "gold"]

    def proven(self):
        return proven(self.server)


@pytest.fixture
def new_shop(new_server, stripe, cluster):
    made = []

    def make(env=ENV, **options):
        options = {
            "rate_limits": "off",
            "pay_timeout_ms": PROVIDER_TIMEOUT_MS,
            "pay_poll_s": 0,
            "stripe_url": stripe.url,
            **options,
        }
        server = new_server(env=env, **options)
        connection = cluster.connect(server.database)
        shop = Shop(server, stripe, connection)
        made.append(shop)
        return shop

    yield make
    for shop in made:
        shop.connection.close()


@pytest.fixture(scope="module")
def shared_shop(quiet, cluster, database, shared_stripe, tmp_path_factory):
    """A server with card payments, shared by tests that do not need a private one."""
    server = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("shop"),
        env=ENV,
        rate_limits="off",
        pay_timeout_ms=PROVIDER_TIMEOUT_MS,
        pay_poll_s=0,
        stripe_url=shared_stripe.url,
    ).start()
    connection = cluster.connect(database)
    yield server, connection
    assert proven(server)
    connection.close()
    assert server.stop() == 0, server.log()[-2000:]
    assert KEY not in server.log() and SECRET not in server.log()


@pytest.fixture
def shop(shared_shop, shared_stripe):
    """A new buyer on the shared server, and a reset Stripe."""
    shared_stripe.forget()
    it = Shop(shared_shop[0], shared_stripe, shared_shop[1])
    settings = it.sql("SELECT name, value FROM settings WHERE name LIKE 'shop_%%'")
    yield it
    for name, value in settings:
        it.sql("UPDATE settings SET value = %s WHERE name = %s", value, name)


@pytest.fixture
def own_shop(new_shop):
    it = new_shop()
    yield it
    assert it.proven()
    assert it.server.stop() == 0, it.server.log()[-2000:]
    assert KEY not in it.server.log() and SECRET not in it.server.log()


class EveryShop(Shop):
    """A server with every way to pay, and the fakes of their providers."""

    def __init__(self, server, stripe, paypal, apple, google, connection):
        super().__init__(server, stripe, connection)
        self.paypal, self.carrier, self.apple, self.google = paypal, sms.Carrier(), apple, google
        self.sql(
            "INSERT INTO shop_products SELECT s, 'gold' || g, 'gold_' || g FROM"
            " unnest('{apple,google}'::text[]) s, unnest('{100,300,1000}'::text[]) g ON CONFLICT DO NOTHING"
        )

    def paypal_order(self, **more):
        """An open order, and PayPal's id of it."""
        order = self.order(provider="paypal", status=201, **more).json()
        assert order["state"] == "pending"
        return order, order["pay_url"].split("token=")[1]

    def tell_paypal(self, event, status=200, code=None, **signing):
        return self.call_hook("paypal", *self.paypal.signed(event, **signing), status, code)

    def paypal_paid(self, **more):
        """An approved, captured, and paid order, and PayPal's id of it."""
        order, name = self.paypal_order(**more)
        self.tell_paypal(self.paypal.approve(name))
        assert self.state(order) == "paid"
        return order, name

    def sms_order(self, **more):
        """An open order, and the SMS to send."""
        order = self.order(provider="sms", status=201, **more).json()
        assert order["state"] == "pending"
        return order, order["pay_url"].split("body=")[1].replace("%20", " ")

    def tell_carrier(self, event, status=200, code=None, **signing):
        return self.call_hook("sms", *self.carrier.signed(event, **signing), status, code)

    def account(self, client=None):
        return (client or self.buyer).get("/v1/shop/account")["account"]

    def show(self, store, product, receipt, client=None, key=None, **more):
        """Posts a receipt."""
        body = {"store": store, "product": product, "receipt": receipt}
        return (client or self.buyer).call(
            "POST", "/v1/shop/receipts", body, headers={"Idempotency-Key": key or uuid.uuid4().hex}, **more
        )

    def flags(self, order):
        return [
            row[0]
            for row in self.sql(
                "SELECT reason FROM shop_flags WHERE order_id = %s ORDER BY id", int(order["id"])
            )
        ]


@pytest.fixture(scope="module")
def shared_paypal():
    it = pp.PayPal()
    yield it
    it.close()


@pytest.fixture(scope="module")
def shared_google():
    it = Google()
    yield it
    it.close()


def stores_options(apple, google, folder):
    return {
        "apple_bundle_id": BUNDLE,
        "apple_root_file": apple.root_file(folder),
        "google_package": PACKAGE,
        "google_account_file": google.account_file(folder),
        "google_url": google.url,
        "google_token_url": google.url + "/token",
    }


@pytest.fixture(scope="module")
def shared_every_shop(
    quiet, cluster, database, shared_stripe, shared_paypal, shared_google, tmp_path_factory
):
    apple, folder = Apple(), tmp_path_factory.mktemp("shop")
    server = Server(
        cluster.conninfo(database, SERVER),
        folder,
        env=EVERY_ENV,
        rate_limits="off",
        pay_timeout_ms=PROVIDER_TIMEOUT_MS,
        pay_poll_s=0,
        stripe_url=shared_stripe.url,
        paypal_url=shared_paypal.url,
        **stores_options(apple, shared_google, folder),
    ).start()
    connection = cluster.connect(database)
    yield server, connection, apple
    assert proven(server)
    connection.close()
    assert server.stop() == 0, server.log()[-2000:]
    for secret in (KEY, SECRET, pp.SECRET, sms.SECRET, "A21AA", "ya29.", "PRIVATE KEY"):
        assert secret not in server.log()


@pytest.fixture
def every_shop(shared_every_shop, shared_stripe, shared_paypal, shared_google):
    """A new buyer on the shared server, and reset providers."""
    shared_stripe.forget()
    shared_paypal.forget()
    shared_google.forget()
    server, connection, apple = shared_every_shop
    it = EveryShop(server, shared_stripe, shared_paypal, apple, shared_google, connection)
    settings = it.sql("SELECT name, value FROM settings WHERE name LIKE 'shop_%%'")
    yield it
    for name, value in settings:
        it.sql("UPDATE settings SET value = %s WHERE name = %s", value, name)


@pytest.fixture
def new_every_shop(new_server, stripe, cluster, tmp_path):
    """Servers with every way to pay, each with its own database."""
    made = []

    def make(env=EVERY_ENV, **options):
        paypal, apple, google = pp.PayPal(), Apple(), Google()
        options = {
            "rate_limits": "off",
            "pay_timeout_ms": PROVIDER_TIMEOUT_MS,
            "pay_poll_s": 0,
            "stripe_url": stripe.url,
            "paypal_url": paypal.url,
            **stores_options(apple, google, tmp_path),
            **options,
        }
        server = new_server(env=env, **options)
        shop = EveryShop(server, stripe, paypal, apple, google, cluster.connect(server.database))
        made.append(shop)
        return shop

    yield make
    for shop in made:
        shop.connection.close()
        shop.paypal.close()
        shop.google.close()
