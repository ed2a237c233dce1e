"""Refunds and chargebacks, in any order: the buyer gets the money back and loses the gold."""

import itertools
import random
import threading
import time
import uuid

import pytest
import requests
from shop_rig import WITHOUT
from support.contract import Client
from support.wait import HANG_S

# --- money that goes back -----------------------------------------------------------------------------------


def test_a_refund_takes_gold_back_in_proportion(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    part, whole = shop.stripe.refund(session, 250), shop.stripe.refund(session, 499)
    for event in (part, part):
        shop.tell(event)
        assert (shop.state(order), shop.gold()) == ("paid", 300 - 150)
    shop.tell(whole)
    shop.tell(part)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    assert shop.postings() == [("shop", 300), ("shop_back", -150), ("shop_back", -150)]


def test_the_largest_of_out_of_order_refunds_counts(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    part, whole = shop.stripe.refund(session, 250), shop.stripe.refund(session, 499, metadata=False)
    shop.tell(whole)
    shop.tell(part)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_spent_gold_is_flagged_after_a_refund(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.spend(220)
    shop.tell(shop.stripe.refund(session, 499))
    it = shop.buyer.get(f"/v1/shop/orders/{order['id']}")
    assert (it["state"], it["gold_back"], it["gold_short"], shop.gold()) == ("refunded", 80, 220, 0)
    assert shop.sql("SELECT reason, gold FROM shop_flags WHERE order_id = %s", int(order["id"])) == [
        ("gold_short", 220)
    ]


def test_a_won_chargeback_restores_the_gold(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.spend(100)
    shop.tell(shop.stripe.dispute(session))
    shop.tell(shop.stripe.dispute(session, kind="funds_withdrawn"))
    assert (shop.state(order), shop.gold()) == ("disputed", 0)
    shop.tell(shop.stripe.dispute(session, status="won", kind="closed"))
    assert (shop.state(order), shop.gold()) == ("paid", 200)
    flags = shop.sql(
        "SELECT reason, gold, settled_at IS NOT NULL FROM shop_flags WHERE order_id = %s", int(order["id"])
    )
    assert flags == [("gold_short", 100, True)]
    shop.tell(shop.stripe.dispute(session))  # reported late
    assert (shop.state(order), shop.gold()) == ("paid", 200)


def test_a_lost_chargeback_keeps_the_gold(shop):
    order, session = shop.bought()
    shop.tell(shop.stripe.pay(session))
    shop.tell(shop.stripe.dispute(session, status="warning_needs_response"))
    assert (shop.state(order), shop.gold()) == ("paid", 300)  # only an inquiry so far
    shop.tell(shop.stripe.dispute(session, status="lost", kind="closed"))
    assert (shop.state(order), shop.gold()) == ("charged_back", 0)
    shop.tell(shop.stripe.refund(session, 499))
    assert (shop.state(order), shop.gold()) == ("charged_back", 0)


def history(stripe, session):
    return [
        stripe.pay(session),
        stripe.refund(session, 100),
        stripe.refund(session, 250, metadata=False),
        stripe.dispute(session),
        stripe.dispute(session, status="won", kind="closed"),
    ]


@pytest.mark.parametrize("turn", range(8))
def test_any_order_with_duplicates_has_the_same_result(shop, turn):
    """Five events in many different orders, each reported twice: paid, a part refunded, a dispute won."""
    orders = list(itertools.permutations(range(5)))
    random.Random(turn).shuffle(orders)
    for places in orders[:4]:
        before = shop.gold()
        order, session = shop.bought()
        events = history(shop.stripe, session)
        for body, header in [shop.stripe.signed(events[i]) for i in places for _ in range(2)]:
            headers = {"Content-Type": "application/json", "Stripe-Signature": header}
            assert (
                requests.post(
                    shop.server.url + "/v1/shop/webhooks/stripe", data=body, headers=headers
                ).status_code
                == 200
            )
        assert (shop.state(order), shop.gold() - before) == ("paid", 150), places
        assert shop.sql(
            "SELECT count(*) FROM shop_transfers WHERE order_id = %s AND what = 'paid'", int(order["id"])
        ) == [(1,)]


# --- an operator refunds the money --------------------------------------------------------------------------


def refunds_at_stripe(shop):
    return [
        (path, headers["Idempotency-Key"])
        for method, path, _, headers in shop.stripe.requests
        if path == "/v1/refunds"
    ]


def test_a_refund_returns_the_money_and_takes_the_gold(shop):
    order, session = shop.paid()
    answer = shop.refund(order, status=200).json()
    assert (answer["state"], answer["refunded"], answer["gold_back"], answer["gold_short"], shop.gold()) == (
        "refunded",
        499,
        300,
        0,
        0,
    )
    assert (answer["player_id"], answer["payment_ref"]) == (str(shop.player), f"pi_{session}")
    assert [(r["state"], r["reason"]) for r in answer["refunds"]] == [("done", "bought twice")]
    assert [line["state"] for line in answer["log"]] == [
        "created",
        "pending",
        "paid",
        "refunding",
        "refunded",
    ]
    assert shop.stripe.refunds[f"pi_{session}"]["amount"] == 499 and len(refunds_at_stripe(shop)) == 1
    # Stripe reports it like any other refund.
    shop.tell(shop.stripe.refund(session, 499))
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]
    assert shop.buyer.get(f"/v1/shop/orders/{order['id']}")["state"] == "refunded"
    assert shop.operator.get(f"/v1/admin/orders/{order['id']}") == answer


def test_a_refund_that_fails_days_later_restores_the_gold_once(shop):
    order, session = shop.paid()
    shop.refund(order, status=200)
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    told = shop.stripe.fail_refund(session)
    for event in told + told[::-1]:
        shop.tell(event)
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    it = shop.operator.get(f"/v1/admin/orders/{order['id']}")
    assert [r["state"] for r in it["refunds"]] == ["failed"] and it["refunded"] == 0
    assert [flag["reason"] for flag in it["flags"]] == ["refund_failed"]
    assert shop.refund(order, status=200).json()["state"] == "refunded"
    assert [r["state"] for r in shop.operator.get(f"/v1/admin/orders/{order['id']}")["refunds"]] == [
        "failed",
        "done",
    ]
    assert shop.postings() == [("shop", 300), ("shop_back", -300), ("shop_return", 300), ("shop_back", -300)]
    assert len({key for _, key in refunds_at_stripe(shop)}) == 2 and shop.proven()


def test_the_remainder_of_an_order_is_refunded(shop):
    order, session = shop.paid()
    shop.tell(shop.stripe.refund(session, 250))
    assert (shop.state(order), shop.gold()) == ("paid", 150)
    answer = shop.refund(order, status=200).json()
    assert (answer["state"], answer["refunded"], shop.gold()) == ("refunded", 499, 0)
    assert shop.postings() == [("shop", 300), ("shop_back", -150), ("shop_back", -150)]


def test_missing_gold_is_flagged_until_an_operator_closes_the_flag(shop):
    order, _ = shop.paid()
    shop.spend(220)
    answer = shop.refund(order, status=200).json()
    assert (answer["gold_back"], answer["gold_short"], shop.gold()) == (80, 220, 0)
    operator = shop.operator
    [flag] = [f for f in operator.get("/v1/admin/flags")["items"] if f["order_id"] == order["id"]]
    assert (flag["reason"], flag["gold"], flag["player_id"], flag["state"]) == (
        "gold_short",
        220,
        str(shop.player),
        "refunded",
    )
    settled = operator.call(
        "POST",
        f"/v1/admin/flags/{flag['id']}/settle",
        {"note": "paid by hand"},
        headers={"Idempotency-Key": "s1"},
        status=200,
    )
    again = operator.call(
        "POST",
        f"/v1/admin/flags/{flag['id']}/settle",
        {"note": "paid by hand"},
        headers={"Idempotency-Key": "s1"},
        status=200,
    )
    assert settled.json() == again.json()
    assert not [f for f in operator.get("/v1/admin/flags")["items"] if f["order_id"] == order["id"]]
    assert shop.operator.get(f"/v1/admin/orders/{order['id']}")["flags"][0]["settled_at"]
    operator.call(
        "POST",
        "/v1/admin/flags/999999/settle",
        {"note": "x"},
        headers={"Idempotency-Key": "s2"},
        status=404,
        code="no_such_flag",
    )


def test_flags_are_paged(shop):
    for _ in range(3):
        order, session = shop.bought()
        shop.tell(shop.stripe.pay(session, amount_total=1))
    first = shop.operator.get("/v1/admin/flags?limit=2")
    second = shop.operator.get(f"/v1/admin/flags?limit=2&cursor={first['next']}")
    ids = [int(f["id"]) for f in first["items"] + second["items"]]
    assert (
        len(ids) >= 3
        and ids == sorted(ids, reverse=True)
        and {(f["reason"], f["amount"], f["currency"]) for f in first["items"]}
        == {("amount_differs", 1, "eur")}
    )
    shop.operator.call("GET", f"/v1/admin/audit?cursor={first['next']}", status=400, code="bad_cursor")


def test_a_repeated_refund_is_made_once(shop):
    order, _ = shop.paid()
    first = shop.refund(order, key="mine", status=200).json()
    assert shop.refund(order, key="mine", status=200).json() == first
    shop.refund(order, key="mine", reason="another one", status=422, code="idempotency_key_reused")
    shop.refund(order, status=409, code="not_refundable")
    assert len(shop.stripe.refunds) == len(refunds_at_stripe(shop)) == 1
    lines = shop.operator.get("/v1/admin/audit?limit=6")["items"]
    said = [(i["action"], i["code"]) for i in reversed(lines) if i["action"].startswith("refund")]
    assert said == [
        ("refund", "ok"),
        ("refund:said", "ok"),
        ("refund", "repeated"),
        ("refund", "idempotency_key_reused"),
        ("refund", "not_refundable"),
    ]
    assert {i["detail"]["order"] for i in lines if i["action"].startswith("refund")} == {int(order["id"])}


def test_forbidden_and_invalid_refunds_are_refused(shop):
    order, _ = shop.paid()
    jobs, stranger = shop.admin("jobs"), shop.buyer
    shop.refund(order, admin=jobs, status=403, code="api_key_forbidden")
    shop.refund(order, admin=stranger, status=401, code="api_key_invalid")
    for path in (f"/v1/admin/orders/{order['id']}", "/v1/admin/flags"):
        jobs.call("GET", path, status=403, code="api_key_forbidden")
        stranger.call("GET", path, status=401, code="api_key_invalid")
    shop.refund({"id": "999999"}, status=404, code="no_such_order")
    shop.refund({"id": "x"}, status=400, code="bad_parameter")
    shop.operator.call("GET", "/v1/admin/orders/999999", status=404, code="no_such_order")
    shop.refund(order, reason="", status=422, code="bad_length")
    shop.operator.call(
        "POST",
        f"/v1/admin/orders/{order['id']}/refund",
        {},
        headers={"Idempotency-Key": "k"},
        status=422,
        code="missing_member",
    )
    shop.operator.call(
        "POST",
        f"/v1/admin/orders/{order['id']}/refund",
        {"reason": "x"},
        status=400,
        code="idempotency_key_missing",
    )
    assert (shop.state(order), shop.gold()) == ("paid", 300) and refunds_at_stripe(shop) == []


def test_only_paid_orders_can_be_refunded(shop):
    pending, session = shop.bought()
    shop.refund(pending, status=409, code="not_refundable")
    shop.tell(shop.stripe.expire(session))
    shop.refund(pending, status=409, code="not_refundable")
    disputed, session = shop.paid()
    shop.tell(shop.stripe.dispute(session))
    shop.refund(disputed, status=409, code="not_refundable")
    assert refunds_at_stripe(shop) == []


@pytest.mark.parametrize("manner", ["cut", "cut_after", "cut_half", "hang", "500", "429", "409"])
def test_an_unanswered_refund_is_retried_under_the_same_key(shop, manner):
    order, session = shop.paid()
    shop.stripe.manners[:] = [manner]
    assert shop.refund(order, status=200).json()["state"] == "refunded"
    assert (
        len(refunds_at_stripe(shop)) == 2
        and len(set(refunds_at_stripe(shop))) == 1
        and len(shop.stripe.refunds) == 1
    )
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


@pytest.mark.parametrize("manners", [["cut_after"] * 3, ["503"] * 3, ["garbage"], ["401"]])
def test_an_unanswered_refund_waits_for_its_repeat_but_takes_the_gold_at_once(shop, manners):
    order, session = shop.paid()
    shop.stripe.manners[:] = manners
    shop.refund(order, key="mine", status=503, code="payment_unavailable")
    assert (shop.state(order), shop.gold()) == ("refunding", 0)
    shop.stripe.manners[:] = manners
    shop.refund(order, key="another", status=503, code="payment_unavailable")
    shop.stripe.manners.clear()
    assert shop.refund(order, key="mine", status=200).json()["state"] == "refunded"
    assert shop.refund(order, key="another", status=200).json()["state"] == "refunded"
    assert len(set(refunds_at_stripe(shop))) == 1 and len(shop.stripe.refunds) == 1
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_a_refund_that_stripe_refuses_restores_the_gold(shop):
    order, _ = shop.paid()
    shop.spend(100)
    shop.stripe.manners[:] = ["400"]
    shop.refund(order, key="no", status=502, code="payment_refused")
    assert (shop.state(order), shop.gold()) == ("paid", 200)
    shop.refund(order, key="no", status=502, code="payment_refused")
    it = shop.operator.get(f"/v1/admin/orders/{order['id']}")
    assert [(r["state"], r["why"]) for r in it["refunds"]] == [("refused", "400 stand-in says 400")]
    assert (it["gold_back"], it["gold_short"], it["flags"][0]["settled_at"] is not None) == (0, 0, True)
    assert shop.refund(order, status=200).json()["state"] == "refunded"
    assert shop.gold() == 0 and shop.postings() == [
        ("shop", 300),
        ("grant", -100),
        ("shop_back", -200),
        ("shop_return", 200),
        ("shop_back", -200),
    ]


def test_a_manual_refund_at_stripe_counts_as_the_refund(shop):
    order, session = shop.paid()
    shop.stripe.refunds[f"pi_{session}"] = {"id": "re_by_hand"}
    answer = shop.refund(order, status=200).json()
    assert (answer["state"], answer["gold_back"]) == ("refunded", 300)
    shop.tell(shop.stripe.refund(session, 499))
    assert shop.gold() == 0 and shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_a_chargeback_during_a_pending_refund(shop):
    order, session = shop.paid()
    shop.stripe.manners[:] = ["503"] * 3
    shop.refund(order, key="mine", status=503, code="payment_unavailable")
    shop.tell(shop.stripe.dispute(session))
    assert (shop.state(order), shop.gold()) == ("disputed", 0)
    shop.tell(shop.stripe.dispute(session, status="won", kind="closed"))
    assert (shop.state(order), shop.gold()) == ("refunding", 0)
    assert shop.refund(order, key="mine", status=200).json()["state"] == "refunded"
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_concurrent_operators_refund_once(shop):
    order, _ = shop.paid()
    operators = [shop.admin() for _ in range(6)]
    states = []
    threads = [
        threading.Thread(target=lambda o=o: states.append(shop.refund(order, admin=o).status_code))
        for o in operators
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert 200 in states and set(states) <= {200, 409, 503}
    shop.refund(order, status=409, code="not_refundable")
    assert len(shop.stripe.refunds) == 1
    assert shop.postings() == [("shop", 300), ("shop_back", -300)]


def test_a_refund_at_a_disabled_provider_is_refused(new_shop):
    shop = new_shop()
    order, _ = shop.paid()
    assert shop.server.stop() == 0
    shop.server.env = WITHOUT
    shop.server.start()
    shop.refund(order, status=409, code="shop_off")
    assert (shop.state(order), shop.gold()) == ("paid", 300) and shop.proven()


def test_the_shop_continues_a_pending_refund(new_shop):
    shop = new_shop(pay_poll_s=1)
    done, one = shop.paid()
    refused, two = shop.paid(pack="gold_100")
    for order in (done, refused):
        shop.stripe.manners[:] = ["503"] * 3
        shop.refund(order, status=503, code="payment_unavailable")
    del shop.stripe.sessions[two]  # Stripe refuses it
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_first_s'")
    until = time.monotonic() + HANG_S
    while time.monotonic() < until and (shop.state(done), shop.state(refused)) != ("refunded", "paid"):
        time.sleep(0.1)
    assert (shop.state(done), shop.state(refused), shop.gold()) == ("refunded", "paid", 100)
    assert shop.server.stop() == 0 and shop.proven()


def test_orders_are_filtered_by_player_and_state(shop):
    """An operator searches one player's orders, or all pending ones."""
    paid, _ = shop.paid()
    pending, _ = shop.bought()
    first = shop.player
    other = Client(shop.server).guest()
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    theirs = other.call(
        "POST", "/v1/shop/orders", {"pack": "gold_300", "provider": "stripe"}, headers=headers, status=201
    ).json()
    mine = {paid["id"], pending["id"], theirs["id"]}

    def found(**filters):
        query = "&".join(f"{name}={value}" for name, value in filters.items())
        items = shop.operator.get(f"/v1/admin/orders?limit=100&{query}")["items"]
        assert all(str(item["player_id"]) == str(filters.get("player", item["player_id"])) for item in items)
        assert all(item["state"] == filters.get("state", item["state"]) for item in items)
        return [item["id"] for item in items if item["id"] in mine]

    assert found(player=first) == [pending["id"], paid["id"]], "newest first"
    assert found(player=other.player["id"]) == [theirs["id"]]
    assert found(player=first, state="paid") == [paid["id"]]
    assert found(state="pending") == [theirs["id"], pending["id"]]
    assert found(player=other.player["id"], state="paid") == []
    assert found(state="charged_back") == [], "a state that none of these orders has"
    for bad in ("state=a%20b", "state=lost", "player=x", "colour=red"):
        shop.operator.call("GET", f"/v1/admin/orders?{bad}", status=400)
