"""Providers that cannot be trusted: an untrusted certificate, and a redirecting response. They receive no
data, and the log distinguishes a certificate error from a connection error."""

import json
import ssl

from support.log import lines
from support.smtp import make_certificate


def test_a_provider_with_an_untrusted_certificate_gets_nothing(new_shop, stripe, tmp_path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(make_certificate(tmp_path))
    stripe.http.socket = context.wrap_socket(stripe.http.socket, server_side=True)
    shop = new_shop(stripe_url=f"https://127.0.0.1:{stripe.port}")
    shop.order(status=503, code="payment_unavailable")
    assert stripe.requests == []
    told = lines(shop.server, "tls_fault", bool)
    assert told and all(
        line["level"] == "error" and line["host"] == "127.0.0.1" and "certificate" in line["why"]
        for line in told
    ), told


def test_a_broken_connection_is_not_logged_as_a_tls_fault(new_shop, stripe):
    shop = new_shop()
    stripe.manners[:] = ["cut"] * 9
    shop.order(status=503, code="payment_unavailable")
    assert lines(shop.server, "shop_provider_unavailable", bool) and "tls_fault" not in shop.server.log()


def test_redirects_are_not_followed(new_shop, stripe):
    shop = new_shop()
    stripe.manners[:] = ["302"] * 9
    answer = shop.order()
    assert answer.status_code == 503 and answer.json()["code"] == "payment_unavailable", json.dumps(
        answer.json()
    )
    assert stripe.requests and "/elsewhere" not in {path for _, path, _, _ in stripe.requests}
