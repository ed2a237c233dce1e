"""Signing in by a provider of OpenID Connect: the way there and back, whom it makes or finds, and everything a provider, somebody in its
name, or another browser may send instead."""

import concurrent.futures
import json
import os
import time
import urllib.parse
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from support.authenticator import Passkey
from support.cluster import SERVER
from support.contract import Client
from support.oidc import CLIENT, SECRET, Key, Person, Provider, b64url, hs256, jws
from support.server import Server

ENV = {**{k: v for k, v in os.environ.items() if not k.startswith("RUMMYD_")}, "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
APP = "com.example.rummy:/sign-in"


def config_file(folder, *providers, **more):
    path = folder / f"oidc-{uuid.uuid4().hex[:8]}.json"
    path.write_text(json.dumps({"providers": list(providers), **more}))
    return path


@pytest.fixture(scope="module")
def shared(cluster, database, tmp_path_factory):
    """One server with two providers."""
    folder = tmp_path_factory.mktemp("oidc")
    first, second = Provider(), Provider(key=Key("ES256"), secret=None)
    file = config_file(folder, first.config(folder=folder), second.config("other", "Other"), redirect_uris=[APP])
    server = Server(cluster.conninfo(database, SERVER), folder, env=ENV, rate_limits="off", oidc_file=file, oidc_timeout_ms=1500).start()
    yield server, first, second
    assert server.stop() == 0, server.log()[-2000:]
    assert SECRET not in server.log() and "eyJ" not in server.log()
    first.close()
    second.close()


@pytest.fixture
def server(shared):
    return shared[0]


@pytest.fixture
def provider(shared):
    shared[1].forget()
    shared[1].keys = shared[1].keys[-1:]
    return shared[1]


@pytest.fixture
def other(shared):
    shared[2].forget()
    return shared[2]


@pytest.fixture
def new_own(cluster, database, tmp_path):
    """Servers of their own on one database, for what is kept of a provider from one sign-in to the next."""
    made = []

    def make(it, file=None, **options):
        file = file or config_file(tmp_path, it.config(folder=tmp_path))
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Server(cluster.conninfo(database, SERVER), folder, env=ENV, rate_limits="off", node=uuid.uuid4().hex[:12],
                           oidc_file=file, **{"oidc_timeout_ms": 400, **options}))
        return made[-1].start()

    yield make
    for server in made:
        assert server.stop() == 0, server.log()[-2000:]


def somebody(email=True, **more):
    subject = uuid.uuid4().hex
    return Person(subject, f"{subject}@example.org" if email else None, **more)


def begin(client, id="google", path="/v1/auth/oidc/", body=None, **more):
    answer = client.call("POST", path + id, body or {}, **{"status": 200, **more})
    return answer.json()


def finish(client, begun, code, state, id="google", path="/v1/auth/oidc/", **more):
    wanted = {name: more.pop(name) for name in ("status", "code_wanted") if name in more}
    body = {"code": code, "state": state, "secret": begun["secret"], **more}
    return client.call("POST", f"{path}{id}/finish", body, status=wanted.get("status"), code=wanted.get("code_wanted"))


def sign_in(client, provider, person, status=201, id="google", code_wanted=None, path="/v1/auth/oidc/", **more):
    begun = begin(client, id, path)
    answer = finish(client, begun, *provider.agree(begun["authorize_url"], person), id=id, status=status, code_wanted=code_wanted,
                    path=path, **more)
    return client._adopt(answer.json()) if answer.ok else answer.json()


def link(client, provider, person, id="google", **more):
    return sign_in(client, provider, person, id=id, path="/v1/me/oidc/", **{"status": 200, **more})


def identities(client):
    return client.get("/v1/me/identities")["items"]


# --- there and back


def test_the_page_hears_which_providers_there_are(anyone):
    assert anyone.get("/v1/auth/oidc") == {"items": [{"id": "google", "name": "Google"}, {"id": "other", "name": "Other"}]}


def test_without_a_file_there_are_none(new_server):
    client = Client(new_server())
    assert client.get("/v1/auth/oidc") == {"items": []}
    begin(client, status=404, code="no_such_provider")


def test_who_is_new_gets_an_account_with_the_verified_address(anyone, provider, new_client):
    person = somebody()
    mia = sign_in(anyone, provider, person)
    assert mia.player["kind"] == "registered" and mia.player["email_verified"] is True
    assert mia.get("/v1/me")["id"] == mia.player["id"]
    again = sign_in(new_client(), provider, person, status=200)
    assert again.player["id"] == mia.player["id"]
    (it,) = identities(again)
    assert (it["provider"], it["name"], it["email"]) == ("google", "Google", person.email)
    assert len(again.get("/v1/me/sessions")["items"]) == 2


def test_a_device_is_known_afterwards_and_the_session_renews(anyone, provider):
    begun = begin(anyone)
    session = finish(anyone, begun, *provider.agree(begun["authorize_url"], somebody()), status=201).json()
    assert len(session["device_token"]) == 43 and "device_secret" not in session
    anyone._adopt(session).refresh()
    anyone.get("/v1/me")


@pytest.mark.parametrize("person", [somebody(email=False), somebody(verified=False), somebody(verified="false"), somebody(verified=1),
                                    Person("odd-" + uuid.uuid4().hex, "Mia <mia@example.org>")])
def test_an_address_that_is_not_verified_is_not_taken(anyone, provider, sql, person):
    mia = sign_in(anyone, provider, person)
    assert mia.player["email_verified"] is False and mia.player["kind"] == "registered"
    assert sql("SELECT count(*) FROM credentials WHERE player_id = %s", int(mia.player["id"])) == [(0,)]
    assert identities(mia)[0]["email"] is None


def test_apple_says_verified_in_letters(anyone, provider):
    assert sign_in(anyone, provider, somebody(verified="true")).player["email_verified"] is True


def test_subjects_count_for_their_issuer_alone(new_client, provider, other):
    subject = uuid.uuid4().hex
    one = sign_in(new_client(), provider, Person(subject))
    two = sign_in(new_client(), other, Person(subject), id="other")
    assert one.player["id"] != two.player["id"]


def test_many_at_once_are_one_player(new_client, provider):
    person = somebody()

    def enter(_):
        client = new_client()
        begun = begin(client)
        answer = finish(client, begun, *provider.agree(begun["authorize_url"], person))
        return answer.status_code, answer.json()["player"]["id"]

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(enter, range(6)))
    assert sorted(status for status, _ in answers) == [200] * 5 + [201]
    assert len({id for _, id in answers}) == 1


def test_a_public_client_sends_no_secret_and_es256_counts(anyone, other):
    sign_in(anyone, other, somebody(), id="other")
    (form,) = [form for method, path, form, headers in other.requests if path == "/token"]
    assert set(form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id"}


@pytest.mark.parametrize("ways", [("client_secret_basic",), ("client_secret_post",), ()])
def test_the_secret_goes_as_the_provider_wants_it(new_own, ways):
    provider = Provider(ways=ways)
    sign_in(Client(new_own(provider)), provider, somebody())
    provider.close()


def test_an_app_comes_back_to_its_own_address(anyone, provider):
    begun = begin(anyone, body={"redirect_uri": APP})
    assert dict(urllib.parse.parse_qsl(begun["authorize_url"]))["redirect_uri"] == APP
    finish(anyone, begun, *provider.agree(begun["authorize_url"], somebody()), status=201)


@pytest.mark.parametrize("uri", ["https://evil.example/", APP + "/", APP.upper(), APP[:-1], "x" * 511])
def test_nobody_else_names_an_address(anyone, uri):
    problem = anyone.call("POST", "/v1/auth/oidc/google", {"redirect_uri": uri}, status=422, code="bad_format").json()
    assert problem["errors"] == [{"pointer": "/redirect_uri", "code": "bad_redirect", "detail": problem["errors"][0]["detail"]}]


def test_the_page_s_own_address_is_the_usual_one(anyone, server):
    assert dict(urllib.parse.parse_qsl(begin(anyone)["authorize_url"]))["redirect_uri"] == f"http://localhost:{server.http_port}/sign-in"


# --- a sign-in belongs to who began it, and counts once


def test_a_code_counts_once(anyone, provider):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, status=201)
    finish(anyone, begun, code, state, status=410, code_wanted="flow_invalid")


def test_a_code_that_was_used_elsewhere_is_refused(anyone, provider, new_client):
    begun, again = begin(anyone), begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, status=201)
    finish(anyone, again, code, again["state"], status=403, code_wanted="sign_in_refused")


def test_another_browser_s_state_is_no_use(anyone, provider, new_client):
    """Log-in CSRF: the attacker's code and state, put into a victim's browser."""
    evil, victim = begin(new_client()), begin(anyone)
    code, state = provider.agree(evil["authorize_url"], somebody())
    finish(anyone, victim, code, state, status=410, code_wanted="flow_invalid")
    finish(anyone, {"secret": "A" * 43}, code, state, status=410, code_wanted="flow_invalid")
    # and what belongs to each is not used up by that
    finish(anyone, evil, code, state, status=201)
    finish(anyone, victim, *provider.agree(victim["authorize_url"], somebody()), status=201)


def test_a_code_of_another_sign_in_does_not_fit_the_verifier(anyone, provider):
    """Code injection: a stolen code in a sign-in of one's own."""
    stolen, mine = begin(anyone), begin(anyone)
    code, _ = provider.agree(stolen["authorize_url"], somebody())
    finish(anyone, mine, code, mine["state"], status=403, code_wanted="sign_in_refused")


def test_a_sign_in_is_finished_where_it_was_begun(anyone, provider, other):
    """Mix-up: begun at one provider, finished at another."""
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, id="other", status=410, code_wanted="flow_invalid")
    assert other.asked("/token") == 0
    finish(anyone, begun, code, state, iss=provider.url, status=201)


def test_who_sent_them_back_is_compared(anyone, provider, other):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, iss=other.url, status=403, code_wanted="sign_in_refused")
    assert provider.asked("/token") == 0


def test_a_provider_that_names_itself_has_to(new_own):
    provider = Provider()
    provider.documents["/.well-known/openid-configuration"] = (200, provider.discovery(authorization_response_iss_parameter_supported=True))
    client = Client(new_own(provider))
    sign_in(client, provider, somebody(), status=403, code_wanted="sign_in_refused")
    sign_in(client, provider, somebody(), iss=provider.url)
    provider.close()


def test_a_sign_in_has_ten_minutes(anyone, provider, sql):
    begun = begin(anyone)
    sql("UPDATE identity_flows SET expires_at = now()")
    finish(anyone, begun, *provider.agree(begun["authorize_url"], somebody()), status=410, code_wanted="flow_invalid")
    sql("SELECT do_purge(1000)")
    assert sql("SELECT count(*) FROM identity_flows WHERE expires_at <= now()") == [(0,)]


def test_one_address_has_fifty_on_their_way(anyone, provider, sql):
    sql("DELETE FROM identity_flows")
    first = begin(anyone)
    for _ in range(50):
        last = begin(anyone)
    assert sql("SELECT count(*) FROM identity_flows") == [(50,)]
    finish(anyone, first, *provider.agree(first["authorize_url"], somebody()), status=410, code_wanted="flow_invalid")
    finish(anyone, last, *provider.agree(last["authorize_url"], somebody()), status=201)


def test_the_database_knows_neither_state_nor_nonce_nor_secret(anyone, sql):
    begun = begin(anyone)
    asked = dict(urllib.parse.parse_qsl(begun["authorize_url"]))
    kept = str(sql("SELECT identity_flows::text FROM identity_flows"))
    for text in (begun["secret"], begun["state"], asked["nonce"]):
        assert text not in kept


@pytest.mark.parametrize("change", [{"code": ""}, {"code": "a b"}, {"code": "x" * 2049}, {"code": "ü"}, {"state": "x"}, {"state": 7},
                                    {"secret": "x" * 42}, {"secret": "!" * 43}, {"iss": ""}, {"device_token": "!" * 43}, {"more": 1}])
def test_bodies_are_held_to_the_contract(anyone, change):
    body = {"code": "c", "state": "s" * 43, "secret": "t" * 43, **change}
    anyone.call("POST", "/v1/auth/oidc/google/finish", body, status=422)


@pytest.mark.parametrize("id", ["nobody", "GOOGLE", "google%00", "x" * 63])
def test_no_such_provider(anyone, guest, id):
    for client, path in ((anyone, "/v1/auth/oidc/"), (guest, "/v1/me/oidc/")):
        assert client.call("POST", path + id, {}).status_code in (400, 404)
        body = {"code": "c", "state": "s" * 43, "secret": "t" * 43}
        assert client.call("POST", f"{path}{id}/finish", body).status_code in (400, 404)


# --- what comes back proves nobody

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
    """Another payload under a good signature."""
    head, _, signature = jws(header, claims, provider.keys[0].sign).split(".")
    return f"{head}.{b64url(json.dumps({**claims, 'sub': 'admin'}).encode())}.{signature}"


def with_raw(payload):
    return signed(lambda provider, header, claims: jws(header, payload(claims).encode(), provider.keys[0].sign))


FORGERIES = {
    "flipped signature": signed(flipped),
    "another payload": signed(swapped),
    "no signature": signed(lambda p, h, c: jws(h, c, lambda _: b"")),
    "alg none": signed(lambda p, h, c: jws({"alg": "none"}, c, lambda _: b"")),
    "alg None, signed": signed(lambda p, h, c: jws({**h, "alg": "None"}, c, p.keys[0].sign)),
    "HS256 with the public key": signed(lambda p, h, c: jws({**h, "alg": "HS256"}, c, hs256(p.keys[0].public_pem()))),
    "HS256 with the client's secret": signed(lambda p, h, c: jws({**h, "alg": "HS256"}, c, hs256(SECRET.encode()))),
    "RS512 by name": signed(lambda p, h, c: jws({**h, "alg": "RS512"}, c, p.keys[0].sign)),
    "no alg": signed(lambda p, h, c: jws({"kid": h["kid"]}, c, p.keys[0].sign)),
    "another's key under the kid": signed(lambda p, h, c: jws(h, c, ANOTHER.sign)),
    "ES256 under an RSA kid": signed(lambda p, h, c: jws({**h, "alg": "ES256"}, c, ES.sign)),
    "its key in its own header": signed(lambda p, h, c: jws({"alg": "ES256", "jwk": ES.jwk()}, c, ES.sign)),
    "keys at an address of its own": signed(lambda p, h, c: jws({"alg": "ES256", "kid": ES.kid, "jku": "http://127.0.0.1:9/"}, c, ES.sign)),
    "critical extension": signed(lambda p, h, c: jws({**h, "crit": ["b64"], "b64": True}, c, p.keys[0].sign)),
    "an access token": signed(lambda p, h, c: jws({**h, "typ": "at+jwt"}, c, p.keys[0].sign)),
    "odd kid": signed(lambda p, h, c: jws({**h, "kid": 7}, c, p.keys[0].sign)),
    "alg twice": signed(lambda p, h, c: jws(b'{"alg":"none","alg":"RS256","kid":"%s"}' % h["kid"].encode(), c, p.keys[0].sign)),
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
    "audience is no text": wrong(aud=[CLIENT, 7], azp=CLIENT),
    "another nonce": wrong(nonce="x" * 43),
    "no nonce": wrong(nonce=None),
    "nonce is no text": wrong(nonce=7),
    "expired": wrong(exp=NOW - 120),
    "no end": wrong(exp=None),
    "end in letters": wrong(exp=str(NOW + 300)),
    "end beyond numbers": with_raw(lambda c: json.dumps({**c, "exp": 0}).replace('"exp": 0', '"exp": 99999999999999999999')),
    "not yet": wrong(nbf=NOW + 36000),
    "made in the future": wrong(iat=NOW + 36000),
    "made long ago": wrong(iat=NOW - 3600),
    "no beginning": wrong(iat=None),
    "no subject": wrong(sub=None),
    "empty subject": wrong(sub=""),
    "subject is no text": wrong(sub=7),
    "subject too long": wrong(sub="x" * 256),
    "subject with a line feed": wrong(sub="a\nb"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_no_forgery_passes(anyone, provider, sql, name):
    before = sql("SELECT count(*) FROM players")
    FORGERIES[name](provider)
    sign_in(anyone, provider, somebody(), status=403, code_wanted="sign_in_refused")
    assert sql("SELECT count(*) FROM players") == before


@pytest.mark.parametrize("claims", [{"aud": [CLIENT]}, {"aud": [CLIENT, "another"], "azp": CLIENT}, {"azp": CLIENT}, {"exp": NOW + 10**9},
                                    {"more": {"deep": [1, None]}}])
def test_what_the_standard_allows_passes(anyone, provider, claims):
    provider.claims.update(claims)
    sign_in(anyone, provider, somebody())


def test_without_a_kid_the_only_key_counts_and_of_several_none(new_own):
    provider = Provider()
    provider.header["kid"] = None
    sign_in(Client(new_own(provider)), provider, somebody())
    provider.keys = [provider.keys[0], Key()]
    sign_in(Client(new_own(provider)), provider, somebody(), status=403, code_wanted="sign_in_refused")
    provider.close()


# --- the provider's documents


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


# --- accounts that are there


def test_an_address_opens_no_account_with_a_password(anyone, provider, new_client, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    person = Person(uuid.uuid4().hex, email.upper())
    sign_in(anyone, provider, person, status=409, code_wanted="email_has_account")
    assert sql("SELECT count(*) FROM identities WHERE subject = %s", person.subject) == [(0,)]
    # the way that is said: signed in as before, then linked
    link(mia, provider, person)
    assert sign_in(new_client(), provider, person, status=200).player["id"] == mia.player["id"]


def test_nor_one_of_another_provider(new_client, provider, other):
    person = somebody()
    sign_in(new_client(), provider, person)
    sign_in(new_client(), other, person, id="other", status=409, code_wanted="email_has_account")


def test_an_unverified_address_of_somebody_else_is_just_not_taken(new_client, provider):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    it = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email, verified=False))
    assert it.player["id"] != mia.player["id"] and it.player["email_verified"] is False


def test_an_address_that_may_go_back_is_not_taken(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register()
    sql("INSERT INTO mail_proofs VALUES (sha256(%s::bytea), %s, 'undo', %s, now() + interval '1 day')", email, int(mia.player["id"]), email)
    it = sign_in(new_client(), provider, Person(uuid.uuid4().hex, email))
    assert it.player["email_verified"] is False


def test_no_password_opens_an_account_without_one(new_client, provider):
    person = somebody()
    sign_in(new_client(), provider, person)
    for password in ("correct horse", "        "):
        new_client().call("POST", "/v1/auth/login", {"email": person.email, "password": password}, status=401, code="bad_credentials")


def test_who_is_banned_stays_out(new_client, provider, sql):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", int(mia.player["id"]))
    sign_in(new_client(), provider, person, status=403, code_wanted="account_banned")
    assert sql("SELECT count(*) FROM sessions WHERE player_id = %s", int(mia.player["id"])) == [(1,)]


def test_a_second_factor_is_asked_for_here_too(new_client, provider, sql):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    sql("INSERT INTO totp_factors (player_id, sealed, kid, on_at) VALUES (%s, decode(repeat('00', 60), 'hex'), 'k1', now())",
        int(mia.player["id"]))
    problem = sign_in(new_client(), provider, person, status=401, code_wanted="second_factor_needed")
    body = {"challenge": problem["challenge"], "factor_code": "123456"}
    new_client().call("POST", "/v1/auth/login/factor", {**body, "challenge": "x" * 43}, code="challenge_invalid")
    assert sql("SELECT count(*) FROM sessions WHERE player_id = %s", int(mia.player["id"])) == [(1,)]


# --- linking


def test_a_guest_becomes_an_account_and_keeps_all(new_client, provider, sql):
    guest, person = new_client().guest(), somebody()
    old, device, id = new_client(), guest.device_secret, guest.player["id"]
    old.token, old.refresh_token = guest.token, guest.refresh_token
    link(guest, provider, person)
    assert (guest.player["id"], guest.player["kind"], guest.player["email_verified"]) == (id, "registered", True)
    old.call("GET", "/v1/me", status=401)
    new_client().call("POST", "/v1/auth/guest", {"device_secret": device}, status=401, code="device_unknown")
    assert sign_in(new_client(), provider, person, status=200).player["id"] == id


def test_a_guest_is_told_of_an_account_with_the_address(new_client, provider):
    email = f"{uuid.uuid4().hex}@example.org"
    new_client().register(email)
    guest = new_client().guest()
    link(guest, provider, Person(uuid.uuid4().hex, email), status=409, code_wanted="email_has_account")
    assert guest.get("/v1/me")["kind"] == "guest"


def test_an_account_adds_providers_and_a_mail_says_so(new_client, provider, other, sql):
    mia = new_client().register()
    before, person = mia.refresh_token, somebody()
    link(mia, provider, person)
    link(mia, other, somebody(), id="other")
    assert [it["provider"] for it in identities(mia)] == ["google", "other"]
    told = sql("SELECT template, data->>'provider' FROM mails WHERE player_id = %s AND template LIKE 'identity%%' ORDER BY id",
               int(mia.player["id"]))
    assert len(told) == 2
    for (template, name), expected in zip(told, ("Google", "Other"), strict=True):
        assert template == "identity_linked" and name in (expected, None)  # None: sent meanwhile
    mia.call("POST", "/v1/auth/refresh", {"refresh_token": before}, status=401, code="refresh_invalid")
    assert len(mia.get("/v1/me/sessions")["items"]) == 1


def test_linking_the_same_again_changes_nothing(new_client, provider):
    mia, person = new_client().register(), somebody()
    link(mia, provider, person)
    link(mia, provider, person)
    assert len(identities(mia)) == 1


def test_what_is_another_s_is_not_linked(new_client, provider):
    person = somebody()
    sign_in(new_client(), provider, person)
    mia = new_client().register()
    link(mia, provider, person, status=409, code_wanted="identity_taken")
    link(new_client().guest(), provider, Person(person.subject), status=409, code_wanted="identity_taken")
    assert identities(mia) == []


def test_one_of_a_provider(new_client, provider):
    mia = new_client().register()
    link(mia, provider, somebody())
    link(mia, provider, somebody(), status=409, code_wanted="identity_other")


def test_a_link_is_finished_by_who_began_it(new_client, provider):
    mia, eve, nobody = new_client().register(), new_client().register(), new_client()
    for client, path in ((eve, "/v1/me/oidc/"), (nobody, "/v1/auth/oidc/"), (mia, "/v1/auth/oidc/")):
        begun = begin(mia, path="/v1/me/oidc/")
        code, state = provider.agree(begun["authorize_url"], somebody())
        token, client.token = client.token, client.token if "me" in path else None
        finish(client, begun, code, state, path=path, status=410, code_wanted="flow_invalid")
        client.token = token
    begun = begin(nobody)
    finish(mia, begun, *provider.agree(begun["authorize_url"], somebody()), path="/v1/me/oidc/", status=410, code_wanted="flow_invalid")
    assert identities(mia) == []


def test_a_session_that_was_found_links_nothing_and_unlinks_nothing(new_client, provider, sql):
    mia = new_client().register()
    link(mia, provider, somebody())
    sql("UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s", int(mia.player["id"]))
    begin(mia, path="/v1/me/oidc/", id="other", status=403, code="sign_in_again")
    (it,) = identities(mia)
    mia.call("DELETE", f"/v1/me/identities/{it['id']}", status=403, code="sign_in_again")
    mia.refresh()
    mia.call("DELETE", f"/v1/me/identities/{it['id']}", status=403, code="sign_in_again")


def add_passkey(client):
    options = client.call("POST", "/v1/me/passkey/begin", {}, status=200).json()
    return client.call("POST", "/v1/me/passkeys", Passkey().create(options), status=201).json()["id"]


@pytest.mark.parametrize("person", [somebody(), somebody(email=False)])
def test_who_has_no_password_signs_in_again_for_passkeys_their_data_and_to_leave(new_client, provider, sql, person):
    mia = sign_in(new_client(), provider, person)
    passkey = add_passkey(mia)
    sql("UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s", int(mia.player["id"]))
    mia.call("POST", "/v1/me/passkey/begin", {}, status=403, code="sign_in_again")
    mia.call("POST", f"/v1/me/passkeys/{passkey}/remove", {}, status=403, code="sign_in_again")
    mia.call("POST", "/v1/me/export", {}, status=403, code="sign_in_again")
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=403, code="sign_in_again")
    assert [it["id"] for it in mia.get("/v1/me/passkeys")["items"]] == [passkey]
    assert mia.get("/v1/me/export")["state"] == mia.get("/v1/me/deletion")["state"] == "none"
    mia = sign_in(new_client(), provider, person, status=200)
    add_passkey(mia)
    mia.call("POST", f"/v1/me/passkeys/{passkey}/remove", {}, status=204)
    mia.call("POST", "/v1/me/export", {}, status=202)
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=202)


def test_the_page_hears_what_an_account_has_to_prove(new_client, provider):
    def account(client):
        return client.get("/v1/me/account")

    guest, member = new_client().guest(), new_client().register()
    assert account(guest) == {"has_password": False, "proof": "none"}
    link(guest, provider, somebody(email=False))
    assert account(guest) == {"has_password": False, "proof": "recent_session"}
    assert account(member) == {"has_password": True, "proof": "password"}
    link(member, provider, somebody())
    assert account(member) == {"has_password": True, "proof": "password"}
    mia = sign_in(new_client(), provider, somebody())
    assert account(mia) == {"has_password": False, "proof": "recent_session"}


def test_who_unlinked_the_last_provider_is_no_guest(new_client, provider, sql):
    mia = sign_in(new_client(), provider, somebody())
    add_passkey(mia)
    mia.call("DELETE", f"/v1/me/identities/{identities(mia)[0]['id']}", status=204)
    sql("UPDATE sessions SET created_at = created_at - interval '11 min' WHERE player_id = %s", int(mia.player["id"]))
    assert mia.get("/v1/me/account")["proof"] == "recent_session"
    for path in ("/v1/me/passkey/begin", "/v1/me/export"):
        mia.call("POST", path, {}, status=403, code="sign_in_again")


def test_a_session_of_late_is_no_password(new_client, provider):
    mia = new_client().register()
    link(mia, provider, somebody())
    mia.call("POST", "/v1/me/export", {}, status=422, code="missing_member")
    mia.call("POST", "/v1/me/deletion", {"confirm": "delete"}, status=422, code="missing_member")


def test_a_guest_links_at_any_age(new_client, provider, sql):
    guest = new_client().guest()
    sql("UPDATE sessions SET created_at = created_at - interval '1 day' WHERE player_id = %s", int(guest.player["id"]))
    link(guest, provider, somebody())


def test_unlinking_but_never_the_last_way_in(new_client, provider, other):
    person = somebody()
    mia = sign_in(new_client(), provider, person)
    (first,) = identities(mia)
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=409, code="last_way_in")
    link(mia, other, somebody(), id="other")
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=204)
    mia.call("DELETE", f"/v1/me/identities/{first['id']}", status=404, code="identity_unknown")
    assert [it["provider"] for it in identities(mia)] == ["other"]
    sign_in(new_client(), provider, person, status=409, code_wanted="email_has_account")  # whose address is still mia's


def test_what_is_another_s_is_not_unlinked(new_client, provider):
    (theirs,) = identities(sign_in(new_client(), provider, somebody()))
    new_client().register().call("DELETE", f"/v1/me/identities/{theirs['id']}", status=404, code="identity_unknown")


def test_an_address_that_goes_back_takes_what_was_linked_since_with_it(new_client, provider, sql):
    email = f"{uuid.uuid4().hex}@example.org"
    mia = new_client().register(email)
    link(mia, provider, somebody())
    sql("UPDATE identities SET created_at = now() - interval '2 days' WHERE player_id = %s", int(mia.player["id"]))
    token = uuid.uuid4().hex * 2
    sql("INSERT INTO mail_proofs VALUES (sha256(%s::bytea), %s, 'undo', %s, now() + interval '7 days' - interval '1 min')", token,
        int(mia.player["id"]), email)
    sql("INSERT INTO identities (player_id, issuer, subject, created_at) VALUES (%s, 'https://thief.example', 'a', now()),"
        " (%s, 'https://before.example', 'b', now() - interval '23 hours')", int(mia.player["id"]), int(mia.player["id"]))
    new_client().call("POST", "/v1/auth/undo-email", {"token": token}, status=204)
    assert sql("SELECT issuer FROM identities WHERE player_id = %s", int(mia.player["id"])) == [(provider.url,)]


def test_an_account_by_a_provider_may_be_invited_on_its_first_day(new_client, provider, sql):
    inviter, guest = new_client().register(), new_client().guest()
    sql("UPDATE players SET created_at = now() - interval '3 days' WHERE id = %s", int(guest.player["id"]))
    link(guest, provider, somebody(email=False))
    code = inviter.call("POST", "/v1/invites").json()["code"]
    guest.call("PUT", "/v1/me/invitation", {"code": code}, headers={"Idempotency-Key": uuid.uuid4().hex}, status=200)


def test_events_are_logged_and_no_secret_is(anyone, provider, server):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    session = finish(anyone, begun, code, state, status=201).json()
    finish(anyone, begun, code, state, status=410)
    log = server.log()
    assert '"session_begun"' in log and '"sign_in_refused"' in log
    for secret in (code, state, begun["secret"], session["refresh_token"], session["access_token"]):
        assert secret not in log


# --- the configuration

GOOD = {"id": "google", "name": "Google", "issuer": "https://accounts.example", "client_id": "x"}
BAD_FILES = {
    "no JSON": "providers",
    "a list": "[]",
    "twice": '{"providers": [], "providers": []}',
    "unknown member": {"providers": [GOOD], "more": 1},
    "no providers": {"providers": []},
    "nine": {"providers": [{**GOOD, "id": f"p{i}", "issuer": f"https://p{i}.example"} for i in range(9)]},
    "id twice": {"providers": [GOOD, {**GOOD, "issuer": "https://other.example"}]},
    "issuer twice": {"providers": [GOOD, {**GOOD, "id": "other"}]},
    "bad id": {"providers": [{**GOOD, "id": "a/b"}]},
    "no name": {"providers": [{k: v for k, v in GOOD.items() if k != "name"}]},
    "long name": {"providers": [{**GOOD, "name": "x" * 41}]},
    "no issuer": {"providers": [{**GOOD, "issuer": "accounts.example"}]},
    "issuer with query": {"providers": [{**GOOD, "issuer": "https://accounts.example?x"}]},
    "no client": {"providers": [{**GOOD, "client_id": ""}]},
    "secret in it": {"providers": [{**GOOD, "client_secret": "x"}]},
    "no such file": {"providers": [{**GOOD, "client_secret_file": "/nowhere/at/all"}]},
    "no openid": {"providers": [{**GOOD, "scopes": "email"}]},
    "redirect of no scheme": {"providers": [GOOD], "redirect_uris": ["/sign-in"]},
    "redirect with fragment": {"providers": [GOOD], "redirect_uris": ["https://a.example/#x"]},
    "16 redirects": {"providers": [GOOD], "redirect_uris": [f"app:/{i}" for i in range(16)]},
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_of_providers_are_named(cluster, tmp_path, name):
    file = tmp_path / "oidc.json"
    bad = BAD_FILES[name]
    file.write_text(bad if isinstance(bad, str) else json.dumps(bad))
    server = Server(cluster.conninfo("nowhere", SERVER), tmp_path, env=ENV, oidc_file=file)
    server.start(wait=False)
    assert server.process.wait(10) == 1
    assert "oidc_file: " in server.log(), server.log()


@pytest.mark.parametrize("mode, said", [(0o644, "oidc_file: others than its user may read"), (0o600, "cannot connect to PostgreSQL")])
def test_a_secret_that_others_may_read_is_refused(cluster, tmp_path, mode, said):
    secret = tmp_path / "client"
    secret.write_text("a secret of the provider's")
    secret.chmod(mode)
    file = config_file(tmp_path, {**GOOD, "client_secret_file": str(secret)})
    server = Server("host=/nowhere dbname=x", tmp_path, dev=False, env={**ENV, "RUMMYD_JWT_SECRET": uuid.uuid4().hex}, oidc_file=file, db_wait_s=0)
    server.start(wait=False)
    assert server.process.wait(20) == 1
    assert said in server.log() and "a secret of" not in server.log(), server.log()


def test_eight_providers_and_fifteen_redirects_are_good(new_own, tmp_path):
    file = config_file(tmp_path, *[{**GOOD, "id": f"p{i}", "issuer": f"https://p{i}.example"} for i in range(8)],
                       redirect_uris=[f"app:/{i}" for i in range(15)])
    assert len(Client(new_own(None, file)).get("/v1/auth/oidc")["items"]) == 8
