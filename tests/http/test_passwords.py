"""Which passwords an account may have, and that a password is the same however it is typed."""

import unicodedata
import uuid

import pytest

SHARES_SERVER = True


def refused(answer, code):
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, code)
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [("/password", code)]


@pytest.mark.parametrize(
    "password", ["password", "PassWord1", "12345678", "iloveyou", "qwertyuiop", "ｐａｓｓｗｏｒｄ"]
)
def test_common_passwords_are_refused(anyone, password):
    body = {"email": f"{uuid.uuid4().hex}@example.org", "password": password, "nickname": "Mia"}
    refused(anyone.call("POST", "/v1/auth/register", body), "password_too_common")
    anyone.register(body["email"])


@pytest.mark.parametrize(
    "password", ["rummy51!", "Rummyd-2026", "wanderer99", "Bella.Wanderer", "b3ll4.k1", "b3ll4.k@example.org"]
)
def test_passwords_made_of_names_are_refused(anyone, password):
    body = {"email": "b3ll4.k@example.org", "password": password, "nickname": "Bella Wanderer"}
    refused(anyone.call("POST", "/v1/auth/register", body), "password_is_context")


def test_a_guests_own_name_is_refused_as_a_password(new_client):
    guest = new_client().guest(nickname="Wanderer")
    body = {"email": f"{uuid.uuid4().hex}@example.org", "password": "wanderer2026"}
    refused(guest.call("POST", "/v1/auth/upgrade", body), "password_is_context")
    guest.call("POST", "/v1/auth/upgrade", {**body, "nickname": "Mia"}, status=200)


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery staple",
        "  blanks at both ends  ",
        "пароль из четырёх слов",
        "密码密码密码密码",
        "🂡🂮🂭🂫🂪🂩🂨🂧",
        "z" * 64,
        "q" * 128,
        "I play rummy with my aunt",
    ],
)
def test_any_characters_are_allowed(anyone, new_client, password):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email, password)
    new_client().call("POST", "/v1/auth/login", {"email": email, "password": password}, status=200)


def test_passwords_are_not_truncated(anyone, new_client):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email, "q" * 128)
    new_client().call("POST", "/v1/auth/login", {"email": email, "password": "q" * 127 + "x"}, status=401)
    new_client().call(
        "POST", "/v1/auth/login", {"email": email, "password": "q" * 129}, status=422, code="bad_length"
    )


def test_composed_and_decomposed_forms_are_the_same_password(anyone, new_client):
    """ü may be typed as one code point or as u and a combining diaeresis; the length is that of the
    composed form."""
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email, unicodedata.normalize("NFD", "grüße über alles"))
    for form in ("NFC", "NFD"):
        body = {"email": email, "password": unicodedata.normalize(form, "grüße über alles")}
        new_client().call("POST", "/v1/auth/login", body, status=200)
    anyone.register(password=unicodedata.normalize("NFD", "ü" * 128))
    body = {
        "email": f"{uuid.uuid4().hex}@example.org",
        "password": unicodedata.normalize("NFD", "ü" * 7),
        "nickname": "Mia",
    }
    anyone.call("POST", "/v1/auth/register", body, status=422, code="bad_length")
    body["password"] = unicodedata.normalize("NFD", "ü" * 129)
    anyone.call("POST", "/v1/auth/register", body, status=422, code="bad_length")
