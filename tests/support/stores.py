"""Stand-ins for the app stores: Apple's signatures with a test root, and Google's purchases behind the
Play Developer API.

apple = Apple()                                  # apple.root_file(folder) for the server's configuration
receipt = apple.receipt("gold300", account)      # as StoreKit signs it
body = apple.notification("REFUND", receipt)     # as Apple's servers tell
google = Google()                                # listens; google.account_file(folder)
token = google.buy("gold300", account)
"""

import base64
import datetime
import itertools
import json
import time
import urllib.parse
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from support.rsa_keys import rsa_key
from support.stand_in import StandIn

BUNDLE = "com.example.rummy"
PACKAGE = "com.example.rummy.play"
LEAF_MARK, BETWEEN_MARK = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authority:
    """A chain of root, intermediate, and leaf certificates; each can be falsified."""

    def __init__(self, marks=(LEAF_MARK, BETWEEN_MARK), days=(-30, 700), leaf_curve=None):
        self.keys = [
            ec.generate_private_key(ec.SECP384R1()),
            ec.generate_private_key(ec.SECP384R1()),
            ec.generate_private_key(leaf_curve or ec.SECP256R1()),
        ]
        self.certs = []
        now = datetime.datetime.now(datetime.UTC)
        for i, name in enumerate(("Root", "Between", "Leaf")):
            subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"Stand-in {name}")])
            issuer = self.certs[-1].subject if self.certs else subject
            builder = (
                x509.CertificateBuilder()
                .subject_name(subject)
                .issuer_name(issuer)
                .public_key(self.keys[i].public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(now + datetime.timedelta(days=days[0]))
                .not_valid_after(now + datetime.timedelta(days=days[1]))
                .add_extension(x509.BasicConstraints(ca=i < 2, path_length=None), critical=True)
            )
            mark = marks[0] if i == 2 else marks[1] if i == 1 else None
            if mark:
                builder = builder.add_extension(
                    x509.UnrecognizedExtension(x509.ObjectIdentifier(mark), b"\x05\x00"), critical=False
                )
            self.certs.append(builder.sign(self.keys[max(i - 1, 0)], hashes.SHA384()))

    def pem(self):
        return self.certs[0].public_bytes(serialization.Encoding.PEM)

    def der(self, i):
        return self.certs[i].public_bytes(serialization.Encoding.DER)

    def sign(self, payload, alg="ES256", chain=(2, 1, 0), key=None):
        """A compact JWS; payload: an object, or bytes."""
        header = {"alg": alg, "x5c": [base64.b64encode(self.der(i)).decode() for i in chain]}
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        text = b64url(json.dumps(header).encode()) + "." + b64url(body)
        r, s = decode_dss_signature((key or self.keys[2]).sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        size = 32 if r < 1 << 256 and s < 1 << 256 else 48
        return text + "." + b64url(r.to_bytes(size, "big") + s.to_bytes(size, "big"))


class Apple:
    def __init__(self):
        self.authority = Authority()
        self.numbers = itertools.count(int(time.time() * 1000) * 1000)

    def root_file(self, folder):
        path = folder / "apple-root.pem"
        path.write_bytes(self.authority.pem())
        return path

    def transaction(self, product, account=None, **changes):
        now = int(time.time() * 1000)
        it = {
            "transactionId": str(next(self.numbers)),
            "bundleId": BUNDLE,
            "productId": product,
            "type": "Consumable",
            "quantity": 1,
            "environment": "Production",
            "purchaseDate": now,
            "signedDate": now,
            "price": 4990,
            "currency": "EUR",
            **({"appAccountToken": account} if account else {}),
            **changes,
        }
        return {k: v for k, v in it.items() if v is not None}

    def receipt(self, product, account=None, **changes):
        return self.authority.sign(self.transaction(product, account, **changes))

    def notification(self, kind, transaction, **changes):
        """transaction: an object."""
        now = int(time.time() * 1000)
        date = {"revocationDate": transaction.get("revocationDate") or now} if kind == "REFUND" else {}
        revoked = {**transaction, "signedDate": now, **date}
        payload = {
            "notificationType": kind,
            "notificationUUID": str(uuid.uuid4()),
            "version": "2.0",
            "signedDate": now,
            "data": {
                "bundleId": BUNDLE,
                "environment": "Production",
                "signedTransactionInfo": self.authority.sign(revoked),
            },
            **changes,
        }
        return json.dumps({"signedPayload": self.authority.sign(payload)}).encode()


class Google(StandIn):
    def __init__(self):
        self.key = rsa_key("google play")
        self.purchases = {}  # by token
        self.voided = []
        self.bearers = set()
        self.consumed = []
        super().__init__()

    def forget(self):
        with self.lock:
            for what in (
                self.purchases,
                self.voided,
                self.bearers,
                self.consumed,
                self.requests,
                self.manners,
            ):
                what.clear()

    def other(self, body):
        return body

    def mannered(self, method, path):
        return path != "/token"

    def account_file(self, folder):
        path = folder / "google-account.json"
        pem = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_text(
            json.dumps(
                {
                    "type": "service_account",
                    "client_email": "shop@example.iam.gserviceaccount.com",
                    "private_key": pem.decode(),
                    "token_uri": "https://oauth2.googleapis.com/token",
                }
            )
        )
        return path

    def serve(self, method, path, form, headers):
        with self.lock:
            if (method, path) == ("POST", "/token"):
                return self._token(form)
            if headers.get("Authorization", "")[len("Bearer ") :] not in self.bearers:
                return 401, {"error": {"code": 401, "status": "UNAUTHENTICATED"}}
            path, _, query = path.partition("?")
            root = f"/androidpublisher/v3/applications/{PACKAGE}/purchases/"
            if not path.startswith(root):
                return 404, {"error": {"code": 404, "status": "NOT_FOUND"}}
            parts = path[len(root) :].split("/")
            if parts == ["voidedpurchases"] and method == "GET":
                return self._list(dict(urllib.parse.parse_qsl(query, strict_parsing=True)))
            token, _, action = parts[3].partition(":")
            it = self.purchases.get(token)
            if it is None or parts[0] != "products" or it["product"] != parts[1]:
                return 404, {"error": {"code": 404, "status": "NOT_FOUND"}}
            if method == "GET" and not action:
                return 200, {k: v for k, v in it.items() if k != "product"}
            if method == "POST" and action == "consume":
                if it["purchaseState"] != 0 or it["consumptionState"]:
                    return 400, {"error": {"code": 400, "status": "FAILED_PRECONDITION"}}
                it["consumptionState"] = it["acknowledgementState"] = 1
                self.consumed.append(token)
                return 200, b""
        return 404, {"error": {"code": 404, "status": "NOT_FOUND"}}

    def _token(self, form):
        assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        text, _, signature = form["assertion"].rpartition(".")
        header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in text.split("."))
        self.key.public_key().verify(
            base64.urlsafe_b64decode(signature + "=="), text.encode(), padding.PKCS1v15(), hashes.SHA256()
        )
        assert (
            header == {"alg": "RS256", "typ": "JWT"}
            and claims["iss"] == "shop@example.iam.gserviceaccount.com"
        )
        assert claims["scope"].endswith("/androidpublisher") and claims["aud"] == self.url + "/token"
        assert 0 <= time.time() - claims["iat"] < 60 and claims["exp"] - claims["iat"] <= 3600
        bearer = "ya29.c." + uuid.uuid4().hex * 30  # real tokens are long, too
        self.bearers.add(bearer)
        return 200, {"access_token": bearer, "expires_in": 3599, "token_type": "Bearer"}

    page = 100

    def _list(self, query):
        at = int(query.get("token", 0))
        found = [v for v in self.voided if int(v["voidedTimeMillis"]) >= int(query["startTime"])]
        more = (
            {"tokenPagination": {"nextPageToken": str(at + self.page)}} if len(found) > at + self.page else {}
        )
        return 200, {"voidedPurchases": found[at : at + self.page], **more}

    def buy(self, product, account=None, **changes):
        token = "aabbcc" + uuid.uuid4().hex + ".AO-J1O" + uuid.uuid4().hex * 4
        it = {
            "kind": "androidpublisher#productPurchase",
            "purchaseTimeMillis": str(int(time.time() * 1000)),
            "purchaseState": 0,
            "consumptionState": 0,
            "acknowledgementState": 0,
            "orderId": f"GPA.3333-{next(self.numbers):04d}-{uuid.uuid4().hex[:8]}",
            "product": product,
            "regionCode": "DE",
            **({"obfuscatedExternalAccountId": account} if account else {}),
            **changes,
        }
        with self.lock:
            self.purchases[token] = {k: v for k, v in it.items() if v is not None}
        return token

    def void(self, token):
        with self.lock:
            it = self.purchases[token]
            it["purchaseState"] = 1
            self.voided.append(
                {
                    "purchaseToken": token,
                    "orderId": it["orderId"],
                    "purchaseTimeMillis": it["purchaseTimeMillis"],
                    "voidedTimeMillis": str(int(time.time() * 1000)),
                    "voidedSource": 0,
                    "voidedReason": 1,
                }
            )

    def push(self, token, kind="voidedPurchaseNotification", package=PACKAGE):
        data = {
            "version": "1.0",
            "packageName": package,
            "eventTimeMillis": str(int(time.time() * 1000)),
            kind: {"purchaseToken": token, "orderId": "GPA", "productType": 2},
        }
        return json.dumps(
            {
                "message": {"data": base64.b64encode(json.dumps(data).encode()).decode(), "messageId": "1"},
                "subscription": "projects/x/subscriptions/y",
            }
        ).encode()
