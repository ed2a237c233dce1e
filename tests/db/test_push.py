"""Which notifications are pushed: the rows of push_kinds, and consistent names of kinds."""

import json
import re

import pytest
import yaml
from sources import ROOT

SHIPPED = {"friend", "season", "table_invite", "tournament_table", "your_turn"}


@pytest.fixture
def device(rig):
    """Creates a player with a device; returns the ids of both."""
    player = rig.player()
    session = rig.one(
        "INSERT INTO sessions (player_id, idle_at, over_at) VALUES (%s, now() + interval '1 day', now() +"
        " interval '1 day') RETURNING id",
        player,
    )
    return player, rig.one(
        "INSERT INTO push_devices (player_id, session_id, kind, address) VALUES (%s, %s, 'fcm', %s)"
        " RETURNING id",
        player,
        session,
        f"token-of-{player}",
    )


def notify(rig, player, kind, **data):
    rig.rows("SELECT notify_player(%s, %s, %s)", player, kind, json.dumps(data))


def claimed(rig):
    """Pending pushes, by name."""
    return {r["event"]: r for r in rig.rows("SELECT * FROM do_delivery_claim(10)")}


def says(rig, player, wanted=(), unwanted=()):
    return json.loads(
        rig.row("SELECT * FROM do_push_settings(%s, %s, %s)", player, list(wanted), list(unwanted))["body"]
    )


def test_a_new_kind_needs_only_a_row(rig, device):
    player, _ = device
    notify(rig, player, "level", level=7, room="oasis")
    assert claimed(rig) == {}, "no row, no push"
    rig.rows("""INSERT INTO push_kinds (kind, notification, needs, urgent, ttl_s, topic)
                VALUES ('seven', 'level', '{"level": 7}', false, 600, 'room')""")
    notify(rig, player, "level", level=6, room="oasis")
    notify(rig, player, "level", level=7, room="oasis")
    (push,) = claimed(rig).values()
    assert (push["event"], push["kind"], push["topic"], push["urgent"]) == (
        "seven",
        "fcm",
        "seven-oasis",
        False,
    )
    assert 590 <= push["ttl_s"] <= 600 and json.loads(push["body"]) == {"level": 7, "room": "oasis"}


def test_an_opt_in_kind_is_pushed_only_to_players_who_enabled_it(rig, device):
    player, _ = device
    rig.rows(
        "INSERT INTO push_kinds (kind, notification, urgent, ttl_s, wanted) VALUES ('level', 'level', true,"
        " 600, false)"
    )
    notify(rig, player, "level", level=2)
    assert claimed(rig) == {}
    assert says(rig, player, wanted=["push_level"])["push_level"] is True
    notify(rig, player, "level", level=3)
    push = claimed(rig)["level"]
    assert push["topic"] == "level" and push["urgent"] is True
    assert says(rig, player, unwanted=["push_level"])["push_level"] is False
    notify(rig, player, "level", level=4)
    assert claimed(rig) == {}


def test_one_notification_can_be_pushed_as_two_kinds(rig, device):
    player, _ = device
    rig.rows("""INSERT INTO push_kinds (kind, notification, needs, urgent, ttl_s) VALUES
                ('round', 'level', '{}', false, 600), ('first', 'level', '{"level": 1}', true, 600)""")
    notify(rig, player, "level", level=1)
    assert set(claimed(rig)) == {"round", "first"}


@pytest.mark.parametrize("kind", ["your_turn", "tournament_table"])
def test_pushes_about_two_tables_do_not_replace_each_other(rig, device, kind):
    player, _ = device
    for table in ("11", "12"):
        notify(rig, player, kind, table_id=table)
    assert {r["topic"] for r in rig.rows("SELECT * FROM do_delivery_claim(10)")} == {
        f"{kind}-11",
        f"{kind}-12",
    }


@pytest.mark.parametrize(
    "comes, why",
    [
        (
            "UPDATE push_devices SET here_until = now() + interval '1 hour' WHERE player_id = %(player)s",
            "the player is in the lobby",
        ),
        (
            "UPDATE tickets SET used_at = now() WHERE player_id = %(player)s AND table_id = %(table)s",
            "the player is at the table",
        ),
    ],
)
def test_a_pending_push_is_not_sent_once_its_player_has_arrived(rig, device, comes, why):
    player, _ = device
    table = rig.table_of(player, rig.player())
    rig.rows(
        "INSERT INTO tickets (id, table_id, player_id, seat, expires_at, used_at) SELECT gen_random_uuid(),"
        " %s, p, 0, now(), used FROM (VALUES (%s, NULL), (%s, now() - interval '1 hour')) t (p, used)",
        table,
        player,
        player,
    )
    for kind in ("tournament_table", "friend"):
        notify(rig, player, kind, table_id=str(table), state="asks")
    assert set(claimed(rig)) == {
        "tournament_table",
        "friend",
    }, "a ticket used before it was news, and one that was not used"
    rig.rows("UPDATE deliveries SET taken = false, next_try = now()")
    rig.rows(comes % {"player": player, "table": table})
    assert claimed(rig) == {}
    assert {r["said"] for r in rig.rows("SELECT said FROM deliveries WHERE failed_at IS NOT NULL")} == {why}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE deliveries SET created_at = now() - interval '601 seconds'",
        "DELETE FROM push_kinds WHERE kind = 'level'",
    ],
)
def test_outdated_pushes_are_dropped(rig, device, change):
    player, _ = device
    rig.rows(
        "INSERT INTO push_kinds (kind, notification, urgent, ttl_s) VALUES ('level', 'level', true, 600)"
    )
    notify(rig, player, "level", level=2)
    rig.rows(change)
    assert claimed(rig) == {}
    assert [tuple(r) for r in rig.rows("SELECT failed_at IS NOT NULL, said FROM deliveries")] == [
        (True, "it is too old")
    ]


def test_settings_persist_until_they_are_changed(rig, device):
    player, _ = device
    before = says(rig, player)
    assert before == {**{f"push_{kind}": True for kind in SHIPPED}, "mail_your_turn": False, "week": True}
    assert says(rig, player, ["mail_your_turn"], ["push_season", "push_friend"]) == {
        **before,
        "mail_your_turn": True,
        "push_season": False,
        "push_friend": False,
    }
    assert says(rig, player, ["push_season"]) == {**before, "mail_your_turn": True, "push_friend": False}
    with pytest.raises(Exception, match="push_settings_setting_check"), rig.undone() as via:
        rig.rows("SELECT do_push_settings(%s, ARRAY['mail_season'], '{}')", player, via=via)


def test_each_kind_has_texts_and_a_setting(rig):
    assert {r["kind"] for r in rig.rows("SELECT kind FROM push_kinds")} == SHIPPED
    for language in (ROOT / "mail" / "templates").iterdir():
        assert {p.stem for p in language.glob("push_*.txt")} == {f"push_{kind}" for kind in SHIPPED}, (
            language.name
        )
    schemas = yaml.safe_load((ROOT / "api" / "openapi" / "schemas" / "push.yaml").read_text(encoding="utf-8"))
    settings = {f"push_{kind}" for kind in SHIPPED} | {"mail_your_turn", "week"}
    assert (
        set(schemas["NotificationSettings"]["properties"])
        == set(schemas["NotificationSettingsChange"]["properties"])
        == settings
    )
    web = ROOT / "web" / "src"
    shown = re.search(r"KINDS = \[(.*?)\]", (web / "lib" / "account" / "PushPanel.svelte").read_text())[1]
    opened = re.search(r"ADDRESSES = \{(.*?)\};", (web / "worker" / "sw.js").read_text(), re.S)[1]
    assert set(re.findall(r"'(\w+)'", shown)) == set(re.findall(r"^  (\w+):", opened, re.M)) == SHIPPED
    assert set(schemas["PushMessage"]["properties"]["kind"]["x-extensible-enum"]) == SHIPPED


def test_the_contract_has_the_kind_of_each_push_service():
    services = ROOT / "server" / "outbound"
    kinds = {
        re.search(r"\.kind = \"(\w+)\"", path.with_suffix(".c").read_text())[1]
        for path in services.glob("push_*.def")
        if path.name != "push_services.def"
    }
    schemas = yaml.safe_load((ROOT / "api" / "openapi" / "schemas" / "push.yaml").read_text(encoding="utf-8"))
    listed = schemas["Push"]["properties"]["kinds"]["items"]["x-extensible-enum"]
    assert (
        set(schemas["DeviceRequest"]["properties"]["kind"]["enum"])
        == set(schemas["Device"]["properties"]["kind"]["x-extensible-enum"])
        == set(listed)
        == kinds
    )
