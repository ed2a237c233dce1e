"""Every row of the OpenID Connect table in docs/providers.md."""

import email.utils
import gzip
import json
import time
import uuid

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from openid_rig import config_file, finish, new_own, pool
from support.contract import Client
from support.oidc import CLIENT, Key, Person, jws
from support.provider_table import complete, rows

ROWS = rows("openid")
ANOTHER = Key(kid="another")
DISCOVERY, KEYS, TOKEN = "/.well-known/openid-configuration", "/keys", "/token"


class Play:
    """One sign-in at a separate provider; a row changes the provider's behavior before it begins."""

    take = None  # from the pool of providers

    def __init__(self, key=None):
        self.server, self.provider = self.take()
        self.config, self.iss = {}, None
        if key:
            self.provider.keys = [key]
        self.subject = uuid.uuid4().hex
        self.person = Person(self.subject, f"{self.subject}@example.org")
        self.waits = []  # paths that are not requested again immediately
        self.first = None  # actions after a preliminary sign-in, before the one that the row tests

    def claims(self, **claims):
        self.provider.claims.update(claims)
        return self

    def raw(self, change):
        """The payload as a text, modified."""
        self.provider.sign = lambda header, claims: jws(
            header, change(json.dumps(claims)).encode(), self.provider.keys[0].sign
        )
        return self

    def header(self, **header):
        self.provider.header.update(header)
        return self

    def keys(self, make):
        self.provider.documents[KEYS] = (200, {"keys": make(self.provider.keys[0].jwk())})
        return self

    def discovery(self, **changes):
        self.provider.documents[DISCOVERY] = (200, self.provider.discovery(**changes))
        return self

    def answer(self, path, status, body, **headers):
        self.provider.dress[path] = lambda *_: (status, body, headers)
        if path == DISCOVERY or "Retry-After" in headers:
            self.waits.append(path)
        return self

    def dressed(self, path, dress):
        self.provider.dress[path] = dress
        return self

    def manner(self, path, manner):
        self.provider.mannered = lambda method, at: at == path
        self.provider.manners.append(manner)
        return self

    def run(self, new_own, tmp_path):
        if self.config:
            file = config_file(tmp_path, {**self.provider.config(folder=tmp_path), **self.config})
            self.server = new_own(self.provider, file)
        client = Client(self.server)
        if self.first:
            self.sign_in(client)
            self.first()
        result = self.sign_in(client)
        for path in self.waits:
            asked = self.provider.asked(path)
            assert asked == 1 and self.sign_in(client) == result == "unavailable"
            assert self.provider.asked(path) == asked, "it is not asked again at once"
        self.provider.close()
        return result

    def sign_in(self, client):
        begun = client.call("POST", f"/v1/auth/oidc/{self.provider.id}", {})
        if begun.ok:
            url = begun.json()["authorize_url"]
            code, state = self.provider.agree(
                self.provider.url + "/authorize?" + url.partition("/authorize?")[2], self.person
            )
            iss = {"iss": self.iss} if self.iss else {}
            begun = finish(client, begun.json(), code, state, self.provider.id, **iss)
        if begun.ok:
            return "signed in" + (" with address" if begun.json()["player"]["email_verified"] else "")
        return {"sign_in_refused": "refused", "sign_in_unavailable": "unavailable"}[begun.json()["code"]]


def claims(**it):
    return lambda: Play().claims(**it)


def now(**offsets):
    return lambda: Play().claims(**{name: time.time() + offset for name, offset in offsets.items()})


def header(**it):
    return lambda: Play().header(**it)


def person(**it):
    def play():
        made = Play()
        made.person = Person(made.subject, it.get("email", made.person.email), it.get("verified", True))
        return made

    return play


def keys(make):
    return lambda: Play().keys(make)


def discovery(**changes):
    return lambda: Play().discovery(**changes)


def answer(path, status, body, **headers):
    return lambda: Play().answer(path, status, body, **headers)


def busy(path):
    """A 503 with a date for the next try, ten minutes after the row starts, because rows may run long after
    they are read."""
    later = lambda: email.utils.formatdate(time.time() + 600, usegmt=True)
    return lambda: Play().answer(path, 503, {}, **{"Retry-After": later()})


def error(status, word):
    return answer(TOKEN, status, {"error": word, "error_description": "as documented"})


def token(change):
    return lambda: Play().dressed(TOKEN, lambda status, body: (status, change(dict(body))))


def zipped(path):
    return lambda: Play().dressed(
        path,
        lambda status, body: (status, gzip.compress(json.dumps(body).encode()), {"Content-Encoding": "gzip"}),
    )


def chunked(path):
    return lambda: Play().dressed(path, lambda status, body: (status, body, {"Transfer-Encoding": "chunked"}))


def manner(path, name):
    return lambda: Play().manner(path, name)


def without(*names):
    return token(lambda body: {name: value for name, value in body.items() if name not in names})


def ps256():
    play = Play().header(alg="PS256")
    private = play.provider.keys[0].private
    pss = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    play.provider.sign = lambda head, payload: jws(
        head, payload, lambda text: private.sign(text, pss, hashes.SHA256())
    )
    return play


def rotated():
    play = Play()
    play.first = lambda: setattr(play.provider, "keys", [Key("ES256")])
    return play


def nameless(jwk):
    return [{name: value for name, value in jwk.items() if name != "kid"}]


def rotated_nameless(**head):
    """Neither the old key set nor the new one has kids."""

    def play():
        play = Play(key=Key("ES256")).keys(nameless).header(**head)
        old = play.provider.documents[KEYS]

        def rotate():
            play.provider.keys = [Key("ES256")]
            play.keys(nameless)
            assert play.provider.documents[KEYS] != old

        play.first = rotate
        return play

    return play


def null(name):
    return lambda: Play().raw(lambda payload: json.dumps({**json.loads(payload), name: None}))


def several_keys():
    play = Play().header(kid=None)
    play.provider.keys = [play.provider.keys[0], ANOTHER]
    return play


def bare(jwk):
    return [{name: value for name, value in jwk.items() if name not in ("use", "alg")}]


def slash(config, document):
    def play():
        made = Play()
        made.config["issuer"] = made.provider.url + ("/" if config else "")
        made.claims(iss=made.provider.url + "/")
        return made.discovery(issuer=made.provider.url + ("/" if document else ""))

    return play


def with_query():
    play = Play()
    return play.discovery(authorization_endpoint=play.provider.url + "/authorize?tenant=a")


def named(iss):
    def play():
        made = Play().discovery(authorization_response_iss_parameter_supported=True)
        made.iss = iss(made.provider)
        return made

    return play


def big(text):
    return lambda: Play().raw(lambda payload: payload[:-1] + ", " + text + "}")


def replaced(name, text):
    return lambda: Play().claims(**{name: 7777777}).raw(lambda payload: payload.replace("7777777", text))


PAGE = b"<!doctype html><title>Bad gateway</title>"
OTHERS = [
    {"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "a"},
    {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"},
    {"kty": "oct", "k": "AA"},
    Key("ES256", curve=ec.SECP256K1()).jwk(),
    {**ANOTHER.jwk(), "alg": "PS512"},
    {**ANOTHER.jwk(), "use": "enc"},
    {},
]

PLAYS = {
    "usual": Play,
    "es256": lambda: Play(key=Key("ES256")),
    "ps256": ps256,
    "iat-fraction": now(iat=-0.25),
    "exp-fraction": now(exp=300.5),
    "nbf-fraction": now(nbf=-0.5),
    "exp-exponent": replaced("exp", "1.9e10"),
    "exp-far": claims(exp=10**12),
    "exp-beyond": replaced("exp", "99999999999999999999"),
    "exp-just-over": now(exp=-30.5),
    "exp-over": lambda: Play().claims(exp=int(time.time()) - 120),
    "exp-over-fraction": now(exp=-120.5),
    "exp-negative": claims(exp=-1e300),
    "exp-text": lambda: Play().claims(exp=str(int(time.time()) + 300)),
    "exp-missing": claims(exp=None),
    "iat-missing": claims(iat=None),
    "iat-old": now(iat=-3600.5),
    "iat-ahead": now(iat=3600.5),
    "nbf-ahead": now(nbf=3600.5),
    "nbf-text": claims(nbf="0"),
    "nbf-null": null("nbf"),
    "aud-list": claims(aud=[CLIENT]),
    "aud-list-twice": claims(aud=[CLIENT, CLIENT]),
    "aud-others-azp": claims(aud=["another", CLIENT], azp=CLIENT),
    "aud-others": claims(aud=["another", CLIENT]),
    "aud-empty": claims(aud=[]),
    "aud-other": claims(aud="another"),
    "azp-ours": claims(azp=CLIENT),
    "azp-other": claims(azp="another"),
    "azp-null": null("azp"),
    "nonce-missing": claims(nonce=None),
    "nonce-other": claims(nonce="x" * 43),
    "issuer-slash": lambda: (lambda it: it.claims(iss=it.provider.url + "/"))(Play()),
    "sub-blank": lambda: Play().claims(sub="CN=Ana Kos,O=Example"),
    "sub-longest": lambda: Play().claims(sub="x" * 255),
    "sub-too-long": lambda: Play().claims(sub="x" * 256),
    "sub-number": claims(sub=7),
    "sub-missing": claims(sub=None),
    "email-text-true": person(verified="true"),
    "email-text-false": person(verified="false"),
    "email-false": person(verified=False),
    "email-unknown": claims(email_verified=None),
    "email-null": null("email"),
    "email-missing": person(email=None),
    "email-number": person(verified=1),
    "extra": claims(
        more={"deep": [1, None, {"x": 1.5}]}, at_hash="x", sid=7, auth_time=1.5, amr=["pwd"], acr="0"
    ),
    "extra-big": big('"employee": 99999999999999999999999'),
    "typ-missing": header(typ=None),
    "typ-small": header(typ="jwt"),
    "typ-long": header(typ="application/jwt"),
    "typ-access": header(typ="at+jwt"),
    "crit": header(crit=["b64"], b64=True),
    "kid-missing": header(kid=None),
    "kid-missing-several": several_keys,
    "keys-no-kid": keys(nameless),
    "keys-null": keys(lambda jwk: [{**jwk, "kid": None, "use": None, "alg": None}]),
    "keys-kid-twice": keys(lambda jwk: [{**ANOTHER.jwk(), "kid": jwk["kid"]}, jwk]),
    "keys-others": keys(lambda jwk: [*OTHERS, jwk]),
    "keys-extra": keys(
        lambda jwk: [{**jwk, "x5c": ["AA=="], "x5t": "AA", "key_ops": ["verify"], "more": [1]}]
    ),
    "keys-bare": keys(bare),
    "keys-rotated": rotated,
    "keys-rotated-no-kid": rotated_nameless(),
    "keys-rotated-nameless": rotated_nameless(kid=None),
    "keys-encryption": keys(lambda jwk: [{**jwk, "use": "enc"}]),
    "keys-empty": keys(lambda jwk: []),
    "keys-html": answer(KEYS, 200, PAGE),
    "keys-gzip": zipped(KEYS),
    "keys-chunked": chunked(KEYS),
    "keys-500": answer(KEYS, 500, {"error": "server_error"}),
    "keys-429": answer(KEYS, 429, {}, **{"Retry-After": "60"}),
    "discovery-extra": discovery(
        more={"deep": [1]}, claims_supported=["sub"], op_policy_uri=None, backchannel_logout_supported=True
    ),
    "discovery-slash": slash(True, True),
    "discovery-other-slash": slash(False, True),
    "discovery-no-ways": discovery(token_endpoint_auth_methods_supported=None),
    "discovery-query": with_query,
    "discovery-gzip": zipped(DISCOVERY),
    "discovery-chunked": chunked(DISCOVERY),
    "discovery-html": answer(DISCOVERY, 200, PAGE),
    "discovery-redirect": answer(DISCOVERY, 302, b"", Location="/elsewhere"),
    "discovery-429": answer(DISCOVERY, 429, {}, **{"Retry-After": "60"}),
    "discovery-503-date": busy(DISCOVERY),
    "discovery-slow": manner(DISCOVERY, "hang"),
    "iss-named": named(lambda provider: provider.url),
    "iss-not-sent": named(lambda provider: None),
    "iss-other": named(lambda provider: "https://accounts.example"),
    "token-usual-extra": token(
        lambda body: {**body, "refresh_token": "r", "scope": "openid", "more": {"deep": [1]}}
    ),
    "token-expires-text": token(lambda body: {**body, "expires_in": "3600"}),
    "token-expires-missing": without("expires_in"),
    "token-type-missing": without("token_type"),
    "token-big": token(lambda body: {**body, "expires_in": 10**25}),
    "token-gzip": zipped(TOKEN),
    "token-chunked": chunked(TOKEN),
    "token-201": lambda: Play().dressed(TOKEN, lambda status, body: (201, body)),
    "token-no-id": without("id_token"),
    "token-invalid-grant": error(400, "invalid_grant"),
    "token-invalid-grant-401": error(401, "invalid_grant"),
    "token-invalid-grant-200": error(200, "invalid_grant"),
    "token-invalid-client": error(401, "invalid_client"),
    "token-invalid-client-400": error(400, "invalid_client"),
    "token-unauthorized-client": error(400, "unauthorized_client"),
    "token-invalid-request": error(400, "invalid_request"),
    "token-later": error(400, "temporarily_unavailable"),
    "token-error-object": error(400, {"message": "no", "code": 400}),
    "token-400-html": answer(TOKEN, 400, PAGE),
    "token-200-html": answer(TOKEN, 200, PAGE),
    "token-redirect": answer(TOKEN, 302, b"", Location="/elsewhere"),
    "token-429": answer(TOKEN, 429, {}, **{"Retry-After": "60"}),
    "token-503": answer(TOKEN, 503, {}),
    "token-503-date": busy(TOKEN),
    "token-slow": manner(TOKEN, "hang"),
    "token-cut": manner(TOKEN, "cut_half"),
}


def test_the_table_is_complete():
    complete(ROWS, PLAYS)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_row_has_its_result(new_own, pool, tmp_path, monkeypatch, row):
    monkeypatch.setattr(Play, "take", staticmethod(pool.take))
    assert PLAYS[row.id]().run(new_own, tmp_path) == row.result
