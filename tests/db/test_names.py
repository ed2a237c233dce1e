"""Nicknames: one owner per key, the days between two changes, and recomputed keys."""

import json
import re
import subprocess

from db_rig import at_once, named
from support.cluster import RUMMYD

TAKEN = "SELECT key, until IS NULL AS had FROM name_keys WHERE player_id = %s ORDER BY key"


def player(rig, *names, kind="guest", via=None):
    """Creates a player with the first free name; None if all are taken."""
    return rig.one("SELECT do_create_named(%s, %s, '')", kind, f"[{','.join(names)}]", via=via)


def change(rig, player, name, by_operator=False, via=None):
    return rig.one("SELECT name_change(%s, %s, %s)", player, name, by_operator, via=via)


def keys(rig, player):
    return {row["key"]: row["had"] for row in rig.rows(TAKEN, player)}


def later(rig, days):
    """Simulates that this many days have passed."""
    rig.rows("UPDATE players SET nickname_changed_at = nickname_changed_at - make_interval(days => %s)", days)
    rig.rows("UPDATE name_keys SET until = until - make_interval(days => %s)", days)


def test_a_key_has_one_owner(rig):
    ann = player(rig, named("Ann", ["ann"]))
    assert keys(rig, ann) == {"ann": True}
    count = rig.one("SELECT count(*) FROM players")
    assert player(rig, named("ANN", ["ann"])) is None
    assert player(rig, named("Anne", ["anne", "ann"])) is None, "one key in common is enough"
    assert rig.one("SELECT count(*) FROM players") == count and rig.proof() == [], "no player was created"
    assert keys(rig, player(rig, named("Anne", ["anne"]))) == {"anne": True}


def test_the_first_free_generated_name_is_used(rig):
    player(rig, named("Guest 1", ["guest l"], given=True))
    second = player(rig, named("Guest 1", ["guest l"], given=True), named("Guest 2", ["guest 2"], given=True))
    assert rig.one("SELECT nickname FROM players WHERE id = %s", second) == "Guest 2"
    assert rig.one("SELECT nickname_given FROM players WHERE id = %s", second) is True


def test_provider_sign_in_does_not_take_another_player_s_name(rig):
    enter = (
        "SELECT (answer).code, created, (answer).nickname FROM do_enter_identity('https://x', 's', NULL, %s,"
        " 'en', NULL, %s, %s, NULL, NULL, NULL, 'X')"
    )
    player(rig, named("Guest 1", ["guest l"], given=True))
    count = rig.one("SELECT count(*) FROM players")
    one, two = named("Guest 1", ["guest l"], given=True), named("Guest 2", ["guest 2"], given=True)
    assert rig.row(enter, f"[{one}]", b"d" * 32, b"t" * 32) == ["name_taken", False, None]
    assert rig.one("SELECT count(*) FROM players") == count and rig.rows("SELECT * FROM identities") == []
    assert rig.row(enter, f"[{one},{two}]", b"d" * 32, b"t" * 32) == ["ok", True, "Guest 2"]
    rig.rows("DELETE FROM identities")


def test_concurrent_requests_give_a_name_to_one_player(rig):
    found = at_once(rig, *[lambda via: player(rig, named("Ann", ["ann", "onn"]), via=via)] * 8)
    assert sorted(each is None for each in found) == [False] + [True] * 7, found
    people = [player(rig, named(f"P{n}", [f"p{n}"])) for n in range(6)]
    names = [named("Bo", ["bo", "b0"]), named("B0", ["b0", "bo"])]
    done = at_once(rig, *[lambda via, n=n: change(rig, people[n], names[n % 2], via=via) for n in range(6)])
    assert sorted(done) == ["name_taken"] * 5 + ["ok"]
    assert rig.one("SELECT count(*) FROM name_keys WHERE key IN ('bo', 'b0')") == 2


def test_a_name_may_be_changed_every_thirty_days(rig):
    ann = player(rig, named("Ann", ["ann"]))
    assert change(rig, ann, named("Bea", ["bea"])) == "ok"
    assert change(rig, ann, named("Cleo", ["cleo"])) == "name_too_soon"
    assert rig.one(
        "SELECT nickname_changes_at / 1000 - extract(epoch FROM now()) BETWEEN 86400 * 30 - 60 AND 86400 * 30"
        " FROM q_me(%s)",
        ann,
    )
    assert change(rig, ann, named("Bea", ["bea"])) == "ok", "an unchanged name"
    later(rig, 29)
    assert change(rig, ann, named("Cleo", ["cleo"])) == "name_too_soon"
    later(rig, 1)
    assert rig.one("SELECT nickname_changes_at FROM q_me(%s)", ann) is None
    assert change(rig, ann, named("Cleo", ["cleo"])) == "ok"
    rig.rows("UPDATE settings SET value = '0' WHERE name = 'name_change_days'")
    assert change(rig, ann, named("Dora", ["dora"])) == "ok"


def test_the_old_name_remains_reserved_for_its_owner(rig):
    ann, eve = player(rig, named("Ann", ["ann"])), player(rig, named("Eve", ["eve"]))
    assert change(rig, ann, named("Bea", ["bea"])) == "ok"
    assert keys(rig, ann) == {"ann": False, "bea": True}
    assert change(rig, eve, named("Ann", ["ann"])) == "name_taken"
    assert player(rig, named("Ann", ["ann"])) is None
    assert (
        keys(rig, eve) == {"eve": True}
        and rig.one("SELECT nickname FROM players WHERE id = %s", eve) == "Eve"
    )
    assert change(rig, ann, named("Ann", ["ann"]), by_operator=True) == "ok", "its owner can reclaim it"
    assert keys(rig, ann) == {"ann": True, "bea": False}
    later(rig, 30)
    assert change(rig, eve, named("Bea", ["bea"])) == "ok"
    assert keys(rig, ann) == {"ann": True}


def test_a_change_of_case_alone_keeps_the_key(rig):
    ann = player(rig, named("ann", ["ann"]))
    assert change(rig, ann, named("Ann", ["ann"])) == "ok"
    assert keys(rig, ann) == {"ann": True}


def test_the_first_change_of_a_generated_name_is_free_and_releases_it(rig):
    guest = player(rig, named("Guest 1", ["guest l"], given=True))
    assert change(rig, guest, named("Ann", ["ann"])) == "ok"
    assert keys(rig, guest) == {"ann": True}
    assert rig.one("SELECT nickname_changes_at FROM q_me(%s)", guest) is None
    assert change(rig, guest, named("Bea", ["bea"])) == "ok"
    assert change(rig, guest, named("Cleo", ["cleo"])) == "name_too_soon"


def test_an_operators_change_does_not_count(rig):
    ann = player(rig, named("Ann", ["ann"]))
    assert change(rig, ann, named("Bea", ["bea"])) == "ok"
    assert change(rig, ann, named("Cleo", ["cleo"]), by_operator=True) == "ok"
    later(rig, 30)
    assert change(rig, ann, named("Dora", ["dora"])) == "ok"


def test_an_upgrade_with_a_taken_name_or_address_changes_nothing(rig):
    player(rig, named("Bea", ["bea"]))
    ann, eve = player(rig, named("Ann", ["ann"])), player(rig, named("Eve", ["eve"]))
    upgrade = "SELECT code FROM do_enter_upgraded(%s, %s, 'hash', %s, NULL, NULL, %s, %s, NULL, NULL, NULL)"
    assert rig.one(upgrade, ann, "a@example.org", named("Bea", ["bea"]), b"d" * 32, b"t" * 32) == "name_taken"
    assert rig.one(upgrade, ann, "a@example.org", named("Cleo", ["cleo"]), b"d" * 32, b"t" * 32) == "ok"
    assert (
        rig.one(upgrade, eve, "a@example.org", named("Dora", ["dora"]), b"e" * 32, b"u" * 32) == "email_taken"
    )
    assert keys(rig, eve) == {"eve": True}
    assert rig.row("SELECT nickname, kind FROM players WHERE id = %s", eve) == ["Eve", "guest"]


def test_abandoned_names_are_purged(rig):
    ann = player(rig, named("Ann", ["ann"]))
    assert change(rig, ann, named("Bea", ["bea"])) == "ok"
    rig.rows("SELECT do_purge(100)")
    assert keys(rig, ann) == {"ann": False, "bea": True}
    later(rig, 31)
    assert rig.one("SELECT do_purge(100)") == 1
    assert keys(rig, ann) == {"bea": True}


# --- other similarity tables -------------------------------------------------------------------


def migrate(rig):
    done = subprocess.run(
        [RUMMYD, "migrate", f"--db={rig.cluster.conninfo(rig.name)}"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return [line for line in done.splitlines() if line.startswith("names:")]


def test_outdated_keys_are_recomputed_and_collisions_reported(rig):
    assert re.fullmatch(r"\d+, ICU [\d.]+", rig.one("SELECT names_by FROM schema_state"))
    people = [
        player(rig, named(*each))
        for each in (
            ("Alice", ["one"]),
            ("\u0410lice", ["two"]),
            ("Bob", ["alice"]),
            ("corn", ["three"]),
            ("com", ["four"]),
        )
    ]
    assert rig.one("SELECT names_by FROM schema_state") is None, "a name by another version was taken"
    mixed, com = people[1], people[4]
    assert migrate(rig) == [
        "names: recomputed 5, of which 2 look like an earlier player's",
        f"names: player {mixed}",
        f"names: player {com}",
    ]
    assert [keys(rig, each) for each in people] == [{"alice": True}, {}, {"bob": True}, {"corn": True}, {}]
    assert [row[0] for row in rig.rows("SELECT nickname FROM players ORDER BY id")] == [
        "Alice",
        "\u0410lice",
        "Bob",
        "corn",
        "com",
    ]
    assert migrate(rig) == [], "done once"
    assert change(rig, mixed, named("Vera", ["vera"])) == "ok" and keys(rig, mixed) == {"vera": True}


def test_a_batch_skips_players_who_were_renamed_meanwhile(rig):
    ann = player(rig, named("Ann", ["ann"]))
    was = json.dumps([{"was": "Anne", "folded": "anne", "keys": ["anne"]}])
    assert rig.rows("SELECT * FROM do_rekey_names(%s, %s)", [ann], was) == []
    assert keys(rig, ann) == {"ann": True}


def test_names_are_recomputed_over_several_batches(rig):
    rig.rows("SELECT do_create_player('guest', 'Player ' || n, '') FROM generate_series(1, 450) n")
    rig.rows("UPDATE schema_state SET names_by = NULL")
    assert migrate(rig) == ["names: recomputed 450, of which 0 look like an earlier player's"]
    assert rig.one("SELECT count(DISTINCT player_id) FROM name_keys") == 450
