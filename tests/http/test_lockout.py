"""Who is locked out after failed sign-ins, and who is not: strangers, owners, known devices, addresses."""

import concurrent.futures
import hashlib
import re
import uuid

import pytest
import requests
from support.cluster import SERVER
from support.contract import Client
from support.mailbox import LOCKED, VERIFY, Mailbox
from support.server import Server
from support.wait import HANG_S, until


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
def log_in(server):
    """A client that sends its requests from a separate address."""

    def call(body, address, **more):
        return Client(server).call(
            "POST", "/v1/auth/login", body, headers={"X-Forwarded-For": address}, **more
        )

    return call


@pytest.fixture
def account(anyone):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email)
    return {"email": email, "password": "correct horse"}


@pytest.fixture(autouse=True)
def nobody_is_locked_out(sql):
    sql("DELETE FROM login_attempts")


def wrong(account, **more):
    return {**account, "password": "wrong horse", **more}


def test_five_failures_lock_an_account_out(account, new_client, sql):
    caller = new_client()
    for _ in range(5):
        caller.call("POST", "/v1/auth/login", wrong(account), status=401)
    locked = caller.call("POST", "/v1/auth/login", account, status=429, code="account_locked")
    assert 800 < int(locked.headers["Retry-After"]) == locked.json()["retry_s"] <= 900
    sql("UPDATE login_attempts SET at = at - interval '15 minutes'")
    caller.call("POST", "/v1/auth/login", account, status=200)


def test_a_success_clears_earlier_failures(account, anyone, sql):
    for _ in range(4):
        anyone.call("POST", "/v1/auth/login", wrong(account), status=401)
    anyone.call("POST", "/v1/auth/login", account, status=200)
    assert sql("SELECT count(*) FROM login_attempts") == [(0,)]


def test_twenty_failures_lock_an_address_out(anyone):
    for i in range(20):
        body = {"email": f"nobody{i}@example.org", "password": "wrong horse"}
        anyone.call("POST", "/v1/auth/login", body, status=401)
    locked = anyone.call(
        "POST",
        "/v1/auth/login",
        {"email": "x@example.org", "password": "wrong horse"},
        status=429,
        code="address_locked",
    )
    assert int(locked.headers["Retry-After"]) == locked.json()["retry_s"] > 800


def compared(server):
    text = requests.get(server.url + "/metrics", timeout=HANG_S).text
    return int(re.search(r'^rummyd_worker_jobs_total\{pool="hash"\} (\d+)$', text, re.M)[1])


def test_of_fifty_concurrent_wrong_passwords_five_are_compared(account, server, new_client):
    before = compared(server)
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(
            pool.map(lambda _: new_client().call("POST", "/v1/auth/login", wrong(account)), range(50))
        )
    codes = [answer.json()["code"] for answer in answers]
    assert set(codes) == {"bad_credentials", "account_locked"}
    assert codes.count("bad_credentials") == 5 == compared(server) - before
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers if answer.status_code == 429)


def test_concurrent_correct_sign_ins_lock_no_account(account, new_client, sql):
    """Some may have to retry a moment later, and then succeed."""
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: new_client().call("POST", "/v1/auth/login", account), range(12)))
    assert {answer.status_code for answer in answers} <= {200, 429} and answers
    assert all(int(answer.headers["Retry-After"]) <= 2 for answer in answers if answer.status_code == 429)
    new_client().call("POST", "/v1/auth/login", account, status=200)
    assert sql("SELECT count(*) FROM login_attempts") == [(0,)]


def test_a_stranger_locks_out_only_themselves(account, log_in):
    for _ in range(5):
        log_in(wrong(account), "10.6.6.6", status=401)
    log_in(account, "10.6.6.6", status=429, code="account_locked")
    log_in(account, "10.0.0.1", status=200)


@pytest.mark.parametrize(
    "first, same, other",
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"),
        ("10.0.0.1", "::ffff:10.0.0.1", "::ffff:10.0.0.2"),
    ],
)
def test_an_ipv6_network_is_one_source_and_mapped_ipv4_is_ipv4(account, log_in, first, same, other):
    for _ in range(5):
        log_in(wrong(account), first, status=401)
    log_in(account, same, status=429, code="account_locked")
    log_in(account, other, status=200)


def test_a_known_device_is_not_locked_out_by_others(account, anyone):
    token = anyone.call("POST", "/v1/auth/login", account, status=200).json()["device_token"]
    for _ in range(5):
        anyone.call("POST", "/v1/auth/login", wrong(account), status=401)
    anyone.call("POST", "/v1/auth/login", account, status=429, code="account_locked")
    again = anyone.call("POST", "/v1/auth/login", {**account, "device_token": token}, status=200).json()[
        "device_token"
    ]
    assert again != token
    anyone.call(
        "POST", "/v1/auth/login", {**account, "device_token": token}, status=429, code="account_locked"
    )
    anyone.call(
        "POST", "/v1/auth/login", {**account, "device_token": "x" * 43}, status=429, code="account_locked"
    )
    for _ in range(5):
        anyone.call("POST", "/v1/auth/login", wrong(account, device_token=again), status=401)
    anyone.call(
        "POST", "/v1/auth/login", {**account, "device_token": again}, status=429, code="account_locked"
    )


def test_creating_an_account_makes_the_device_known(anyone, guest, sql):
    """Both by registering and by upgrading a guest. Entering and staying as a guest does not create a known
    device."""
    body = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse", "nickname": "Mia"}
    token = anyone.call("POST", "/v1/auth/register", body, status=201).json()["device_token"]
    body = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse", "device_token": token}
    upgraded = guest.call("POST", "/v1/auth/upgrade", body, status=200).json()
    digest = hashlib.sha256(upgraded["device_token"].encode()).digest()
    assert sql("SELECT count(*) FROM known_devices WHERE token_hash = %s", digest) == [(2,)], (
        "both accounts know it"
    )
    refreshed = guest.call(
        "POST", "/v1/auth/refresh", {"refresh_token": upgraded["refresh_token"]}, status=200
    ).json()
    assert "device_token" not in refreshed


@pytest.mark.parametrize("token", ["", "short", "x" * 65, "blank in it, 25 characters", "ü" * 30, 5, None])
def test_a_malformed_device_token_is_refused_and_not_counted(account, anyone, sql, token):
    anyone.call("POST", "/v1/auth/login", {**account, "device_token": token}, status=422)
    assert sql("SELECT count(*) FROM login_attempts") == [(0,)]


# --- the link that opens a lock -----------------------------------------------------------------------------


@pytest.fixture
def box(server, account, anyone):
    """The mailbox of the account, whose address is confirmed."""
    it = Mailbox(server, account["email"])
    anyone.call("POST", "/v1/auth/verify-email", {"token": it.link(VERIFY)}, status=204)
    return it


@pytest.fixture
def lock(account, log_in):
    """Locks the account for an address, and checks the refusal."""

    def locked(address):
        for _ in range(5):
            log_in(wrong(account), address, status=401)
        return log_in(account, address, status=429, code="account_locked")

    return locked


def test_an_emailed_link_lifts_the_lock_for_all_addresses_once(
    account, box, lock, log_in, anyone, server, sql
):
    lock("10.6.6.6")
    lock("10.6.6.7")
    token = box.link(LOCKED)
    kept = sql(
        "SELECT extract(epoch FROM expires_at - now()) FROM mail_proofs WHERE kind = 'unlock' AND token_hash"
        " = %s",
        hashlib.sha256(token.encode()).digest(),
    )
    assert len(kept) == 1 and 3500 < kept[0][0] <= 3600
    log_in(account, "10.6.6.6", status=429, code="account_locked")
    anyone.call("POST", "/v1/auth/unlock", {"token": token}, status=204)
    for address in ("10.6.6.6", "10.6.6.7"):
        log_in(wrong(account), address, status=401)
        log_in(account, address, status=200)  # the password is unchanged
    lock("10.6.6.6")
    anyone.call("POST", "/v1/auth/unlock", {"token": token}, status=204)
    log_in(account, "10.6.6.6", status=429, code="account_locked")  # a repeat does not lift a later lock
    assert token not in server.log() and account["email"] not in server.log()


def test_an_unlock_link_starts_no_session_and_changes_nothing_else(account, box, lock, anyone, sql):
    state = (
        "SELECT c.password_hash, c.email, p.email_verified_at, (SELECT count(*) FROM sessions s WHERE"
        " s.player_id = p.id), (SELECT count(*) FROM known_devices d WHERE d.player_id = p.id) FROM"
        " credentials c JOIN players p ON p.id = c.player_id WHERE c.email = %s"
    )
    before = sql(state, account["email"])
    lock("10.6.6.6")
    answer = anyone.call("POST", "/v1/auth/unlock", {"token": box.link(LOCKED)}, status=204)
    assert answer.content == b"" and sql(state, account["email"]) == before


def test_an_unlock_link_unlocks_only_its_own_account(account, box, lock, log_in, anyone, server):
    other = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
    anyone.register(other["email"])
    for _ in range(5):
        log_in(wrong(other), "10.7.7.7", status=401)
    lock("10.6.6.6")
    anyone.call("POST", "/v1/auth/unlock", {"token": box.link(LOCKED)}, status=204)
    log_in(other, "10.7.7.7", status=429, code="account_locked")


def test_an_expired_unlock_link_is_refused(account, box, lock, log_in, anyone, sql):
    lock("10.6.6.6")
    token = box.link(LOCKED)
    sql("UPDATE mail_proofs SET expires_at = now() WHERE kind = 'unlock'")
    anyone.call("POST", "/v1/auth/unlock", {"token": token}, status=410, code="link_invalid")
    log_in(account, "10.6.6.6", status=429, code="account_locked")


def test_at_most_one_unlock_email_is_sent_per_hour(account, box, lock, anyone, sql):
    lock("10.6.6.6")
    anyone.call("POST", "/v1/auth/unlock", {"token": box.link(LOCKED)}, status=204)
    lock("10.6.6.6")
    lock("10.6.6.7")
    box.nothing()
    sql("UPDATE mails SET created_at = created_at - interval '1 hour' WHERE template = 'unlock'")
    lock("10.6.6.8")
    anyone.call("POST", "/v1/auth/unlock", {"token": box.link(LOCKED)}, status=204)


def told(answer):
    """A refusal without the parts that change every time."""
    return {**answer.json(), "trace_id": "", "retry_s": 0}, sorted(set(answer.headers) - {"Date"})


def test_responses_do_not_reveal_whether_an_account_exists(account, box, lock, log_in, server, sql):
    known = lock("10.6.6.6")
    unknown = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
    for _ in range(5):
        log_in(wrong(unknown), "10.7.7.7", status=401)
    assert told(log_in(unknown, "10.7.7.7", status=429, code="account_locked")) == told(known)
    box.wait(LOCKED)
    Mailbox(server, unknown["email"]).nothing()
    until(lambda: sql("SELECT count(*) FROM link_requests") == [(0,)], "a request was not processed")


def test_an_unconfirmed_address_gets_no_unlock_email(account, lock, server, sql):
    box = Mailbox(server, account["email"])
    box.wait(VERIFY)
    lock("10.6.6.6")
    box.nothing()


def test_a_banned_player_gets_no_unlock_email(account, box, lock, sql):
    sql(
        "UPDATE players SET banned_at = now() WHERE id = (SELECT player_id FROM credentials WHERE email"
        " = %s)",
        account["email"],
    )
    lock("10.6.6.6")
    box.nothing()


def test_concurrent_correct_sign_ins_send_no_unlock_email(new_server):
    """Some have to retry a moment later, because more sign-ins are being verified than may fail. None of
    them has failed."""
    server = new_server(rate_limits="off", costly_passwords=True)
    account = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
    Client(server).register(account["email"])
    box = Mailbox(server, account["email"])
    Client(server).call("POST", "/v1/auth/verify-email", {"token": box.link(VERIFY)})
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: Client(server).call("POST", "/v1/auth/login", account), range(12)))
    assert 429 in {answer.status_code for answer in answers}
    box.nothing()
