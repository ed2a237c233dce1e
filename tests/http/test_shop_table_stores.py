"""Every row of the tables of SMS, Google Play and the App Store in docs/providers.md; see
test_shop_table.py."""

import base64
import json
import uuid

import pytest
from support.contract import Client
from support.provider_table import complete, rows
from support.stores import BUNDLE, PACKAGE
from test_shop_table import outcome

SMS, GOOGLE, APPLE = rows("sms"), rows("google"), rows("apple")
NO_ORDER = "no order"


# --- SMS ----------------------------------------------------------------------------------------------------


def sms(*deeds):
    """An order, and the carrier's calls about it: each function gets the carrier, the text, and the first
    paid message."""

    def play(shop):
        order, text = shop.sms_order()
        message = f"mo-{uuid.uuid4().hex}"
        for deed in deeds:
            shop.tell_carrier(deed(shop.carrier, text, message))
        return order

    return play


def call(kind="paid", amount=499, currency="EUR", message=None, without=(), **more):
    def deed(carrier, text, first):
        event = {
            **carrier.event(kind, text, amount, currency, message=f"{first}{message}" if message else first),
            **more,
        }
        return {name: value for name, value in event.items() if name not in without}

    return deed


def sms_repeated(shop):
    order, text = shop.sms_order()
    event = shop.carrier.paid(text, 499)
    for _ in range(3):
        shop.tell_carrier(event)
    return order


PAID = call()


def sms_refused(code="event_bad", deed=PAID, **signing):
    def play(shop):
        order, text = shop.sms_order()
        shop.tell_carrier(deed(shop.carrier, text, "mo-x"), status=400, code=code, **signing)
        return order

    return play


def sms_refund(shop):
    order = sms(call())(shop)
    shop.refund(order, status=409, code="refund_elsewhere")
    return order


SMS_PLAYS = {
    "paid": sms(call()),
    "paid-repeated": sms_repeated,
    "paid-same-message": sms(call(), call()),
    "paid-twice": sms(call(), call(message="-b")),
    "paid-twice-refunded": sms(call(), call(message="-b"), call("refunded", message="-b")),
    "paid-twice-first-refunded": sms(call(), call(message="-b"), call("refunded")),
    "paid-twice-part-refunded": sms(call(), call(message="-b"), call("refunded", 100, message="-b")),
    "failed": sms(call("failed")),
    "failed-then-paid": sms(call("failed"), call(message="-b")),
    "paid-then-failed": sms(call(), call("failed", message="-b")),
    "amount-other": sms(call(amount=299)),
    "amount-other-then-right": sms(call(amount=299), call(message="-b")),
    "amount-real": sms(call(amount=499.0)),
    "amount-fraction": sms_refused(deed=call(amount=4.99)),
    "amount-text": sms_refused(deed=call(amount="499")),
    "currency-other": sms(call(currency="USD")),
    "currency-small": sms(call(currency="eur")),
    "currency-missing": sms_refused(deed=call(without=("currency",))),
    "extra-members": sms(call(operator="x", more={"deep": [1]})),
    "code-unknown": sms(call(text="GOLD 0000000000")),
    "text-other": sms(call(text="hello")),
    "event-unknown": sms_refused(deed=call("gift")),
    "time-missing": sms_refused(deed=call(without=("time",))),
    "refund-whole": sms(call(), call("refunded")),
    "refund-part": sms(call(), call("refunded", 250)),
    "refund-parts": sms(call(), call("refunded", 250), call("refunded", 499)),
    "refund-repeated": sms(call(), call("refunded", 250), call("refunded", 250)),
    "refund-early": sms(call("refunded", 250), call()),
    "refund-other-currency": sms(call(), call("refunded", currency="USD")),
    "unsigned": sms_refused("signature_bad", secret="another-secret-of-32-bytes-at-least"),
    "stale": sms_refused("signature_stale", at=1),
    "refund-by-operator": sms_refund,
}


# --- Google Play --------------------------------------------------------------------------------------------


def google(status=200, code=None, account=False, change=None, **purchase):
    """A purchase with these members is sent; change: modifies it after it was made."""

    def play(shop):
        token = shop.google.buy("gold300", shop.account() if account is True else account or None, **purchase)
        if change:
            change(shop.google, token)
        answer = shop.show("google", "gold300", token, status=status, code=code)
        return answer.json() if answer.ok else NO_ORDER

    return play


def google_then(*deeds):
    def play(shop):
        token = shop.google.buy("gold300", shop.account())
        order = shop.show("google", "gold300", token, status=200).json()
        shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
        for deed in deeds:
            deed(shop, token, order)
        return order

    return play


def notice(kind="voidedPurchaseNotification", void=False, status=200, code=None, package=PACKAGE):
    def deed(shop, token, order):
        if void:
            shop.google.void(token)
        shop.call_hook("google", shop.google.push(token, kind, package), {}, status, code)

    return deed


def raw_notice(data, status=200, code=None):
    def deed(shop, token, order):
        packed = base64.b64encode(json.dumps({"packageName": PACKAGE, **data}).encode()).decode()
        shop.call_hook("google", json.dumps({"message": {"data": packed}}).encode(), {}, status, code)

    return deed


def shown_again(shop, token, order):
    assert shop.show("google", "gold300", token, status=200).json()["id"] == order["id"]


def shown_by_another(shop, token, order):
    shop.show("google", "gold300", token, Client(shop.server).guest(), status=409, code="receipt_taken")


def google_refund(shop, token, order):
    shop.refund(order, status=409, code="refund_elsewhere")


def null_members(google, token):
    """Members that are usually absent."""
    google.purchases[token].update(
        purchaseType=None, quantity=None, obfuscatedExternalAccountId=None, developerPayload=None
    )


def google_manner(name, n=3):
    return lambda google, token: google.manners.extend([name] * n)


def unconsumed(google, token):
    """The query succeeds, and consuming fails."""
    google.manners.extend([lambda handler: "500" if handler.path.endswith(":consume") else None] * 6)


GOOGLE_PLAYS = {
    "bought": google(),
    "bought-for-account": google(account=True),
    "bought-for-another": google(403, "receipt_of_another", account=str(uuid.uuid4())),
    "account-odd": google(422, "receipt_bad", account="not a uuid"),
    "shown-again": google_then(shown_again),
    "shown-by-another": google_then(shown_by_another),
    "pending": google(409, "receipt_pending", purchaseState=2),
    "pending-no-order": google(409, "receipt_pending", purchaseState=2, orderId=None),
    "canceled": google(409, "receipt_revoked", purchaseState=1),
    "state-text": google(422, "receipt_bad", purchaseState="0"),
    "state-missing": google(422, "receipt_bad", purchaseState=None),
    "state-unknown": google(422, "receipt_bad", purchaseState=9),
    "state-real": google(purchaseState=0.0),
    "order-missing": google(422, "receipt_bad", orderId=None),
    "tester": google(422, "receipt_bad", purchaseType=0),
    "promo": google(422, "receipt_bad", purchaseType=1),
    "rewarded": google(422, "receipt_bad", purchaseType=2),
    "null-members": google(change=null_members),
    "quantity-one": google(quantity=1),
    "quantity-two": google(422, "receipt_bad", quantity=2),
    "extra-members": google(more={"x": [1]}, refundableQuantity=1, developerPayload=""),
    "consumed-before": google(consumptionState=1),
    "consume-fails": google(change=unconsumed),
    "unknown-token": google(422, "receipt_bad", change=lambda google, token: google.purchases.pop(token)),
    "asked-500": google(503, "payment_unavailable", change=google_manner("500")),
    "asked-html": google(503, "payment_unavailable", change=google_manner("garbage")),
    "asked-400": google(422, "receipt_bad", change=google_manner("400", 1)),
    "asked-401-twice": google(503, "payment_unavailable", change=google_manner("401", 2)),
    "asked-403": google(503, "payment_unavailable", change=google_manner("403", 1)),
    "asked-410": google(422, "receipt_bad", change=google_manner("410", 1)),
    "asked-429": google(503, "payment_unavailable", change=google_manner("429")),
    "asked-redirect": google(503, "payment_unavailable", change=google_manner("302", 1)),
    "notice-bought": google_then(notice("oneTimeProductNotification")),
    "notice-voided": google_then(notice(void=True)),
    "notice-voided-repeated": google_then(notice(void=True), notice()),
    "notice-voided-forged": google_then(notice()),
    "notice-subscription": google_then(raw_notice({"subscriptionNotification": {"purchaseToken": "x"}})),
    "notice-test": google_then(raw_notice({"testNotification": {"version": "1.0"}})),
    "notice-other-app": google_then(notice(package="com.another.app", status=400, code="event_bad")),
    "notice-unknown-token": google_then(
        raw_notice({"voidedPurchaseNotification": {"purchaseToken": "of-nobody"}})
    ),
    "refund-by-operator": google_then(google_refund),
}


# --- the App Store ------------------------------------------------------------------------------------------


def apple(status=200, code=None, account=None, product="gold300", **transaction):
    def play(shop):
        account_of = shop.account() if account is True else account
        answer = shop.show(
            "apple",
            product,
            shop.apple.receipt("gold300", account_of, **transaction),
            status=status,
            code=code,
        )
        return answer.json() if answer.ok else NO_ORDER

    return play


def apple_then(*deeds, null=()):
    """A receipt is sent with some members set to null; then modified notifications about its
    transaction."""

    def play(shop):
        transaction = {
            **shop.apple.transaction("gold300", shop.account()),
            **dict.fromkeys(null),
        }
        order = shop.show("apple", "gold300", shop.apple.authority.sign(transaction), status=200).json()
        for deed in deeds:
            deed(shop, transaction, order)
        return order

    return play


def told(kind, status=200, code=None, without=(), forged=False, **changes):
    def deed(shop, transaction, order):
        it = {name: value for name, value in {**transaction, **changes}.items() if name not in without}
        body = shop.apple.notification(kind, it)
        if forged:
            head, _, signature = json.loads(body)["signedPayload"].rpartition(".")
            body = json.dumps(
                {"signedPayload": f"{head}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"}
            ).encode()
        shop.call_hook("apple", body, {}, status, code)

    return deed


def refund_of_day(n):
    """REFUND, with a date relative to that of the notifications."""

    def deed(shop, transaction, order):
        told("REFUND", revocationDate=transaction["signedDate"] + n * 86400000)(shop, transaction, order)

    return deed


def told_raw(kind, data, status=200, code=None):
    def deed(shop, transaction, order):
        payload = {
            "notificationType": kind,
            "notificationUUID": str(uuid.uuid4()),
            "signedDate": transaction["signedDate"],
            "data": data,
        }
        shop.call_hook(
            "apple",
            json.dumps({"signedPayload": shop.apple.authority.sign(payload)}).encode(),
            {},
            status,
            code,
        )

    return deed


def apple_early(shop):
    """The refund is reported before the receipt is sent."""
    transaction = shop.apple.transaction("gold300", shop.account())
    told("REFUND")(shop, transaction, None)
    return shop.show("apple", "gold300", shop.apple.authority.sign(transaction), status=200).json()


def apple_refund(shop, transaction, order):
    shop.refund(order, status=409, code="refund_elsewhere")


def apple_again(shop, transaction, order):
    assert (
        shop.show("apple", "gold300", shop.apple.authority.sign(transaction), status=200).json()["id"]
        == order["id"]
    )


APPLE_PLAYS = {
    "bought": apple(),
    "bought-for-account": apple(account=True),
    "bought-for-another": apple(403, "receipt_of_another", account=str(uuid.uuid4())),
    "account-odd": apple(422, "receipt_bad", account="not a uuid"),
    "null-members": apple_then(null=("appAccountToken", "quantity", "revocationDate", "offerType")),
    "shown-again": apple_then(apple_again),
    "revoked": apple(409, "receipt_revoked", revocationDate=1795900000000),
    "sandbox": apple(422, "receipt_bad", environment="Sandbox"),
    "other-app": apple(422, "receipt_bad", bundleId=BUNDLE + ".other"),
    "other-product": apple(422, "receipt_bad", productId="gold100"),
    "subscription": apple(422, "receipt_bad", type="Auto-Renewable Subscription"),
    "quantity-missing": apple(quantity=None),
    "quantity-real": apple(quantity=1.0),
    "quantity-two": apple(422, "receipt_bad", quantity=2),
    "dates-real": apple(purchaseDate=1795900000000.5),
    "extra-members": apple(more={"x": [1]}, storefront="DEU", offerType=None, appTransactionId="7"),
    "refund": apple_then(told("REFUND")),
    "refund-repeated": apple_then(told("REFUND"), told("REFUND")),
    "refund-early": apple_early,
    "refund-reversed": apple_then(told("REFUND"), told("REFUND_REVERSED")),
    "refund-reversed-reordered": apple_then(told("REFUND_REVERSED"), refund_of_day(0)),
    "refund-again": apple_then(refund_of_day(-1), told("REFUND_REVERSED"), refund_of_day(1)),
    "refund-declined": apple_then(told("REFUND_DECLINED")),
    "consumption-request": apple_then(told("CONSUMPTION_REQUEST")),
    "one-time-charge": apple_then(told("ONE_TIME_CHARGE")),
    "unknown-notice": apple_then(told("SOMETHING_NEW")),
    "test-notice": apple_then(told_raw("TEST", {"bundleId": BUNDLE})),
    "refund-other-app": apple_then(told("REFUND", 400, "event_bad", bundleId="com.another.app")),
    "refund-sandbox": apple_then(told("REFUND", environment="Sandbox")),
    "refund-subscription": apple_then(told("REFUND", type="Auto-Renewable Subscription")),
    "refund-other-transaction": apple_then(told("REFUND", transactionId="1")),
    "refund-no-transaction": apple_then(told_raw("REFUND", {"bundleId": BUNDLE}, 400, "event_bad")),
    "unsigned": apple_then(told("REFUND", 400, "signature_bad", forged=True)),
    "refund-by-operator": apple_then(apple_refund),
}


def test_the_tables_are_complete():
    complete(SMS, SMS_PLAYS)
    complete(GOOGLE, GOOGLE_PLAYS)
    complete(APPLE, APPLE_PLAYS)


def result(shop, order):
    return f"no order, {shop.gold()} gold" if order == NO_ORDER else outcome(shop, order)


@pytest.mark.parametrize("row", SMS, ids=str)
def test_sms(every_shop, row):
    assert result(every_shop, SMS_PLAYS[row.id](every_shop)) == row.result


@pytest.mark.parametrize("row", GOOGLE, ids=str)
def test_google(every_shop, row):
    assert result(every_shop, GOOGLE_PLAYS[row.id](every_shop)) == row.result


@pytest.mark.parametrize("row", APPLE, ids=str)
def test_apple(every_shop, row):
    assert result(every_shop, APPLE_PLAYS[row.id](every_shop)) == row.result
