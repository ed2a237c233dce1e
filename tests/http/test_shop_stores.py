"""App store purchases: receipts of Apple and Google, verified, credited once, taken back."""

import base64
import json
import subprocess
import threading
import time
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from shop_rig import WITHOUT
from support.cluster import RUMMYD
from support.contract import Client
from support.stores import BETWEEN_MARK, LEAF_MARK, Authority, b64url
from support.wait import HANG_S

# --- Apple --------------------------------------------------------------------------------------------------


def test_an_apple_receipt_buys_once(every_shop):
    shop = every_shop
    receipt = shop.apple.receipt("gold300", shop.account())
    order = shop.show("apple", "gold300", receipt, key="mine", status=200).json()
    assert (order["state"], order["provider"], order["gold"], shop.gold()) == ("paid", "apple", 300, 300)
    again = shop.show("apple", "gold300", receipt, key="mine", status=200).json()
    anew = shop.show("apple", "gold300", receipt, status=200).json()
    assert again == anew == order and shop.postings() == [("shop", 300)]
    other = shop.apple.receipt("gold100")
    shop.show("apple", "gold100", other, key="mine", status=422, code="idempotency_key_reused")
    shop.show("apple", "gold100", other, status=200)
    assert shop.gold() == 400


def test_another_players_receipt_is_refused(every_shop):
    shop = every_shop
    thief = Client(shop.server).guest()
    bound = shop.apple.receipt("gold300", shop.account())
    shop.show("apple", "gold300", bound, client=thief, status=403, code="receipt_of_another")
    free = shop.apple.receipt("gold300")
    shop.show("apple", "gold300", free, status=200)
    shop.show("apple", "gold300", free, client=thief, status=409, code="receipt_taken")
    shop.show("apple", "gold300", bound, status=200)
    assert shop.gold() == 600 and thief.get("/v1/wallet")["gold"] == 0
    assert shop.account() == shop.account() != shop.account(thief)


@pytest.mark.parametrize(
    "changes",
    [
        {"bundleId": "com.example.other"},
        {"bundleId": None},
        {"environment": "Sandbox"},
        {"environment": "Xcode"},
        {"environment": None},
        {"type": "Auto-Renewable Subscription"},
        {"quantity": 2},
        {"quantity": 0},
        {"productId": "gold1000"},
        {"productId": None},
        {"transactionId": None},
        {"transactionId": "a b"},
        {"transactionId": ""},
        {"transactionId": 7},
        {"signedDate": None},
        {"signedDate": -1},
        {"signedDate": 1},
        {"signedDate": 10**15},
        {"appAccountToken": "me"},
    ],
)
def test_an_unsuitable_apple_transaction_buys_nothing(every_shop, changes):
    shop = every_shop
    shop.show("apple", "gold300", shop.apple.receipt("gold300", **changes), status=422, code="receipt_bad")
    assert shop.gold() == 0


def forgeries(apple):
    it = apple.transaction("gold300")
    good = apple.authority.sign(it)
    header, body, signature = good.split(".")
    other = Authority()
    mixed = json.loads(base64.urlsafe_b64decode(header + "=="))
    mixed["x5c"][0] = base64.b64encode(other.der(2)).decode()
    yield "another root", other.sign(it)
    yield "another leaf's key", apple.authority.sign(it, key=other.keys[2])
    yield "a leaf of another chain", b64url(json.dumps(mixed).encode()) + "." + body + "." + signature
    yield (
        "another text",
        header + "." + b64url(json.dumps({**it, "productId": "gold1000"}).encode()) + "." + signature,
    )
    yield "no signature", header + "." + body + "."
    yield "half a signature", header + "." + body + "." + signature[:-8]
    yield "zeros", header + "." + body + "." + b64url(b"\0" * 64)
    yield "no algorithm", apple.authority.sign(it, alg="none")
    yield "a shared secret", apple.authority.sign(it, alg="HS256")
    yield "a chain of two", apple.authority.sign(it, chain=(2, 1))
    yield "a chain of one", apple.authority.sign(it, chain=(2,))
    yield "no chain", apple.authority.sign(it, chain=())
    yield "a chain upside down", apple.authority.sign(it, chain=(0, 1, 2))
    yield "the root signs", apple.authority.sign(it, chain=(0, 0, 0), key=apple.authority.keys[0])
    yield "no text", ".."
    yield "one dot", "a.b"
    yield "no JSON", apple.authority.sign(b"hello")
    yield "a list", apple.authority.sign([it])
    yield "twice a member", apple.authority.sign(b'{"bundleId": "a", ' + json.dumps(it)[1:].encode())


def test_forged_receipts_buy_nothing(every_shop):
    shop = every_shop
    for what, receipt in forgeries(shop.apple):
        answer = shop.show("apple", "gold300", receipt)
        assert (answer.status_code, answer.json()["code"]) == (422, "receipt_bad"), what
    assert shop.gold() == 0


@pytest.mark.parametrize(
    "authority",
    [
        {"marks": (None, BETWEEN_MARK)},
        {"marks": (LEAF_MARK, None)},
        {"marks": (BETWEEN_MARK, LEAF_MARK)},
        {"days": (-700, -1)},
        {"days": (1, 700)},
        {"leaf_curve": ec.SECP384R1()},
    ],
)
def test_an_unsuitable_certificate_chain_is_refused(new_every_shop, authority, tmp_path):
    wrong = Authority(**authority)
    root = tmp_path / "root.pem"
    root.write_bytes(wrong.pem())
    shop = new_every_shop(apple_root_file=root)
    shop.show(
        "apple", "gold300", wrong.sign(shop.apple.transaction("gold300")), status=422, code="receipt_bad"
    )
    assert shop.gold() == 0


def test_apples_refund_takes_the_gold_and_its_reversal_restores_it(every_shop):
    shop = every_shop
    it = shop.apple.transaction("gold300", shop.account())
    order = shop.show("apple", "gold300", shop.apple.authority.sign(it), status=200).json()
    refund = shop.apple.notification("REFUND", it)
    for _ in range(2):
        shop.call_hook("apple", refund, {})
    assert (shop.state(order), shop.gold()) == ("refunded", 0)
    time.sleep(1.1)  # lapse: Apple's clock has milliseconds, ours seconds
    shop.call_hook("apple", shop.apple.notification("REFUND_REVERSED", it), {})
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    time.sleep(1.1)  # lapse: as above
    shop.call_hook("apple", shop.apple.notification("REFUND", it), {})
    assert (shop.state(order), shop.gold()) == ("refunded", 0)


def test_a_refund_can_arrive_before_the_receipt(every_shop):
    shop = every_shop
    it = shop.apple.transaction("gold300")
    shop.call_hook("apple", shop.apple.notification("REFUND", it), {})
    order = shop.show("apple", "gold300", shop.apple.authority.sign(it), status=200).json()
    assert (order["state"], shop.gold()) == ("refunded", 0)
    revoked = shop.apple.receipt("gold300", revocationDate=int(time.time() * 1000))
    shop.show("apple", "gold300", revoked, status=409, code="receipt_revoked")


def test_forged_notifications_change_nothing(every_shop):
    shop = every_shop
    it = shop.apple.transaction("gold300")
    order = shop.show("apple", "gold300", shop.apple.authority.sign(it), status=200).json()
    other = type(shop.apple)()
    shop.call_hook("apple", other.notification("REFUND", it), {}, 400, "signature_bad")
    inner = {"bundleId": it["bundleId"], "signedTransactionInfo": other.authority.sign(it)}
    for data in (inner, {"signedTransactionInfo": "x"}, {}, None, [], 7):
        shop.call_hook("apple", shop.apple.notification("REFUND", it, data=data), {}, 400, "event_bad")
    shop.call_hook(
        "apple", shop.apple.notification("REFUND", {**it, "bundleId": "com.other"}), {}, 400, "event_bad"
    )
    for body in (b"x", b"{}", b"[]", b'{"signedPayload": 7}'):
        shop.call_hook("apple", body, {}, 400, "event_bad")
    shop.call_hook("apple", b'{"signedPayload": "a.b.c"}', {}, 400, "signature_bad")
    shop.call_hook("apple", shop.apple.notification("TEST", it), {})
    assert (shop.state(order), shop.gold()) == ("paid", 300)


# --- Google -------------------------------------------------------------------------------------------------


def test_a_google_receipt_buys_once_and_is_consumed(every_shop):
    shop = every_shop
    token = shop.google.buy("gold300", shop.account())
    order = shop.show("google", "gold300", token, key="mine", status=200).json()
    assert (order["state"], order["provider"], shop.gold()) == ("paid", "google", 300)
    assert shop.google.consumed == [token]
    for key in ("mine", None):
        assert shop.show("google", "gold300", token, key=key, status=200).json() == order
    thief = Client(shop.server).guest()
    shop.show("google", "gold300", token, client=thief, status=409, code="receipt_taken")
    shop.show(
        "google",
        "gold300",
        shop.google.buy("gold300", shop.account()),
        client=thief,
        status=403,
        code="receipt_of_another",
    )
    assert shop.google.consumed == [token] and shop.postings() == [("shop", 300)]
    assert len([r for r in shop.google.requests if r[1] == "/token"]) == 1


@pytest.mark.parametrize(
    "changes, status, code",
    [
        ({"purchaseState": 2, "orderId": None}, 409, "receipt_pending"),
        ({"purchaseState": 1}, 409, "receipt_revoked"),
        ({"purchaseState": 7}, 422, "receipt_bad"),
        ({"purchaseState": None}, 422, "receipt_bad"),
        ({"purchaseType": 0}, 422, "receipt_bad"),
        ({"purchaseType": 1}, 422, "receipt_bad"),
        ({"quantity": 3}, 422, "receipt_bad"),
        ({"orderId": None}, 422, "receipt_bad"),
        ({"obfuscatedExternalAccountId": "me"}, 422, "receipt_bad"),
    ],
)
def test_an_invalid_google_purchase_buys_nothing(every_shop, changes, status, code):
    shop = every_shop
    shop.show("google", "gold300", shop.google.buy("gold300", **changes), status=status, code=code)
    assert shop.gold() == 0 and not shop.google.consumed


def test_a_malformed_google_token_is_refused(every_shop):
    shop = every_shop
    token = shop.google.buy("gold300")
    shop.show("google", "gold1000", token, status=422, code="receipt_bad")  # the receipt of a larger pack
    for odd in (
        "x",
        "../../voidedpurchases",
        token + ":consume",
        token + "?x",
        "a/b",
        ".",
        "x" * 513,
        "x" * 5000,
        "ü",
        token + "\u0001",
    ):
        shop.show("google", "gold300", odd, status=422, code="receipt_bad")
    shop.show("google", "../gold300", token, status=422, code="receipt_bad")
    assert shop.gold() == 0 and not shop.google.consumed


@pytest.mark.parametrize(
    "body, code",
    [
        ({"store": "amazon", "product": "a", "receipt": "b"}, "bad_format"),
        ({"store": "apple", "receipt": "b"}, "missing_member"),
        ({"store": "apple", "product": "", "receipt": "b"}, "bad_length"),
        ({"store": "apple", "product": "p" * 129, "receipt": "b"}, "bad_length"),
        ({"store": "apple", "product": "a", "receipt": 7}, "wrong_type"),
        ({"store": "apple", "product": "a", "receipt": "b", "gold": 5}, "unknown_member"),
    ],
)
def test_an_invalid_body_is_refused(every_shop, body, code):
    every_shop.buyer.call(
        "POST", "/v1/shop/receipts", body, headers={"Idempotency-Key": "k"}, status=422, code=code
    )


def test_a_product_without_a_pack_is_refused(every_shop):
    shop = every_shop
    shop.show("google", "gold7", shop.google.buy("gold7"), status=404, code="no_such_pack")
    shop.show("apple", "gold7", shop.apple.receipt("gold7"), status=404, code="no_such_pack")


@pytest.mark.parametrize("manner", ["cut", "cut_after", "cut_half", "500", "503", "429"])
def test_a_lost_answer_from_google_is_harmless(every_shop, manner):
    shop = every_shop
    token = shop.google.buy("gold300")

    def at_consume(handler):
        return manner if ":consume" in handler.path else None

    shop.google.manners[:] = [manner, None, at_consume]
    assert shop.show("google", "gold300", token, status=200).json()["state"] == "paid"
    assert shop.gold() == 300 and shop.google.consumed == [token]


@pytest.mark.parametrize("manner", ["hang", "garbage", "401", "500"])
def test_a_receipt_can_be_repeated_after_google_was_unavailable(every_shop, manner):
    shop = every_shop
    token = shop.google.buy("gold300")
    shop.google.manners[:] = [manner] * 3
    shop.show("google", "gold300", token, key="mine", status=503, code="payment_unavailable")
    shop.google.manners.clear()
    shop.show("google", "gold300", token, key="mine", status=200)
    assert shop.gold() == 300


def test_failed_consumption_is_retried_and_voided_purchases_are_found(new_every_shop):
    shop = new_every_shop(pay_poll_s=1)
    token = shop.google.buy("gold300")
    shop.google.manners[:] = [None] + ["500"] * 1000
    shop.show("google", "gold300", token, status=200)
    assert shop.gold() == 300 and not shop.google.consumed
    # from now on consuming is retried; it was not until now, however slow this test was
    shop.google.manners.clear()
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_first_s'")
    until = time.monotonic() + HANG_S
    while not shop.google.consumed and time.monotonic() < until:
        time.sleep(0.1)
    assert shop.google.consumed == [token] and shop.gold() == 300
    # A voided purchase is found in the list although no notification arrived.
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_list_s'")
    shop.google.void(token)
    until = time.monotonic() + HANG_S
    while shop.gold() and time.monotonic() < until:
        time.sleep(0.1)
    assert shop.gold() == 0 and shop.proven()


def test_a_voided_purchase_takes_the_gold(every_shop):
    shop = every_shop
    token = shop.google.buy("gold300")
    order = shop.show("google", "gold300", token, status=200).json()
    shop.call_hook(
        "google", shop.google.push(token), {}
    )  # a forged notification makes the server query Google, where nothing has changed
    assert (shop.state(order), shop.gold()) == ("paid", 300)
    shop.google.void(token)
    shop.sql("UPDATE settings SET value = '0' WHERE name = 'shop_query_every_s'")
    for _ in range(2):
        shop.call_hook("google", shop.google.push(token), {})
    assert (shop.state(order), shop.gold()) == ("refunded", 0)


def test_google_notifications_trigger_limited_queries(every_shop):
    shop = every_shop
    token = shop.google.buy("gold300")
    shop.show("google", "gold300", token, status=200)
    asked = len(shop.google.requests)
    for _ in range(20):
        shop.call_hook("google", shop.google.push(token), {})
        shop.call_hook("google", shop.google.push(uuid.uuid4().hex), {})
    assert len(shop.google.requests) == asked + 1
    shop.call_hook("google", shop.google.push(token, package="com.other"), {}, 400, "event_bad")
    for body in (
        b"x",
        b"{}",
        b'{"message": 7}',
        b'{"message": {"data": "!"}}',
        b'{"message": {"data": "' + base64.b64encode(b"[]") + b'"}}',
    ):
        shop.call_hook("google", body, {}, 400, "event_bad")


# --- both ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", ["apple", "google"])
def test_concurrent_uses_of_one_receipt_buy_once(every_shop, store):
    shop = every_shop
    receipt = shop.apple.receipt("gold300") if store == "apple" else shop.google.buy("gold300")
    clients = [shop.buyer] * 4 + [Client(shop.server).guest() for _ in range(8)]
    answers = []

    def show(client):
        answers.append(shop.show(store, "gold300", receipt, client=client))

    threads = [threading.Thread(target=show, args=(c,)) for c in clients]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    golds = [c.get("/v1/wallet")["gold"] for c in clients[3:]]
    assert sorted(golds) == [0] * 8 + [300]
    assert {a.json().get("code") for a in answers} <= {None, "receipt_taken"}


def test_limits_do_not_block_payments_already_made(every_shop):
    shop = every_shop
    shop.sql("INSERT INTO play_limits (player_id, kind, value) VALUES (%s, 'purchases', 100)", shop.player)
    shop.order(status=403, code="limit_purchases")
    shop.show("apple", "gold300", shop.apple.receipt("gold300"), status=200)
    assert shop.gold() == 300


def test_an_operator_cannot_refund_a_store_purchase(every_shop):
    shop = every_shop
    order = shop.show("apple", "gold300", shop.apple.receipt("gold300"), status=200).json()
    shop.refund(order, status=409, code="refund_elsewhere")
    assert (shop.state(order), shop.gold()) == ("paid", 300)


def test_an_order_cannot_be_opened_at_a_store(every_shop):
    every_shop.order(provider="apple", status=409, code="shop_off")


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--apple_bundle_id=a.b"], "apple_root_file: missing, although other settings of Apple are set"),
        (["--apple_bundle_id=a.b", "--apple_root_file=/nowhere"], "apple_root_file: cannot read"),
        (["--apple_bundle_id=a.b", "--apple_root_file={junk}"], "apple_root_file: must contain a CA"),
        (["--apple_environment=Test"], "apple_environment: must be Production or Sandbox"),
        (["--google_package=a.b"], "google_account_file: missing"),
        (["--google_package=a/b", "--google_account_file={junk}"], "google_package: must be"),
        (
            ["--google_package=a.b", "--google_account_file={junk}"],
            "google_account_file: must contain the key of a service account",
        ),
    ],
)
def test_an_incomplete_store_configuration_prevents_startup(tmp_path, flags, said):
    (tmp_path / "jwt").write_text("0123456789abcdef0123456789abcdef-jwt")
    (tmp_path / "junk").write_text('{"client_email": "a@b", "private_key": "no"}')
    for name in ("jwt", "junk"):
        (tmp_path / name).chmod(0o600)
    flags = [f.format(junk=tmp_path / "junk") for f in flags]
    done = subprocess.run(
        [
            RUMMYD,
            "serve",
            f"--jwt_secret_file={tmp_path / 'jwt'}",
            "--db=dbname=nowhere",
            "--db_wait_s=0",
            *flags,
        ],
        env=WITHOUT,
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert done.returncode != 0 and said in done.stderr
