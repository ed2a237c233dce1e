"""A local stand-in of Stripe: Checkout Sessions, refunds, idempotency keys, signed events, and bad manners on demand.

    stripe = Stripe()                           # listens; stripe.url is the base of its API
    stripe.manners.append("cut")                # the next request is treated like this
    event = stripe.pay(session_id)              # the buyer pays; the event Stripe would send
    body, header = stripe.signed(event)         # as it goes over the wire
"""

import hashlib
import hmac
import http.server
import itertools
import json
import socket
import struct
import threading
import time
import urllib.parse

KEY = "sk_test_stand_in_0123456789"
SECRET = "whsec_stand_in_0123456789abcdef"

MANNERS = (
    "cut",        # the line is cut before anything happened
    "cut_after",  # it happens, and the line is cut instead of an answer
    "cut_half",   # it happens, and the line is cut in the middle of the answer
    "hang",       # it happens, and nobody answers
    "500", "503", "429", "409",  # nothing happens
    "garbage",    # 200, and no JSON
    "huge",       # 200, and megabytes
    "other",      # 200, about another order
    "400", "401", "404",
)


class Stripe:
    def __init__(self):
        self.lock = threading.Lock()
        self.sessions = {}
        self.refunds = {}  # by payment
        self.answers = {}  # by idempotency key: (form, answer)
        self.requests = []  # (method, path, form, headers)
        self.manners = []  # for the next requests, in order; a function is called with the handler
        self.numbers = itertools.count(1)
        self.closing = threading.Event()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def forget(self):
        """As if nothing had been; numbers go on."""
        with self.lock:
            for what in (self.sessions, self.refunds, self.answers, self.requests, self.manners):
                what.clear()

    def close(self):
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()

    # --- the API ---------------------------------------------------------------------------------

    def _handler(stripe):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def cut(self):
                # RST instead of a polite end.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                self.wfile = self.rfile = _Nothing()

            def answer(self, status, body, half=False):
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if half else data)

            def handle_one(self, method):
                form = None
                if method == "POST":
                    raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                    form = dict(urllib.parse.parse_qsl(raw, strict_parsing=True, keep_blank_values=True))
                with stripe.lock:
                    stripe.requests.append((method, self.path, form, dict(self.headers)))
                    manner = stripe.manners.pop(0) if stripe.manners else None
                if callable(manner):
                    manner = manner(self)
                if manner == "cut":
                    return self.cut()
                if manner in ("500", "503", "429", "409", "400", "401", "404"):
                    return self.answer(int(manner), {"error": {"message": f"stand-in says {manner}", "type": "api_error"}})
                if manner == "garbage":
                    return self.answer(200, b"<html>it works</html>")
                if manner == "huge":
                    return self.answer(200, b'{"id": "' + b"x" * (4 << 20) + b'"}')
                status, body = stripe.serve(method, self.path, form, self.headers)
                if manner == "other":
                    body = {**body, "client_reference_id": "00000000-0000-4000-8000-000000000000", "payment_status": "paid"}
                if manner == "cut_after":
                    return self.cut()
                if manner == "hang":
                    stripe.closing.wait(60)
                    return self.cut()
                try:
                    self.answer(status, body, half=manner == "cut_half")
                    if manner == "cut_half":
                        self.cut()
                except OSError:
                    pass  # the client is gone

            def do_GET(self):
                self.handle_one("GET")

            def do_POST(self):
                self.handle_one("POST")

        return Handler

    def serve(self, method, path, form, headers):
        if headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"error": {"message": "Invalid API Key provided", "type": "invalid_request_error"}}
        assert headers.get("Stripe-Version"), "the form of the answers is pinned"
        with self.lock:
            if (method, path) == ("POST", "/v1/checkout/sessions"):
                return self._create(form, headers.get("Idempotency-Key"))
            if (method, path) == ("POST", "/v1/refunds"):
                return self._give_back(form, headers.get("Idempotency-Key"))
            if method == "GET" and path.startswith("/v1/checkout/sessions/"):
                session = self.sessions.get(path.rsplit("/", 1)[1])
                return (200, session) if session else (404, {"error": {"message": "No such checkout.session", "code": "resource_missing"}})
        return 404, {"error": {"message": f"Unrecognized request URL ({method}: {path})"}}

    def _create(self, form, key):
        assert key, "a POST without an Idempotency-Key"
        if key in self.answers:
            before, answer = self.answers[key]
            if before != form:
                return 400, {"error": {"type": "idempotency_error", "message": "Keys for idempotent requests can only be used "
                                       "with the same parameters they were first used with."}}
            return answer
        for name in ("line_items[0][price_data][product_data][name]", "success_url", "cancel_url", "client_reference_id"):
            assert form.get(name), form
        assert form["mode"] == "payment" and form["line_items[0][quantity]"] == "1"
        assert form["metadata[order]"] == form["payment_intent_data[metadata][order]"] == form["client_reference_id"]
        if not 1800 <= int(form["expires_at"]) - time.time() <= 86400:
            answer = (400, {"error": {"message": "The `expires_at` timestamp must be 30 minutes to 24 hours from creation."}})
        else:
            name = f"cs_test_{next(self.numbers)}"
            self.sessions[name] = {
                "id": name, "object": "checkout.session", "status": "open", "payment_status": "unpaid", "payment_intent": None,
                "client_reference_id": form["client_reference_id"], "metadata": {"order": form["metadata[order]"]},
                "amount_total": int(form["line_items[0][price_data][unit_amount]"]),
                "currency": form["line_items[0][price_data][currency]"], "expires_at": int(form["expires_at"]),
                "url": f"https://checkout.stripe.com/c/pay/{name}#" + "fidkdWxOYHwnPyd1blpxYHZxWjA0" * 10,
            }
            answer = (200, self.sessions[name])
        self.answers[key] = (form, answer)
        return answer

    def _give_back(self, form, key):
        assert key, "a POST without an Idempotency-Key"
        if key in self.answers:
            before, answer = self.answers[key]
            return answer if before == form else (400, {"error": {"type": "idempotency_error", "message": "other parameters"}})
        assert set(form) == {"payment_intent", "reason", "metadata[refund]"} and form["reason"] == "requested_by_customer"
        payment = form["payment_intent"]
        session = next((s for s in self.sessions.values() if s["payment_intent"] == payment and s["payment_status"] == "paid"), None)
        if session is None:
            answer = (404, {"error": {"message": f"No such payment_intent: '{payment}'", "code": "resource_missing"}})
        elif payment in self.refunds:
            answer = (400, {"error": {"message": "Charge has already been refunded.", "code": "charge_already_refunded"}})
        else:
            self.refunds[payment] = {"id": f"re_{next(self.numbers)}", "object": "refund", "amount": session["amount_total"],
                                     "currency": session["currency"], "payment_intent": payment, "status": "succeeded"}
            answer = (200, self.refunds[payment])
        self.answers[key] = (form, answer)
        return answer

    # --- what buyers and banks do: each gives the event Stripe would send ------------------------------

    def event(self, kind, thing):
        return {"id": f"evt_{next(self.numbers)}", "object": "event", "api_version": "2024-06-20", "created": int(time.time()),
                "type": kind, "livemode": False, "data": {"object": dict(thing)}}

    def pay(self, session, **changes):
        with self.lock:
            it = self.sessions[session]
            it.update(status="complete", payment_status="paid", url=None, payment_intent=f"pi_{session}", **changes)
            return self.event("checkout.session.completed", it)

    def promise(self, session):
        """A way to pay that takes days: completed, not paid."""
        with self.lock:
            self.sessions[session].update(status="complete", payment_intent=f"pi_{session}")
            return self.event("checkout.session.completed", self.sessions[session])

    def keep_promise(self, session, good=True):
        with self.lock:
            if good:
                self.sessions[session]["payment_status"] = "paid"
            return self.event("checkout.session.async_payment_" + ("succeeded" if good else "failed"), self.sessions[session])

    def expire(self, session):
        with self.lock:
            self.sessions[session].update(status="expired", url=None)
            return self.event("checkout.session.expired", self.sessions[session])

    def refund(self, session, amount, metadata=True):
        """amount: all that was given back so far."""
        it = self.sessions[session]
        return self.event("charge.refunded", {
            "id": f"ch_{session}", "object": "charge", "payment_intent": f"pi_{session}", "amount": it["amount_total"],
            "amount_refunded": amount, "refunded": amount == it["amount_total"], "currency": it["currency"],
            "metadata": it["metadata"] if metadata else {}})

    def fail_refund(self, session):
        """The bank could not take the money: it comes back days later, and the charge may be refunded again."""
        with self.lock:
            refund = self.refunds.pop(f"pi_{session}")
        refund["status"] = "failed"
        return [self.event(kind, refund) for kind in ("charge.refund.updated", "refund.updated", "refund.failed")]

    def dispute(self, session, status="needs_response", kind="created", name=None):
        it = self.sessions[session]
        return self.event(f"charge.dispute.{kind}", {
            "id": name or f"dp_{session}", "object": "dispute", "charge": f"ch_{session}", "payment_intent": f"pi_{session}",
            "amount": it["amount_total"], "currency": it["currency"], "status": status, "metadata": {}})

    def signed(self, event, secret=SECRET, at=None, extra=""):
        body = event if isinstance(event, bytes) else json.dumps(event, indent=2).encode()
        at = int(time.time()) if at is None else at
        mac = hmac.new(secret.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()
        return body, f"t={at},v1={mac}{extra}"


class _Nothing:
    """What a cut line leaves for the handler to close."""

    closed = True

    def __getattr__(self, _):
        return lambda *a, **k: b""
