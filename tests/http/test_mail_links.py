"""Email links: confirming and changing addresses, resetting and changing passwords, and everything that must
not work."""

import random
import time
import uuid

import pytest
from support.contract import Client
from support.mailbox import CHANGE, CHANGED, IN_USE, PASSWORD_CHANGED, RESET, VERIFY, WAYS_REMOVED, Mailbox
from support.wait import HANG_S

SHARES_SERVER = True

PASSWORD = "seven sleeping camels"
OTHER = "nine dancing herons"
NO_LINK = "0" * 64


class Person:
    """An account, its mailbox, and its permissions."""

    def __init__(self, server, language=None):
        self.server, self.email = server, f"{uuid.uuid4().hex}@example.org"
        self.box = Mailbox(server, self.email)
        self.client = Client(server)
        if language:
            self.client.http.headers["Accept-Language"] = language
        self.client.register(self.email, PASSWORD)
        self.player = int(self.client.player["id"])

    def login(self, password=PASSWORD, email=None, **more):
        return Client(self.server).call(
            "POST", "/v1/auth/login", {"email": email or self.email, "password": password}, **more
        )

    def verified(self):
        return self.client.get("/v1/me")["email_verified"]

    def confirm(self):
        post(self.server, "verify-email", token=self.box.link(VERIFY), status=204)

    def refreshes(self, status):
        return Client(self.server).call(
            "POST", "/v1/auth/refresh", {"refresh_token": self.client.refresh_token}, status=status
        )

    def change(self, what, body, **more):
        return self.client.call("POST", f"/v1/me/{what}", body, **more)


def post(server, name, status=None, code=None, **body):
    return Client(server).call("POST", f"/v1/auth/{name}", body, status=status, code=code)


@pytest.fixture
def person(server):
    return Person(server)


# --- confirming an address ----------------------------------------------------------------------------------


def test_a_link_confirms_the_address_once(server, person):
    assert person.client.player["email_verified"] is False and not person.verified()
    token = person.box.link(VERIFY)
    post(server, "verify-email", token=token, status=204)
    assert person.verified()
    post(server, "verify-email", token=token, status=204)  # succeeds again without any effect
    assert person.login(status=200).json()["player"]["email_verified"] is True


def test_a_guest_has_nothing_to_confirm(server, guest):
    assert guest.player["email_verified"] is False
    guest.call("POST", "/v1/me/email/verification", status=409, code="not_registered")
    guest.call(
        "POST",
        "/v1/me/password",
        {"old_password": PASSWORD, "password": OTHER},
        status=409,
        code="not_registered",
    )
    guest.call(
        "POST",
        "/v1/me/email",
        {"email": "x@example.org", "password": PASSWORD},
        status=409,
        code="not_registered",
    )
    email = f"{uuid.uuid4().hex}@example.org"
    guest.call("POST", "/v1/auth/upgrade", {"email": email, "password": PASSWORD}, status=200)
    post(server, "verify-email", token=Mailbox(server, email).link(VERIFY), status=204)


@pytest.mark.parametrize("name", ["verify-email", "undo-email", "unlock"])
@pytest.mark.parametrize(
    "token, status, code",
    [
        (NO_LINK, 410, "link_invalid"),
        ("", 422, "bad_length"),
        ("a" * 63, 422, "bad_length"),
        ("a" * 65, 422, "bad_length"),
        ("'" * 64, 422, "bad_format"),
        (7, 422, "wrong_type"),
        (None, 422, "wrong_type"),
    ],
)
def test_invalid_tokens_are_refused(server, name, token, status, code):
    post(server, name, token=token, status=status, code=code)


def test_a_link_is_valid_only_for_its_purpose(server, person):
    token = person.box.link(VERIFY)
    post(server, "reset", token=token, password=OTHER, status=410, code="link_invalid")
    post(server, "undo-email", token=token, status=410, code="link_invalid")
    post(server, "unlock", token=token, status=410, code="link_invalid")
    post(server, "forgot", email=person.email, status=204)
    reset = person.box.link(RESET)
    post(server, "verify-email", token=reset, status=410, code="link_invalid")
    post(server, "verify-email", token=token, status=204)


def test_an_expired_link_is_refused(server, person, sql):
    token = person.box.link(VERIFY)
    sql("UPDATE mail_proofs SET expires_at = now() WHERE player_id = %s", person.player)
    post(server, "verify-email", token=token, status=410, code="link_invalid")
    assert not person.verified()


def test_the_link_is_resent_a_few_times_and_only_the_newest_is_valid(server, person):
    first = person.box.link(VERIFY)
    for _ in range(4):
        person.client.call("POST", "/v1/me/email/verification", status=204)
        last = person.box.link(VERIFY)
    refused = person.client.call("POST", "/v1/me/email/verification", status=429, code="too_many_mails")
    assert int(refused.headers["Retry-After"]) > 60
    post(server, "verify-email", token=first, status=410, code="link_invalid")
    post(server, "verify-email", token=last, status=204)
    person.client.call("POST", "/v1/me/email/verification", status=204)
    person.box.nothing()


@pytest.mark.parametrize(
    "asked, language, subject",
    [
        ("it, de-AT;q=0.9, en;q=0.5", "de", "Bitte E-Mail-Adresse bestätigen"),
        ("fr-CA", "fr", "Confirmez votre adresse e-mail"),
        ("es-MX, en;q=0.9", "es", "Confirma tu correo electrónico"),
        ("hi-IN, en;q=0.9", "hi", "अपने ईमेल पते की पुष्टि करें"),
        ("ru-RU, en;q=0.9", "ru", "Подтвердите адрес почты"),
        ("ro-MD, ru;q=0.9", "ro", "Confirmă-ți adresa de e-mail"),
        ("sr-RS", "sr-Latn", "Potvrdite svoju imejl-adresu"),
        ("sr-Cyrl", "sr-Cyrl", "Потврдите своју имејл-адресу"),
        ("pl-PL, en;q=0.9", "pl", "Potwierdź swój adres e-mail"),
        ("hr-HR", "hr", "Potvrdi svoju e-mail adresu"),
        ("bn-BD", "bn", "আপনার ইমেল ঠিকানা নিশ্চিত করুন"),
        ("te-IN", "te", "మీ ఈమెయిల్ అడ్రస్\u200cను నిర్ధారించండి"),
        ("ta-IN", "ta", "உங்கள் இமெயில் முகவரியை உறுதிசெய்யுங்கள்"),
        ("it", "en", VERIFY),
    ],
)
def test_emails_use_the_language_of_the_registration(server, sql, asked, language, subject):
    person = Person(server, asked)
    assert person.box.wait(subject)["Content-Language"] == language
    assert sql("SELECT language FROM players WHERE id = %s", person.player) == [(language,)]


def test_a_guest_who_becomes_an_account_keeps_the_language(server, new_client):
    guest = new_client()
    guest.http.headers["Accept-Language"] = "hi-IN"
    assert guest.guest().player["language"] == "hi"
    guest.call("PATCH", "/v1/me", {"language": "fr"}, status=200)
    guest.http.headers["Accept-Language"] = "de"
    email = f"{uuid.uuid4().hex}@example.org"
    upgraded = guest.call(
        "POST", "/v1/auth/upgrade", {"email": email, "password": PASSWORD}, status=200
    ).json()
    assert upgraded["player"]["language"] == "fr"
    assert Mailbox(server, email).wait("Confirmez votre adresse e-mail")["Content-Language"] == "fr"


# --- a forgotten password -----------------------------------------------------------------------------------


def test_a_forgotten_password_is_reset_once(server, person):
    person.box.wait(VERIFY)
    post(server, "forgot", email=person.email.upper(), status=204)
    token = person.box.link(RESET)
    post(server, "reset", token=token, password=OTHER, status=204)
    person.box.wait(PASSWORD_CHANGED)
    person.refreshes(401)
    person.client.call("GET", "/v1/me", status=401, code="token_invalid")
    person.login(status=401, code="bad_credentials")
    assert person.login(OTHER, status=200).json()["player"]["email_verified"] is True, (
        "the link has proved the address"
    )
    post(server, "reset", token=token, password=PASSWORD, status=410, code="link_invalid")


def test_only_the_newest_reset_link_is_valid(server, person):
    person.box.wait(VERIFY)
    post(server, "forgot", email=person.email, status=204)
    old = person.box.link(RESET)
    post(server, "forgot", email=person.email, status=204)
    new = person.box.link(RESET)
    post(server, "reset", token=old, password=OTHER, status=410, code="link_invalid")
    post(server, "reset", token=new, password=OTHER, status=204)


def test_reset_emails_are_limited_and_the_last_link_remains_valid(server, person):
    person.box.wait(VERIFY)
    tokens = []
    for _ in range(3):
        post(server, "forgot", email=person.email, status=204)
        tokens.append(person.box.link(RESET))
    post(server, "forgot", email=person.email, status=204)
    person.box.nothing()
    post(server, "reset", token=tokens[-1], password=OTHER, status=204)


def test_an_unknown_address_gets_the_same_answer_and_timing_but_no_email(server, person, sql):
    unknown = f"{uuid.uuid4().hex}@example.org"
    took = {person.email: [], unknown: []}
    answers = set()
    for _ in range(150):
        for email in random.sample(list(took), 2):
            began = time.perf_counter()
            answer = post(server, "forgot", email=email, status=204)
            took[email].append(time.perf_counter() - began)
            answers.add((answer.status_code, answer.content, tuple(sorted(set(answer.headers) - {"Date"}))))
    assert len(answers) == 1
    # The fraction of all pairs in which the known address took longer: 0.5 ± 0.03.
    longer = sum(known > other for known in took[person.email] for other in took[unknown]) / 150**2
    assert 0.35 < longer < 0.65, longer
    until = time.monotonic() + HANG_S
    while sql("SELECT count(*) FROM link_requests") != [(0,)]:  # requests are processed a few at a time
        assert time.monotonic() < until
        time.sleep(0.1)
    Mailbox(server, unknown).nothing()


def test_an_invalid_new_password_does_not_use_up_the_link(server, person):
    person.box.wait(VERIFY)
    post(server, "forgot", email=person.email, status=204)
    token = person.box.link(RESET)
    for bad, code in (
        ("short", "bad_length"),
        ("password", "password_too_common"),
        (person.email, "password_is_context"),
    ):
        post(server, "reset", token=token, password=bad, status=422, code=code)
    post(server, "reset", token=token, password=OTHER, status=204)


def test_a_reset_lifts_a_sign_in_lock(server, person):
    person.box.wait(VERIFY)
    for _ in range(5):
        person.login("wrong horse", status=401)
    person.login(status=429, code="account_locked")
    post(server, "forgot", email=person.email, status=204)
    post(server, "reset", token=person.box.link(RESET), password=OTHER, status=204)
    person.login(OTHER, status=200)


def test_a_banned_player_gets_no_link(server, person, sql):
    person.box.wait(VERIFY)
    sql("UPDATE players SET banned_at = now() WHERE id = %s", person.player)
    post(server, "forgot", email=person.email, status=204)
    person.box.nothing()


# --- changing the password ----------------------------------------------------------------------------------


def test_the_password_is_changed_and_other_sessions_end(server, person):
    person.box.wait(VERIFY)
    other = Client(server)._adopt(person.login(status=200).json())
    person.change("password", {"old_password": PASSWORD, "password": OTHER}, status=204)
    person.box.wait(PASSWORD_CHANGED)
    person.login(status=401)
    person.login(OTHER, status=200)
    Client(server).call("POST", "/v1/auth/refresh", {"refresh_token": other.refresh_token}, status=401)
    other.call("GET", "/v1/me", status=401)
    person.client.get("/v1/me")
    person.refreshes(200)


def test_a_new_password_forgets_all_known_devices(server, person, sql):
    known = lambda player: sql("SELECT count(*) FROM known_devices WHERE player_id = %s", player)[0][0]
    person.box.wait(VERIFY)
    other = Person(server)
    assert known(person.player) == 1
    person.change("password", {"old_password": PASSWORD, "password": OTHER}, status=204)
    assert known(person.player) == 0 and known(other.player) == 1
    person.box.wait(PASSWORD_CHANGED)
    person.login(OTHER, status=200)
    assert known(person.player) == 1
    post(server, "forgot", email=person.email, status=204)
    post(server, "reset", token=person.box.link(RESET), password=PASSWORD, status=204)
    assert known(person.player) == 0


def test_a_wrong_old_password_counts_as_a_failed_sign_in(server, person):
    person.box.wait(VERIFY)
    body = {"old_password": "wrong horse", "password": OTHER}
    for _ in range(5):
        person.change("password", body, status=403, code="wrong_password")
    locked = person.change(
        "password", {"old_password": PASSWORD, "password": OTHER}, status=429, code="account_locked"
    )
    assert int(locked.headers["Retry-After"]) > 0
    person.change(
        "email", {"email": "x@example.org", "password": PASSWORD}, status=429, code="account_locked"
    )
    person.box.nothing()


def test_an_invalid_new_password_does_not_count_as_an_attempt(server, person):
    for _ in range(6):
        person.change(
            "password",
            {"old_password": PASSWORD, "password": "password"},
            status=422,
            code="password_too_common",
        )
    person.change("password", {"old_password": PASSWORD, "password": OTHER}, status=204)


def test_a_new_password_invalidates_earlier_links(server, person):
    person.box.wait(VERIFY)
    post(server, "forgot", email=person.email, status=204)
    token = person.box.link(RESET)
    person.change("password", {"old_password": PASSWORD, "password": OTHER}, status=204)
    post(server, "reset", token=token, password=PASSWORD, status=410, code="link_invalid")


# --- changing the address -----------------------------------------------------------------------------------


def test_an_address_changes_once_confirmed_and_can_be_restored(server, person):
    person.confirm()
    new = f"{uuid.uuid4().hex}@example.org"
    new_box = Mailbox(server, new)
    person.change("email", {"email": new.upper(), "password": PASSWORD}, status=204)
    token = new_box.link(CHANGE)
    person.login(status=200)  # the old address is still the valid one
    post(server, "verify-email", token=token, status=204)
    undo = person.box.link(CHANGED)
    person.login(status=401)
    person.login(email=new, status=200)
    assert person.verified()
    # The address can still be restored, so no other account may take it meanwhile.
    Client(server).call(
        "POST",
        "/v1/auth/register",
        {"email": person.email, "password": PASSWORD, "nickname": "Eve"},
        status=409,
        code="email_taken",
    )
    post(server, "undo-email", token=undo, status=204)
    reset = person.box.link(RESET)
    person.login(email=new, status=401)
    person.login(status=401)  # signing in requires a new password
    person.refreshes(401)
    post(server, "undo-email", token=undo, status=204)
    person.box.nothing()  # a repeat neither voids a link nor sends an email
    post(server, "reset", token=reset, password=OTHER, status=204)
    person.login(OTHER, status=200)
    post(server, "undo-email", token=undo, status=204)
    person.login(OTHER, status=200)
    Client(server).register(new)  # free again


def test_an_undo_reverts_later_changes_too(server, person):
    """An attacker with the account changes the address twice, to get their own link."""
    person.box.wait(VERIFY)
    second, third = (f"{uuid.uuid4().hex}@example.org" for _ in range(2))
    boxes = {email: Mailbox(server, email) for email in (second, third)}
    for email in (second, third):
        person.change("email", {"email": email, "password": PASSWORD}, status=204)
        post(server, "verify-email", token=boxes[email].link(CHANGE), status=204)
    owners, thiefs = person.box.link(CHANGED), boxes[second].link(CHANGED)
    post(server, "undo-email", token=owners, status=204)
    post(server, "undo-email", token=thiefs, status=410, code="link_invalid")
    post(server, "reset", token=person.box.link(RESET), password=OTHER, status=204)
    person.login(OTHER, status=200)


def test_only_the_owner_of_an_address_in_use_is_notified(server, person):
    other = Person(server)
    other.confirm()
    person.box.wait(VERIFY)
    free = f"{uuid.uuid4().hex}@example.org"
    answers = [
        person.change("email", {"email": email, "password": PASSWORD}, status=204)
        for email in (other.email, free)
    ]
    assert answers[0].content == answers[1].content
    other.box.wait(IN_USE)
    other.login(status=200)
    person.box.nothing()


def test_an_address_can_be_taken_before_it_is_confirmed(server, person):
    new = f"{uuid.uuid4().hex}@example.org"
    person.change("email", {"email": new, "password": PASSWORD}, status=204)
    box = Mailbox(server, new)
    token = box.link(CHANGE)
    Client(server).register(new)
    post(server, "verify-email", token=box.link(VERIFY), status=204)
    for status, code in ((409, "email_taken"), (410, "link_invalid")):
        post(server, "verify-email", token=token, status=status, code=code)
        person.login(status=200)


def test_an_unproved_address_goes_to_the_account_that_proves_it(server, person):
    person.confirm()
    email = f"{uuid.uuid4().hex}@example.org"
    squatter = Client(server).register(email, PASSWORD)
    box = Mailbox(server, email)
    box.wait(VERIFY)
    person.change("email", {"email": email, "password": PASSWORD}, status=204)
    post(server, "verify-email", token=box.link(CHANGE), status=204)
    assert person.login(email=email, status=200).json()["player"]["id"] == person.client.player["id"]
    assert squatter.get("/v1/me")["email_verified"] is False, "its session still opens it"
    squatter.call("POST", "/v1/me/email/verification", status=409, code="not_registered")


def test_an_abandoned_unproved_address_does_not_lock_out_its_owner(server):
    """A stranger registers the owner's address, and then changes it to another one. The owner may register,
    and the link to the stranger's account works until the owner has confirmed the address."""
    stranger, mine = Person(server), Mailbox(server, f"{uuid.uuid4().hex}@example.org")
    stranger.box.wait(VERIFY)
    stranger.change("email", {"email": mine.address, "password": PASSWORD}, status=204)
    post(server, "verify-email", token=mine.link(CHANGE), status=204)
    undo = stranger.box.link(CHANGED)
    owner = Client(server).register(stranger.email, OTHER)
    post(server, "verify-email", token=stranger.box.link(VERIFY), status=204)
    for _ in range(2):
        post(server, "undo-email", token=undo, status=410, code="link_invalid")
    assert owner.get("/v1/me")["email_verified"]
    assert stranger.login(OTHER, status=200).json()["player"]["id"] == owner.player["id"]
    assert (
        stranger.login(email=mine.address, status=200).json()["player"]["id"] == stranger.client.player["id"]
    )


def test_an_undo_link_takes_an_address_from_an_account_that_never_proved_it(server):
    stranger, mine = Person(server), Mailbox(server, f"{uuid.uuid4().hex}@example.org")
    stranger.box.wait(VERIFY)
    stranger.change("email", {"email": mine.address, "password": PASSWORD}, status=204)
    post(server, "verify-email", token=mine.link(CHANGE), status=204)
    undo = stranger.box.link(CHANGED)
    other = Client(server).register(stranger.email, OTHER)
    stranger.box.wait(VERIFY)
    for _ in range(2):
        post(server, "undo-email", token=undo, status=204)
    post(server, "reset", token=stranger.box.link(RESET), password=PASSWORD, status=204)
    assert stranger.login(status=200).json()["player"]["id"] == stranger.client.player["id"]
    assert other.get("/v1/me")["email_verified"] is False
    other.call("POST", "/v1/me/email/verification", status=409, code="not_registered")


# --- ways in that attackers added (docs/account-access.md) --------------------------------------------------


def plant(person, sql):
    """A passkey and a provider that open the account."""
    sql("INSERT INTO passkey_handles VALUES (%s, sha256(%s))", person.player, person.email.encode())
    sql(
        "INSERT INTO passkeys (player_id, credential_id, algorithm, public_key, sign_count, backup_eligible,"
        " backed_up, transports, name) VALUES (%s, %s, 'EdDSA', sha256('x'), 0, false, false, '{}', 'thief')",
        person.player,
        person.email.encode(),
    )
    sql(
        "INSERT INTO identities (player_id, issuer, subject, email) VALUES (%s, 'https://thief.example', %s,"
        " 'thief@example.net')",
        person.player,
        person.email,
    )


def planted(person, sql):
    return [
        sql(f"SELECT count(*) FROM {table} WHERE player_id = %s", person.player)[0][0]
        for table in ("passkeys", "identities")
    ]


@pytest.mark.parametrize(
    "verified, body, left",
    [
        (True, {}, [0, 0]),
        (True, {"clean_up": True}, [0, 0]),
        (True, {"clean_up": False}, [1, 1]),
        (False, {}, [0, 0]),
        (False, {"clean_up": False}, [0, 0]),
    ],
)
def test_a_reset_removes_what_the_mailbox_does_not_prove(server, person, sql, verified, body, left):
    if verified:
        person.confirm()
    else:
        person.box.wait(VERIFY)
    plant(person, sql)
    post(server, "forgot", email=person.email, status=204)
    token = person.box.link(RESET)
    ways = {"passkeys": 1, "providers": 1, "bot_tokens": 0, "second_factor": 0, "can_keep": verified}
    for _ in range(2):
        assert post(server, "reset/ways", token=token, status=200).json() == ways
    assert planted(person, sql) == [1, 1]
    post(server, "reset", token=token, password=OTHER, **body, status=204)
    assert planted(person, sql) == left
    person.refreshes(401)
    told = [PASSWORD_CHANGED, *([WAYS_REMOVED] if left == [0, 0] else [])]
    assert person.box.subjects(len(told)) == sorted(told)
    post(server, "reset/ways", token=token, status=410, code="link_invalid")


def test_an_invalid_clean_up_is_refused_and_does_not_use_up_the_link(server, person, sql):
    person.box.wait(VERIFY)
    plant(person, sql)
    post(server, "forgot", email=person.email, status=204)
    token = person.box.link(RESET)
    for wrong in ("false", 0, None):
        post(server, "reset", token=token, password=OTHER, clean_up=wrong, status=422, code="wrong_type")
    assert planted(person, sql) == [1, 1]
    post(server, "reset", token=token, password=OTHER, status=204)


@pytest.mark.parametrize("who, left", [("anyone", [0, 0]), ("somebody else", [0, 0]), ("the player", [1, 1])])
def test_the_first_proof_removes_additions_unless_the_player_opens_the_link(server, person, sql, who, left):
    token = person.box.link(VERIFY)
    plant(person, sql)
    confirm = {
        "anyone": lambda: post(server, "verify-email", token=token, status=204),
        "somebody else": lambda: (
            Client(server).register().call("POST", "/v1/me/email/confirmation", {"token": token}, status=204)
        ),
        "the player": lambda: person.client.call(
            "POST", "/v1/me/email/confirmation", {"token": token}, status=204
        ),
    }[who]
    confirm()
    assert person.verified() and planted(person, sql) == left
    if left == [0, 0]:
        mail = person.box.wait(WAYS_REMOVED)
        text = mail.get_content().replace("\r", "")
        assert "\n1 passkey\n1 sign-in provider\nNo bot access tokens\n" in text
    plant_again = planted(person, sql)
    confirm() if who != "somebody else" else None
    assert planted(person, sql) == plant_again, "a repeat removes nothing"


def test_a_later_proof_removes_nothing(server, person, sql):
    person.confirm()
    plant(person, sql)
    new = f"{uuid.uuid4().hex}@example.org"
    person.change("email", {"email": new, "password": PASSWORD}, status=204)
    post(server, "verify-email", token=Mailbox(server, new).link(CHANGE), status=204)
    assert planted(person, sql) == [1, 1]


def test_the_same_address_and_too_many_changes_are_refused(server, person):
    person.change(
        "email", {"email": person.email.upper(), "password": PASSWORD}, status=409, code="email_same"
    )
    person.change("email", {"email": "no address", "password": PASSWORD}, status=422, code="bad_format")
    for _ in range(5):
        person.change("email", {"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD}, status=204)
    person.change(
        "email",
        {"email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD},
        status=429,
        code="too_many_mails",
    )


def test_a_wrong_password_does_not_change_the_address(server, person):
    person.box.wait(VERIFY)
    new = f"{uuid.uuid4().hex}@example.org"
    person.change("email", {"email": new, "password": "wrong horse"}, status=403, code="wrong_password")
    Mailbox(server, new).nothing()


# --- storage ------------------------------------------------------------------------------------------------


def test_no_link_token_is_stored_or_logged(server, person, sql):
    person.confirm()
    post(server, "forgot", email=person.email, status=204)
    token = person.box.link(RESET)
    assert sql("SELECT data FROM mails WHERE player_id = %s AND sent_at IS NOT NULL", person.player) == [
        ({},),
        ({},),
    ]
    assert token not in server.log() and person.email not in server.log()
