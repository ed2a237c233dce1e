"""A provider's keys, discovery, and responses: valid forms, and a provider that misbehaves or is
unavailable."""

import concurrent.futures
import time
import uuid

import pytest
from openid_rig import (
    ENV,
    begin,
    config_file,
    finish,
    fresh,
    new_own,
    pool,
    provider,
    server,
    shared,
    sign_in,
    somebody,
)
from support.cluster import SERVER
from support.contract import Client
from support.oidc import Key, Provider, jws
from support.server import Server
from support.wait import HANG_S


def test_a_new_key_is_fetched_when_it_is_first_used(fresh):
    (client, provider), person = fresh, somebody()
    sign_in(client, provider, person)
    sign_in(client, provider, person, status=200)
    assert provider.asked("/keys") == 1 and provider.asked("/.well-known/openid-configuration") == 1
    provider.keys = [Key("ES256")]
    sign_in(client, provider, person, status=200)
    assert provider.asked("/keys") == 2


def test_unknown_keys_rarely_cause_requests(fresh):
    client, provider = fresh
    sign_in(client, provider, somebody())
    provider.sign = lambda header, claims: jws(
        {**header, "kid": uuid.uuid4().hex}, claims, provider.keys[0].sign
    )
    began = time.monotonic()
    for _ in range(8):
        sign_in(client, provider, somebody(), status=403, code_wanted="sign_in_refused")
    assert provider.asked("/keys") <= 2 + (time.monotonic() - began) // 5


# tests/oidc/test_keys.c and tests/oidc/test_discovery.c have many more of each.
BAD_KEYS = {
    "none": lambda good: {"keys": []},
    "1024 bits": lambda good: {"keys": [Key(bits=1024, kid=good["kid"]).jwk()]},
    "garbage": lambda good: b"<html>",
    "deep": lambda good: b"[" * 100000,
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_invalid_key_sets_are_refused(fresh, name):
    client, provider = fresh
    provider.documents["/keys"] = (200, BAD_KEYS[name](provider.keys[0].jwk()))
    sign_in(client, provider, somebody(), status=503, code_wanted="sign_in_unavailable")


BAD_DISCOVERIES = {
    "another issuer": {"issuer": "https://accounts.example"},
    "file": {"jwks_uri": "file:///etc/passwd"},
    "script": {"authorization_endpoint": "javascript:alert(1)"},
}


@pytest.mark.parametrize("name", BAD_DISCOVERIES)
def test_invalid_discovery_documents_are_refused(fresh, name):
    client, provider = fresh
    provider.documents["/.well-known/openid-configuration"] = (
        200,
        provider.discovery(**BAD_DISCOVERIES[name]),
    )
    begin(client, provider.id, status=503, code="sign_in_unavailable")


def test_plain_http_is_allowed_only_in_dev_mode(new_own, cluster, tmp_path):
    provider = Provider()
    file = config_file(tmp_path, provider.config(folder=tmp_path))
    env = {**ENV, "RUMMYD_JWT_SECRET": uuid.uuid4().hex}
    server = Server(cluster.conninfo("nowhere", SERVER), tmp_path, dev=False, env=env, oidc_file=file)
    server.start(wait=False)
    assert server.process.wait(HANG_S) != 0 and server.logged("issuer must be an https:// address")
    provider.close()


@pytest.mark.parametrize(
    "manner", ["cut", "cut_half", "hang", "500", "503", "429", "404", "400", "garbage", "huge"]
)
def test_a_provider_that_misbehaves_before_the_redirect(fresh, manner):
    client, provider = fresh
    provider.manners.append(manner)
    problem = begin(client, provider.id, status=503, code="sign_in_unavailable")
    assert problem["retry_s"] == 5
    asked = len(provider.requests)
    began = time.monotonic()
    begin(client, provider.id, status=503, code="sign_in_unavailable")  # not queried again immediately
    assert len(provider.requests) <= asked + (time.monotonic() - began) // 5


@pytest.mark.parametrize("path", ["/keys", "/token"])
@pytest.mark.parametrize(
    "manner",
    ["cut", "cut_half", "cut_after", "hang", "500", "503", "429", "409", "401", "404", "garbage", "huge"],
)
def test_a_provider_that_misbehaves_after_the_redirect(fresh, path, manner):
    client, provider = fresh
    provider.mannered = lambda method, at: at == path
    provider.manners.append(manner)
    person = somebody()
    sign_in(client, provider, person, status=503, code_wanted="sign_in_unavailable")
    assert provider.asked(path) == 1  # a code is not sent twice


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
def test_redirects_are_not_followed(fresh, path):
    (client, provider), trap = fresh, Provider()

    def redirect(handler):
        handler.send_response(302 if path != "/token" else 307)
        handler.send_header("Location", trap.url + path)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return "gone"

    provider.mannered = lambda method, at: at == path
    provider.manners.append(redirect)
    provider.answer = None
    begun = client.call("POST", f"/v1/auth/oidc/{provider.id}", {})
    if begun.ok:
        begun = finish(
            client, begun.json(), *provider.agree(begun.json()["authorize_url"], somebody()), provider.id
        )
    assert begun.json()["code"] == "sign_in_unavailable" and trap.requests == []
    trap.close()


@pytest.mark.parametrize(
    "answer",
    [{}, {"id_token": None}, {"id_token": 7}, {"id_token": "x" * (16 << 10)}, {"id_token": ["a.b.c"]}],
)
def test_responses_without_a_token_are_refused(anyone, provider, answer):
    provider.documents["/token"] = (200, answer)
    sign_in(anyone, provider, somebody(), status=503, code_wanted="sign_in_unavailable")


def test_cached_documents_are_used_while_the_provider_is_unavailable(fresh):
    client, provider = fresh
    sign_in(client, provider, somebody())
    for path in ("/keys", "/.well-known/openid-configuration"):
        provider.documents[path] = (500, {})
    sign_in(client, provider, somebody())


def test_a_hanging_provider_does_not_block_other_requests(new_own):
    provider = Provider()
    server = new_own(provider, oidc_timeout_ms=3000)
    provider.manners += ["hang"]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(begin, Client(server), status=503) for _ in range(6)]
        while not provider.requests:
            time.sleep(0.01)
        client = Client(server)
        client.register()
        client.get("/v1/me")
        assert not any(it.done() for it in waiting)
        for it in waiting:
            it.result()
    provider.close()
