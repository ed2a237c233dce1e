"""A carrier's signed calls about paid SMS (docs/sms.md).

body, headers = carrier.signed(carrier.paid("GOLD 7K3F9QXY2Z", 499, "EUR"))
"""

import hashlib
import hmac
import itertools
import json
import time
import uuid

NUMBER = "70707"
SECRET = "carrier_stand_in_0123456789abcdef0123456789"


class Carrier:
    def __init__(self):
        self.numbers = itertools.count(1)
        self.name = uuid.uuid4().hex[:16]  # call numbers are unique within a test run

    def event(self, kind, text, amount, currency, message=None, **more):
        n = next(self.numbers)
        return {
            "id": f"call-{self.name}-{n}",
            "event": kind,
            "message": message or f"mo-{self.name}-{n}",
            "text": text,
            "amount": amount,
            "currency": currency,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            **more,
        }

    def paid(self, text, amount, currency="EUR"):
        return self.event("paid", text, amount, currency)

    def signed(self, event, secret=SECRET, at=None):
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        at = int(time.time()) if at is None else at
        mac = hmac.new(secret.encode(), b"rummyd-sms-v1.%d." % at + body, hashlib.sha256).hexdigest()
        return body, {"Sms-Signature": f"t={at},v1={mac}"}
