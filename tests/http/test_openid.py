"""OpenID Connect sign-in: the redirects there and back, and which client a sign-in belongs to."""

import concurrent.futures
import urllib.parse
import uuid

import pytest
from openid_rig import (
    APP,
    begin,
    finish,
    identities,
    new_own,
    other,
    provider,
    server,
    shared,
    sign_in,
    somebody,
)
from support.contract import Client
from support.oidc import Person, Provider

# --- there and back


def test_the_page_gets_the_list_of_providers(anyone):
    assert anyone.get("/v1/auth/oidc") == {
        "items": [{"id": "google", "name": "Google"}, {"id": "other", "name": "Other"}]
    }


def test_without_a_provider_file_the_list_is_empty(new_server):
    client = Client(new_server())
    assert client.get("/v1/auth/oidc") == {"items": []}
    begin(client, status=404, code="no_such_provider")


def test_a_new_player_gets_an_account_with_the_verified_address(anyone, provider, new_client):
    person = somebody()
    mia = sign_in(anyone, provider, person)
    assert mia.player["kind"] == "registered" and mia.player["email_verified"] is True
    assert mia.get("/v1/me")["id"] == mia.player["id"]
    again = sign_in(new_client(), provider, person, status=200)
    assert again.player["id"] == mia.player["id"]
    (it,) = identities(again)
    assert (it["provider"], it["name"], it["email"]) == ("google", "Google", person.email)
    assert len(again.get("/v1/me/sessions")["items"]) == 2


def test_the_device_becomes_known_and_the_session_can_be_renewed(anyone, provider):
    begun = begin(anyone)
    session = finish(anyone, begun, *provider.agree(begun["authorize_url"], somebody()), status=201).json()
    assert len(session["device_token"]) == 43 and "device_secret" not in session
    anyone._adopt(session).refresh()
    anyone.get("/v1/me")


@pytest.mark.parametrize(
    "person",
    [
        somebody(email=False),
        somebody(verified=False),
        somebody(verified="false"),
        somebody(verified=1),
        Person("odd-" + uuid.uuid4().hex, "Mia <mia@example.org>"),
    ],
)
def test_an_unverified_address_is_not_taken(anyone, provider, sql, person):
    mia = sign_in(anyone, provider, person)
    assert mia.player["email_verified"] is False and mia.player["kind"] == "registered"
    assert sql("SELECT count(*) FROM credentials WHERE player_id = %s", int(mia.player["id"])) == [(0,)]
    assert identities(mia)[0]["email"] is None


def test_apples_verified_flag_may_be_a_string(anyone, provider):
    assert sign_in(anyone, provider, somebody(verified="true")).player["email_verified"] is True


def test_subjects_are_scoped_to_their_issuer(new_client, provider, other):
    subject = uuid.uuid4().hex
    one = sign_in(new_client(), provider, Person(subject))
    two = sign_in(new_client(), other, Person(subject), id="other")
    assert one.player["id"] != two.player["id"]


def test_concurrent_sign_ins_make_one_player(new_client, provider):
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


def test_a_public_client_sends_no_secret_and_es256_is_accepted(anyone, other):
    sign_in(anyone, other, somebody(), id="other")
    (form,) = [form for method, path, form, headers in other.requests if path == "/token"]
    assert set(form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id"}


@pytest.mark.parametrize("ways", [("client_secret_basic",), ("client_secret_post",), ()])
def test_the_secret_is_sent_the_way_the_provider_requires(new_own, ways):
    provider = Provider(ways=ways)
    sign_in(Client(new_own(provider)), provider, somebody())
    provider.close()


def test_an_app_returns_to_its_own_address(anyone, provider):
    begun = begin(anyone, body={"redirect_uri": APP})
    assert dict(urllib.parse.parse_qsl(begun["authorize_url"]))["redirect_uri"] == APP
    finish(anyone, begun, *provider.agree(begun["authorize_url"], somebody()), status=201)


@pytest.mark.parametrize("uri", ["https://evil.example/", APP + "/", APP.upper(), APP[:-1], "x" * 511])
def test_unlisted_redirect_addresses_are_refused(anyone, uri):
    problem = anyone.call(
        "POST", "/v1/auth/oidc/google", {"redirect_uri": uri}, status=422, code="bad_format"
    ).json()
    assert problem["errors"] == [
        {"pointer": "/redirect_uri", "code": "bad_redirect", "detail": problem["errors"][0]["detail"]}
    ]


def test_the_default_redirect_is_the_pages_own_address(anyone, server):
    assert (
        dict(urllib.parse.parse_qsl(begin(anyone)["authorize_url"]))["redirect_uri"]
        == f"http://localhost:{server.http_port}/sign-in"
    )


# --- a sign-in belongs to the client that began it, and counts once


def test_a_code_is_accepted_once(anyone, provider):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, status=201)
    finish(anyone, begun, code, state, status=410, code_wanted="flow_invalid")


def test_a_code_used_elsewhere_is_refused(anyone, provider, new_client):
    begun, again = begin(anyone), begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, status=201)
    finish(anyone, again, code, again["state"], status=403, code_wanted="sign_in_refused")


def test_another_browsers_state_is_refused(anyone, provider, new_client):
    """Login CSRF: the attacker's code and state, injected into a victim's browser."""
    evil, victim = begin(new_client()), begin(anyone)
    code, state = provider.agree(evil["authorize_url"], somebody())
    finish(anyone, victim, code, state, status=410, code_wanted="flow_invalid")
    finish(anyone, {"secret": "A" * 43}, code, state, status=410, code_wanted="flow_invalid")
    # each party's own parameters are still valid afterward
    finish(anyone, evil, code, state, status=201)
    finish(anyone, victim, *provider.agree(victim["authorize_url"], somebody()), status=201)


def test_a_code_of_another_sign_in_does_not_match_the_verifier(anyone, provider):
    """Code injection: a stolen code in the attacker's own sign-in."""
    stolen, mine = begin(anyone), begin(anyone)
    code, _ = provider.agree(stolen["authorize_url"], somebody())
    finish(anyone, mine, code, mine["state"], status=403, code_wanted="sign_in_refused")


def test_a_sign_in_must_finish_at_its_own_provider(anyone, provider, other):
    """Mix-up: a sign-in begun at one provider and finished at another."""
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, id="other", status=410, code_wanted="flow_invalid")
    assert other.asked("/token") == 0
    finish(anyone, begun, code, state, iss=provider.url, status=201)


def test_a_response_with_another_issuer_is_refused(anyone, provider, other):
    begun = begin(anyone)
    code, state = provider.agree(begun["authorize_url"], somebody())
    finish(anyone, begun, code, state, iss=other.url, status=403, code_wanted="sign_in_refused")
    assert provider.asked("/token") == 0


def test_a_provider_that_announces_an_issuer_parameter_must_send_it(new_own):
    provider = Provider()
    provider.documents["/.well-known/openid-configuration"] = (
        200,
        provider.discovery(authorization_response_iss_parameter_supported=True),
    )
    client = Client(new_own(provider))
    sign_in(client, provider, somebody(), status=403, code_wanted="sign_in_refused")
    sign_in(client, provider, somebody(), iss=provider.url)
    provider.close()


def test_a_sign_in_expires_after_ten_minutes(anyone, provider, sql):
    begun = begin(anyone)
    sql("UPDATE identity_flows SET expires_at = now()")
    finish(
        anyone,
        begun,
        *provider.agree(begun["authorize_url"], somebody()),
        status=410,
        code_wanted="flow_invalid",
    )
    sql("SELECT do_purge(1000)")
    assert sql("SELECT count(*) FROM identity_flows WHERE expires_at <= now()") == [(0,)]


def test_an_address_has_at_most_fifty_pending_sign_ins(anyone, provider, sql):
    sql("DELETE FROM identity_flows")
    first = begin(anyone)
    for _ in range(50):
        last = begin(anyone)
    assert sql("SELECT count(*) FROM identity_flows") == [(50,)]
    finish(
        anyone,
        first,
        *provider.agree(first["authorize_url"], somebody()),
        status=410,
        code_wanted="flow_invalid",
    )
    finish(anyone, last, *provider.agree(last["authorize_url"], somebody()), status=201)


def test_the_database_stores_neither_state_nor_nonce_nor_secret(anyone, sql):
    begun = begin(anyone)
    asked = dict(urllib.parse.parse_qsl(begun["authorize_url"]))
    kept = str(sql("SELECT identity_flows::text FROM identity_flows"))
    for text in (begun["secret"], begun["state"], asked["nonce"]):
        assert text not in kept


@pytest.mark.parametrize(
    "change",
    [
        {"code": ""},
        {"code": "a b"},
        {"code": "x" * 2049},
        {"code": "ü"},
        {"state": "x"},
        {"state": 7},
        {"secret": "x" * 42},
        {"secret": "!" * 43},
        {"iss": ""},
        {"device_token": "!" * 43},
        {"more": 1},
    ],
)
def test_bodies_are_validated_against_the_contract(anyone, change):
    body = {"code": "c", "state": "s" * 43, "secret": "t" * 43, **change}
    anyone.call("POST", "/v1/auth/oidc/google/finish", body, status=422)


@pytest.mark.parametrize("id", ["nobody", "GOOGLE", "google%00", "x" * 63])
def test_unknown_providers_are_refused(anyone, guest, id):
    for client, path in ((anyone, "/v1/auth/oidc/"), (guest, "/v1/me/oidc/")):
        assert client.call("POST", path + id, {}).status_code in (400, 404)
        body = {"code": "c", "state": "s" * 43, "secret": "t" * 43}
        assert client.call("POST", f"{path}{id}/finish", body).status_code in (400, 404)
