"""A stand-in for an OpenTelemetry collector: accepts OTLP spans as JSON over HTTP, and can misbehave like
the other stand-ins."""

import time

from .stand_in import StandIn
from .wait import HANG_S


class Collector(StandIn):
    def serve(self, method, path, form, headers):
        wrong = (method, path) != ("POST", "/v1/traces") or headers.get("Content-Type") != "application/json"
        return (404, {}) if wrong else (200, {})

    def other(self, body):
        return body

    def resources(self):
        with self.lock:
            return [
                resource
                for _, path, form, _ in self.requests
                if path == "/v1/traces"
                for resource in form["resourceSpans"]
            ]

    def spans(self):
        return [
            span
            for resource in self.resources()
            for scope in resource["scopeSpans"]
            for span in scope["spans"]
        ]

    def wait_for(self, holds, within=HANG_S):
        """Waits for matching spans, and returns them."""
        until = time.monotonic() + within
        while not (found := [span for span in self.spans() if holds(span)]):
            assert time.monotonic() < until, self.spans()
            time.sleep(0.05)
        return found


def attributes(of):
    """Attributes as a dict; OTLP's JSON has numbers as strings."""
    read = {"stringValue": str, "intValue": int}
    return {
        each["key"]: read[kind](value) for each in of["attributes"] for kind, value in each["value"].items()
    }
