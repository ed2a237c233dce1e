"""/v1/me/export over REST: requested, generated in the background, read part by part.
(tests/db/test_export.py tests its contents.)"""

import json
import time
import uuid

from support.mailbox import Mailbox
from support.wait import HANG_S

PASSWORD = "correct horse"


def ready(client, within=HANG_S):
    until = time.monotonic() + within
    while (export := client.get("/v1/me/export"))["state"] != "ready":
        assert export["state"] == "making" and time.monotonic() < until, export
        time.sleep(0.1)
    return export


def lines_of(client, export):
    text = ""
    for part in range(1, export["parts"] + 1):
        answer = client.call("GET", f"/v1/me/export/{export['id']}/parts/{part}", status=200)
        assert answer.headers["Cache-Control"] == "no-store"
        text += answer.text
    assert len(text.encode()) == export["bytes"]
    return [json.loads(line) for line in text.splitlines()]


def test_a_requested_export_is_complete_and_announced(new_client, server):
    email = f"{uuid.uuid4().hex}@example.org"
    mia, mailbox = new_client().register(email), Mailbox(server, email)
    mailbox.wait("Confirm your email address")
    assert mia.get("/v1/me/export") == {"state": "none"}
    asked = mia.call("POST", "/v1/me/export", {"password": PASSWORD}, status=202).json()
    assert asked["state"] == "making"
    mia.call("GET", f"/v1/me/export/{asked['id']}/parts/99", status=404, code="no_such_export")
    export = ready(mia)
    assert export["id"] == asked["id"]
    mailbox.wait("Your data is ready")
    assert "export" in [n["kind"] for n in mia.get("/v1/notifications")["items"]]
    lines = lines_of(mia, export)
    account = next(line["data"] for line in lines if line["section"] == "account")
    assert (account["id"], account["email"], account["nickname"]) == (
        mia.player["id"],
        email,
        mia.player["nickname"],
    )
    assert lines[-1] == {"section": "end", "data": {"lines": len(lines)}}
    again = mia.call("POST", "/v1/me/export", {"password": PASSWORD}, status=202).json()
    assert again == export, "once a day"
    stranger = new_client().guest()
    stranger.call("GET", f"/v1/me/export/{export['id']}/parts/1", status=404, code="no_such_export")


def test_an_export_requires_the_password_of_an_account(new_client):
    mia = new_client().register()
    mia.call("POST", "/v1/me/export", {}, status=422, code="missing_member")
    mia.call("POST", "/v1/me/export", status=422, code="missing_member")
    mia.call("POST", "/v1/me/export", {"password": "wrong horse"}, status=403, code="wrong_password")
    assert mia.get("/v1/me/export") == {"state": "none"}
    guest = new_client().guest()
    guest.call("POST", "/v1/me/export", status=202)
    assert lines_of(guest, ready(guest))[-1]["section"] == "end"


def test_an_export_continues_after_the_server_is_killed(new_server, cluster):
    """No file is ever incomplete, because the next process continues it. Each step lasts half a second, so
    the export is not ready before the kill."""
    from support.contract import Client

    server = new_server()
    guest = Client(server).guest()
    with cluster.connect(server.database) as connection, connection.cursor() as sql:
        sql.execute("UPDATE settings SET value = '1' WHERE name = 'export_batch'")
        sql.execute(
            "INSERT INTO notifications (player_id, kind, data) SELECT %s, 'level', '{}' FROM"
            " generate_series(1, 60)",
            (guest.player["id"],),
        )
        sql.execute("""
            CREATE FUNCTION takes_time() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$;
            CREATE TRIGGER takes_time BEFORE UPDATE ON exports FOR EACH ROW EXECUTE FUNCTION takes_time()""")
        connection.commit()
        guest.call("POST", "/v1/me/export", status=202)
        until = time.monotonic() + HANG_S
        while guest.get("/v1/me/export")["lines"] == 0:
            assert time.monotonic() < until
            time.sleep(0.02)
        server.kill()
        sql.execute("SELECT ready_at, lines_n FROM exports")
        assert sql.fetchone()[0] is None, "it was in the middle"
        sql.execute("ALTER TABLE exports DISABLE TRIGGER takes_time")
    server.start()
    guest.url = server.url
    lines = lines_of(guest, ready(guest, 60))
    assert [line["section"] for line in lines].count("notifications") == 60 and lines[-1]["section"] == "end"


def test_a_large_export_does_not_delay_others(new_server, cluster):
    """Its file takes thousands of steps. An export requested meanwhile is ready within seconds, and so are
    ten exports."""
    from support.contract import Client

    server = new_server()
    large, others = Client(server).guest(), [Client(server).guest() for _ in range(10)]
    with cluster.connect(server.database) as connection, connection.cursor() as sql:
        sql.execute("UPDATE settings SET value = '1' WHERE name = 'export_batch'")
        sql.execute(
            "INSERT INTO notifications (player_id, kind, data) SELECT %s, 'level', '{}' FROM"
            " generate_series(1, 20000)",
            (large.player["id"],),
        )
        connection.commit()
    connection.close()
    large.call("POST", "/v1/me/export", status=202)
    until = time.monotonic() + HANG_S
    while large.get("/v1/me/export")["lines"] == 0:
        assert time.monotonic() < until
        time.sleep(0.05)
    for one in others:
        one.call("POST", "/v1/me/export", status=202)
    for one in others:
        ready(one, 60)
    assert large.get("/v1/me/export")["state"] != "ready", "it is still being made"
