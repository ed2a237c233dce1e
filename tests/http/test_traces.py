"""Request spans: what a collector receives, what a provider receives, and a misbehaving collector."""

import json
import re
import secrets
import subprocess
import time

import pytest
from shop_rig import ENV
from support.cluster import ROOT, RUMMYD
from support.collector import Collector, attributes
from support.contract import Client
from support.metrics import Metrics, wait_for
from support.times import promised
from support.wait import HANG_S

SENT, NOT_TAKEN, DROPPED = (
    f'rummyd_spans_total{{outcome="{outcome}"}}' for outcome in ("sent", "not_taken", "dropped")
)


@pytest.fixture
def collector():
    it = Collector()
    yield it
    it.close()


@pytest.fixture
def server(new_server, collector):
    return new_server(otlp_endpoint=collector.url + "/", env=ENV, rate_limits="off")


def parent():
    """The caller's trace, its span, and the header with them."""
    trace, span = secrets.token_hex(16), secrets.token_hex(8)
    return trace, span, lambda flags="01": {"traceparent": f"00-{trace}-{span}-{flags}"}


def test_a_traced_request_has_a_span(server, collector):
    guest = Client(server).guest()
    trace, caller, headers = parent()
    before = time.time_ns()
    answer = guest.call("GET", "/v1/me", headers=headers(), status=200)
    assert answer.headers["X-Trace-Id"] == trace
    (span,) = collector.wait_for(lambda span: span["traceId"] == trace)
    assert (span["parentSpanId"], span["name"], span["kind"], span["status"]) == (caller, "GET /v1/me", 2, {})
    assert re.fullmatch("[0-9a-f]{16}", span["spanId"]) and span["spanId"] != caller
    assert attributes(span) == {
        "http.request.method": "GET",
        "http.route": "/v1/me",
        "rummyd.operation": "getMe",
        "http.response.status_code": 200,
    }
    began, ended = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
    assert before - 5_000_000 <= began < ended <= time.time_ns() and ended - began < 5_000_000_000
    told = attributes(collector.resources()[0]["resource"])
    assert told == {
        "service.name": "rummyd",
        "service.version": (ROOT / "VERSION").read_text().strip(),
        "service.instance.id": "n1",
    }
    assert wait_for(server, lambda seen: seen[SENT] >= 2)[NOT_TAKEN] == 0
    assert server.stop() == 0


def test_traced_requests_and_their_ids(server, collector):
    anyone = Client(server)
    trace, _, headers = parent()
    anyone.call("GET", "/v1/me", headers=headers("00"), status=401)  # the caller opts out
    anyone.call("GET", "/healthz", status=200)
    anyone.call("GET", "/v1/nothing", status=404)
    mine = {"X-Request-Id": "my-own-request"}
    assert anyone.call("GET", "/v1/me", headers=mine, status=401).headers["X-Trace-Id"] == "my-own-request"
    broken, span, _ = parent()
    anyone.call("GET", "/v1/me", headers={"traceparent": f"00-{broken}-{'0' * 16}-01"}, status=401)
    anyone.call(
        "POST", "/v1/auth/login", {"email": "secret@example.org", "password": "wrong horse"}, status=401
    )
    last = anyone.call("GET", "/v1/tables/123456", status=401).headers["X-Trace-Id"]
    (found,) = collector.wait_for(lambda span: span["traceId"] == last)
    assert attributes(found)["error.type"] == "token_missing" and "123456" not in json.dumps(found)
    spans = collector.spans()
    assert [attributes(span)["http.response.status_code"] for span in spans] == [401] * 4
    assert [span["name"] for span in spans] == [
        "GET /v1/me",
        "GET /v1/me",
        "POST /v1/auth/login",
        found["name"],
    ]
    assert {span["status"].get("code") for span in spans} == {None}, "a refusal is not a server error"
    assert trace not in {span["traceId"] for span in spans}
    assert spans[1]["traceId"] == broken and not any("parentSpanId" in span for span in spans)
    assert len({span["traceId"] for span in spans}) == len({span["spanId"] for span in spans}) == 4
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
    assert "secret" not in json.dumps(collector.resources()) and "127.0.0.1" not in json.dumps(
        collector.resources()
    )


def test_a_provider_receives_the_trace(new_shop, collector):
    shop = new_shop(otlp_endpoint=collector.url)
    trace, _, headers = parent()
    key = {"Idempotency-Key": secrets.token_hex(8)}
    shop.buyer.call(
        "POST",
        "/v1/shop/orders",
        {"pack": "gold_300", "provider": "stripe"},
        headers={**headers(), **key},
        status=201,
    )
    (span,) = collector.wait_for(lambda span: span["traceId"] == trace)
    told = [headers.get("traceparent") for _, _, _, headers in shop.stripe.requests]
    assert told == [f"00-{trace}-{span['spanId']}-01"]
    shop.order(status=201)
    assert shop.stripe.requests[-1][3]["traceparent"].split("-")[1] != trace, "the next request's is its own"
    key = {"Idempotency-Key": secrets.token_hex(8)}
    shop.buyer.call(
        "POST",
        "/v1/shop/orders",
        {"pack": "gold_300", "provider": "stripe"},
        headers={**headers("00"), **key},
        status=201,
    )
    assert "traceparent" not in shop.stripe.requests[-1][3]


def test_without_a_collector_providers_receive_no_trace(new_shop):
    shop = new_shop()
    _, _, headers = parent()
    key = {"Idempotency-Key": secrets.token_hex(8)}
    shop.buyer.call(
        "POST",
        "/v1/shop/orders",
        {"pack": "gold_300", "provider": "stripe"},
        headers={**headers(), **key},
        status=201,
    )
    assert "traceparent" not in shop.stripe.requests[-1][3]
    seen = Metrics(shop.server)
    assert seen[SENT] == seen[NOT_TAKEN] == seen[DROPPED] == 0


def test_a_failing_collector_loses_spans_until_it_recovers(server, collector):
    collector.manners += ["500", "cut"]
    anyone = Client(server)
    for lost in (1, 2):
        anyone.call("GET", "/v1/me", status=401)
        wait_for(server, lambda seen: seen[NOT_TAKEN] == lost)
    trace, _, headers = parent()
    anyone.call("GET", "/v1/me", headers=headers(), status=401)
    collector.wait_for(lambda span: span["traceId"] == trace)
    assert wait_for(server, lambda seen: seen[SENT] == 1)[DROPPED] == 0
    for event in ('"event":"traces_not_taken"', '"event":"traces_taken_again"'):
        assert server.logged(event) and server.log().count(event) == 1


def test_a_hanging_collector_blocks_no_request(server, collector):
    """For a full queue see tests/server/test_traces.c."""
    collector.manners += ["hang"] * 100
    anyone = Client(server)
    anyone.call("GET", "/v1/me", status=401)
    collector.wait_for(lambda span: True)
    slowest = 0
    for _ in range(50):
        began = time.monotonic()
        anyone.call("GET", "/v1/me", status=401)
        slowest = max(slowest, time.monotonic() - began)
    promised("the slowest answer, which waits for no message", slowest, 1)
    began = time.monotonic()
    assert server.stop() == 0
    promised("a stop", time.monotonic() - began, 10)


@pytest.mark.parametrize("endpoint", ["collector:4318", "ftp://collector", "grpc://collector:4317"])
def test_an_invalid_endpoint_is_refused(endpoint):
    done = subprocess.run(
        [RUMMYD, "serve", "--dev", f"--otlp_endpoint={endpoint}"],
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    assert (
        done.returncode in (1, 2)
        and done.stderr == f'rummyd: otlp_endpoint: must begin with https:// or http:// (got "{endpoint}")\n'
    )
