"""A local stand-in for PayPal: access tokens, Orders v2, captures, refunds, signed events, and their list.

paypal = PayPal()                       # listens; paypal.url is the base of its API
paypal.approve(order_id)                # the buyer approves: the event PayPal would send
body, headers = paypal.signed(event)    # as it goes over the wire
"""

import base64
import json
import time
import urllib.parse
import uuid

from support.stand_in import StandIn

CLIENT = "AeA1QIZXiflr1_-r0U2UbWTziOWX1GRQer5jkUq4"
SECRET = "EHfSecret_stand_in_0123456789"
WEBHOOK = "5GP028458E2496506"
WHOLE = ("HUF", "JPY", "TWD")  # currencies without decimals


SITE = "https://www.paypal.com"  # where buyers approve


class PayPal(StandIn):
    def __init__(self):
        self.orders = {}
        self.captures = {}
        self.answers = {}  # by PayPal-Request-Id: (path, form, answer)
        self.bearers = set()
        self.bearer_s = 32400
        self.site = SITE
        self.sent = {}  # signed messages by signature: (transmission id, time, body)
        self.events = []
        self.declined = set()  # orders whose capture is declined
        self.pending = set()  # orders whose payment takes days
        super().__init__()

    def forget(self):
        self.site = SITE
        with self.lock:
            for what in (
                self.orders,
                self.captures,
                self.answers,
                self.bearers,
                self.sent,
                self.events,
                self.declined,
                self.pending,
                self.requests,
                self.manners,
            ):
                what.clear()

    def other(self, body):
        units = [
            {**u, "custom_id": "00000000-0000-4000-8000-000000000000"} for u in body.get("purchase_units", [])
        ]
        return {**body, "purchase_units": units, "status": "COMPLETED"}

    def mannered(self, method, path):
        return not path.startswith(("/v1/oauth2/", "/v1/notifications/webhooks-events"))

    # --- the API ---------------------------------------------------------------------------------

    def serve(self, method, path, form, headers):
        with self.lock:
            if (method, path) == ("POST", "/v1/oauth2/token"):
                return self._token(form, headers)
            if headers.get("Authorization", "")[len("Bearer ") :] not in self.bearers:
                return 401, {
                    "name": "AUTHENTICATION_FAILURE",
                    "message": "Authentication failed",
                    "debug_id": "d1",
                }
            path, _, query = path.partition("?")
            parts = path.strip("/").split("/")
            if (method, path) == ("POST", "/v2/checkout/orders"):
                return self._once(path, form, headers, self._create)
            if parts[:3] == ["v2", "checkout", "orders"] and len(parts) == 4 and method == "GET":
                return (200, self.orders[parts[3]]) if parts[3] in self.orders else self._missing()
            if parts[:3] == ["v2", "checkout", "orders"] and parts[4:] == ["capture"]:
                return self._once(path, form, headers, lambda form: self._capture(parts[3]))
            if parts[:3] == ["v2", "payments", "captures"] and parts[4:] == ["refund"]:
                return self._once(path, form, headers, lambda form: self._give_back(parts[3], form))
            if (method, path) == ("POST", "/v1/notifications/verify-webhook-signature"):
                return self._verify(form)
            if (method, path) == ("GET", "/v1/notifications/webhooks-events"):
                return self._list(dict(urllib.parse.parse_qsl(query, strict_parsing=True)))
        return self._missing()

    @staticmethod
    def _missing():
        return 404, {
            "name": "RESOURCE_NOT_FOUND",
            "details": [{"issue": "INVALID_RESOURCE_ID"}],
            "debug_id": "d2",
        }

    @staticmethod
    def _refused(issue):
        return 422, {"name": "UNPROCESSABLE_ENTITY", "details": [{"issue": issue}], "debug_id": "d3"}

    def _token(self, form, headers):
        wanted = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if headers.get("Authorization") != wanted:
            return 401, {"error": "invalid_client", "error_description": "Client Authentication failed"}
        assert form == {"grant_type": "client_credentials"}
        bearer = "A21AA" + uuid.uuid4().hex * 3
        self.bearers.add(bearer)
        return 200, {
            "scope": "https://uri.paypal.com/services/payments/payment",
            "access_token": bearer,
            "token_type": "Bearer",
            "expires_in": self.bearer_s,
        }

    def _once(self, path, form, headers, make):
        key = headers.get("PayPal-Request-Id")
        assert key, "a POST without a PayPal-Request-Id"
        if key in self.answers:
            before, answer = self.answers[key]
            return answer if before == (path, form) else self._refused("DUPLICATE_REQUEST_ID")
        answer = make(form)
        if answer[0] < 300:  # a failed request may be repeated
            self.answers[key] = ((path, form), (200, json.loads(json.dumps(answer[1]))))
        return answer

    def _create(self, form):
        assert form["intent"] == "CAPTURE" and len(form["purchase_units"]) == 1
        unit = form["purchase_units"][0]
        assert unit["custom_id"] == unit["invoice_id"] and uuid.UUID(unit["custom_id"])
        context = form["payment_source"]["paypal"]["experience_context"]
        assert context["return_url"] and context["cancel_url"] and context["user_action"] == "PAY_NOW"
        value = unit["amount"]["value"]
        decimals = len(value.partition(".")[2])
        if decimals != (0 if unit["amount"]["currency_code"] in WHOLE else 2):
            return self._refused("DECIMAL_PRECISION")
        name = f"{next(self.numbers):05d}" + uuid.uuid4().hex[:12].upper()
        self.orders[name] = {
            "id": name,
            "intent": "CAPTURE",
            "status": "PAYER_ACTION_REQUIRED",
            "purchase_units": [dict(unit)],
            "links": [
                {"href": f"{self.url}/v2/checkout/orders/{name}", "rel": "self", "method": "GET"},
                {"href": f"{self.site}/checkoutnow?token={name}", "rel": "payer-action", "method": "GET"},
            ],
        }
        return 200, self.orders[name]

    def _capture(self, name):
        order = self.orders.get(name)
        if order is None:
            return self._missing()
        if order["status"] == "COMPLETED":
            return self._refused("ORDER_ALREADY_CAPTURED")
        if order["status"] != "APPROVED":
            return self._refused("ORDER_NOT_APPROVED")
        if name in self.declined:
            return self._refused("INSTRUMENT_DECLINED")
        unit = order["purchase_units"][0]
        capture = {
            "id": "C" + uuid.uuid4().hex[:16].upper(),
            "status": "PENDING" if name in self.pending else "COMPLETED",
            "amount": unit["amount"],
            "custom_id": unit["custom_id"],
            "final_capture": True,
            "supplementary_data": {"related_ids": {"order_id": name}},
        }
        self.captures[capture["id"]] = {"capture": capture, "refunded": 0, "order": name}
        unit["payments"] = {"captures": [capture]}
        order["status"] = "COMPLETED"
        self._event("PAYMENT.CAPTURE." + capture["status"], capture)
        return 201, order

    def _minor(self, amount):
        whole, _, part = amount["value"].partition(".")
        return int(whole + part)

    def _value(self, minor, like):
        decimals = len(like["value"].partition(".")[2])
        text = str(minor).rjust(decimals + 1, "0")
        return {**like, "value": text[:-decimals] + "." + text[-decimals:] if decimals else text}

    def _give_back(self, name, form):
        if name not in self.captures:
            return self._missing()
        it = self.captures[name]
        left = self._minor(it["capture"]["amount"]) - it["refunded"]
        if left == 0:
            return self._refused("CAPTURE_FULLY_REFUNDED")
        assert form == {}, "all that is left"
        return 201, self._refund(name, left)["resource"]

    def _refund(self, name, minor, kind="REFUNDED"):
        it = self.captures[name]
        amount = it["capture"]["amount"]
        it["refunded"] += minor
        it["capture"]["status"] = (
            "REFUNDED" if it["refunded"] == self._minor(amount) else "PARTIALLY_REFUNDED"
        )
        refund = {
            "id": "R" + uuid.uuid4().hex[:16].upper(),
            "status": "COMPLETED",
            "amount": self._value(minor, amount),
            "custom_id": it["capture"]["custom_id"],
            "seller_payable_breakdown": {"total_refunded_amount": self._value(it["refunded"], amount)},
            "links": [
                {"href": f"{self.url}/v2/payments/refunds/R", "rel": "self", "method": "GET"},
                {"href": f"{self.url}/v2/payments/captures/{name}", "rel": "up", "method": "GET"},
            ],
        }
        return self._event("PAYMENT.CAPTURE." + kind, refund)

    def _verify(self, form):
        assert set(form) == {
            "auth_algo",
            "cert_url",
            "transmission_id",
            "transmission_sig",
            "transmission_time",
            "webhook_id",
            "webhook_event",
        }
        sent = self.sent.get(form["transmission_sig"])
        good = (
            sent == (form["transmission_id"], form["transmission_time"], form["webhook_event"])
            and form["webhook_id"] == WEBHOOK
        )
        return 200, {"verification_status": "SUCCESS" if good else "FAILURE"}

    page = 100

    def _list(self, query):
        at = int(query.get("page", 0))
        since = query["start_time"]
        found = [e for e in reversed(self.events) if e["create_time"] >= since]
        n = min(int(query["page_size"]), self.page)
        links = []
        if len(found) > at + n:
            more = urllib.parse.urlencode({**query, "page": at + n})
            links = [
                {
                    "href": f"{self.url}/v1/notifications/webhooks-events?{more}",
                    "rel": "next",
                    "method": "GET",
                }
            ]
        return 200, {"events": found[at : at + n], "count": len(found), "links": links}

    # --- actions of buyers and banks: each returns the event that PayPal would send ------------------------

    def _event(self, kind, thing):
        event = {
            "id": "WH-" + uuid.uuid4().hex[:17].upper(),
            "event_version": "1.0",
            "create_time": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "resource_version": "2.0",
            "event_type": kind,
            "resource": json.loads(json.dumps(thing)),
        }
        self.events.append(event)
        return event

    def event(self, kind, thing):
        with self.lock:
            return self._event(kind, thing)

    def approve(self, name):
        with self.lock:
            self.orders[name]["status"] = "APPROVED"
            return self._event("CHECKOUT.ORDER.APPROVED", self.orders[name])

    def capture_of(self, name):
        return self.orders[name]["purchase_units"][0]["payments"]["captures"][0]

    def captured(self, name):
        """The event for a completed capture."""
        with self.lock:
            capture = self.capture_of(name)["id"]
            return next(e for e in self.events if e["resource"].get("id") == capture)

    def decide(self, name, good=True):
        """Completes a payment that has taken days."""
        with self.lock:
            capture = self.capture_of(name)
            capture["status"] = "COMPLETED" if good else "DECLINED"
            return self._event("PAYMENT.CAPTURE." + ("COMPLETED" if good else "DENIED"), capture)

    def refund(self, name, minor, kind="REFUNDED"):
        """Refunds a part, manually on PayPal's page, or by the bank (REVERSED)."""
        with self.lock:
            return self._refund(self.capture_of(name)["id"], minor, kind)

    def dispute(self, name, kind="CREATED", outcome=None, number=1):
        with self.lock:
            capture = self.capture_of(name)
            return self._event(
                f"CUSTOMER.DISPUTE.{kind}",
                {
                    "dispute_id": f"PP-D-{number}-{name}",
                    "disputed_transactions": [{"seller_transaction_id": capture["id"]}],
                    "reason": "UNAUTHORISED",
                    "status": "RESOLVED" if outcome else "OPEN",
                    "dispute_amount": capture["amount"],
                    **({"dispute_outcome": {"outcome_code": outcome}} if outcome else {}),
                },
            )

    def signed(self, event, forged=False):
        body = event if isinstance(event, bytes) else json.dumps(event, indent=1).encode()
        headers = {
            "Paypal-Auth-Algo": "SHA256withRSA",
            "Paypal-Cert-Url": "https://api.paypal.com/v1/notifications/certs/CERT-360caa42",
            "Paypal-Transmission-Id": str(uuid.uuid4()),
            "Paypal-Transmission-Sig": base64.b64encode(uuid.uuid4().bytes * 8).decode(),
            "Paypal-Transmission-Time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        if not forged:
            try:
                said = json.loads(body)
            except ValueError:
                said = None
            with self.lock:
                self.sent[headers["Paypal-Transmission-Sig"]] = (
                    headers["Paypal-Transmission-Id"],
                    headers["Paypal-Transmission-Time"],
                    said,
                )
        return body, headers
