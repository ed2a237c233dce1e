"""A provider's keys, discovery and answers: what they may be, and a provider that misbehaves or is away."""

import concurrent.futures
import json
import time
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from openid_rig import ENV, begin, config_file, finish, new_own, provider, server, shared, sign_in, somebody  # noqa: F401 (fixtures)
from support.cluster import SERVER
from support.contract import Client
from support.oidc import Key, Provider, b64url, jws
from support.server import Server

ES = Key("ES256")


def test_a_new_key_is_fetched_when_it_signs(new_own):
    provider = Provider()
    client, person = Client(new_own(provider)), somebody()
    sign_in(client, provider, person)
    sign_in(client, provider, person, status=200)
    assert provider.asked("/keys") == 1 and provider.asked("/.well-known/openid-configuration") == 1
    provider.keys = [Key("ES256")]
    sign_in(client, provider, person, status=200)
    assert provider.asked("/keys") == 2
    provider.close()


def test_unknown_keys_make_us_ask_seldom(new_own):
    provider = Provider()
    client = Client(new_own(provider))
    sign_in(client, provider, somebody())
    provider.sign = lambda header, claims: jws({**header, "kid": uuid.uuid4().hex}, claims, provider.keys[0].sign)
    began = time.monotonic()
    for _ in range(8):
        sign_in(client, provider, somebody(), status=403, code_wanted="sign_in_refused")
    assert provider.asked("/keys") <= 2 + (time.monotonic() - began) // 5
    provider.close()


BAD_KEYS = {
    "1000 keys": lambda good: {"keys": [{**good, "kid": str(i)} for i in range(1000)] + [good]},
    "65 keys": lambda good: {"keys": [{**good, "kid": str(i)} for i in range(64)] + [good]},
    "none": lambda good: {"keys": []},
    "no list": lambda good: {"keys": good},
    "for encryption": lambda good: {"keys": [{**good, "use": "enc"}]},
    "for RS512": lambda good: {"keys": [{**good, "alg": "RS512"}]},
    "symmetric": lambda good: {"keys": [{"kty": "oct", "k": b64url(b"x" * 32), "kid": good["kid"], "alg": "HS256"}]},
    "1024 bits": lambda good: {"keys": [Key(bits=1024, kid=good["kid"]).jwk()]},
    "exponent 1": lambda good: {"keys": [{**good, "e": "AQ"}]},
    "even exponent": lambda good: {"keys": [{**good, "e": "AQAC"}]},
    "no modulus": lambda good: {"keys": [{name: value for name, value in good.items() if name != "n"}]},
    "beside the curve": lambda good: {"keys": [ES.jwk(x=b64url(b"\1" * 32), kid=good["kid"])]},
    "another curve": lambda good: {"keys": [ES.jwk(crv="P-384", kid=good["kid"])]},
    "keys twice": lambda good: ('{"keys": [], "keys": [%s]}' % json.dumps(good)).encode(),
    "kid twice": lambda good: ('{"keys": [%s]}' % (json.dumps(good)[:-1] + ', "kid": "x"}')).encode(),
    "garbage": lambda good: b"<html>",
    "empty": lambda good: b"",
    "deep": lambda good: b"[" * 100000,
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_bad_sets_of_keys_are_no_keys(new_own, name):
    provider = Provider()
    provider.documents["/keys"] = (200, BAD_KEYS[name](provider.keys[0].jwk()))
    sign_in(Client(new_own(provider)), provider, somebody(), status=503, code_wanted="sign_in_unavailable")
    provider.close()


def test_good_keys_among_others_count(new_own):
    provider = Provider()
    good = provider.keys[0].jwk()
    odd = [{"kty": "oct", "k": "AA"}, 7, None, {**good, "use": "enc"}, {**good, "n": "!"}, ES.jwk(y="AA"), Key("ES256", curve=ec.SECP256K1()).jwk()]
    provider.documents["/keys"] = (200, {"keys": odd + [good]})
    sign_in(Client(new_own(provider)), provider, somebody())
    provider.close()


BAD_DISCOVERIES = {
    "another issuer": {"issuer": "https://accounts.example"},
    "no issuer": {"issuer": None},
    "no token endpoint": {"token_endpoint": None},
    "file": {"jwks_uri": "file:///etc/passwd"},
    "script": {"authorization_endpoint": "javascript:alert(1)"},
    "no host": {"token_endpoint": "https:///token"},
    "another host by a user": {"token_endpoint": "https://accounts.example@evil.example/token"},
    "backslash": {"jwks_uri": "https://evil.example\\@accounts.example/"},
    "line feed": {"authorization_endpoint": "https://accounts.example/\r\nX: y"},
    "long": {"authorization_endpoint": "https://accounts.example/" + "x" * 600},
    "number": {"jwks_uri": 7},
}


@pytest.mark.parametrize("name", BAD_DISCOVERIES)
def test_bad_discoveries_lead_nowhere(new_own, name):
    provider = Provider()
    provider.documents["/.well-known/openid-configuration"] = (200, provider.discovery(**BAD_DISCOVERIES[name]))
    begin(Client(new_own(provider)), status=503, code="sign_in_unavailable")
    provider.close()


def test_plain_http_is_for_the_desk_alone(new_own, cluster, tmp_path):
    provider = Provider()
    file = config_file(tmp_path, provider.config(folder=tmp_path))
    env = {**ENV, "RUMMYD_JWT_SECRET": uuid.uuid4().hex}
    server = Server(cluster.conninfo("nowhere", SERVER), tmp_path, dev=False, env=env, oidc_file=file)
    server.start(wait=False)
    assert server.process.wait(10) != 0 and "issuer must be an https:// address" in server.log()
    provider.close()


@pytest.mark.parametrize("manner", ["cut", "cut_half", "hang", "500", "503", "429", "404", "400", "garbage", "huge"])
def test_a_provider_that_misbehaves_at_the_beginning(new_own, manner):
    provider = Provider()
    client = Client(new_own(provider))
    provider.manners.append(manner)
    problem = begin(client, status=503, code="sign_in_unavailable")
    assert problem["retry_s"] == 5
    asked = len(provider.requests)
    began = time.monotonic()
    begin(client, status=503, code="sign_in_unavailable")  # not asked again at once
    assert len(provider.requests) <= asked + (time.monotonic() - began) // 5
    provider.close()


@pytest.mark.parametrize("path", ["/keys", "/token"])
@pytest.mark.parametrize("manner", ["cut", "cut_half", "cut_after", "hang", "500", "503", "429", "409", "401", "404", "garbage", "huge"])
def test_a_provider_that_misbehaves_at_the_end(new_own, path, manner):
    provider = Provider()
    provider.mannered = lambda method, at: at == path
    client = Client(new_own(provider))
    provider.manners.append(manner)
    person = somebody()
    sign_in(client, provider, person, status=503, code_wanted="sign_in_unavailable")
    assert provider.asked(path) == 1  # a code is not shown twice
    provider.close()


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
def test_no_redirect_is_followed(new_own, path):
    provider, trap = Provider(), Provider()

    def redirect(handler):
        handler.send_response(302 if path != "/token" else 307)
        handler.send_header("Location", trap.url + path)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return "gone"

    provider.mannered = lambda method, at: at == path
    provider.manners.append(redirect)
    provider.answer = None
    client = Client(new_own(provider))
    begun = client.call("POST", "/v1/auth/oidc/google", {})
    if begun.ok:
        begun = finish(client, begun.json(), *provider.agree(begun.json()["authorize_url"], somebody()))
    assert begun.json()["code"] == "sign_in_unavailable" and trap.requests == []
    provider.close()
    trap.close()


@pytest.mark.parametrize("answer", [{}, {"id_token": None}, {"id_token": 7}, {"id_token": "x" * (16 << 10)}, {"id_token": ["a.b.c"]}])
def test_answers_without_a_token(anyone, provider, answer):
    provider.documents["/token"] = (200, answer)
    sign_in(anyone, provider, somebody(), status=503, code_wanted="sign_in_unavailable")


def test_what_was_known_serves_while_the_provider_is_away(new_own):
    provider = Provider()
    client = Client(new_own(provider))
    sign_in(client, provider, somebody())
    for path in ("/keys", "/.well-known/openid-configuration"):
        provider.documents[path] = (500, {})
    sign_in(client, provider, somebody())
    provider.close()


def test_a_hanging_provider_holds_up_nobody_else(new_own):
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
