"""Orders in PostgreSQL: attacks by raw SQL, events in many orders, queries, and the sweep."""

import itertools
import threading
import uuid

import psycopg2
import pytest
from support.wait import until

STATES = [
    "created",
    "pending",
    "paid",
    "failed",
    "expired",
    "refunding",
    "refunded",
    "disputed",
    "charged_back",
]
ALLOWED = {
    "created": {"pending", "failed", "expired", "paid"},
    "pending": {"failed", "expired", "paid"},
    "failed": {"paid"},
    "expired": {"paid"},
    "paid": {"refunding", "refunded", "disputed", "charged_back"},
    "refunding": {"paid", "refunded", "disputed", "charged_back"},
    "refunded": {"paid", "refunding", "disputed", "charged_back"},
    "disputed": {"paid", "refunding", "refunded", "charged_back"},
    "charged_back": set(),
}


class Shop:
    def __init__(self, rig):
        self.rig = rig

    def order(self, player, pack="gold_300", key=None, body=b"b"):
        return self.rig.row(
            "SELECT * FROM do_shop_order(%s, %s, %s, %s, 'stripe')",
            player,
            key or uuid.uuid4().hex,
            body,
            pack,
        )

    def opened(self, player, **more):
        order = self.order(player, **more)
        assert order["code"] == "ok" and order["to_open"]
        self.rig.rows("SELECT * FROM do_shop_opened(%s, %s, 'https://pay')", order["id"], f"cs_{order['id']}")
        return order["id"]

    def tell(
        self,
        order,
        kind,
        event=None,
        amount=None,
        subject=None,
        payment="",
        via=None,
        currency="eur",
        token=True,
        at=None,
    ):
        it = self.rig.row("SELECT * FROM shop_orders WHERE id = %s", order)
        if amount is None:
            amount = it["price_minor"]
        return self.rig.one(
            "SELECT code FROM do_shop_event('stripe', %s, %s, %s, NULL, %s, %s, %s, %s, %s)",
            event or uuid.uuid4().hex,
            kind,
            it["token"] if token else None,
            f"pi_{order}" if payment == "" else payment,
            subject,
            amount,
            currency,
            at,
            via=via,
        )

    def refund(self, order, key=None, via=None):
        if not self.rig.rows("SELECT 1 FROM api_keys WHERE name = 'operator'", via=via):
            self.rig.rows(
                "SELECT do_make_key('operator', 'owner', 'operator', 1, sha256('operator'), 'rk_123456')",
                via=via,
            )
        return self.rig.row(
            "SELECT * FROM do_shop_refund(sha256('operator'), %s, %s, %s, 'why', '{stripe}', '{stripe}')",
            key or uuid.uuid4().hex,
            b"b",
            order,
            via=via,
        )

    def state(self, order):
        return self.rig.one("SELECT state FROM shop_orders WHERE id = %s", order)

    def in_state(self, player, state):
        """Brings an order into a state by provider events."""
        order = self.order(player)["id"] if state == "created" else self.opened(player)
        for kind in {
            "created": [],
            "pending": [],
            "paid": ["paid"],
            "failed": ["failed"],
            "expired": ["expired"],
            "refunding": ["paid"],
            "refunded": ["paid", "refunded"],
            "disputed": ["paid", "disputed"],
            "charged_back": ["paid", "dispute_lost"],
        }[state]:
            assert self.tell(order, kind, subject="dp" if "dispute" in kind else None) == "ok"
        if state == "refunding":
            assert self.refund(order)["code"] == "ok"
        assert self.state(order) == state
        return order


@pytest.fixture
def shop(shared):
    shared.rows("UPDATE settings SET value = '1000' WHERE name = 'shop_open_orders_max'")
    return Shop(shared)


@pytest.fixture
def player(shared):
    return shared.player()


def refused(rig, sql, *args, says="shop:"):
    """Checks that the statement (with its commit) fails with an error of the guard."""
    with pytest.raises(psycopg2.Error) as error:
        rig.rows(sql, *args)
    assert says in str(error.value), error.value


@pytest.mark.parametrize("before", STATES)
def test_only_the_allowed_state_transitions_are_possible(shop, shared, player, before):
    for after in STATES:
        order = shop.in_state(player, before)
        if after == before:
            continue
        paid = (
            ", paid_at = coalesce(paid_at, now()), paid_minor = coalesce(paid_minor, price_minor)"
            if after in ("paid", "refunded", "disputed", "charged_back")
            else ""
        )
        ref = ", provider_ref = 'x' || id, pay_url = 'u'" if (before, after) == ("created", "pending") else ""
        sql = f"UPDATE shop_orders SET state = '{after}'{paid}{ref} WHERE id = %s"
        if (
            after not in ALLOWED[before] or before == "refunded" and after in ("paid", "refunding")
        ):  # only when a refund failed
            refused(shared, sql, order)
        elif "paid_at" in sql and before in ("created", "pending", "failed", "expired"):
            refused(shared, sql, order, says="credited 0 of 300 gold")  # allowed, but the gold is missing
        else:
            shared.rows(sql, order)
            assert shop.state(order) == after
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_the_transition_table_matches_the_documents(shared):
    found = {state: set() for state in STATES}
    for row in shared.rows("SELECT from_state, to_state FROM shop_transitions"):
        found[row[0]].add(row[1])
    assert found == ALLOWED


@pytest.mark.parametrize(
    "change",
    [
        "gold = gold + 1",
        "price_minor = 1",
        "currency = 'usd'",
        "player_id = 1",
        "provider = 'paypal'",
        "token = gen_random_uuid()",
        "idem_key = 'x'",
        "expires_at = now()",
        "created_at = now()",
        "pack_id = 'gold_100'",
        "body_hash = ''",
        "provider_ref = 'other'",
        "payment_ref = 'other'",
        "provider_ref = NULL",
        "paid_at = now() + interval '1 s'",
        "paid_at = NULL",
        "refunded_minor = -1",
        "gold_back = 1",
        "gold_short = 301",
        "gold_back = -1",
        "state = 'nonsense'",
    ],
)
def test_the_original_values_of_an_order_cannot_be_changed(shop, shared, player, change):
    order = shop.in_state(player, "paid")
    before = shared.row("SELECT * FROM shop_orders WHERE id = %s", order)
    with pytest.raises(psycopg2.Error):
        shared.rows(f"UPDATE shop_orders SET {change} WHERE id = %s", order)
    assert shared.row("SELECT * FROM shop_orders WHERE id = %s", order) == before


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM shop_orders",
        "TRUNCATE shop_orders CASCADE",
        "DELETE FROM shop_transfers",
        "UPDATE shop_transfers SET gold = 1",
        "TRUNCATE shop_transfers",
        "DELETE FROM shop_order_log",
        "UPDATE shop_order_log SET to_state = 'paid'",
        "TRUNCATE shop_order_log",
        "INSERT INTO shop_order_log (order_id, to_state, why) SELECT id, 'paid', '' FROM shop_orders LIMIT 1",
        "DELETE FROM shop_events WHERE order_id IS NOT NULL",
        "UPDATE shop_events SET amount_minor = 1",
        "TRUNCATE shop_events",
        "UPDATE shop_events SET order_id = NULL",
        "DELETE FROM shop_refunds",
        "TRUNCATE shop_refunds",
        "UPDATE shop_refunds SET reason = 'x'",
        "UPDATE shop_refunds SET token = gen_random_uuid()",
    ],
)
@pytest.mark.parametrize("replica", [False, True])
def test_the_history_of_orders_cannot_be_changed(shop, shared, player, sql, replica):
    shop.in_state(player, "paid")
    shop.in_state(player, "refunding")
    connection = shared.connect(user="postgres") if replica else shared.connect()
    if replica:
        shared.rows("SET session_replication_role = replica", via=connection)
    with pytest.raises(psycopg2.Error) as error:
        shared.rows(sql, via=connection)
    assert "shop:" in str(error.value)
    connection.close()


@pytest.mark.parametrize(
    "columns, values",
    [
        ("state, paid_at", "'paid', now()"),
        ("state, provider_ref, pay_url", "'pending', 'r', 'u'"),
        ("refunded_minor", "1"),
        ("gold_back", "1"),
        ("provider_ref", "'r'"),
        ("payment_ref", "'p'"),
        ("state", "'expired'"),
    ],
)
def test_an_order_must_start_in_its_first_state(shared, player, columns, values):
    refused(
        shared,
        "INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency,"
        f" provider, expires_at, {columns}) VALUES (%s, 'k', '', 'gold_100', 100, 199, 'eur', 'stripe',"
        f" now(), {values})",
        player,
    )


def gold_by_hand(cause="shop", key="shop:hand", amount=300):
    return (
        f"SELECT ledger_post('{cause}', '{key}', NULL, '', ARRAY[ROW(account_house('{cause}', 'gold'),"
        f" -({amount}), 'x'), ROW(account_purse(%s, 'gold'), {amount}, 'x')]::ledger_leg[])"
    )


def test_shop_gold_must_belong_to_an_order(shop, shared, player):
    refused(shared, gold_by_hand(), player, says="belongs to no order")
    refused(
        shared, gold_by_hand("shop_back", "shop:x", -1), shop.rig.player(gold=5), says="belongs to no order"
    )
    order = shop.in_state(player, "paid")
    # Repeated for the same order, for an unpaid order, for another player's order, and with another amount.
    again = (
        "WITH t AS ("
        + gold_by_hand(key="again")
        + " AS id) INSERT INTO shop_transfers (transfer_id, order_id, what, gold) SELECT id, %s, %s, %s"
        " FROM t"
    )
    refused(shared, again, player, order, "paid", 300, says="shop_transfers_paid")
    refused(shared, again, player, order, "return", 300, says="taken back")
    waiting = shop.in_state(player, "pending")
    refused(shared, again, player, waiting, "paid", 300, says="credited 300 of 300 gold as pending")
    refused(shared, again, player, waiting, "paid", 299, says="shop:")
    assert shared.purse(player)[1] == 300 and shared.proof() == []
    assert shared.rows("SELECT * FROM q_shop_check()") == []


def test_an_order_cannot_be_paid_with_gold_for_another_player(shop, shared, player):
    other = shared.player()
    order = shop.in_state(player, "pending")
    connection = shared.connect(autocommit=False)
    shared.rows(
        "UPDATE shop_orders SET state = 'paid', paid_at = now(), paid_minor = price_minor WHERE id = %s",
        order,
        via=connection,
    )
    shared.rows(
        "WITH t AS ("
        + gold_by_hand(key="other")
        + " AS id) INSERT INTO shop_transfers (transfer_id, order_id, what, gold)"
        " SELECT id, %s, 'paid', 300 FROM t",
        other,
        order,
        via=connection,
    )
    with pytest.raises(psycopg2.Error, match="other chips than its order says"):
        connection.commit()
    connection.close()
    assert shop.state(order) == "pending" and shared.purse(other)[1] == 0


def test_the_log_contains_every_state_transition(shop, shared, player):
    order = shop.in_state(player, "charged_back")
    assert [
        tuple(r)
        for r in shared.rows(
            "SELECT from_state, to_state FROM shop_order_log WHERE order_id = %s ORDER BY id", order
        )
    ] == [(None, "created"), ("created", "pending"), ("pending", "paid"), ("paid", "charged_back")]


@pytest.mark.parametrize("before", ["created", "pending", "failed", "expired"])
def test_a_payment_buys_gold_whatever_the_previous_state(shop, shared, player, before):
    order = shop.in_state(player, before)
    assert shop.tell(order, "paid") == "ok"
    assert (shop.state(order), shared.purse(player)[1]) == ("paid", 300)
    for late in ("failed", "expired", "paid"):
        assert shop.tell(order, late) == "ok"
    assert (shop.state(order), shared.purse(player)[1]) == ("paid", 300)


def test_an_event_counts_once_and_a_paid_order_once(shop, shared, player):
    order = shop.in_state(player, "pending")
    assert [shop.tell(order, "paid", event=f"same:{order}") for _ in range(3)] == [
        "ok",
        "repeated",
        "repeated",
    ]
    assert shop.tell(order, "paid", event=f"another:{order}") == "ok"
    assert shared.purse(player)[1] == 300


EVENTS = [
    ("paid", None, None),
    ("refunded", 100, None),
    ("refunded", 250, None),
    ("disputed", None, "dp_1"),
    ("dispute_won", None, "dp_1"),
]


@pytest.mark.parametrize("first", range(5))
def test_five_events_in_any_order_end_in_the_same_state(shop, shared, first):
    """All 120 orders: a dispute may be reported before its payment."""
    for places in itertools.permutations(range(5)):
        if places[0] != first:
            continue
        player = shared.player()
        order = shop.opened(player)
        for i in places:
            kind, amount, subject = EVENTS[i]
            # Disputes and the second refund contain only the payment's name.
            known = shop.tell(order, kind, event=f"{order}:{i}", amount=amount, subject=subject, token=i < 2)
            assert known in ("ok", "kept")
            assert (
                shop.tell(order, kind, event=f"{order}:{i}", amount=amount, subject=subject, token=i < 2)
                == "repeated"
            )
        it = shared.row("SELECT * FROM shop_orders WHERE id = %s", order)
        assert (it["state"], it["gold_back"], it["gold_short"], it["refunded_minor"]) == (
            "paid",
            150,
            0,
            250,
        ), places
        assert shared.purse(player)[1] == 150
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_concurrent_reports_credit_once(shop, shared):
    player = shared.player()
    order = shop.opened(player)
    codes = []

    def tell(i):
        connection = shared.connect()
        kind, amount, subject = EVENTS[i % 5]
        codes.append(
            shop.tell(
                order,
                kind,
                event=f"{order}:{i % 5}",
                amount=amount,
                subject=subject,
                token=i % 5 < 2,
                via=connection,
            )
        )
        connection.close()

    threads = [threading.Thread(target=tell, args=(i,)) for i in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(codes) == 20 and codes.count("repeated") == 15
    assert (shop.state(order), shared.purse(player)[1]) == ("paid", 150)


def test_partial_refunds_round_down_and_a_full_refund_takes_all(shop, shared, player):
    order = shop.in_state(player, "paid")
    for amount, left in [(1, 300), (2, 299), (498, 1), (499, 0), (700, 0)]:
        shop.tell(order, "refunded", amount=amount)
        assert shared.purse(player)[1] == left
    assert shop.state(order) == "refunded"


def test_two_disputes_are_counted_separately(shop, shared, player):
    order = shop.in_state(player, "paid")
    shop.tell(order, "disputed", subject="a")
    shop.tell(order, "disputed", subject="b")
    shop.tell(order, "dispute_won", subject="a")
    assert (shop.state(order), shared.purse(player)[1]) == ("disputed", 0)
    shop.tell(order, "dispute_won", subject="b")
    assert (shop.state(order), shared.purse(player)[1]) == ("paid", 300)


def test_a_refund_during_a_dispute_counts_once_the_dispute_is_over(shop, shared, player):
    order = shop.in_state(player, "disputed")
    shop.tell(order, "refunded")
    assert shop.state(order) == "disputed"
    shop.tell(order, "dispute_won", subject="dp")
    assert (shop.state(order), shared.purse(player)[1]) == ("refunded", 0)


def test_a_different_amount_or_currency_is_flagged(shop, shared, player):
    order = shop.in_state(player, "pending")
    shop.tell(order, "paid", amount=498)
    shop.tell(order, "paid", currency="usd")
    assert (shop.state(order), shared.purse(player)[1]) == ("pending", 0)
    assert (
        shared.one("SELECT count(*) FROM shop_flags WHERE order_id = %s AND reason = 'amount_differs'", order)
        == 2
    )


def test_orders_are_idempotent_by_key_forever(shop, shared, player):
    first = shop.order(player, key="k")
    assert shop.order(player, key="k")["id"] == first["id"]
    assert shop.order(player, key="k", body=b"other")["code"] == "idempotency_key_reused"
    shared.rows("DELETE FROM idempotency WHERE player_id = %s", player)
    assert shop.order(player, key="k")["id"] == first["id"]
    assert shop.order(shared.player(), key="k")["id"] != first["id"]
    # A key of another action is not valid for an order.
    shared.rows(
        "INSERT INTO idempotency (player_id, key, action, body_hash, answer) VALUES (%s, 'seat', 'take_seat',"
        " 'b', '{}')",
        player,
    )
    assert shop.order(player, key="seat")["code"] == "idempotency_key_reused"


def test_ineligible_players_cannot_order(shop, shared, player):
    shared.rows("UPDATE settings SET value = '2' WHERE name = 'shop_open_orders_max'")
    try:
        assert [shop.order(player)["code"] for _ in range(3)] == ["ok", "ok", "too_many_orders"]
    finally:
        shared.rows("UPDATE settings SET value = '1000' WHERE name = 'shop_open_orders_max'")
    assert shop.order(10**9)["code"] == "no_such_player"
    shared.rows("UPDATE players SET banned_at = now() WHERE id = %s", player)
    assert shop.order(player)["code"] == "banned"
    gone = shared.player()
    shared.rows("UPDATE players SET deleted_at = now() WHERE id = %s", gone)
    assert shop.order(gone)["code"] == "no_such_player"


def test_requesting_a_due_order_claims_it(rig):
    shop = Shop(rig)
    player = rig.player()
    order = shop.opened(player)
    claim = "SELECT count(*) FROM do_shop_claim(%s)"
    due = "SELECT count(*) FROM do_shop_claim_due('stripe', 10)"
    assert rig.one(claim, order) == 0 and rig.one(due) == 0  # too young
    rig.rows("UPDATE settings SET value = '0' WHERE name IN ('shop_query_every_s', 'shop_query_first_s')")
    assert rig.one(claim, order) == 1
    rig.rows("UPDATE settings SET value = '100' WHERE name IN ('shop_query_every_s', 'shop_query_first_s')")
    assert rig.one(claim, order) == 0
    # Twice as long each time: queried once, it is due after 200 s.
    rig.rows("UPDATE shop_orders SET asked_at = now() - interval '150 s'")
    assert rig.one(due) == 0
    rig.rows("UPDATE shop_orders SET asked_at = now() - interval '201 s'")
    assert rig.one("SELECT count(*) FROM do_shop_claim_due('paypal', 10)") == 0
    assert rig.one(due) == 1 and rig.one(due) == 0
    rig.rows("UPDATE shop_orders SET asks = 1000, asked_at = now() - interval '6 hours'")
    assert rig.one(due) == 1
    shop.tell(order, "paid")
    rig.rows("UPDATE shop_orders SET asked_at = now() - interval '9 days'")
    assert rig.one(due) == 0 and rig.one(claim, order) == 0


def test_expired_orders_and_unmatched_events_are_swept(rig):
    shop = Shop(rig)
    player = rig.player()
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'shop_order_ttl_s'")
    never, lost = shop.order(player)["id"], shop.order(player)["id"]
    rig.rows("SELECT * FROM do_shop_opened(%s, 'cs', 'u')", lost)
    fresh = rig.one("SELECT id FROM do_shop_order(%s, 'k', 'b', 'gold_100', 'stripe')", player)
    assert (
        rig.one(
            "SELECT code FROM do_shop_event('stripe', 'r', 'refunded', NULL, NULL, 'pi_theirs', NULL, 5,"
            " 'eur')"
        )
        == "kept"
    )
    rig.rows("SELECT pg_sleep(1)")
    assert not shop.order(player, key="k")["to_open"]  # too late to open it
    assert tuple(
        rig.row("SELECT expired, forgotten FROM do_shop_sweep('{stripe,paypal,sms,apple,google}')")
    ) == (2, 0)
    assert (shop.state(never), shop.state(fresh), shop.state(lost)) == ("expired", "expired", "pending")
    assert rig.one("SELECT code FROM do_shop_unknown(%s)", lost) == "ok" and shop.state(lost) == "expired"
    assert rig.one("SELECT code FROM do_shop_unknown(%s)", lost) == "wait"
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'shop_unmatched_s'")
    assert tuple(
        rig.row("SELECT expired, forgotten FROM do_shop_sweep('{stripe,paypal,sms,apple,google}')")
    ) == (0, 1)
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_shop_check()") == []


def test_the_check_finds_changes_made_without_the_guards(rig):
    """A superuser who removes the guards leaves traces."""
    shop = Shop(rig)
    player = rig.player()
    order = shop.in_state(player, "paid")
    root = rig.connect(user="postgres")
    rig.rows("ALTER TABLE shop_orders DISABLE TRIGGER ALL", via=root)
    rig.rows("UPDATE shop_orders SET gold_back = 7 WHERE id = %s", order, via=root)
    rig.rows("ALTER TABLE transfers DISABLE TRIGGER shop_transfer_of_order", via=root)
    rig.rows(gold_by_hand(key="hand"), player, via=root)
    root.close()
    assert [tuple(r)[:2] for r in rig.rows("SELECT * FROM q_shop_check()")] == [
        ("order_differs", f"order {order}"),
        ("shop_transfer_without_order", f"transfer {rig.one('SELECT max(id) FROM transfers')}"),
    ]


# --- refunds -----------------------------------------------------------------------------------------------


def test_only_the_first_result_of_a_refund_counts(shop, shared, player):
    for given, then in ((True, "refunded"), (False, "paid")):
        order = shop.in_state(player, "paid")
        refund = shop.refund(order)["id"]
        said = [
            shared.one("SELECT code FROM do_shop_refund_result(%s, %s, 're', 'why')", refund, word)
            for word in (given, not given, given)
        ]
        assert said == ["ok" if given else "payment_refused"] * 3 and shop.state(order) == then
    assert (
        shared.purse(player)[1] == 300
        and shared.proof() == []
        and shared.rows("SELECT * FROM q_shop_check()") == []
    )


def test_refund_claims_back_off_and_are_exclusive(rig):
    shop = Shop(rig)
    refund = shop.refund(shop.in_state(rig.player(), "paid"))["id"]

    def claim(age):
        rig.rows(
            "UPDATE shop_refunds SET asked_at = now() - make_interval(secs => %s) WHERE id = %s", age, refund
        )
        return [row["id"] for row in rig.rows("SELECT * FROM do_shop_claim_refunds('stripe', 10)")]

    assert claim(119) == [] and claim(121) == [refund]
    assert rig.rows("SELECT * FROM do_shop_claim_refunds('stripe', 10)") == []
    assert claim(239) == [] and claim(241) == [refund] and claim(479) == []
    assert rig.rows("SELECT * FROM do_shop_claim_refunds('paypal', 10)") == []
    assert claim(481) == [refund]
    rig.rows("SELECT do_shop_refund_result(%s, false, '', 'no')", refund)
    assert rig.rows("SELECT * FROM do_shop_claim_refunds('stripe', 10)") == []


def test_refunds_from_several_sources_take_the_gold_once(shop, shared):
    """An operator's refund, a part refunded by hand, a dispute won: in any order of the four events, the
    order ends as refunded, and the gold is taken once."""
    for places in itertools.permutations(range(4)):
        player = shared.player()
        order = shop.in_state(player, "paid")
        refund = shop.refund(order)["id"]
        for i in places:
            if i == 0:
                assert (
                    shared.one("SELECT code FROM do_shop_refund_result(%s, true, 're', '')", refund) == "ok"
                )
            else:
                shop.tell(
                    order,
                    ["", "refunded", "disputed", "dispute_won"][i],
                    amount=250,
                    subject=None if i == 1 else "dp",
                )
        assert (shop.state(order), shared.purse(player)[1]) == ("refunded", 0), places
    assert shared.proof() == [] and shared.rows("SELECT * FROM q_shop_check()") == []


FAILING = "2026-01-01 10:00+00", "2026-01-05 10:00+00"  # a refund, and its failure


@pytest.mark.parametrize("paid_first", [True, False])
def test_a_failed_refund_returns_the_gold_once_in_any_event_order(shop, shared, paid_first):
    """The operator's call, the event of the charge, and the failure (reported twice), in every order."""
    for places in itertools.permutations(range(3 if paid_first else 4)):
        player = shared.player()
        order = shop.in_state(player, "paid" if paid_first else "pending")
        refund = shop.refund(order)["id"] if paid_first else None
        for i in places:
            if i == 0 and refund:
                assert shared.one(
                    "SELECT code FROM do_shop_refund_result(%s, true, %s, '')", refund, f"re_{order}"
                ) in ("ok", "payment_refused")
            elif i == 1:
                shop.tell(order, "refunded", token=False, at=FAILING[0])
            elif i == 2:
                for code in (("ok", "kept"), ("repeated",)):
                    assert (
                        shop.tell(
                            order,
                            "refund_failed",
                            event=f"failed:re_{order}",
                            subject=f"re_{order}",
                            token=False,
                            at=FAILING[1],
                        )
                        in code
                    )
            elif i == 3:
                shop.tell(order, "paid")
        it = shared.row("SELECT * FROM shop_orders WHERE id = %s", order)
        assert (it["state"], it["gold_back"], it["gold_short"], it["refunded_minor"]) == (
            "paid",
            0,
            0,
            0,
        ), places
        assert shared.purse(player)[1] == 300, places
        assert shared.rows("SELECT reason, gold FROM shop_flags WHERE order_id = %s", order) == [
            ["refund_failed", 0]
        ]
        assert [
            row[0] for row in shared.rows("SELECT state FROM shop_refunds WHERE order_id = %s", order)
        ] == ["failed"] * bool(refund)
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_a_failed_refund_can_be_retried(shop, shared, player):
    order = shop.in_state(player, "paid")
    for name, said in (("re_1", "refund_failed"), ("re_2", None)):
        refund = shop.refund(order)
        assert (refund["code"], refund["to_ask"]) == ("ok", True)
        assert (
            shared.one(
                "SELECT code FROM do_shop_refund_result(%s, true, %s, '')", refund["id"], f"{name}_{order}"
            )
            == "ok"
        )
        assert shop.state(order) == "refunded"
        if said:
            shop.tell(order, said, subject=f"{name}_{order}")
            assert (shop.state(order), shared.purse(player)[1]) == ("paid", 300)
    assert (shop.state(order), shared.purse(player)[1]) == ("refunded", 0)
    refused(shared, "UPDATE shop_refunds SET state = 'done' WHERE order_id = %s AND state = 'failed'", order)
    refused(shared, "UPDATE shop_refunds SET state = 'refused' WHERE order_id = %s AND state = 'done'", order)


def test_only_the_failed_one_of_several_refunds_is_reverted(shop, shared, player):
    order = shop.in_state(player, "paid")
    events = [
        ("refunded", 100, None, "2026-01-01"),
        ("refunded", 250, None, "2026-01-02"),
        ("refund_failed", 150, "re_b", "2026-01-03"),
        ("refunded", 349, None, "2026-01-04"),
    ]
    refunded = []
    for kind, amount, subject, day in events:
        shop.tell(order, kind, amount=amount, subject=subject, at=day + " 00:00+00")
        refunded.append(shared.one("SELECT refunded_minor FROM shop_orders WHERE id = %s", order))
    assert refunded == [100, 250, 100, 349]
    assert shared.purse(player)[1] == 300 - 300 * 349 // 499


def test_a_failed_refund_clears_the_debt_for_spent_gold(shop, shared, player):
    order = shop.in_state(player, "paid")
    shared.take(player, "gold", 220)
    shop.tell(order, "refunded", at=FAILING[0])
    assert (shop.state(order), shared.purse(player)[1]) == ("refunded", 0)
    shop.tell(order, "refund_failed", subject="re", at=FAILING[1])
    assert (shop.state(order), shared.purse(player)[1]) == ("paid", 80)
    assert shared.rows(
        "SELECT reason, settled_at IS NOT NULL FROM shop_flags WHERE order_id = %s ORDER BY id", order
    ) == [["gold_short", True], ["refund_failed", False]]


# --- whose money it is --------------------------------------------------------------------------------------


def flags(shared, order):
    return [
        tuple(row)
        for row in shared.rows(
            "SELECT reason, gold, settled_at IS NOT NULL FROM shop_flags WHERE order_id = %s ORDER BY id",
            order,
        )
    ]


@pytest.mark.parametrize("kind", ["paid", "refunded", "disputed", "refund_failed"])
def test_an_order_with_the_payment_of_another_order_is_flagged(shop, shared, player, kind):
    """Nothing shows whose money it is, so the event is flagged at the order that it names, applied to
    neither order, and accepted so that the provider does not send it again for days."""
    other = shared.player()
    theirs, mine = (
        shop.in_state(other, "paid"),
        shop.in_state(player, "pending" if kind == "paid" else "paid"),
    )
    before = [shared.row("SELECT * FROM shop_orders WHERE id = %s", order) for order in (theirs, mine)]
    event = uuid.uuid4().hex
    assert [shop.tell(mine, kind, event=event, payment=f"pi_{theirs}", subject="dp") for _ in range(3)] == [
        "payment_of_another",
        "repeated",
        "repeated",
    ]
    assert [
        shared.row("SELECT * FROM shop_orders WHERE id = %s", order) for order in (theirs, mine)
    ] == before
    assert flags(shared, mine) == [("payment_of_another", 0, False)] and flags(shared, theirs) == []
    # Later events of that payment are applied, but the contradicting one is still not applied.
    assert shop.tell(theirs, "refunded", amount=100, token=False) == "ok"
    assert shared.one("SELECT order_id FROM shop_events WHERE event_id = %s", event) is None
    assert shop.state(theirs) == "paid" and shared.purse(other)[1] == 300 - 300 * 100 // 499
    if kind == "paid":
        assert shop.tell(mine, "paid") == "ok" and shared.purse(player)[1] == 300
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_one_payment_reported_for_two_orders_at_once_pays_only_one(shop, shared):
    players = [shared.player() for _ in range(2)]
    orders = [shop.in_state(player, "pending") for player in players]
    codes = []

    def tell(order):
        connection = shared.connect()
        codes.append(shop.tell(order, "paid", payment=f"pi_shared_{orders[0]}", via=connection))
        connection.close()

    threads = [threading.Thread(target=tell, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["ok", "payment_of_another"]
    assert sum(shared.purse(player)[1] for player in players) == 300


@pytest.mark.parametrize("currency", ["usd", "", None])
def test_a_refund_in_another_currency_does_not_change_the_order(shop, shared, player, currency):
    order = shop.in_state(player, "paid")
    assert shop.tell(order, "refunded", amount=100, currency=currency) == "ok"
    it = shared.row("SELECT * FROM shop_orders WHERE id = %s", order)
    assert (it["state"], it["refunded_minor"], it["gold_back"], shared.purse(player)[1]) == (
        "paid",
        0,
        0,
        300,
    )
    assert flags(shared, order) == [("amount_differs", 0, False)]
    assert shop.tell(order, "refunded", amount=250) == "ok"
    assert shop.tell(order, "refund_failed", amount=100, subject="re_x", currency=currency) == "ok"
    it = shared.row("SELECT * FROM shop_orders WHERE id = %s", order)
    assert (it["refunded_minor"], it["gold_back"]) == (250, 150)


def spend(shared, player, gold):
    shared.take(player, "gold", gold)


def test_bought_gold_pays_debts_first(shop, shared, player):
    first = shop.in_state(player, "paid")
    spend(shared, player, 280)
    assert shop.tell(first, "dispute_lost", subject="dp") == "ok"
    assert shared.purse(player)[1] == 0 and flags(shared, first) == [("gold_short", 280, False)]
    small = shop.opened(player, pack="gold_100")
    assert shop.tell(small, "paid") == "ok"
    assert shared.purse(player)[1] == 0 and flags(shared, first) == [("gold_short", 180, False)]
    big = shop.opened(player)
    assert shop.tell(big, "paid") == "ok"
    assert shared.purse(player)[1] == 120 and flags(shared, first) == [("gold_short", 0, True)]
    it = shared.row("SELECT * FROM shop_orders WHERE id = %s", first)
    assert (it["state"], it["gold_back"], it["gold_short"]) == ("charged_back", 300, 0)
    assert [
        key
        for (key,) in shared.rows(
            "SELECT key FROM transfers WHERE key LIKE %s ORDER BY id", f"shop:{first}:back:order:%"
        )
    ] == [f"shop:{first}:back:order:{small}", f"shop:{first}:back:order:{big}"]
    third = shop.in_state(player, "paid")
    assert shared.purse(player)[1] == 420 and third, "nothing is owed anymore"
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_several_debts_are_paid_in_order(shop, shared, player):
    orders = [shop.in_state(player, "paid") for _ in range(3)]
    spend(shared, player, 900)
    for order, amount in zip(orders, (499, 250, 499)):
        assert shop.tell(order, "refunded", amount=amount) == "ok"
    assert [flags(shared, order) for order in orders] == [
        [("gold_short", 300, False)],
        [("gold_short", 150, False)],
        [("gold_short", 300, False)],
    ]
    paying = shop.in_state(player, "paid")
    assert paying and [flags(shared, order)[0][1:] for order in orders] == [
        (0, True),
        (150, False),
        (300, False),
    ]
    shop.in_state(player, "paid")
    assert [flags(shared, order)[0][1:] for order in orders] == [(0, True), (0, True), (150, False)]
    assert shared.purse(player)[1] == 0
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_winning_a_dispute_after_paying_its_debt_returns_all_gold(shop, shared, player):
    first = shop.in_state(player, "paid")
    spend(shared, player, 300)
    assert shop.tell(first, "disputed", subject="dp") == "ok"
    shop.in_state(player, "paid")
    assert shared.purse(player)[1] == 0
    assert shop.tell(first, "dispute_won", subject="dp") == "ok"
    assert (shop.state(first), shared.purse(player)[1]) == ("paid", 300)
    assert shared.rows("SELECT * FROM q_shop_check()") == [] and shared.proof() == []


def test_two_flags_of_one_order_are_paid_in_sequence(shop, shared, player):
    first = shop.in_state(player, "paid")
    spend(shared, player, 300)
    for amount in (250, 499):
        assert shop.tell(first, "refunded", amount=amount) == "ok"
    assert flags(shared, first) == [("gold_short", 150, False), ("gold_short", 150, False)]
    assert shop.tell(shop.opened(player, pack="gold_100"), "paid") == "ok"
    assert flags(shared, first) == [("gold_short", 50, False), ("gold_short", 150, False)]
    assert shop.tell(shop.opened(player, pack="gold_100"), "paid") == "ok"
    assert flags(shared, first) == [("gold_short", 0, True), ("gold_short", 100, False)]


def test_an_event_list_is_claimed_up_to_the_last_whole_second(shared):
    """Providers state times in whole seconds, so an event of the current second may still follow."""
    shared.rows("UPDATE settings SET value = '0' WHERE name = 'shop_list_s'")

    def claimed_in_second_half():
        claim = shared.row(
            "SELECT until_s, extract(epoch FROM now())::float8 AS now_s FROM do_shop_claim_list('stripe')"
        )
        return claim if claim["now_s"] % 1 > 0.5 else None

    try:
        claim = until(claimed_in_second_half)
    finally:
        shared.rows("UPDATE settings SET value = '600' WHERE name = 'shop_list_s'")
    assert claim["until_s"] == int(claim["now_s"])
