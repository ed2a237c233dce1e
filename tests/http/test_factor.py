"""The second factor of an account: setup, sign-in, and everything that must not bypass it."""

import base64
import concurrent.futures
import hashlib
import secrets
import time
import urllib.parse

import pytest
from support.cluster import SERVER
from support.contract import Client
from support.mailbox import CHANGE, CHANGED, LOCKED, PASSWORD_CHANGED, RESET, VERIFY, Mailbox, token_of
from support.server import Server
from support.totp import PASSWORD, Member, code_of, now_step, wrong_code
from support.wait import HANG_S

OTHER = "nine dancing herons"
ON, OFF = "Two-step verification is on", "Two-step verification is off"
NEW_CODES, CODE_USED = "New recovery codes", "A recovery code was used"
NO_CODE = "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"


@pytest.fixture(scope="module")
def server(quiet, cluster, database, tmp_path_factory):
    """A server behind a proxy, whose role this test plays: each request states the client's address."""
    it = Server(
        cluster.conninfo(database, SERVER),
        tmp_path_factory.mktemp("server"),
        rate_limits="off",
        proxies="127.0.0.1",
    ).start()
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture
def member(server, sql):
    """Without a second factor."""
    return Member(server, sql)


@pytest.fixture
def guarded(member):
    """With one."""
    return member.set_up().confirm()


@pytest.fixture(autouse=True)
def nobody_is_locked_out(sql):
    sql("DELETE FROM login_attempts")


def attempts(sql):
    return sql("SELECT count(*) FROM login_attempts")[0][0]


# --- setting it up ------------------------------------------------------------------------------------------


def test_setup_requires_the_password_and_a_first_code(member):
    assert member.status() == {"on": False, "since": None, "recovery_codes_left": 0}
    setup = member.call("", {"password": PASSWORD}, status=200).json()
    member.secret = setup["secret"]
    uri = urllib.parse.urlsplit(setup["uri"])
    assert (uri.scheme, uri.netloc, urllib.parse.unquote(uri.path)) == (
        "otpauth",
        "totp",
        f"/Rummy:{member.email}",
    )
    assert dict(urllib.parse.parse_qsl(uri.query)) == {
        "secret": member.secret,
        "issuer": "Rummy",
        "algorithm": "SHA1",
        "digits": "6",
        "period": "30",
    }
    assert member.status()["on"] is False
    member.login(status=200)
    member.confirm()
    assert len(set(member.codes)) == 10
    status = member.status()
    assert status["on"] is True and status["since"] and status["recovery_codes_left"] == 10
    member.challenge()


def test_a_wrong_password_is_counted_and_starts_no_setup(member, sql):
    member.call("", {"password": OTHER}, status=403, code="wrong_password")
    assert attempts(sql) == 1
    member.call("/confirm", {"factor_code": "123456"}, status=410, code="factor_setup_over")
    assert sql("SELECT count(*) FROM totp_factors WHERE player_id = %s", member.player) == [(0,)]


def test_a_guest_cannot_have_a_second_factor(guest):
    assert guest.get("/v1/me/factor")["on"] is False
    guest.call("POST", "/v1/me/factor", {"password": PASSWORD}, status=409, code="not_registered")
    guest.call(
        "POST", "/v1/me/factor/confirm", {"factor_code": "123456"}, status=410, code="factor_setup_over"
    )
    for what in ("off", "recovery-codes"):
        guest.call("POST", f"/v1/me/factor/{what}", {"password": PASSWORD}, status=409, code="not_registered")


def test_only_the_newest_secret_is_valid(member):
    old = member.set_up().secret
    member.set_up()
    assert old != member.secret
    member.call("/confirm", {"factor_code": code_of(old, now_step())}, status=403, code="factor_code_wrong")
    member.confirm()


def test_a_setup_expires_after_ten_minutes(member, sql):
    member.set_up()
    sql("UPDATE totp_factors SET created_at = now() - interval '10 minutes'")
    member.call("/confirm", {"factor_code": member.code()}, status=410, code="factor_setup_over")
    sql("SELECT do_purge(1000)")
    assert sql("SELECT count(*) FROM totp_factors WHERE player_id = %s", member.player) == [(0,)]


def test_a_setup_allows_ten_codes(member):
    member.set_up()
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(
            pool.map(lambda _: member.call("/confirm", {"factor_code": wrong_code(member.secret)}), range(12))
        )
    codes = [answer.json()["code"] for answer in answers]
    assert codes.count("factor_code_wrong") == 10 and codes.count("factor_setup_over") == 2
    member.call("/confirm", {"factor_code": member.code()}, status=410, code="factor_setup_over")
    member.set_up().confirm()


def test_an_active_factor_cannot_be_set_up_again(guarded):
    guarded.call("", {"password": PASSWORD}, status=409, code="factor_on")
    guarded.call("/confirm", {"factor_code": guarded.code()}, status=409, code="factor_on")
    guarded.finish(guarded.challenge(), guarded.code(), status=200)


def test_only_one_of_several_concurrent_confirmations_succeeds(member):
    member.set_up()
    code = member.code()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: member.call("/confirm", {"factor_code": code}), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    (good,) = [answer.json()["recovery_codes"] for answer in answers if answer.status_code == 200]
    member.finish(member.challenge(), good[0], status=200)


# --- logging in ---------------------------------------------------------------------------------------------


def test_a_sign_in_takes_two_steps(guarded):
    answer = guarded.login(status=401, code="second_factor_needed").json()
    assert "access_token" not in answer and "device_token" not in answer
    session = guarded.finish(answer["challenge"], guarded.code(), status=200).json()
    assert session["player"]["id"] == str(guarded.player) and session["device_token"]
    caller = Client(guarded.server)
    caller.token = session["access_token"]
    assert caller.get("/v1/me")["id"] == str(guarded.player)
    caller.refresh(session["refresh_token"])


def test_a_challenge_is_not_accepted_as_another_token(guarded, anyone):
    challenge = guarded.challenge()
    anyone.call("POST", "/v1/auth/refresh", {"refresh_token": challenge}, status=401, code="refresh_invalid")
    anyone.token = challenge
    anyone.call("GET", "/v1/me", status=401)
    session = guarded.finish(challenge, guarded.code(), status=200).json()
    guarded.finish(session["refresh_token"], guarded.code(), status=410, code="challenge_invalid")


def test_a_known_device_needs_a_code_too(guarded):
    session = guarded.finish(guarded.challenge(), guarded.code(), status=200).json()
    known = {"device_token": session["device_token"]}
    challenge = guarded.login(status=401, code="second_factor_needed", body=known).json()["challenge"]
    guarded.finish(challenge, guarded.code(), status=200, body=known)


def test_a_wrong_password_does_not_reveal_the_factor(guarded):
    guarded.login(OTHER, status=401, code="bad_credentials")


def test_a_challenge_works_once(guarded):
    challenge = guarded.challenge()
    guarded.finish(challenge, guarded.code(), status=200)
    guarded.finish(challenge, guarded.code(), status=410, code="challenge_invalid")


def test_a_challenge_expires(guarded, sql):
    challenge = guarded.challenge()
    sql("UPDATE login_challenges SET expires_at = now() WHERE player_id = %s", guarded.player)
    guarded.finish(challenge, guarded.code(), status=410, code="challenge_invalid")
    assert attempts(sql) == 0
    sql("SELECT do_purge(1000)")
    assert sql("SELECT count(*) FROM login_challenges WHERE player_id = %s", guarded.player) == [(0,)]


def test_an_unknown_challenge_is_refused(guarded, sql):
    guarded.finish(secrets.token_urlsafe(32), guarded.code(), status=410, code="challenge_invalid")
    assert attempts(sql) == 0


def test_a_challenge_belongs_to_one_account(guarded, server, sql):
    other = Member(server, sql).set_up().confirm()
    guarded.finish(other.challenge(), guarded.code(), status=403, code="factor_code_wrong")
    guarded.finish(other.challenge(), guarded.codes[0], status=403, code="factor_code_wrong")
    guarded.finish(guarded.challenge(), guarded.codes[0], status=200)


def test_pending_sign_ins_are_limited(guarded):
    first, *others = [guarded.challenge() for _ in range(11)]
    guarded.finish(first, guarded.code(), status=410, code="challenge_invalid")
    for challenge in (others[0], others[-1]):
        guarded.finish(challenge, guarded.code(), status=200)


def test_a_banned_account_cannot_finish_a_sign_in(guarded, sql):
    challenge = guarded.challenge()
    sql("UPDATE players SET banned_at = now() WHERE id = %s", guarded.player)
    guarded.finish(challenge, guarded.code(), status=403, code="account_banned")


@pytest.mark.parametrize(
    "body",
    [
        {"factor_code": "12345"},
        {"factor_code": "1234567"},
        {"factor_code": "12345a"},
        {"factor_code": "MFRG-GZDF"},
        {"factor_code": 123456},
        {"factor_code": None},
        {"factor_code": "1" * 41},
        {"challenge": "short"},
        {"challenge": "x" * 44},
        {"challenge": " " * 43},
        {"more": 1},
    ],
)
def test_malformed_codes_and_challenges_do_not_count_as_attempts(guarded, sql, body):
    guarded.finish(guarded.challenge(), "123456", body=body, status=422)
    assert attempts(sql) == 0
    assert sql("SELECT max(tries) FROM login_challenges WHERE player_id = %s", guarded.player) == [(0,)]


# --- codes --------------------------------------------------------------------------------------------------


def test_a_time_step_is_valid_once_and_earlier_steps_are_refused(guarded):
    step = now_step()
    guarded.code()  # makes earlier codes valid again
    guarded.finish(guarded.challenge(), code_of(guarded.secret, step), status=200)
    guarded.finish(guarded.challenge(), code_of(guarded.secret, step), status=403, code="factor_code_wrong")
    guarded.finish(
        guarded.challenge(), code_of(guarded.secret, step - 1), status=403, code="factor_code_wrong"
    )
    guarded.finish(guarded.challenge(), code_of(guarded.secret, step + 1), status=200)


def test_the_setup_code_cannot_be_used_again(member):
    member.set_up()
    code = member.code()
    member.call("/confirm", {"factor_code": code}, status=200)
    member.finish(member.challenge(), code, status=403, code="factor_code_wrong")


def test_concurrent_uses_of_one_code_succeed_once(guarded):
    challenges = [guarded.challenge() for _ in range(4)]
    code = guarded.code()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda challenge: guarded.finish(challenge, code), challenges))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]


@pytest.mark.parametrize("off", [-3, 3])
def test_a_code_of_another_time_is_refused(guarded, off):
    guarded.code()
    guarded.finish(
        guarded.challenge(), code_of(guarded.secret, now_step() + off), status=403, code="factor_code_wrong"
    )


def test_a_code_may_contain_spaces(guarded):
    code = guarded.code()
    guarded.finish(guarded.challenge(), f"{code[:3]} {code[3:]} ", status=200)


def test_a_recovery_code_works_once(guarded):
    guarded.finish(guarded.challenge(), guarded.codes[3].lower(), status=200)
    assert guarded.status()["recovery_codes_left"] == 9
    guarded.finish(guarded.challenge(), guarded.codes[3], status=403, code="factor_code_wrong")
    guarded.finish(guarded.challenge(), guarded.codes[4].replace("-", " "), status=200)
    assert guarded.status()["recovery_codes_left"] == 8


def test_concurrent_uses_of_one_recovery_code_succeed_once(guarded):
    challenges = [guarded.challenge() for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda challenge: guarded.finish(challenge, guarded.codes[0]), challenges))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]


def test_new_recovery_codes_replace_the_old_ones(guarded):
    guarded.call("/recovery-codes", {"password": PASSWORD}, status=403, code="factor_code_needed")
    new = guarded.call("/recovery-codes", guarded.proof(), status=200).json()["recovery_codes"]
    assert len(set(new) | set(guarded.codes)) == 20
    guarded.finish(guarded.challenge(), guarded.codes[0], status=403, code="factor_code_wrong")
    guarded.finish(guarded.challenge(), new[0], status=200)
    assert guarded.status()["recovery_codes_left"] == 9


# --- locks --------------------------------------------------------------------------------------------------


def test_five_wrong_codes_end_a_challenge_and_lock_the_account(guarded, sql):
    challenge, wrong = guarded.challenge(), wrong_code(guarded.secret)
    for _ in range(5):
        guarded.finish(challenge, wrong, status=403, code="factor_code_wrong")
    locked = guarded.finish(challenge, guarded.code(), status=429, code="account_locked")
    assert 800 < int(locked.headers["Retry-After"]) == locked.json()["retry_s"] <= 900
    guarded.login(status=429, code="account_locked")
    sql("DELETE FROM login_attempts")
    guarded.finish(challenge, guarded.code(), status=410, code="challenge_invalid")


def test_wrong_codes_from_other_addresses_end_a_challenge_too(guarded):
    challenge, wrong = guarded.challenge(), wrong_code(guarded.secret)
    for i in range(5):
        guarded.finish(challenge, wrong, headers={"X-Forwarded-For": f"10.1.0.{i}"}, status=403)
    guarded.finish(
        challenge,
        guarded.code(),
        headers={"X-Forwarded-For": "10.1.1.1"},
        status=410,
        code="challenge_invalid",
    )


def test_new_challenges_allow_no_further_codes(guarded):
    wrong = wrong_code(guarded.secret)
    for _ in range(5):
        guarded.finish(guarded.challenge(), wrong, status=403)
    guarded.login(status=429, code="account_locked")


def test_a_lock_after_wrong_codes_sends_no_unlock_email(member, server):
    box = Mailbox(server, member.email)
    Client(server).call("POST", "/v1/auth/verify-email", {"token": box.link(VERIFY)}, status=204)
    member.set_up().confirm()
    box.wait(ON)
    wrong = wrong_code(member.secret)
    for _ in range(5):
        member.finish(member.challenge(), wrong, status=403)
    member.login(status=429, code="account_locked")
    box.nothing()


def test_an_unlock_link_forgives_wrong_passwords_but_not_wrong_codes(member, server):
    box = Mailbox(server, member.email)
    Client(server).call("POST", "/v1/auth/verify-email", {"token": box.link(VERIFY)}, status=204)
    member.set_up().confirm()
    box.wait(ON)
    wrong = wrong_code(member.secret)
    for _ in range(4):
        member.finish(member.challenge(), wrong, status=403)
    member.login(OTHER, status=401)
    member.login(status=429, code="account_locked")
    Client(server).call("POST", "/v1/auth/unlock", {"token": box.link(LOCKED)}, status=204)
    member.finish(member.challenge(), wrong, status=403)
    member.login(status=429, code="account_locked")


def test_of_fifty_concurrent_wrong_codes_five_are_compared(guarded):
    challenges, wrong = [guarded.challenge() for _ in range(10)], wrong_code(guarded.secret)
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda i: guarded.finish(challenges[i % 10], wrong), range(50)))
    codes = [answer.json()["code"] for answer in answers]
    assert codes.count("factor_code_wrong") == 5 and codes.count("account_locked") == 45


def test_a_correct_code_resets_failed_attempts(guarded, sql):
    guarded.login(OTHER, status=401)
    guarded.finish(guarded.challenge(), wrong_code(guarded.secret), status=403)
    assert attempts(sql) == 2
    guarded.finish(guarded.challenge(), guarded.code(), status=200)
    assert attempts(sql) == 0


# --- what opens the account ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what, body, done",
    [
        ("/v1/me/password", {"old_password": PASSWORD, "password": OTHER}, 204),
        ("/v1/me/email", {"password": PASSWORD, "email": "other.address@example.net"}, 204),
        ("/v1/me/deletion", {"password": PASSWORD, "confirm": "delete"}, 202),
        ("/v1/me/factor/off", {"password": PASSWORD}, 204),
        ("/v1/me/factor/recovery-codes", {"password": PASSWORD}, 200),
    ],
)
def test_sensitive_actions_require_password_and_code(guarded, sql, what, body, done):
    name = "old_password" if "old_password" in body else "password"
    guarded.client.call("POST", what, body, status=403, code="factor_code_needed")
    assert attempts(sql) == 0
    wrong = {**body, "factor_code": wrong_code(guarded.secret)}
    guarded.client.call("POST", what, wrong, status=403, code="factor_code_wrong")
    guarded.client.call(
        "POST",
        what,
        {**body, name: "not my password", "factor_code": guarded.code()},
        status=403,
        code="wrong_password",
    )
    assert attempts(sql) == 2
    guarded.client.call("POST", what, {**body, "factor_code": guarded.code()}, status=done)
    assert attempts(sql) == 0


def test_wrong_codes_in_a_stolen_session_lock_too(guarded):
    for _ in range(5):
        guarded.call(
            "/off", {"password": PASSWORD, "factor_code": NO_CODE}, status=403, code="factor_code_wrong"
        )
    guarded.call("/off", guarded.proof(), status=429, code="account_locked")


def test_after_switching_it_off_the_password_suffices(guarded, sql):
    waiting = guarded.challenge()
    guarded.call("/off", {"password": PASSWORD, "factor_code": guarded.codes[0]}, status=204)
    assert guarded.status() == {"on": False, "since": None, "recovery_codes_left": 0}
    guarded.finish(waiting, guarded.codes[1], status=410, code="challenge_invalid")
    guarded.login(status=200)
    guarded.call("/off", {"password": PASSWORD}, status=409, code="factor_off")
    guarded.call("/recovery-codes", {"password": PASSWORD}, status=409, code="factor_off")
    assert sql("SELECT count(*) FROM recovery_codes WHERE player_id = %s", guarded.player) == [(0,)]
    old = guarded.secret
    assert guarded.set_up().confirm().secret != old


def test_an_unneeded_code_is_ignored(member):
    member.client.call(
        "POST",
        "/v1/me/password",
        {"old_password": PASSWORD, "password": OTHER, "factor_code": "123456"},
        status=204,
    )


def test_a_password_reset_does_not_switch_it_off(guarded, anyone):
    box = Mailbox(guarded.server, guarded.email)
    assert box.subjects(2) == sorted([VERIFY, ON])
    guarded.prove()
    waiting = guarded.challenge()
    for _ in range(5):
        guarded.finish(guarded.challenge(), wrong_code(guarded.secret), status=403)
    anyone.call("POST", "/v1/auth/forgot", {"email": guarded.email}, status=204)
    anyone.call("POST", "/v1/auth/reset", {"token": box.link(RESET), "password": OTHER}, status=204)
    box.wait(PASSWORD_CHANGED)
    guarded.login(OTHER, status=429, code="account_locked")  # a reset does not erase wrong codes
    guarded.sql("DELETE FROM login_attempts")
    guarded.finish(waiting, guarded.code(), status=410, code="challenge_invalid")
    challenge = guarded.login(OTHER, status=401, code="second_factor_needed").json()["challenge"]
    guarded.finish(challenge, guarded.code(), status=200)


def test_the_first_proof_of_an_address_switches_a_strangers_factor_off(guarded, anyone):
    box = Mailbox(guarded.server, guarded.email)
    assert box.subjects(2) == sorted([VERIFY, ON])
    anyone.call("POST", "/v1/auth/forgot", {"email": guarded.email}, status=204)
    anyone.call(
        "POST", "/v1/auth/reset", {"token": box.link(RESET), "password": OTHER, "clean_up": False}, status=204
    )
    assert box.subjects(2) == sorted([PASSWORD_CHANGED, OFF])
    guarded.login(OTHER, status=200)


class Theft:
    """An attacker who knows the password (and, if there is a factor, a code) changes the address."""

    def __init__(self, member):
        self.member, self.box = member, Mailbox(member.server, member.email)
        self.email = f"{secrets.token_hex(8)}@example.org"
        body = {"email": self.email, **(member.proof() if member.secret else {"password": PASSWORD})}
        self.box.subjects(2 if member.secret else 1)
        member.prove()
        member.client.call("POST", "/v1/me/email", body, status=204)
        self.post("verify-email", token=Mailbox(member.server, self.email).link(CHANGE))
        self.undo = self.box.link(CHANGED)

    def post(self, name, **body):
        Client(self.member.server).call("POST", f"/v1/auth/{name}", body, status=204)

    def taken_back(self, mails):
        """The owner opens the link, then the link in the email about a new password. Checks that exactly
        these emails arrived."""
        self.post("undo-email", token=self.undo)
        found, until = [], time.monotonic() + HANG_S
        while len(found) < len(mails) and time.monotonic() < until:
            found += self.box.new()
            time.sleep(0.02)
        assert sorted(mail["Subject"] for mail in found) == sorted(mails)
        self.post(
            "reset", token=token_of(next(mail for mail in found if mail["Subject"] == RESET)), password=OTHER
        )


@pytest.mark.parametrize("when", ["before the change", "after the change"])
def test_a_thiefs_factor_does_not_lock_out_the_owner(member, when):
    if when == "before the change":
        member.set_up().confirm()
        theft = Theft(member)
    else:
        theft = Theft(member)
        member.set_up().confirm()
    theft.taken_back([OFF, RESET])
    member.login(OTHER, status=200)
    member.client.call("GET", "/v1/me", status=401)
    member.login(PASSWORD, status=401, code="bad_credentials")


def test_the_owners_older_factor_survives_when_an_address_is_taken_back(guarded, sql):
    sql("UPDATE totp_factors SET on_at = now() - interval '2 days' WHERE player_id = %s", guarded.player)
    theft = Theft(guarded)
    waiting = guarded.login(body={"email": theft.email}, status=401, code="second_factor_needed").json()[
        "challenge"
    ]
    theft.taken_back([RESET])
    guarded.finish(waiting, guarded.code(), status=410, code="challenge_invalid")
    challenge = guarded.login(OTHER, status=401, code="second_factor_needed").json()["challenge"]
    guarded.finish(challenge, guarded.code(), status=200)


def test_emails_report_changes_of_the_factor(guarded):
    box = Mailbox(guarded.server, guarded.email)
    assert box.subjects(2) == sorted([VERIFY, ON])
    guarded.finish(guarded.challenge(), guarded.codes[0], status=200)
    assert "9 codes are left." in box.wait(CODE_USED).get_content()
    guarded.call("/recovery-codes", guarded.proof(), status=200)
    box.wait(NEW_CODES)
    guarded.call("/off", guarded.proof(), status=204)
    box.wait(OFF)


def test_an_operator_can_switch_it_off(guarded, server, sql, holder):
    box = Mailbox(guarded.server, guarded.email)
    assert box.subjects(2) == sorted([VERIFY, ON])
    path, key = f"/v1/admin/players/{guarded.player}/factor/off", {"Idempotency-Key": secrets.token_hex(8)}
    body = {"reason": "Lost the phone and the codes."}
    admin = holder("owner")
    holder("jobs").call("POST", path, body, headers=key, status=403, code="api_key_forbidden")
    assert guarded.status()["on"]
    for _ in range(2):
        answer = admin.call("POST", path, body, headers=key, status=200).json()
        assert (answer["notes"][0]["about"], answer["notes"][0]["text"]) == ("factor_off", body["reason"])
    guarded.login(status=200)
    box.wait(OFF)
    admin.call(
        "POST", path, body, headers={"Idempotency-Key": secrets.token_hex(8)}, status=409, code="factor_off"
    )
    done = sql(
        "SELECT code FROM audit WHERE action = 'factor_off' AND detail->>'player' = %s ORDER BY id",
        str(guarded.player),
    )
    assert done == [("api_key_forbidden",), ("ok",), ("repeated",), ("factor_off",)]


# --- storage and disclosure ---------------------------------------------------------------------------------


def test_no_secret_or_code_is_stored_or_logged_in_plain_text(guarded, server, sql):
    challenge = guarded.challenge()
    guarded.finish(challenge, guarded.codes[0], status=200)
    tables = sql("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'")
    stored = "\n".join(row for (name,) in tables for (row,) in sql(f"SELECT x::text FROM {name} x"))
    assert base64.b32decode(guarded.secret).hex() not in stored
    for code in guarded.codes[1:]:
        assert hashlib.sha256(code.replace("-", "").encode()).hexdigest() in stored
    for word in (
        guarded.secret,
        challenge,
        *guarded.codes,
        *(code.replace("-", "") for code in guarded.codes),
    ):
        assert word not in stored and word not in server.log()


def test_factor_events_are_in_the_security_log(guarded, server):
    guarded.finish(guarded.challenge(), wrong_code(guarded.secret), status=403)
    guarded.finish(guarded.challenge(), guarded.code(), status=200)
    guarded.call("/recovery-codes", guarded.proof(), status=200)
    guarded.call("/off", guarded.proof(), status=204)
    for event in ("factor_on", "factor_asked", "factor_failed", "recovery_codes_made", "factor_off"):
        assert server.logged(event)


def serve(cluster, name, folder, **options):
    folder.mkdir()
    return Server(cluster.conninfo(name, SERVER), folder, rate_limits="off", **options).start()


def test_a_changed_token_secret_locks_no_account_out(cluster, tmp_path):
    """The secrets are encrypted again at the first start with another key, so the old one can be removed."""
    name = cluster.new_database()
    connection = cluster.connect(name)

    def sql(statement, *values):
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    for kid in ("one", "two"):
        (tmp_path / kid).write_text(secrets.token_hex(32))
    first = {"jwt_kid": "one", "jwt_secret_file": tmp_path / "one"}
    both = {
        "jwt_kid": "two",
        "jwt_secret_file": tmp_path / "two",
        "jwt_old_kid": "one",
        "jwt_old_secret_file": tmp_path / "one",
    }
    second = {"jwt_kid": "two", "jwt_secret_file": tmp_path / "two"}
    member = None
    for n, options in enumerate((first, both, second, first)):
        server = serve(cluster, name, tmp_path / str(n), **options)
        if member is None:
            member = Member(server, sql).set_up().confirm()
        member.server = server
        if n < 3:
            member.finish(member.challenge(), member.code(), status=200)
        else:  # the new key is lost, so only the recovery codes remain
            assert server.logged("factors_unreadable")
            member.finish(member.challenge(), member.code(), status=403, code="factor_code_wrong")
            member.finish(member.challenge(), member.codes[0], status=200)
        assert sql("SELECT kid FROM totp_factors") == [("one" if n == 0 else "two",)]
        assert server.logged("factors_resealed") if n == 1 else "factors_resealed" not in server.log()
        assert server.stop() == 0, server.log()[-3000:]
    connection.close()
    cluster.drop_database(name)
