"""Outgoing messages: queued together with their cause or not at all, the names in SQL match the list, and
purging."""

import re

from sources import ROOT


def endpoint(rig, *events, active=True):
    return rig.one(
        "INSERT INTO webhook_endpoints (url, events, active) VALUES ('https://hooks.example.org/x', %s, %s)"
        " RETURNING id",
        list(events),
        active,
    )


def test_sql_sends_exactly_the_listed_events():
    listed = re.findall(
        r'^API_WEBHOOK_EVENT\(\w+, "([\w.]+)"\)', (ROOT / "api" / "webhook_events.def").read_text(), re.M
    )
    text = "".join(path.read_text() for path in (ROOT / "db" / "functions").rglob("*.sql"))
    used = set(re.findall(r"'((?:order|player|report|season)\.[a-z_]+)'", text))
    assert used == set(listed) and len(listed) == len(set(listed))


def test_a_delivery_is_queued_together_with_its_cause_or_not_at_all(rig):
    wanted, _, _ = (
        endpoint(rig, "player.banned"),
        endpoint(rig, "order.paid"),
        endpoint(rig, "player.banned", active=False),
    )
    with rig.undone() as via:
        rig.rows("SELECT webhook_put('player.banned', '{}')", via=via)
    assert rig.one("SELECT count(*) FROM deliveries") == 0
    rig.rows("""SELECT webhook_put('player.banned', '{"player_id": "1"}')""")
    assert [r["endpoint_id"] for r in rig.rows("SELECT endpoint_id FROM deliveries")] == [wanted]


def test_deliveries_above_the_limit_fail_at_once(rig):
    endpoint(rig, "player.banned")
    rig.rows("UPDATE settings SET value = '2' WHERE name = 'webhook_waiting_max'")
    for _ in range(4):
        rig.rows("SELECT webhook_put('player.banned', '{}')")
    assert [
        r["over"] for r in rig.rows("SELECT failed_at IS NOT NULL AS over FROM deliveries ORDER BY id")
    ] == [False, False, True, True]


def test_retry_delays_grow_and_outdated_attempts_change_nothing(rig):
    endpoint(rig, "player.banned")
    rig.rows("SELECT webhook_put('player.banned', '{}')")
    for n, pause in ((1, 10), (2, 40), (3, 160), (4, 640)):
        rig.rows("UPDATE deliveries SET next_try = now()")
        claimed = rig.row("SELECT * FROM do_delivery_claim(5)")
        assert claimed["try"] == n and rig.rows("SELECT * FROM do_delivery_claim(5)") == []
        assert (
            rig.one("SELECT do_delivery_result(%s, %s, 'sent', 200, 0, '')", claimed["id"], n - 1) == "over"
        )
        assert rig.one("SELECT do_delivery_result(%s, %s, 'again', 500, 0, '')", claimed["id"], n) == "again"
        wait = rig.one("SELECT extract(epoch FROM next_try - now()) FROM deliveries")
        assert 0.74 * pause <= wait <= 1.26 * pause, (n, wait)


def test_finished_deliveries_are_purged_after_a_week(rig):
    endpoint(rig, "player.banned")
    rig.rows("SELECT webhook_put('player.banned', '{}')")
    rig.rows("UPDATE deliveries SET sent_at = now() - interval '6 days'")
    assert rig.one("SELECT do_purge(1000)") == 0
    rig.rows("UPDATE deliveries SET sent_at = now() - interval '8 days'")
    assert rig.one("SELECT do_purge(1000)") == 1
