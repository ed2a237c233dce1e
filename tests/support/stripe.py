"""A local stand-in for Stripe: Checkout Sessions, refunds, idempotency keys, signed events, and bad manners
on demand.

    stripe = Stripe()                           # listens; stripe.url is the base of its API
    stripe.manners.append("cut")                # the next request is treated like this
    event = stripe.pay(session_id)              # the buyer pays; the event Stripe would send
    body, header = stripe.signed(event)         # as it goes over the wire

Run as a program for tests in other languages, it prints its address as JSON. For each line of input, a
webhook address, it pays all pending sessions. It exits when its standard input closes."""

import hashlib
import hmac
import json
import sys
import time
import urllib.parse
import urllib.request

from support.stand_in import StandIn

from .wait import HANG_S

KEY = "sk_test_stand_in_0123456789"
SECRET = "whsec_stand_in_0123456789abcdef"


class Stripe(StandIn):
    def __init__(self):
        self.sessions = {}
        self.refunds = {}  # by payment
        self.answers = {}  # by idempotency key: (form, answer)
        self.events = []  # all events, the oldest first
        self.sends_to = None  # an alternative payment page
        super().__init__()

    def forget(self):
        """Resets everything except the numbering."""
        self.sends_to = None
        with self.lock:
            for what in (self.sessions, self.refunds, self.answers, self.events, self.requests, self.manners):
                what.clear()

    # --- the API ---------------------------------------------------------------------------------

    def other(self, body):
        return {
            **body,
            "client_reference_id": "00000000-0000-4000-8000-000000000000",
            "payment_status": "paid",
        }

    def serve(self, method, path, form, headers):
        if headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"error": {"message": "Invalid API Key provided", "type": "invalid_request_error"}}
        assert headers.get("Stripe-Version"), "the form of the answers is pinned"
        with self.lock:
            if (method, path) == ("POST", "/v1/checkout/sessions"):
                return self._create(form, headers.get("Idempotency-Key"))
            if (method, path) == ("POST", "/v1/refunds"):
                return self._give_back(form, headers.get("Idempotency-Key"))
            if method == "GET" and path.startswith("/v1/events?"):
                return self._list(dict(urllib.parse.parse_qsl(path.split("?", 1)[1], strict_parsing=True)))
            if method == "GET" and path.startswith("/v1/checkout/sessions/"):
                session = self.sessions.get(path.rsplit("/", 1)[1])
                return (
                    (200, session)
                    if session
                    else (404, {"error": {"message": "No such checkout.session", "code": "resource_missing"}})
                )
        return 404, {"error": {"message": f"Unrecognized request URL ({method}: {path})"}}

    def _create(self, form, key):
        assert key, "a POST without an Idempotency-Key"
        if key in self.answers:
            before, answer = self.answers[key]
            if before != form:
                return 400, {
                    "error": {
                        "type": "idempotency_error",
                        "message": (
                            "Keys for idempotent requests can only be used "
                            "with the same parameters they were first used with."
                        ),
                    }
                }
            return answer
        for name in (
            "line_items[0][price_data][product_data][name]",
            "success_url",
            "cancel_url",
            "client_reference_id",
        ):
            assert form.get(name), form
        assert form["mode"] == "payment" and form["line_items[0][quantity]"] == "1"
        assert (
            form["metadata[order]"]
            == form["payment_intent_data[metadata][order]"]
            == form["client_reference_id"]
        )
        if not 1800 <= int(form["expires_at"]) - time.time() <= 86400:
            answer = (
                400,
                {
                    "error": {
                        "message": "The `expires_at` timestamp must be 30 minutes to 24 hours from creation."
                    }
                },
            )
        else:
            name = f"cs_test_{next(self.numbers)}"
            self.sessions[name] = {
                "id": name,
                "object": "checkout.session",
                "status": "open",
                "payment_status": "unpaid",
                "payment_intent": None,
                "client_reference_id": form["client_reference_id"],
                "metadata": {"order": form["metadata[order]"]},
                "amount_total": int(form["line_items[0][price_data][unit_amount]"]),
                "currency": form["line_items[0][price_data][currency]"],
                "expires_at": int(form["expires_at"]),
                "url": (
                    self.sends_to
                    or f"https://checkout.stripe.com/c/pay/{name}#" + "fidkdWxOYHwnPyd1blpxYHZxWjA0" * 10
                ),
            }
            answer = (200, self.sessions[name])
        self.answers[key] = (form, answer)
        return answer

    page = 100
    list_manners = False  # the manners also apply to lists

    def mannered(self, method, path):
        return self.list_manners or not path.startswith("/v1/events?")

    def _list(self, query):
        """The list, newest first, from the item after `starting_after` on."""
        found = [e for e in reversed(self.events) if e["created"] >= int(query["created[gte]"])]
        if "starting_after" in query:
            found = found[[e["id"] for e in found].index(query["starting_after"]) + 1 :]
        n = min(int(query["limit"]), self.page)
        return 200, {"object": "list", "data": found[:n], "has_more": len(found) > n, "url": "/v1/events"}

    def _give_back(self, form, key):
        assert key, "a POST without an Idempotency-Key"
        if key in self.answers:
            before, answer = self.answers[key]
            return (
                answer
                if before == form
                else (400, {"error": {"type": "idempotency_error", "message": "other parameters"}})
            )
        assert (
            set(form) == {"payment_intent", "reason", "metadata[refund]"}
            and form["reason"] == "requested_by_customer"
        )
        payment = form["payment_intent"]
        session = next(
            (
                s
                for s in self.sessions.values()
                if s["payment_intent"] == payment and s["payment_status"] == "paid"
            ),
            None,
        )
        if session is None:
            answer = (
                404,
                {"error": {"message": f"No such payment_intent: '{payment}'", "code": "resource_missing"}},
            )
        elif payment in self.refunds:
            answer = (
                400,
                {
                    "error": {
                        "message": "Charge has already been refunded.",
                        "code": "charge_already_refunded",
                    }
                },
            )
        else:
            self.refunds[payment] = {
                "id": f"re_{next(self.numbers)}",
                "object": "refund",
                "amount": session["amount_total"],
                "currency": session["currency"],
                "payment_intent": payment,
                "status": "succeeded",
            }
            answer = (200, self.refunds[payment])
        self.answers[key] = (form, answer)
        return answer

    # --- actions of buyers and banks: each returns the event that Stripe would send ------------------------

    def event(self, kind, thing):
        event = {
            "id": f"evt_{next(self.numbers)}",
            "object": "event",
            "api_version": "2024-06-20",
            "created": int(time.time()),
            "type": kind,
            "livemode": False,
            "data": {"object": dict(thing)},
        }
        self.events.append(event)
        return event

    def pay(self, session, **changes):
        with self.lock:
            it = self.sessions[session]
            it.update(
                status="complete", payment_status="paid", url=None, payment_intent=f"pi_{session}", **changes
            )
            return self.event("checkout.session.completed", it)

    def promise(self, session):
        """A payment method that takes days: completed, but not paid."""
        with self.lock:
            self.sessions[session].update(status="complete", payment_intent=f"pi_{session}")
            return self.event("checkout.session.completed", self.sessions[session])

    def keep_promise(self, session, good=True):
        with self.lock:
            if good:
                self.sessions[session]["payment_status"] = "paid"
            return self.event(
                "checkout.session.async_payment_" + ("succeeded" if good else "failed"),
                self.sessions[session],
            )

    def expire(self, session):
        with self.lock:
            self.sessions[session].update(status="expired", url=None)
            return self.event("checkout.session.expired", self.sessions[session])

    def refund(self, session, amount, metadata=True):
        """amount: the total refunded so far."""
        it = self.sessions[session]
        return self.event(
            "charge.refunded",
            {
                "id": f"ch_{session}",
                "object": "charge",
                "payment_intent": f"pi_{session}",
                "amount": it["amount_total"],
                "amount_refunded": amount,
                "refunded": amount == it["amount_total"],
                "currency": it["currency"],
                "metadata": it["metadata"] if metadata else {},
            },
        )

    def fail_refund(self, session):
        """The bank rejects the refund. The money returns days later, and the charge can then be refunded
        again."""
        with self.lock:
            refund = self.refunds.pop(f"pi_{session}")
        refund["status"] = "failed"
        return [
            self.event(kind, refund) for kind in ("charge.refund.updated", "refund.updated", "refund.failed")
        ]

    def dispute(self, session, status="needs_response", kind="created", name=None):
        it = self.sessions[session]
        return self.event(
            f"charge.dispute.{kind}",
            {
                "id": name or f"dp_{session}",
                "object": "dispute",
                "charge": f"ch_{session}",
                "payment_intent": f"pi_{session}",
                "amount": it["amount_total"],
                "currency": it["currency"],
                "status": status,
                "metadata": {},
            },
        )

    def signed(self, event, secret=SECRET, at=None, extra=""):
        body = event if isinstance(event, bytes) else json.dumps(event, indent=2).encode()
        at = int(time.time()) if at is None else at
        mac = hmac.new(secret.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()
        return body, f"t={at},v1={mac}{extra}"


def main():
    stripe, opener = Stripe(), urllib.request.build_opener(urllib.request.ProxyHandler({}))
    print(json.dumps({"url": stripe.url, "key": KEY, "secret": SECRET}), flush=True)
    for line in sys.stdin:
        for session in [name for name, it in stripe.sessions.items() if it["payment_status"] == "unpaid"]:
            body, header = stripe.signed(stripe.pay(session))
            opener.open(
                urllib.request.Request(
                    line.strip(), body, {"Content-Type": "application/json", "Stripe-Signature": header}
                ),
                timeout=HANG_S,
            ).close()
        print("paid", flush=True)
    stripe.close()


if __name__ == "__main__":
    main()
