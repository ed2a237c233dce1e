"""/metrics changes with events."""

import concurrent.futures
import re
import time
import uuid

import pytest
import requests
from support.cluster import OWNER, ROOT
from support.contract import Client
from support.keys import make_key
from support.metrics import Metrics, moved, wait_for
from support.server import free_port
from support.totp import Member
from support.wait import HANG_S

MANY = 100  # more than the queue of a pool holds
HASHES_S_MAX = 300


@pytest.fixture
def account(anyone):
    email = f"{uuid.uuid4().hex}@example.org"
    anyone.register(email)
    return {"email": email, "password": "correct horse"}


def test_sign_ins_are_counted_by_outcome(account, new_client, server, sql):
    def login(body, **more):
        before = Metrics(server)
        new_client().call("POST", "/v1/auth/login", body, **more)
        seen = Metrics(server)
        return {
            name.split('"')[1]: seen[name] - before[name]
            for name in seen.samples
            if name.startswith("rummyd_logins_total") and seen[name] != before[name]
        }

    before = Metrics(server)
    assert login(account, status=200) == {"ok": 1}
    assert login({**account, "password": "wrong horse"}, status=401) == {"refused": 1}
    assert login({"email": account["email"]}, status=422) == {"invalid": 1}
    for _ in range(4):
        login({**account, "password": "wrong horse"}, status=401)
    assert login(account, status=429) == {"locked": 1}
    assert moved(server, before, 'rummyd_security_events_total{what="login_failed"}') == 5
    assert moved(server, before, 'rummyd_security_events_total{what="login_locked"}') == 1
    assert moved(server, before, 'rummyd_security_events_total{what="session_begun"}') == 1


def test_sign_ins_with_a_second_factor_are_counted(server, sql):
    member = Member(server, sql)
    member.set_up().confirm()
    before = Metrics(server)
    challenge = member.challenge()
    assert moved(server, before, 'rummyd_logins_total{outcome="factor_asked"}') == 1
    member.finish(challenge, member.code(), status=200)
    assert moved(server, before, 'rummyd_logins_total{outcome="ok"}') == 1


def test_rate_limited_sign_ins_are_counted(new_server):
    server = new_server(rate_limits="on")
    calls = [Client(server).call("POST", "/v1/auth/login", {}) for _ in range(100)]
    codes = [call.json()["code"] for call in calls]
    # 60 immediately, then 1 per second, so the very last one may be allowed
    assert "rate_limited" not in codes[:60] and "rate_limited" in codes[60:]
    seen = Metrics(server)
    assert (
        seen['rummyd_logins_total{outcome="limited"}']
        == codes.count("rate_limited")
        == seen["rummyd_http_rate_limited_total"]
    )
    assert seen['rummyd_logins_total{outcome="invalid"}'] == 100 - codes.count("rate_limited")
    assert server.stop() == 0


def test_connection_pools_are_measured(cluster, database, server, account, new_client):
    pool = '{pool="rest_writes"}'
    quiet = wait_for(server, lambda seen: seen["rummyd_database_connections" + pool] == 4)
    for other in ("rest_reads", "hub_reads", "hub_writes"):
        assert quiet[f'rummyd_database_connections{{pool="{other}"}}'] >= 1
    connection = cluster.connect(database, OWNER)
    connection.autocommit = False
    cursor = connection.cursor()
    cursor.execute("LOCK TABLE login_attempts")
    with concurrent.futures.ThreadPoolExecutor(12) as threads:
        calls = [threads.submit(new_client().call, "POST", "/v1/auth/login", account) for _ in range(12)]
        wait_for(
            server,
            lambda seen: (
                seen["rummyd_database_connections_busy" + pool] == 4
                and seen["rummyd_database_statements_waiting" + pool] >= 4
            ),
        )
        time.sleep(0.3)  # lapse: measures the time that statements wait
        connection.rollback()
        assert all(call.result().status_code in (200, 429) for call in calls)
    after = wait_for(
        server,
        lambda seen: (
            seen["rummyd_database_statements_waiting" + pool]
            == 0
            == seen["rummyd_database_connections_busy" + pool]
        ),
    )
    assert (
        after["rummyd_database_wait_seconds_sum" + pool] - quiet["rummyd_database_wait_seconds_sum" + pool]
        > 8 * 0.3
    )
    sent = (
        after["rummyd_database_wait_seconds_count" + pool]
        - quiet["rummyd_database_wait_seconds_count" + pool]
    )
    written = (
        after['rummyd_rest_statements_total{kind="write"}']
        - quiet['rummyd_rest_statements_total{kind="write"}']
    )
    assert sent >= 12 and abs(sent - written) <= 4  # tolerates background jobs that run at either sample
    connection.close()


def test_the_password_queue_is_measured(new_server):
    server = new_server(rate_limits="off")
    before = Metrics(server)

    def register(_):
        body = {
            "email": f"{uuid.uuid4().hex}@example.org",
            "password": "correct horse",
            "nickname": f"R{uuid.uuid4().hex[:10]}",
        }
        # with a sanitizer, the last request waits until all earlier passwords have been hashed
        return requests.post(f"{server.url}/v1/auth/register", json=body, timeout=HASHES_S_MAX).status_code

    with concurrent.futures.ThreadPoolExecutor(MANY) as threads:
        with server.passwords_wait():
            codes = [threads.submit(register, n) for n in range(MANY)]
            wait_for(server, lambda seen: seen['rummyd_worker_refused_total{pool="hash"}'] > 0)
            assert Metrics(server)['rummyd_worker_queue{pool="hash"}'] > 8
        codes = [code.result() for code in codes]
    assert set(codes) == {201, 503}
    assert moved(server, before, 'rummyd_worker_refused_total{pool="hash"}') == codes.count(503)
    assert moved(server, before, 'rummyd_worker_jobs_total{pool="hash"}') == codes.count(201)
    assert Metrics(server)['rummyd_worker_queue{pool="hash"}'] == 0
    assert moved(server, before, 'rummyd_worker_jobs_total{pool="payments"}') == 0


def test_background_work_and_its_delay_are_measured(new_server, cluster):
    """The email queue, jobs, the season's end, and the ledger chain are measured every 30 s."""
    server = new_server(
        smtp_url=f"smtp://127.0.0.1:{free_port()}",
        mail_from="noreply@play.example",
        public_url="https://play.example",
    )
    fresh = wait_for(
        server,
        lambda seen: (
            seen["rummyd_season_ends_at_seconds"] > 0 and seen["rummyd_ledger_sealed_at_seconds"] > 0
        ),
    )
    assert (
        fresh["rummyd_mails_waiting"]
        == fresh["rummyd_mails_oldest_age_seconds"]
        == fresh["rummyd_ledger_unsealed_age_seconds"]
        == 0
    )
    connection = cluster.connect(server.database, OWNER)
    connection.autocommit = True
    cursor = connection.cursor()
    jobs = {
        name: value for name, value in fresh.samples.items() if name.startswith("rummyd_job_done_at_seconds")
    }
    cursor.execute("SELECT job FROM jobs")
    assert {name.split('"')[1] for name in jobs} == {job for (job,) in cursor.fetchall()} and set(
        jobs.values()
    ) == {0}
    cursor.execute("SELECT extract(epoch FROM ends_at)::bigint FROM seasons WHERE state = 'open'")
    assert cursor.fetchall() == [(fresh["rummyd_season_ends_at_seconds"],)]

    writer = cluster.connect(server.database, OWNER)  # the chain waits for uncommitted writers
    writer.autocommit = False
    guest = Client(server).guest()
    writing = writer.cursor()
    writing.execute("SELECT do_credit(%s, 'gold', 1, 'grant', 'a', 'a')", (guest.player["id"],))
    for _ in range(2):
        Client(server).register(f"{uuid.uuid4().hex}@example.org")
    holder = Client(server)
    holder.token = make_key(cluster.conninfo(server.database), "jobs")
    holder.call(
        "POST", "/v1/admin/jobs/upkeep", {}, headers={"Idempotency-Key": uuid.uuid4().hex}, status=200
    )
    done = 'rummyd_job_done_at_seconds{name="upkeep"}'
    behind = wait_for(
        server,
        lambda seen: (
            seen["rummyd_mails_waiting"] == 2
            and seen[done] > 0
            and seen["rummyd_ledger_unsealed_age_seconds"] > 5
        ),
        70,
    )
    assert 0 < behind["rummyd_mails_oldest_age_seconds"] <= 70
    assert abs(behind[done] - time.time()) < 70
    assert [name for name in jobs if behind[name]] == [done]
    writer.rollback()
    sealed = time.time()
    wait_for(server, lambda seen: seen["rummyd_ledger_sealed_at_seconds"] > sealed, HANG_S)
    wait_for(server, lambda seen: seen["rummyd_ledger_unsealed_age_seconds"] == 0, HANG_S)
    for each in (connection, writer):
        each.close()
    assert server.stop() == 0


def test_every_metric_is_documented(server):
    """The program generates docs/metrics.md, and /metrics contains all metrics that it lists."""
    page = (ROOT / "docs" / "metrics.md").read_text()
    named = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.M))
    assert named == dict(re.findall(r"^# TYPE (\w+) (\w+)$", Metrics(server).text, re.M)) and len(named) > 60
