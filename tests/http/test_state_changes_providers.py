"""What happens to everything in progress when a pack is withdrawn, a provider is disabled or gets another
key, a tournament, season, or day ends, or a setting is lowered: the tables of docs/state-changes.md, cell
by cell. One server passes through all of it."""

import uuid

import pytest
import support.stripe as stripe_api
from openid_rig import begin, config_file, finish, identities, sign_in, somebody
from shop_rig import ENV, WITHOUT, Shop
from state_changes_rig import assert_tested, cells, covered_by, eventually
from support.authenticator import Passkey
from support.chips import WELCOME_SILVER
from support.cluster import OWNER, SERVER
from support.contract import Client, a_name
from support.dates import from_now
from support.oidc import Provider
from support.push_service import Browser, PushService, make_key
from support.server import Server, free_port
from support.totp import PASSWORD
from support.wait import PROVIDER_TIMEOUT_MS


def test_every_cell_of_the_tables_has_a_test():
    assert_tested(
        __file__, "Shop", "Sign-in, email, and push", "Tournaments, seasons, and daily deals", "Settings"
    )


PACK, OFF, KEY = (
    "pack withdrawn or repriced",
    "payment provider switched off",
    "key or webhook secret changes",
)
NO_SIGN_IN, NO_MAIL, NO_PUSH, NEW_VAPID = (
    "sign-in provider removed",
    "mail server removed",
    "push service removed",
    "key of web push changes",
)
SIGN_IN = "Sign-in, email, and push"


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


class World:
    """A server with card payments, a sign-in provider, web push, and a mail server that is down; and pending
    items of each of them."""

    def __init__(self, cluster, database, folder):
        self.connection = cluster.connect(database, OWNER)
        self.stripe, self.provider, self.service = stripe_api.Stripe(), Provider(), PushService()
        self.folder = folder
        make_key(folder / "vapid.pem")
        self.on = {
            "oidc_file": config_file(folder, self.provider.config(folder=folder)),
            "vapid_key_file": folder / "vapid.pem",
            "push_hosts": "127.0.0.1",
            "smtp_url": f"smtp://127.0.0.1:{free_port()}",
            "mail_from": "noreply@play.example",
        }
        self.server = Server(
            cluster.conninfo(database, SERVER),
            folder,
            env=ENV,
            rate_limits="off",
            pay_timeout_ms=PROVIDER_TIMEOUT_MS,
            pay_poll_s=1,
            stripe_url=self.stripe.url,
            **self.on,
        ).start()
        self.sql(
            "UPDATE settings SET value = '1' WHERE name IN ('mail_retry_first_s', 'mail_lease_s',"
            " 'delivery_retry_first_s')"
        )
        self.shop = Shop(self.server, self.stripe, self.connection)
        self.admin = self.shop.operator

    def sql(self, statement, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def again(self, env, **options):
        """Restarts with another configuration; `between` runs while no server does."""
        assert self.server.stop() == 0, self.server.log()[-3000:]
        self.server.env = env
        self.server.options.update(options)

    def refund_that_waits(self):
        order, _ = self.shop.paid()
        self.stripe.manners[:] = ["503"] * 3
        self.shop.refund(order, status=503, code="payment_unavailable")
        return order

    def waits(self):
        """Creates pending items of each provider."""
        self.given_up, _ = self.shop.bought()
        self.late, self.late_session = self.shop.bought()
        self.paid, _ = self.shop.paid(pack="gold_100")
        self.refund = self.refund_that_waits()
        self.person = sign_in(Client(self.server), self.provider, somebody())
        begun = self.person.call("POST", "/v1/me/passkey/begin", {}).json()
        self.passkey = self.person.call(
            "POST", "/v1/me/passkeys", Passkey().create(begun), status=201
        ).json()["id"]
        self.stranger = Client(self.server)
        self.begun = begin(self.stranger)
        self.agreed = self.provider.agree(self.begun["authorize_url"], somebody())
        self.browser = Browser(self.service)
        self.person.call("POST", "/v1/me/devices", self.browser.subscription, status=201)
        self.mail = self.sql(
            'SELECT mail_put(%s, NULL, \'verify\', \'{"token": "abc", "valid_s": 60}\')',
            int(self.person.player["id"]),
        )[0][0]
        eventually(
            lambda: (
                self.sql("SELECT tries > 0 AND sent_at IS NULL FROM mails WHERE id = %s", self.mail)
                == [(True,)]
            ),
            "nobody takes it",
        )

    def news(self):
        self.sql(
            "SELECT notify_player(%s, 'friend', jsonb_build_object('player_id', %s::text, 'state', 'asks'))",
            int(self.person.player["id"]),
            self.shop.buyer.player["id"],
        )

    def flags(self):
        return {
            f["order_id"] for f in self.admin.get("/v1/admin/flags")["items"] if f["reason"] == "provider_off"
        }

    def expired(self, order):
        """Lets the order expire."""
        self.sql("ALTER TABLE shop_orders DISABLE TRIGGER shop_order_guard")
        self.sql("UPDATE shop_orders SET expires_at = now() - interval '1 s' WHERE id = %s", int(order["id"]))
        self.sql("ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_guard")

    def hook(self, event, secret, status, code=None):
        body, header = self.stripe.signed(event, secret=secret)
        self.shop.tell_raw(body, header, status, code)


@pytest.fixture(scope="module")
def world(cluster, database, tmp_path_factory):
    it = World(cluster, database, tmp_path_factory.mktemp("world"))
    yield it
    assert it.server.stop() == 0, it.server.log()[-3000:]
    for one in (it.stripe, it.provider, it.service, it.connection):
        one.close()


# --- while everything is enabled ---


@cells("Shop", "list of packs and providers", PACK)
@cells("Shop", "new order", PACK)
@cells("Shop", "repeat of an order's request", PACK)
@cells("Shop", "pending order", PACK)
@cells("Shop", "webhook about an order", PACK)
@cells("Shop", "paid order and its gold", PACK)
@cells("Shop", "refund that an operator requests", PACK)
@cells("Shop", "pending refund", PACK)
def test_open_orders_keep_the_old_pack(world):
    shop, headers = world.shop, uuid.uuid4().hex
    gold = shop.gold()
    waits, session = shop.bought(key=headers)
    paid, _ = shop.paid()
    refund = world.refund_that_waits()
    world.admin.call("PATCH", "/v1/admin/packs/gold_300", {"amount": 999, "gold": 200}, status=200)
    try:
        dearer = shop.order(status=201).json()
        assert (dearer["amount"], dearer["gold"]) == (999, 200) and waits["amount"] != 999
        world.admin.call("PATCH", "/v1/admin/packs/gold_300", {"on_sale": False}, status=200)
        eventually(
            lambda: "gold_300" not in str(Client(world.server).get("/v1/shop/packs")), "it is withdrawn"
        )
        shop.order(status=404, code="no_such_pack")
        assert shop.order(key=headers, status=201).json() == waits
        shop.tell(world.stripe.pay(session))
        assert shop.state(waits) == "paid" and shop.gold() == gold + 600
        shop.refund(refund, status=200)
        shop.refund(paid, status=200)
        assert (shop.state(paid), shop.state(refund), shop.gold()) == ("refunded", "refunded", gold + 300)
    finally:
        world.admin.call(
            "PATCH",
            "/v1/admin/packs/gold_300",
            {"amount": waits["amount"], "gold": 300, "on_sale": True},
            status=200,
        )


@cells("Settings", "tables of a player (`tables_per_player_max`)", "lowered below the current number")
@cells("Settings", "bots (`bots_per_player_max`)", "lowered below the current number")
@cells("Settings", "club members (`club_members_max`)", "lowered below the current number")
@cells("Settings", "open orders (`shop_open_orders_max`)", "lowered below the current number")
def test_a_lowered_limit_applies_only_to_new_items(world):
    ann = Client(world.server).register(f"{uuid.uuid4().hex}@example.org", PASSWORD)
    world.sql("UPDATE players SET email_verified_at = now() WHERE id = %s", int(ann.player["id"]))
    club = ann.call(
        "POST", "/v1/clubs", {"name": a_name("Owls"), "joining": "open"}, headers=key(), status=201
    ).json()["id"]
    buyer = Shop(world.server, world.stripe, world.connection)
    order, session = buyer.bought()

    def table(**more):
        return ann.call("POST", "/v1/tables", {"variant": "straight", "seats": 2}, headers=key(), **more)

    def bot(**more):
        return ann.call("POST", "/v1/me/bots", {"nickname": a_name("Robin")}, headers=key(), **more)

    def join(who, **more):
        return who.call("PUT", f"/v1/clubs/{club}/members/{who.player['id']}", **more)

    tables, robin, member = (
        [table(status=201).json()["table_id"] for _ in range(2)],
        bot(status=201).json(),
        Client(world.server).guest(),
    )
    join(member, status=200)
    names = ("tables_per_player_max", "bots_per_player_max", "club_members_max", "shop_open_orders_max")
    before = [world.sql("SELECT value FROM settings WHERE name = %s", name)[0][0] for name in names]
    world.sql("UPDATE settings SET value = '1' WHERE name = ANY (%s)", list(names))
    try:
        table(status=409, code="too_many_tables")
        bot(status=409, code="too_many_bots")
        join(Client(world.server).guest(), status=409, code="club_full")
        buyer.order(status=409, code="too_many_orders")
        assert all(ann.get(f"/v1/tables/{one}") for one in tables)
        assert (
            ann.get("/v1/me/bots")["items"] == [robin]
            and len(member.get(f"/v1/clubs/{club}/members")["items"]) == 2
        )
        buyer.tell(world.stripe.pay(session))
        assert buyer.state(order) == "paid"
    finally:
        for name, value in zip(names, before):
            world.sql("UPDATE settings SET value = %s WHERE name = %s", value, name)


@cells("Settings", "duplicates with an entry fee (`duplicate_prizes`)", "switched off")
def test_an_announced_duplicate_still_accepts_entries(world):
    def announce(**more):
        body = {
            "name": "Friday",
            "kind": "swiss",
            "variant": "straight",
            "seats": 2,
            "rounds": 2,
            "entries_min": 2,
            "entries_max": 8,
            "entry": 10,
            "duplicate": True,
            "starts_at": from_now(days=30),
        }
        return world.admin.call("POST", "/v1/admin/tournaments", body, headers=key(), **more)

    world.sql("UPDATE settings SET value = 'on' WHERE name = 'duplicate_prizes'")
    tournament = announce(status=201).json()["id"]
    world.sql("UPDATE settings SET value = 'off' WHERE name = 'duplicate_prizes'")
    announce(status=422, code="duplicate_prizes_off")
    guest = Client(world.server).guest()
    assert guest.call("POST", f"/v1/tournaments/{tournament}/entries", {}, headers=key()).status_code in (
        200,
        201,
    )
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10


@cells("Settings", "a game's daily deal (`daily_variants.open`)", "switched off")
def test_a_started_daily_deal_can_be_finished(world):
    day = world.sql("SELECT to_char((now() AT TIME ZONE 'UTC')::date, 'YYYY-MM-DD')")[0][0]
    ann, bob = (Client(world.server).guest() for _ in range(2))

    def play(who, **more):
        return who.call("POST", f"/v1/daily-deals/{day}/rummy51/plays", {}, headers=key(), **more)

    table = play(ann, status=201).json()["table_id"]
    world.sql("UPDATE daily_variants SET open = false WHERE variant = 'rummy51'")
    try:
        assert play(ann, status=201).json()["table_id"] == table
        play(bob, status=404, code="no_such_daily")
    finally:
        world.sql("UPDATE daily_variants SET open = true WHERE variant = 'rummy51'")


@cells("Settings", "webhook endpoint (`active`)", "switched off")
def test_a_disabled_endpoint_gets_no_pending_deliveries(world):
    body = {"url": "https://hooks.example.org/rummy", "events": ["player.banned"]}
    hook = world.admin.call("POST", "/v1/admin/webhooks", body, headers=key(), status=201).json()["id"]
    world.sql(
        "INSERT INTO deliveries (endpoint_id, event, body, next_try) VALUES (%s, 'player.banned', '{}', now()"
        " + interval '1 day')",
        int(hook),
    )
    world.admin.call("PATCH", f"/v1/admin/webhooks/{hook}", {"active": False}, status=200)
    assert world.sql(
        "SELECT failed_at IS NOT NULL, said FROM deliveries WHERE endpoint_id = %s", int(hook)
    ) == [(True, "the endpoint was switched off")]


# --- switched off ---


@cells("Shop", "list of packs and providers", OFF)
@cells("Shop", "new order", OFF)
@cells("Shop", "repeat of an order's request", OFF)
@cells("Shop", "pending order", OFF)
@cells("Shop", "webhook about an order", OFF)
@cells("Shop", "paid order and its gold", OFF)
@cells("Shop", "refund that an operator requests", OFF)
@cells("Shop", "pending refund", OFF)
@cells("Shop", "deletion of the account", OFF)
@cells(SIGN_IN, "what the page offers", NO_SIGN_IN, NO_PUSH)
@cells(SIGN_IN, "sign-in in progress", NO_SIGN_IN)
@cells(SIGN_IN, "sessions", NO_SIGN_IN, NO_MAIL, NO_PUSH)
@cells(SIGN_IN, "linked identity", NO_SIGN_IN)
@cells(SIGN_IN, "last way to sign in", NO_SIGN_IN)
@cells(SIGN_IN, "pending emails", NO_MAIL)
@cells(SIGN_IN, "pending push messages", NO_PUSH)
@cells(SIGN_IN, "devices", NO_PUSH)
def test_pending_work_for_a_disabled_provider(world):
    world.waits()
    shop, anyone = world.shop, Client(world.server)
    headers, gold = uuid.uuid4().hex, shop.gold()
    repeated = shop.order(key=headers, pack="gold_100", status=201).json()
    world.again(WITHOUT, **dict.fromkeys(world.on))
    world.news()
    world.server.start()
    assert anyone.get("/v1/shop/packs")["providers"] == [] and anyone.get("/v1/auth/oidc") == {"items": []}
    assert anyone.get("/v1/push") == {"kinds": [], "webpush_key": None}

    shop.order(status=409, code="shop_off")
    shop.order(key=headers, pack="gold_100", status=409, code="shop_off")
    waiting = [world.given_up, world.late, repeated, world.refund]
    eventually(lambda: world.flags() >= {order["id"] for order in waiting}, "each is flagged")
    assert world.sql(
        "SELECT count(*) FROM shop_flags WHERE reason = 'provider_off' AND order_id = %s",
        int(world.late["id"]),
    ) == [(1,)]
    assert world.server.logged('"event":"shop_provider_off"')
    assert world.paid["id"] not in world.flags()
    assert world.server.log().count('"event":"shop_provider_off"') == 1
    world.event = world.stripe.pay(world.late_session)
    world.hook(world.event, stripe_api.SECRET, 409, "shop_off")
    assert [shop.state(order) for order in (*waiting, world.paid)] == [
        "pending",
        "pending",
        "pending",
        "refunding",
        "paid",
    ]
    shop.refund(world.paid, status=409, code="shop_off")
    assert shop.state(world.paid) == "paid" and shop.gold() == gold

    world.expired(world.given_up)
    flag = next(
        f["id"] for f in world.admin.get("/v1/admin/flags")["items"] if f["order_id"] == world.given_up["id"]
    )
    assert world.sql("SELECT deletion_waits_for(%s)", shop.player) == [(["order"],)]
    world.admin.call(
        "POST", f"/v1/admin/flags/{flag}/settle", {"note": "nothing there"}, headers=key(), status=200
    )
    eventually(lambda: shop.state(world.given_up) == "expired", "it expires")
    assert world.late["id"] in world.flags() and shop.state(world.late) == "pending"

    finish(world.stranger, world.begun, *world.agreed, status=404, code_wanted="no_such_provider")
    assert world.person.get("/v1/me")["id"] == world.person.player["id"]
    world.person.call("POST", f"/v1/me/passkeys/{world.passkey}/remove", {}, status=409, code="last_way_in")
    (identity,) = identities(world.person)
    world.person.call("DELETE", f"/v1/me/identities/{identity['id']}", status=204)
    eventually(
        lambda: world.sql("SELECT sent_at IS NOT NULL FROM mails WHERE id = %s", world.mail) == [(True,)],
        "it is a file",
    )
    eventually(
        lambda: (
            world.sql("SELECT said, failed_at FROM deliveries WHERE device_id IS NOT NULL")
            == [("its service is not set up", None)]
        ),
        "it is tried again",
    )
    assert len(world.person.get("/v1/me/devices")["items"]) == 1
    world.person.call(
        "POST", "/v1/me/devices", Browser(world.service).subscription, status=409, code="push_off"
    )


# --- enabled again, with other keys ---

NEW_SECRET = "whsec_another_0123456789abcdef"


@cells("Shop", "list of packs and providers", KEY)
@cells("Shop", "new order", KEY)
@cells("Shop", "repeat of an order's request", KEY)
@cells("Shop", "pending order", KEY)
@cells("Shop", "webhook about an order", KEY)
@cells("Shop", "paid order and its gold", KEY)
@cells("Shop", "refund that an operator requests", KEY)
@cells("Shop", "pending refund", KEY)
@cells("Shop", "deletion of the account", KEY)
@cells(SIGN_IN, "what the page offers", NEW_VAPID)
@cells(SIGN_IN, "sessions", NEW_VAPID)
@cells(SIGN_IN, "pending push messages", NEW_VAPID)
@cells(SIGN_IN, "devices", NEW_VAPID)
def test_pending_work_for_a_provider_with_another_key(world, monkeypatch):
    shop = world.shop
    monkeypatch.setattr(stripe_api, "KEY", "sk_test_another_0123456789")
    headers = uuid.uuid4().hex
    world.again(
        {**ENV, "RUMMYD_STRIPE_KEY": stripe_api.KEY, "RUMMYD_STRIPE_WEBHOOK_SECRET": NEW_SECRET},
        **{**world.on, "vapid_key_file": world.folder / "other.pem"},
    )
    new_vapid = make_key(world.folder / "other.pem")
    world.news()
    world.server.start()
    eventually(lambda: world.flags() == set(), "the flagged orders are queried again")
    assert Client(world.server).get("/v1/shop/packs")["providers"] == ["stripe"]
    assert Client(world.server).get("/v1/push")["webpush_key"] == new_vapid

    world.hook(world.event, stripe_api.SECRET, 400, "signature_bad")
    assert shop.state(world.given_up) == "expired" and shop.state(world.paid) == "paid"
    assert world.sql("SELECT deletion_waits_for(%s)", shop.player) == [(["order"],)]
    world.hook(world.event, NEW_SECRET, 200)
    assert shop.state(world.late) == "paid"
    order = shop.order(key=headers, status=201).json()
    assert order["state"] == "pending" and shop.order(key=headers, status=201).json() == order
    world.stripe.pay(order["pay_url"].split("/pay/")[1].split("#")[0])
    world.sql("UPDATE settings SET value = '0' WHERE name IN ('shop_query_first_s', 'shop_query_every_s')")
    eventually(lambda: shop.state(order) == "paid", "the order is queried")
    eventually(lambda: shop.state(world.refund) == "refunded", "the refund is queried again")
    shop.refund(world.paid, status=200)
    assert shop.state(world.paid) == "refunded"

    eventually(lambda: [m for m in world.service.messages if m.path == world.browser.path], "it is pushed")
    claims_and_key = world.service.sender(
        next(m for m in world.service.messages if m.path == world.browser.path)
    )
    assert new_vapid in str(claims_and_key)
    assert world.person.get("/v1/me") and len(world.person.get("/v1/me/devices")["items"]) == 1
    assert sign_in(Client(world.server), world.provider, somebody()).player
    assert shop.proven()


# --- covered by other tests ---

TOURNAMENTS = "Tournaments, seasons, and daily deals"
CALLED_OFF, SEASON, DAY = "tournament canceled", "season ends", "day of a daily deal ends"
covered_by(
    "tests/db/test_tournaments.py",
    "test_an_operator_can_cancel_a_running_tournament",
    *[
        (TOURNAMENTS, row, CALLED_OFF)
        for row in (
            "entry, or play in progress",
            "waiting or running table",
            "new entry or play",
            "prizes and places",
        )
    ],
)
covered_by(
    "tests/db/test_seasons.py",
    "test_a_game_that_ends_while_the_season_closes_counts_for_the_next",
    (TOURNAMENTS, "waiting or running table", SEASON),
    (TOURNAMENTS, "new entry or play", SEASON),
)
covered_by(
    "tests/db/test_seasons.py",
    "test_a_second_run_changes_nothing",
    (TOURNAMENTS, "prizes and places", SEASON),
)
covered_by(
    "tests/db/test_daily_deals.py",
    "test_a_game_that_runs_past_midnight_counts_for_its_day",
    *[
        (TOURNAMENTS, row, DAY)
        for row in ("entry, or play in progress", "waiting or running table", "prizes and places")
    ],
)
covered_by(
    "tests/ws/test_daily.py",
    "test_unknown_past_and_future_deals_are_refused",
    (TOURNAMENTS, "new entry or play", DAY),
)
covered_by(
    "tests/db/test_daily_deals.py",
    "test_a_seed_for_a_closed_day_is_refused",
    (TOURNAMENTS, "client seed for the next day", DAY),
)
