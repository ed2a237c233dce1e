"""Admin endpoints: keys, the audit log, jobs under any sequence of calls, and the scripts that call them."""

import os
import re
import subprocess
import threading
import time
import uuid

import pytest
from support.chips import WELCOME_SILVER
from support.cluster import ROOT, RUMMYD
from support.contract import Client
from support.keys import make_key, make_key_by_command
from support.metrics import Metrics
from support.wait import HANG_S

JOBS = sorted(
    p.name for p in (ROOT / "scripts" / "jobs").iterdir() if p.name not in ("lib.sh", "ledger-proof")
)


def run_job(client, path, key=None, **more):
    return client.call("POST", path, headers={"Idempotency-Key": key or uuid.uuid4().hex}, **more)


# --- keys ---------------------------------------------------------------------------------------------------


def test_a_key_is_shown_once_and_stored_hashed(cluster, database, sql):
    key = make_key_by_command(cluster.conninfo(database), "jobs", "once")
    assert re.fullmatch(r"rk_[A-Za-z0-9_-]{43}", key)
    stored = sql("SELECT key_hash, role FROM api_keys WHERE name = 'once'")[0]
    import hashlib

    assert bytes(stored[0]) == hashlib.sha256(key.encode()).digest() and stored[1] == "jobs"
    everything = sql("SELECT string_agg(a.detail::text, ' ') FROM audit a")[0][0]
    assert key not in everything and '"name": "once"' in everything


@pytest.mark.parametrize(
    "args, code, said",
    [
        (["make", "dup", "jobs", "Mia"], 1, "a key named"),
        (["revoke", "never"], 1, "no active key"),
        (["make", "x"], 2, "usage"),
        (["make", "x", "root", "Mia"], 2, "usage"),
        (["make", "x", "admin", "Mia"], 2, "usage"),
        (["make", "x", "jobs"], 2, "usage"),
        ([], 2, "usage"),
        (["make", "x" * 65, "jobs", "Mia"], 2, "1 to 64"),
        (["make", "x", "jobs", ""], 2, "1 to 64"),
        (["revoke", ""], 2, "1 to 64"),
        (["make", "x", "jobs", "Mia", "0"], 2, "1 to 365"),
        (["make", "x", "jobs", "Mia", "366"], 2, "1 to 365"),
        (["make", "x", "owner", "Mia", "never"], 2, "1 to 365"),
        (["make", "x", "owner", "Mia", "soon"], 2, "1 to 365"),
    ],
)
def test_the_key_command_refuses_invalid_arguments(cluster, database, api_key, sql, args, code, said):
    if not sql("SELECT 1 FROM api_keys WHERE name = 'dup'"):
        api_key(name="dup")
    done = subprocess.run(
        [RUMMYD, "api-key", *args, "--db", cluster.conninfo(database)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == code and said in done.stderr and done.stdout == ""


def test_the_key_command_makes_the_same_keys_as_the_test_helper(server, cluster, database, anyone, sql):
    made = []
    for make in (make_key, make_key_by_command):
        anyone.token = make(cluster.conninfo(database), "jobs", name=make.__name__, holder="Mia")
        assert re.fullmatch(r"rk_[A-Za-z0-9_-]{43}", anyone.token)
        run_job(anyone, "/v1/admin/jobs/upkeep", status=200)
        row = sql(
            "SELECT role, holder, scopes, prefix, old_hash, made_by, rotated_at, expires_at - created_at,"
            " revoked_at FROM api_keys WHERE name = %s",
            make.__name__,
        )[0]
        made.append(list(row))
        assert made[-1].pop(3) == anyone.token[:9]
    assert made[0] == made[1]


def test_a_wrong_missing_or_revoked_key_is_refused(server, cluster, database, guest, api_key, anyone, sql):
    before = sql("SELECT count(*) FROM job_runs")
    run_job(anyone, "/v1/admin/jobs/upkeep", status=401, code="api_key_missing")
    for token in ("rk_" + "x" * 43, "x", guest.token):
        anyone.token = token
        run_job(anyone, "/v1/admin/seasons/rollover", status=401, code="api_key_invalid")
        anyone.call("GET", "/v1/admin/audit", status=401, code="api_key_invalid")
    anyone.token = api_key(name="gone")
    run_job(anyone, "/v1/admin/jobs/upkeep", status=200)
    subprocess.run([RUMMYD, "api-key", "revoke", "gone", "--db", cluster.conninfo(database)], check=True)
    run_job(anyone, "/v1/admin/jobs/upkeep", status=401, code="api_key_invalid")
    assert sql("SELECT count(*) FROM job_runs")[0][0] == before[0][0] + 1
    # a key is not a player
    anyone.call("GET", "/v1/me", status=401, code="token_invalid")


def test_a_role_limits_what_a_key_can_do(holder):
    jobs, admin = holder("jobs"), holder("owner")
    jobs.call("GET", "/v1/admin/audit", status=403, code="api_key_forbidden")
    jobs.call("GET", "/v1/admin/seasons/rollover", status=403, code="api_key_forbidden")
    jobs.get("/v1/admin/jobs")
    run_job(jobs, "/v1/admin/jobs/upkeep", status=200)
    newest = admin.get("/v1/admin/audit?limit=5")["items"]
    assert [(i["action"], i["code"]) for i in newest] == [
        ("read:audit", "ok"),
        ("job:upkeep", "ok"),
        ("job:list", "ok"),
        ("read:season_preview", "api_key_forbidden"),
        ("read:audit", "api_key_forbidden"),
    ]
    run_job(admin, "/v1/admin/jobs/upkeep", status=200)


def test_the_audit_log_is_paged_and_cannot_be_changed(holder, sql):
    admin = holder("owner")
    for _ in range(4):
        run_job(admin, "/v1/admin/jobs/upkeep", status=200)
    first = admin.get("/v1/admin/audit?limit=3")
    second = admin.get(f"/v1/admin/audit?limit=3&cursor={first['next']}")
    ids = [int(i["id"]) for i in first["items"] + second["items"]]
    assert len(ids) == 6 and ids == sorted(ids, reverse=True)
    admin.call("GET", f"/v1/admin/seasons/rollover?cursor={first['next']}", status=400, code="bad_cursor")
    for statement in (
        "UPDATE audit SET code = 'ok'",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "DELETE FROM audit WHERE false",
    ):
        with pytest.raises(Exception, match="audit: .* is not allowed"):
            sql(statement)


# --- jobs ---------------------------------------------------------------------------------------------------


def test_every_job_runs_and_is_listed(holder, sql):
    caller = holder()
    names = [j["job"] for j in caller.get("/v1/admin/jobs")["items"]]
    assert names == sorted(row[0] for row in sql("SELECT job FROM jobs"))
    assert sorted(n.replace("_", "-") for n in names) == JOBS
    for name in names:
        answer = run_job(caller, f"/v1/admin/jobs/{name}", status=200).json()
        assert (answer["job"], answer["done"]) == (name, True)
    assert all(j["done_at"] and not j["overdue"] for j in caller.get("/v1/admin/jobs")["items"])
    for name in ("dust", "UPKEEP", "upkeep%20", "job_of_nobody"):
        run_job(caller, f"/v1/admin/jobs/{name}", status=404, code="no_such_job")


def test_a_repeated_call_returns_the_first_answer(holder, sql):
    caller, key = holder(), uuid.uuid4().hex
    first = run_job(caller, "/v1/admin/jobs/daily_bonus", key, status=200).json()
    sql("UPDATE player_days SET bonus_day = bonus_day - 1")
    assert run_job(caller, "/v1/admin/jobs/daily_bonus", key, status=200).json() == first
    run_job(caller, "/v1/admin/jobs/upkeep", key, status=422, code="idempotency_key_reused")
    run_job(caller, "/v1/admin/jobs/daily_bonus", key, status=422, code="unknown_member", body={"x": 1})
    caller.call("POST", "/v1/admin/jobs/upkeep", status=400, code="idempotency_key_missing")


def test_the_bonus_job_runs_in_steps_and_may_need_further_calls(holder, new_client, sql):
    guests = [new_client().guest() for _ in range(7)]
    sql("UPDATE settings SET value = '2' WHERE name = 'job_batch'")
    sql("UPDATE settings SET value = '2' WHERE name = 'job_steps_max'")
    sql(
        "UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = ANY (%s)",
        [int(g.player["id"]) for g in guests],
    )
    caller = holder()
    answers = []
    while not answers or not answers[-1]["done"]:
        answers.append(run_job(caller, "/v1/admin/jobs/daily_bonus", status=200).json())
        assert len(answers) < 20
    sql("UPDATE settings SET value = '2000' WHERE name LIKE 'job_%%'")
    assert len(answers) >= 2 and all(a["steps"] == 2 for a in answers[:-1])
    assert sum(a["result"]["midnights"] for a in answers) >= 7
    today = {g.get("/v1/wallet")["bonus"]["today_amount"] for g in guests}
    assert today == {40}


def test_concurrent_jobs_credit_once(holder, guest, sql):
    sql("UPDATE settings SET value = '1' WHERE name = 'job_batch'")
    sql("UPDATE player_days SET bonus_day = bonus_day - 5")
    players = sql("SELECT count(*) FROM player_days")[0][0]
    callers, results = [holder() for _ in range(3)], []

    def call(caller):
        results.append(run_job(caller, "/v1/admin/jobs/daily_bonus").json()["result"]["midnights"])

    threads = [threading.Thread(target=call, args=(c,)) for c in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sql("UPDATE settings SET value = '2000' WHERE name = 'job_batch'")
    done = sql("SELECT count(*) FROM player_days WHERE bonus_day = local_day(now())")[0][0]
    assert done == players
    assert sum(results) <= 5 * players and guest.get("/v1/wallet")["silver"] == 100


def test_a_table_of_a_lost_node_is_canceled_with_refunds(holder, guest, sql):
    player = int(guest.player["id"])
    sql("INSERT INTO nodes (name, epoch) VALUES ('lost', 1) ON CONFLICT DO NOTHING")
    sql("UPDATE rooms SET fill_wait_ms = 600000 WHERE id = 'desert'")
    table = guest.take_seat(status=201).json()["table_id"]
    sql("UPDATE tables SET node = 'lost' WHERE id = %s", table)
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER - 10
    result = run_job(holder(), "/v1/admin/jobs/stale_tables", status=200).json()["result"]
    # lapse: the room's own value
    sql("UPDATE rooms SET fill_wait_ms = 5000 WHERE id = 'desert'")
    assert result == {"tables": 1}
    assert guest.get("/v1/wallet")["silver"] == WELCOME_SILVER
    assert sql("SELECT state FROM tables WHERE id = %s", table) == [("cancelled",)]
    assert sql("SELECT epoch FROM nodes WHERE name = 'lost'")[0][0] > 1, "it can no longer write"
    assert sql("SELECT note FROM transfers WHERE table_id = %s AND cause = 'refund'", table) == [
        ("node gone",)
    ]
    assert player and run_job(holder(), "/v1/admin/jobs/stale_tables", status=200).json()["result"] == {
        "tables": 0
    }


def test_readyz_and_metrics_report_overdue_jobs_and_pending_items(new_server, cluster):
    server = new_server(start=False)
    connection = cluster.connect(server.database, "postgres")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE jobs SET since = now() - interval '9 days' WHERE job = 'season_rollover'")
        cursor.execute("SET session_replication_role = replica")  # no tables and orders needed
        cursor.execute(
            "INSERT INTO reports (reporter_id, reported_id, table_id, reason) VALUES (1, 9, 1, 'insult'), (2,"
            " 9, 1, 'insult')"
        )
        cursor.execute(
            "INSERT INTO shop_flags (order_id, reason, settled_at) VALUES (1, 'gold_short', NULL), (2,"
            " 'gold_short', now())"
        )
    connection.close()
    server.start()
    client = Client(server)
    until = time.monotonic() + HANG_S
    while client.get("/readyz")["jobs_overdue"] != ["season_rollover"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    metrics = client.call("GET", "/metrics", status=200).text
    assert "\nrummyd_jobs_overdue 1\n" in metrics
    assert "\nrummyd_reports_open 2\n" in metrics and "\nrummyd_shop_flags_open 1\n" in metrics
    began = float(re.search(r"^rummyd_started_seconds (\d+)$", metrics, re.M)[1])
    assert time.time() - 60 < began <= time.time()
    assert client.get("/readyz")["status"] == "ready", "a warning, not an outage"
    assert server.stop() == 0
    assert server.logged('"event":"jobs_overdue"')


# --- seasons ------------------------------------------------------------------------------------------------


def played(sql, guest, games, rating, level=6):
    player = int(guest.player["id"])
    sql("UPDATE players SET level = %s WHERE id = %s", level, player)
    sql("INSERT INTO league_members SELECT %s, 1, no FROM seasons WHERE state = 'open'", player)
    sql(
        "INSERT INTO league_games SELECT no, %s, 1, %s, %s, 3 FROM seasons WHERE state = 'open'",
        player,
        games,
        games * rating // 100,
    )
    sql("SELECT make_league_rows(no, ARRAY[%s]::bigint[]) FROM seasons WHERE state = 'open'", player)
    return player


def test_a_season_from_its_leagues_to_the_reason_for_each_result(holder, new_client, sql):
    sql("UPDATE settings SET value = '0' WHERE name = 'prize_people_min'")  # its games have no opponents
    mia, ben, eve = (new_client().guest() for _ in range(3))
    assert mia.get("/v1/leagues")["own"] is None
    assert mia.get("/v1/me/seasons") == {"items": [], "next": None}
    played(sql, mia, 40, 6800)
    played(sql, ben, 29, 9900)
    played(sql, eve, 30, 6900, level=1)
    leagues = mia.get("/v1/leagues")
    assert leagues["own"] == {"league": "desert", "games": 40, "wins": 3, "rating": 6800, "place": 2}
    assert [(league["id"], league["open"]) for league in leagues["items"]] == [
        ("desert", True),
        ("tundra", True),
        ("steppe", True),
        ("savannah", True),
        ("oasis", True),
        ("forest", False),
    ]
    table = mia.get("/v1/leagues/desert?limit=2")
    more = mia.get(f"/v1/leagues/desert?limit=2&cursor={table['next']}")
    lines = table["items"] + more["items"]
    assert [(i["place"], i["player_id"], i["ranked"], i["own"]) for i in lines] == [
        (1, eve.player["id"], True, False),
        (2, mia.player["id"], True, True),
        (3, ben.player["id"], False, False),
    ]
    assert more["next"] is None
    ben.call("GET", f"/v1/leagues/desert?cursor={table['next']}", status=400, code="bad_cursor")
    mia.call("GET", f"/v1/leagues/tundra?cursor={table['next']}", status=400, code="bad_cursor")
    assert mia.get("/v1/leagues/forest")["items"] == []
    for name in ("tin", "DESERT", "x" * 40):
        mia.call("GET", f"/v1/leagues/{name}", status=404, code="no_such_league")

    admin = holder("owner")
    assert run_job(admin, "/v1/admin/seasons/rollover", status=200).json()["result"] == {"seasons": 0}, (
        "not over yet"
    )
    plan, cursor = [], ""
    while cursor is not None:
        page = admin.get(f"/v1/admin/seasons/rollover?limit=1{cursor and '&cursor=' + cursor}")
        plan += page["items"]
        cursor = page["next"]
    assert {p["player_id"]: (p["reason"], p["rule"]) for p in plan} == {
        mia.player["id"]: ("promoted", {"promote_rating": 6700}),
        ben.player["id"]: ("too_few_games", {"games_min": 30}),
        eve.player["id"]: ("room_locked", {"next_league": "tundra"}),
    }

    sql(
        "UPDATE seasons SET starts_at = starts_at - interval '30 days', ends_at = ends_at - interval '30"
        " days'"
    )
    answer = run_job(admin, "/v1/admin/seasons/rollover", status=200).json()
    assert answer["done"] and answer["result"]["seasons"] == 2, "two seasons late"
    absent, won = mia.get("/v1/me/seasons")["items"]
    assert (won["reason"], won["league"], won["to_league"], won["place"], won["prize_gold"]) == (
        "promoted",
        "desert",
        "tundra",
        2,
        30,
    )
    assert (won["rating"], won["rule"]) == (6800, {"promote_rating": 6700})
    assert (absent["reason"], absent["league"], absent["to_league"]) == ("inactive", "tundra", "desert")
    first = mia.get("/v1/me/seasons?limit=1")
    assert mia.get(f"/v1/me/seasons?limit=1&cursor={first['next']}")["items"] == [won]
    assert mia.get("/v1/wallet")["gold"] == 30
    assert [p["cause"] for p in mia.get("/v1/wallet/postings")["items"] if p["currency"] == "gold"] == [
        "league"
    ]
    reasons = [s["reason"] for s in eve.get("/v1/me/seasons")["items"]]
    assert reasons == ["inactive", "room_locked"]


# --- the scripts --------------------------------------------------------------------------------------------


def script(name, *args, url=None, key=None, env=None):
    return subprocess.run(
        [ROOT / "scripts" / "jobs" / name, *args],
        capture_output=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "RUMMYD_JOB_PAUSE_S": "0",
            **({"RUMMYD_URL": url} if url else {}),
            **({"RUMMYD_API_KEY": key} if key else {}),
            **(env or {}),
        },
    )


@pytest.mark.parametrize("name", JOBS)
def test_a_job_script_can_run_twice(server, api_key, name):
    key = api_key()
    for _ in range(2):
        done = script(name, url=server.url, key=key)
        assert done.returncode == 0 and '"done": true' in done.stdout, done.stderr
        assert key not in done.stdout + done.stderr


def test_scripts_report_errors(server, api_key, tmp_path):
    assert "RUMMYD_API_KEY" in script("upkeep", url=server.url).stderr
    wrong = script("upkeep", url=server.url, key="rk_wrong")
    assert wrong.returncode == 1 and "api_key_invalid" in wrong.stderr
    nobody = script("upkeep", url="http://127.0.0.1:1", key="k")
    assert nobody.returncode == 1 and "no response" in nobody.stderr
    assert script("season-rollover", "--wet", url=server.url, key="k").returncode == 2
    file = tmp_path / "key"
    file.write_text(api_key() + "\n")
    assert script("upkeep", url=server.url, env={"RUMMYD_API_KEY_FILE": str(file)}).returncode == 0


def test_the_rollover_script_has_a_dry_run(server, api_key):
    done = script("season-rollover", "--dry-run", url=server.url, key=api_key("owner"))
    assert done.returncode == 0 and '"season":' in done.stdout, done.stderr


def test_the_ledger_proof_script(server, api_key, cluster, database):
    before = time.time() - 1
    done = script("ledger-proof", url=server.url, key=api_key("jobs"))
    assert done.returncode == 0 and '"clean":true' in done.stdout, done.stderr
    assert Metrics(server)["rummyd_ledger_proved_at_seconds"] >= int(before)
    refused = script("ledger-proof", url=server.url, key=api_key("games"))
    assert refused.returncode == 1 and "api_key_forbidden" in refused.stderr
    nobody = script("ledger-proof", url="http://127.0.0.1:1", key="k")
    assert nobody.returncode == 1 and "no ledger check from" in nobody.stderr


def test_timers_and_crontab_contain_every_job():
    crontab = (ROOT / "docker" / "crontab.example").read_text()
    for name in (*JOBS, "ledger-proof"):
        assert f"scripts/jobs/{name}\n" in crontab
        unit = (ROOT / "docker" / "systemd" / f"rummyd-{name}.service").read_text()
        assert f"ExecStart=/opt/rummyd/scripts/jobs/{name}\n" in unit
        assert "OnCalendar=" in (ROOT / "docker" / "systemd" / f"rummyd-{name}.timer").read_text()


# --- lists with filters -------------------------------------------------------------------------------------


def test_the_log_is_filtered_by_player_key_action_and_time(holder, server, cluster, database, new_client):
    owner, mia = holder("owner"), Client(server)
    name = uuid.uuid4().hex
    mia.token = make_key(cluster.conninfo(database), "support", name)
    ann, bob = new_client().guest().player["id"], new_client().guest().player["id"]
    for player in (ann, bob):
        mia.call(
            "POST",
            f"/v1/admin/players/{player}/notes",
            {"note": "x"},
            headers={"Idempotency-Key": uuid.uuid4().hex},
            status=200,
        )
    mia.get(f"/v1/admin/players/{ann}")

    def seen(query):
        return [
            (item["action"], item["detail"].get("player"))
            for item in owner.get(f"/v1/admin/audit?{query}")["items"]
        ]

    whole = [("read:player", int(ann)), ("note", int(bob)), ("note", int(ann))]
    assert seen(f"key={name}") == whole
    assert seen(f"key={name}&action=note") == whole[1:]
    assert seen(f"player={ann}") == [whole[0], whole[2]] and seen(f"player={ann}&action=ban") == []
    items = owner.get(f"/v1/admin/audit?key={name}")["items"]
    assert (
        seen(f"key={name}&until={items[1]['at']}") == whole[2:]
        and seen(f"key={name}&since={items[1]['at']}") == whole[:2]
    )
    for query in "key=nobody", f"key={name}&action=nothing":
        (fault,) = owner.call("GET", f"/v1/admin/audit?{query}", status=400, code="bad_parameter").json()[
            "errors"
        ]
        assert (fault["parameter"], fault["code"]) == (query.split("&")[-1].split("=")[0], "unknown_value")
    for action in "refund:said", "job:upkeep", "undrain_node":
        seen(f"action={action}")
    first = owner.get(f"/v1/admin/audit?key={name}&limit=2")
    assert len(first["items"]) == 2
    rest = owner.get(f"/v1/admin/audit?key={name}&limit=2&cursor={first['next']}")
    assert [i["id"] for i in rest["items"]] == [items[2]["id"]] and rest["next"] is None
    owner.call("GET", f"/v1/admin/audit?limit=2&cursor={first['next']}", status=400, code="bad_cursor")


def test_tables_are_filtered_by_player_state_variant_and_time(holder, new_client):
    games, ann, bob = holder("games"), new_client().guest(), new_client().guest()
    one = ann.take_seat(status=201).json()["table_id"]
    other = bob.call(
        "POST",
        "/v1/tables",
        {"variant": "treff", "seats": 2},
        headers={"Idempotency-Key": uuid.uuid4().hex},
        status=201,
    ).json()["table_id"]

    def seen(query):
        return [item["id"] for item in games.get(f"/v1/admin/tables?{query}")["items"]]

    assert seen(f"player={ann.player['id']}") == [one] and seen(
        f"player={bob.player['id']}&variant=treff"
    ) == [other]
    assert (
        seen(f"player={bob.player['id']}&variant=rummy51")
        == seen(f"player={ann.player['id']}&state=finished")
        == []
    )
    assert seen(f"player={ann.player['id']}&state=waiting") == [one]
    assert {one, other} <= set(seen("limit=100")) and other in seen("variant=treff&state=waiting")
    at = games.get(f"/v1/admin/tables/{other}")
    assert games.get("/v1/admin/tables?limit=1")["items"] == [at]
    assert seen(f"since={at['created_at']}") == [other] and other not in seen(
        f"until={at['created_at']}&limit=100"
    )
    bob.call("DELETE", f"/v1/tables/{other}/seats/me", status=204)
    assert seen(f"player={bob.player['id']}") == seen(f"player={bob.player['id']}&state=cancelled") == []
