"""OpenID Connect sign-in: ID tokens that prove no identity, and variations that the standard allows."""

import json
import time

import pytest
from openid_rig import new_own, provider, server, shared, sign_in, somebody
from support.contract import Client
from support.oidc import CLIENT, SECRET, Key, Provider, b64url, hs256, jws

ES, ANOTHER = Key("ES256"), Key()
NOW = int(time.time())


def wrong(**claims):
    return lambda provider: provider.claims.update(claims)


def signed(make):
    def set_up(provider):
        provider.sign = lambda header, claims: make(provider, header, claims)

    return set_up


def flipped(provider, header, claims):
    text, _, signature = jws(header, claims, provider.keys[0].sign).rpartition(".")
    return f"{text}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


def swapped(provider, header, claims):
    """Another payload with a good signature."""
    head, _, signature = jws(header, claims, provider.keys[0].sign).split(".")
    return f"{head}.{b64url(json.dumps({**claims, 'sub': 'admin'}).encode())}.{signature}"


def with_raw(payload):
    return signed(
        lambda provider, header, claims: jws(header, payload(claims).encode(), provider.keys[0].sign)
    )


FORGERIES = {
    "flipped signature": signed(flipped),
    "another payload": signed(swapped),
    "no signature": signed(lambda p, h, c: jws(h, c, lambda _: b"")),
    "alg none": signed(lambda p, h, c: jws({"alg": "none"}, c, lambda _: b"")),
    "alg None, signed": signed(lambda p, h, c: jws({**h, "alg": "None"}, c, p.keys[0].sign)),
    "HS256 with the public key": signed(
        lambda p, h, c: jws({**h, "alg": "HS256"}, c, hs256(p.keys[0].public_pem()))
    ),
    "HS256 with the client's secret": signed(
        lambda p, h, c: jws({**h, "alg": "HS256"}, c, hs256(SECRET.encode()))
    ),
    "RS512 by name": signed(lambda p, h, c: jws({**h, "alg": "RS512"}, c, p.keys[0].sign)),
    "no alg": signed(lambda p, h, c: jws({"kid": h["kid"]}, c, p.keys[0].sign)),
    "another's key under the kid": signed(lambda p, h, c: jws(h, c, ANOTHER.sign)),
    "ES256 under an RSA kid": signed(lambda p, h, c: jws({**h, "alg": "ES256"}, c, ES.sign)),
    "its key in its own header": signed(lambda p, h, c: jws({"alg": "ES256", "jwk": ES.jwk()}, c, ES.sign)),
    "keys at its own address": signed(
        lambda p, h, c: jws({"alg": "ES256", "kid": ES.kid, "jku": "http://127.0.0.1:9/"}, c, ES.sign)
    ),
    "critical extension": signed(lambda p, h, c: jws({**h, "crit": ["b64"], "b64": True}, c, p.keys[0].sign)),
    "an access token": signed(lambda p, h, c: jws({**h, "typ": "at+jwt"}, c, p.keys[0].sign)),
    "odd kid": signed(lambda p, h, c: jws({**h, "kid": 7}, c, p.keys[0].sign)),
    "alg twice": signed(
        lambda p, h, c: jws(b'{"alg":"none","alg":"RS256","kid":"%s"}' % h["kid"].encode(), c, p.keys[0].sign)
    ),
    "sub twice": with_raw(lambda c: json.dumps(c)[:-1] + ',"sub":"admin"}'),
    "nonce twice": with_raw(lambda c: json.dumps(c)[:-1] + f',"nonce":"{c["nonce"]}"}}'),
    "a list": with_raw(lambda c: json.dumps([c])),
    "no JSON": with_raw(lambda c: "sub=admin"),
    "four parts": signed(lambda p, h, c: jws(h, c, p.keys[0].sign) + ".x"),
    "one part": signed(lambda p, h, c: "x" * 100),
    "padded": signed(lambda p, h, c: jws(h, c, p.keys[0].sign) + "="),
    "another issuer": wrong(iss="https://accounts.example"),
    "issuer with a slash": lambda p: p.claims.update(iss=p.url + "/"),
    "no issuer": wrong(iss=None),
    "another audience": wrong(aud="another"),
    "audience in other letters": wrong(aud=CLIENT.upper()),
    "no audience": wrong(aud=None),
    "several audiences": wrong(aud=[CLIENT, "another"]),
    "for another of several": wrong(aud=[CLIENT, "another"], azp="another"),
    "made for another": wrong(azp="another"),
    "audience is not a string": wrong(aud=[CLIENT, 7], azp=CLIENT),
    "another nonce": wrong(nonce="x" * 43),
    "no nonce": wrong(nonce=None),
    "nonce is not a string": wrong(nonce=7),
    "expired": wrong(exp=NOW - 120),
    "no end": wrong(exp=None),
    "end in letters": wrong(exp=str(NOW + 300)),
    "end beyond numbers, below": with_raw(
        lambda c: json.dumps({**c, "exp": 0}).replace('"exp": 0', '"exp": -99999999999999999999')
    ),
    "not yet": wrong(nbf=NOW + 36000),
    "made in the future": wrong(iat=NOW + 36000),
    "made long ago": wrong(iat=NOW - 3600),
    "no beginning": wrong(iat=None),
    "no subject": wrong(sub=None),
    "empty subject": wrong(sub=""),
    "subject is not a string": wrong(sub=7),
    "subject too long": wrong(sub="x" * 256),
    "subject with a line feed": wrong(sub="a\nb"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_tokens_are_refused(anyone, provider, sql, name):
    before = sql("SELECT count(*) FROM players")
    FORGERIES[name](provider)
    sign_in(anyone, provider, somebody(), status=403, code_wanted="sign_in_refused")
    assert sql("SELECT count(*) FROM players") == before


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [CLIENT]},
        {"aud": [CLIENT, "another"], "azp": CLIENT},
        {"azp": CLIENT},
        {"exp": NOW + 10**9},
        {"more": {"deep": [1, None]}},
    ],
)
def test_variations_that_the_standard_allows_are_accepted(anyone, provider, claims):
    provider.claims.update(claims)
    sign_in(anyone, provider, somebody())


def test_a_token_without_kid_is_accepted_only_if_the_provider_has_one_key(new_own):
    provider = Provider()
    provider.header["kid"] = None
    sign_in(Client(new_own(provider)), provider, somebody())
    provider.keys = [provider.keys[0], Key()]
    sign_in(Client(new_own(provider)), provider, somebody(), status=403, code_wanted="sign_in_refused")
    provider.close()
