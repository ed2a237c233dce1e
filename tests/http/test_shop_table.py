"""Every row of the tables of Stripe and PayPal in docs/providers.md: what each provider may send, and the
outcome for an order of 300 gold at 4.99."""

import json

import pytest
from support.provider_table import complete, rows
from support.wait import until

STRIPE, PAYPAL = rows("stripe"), rows("paypal")


def outcome(shop, order):
    """In the tables' notation: the state, the buyer's gold, and the open flags."""
    (state,) = shop.sql("SELECT state FROM shop_orders WHERE id = %s", int(order["id"]))[0]
    flags = [
        row[0]
        for row in shop.sql(
            "SELECT reason FROM shop_flags WHERE order_id = %s AND settled_at IS NULL ORDER BY id",
            int(order["id"]),
        )
    ]
    return ", ".join([state, f"{shop.gold()} gold", *(f"flag {flag}" for flag in flags)])


def look(shop, order):
    """The buyer polls the order, which makes the server query the provider."""
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    return shop.state(order)


# --- Stripe -------------------------------------------------------------------------------------------------


def stripe(change=None, **changes):
    """One order, paid at Stripe with this session; change: modifies the event."""

    def play(shop):
        order, session = shop.bought()
        event = shop.stripe.pay(session, **changes)
        shop.tell(change(event) or event if change else event)
        return order

    return play


def stripe_then(*deeds, paid=True):
    """A paid order, and further events: each function creates an event from the fake and the session."""

    def play(shop):
        order, session = shop.paid() if paid else shop.bought()
        for deed in deeds:
            for event in [deed(shop.stripe, session)]:
                shop.tell(event)
        return order

    return play


def shuffled(*deeds):
    """The same, reported in reverse order."""

    def play(shop):
        order, session = shop.paid()
        for event in [deed(shop.stripe, session) for deed in deeds][::-1]:
            shop.tell(event)
        return order

    return play


def sums(total, subtotal=499, discount=0, tax=0, shipping=0):
    return {
        "amount_total": total,
        "amount_subtotal": subtotal,
        "total_details": {"amount_discount": discount, "amount_tax": tax, "amount_shipping": shipping},
    }


FREE = {**sums(0, discount=499), "payment_status": "no_payment_required", "payment_intent": None}


def free(event):
    event["data"]["object"].update(FREE)


def stripe_free_asked(shop):
    order, session = shop.bought()
    shop.stripe.pay(session)
    shop.stripe.sessions[session].update(FREE)
    look(shop, order)
    return order


def stripe_free_open(shop):
    order, session = shop.bought()
    shop.stripe.sessions[session].update(FREE)
    look(shop, order)
    return order


def stripe_coupon_refunded(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session, **sums(250, discount=249)))
    assert outcome(shop, order) == "paid, 300 gold"
    shop.tell(shop.stripe.refund(session, 125))
    assert outcome(shop, order) == "paid, 150 gold"
    shop.tell(shop.stripe.refund(session, 250))
    return order


def stripe_free_refund(shop):
    order = stripe(free)(shop)
    shop.refund(order, status=409, code="not_refundable")
    return order


def member(name, value):
    def change(event):
        event["data"]["object"][name] = value

    return change


def stripe_asked(change):
    """The webhook is lost, and this is the response to the query."""

    def play(shop):
        order, session = shop.bought()
        change(shop.stripe, session)
        look(shop, order)
        return order

    return play


def manner(name):
    def change(stripe, session):
        stripe.pay(session)
        stripe.manners.extend([name] * 3)

    return change


def wants_a_pause(stripe, status=429, after="1"):
    """The response to the next request."""
    serve = stripe.serve
    stripe.serve = lambda *_: (
        setattr(stripe, "serve", serve),
        (status, {"error": {"message": "slow down"}}, {"Retry-After": after}),
    )[1]


def asked_429(shop):
    order, session = shop.bought()
    shop.stripe.pay(session)
    wants_a_pause(shop.stripe)
    look(shop, order)
    assert outcome(shop, order) == "pending, 0 gold"
    until(lambda: look(shop, order) == "paid", "Stripe is queried again")
    return order


def second(stripe, session):
    """The buyer pays a second time for the same order."""
    it = {**stripe.sessions[session], "payment_intent": f"pi_again_{session}"}
    return stripe.event("checkout.session.completed", it)


def refund_of_second(stripe, session):
    event = stripe.refund(session, 499)
    event["data"]["object"]["payment_intent"] = f"pi_again_{session}"
    return event


def foreign(event):
    def deed(stripe, session):
        told = event(stripe, session)
        told["data"]["object"].update(payment_intent="pi_of_another_shop", metadata={})
        return told

    return deed


def back(amount, **changes):
    def deed(stripe, session):
        event = stripe.refund(session, amount)
        event["data"]["object"].update(changes)
        return event

    return deed


def dispute(changes=None, **how):
    def deed(stripe, session):
        event = stripe.dispute(session, **how)
        event["data"]["object"].update(changes or {})
        return event

    return deed


def stripe_refund_early(shop):
    order, session = shop.bought()
    paid = shop.stripe.pay(session)
    shop.tell(shop.stripe.refund(session, 250, metadata=False))
    shop.tell(paid)
    return order


def stripe_dispute_early(shop):
    order, session = shop.bought()
    paid = shop.stripe.pay(session)
    shop.tell(shop.stripe.dispute(session))
    shop.tell(paid)
    return order


def stripe_refund_that(status):
    """Stripe accepts an operator's refund with this status."""

    def play(shop):
        order, _ = shop.paid()
        give_back = shop.stripe._give_back

        def changed(form, key):
            code, body = give_back(form, key)
            return code, {**body, "status": status}

        shop.stripe._give_back = changed
        try:
            shop.refund(order, status=200)
        finally:
            shop.stripe._give_back = give_back
        return order

    return play


def stripe_other_amount_refunded(shop):
    """A payment with another amount is refunded by hand, then the right one comes."""
    order, session = shop.bought()
    wrong = shop.stripe.pay(session, amount_total=100)
    wrong["data"]["object"]["payment_intent"] = "pi_wrong" + session
    shop.tell(wrong)
    refund = shop.stripe.refund(session, 100)
    refund["data"]["object"]["payment_intent"] = "pi_wrong" + session
    shop.tell(refund)
    shop.tell(shop.stripe.pay(session, amount_total=499))
    return order


def stripe_amount_ends(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session, amount_total=100))
    shop.sql("ALTER TABLE shop_orders DISABLE TRIGGER shop_order_guard")
    try:
        shop.sql("UPDATE shop_orders SET expires_at = now() - interval '1 s' WHERE id = %s", int(order["id"]))
    finally:
        shop.sql("ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_guard")
    shop.sql("SELECT do_shop_sweep('{stripe,paypal,sms,apple,google}')")
    assert shop.buyer.get(f"/v1/shop/orders/{order['id']}")["why"] == "amount_differs"
    return order


def stripe_days(good):
    def play(shop):
        order, session = shop.bought()
        shop.tell(shop.stripe.promise(session))
        assert outcome(shop, order) == "pending, 0 gold"
        shop.tell(shop.stripe.keep_promise(session, good))
        return order

    return play


def stripe_reference_missing(event):
    event["data"]["object"].update(client_reference_id=None, metadata={})


def refused_call(body, code, **signing):
    def play(shop):
        order, session = shop.bought()
        shop.tell(body(shop, session), status=400, code=code, **signing)
        return order

    return play


def operator(prepare=None, status=200, code=None, paid=lambda shop: shop.paid()):
    def play(shop):
        order, payment = paid(shop)
        if prepare:
            prepare(shop, payment)
        shop.refund(order, status=status, code=code)
        return order

    return play


def by_hand(shop, session):
    shop.stripe.refunds[f"pi_{session}"] = {"id": "re_hand", "object": "refund", "amount": 499}


def twice_each(*deeds):
    def play(shop):
        order, session = shop.paid()
        for event in [deed(shop.stripe, session) for deed in deeds] * 2:
            shop.tell(event)
        return order

    return play


def big(shop, session):
    body, _ = shop.stripe.signed(shop.stripe.pay(session))
    return body.replace(b'"livemode": false', b'"livemode": false, "more": 99999999999999999999999')


def stripe_big(shop):
    order, session = shop.bought()
    shop.tell(big(shop, session))
    return order


STRIPE_PLAYS = {
    "paid": stripe(),
    "paid-repeated": lambda shop: (lambda o, s, e: [shop.tell(e) for _ in range(3)] and o)(
        *(lambda b: (*b, shop.stripe.pay(b[1])))(shop.bought())
    ),
    "paid-asked": stripe_asked(lambda stripe, session: stripe.pay(session)),
    "coupon-full": stripe(free),
    "coupon-full-asked": stripe_free_asked,
    "coupon-full-open": stripe_free_open,
    "coupon-full-refund": stripe_free_refund,
    "coupon-part": stripe(**sums(250, discount=249)),
    "coupon-part-refunded": stripe_coupon_refunded,
    "coupon-sum-wrong": stripe(**sums(250, discount=100)),
    "coupon-other-price": stripe(**sums(0, subtotal=100, discount=100)),
    "coupon-negative": stripe(**sums(998, discount=-499)),
    "tax": stripe(**sums(594, tax=95)),
    "free-unpaid": stripe(member("payment_status", "no_payment_required")),
    "amount-other": stripe(amount_total=100),
    "amount-other-ends": stripe_amount_ends,
    "amount-other-refunded": stripe_other_amount_refunded,
    "amount-missing": stripe(member("amount_total", None)),
    "amount-text": stripe(member("amount_total", "499")),
    "amount-real": stripe(member("amount_total", 499.0)),
    "amount-fraction": stripe(member("amount_total", 499.5)),
    "currency-other": stripe(member("currency", "usd")),
    "currency-capitals": stripe(member("currency", "EUR")),
    "currency-missing": stripe(member("currency", None)),
    "reference-missing": stripe(stripe_reference_missing),
    "payment-expanded": stripe(
        lambda event: event["data"]["object"].update(
            payment_intent={"id": event["data"]["object"]["payment_intent"], "object": "payment_intent"}
        )
    ),
    "payment-missing": stripe(member("payment_intent", None)),
    "session-foreign": stripe(
        lambda event: event["data"]["object"].update(id="cs_other", client_reference_id="cart-7", metadata={})
    ),
    "extra-members": stripe(
        lambda event: (
            event.update(more={"x": [1]}),
            event["data"]["object"].update(more=1.5, shipping=None),
            None,
        )[2]
    ),
    "big-number": stripe_big,
    "days-good": stripe_days(True),
    "days-bad": stripe_days(False),
    "failed-then-paid": stripe_then(lambda s, n: s.keep_promise(n, False), lambda s, n: s.pay(n), paid=False),
    "expired": stripe_then(lambda s, n: s.expire(n), paid=False),
    "expired-then-paid": stripe_then(lambda s, n: s.expire(n), lambda s, n: s.pay(n), paid=False),
    "paid-then-expired": stripe_then(lambda s, n: s.expire(n)),
    "paid-then-failed": stripe_then(lambda s, n: s.keep_promise(n, False)),
    "paid-twice": stripe_then(second),
    "paid-twice-refunded": stripe_then(second, refund_of_second),
    "paid-twice-both-refunded": stripe_then(second, refund_of_second, back(499)),
    "unknown-event": stripe_then(lambda s, n: s.event("invoice.paid", s.sessions[n]), paid=False),
    "refund-part": stripe_then(back(250)),
    "refund-parts": stripe_then(back(250), back(499)),
    "refund-parts-reordered": shuffled(back(250), back(499)),
    "refund-repeated": twice_each(back(250)),
    "refund-more": stripe_then(back(999)),
    "refund-real": stripe_then(back(250.0)),
    "refund-amount-missing": stripe_then(back(None)),
    "refund-amount-text": stripe_then(back("250")),
    "refund-amount-negative": stripe_then(back(-250)),
    "refund-amount-fraction": stripe_then(back(250.5)),
    "refund-early": stripe_refund_early,
    "refund-foreign": stripe_then(foreign(back(499))),
    "refund-other-currency": stripe_then(back(499, currency="usd")),
    "refund-names-order-alone": stripe_then(back(499, payment_intent=None)),
    "dispute": stripe_then(dispute()),
    "dispute-withdrawn-alone": stripe_then(dispute(kind="funds_withdrawn")),
    "dispute-updated-alone": stripe_then(dispute(kind="updated", status="under_review")),
    "dispute-won": stripe_then(dispute(), dispute(kind="closed", status="won")),
    "dispute-won-reinstated-alone": stripe_then(dispute(), dispute(kind="funds_reinstated", status="won")),
    "dispute-lost": stripe_then(dispute(), dispute(kind="closed", status="lost")),
    "dispute-lost-alone": stripe_then(dispute(kind="closed", status="lost")),
    "dispute-reordered": shuffled(dispute(), dispute(kind="closed", status="won")),
    "dispute-inquiry": stripe_then(dispute(status="warning_needs_response")),
    "dispute-inquiry-closed": stripe_then(
        dispute(status="warning_needs_response"), dispute(kind="closed", status="warning_closed")
    ),
    "dispute-foreign": stripe_then(foreign(dispute())),
    "dispute-part": stripe_then(dispute({"amount": 250})),
    "dispute-other-currency": stripe_then(dispute({"currency": "usd", "amount": 541})),
    "dispute-early": stripe_dispute_early,
    "dispute-after-inquiry": stripe_then(
        dispute(status="warning_needs_response"), dispute(kind="updated", status="needs_response")
    ),
    "dispute-prevented": stripe_then(dispute(status="prevented"), back(499)),
    "dispute-prevented-reordered": shuffled(dispute(status="prevented"), back(499)),
    "dispute-part-refunded-won": stripe_then(back(250), dispute(), dispute(kind="closed", status="won")),
    "unsigned": refused_call(
        lambda shop, session: shop.stripe.pay(session), "signature_bad", secret="whsec_another"
    ),
    "stale": refused_call(lambda shop, session: shop.stripe.pay(session), "signature_stale", at=1),
    "no-event": refused_call(lambda shop, session: b"[]", "event_bad"),
    "member-twice": refused_call(
        lambda shop, session: b'{"id": "evt_a", "id": "evt_b", "type": "x", "data": {"object": {}}}',
        "event_bad",
    ),
    "asked-404": stripe_asked(lambda stripe, session: stripe.sessions.pop(session)),
    "asked-400": stripe_asked(manner("400")),
    "asked-500": stripe_asked(manner("500")),
    "asked-429": asked_429,
    "asked-html": stripe_asked(manner("garbage")),
    "asked-other": stripe_asked(manner("other")),
    "asked-redirect": stripe_asked(manner("302")),
    "refund-by-operator": operator(),
    "refund-by-operator-pending": stripe_refund_that("pending"),
    "refund-by-operator-action": stripe_refund_that("requires_action"),
    "refund-by-hand-before": operator(by_hand),
    "refund-refused": operator(
        lambda shop, session: shop.stripe.manners.append("400"), 502, "payment_refused"
    ),
    "refund-unreachable": operator(
        lambda shop, session: shop.stripe.manners.extend(["500"] * 3), 503, "payment_unavailable"
    ),
    "refund-failed": lambda shop: (
        lambda order, session: (
            [shop.refund(order, status=200)],
            [shop.tell(e) for e in shop.stripe.fail_refund(session)],
            order,
        )[2]
    )(*shop.paid()),
}


# --- PayPal -------------------------------------------------------------------------------------------------


def paypal_then(*deeds, paid=True):
    """A paid order, and further events."""

    def play(shop):
        order, name = shop.paypal_paid() if paid else shop.paypal_order()
        for deed in deeds:
            shop.tell_paypal(deed(shop.paypal, name))
        return order

    return play


def paypal_shuffled(*deeds):
    """A paid order, and further events, reported in reverse order."""

    def play(shop):
        order, name = shop.paypal_paid()
        for event in [deed(shop.paypal, name) for deed in deeds][::-1]:
            shop.tell_paypal(event)
        return order

    return play


def captured(change=None, **state):
    """The order is captured without our request, and its event arrives."""

    def play(shop):
        order, name = shop.paypal_order()
        shop.paypal.approve(name)
        with shop.paypal.lock:
            shop.paypal._capture(name)
            shop.paypal.capture_of(name).update(state)
        event = shop.paypal.captured(name)
        event["resource"].update(state)
        if change:
            change(event["resource"])
        shop.tell_paypal(event)
        return order

    return play


def another_card(shop):
    """The first card is declined at the capture, and the buyer uses another one."""
    order, name = shop.paypal_order()
    it = shop.paypal.orders[name]
    it["purchase_units"][0]["payments"] = {
        "captures": [
            {
                "id": "CDECLINED" + name,
                "status": "DECLINED",
                "custom_id": order_token(it),
                "amount": it["purchase_units"][0]["amount"],
            }
        ]
    }
    shop.tell_paypal(
        shop.paypal.event("PAYMENT.CAPTURE.DECLINED", it["purchase_units"][0]["payments"]["captures"][0])
    )
    assert outcome(shop, order) == "failed, 0 gold"
    shop.tell_paypal(shop.paypal.approve(name))
    return order


def order_token(order):
    return order["purchase_units"][0]["custom_id"]


def declined_in_list(shop):
    """The list of captures has a declined one before the successful one."""
    order, name = shop.paypal_order()
    shop.paypal.approve(name)
    with shop.paypal.lock:
        shop.paypal._capture(name)
    captures = shop.paypal.orders[name]["purchase_units"][0]["payments"]["captures"]
    captures.insert(0, {**captures[0], "id": "CDECLINED" + name, "status": "DECLINED"})
    look(shop, order)
    return order


def paypal_days(good):
    def play(shop):
        order, name = shop.paypal_order()
        shop.paypal.pending.add(name)
        shop.tell_paypal(shop.paypal.approve(name))
        assert outcome(shop, order) == "pending, 0 gold"
        if good is not None:
            shop.tell_paypal(shop.paypal.decide(name, good))
        return order

    return play


def paypal_refund(minor, *without, **changes):
    def deed(paypal, name):
        event = paypal.refund(name, minor)
        event["resource"].update(changes)
        for member in without:
            del event["resource"][member]
        return event

    return deed


def paypal_second(paypal, name):
    event = json.loads(json.dumps(paypal.captured(name)))
    event["id"] += "-2"
    event["resource"]["id"] = "CAGAIN" + name
    return event


def paypal_second_refund(paypal, name):
    event = paypal.refund(name, 499)
    event["resource"]["links"][1]["href"] = f"{paypal.url}/v2/payments/captures/CAGAIN{name}"
    return event


def paypal_dispute(changes=None, **how):
    def deed(paypal, name):
        event = paypal.dispute(name, **how)
        event["resource"].update(changes or {})
        return event

    return deed


def paypal_foreign(deed):
    def told(paypal, name):
        event = deed(paypal, name)
        event["resource"].pop("custom_id", None)
        for link in event["resource"].get("links", []):
            link["href"] = f"{paypal.url}/v2/payments/captures/COFANOTHERSHOP"
        for transaction in event["resource"].get("disputed_transactions", []):
            transaction["seller_transaction_id"] = "COFANOTHERSHOP"
        return event

    return told


def refund_fails(paypal, name):
    refund = {
        "id": "RFAILED" + name,
        "amount": {"currency_code": "EUR", "value": "4.99"},
        "status": "FAILED",
        "links": [
            {"rel": "up", "href": f"{paypal.url}/v2/payments/captures/{paypal.capture_of(name)['id']}"}
        ],
    }
    return paypal.event("PAYMENT.REFUND.FAILED", refund)


def paypal_asked(change):
    def play(shop):
        order, name = shop.paypal_order()
        change(shop.paypal, name)
        look(shop, order)
        return order

    return play


def capture_is(status):
    def change(paypal, name):
        paypal.approve(name)
        with paypal.lock:
            paypal._capture(name)
        paypal.capture_of(name)["status"] = status

    return change


def paypal_dispute_early(shop):
    order, name = shop.paypal_order()
    shop.paypal.approve(name)
    with shop.paypal.lock:
        shop.paypal._capture(name)
    shop.tell_paypal(shop.paypal.dispute(name))
    shop.tell_paypal(shop.paypal.captured(name))
    return order


def by_paypal(shop):
    return shop.paypal_paid()


def unsigned(shop):
    order, name = shop.paypal_order()
    shop.tell_paypal(shop.paypal.approve(name), status=400, code="signature_bad", forged=True)
    return order


def unverifiable(shop):
    order, name = shop.paypal_order()
    event = shop.paypal.approve(name)
    shop.paypal.manners.extend(["503"] * 3)
    shop.tell_paypal(event, status=503, code="payment_unavailable")
    return order


PAYPAL_PLAYS = {
    "approved": paypal_then(),
    "approved-repeated": lambda shop: (
        lambda order, name: (shop.tell_paypal(shop.paypal.approve(name)), order)[1]
    )(*shop.paypal_paid()),
    "captured": captured(),
    "captured-repeated": paypal_then(lambda p, n: p.captured(n), lambda p, n: p.captured(n)),
    "declined": lambda shop: (
        lambda order, name: (
            shop.paypal.declined.add(name),
            shop.tell_paypal(shop.paypal.approve(name)),
            order,
        )[2]
    )(*shop.paypal_order()),
    "declined-another-card": another_card,
    "declined-in-list": declined_in_list,
    "pending": paypal_days(None),
    "pending-completed": paypal_days(True),
    "pending-denied": paypal_days(False),
    "completed-by-name-alone": captured(lambda capture: capture.update(status="PENDING")),
    "amount-other": captured(amount={"currency_code": "EUR", "value": "1.00"}),
    "amount-decimals": captured(
        lambda capture: capture.update(amount={"currency_code": "EUR", "value": "4.990"})
    ),
    "amount-number": captured(lambda capture: capture.update(amount={"currency_code": "EUR", "value": 4.99})),
    "amount-missing": captured(lambda capture: capture.pop("amount")),
    "currency-other": captured(amount={"currency_code": "USD", "value": "4.99"}),
    "custom-id-missing": captured(lambda capture: capture.pop("custom_id")),
    "extra-members": captured(
        lambda capture: capture.update(more={"x": [1]}, network_transaction_reference=None)
    ),
    "order-completed": paypal_then(lambda p, n: p.event("CHECKOUT.ORDER.COMPLETED", p.orders[n])),
    "approval-reversed": paypal_then(
        lambda p, n: p.event("CHECKOUT.PAYMENT-APPROVAL.REVERSED", {"order_id": n}), paid=False
    ),
    "payer-action": paypal_asked(lambda p, n: p.orders[n].update(status="PAYER_ACTION_REQUIRED")),
    "asked-refunded-part": paypal_asked(capture_is("PARTIALLY_REFUNDED")),
    "asked-status-unknown": paypal_asked(capture_is("SOMETHING_NEW")),
    "voided": paypal_asked(lambda p, n: p.orders[n].update(status="VOIDED")),
    "asked-404": paypal_asked(lambda p, n: p.orders.pop(n)),
    "asked-422": paypal_asked(lambda p, n: p.manners.append("400")),
    "asked-500": paypal_asked(lambda p, n: p.manners.extend(["500"] * 3)),
    "asked-html": paypal_asked(lambda p, n: p.manners.append("garbage")),
    "asked-other": paypal_asked(lambda p, n: p.manners.append("other")),
    "paid-twice": paypal_then(paypal_second),
    "paid-twice-refunded": paypal_then(paypal_second, paypal_second_refund),
    "refund-part": paypal_then(paypal_refund(250)),
    "refund-whole": paypal_then(paypal_refund(499)),
    "refund-parts": paypal_then(paypal_refund(200), paypal_refund(299)),
    "refund-parts-no-sum": paypal_then(
        paypal_refund(250, "seller_payable_breakdown"), paypal_refund(249, "seller_payable_breakdown")
    ),
    "refund-parts-one-sum": paypal_then(paypal_refund(250, "seller_payable_breakdown"), paypal_refund(249)),
    "refund-no-links": paypal_then(paypal_refund(499, "links")),
    "refund-foreign": paypal_then(paypal_foreign(paypal_refund(499))),
    "refund-other-currency": paypal_then(
        paypal_refund(499, "seller_payable_breakdown", amount={"currency_code": "USD", "value": "4.99"})
    ),
    "reversed": paypal_then(lambda p, n: p.refund(n, 499, "REVERSED")),
    "refund-failed": paypal_then(paypal_refund(499), refund_fails),
    "refund-failed-reordered": paypal_shuffled(paypal_refund(499), refund_fails),
    "refund-amount-text": paypal_then(
        paypal_refund(250, "seller_payable_breakdown", amount={"currency_code": "EUR", "value": "2,50"})
    ),
    "dispute": paypal_then(paypal_dispute()),
    "dispute-seller": paypal_then(
        paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="RESOLVED_SELLER_FAVOUR")
    ),
    "dispute-canceled": paypal_then(
        paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="CANCELED_BY_BUYER")
    ),
    "dispute-payout": paypal_then(
        paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="RESOLVED_WITH_PAYOUT")
    ),
    "dispute-buyer": paypal_then(
        paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="RESOLVED_BUYER_FAVOUR")
    ),
    "dispute-accepted": paypal_then(paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="ACCEPTED")),
    "dispute-resolved-by-update": paypal_then(
        paypal_dispute(), paypal_dispute(kind="UPDATED", outcome="RESOLVED_SELLER_FAVOUR")
    ),
    "dispute-reordered": paypal_shuffled(
        paypal_dispute(), paypal_dispute(kind="RESOLVED", outcome="RESOLVED_SELLER_FAVOUR")
    ),
    "dispute-foreign": paypal_then(paypal_foreign(paypal_dispute())),
    "dispute-part": paypal_then(
        paypal_dispute({"dispute_amount": {"currency_code": "EUR", "value": "2.50"}})
    ),
    "dispute-early": paypal_dispute_early,
    "dispute-no-outcome": paypal_then(
        paypal_dispute(), paypal_dispute({"dispute_outcome": None}, kind="RESOLVED")
    ),
    "unknown-event": paypal_then(lambda p, n: p.event("PAYMENT.SALE.COMPLETED", {"id": "x"})),
    "unsigned": unsigned,
    "unverifiable": unverifiable,
    "refund-by-operator": operator(paid=by_paypal),
    "refund-by-hand-before": operator(lambda shop, name: shop.paypal.refund(name, 499), paid=by_paypal),
    "refund-refused": operator(
        lambda shop, name: shop.paypal.manners.append("400"), 502, "payment_refused", paid=by_paypal
    ),
    "refund-unreachable": operator(
        lambda shop, name: shop.paypal.manners.extend(["500"] * 3), 503, "payment_unavailable", paid=by_paypal
    ),
}


def test_the_tables_are_complete():
    complete(STRIPE, STRIPE_PLAYS)
    complete(PAYPAL, PAYPAL_PLAYS)


@pytest.mark.parametrize("row", STRIPE, ids=str)
def test_stripe(every_shop, row):
    assert outcome(every_shop, STRIPE_PLAYS[row.id](every_shop)) == row.result


@pytest.mark.parametrize("row", PAYPAL, ids=str)
def test_paypal(every_shop, row):
    assert outcome(every_shop, PAYPAL_PLAYS[row.id](every_shop)) == row.result
