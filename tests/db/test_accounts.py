"""Guests, registration, sign-in and its locks, refresh tokens."""

import concurrent.futures
import hashlib
import secrets

from db_rig import named
from support.chips import WELCOME_SILVER


def sha(text):
    return hashlib.sha256(text.encode()).digest()


def guest(rig, secret=None, follows="d1", token="t1"):
    """Signs in with a device's secret, or as a new guest. `follows`: the next secret."""
    enter = "SELECT * FROM do_enter_guest(%s, %s, %s, 'fox', %s, 'Firefox', 'Linux', '203.0.113.7', 'en')"
    return rig.row(
        enter, sha(secret) if secret is not None else None, sha(follows), f"[{named('Ann')}]", sha(token)
    )


def register(rig, email="Bob@Example.org"):
    return rig.row("SELECT * FROM do_register(%s, 'hash', %s, 'owl')", email, f"[{named('Bob')}]")


def login(rig, email="bob@example.org", address="10.0.0.1", device=None, via=None):
    return rig.row(
        "SELECT * FROM do_login_begin(%s, %s, %s)", email, address, device and sha(device), via=via
    )


def fail(rig, email="bob@example.org", address="10.0.0.1", device=None):
    """Signs in with a wrong password; the sign-in passes the lock."""
    begun = login(rig, email, address, device)
    assert begun["code"] == "ok"
    rig.rows("SELECT do_login_failed(%s)", begun["attempt"])


def enter(rig, player, email="bob@example.org", address="10.0.0.1", device=None, new_device="e0"):
    """Signs in with the right password; its device has the token new_device from now on."""
    begun = login(rig, email, address, device)
    assert begun["code"] == "ok" and begun["player_id"] == player
    return rig.one(
        "SELECT code FROM do_enter_login(%s, %s, %s, %s, %s, NULL, NULL, NULL)",
        begun["attempt"],
        player,
        device and sha(device),
        sha(new_device),
        secrets.token_bytes(32),
    )


def later(rig, interval):
    rig.rows(f"UPDATE login_attempts SET at = at - interval '{interval}'")


def test_a_new_player_gets_the_welcome_silver_in_one_transfer(rig):
    player = guest(rig)["id"]
    assert rig.purse(player) == (WELCOME_SILVER, 0)
    assert rig.rows("SELECT key, cause FROM transfers") == [[f"welcome:{player}", "welcome"]]
    assert rig.house("welcome", "silver") == -WELCOME_SILVER
    assert rig.row("SELECT level, level_points, clover_points, kind FROM players WHERE id = %s", player) == [
        1,
        0,
        0,
        "guest",
    ]
    assert rig.proof() == []


def test_one_device_is_one_guest(rig):
    first, other = guest(rig), guest(rig, None, "e1", "t2")
    assert first["id"] != other["id"]
    assert guest(rig, "d1", "d2", "t3")["id"] == guest(rig, "d2", "d3", "t4")["id"] == first["id"]
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", first["id"])
    assert guest(rig, "d3", "d4", "t5")["code"] == "banned"
    rig.rows("UPDATE players SET deleted_at = now() WHERE id = %s", other["id"])
    assert guest(rig, "e1", "e2", "t6")["code"] == "device_unknown", "a deleted account is not found again"
    assert rig.one("SELECT count(*) FROM players") == 2


def test_unknown_device_secrets_are_refused(rig):
    guest(rig)
    for made_up in ("", "0" * 43, "d2", "unknown"):
        assert guest(rig, made_up, "x", "t9")["code"] == "device_unknown"
    assert rig.one("SELECT count(*) FROM players") == 1 == rig.one("SELECT count(*) FROM sessions")


def test_a_replaced_device_secret_remains_valid_for_a_day(rig):
    first = guest(rig)["id"]
    for n in range(3):
        assert guest(rig, "d1", "d2", f"u{n}")["id"] == first
    rig.rows("UPDATE guest_devices SET replaced_at = replaced_at - interval '1 day' + interval '1 minute'")
    assert guest(rig, "d1", "d2", "u4")["id"] == first
    rig.rows("UPDATE guest_devices SET replaced_at = now() - interval '1 day'")
    assert guest(rig, "d1", "d2", "u5")["code"] == "device_unknown"
    assert guest(rig, "d2", "d3", "u6")["id"] == first, "an old secret ends nothing"
    assert guest(rig, "d1", "d2", "u7")["code"] == "device_unknown", "its successor was used"
    # After a change of the signing key, a different secret comes next and replaces the lost one.
    assert guest(rig, "d2", "new-key", "u8")["id"] == first
    assert guest(rig, "d3", "x", "u9")["code"] == "device_unknown"
    assert guest(rig, "new-key", "y", "u10")["id"] == first


def test_an_address_registers_once_regardless_of_case(rig):
    first = register(rig)
    assert (first["code"], first["role"]) == ("ok", "player")
    assert register(rig, "bob@example.ORG")["code"] == "email_taken"
    assert rig.one("SELECT count(*) FROM players") == 1, "no player without credentials is left behind"
    assert rig.one("SELECT count(*) FROM transfers") == 1
    assert rig.proof() == []


def test_login_finds_the_hash(rig):
    unknown = login(rig)
    assert (unknown["code"], unknown["player_id"], unknown["password_hash"]) == (
        "ok",
        None,
        None,
    ), "indistinguishable from a known one"
    player = register(rig)["player_id"]
    begun = login(rig, "BOB@example.org")
    assert (begun["code"], begun["player_id"], begun["password_hash"], begun["retry_s"]) == (
        "ok",
        player,
        "hash",
        0,
    )
    rig.rows("UPDATE players SET banned_at = now()")
    assert login(rig)["code"] == "ok", "revealed only with the right password"
    assert enter(rig, player) == "banned"
    rig.rows("UPDATE players SET deleted_at = now()")
    assert login(rig)["player_id"] is None


def test_five_failures_lock_an_account_for_their_source_for_15_minutes(rig):
    player = register(rig)["player_id"]
    for _ in range(5):
        fail(rig, address="10.6.6.6")
    locked = login(rig, "BOB@example.org", "10.6.6.6")
    assert locked["code"] == "account_locked" and 890 <= locked["retry_s"] <= 900
    assert (locked["attempt"], locked["player_id"], locked["password_hash"]) == (None, None, None)
    assert login(rig, "other@example.org", "10.6.6.6")["code"] == "ok"
    assert enter(rig, player, address="10.0.0.1") == "ok", "the owner is at another address"
    assert login(rig, address="10.6.6.6")["code"] == "account_locked", (
        "the owner's sign-in unlocks nothing for a stranger"
    )
    later(rig, "15 minutes")
    assert login(rig, address="10.6.6.6")["code"] == "ok"


def test_an_unknown_account_is_locked_in_the_same_way(rig):
    for _ in range(5):
        fail(rig, "nobody@example.org")
    assert login(rig, "Nobody@example.org")["code"] == "account_locked"


def test_a_refused_sign_in_does_not_count_as_a_failure(rig):
    for _ in range(5):
        fail(rig)
    for _ in range(30):
        assert login(rig)["code"] == "account_locked"
    assert rig.one("SELECT count(*) FROM login_attempts") == 5


def test_pending_password_checks_count_and_give_a_short_retry_delay(rig):
    begun = [login(rig) for _ in range(5)]
    waits = login(rig)
    assert waits["code"] == "account_locked" and 1 <= waits["retry_s"] <= 2
    for row in begun[:4]:
        rig.rows("SELECT do_login_failed(%s)", row["attempt"])
    assert login(rig)["retry_s"] <= 2, "four have failed: the fifth decides"
    rig.rows("SELECT do_login_failed(%s)", begun[4]["attempt"])
    assert login(rig)["retry_s"] > 890


def test_an_unfinished_password_check_counts_as_a_failure(rig):
    for _ in range(5):
        assert login(rig)["code"] == "ok"
    later(rig, "11 seconds")
    assert 880 <= login(rig)["retry_s"] <= 890


def test_five_of_fifty_concurrent_sign_ins_are_let_through(rig):
    """The limits hold however many sessions call at the same moment."""
    register(rig)
    sessions = [rig.connect() for _ in range(10)]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        codes = [
            code
            for part in pool.map(lambda via: [login(rig, via=via)["code"] for _ in range(5)], sessions)
            for code in part
        ]
    for via in sessions:
        via.close()
    assert sorted(set(codes)) == ["account_locked", "ok"] and codes.count("ok") == 5


def test_one_address_gets_twenty_of_fifty_concurrent_sign_ins_through(rig):
    sessions = [rig.connect() for _ in range(10)]
    names = [[f"n{i}-{j}@example.org" for j in range(5)] for i in range(10)]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        parts = pool.map(
            lambda both: [login(rig, name, via=both[0])["code"] for name in both[1]], zip(sessions, names)
        )
        codes = [code for part in parts for code in part]
    for via in sessions:
        via.close()
    assert sorted(set(codes)) == ["address_locked", "ok"] and codes.count("ok") == 20


def test_a_success_clears_only_the_failures_of_its_source(rig):
    player = register(rig)["player_id"]
    for _ in range(4):
        fail(rig)
        fail(rig, address="10.6.6.6")
    assert enter(rig, player) == "ok"
    assert rig.rows("SELECT source, count(*) FROM login_attempts GROUP BY source") == [["10.6.6.6", 4]]
    for _ in range(5):
        fail(rig)
    assert login(rig)["code"] == "account_locked"


def test_twenty_failures_lock_an_address(rig):
    for n in range(20):
        fail(rig, f"x{n}@example.org")
    assert login(rig, "y@example.org")["code"] == "address_locked"
    assert login(rig, "y@example.org", address="10.0.0.2")["code"] == "ok"


def test_failures_of_others_do_not_lock_out_a_known_device(rig):
    player = register(rig)["player_id"]
    enter(rig, player, new_device="d1")
    for _ in range(5):
        fail(rig)  # a stranger behind the same address
    for n in range(15):
        fail(rig, f"x{n}@example.org")
    assert login(rig)["code"] == "account_locked" and login(rig, "z@example.org")["code"] == "address_locked"
    for _ in range(5):
        fail(rig, device="d1")
    assert login(rig, device="d1")["code"] == "account_locked", "each device gets five attempts"
    later(rig, "15 minutes")
    assert enter(rig, player, device="d1", new_device="d2") == "ok"
    assert [
        (bytes(token), owner) for token, owner in rig.rows("SELECT token_hash, player_id FROM known_devices")
    ] == [(sha("d2"), player)], "a token is valid for one sign-in"


def test_a_device_is_known_only_to_the_accounts_it_signed_in_to(rig):
    bob = register(rig)["player_id"]
    eve = register(rig, "eve@example.org")["player_id"]
    enter(rig, eve, "eve@example.org", "10.6.6.6", new_device="evil")
    for _ in range(5):
        fail(rig, address="10.6.6.6", device="evil")
    assert login(rig, address="10.6.6.6", device="evil")["code"] == "account_locked"
    assert enter(rig, bob, device="evil", new_device="both") == "ok"
    assert rig.rows("SELECT player_id FROM known_devices WHERE token_hash = %s ORDER BY 1", sha("both")) == [
        [bob],
        [eve],
    ]


def test_a_hundred_failures_in_a_day_lock_out_unknown_devices(rig):
    player = register(rig)["player_id"]
    enter(rig, player, new_device="d1")
    for n in range(25):
        for _ in range(4):
            fail(rig, address=f"10.6.6.{n}")
    locked = login(rig, address="10.7.7.7")
    assert locked["code"] == "account_locked" and 86300 < locked["retry_s"] <= 86400
    assert enter(rig, player, address="10.7.7.7", device="d1", new_device="d2") == "ok"
    assert login(rig, "other@example.org", "10.7.7.7")["code"] == "ok"
    later(rig, "1 day")
    assert login(rig, address="10.7.7.7")["code"] == "ok"


def test_an_account_remembers_its_latest_devices_for_half_a_year(rig):
    player = register(rig)["player_id"]
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'known_devices_max'")
    for n in range(5):
        enter(rig, player, new_device=f"d{n}")
        rig.rows("UPDATE known_devices SET used_at = used_at - interval '1 minute'")
    hashes = {bytes(row[0]) for row in rig.rows("SELECT token_hash FROM known_devices")}
    assert hashes == {sha("d2"), sha("d3"), sha("d4")}
    rig.rows(
        "UPDATE known_devices SET used_at = now() - interval '181 days' WHERE token_hash = %s", sha("d4")
    )
    for _ in range(5):
        fail(rig, device="d4")
    assert rig.one("SELECT count(*) FROM login_attempts WHERE device_hash IS NOT NULL") == 0
    assert rig.one("SELECT do_purge(1000)") == 1


# --- sessions


def renew(rig, old, new, address="198.51.100.9"):
    return tuple(
        rig.row(
            "SELECT code, session_id, ended FROM do_enter_refresh(%s, %s, %s)", sha(old), sha(new), address
        )
    )


def renewed(rig, old, new):
    return renew(rig, old, new)[0]


def begin(rig, player, token, address=None):
    return rig.one("SELECT session_begin(%s, %s, NULL, NULL, %s)", player, sha(token), address)


def used_ago(rig, by):
    """Moves the last use of all tokens back by this interval."""
    rig.rows("UPDATE refresh_tokens SET used_at = used_at - %s::interval", by)


def listed(rig, player, asking=None):
    return rig.one("SELECT body::json FROM q_sessions(%s, %s)", player, asking)["items"]


def test_refresh_tokens_rotate_and_reuse_ends_the_session(rig):
    session = guest(rig)["session_id"]
    assert renewed(rig, "t0", "x") == "token_unknown"
    assert renew(rig, "t1", "t2") == ("ok", session, None)
    assert renewed(rig, "t2", "t3") == "ok"
    assert renew(rig, "t1", "t2") == ("token_reused", session, [session]), "its successor was used"
    assert renewed(rig, "t3", "t4") == "token_revoked"
    assert renewed(rig, "t4", "x") == "token_unknown"


def test_a_used_refresh_token_can_be_repeated_for_ten_seconds(rig):
    guest(rig)
    for _ in range(4):
        assert renewed(rig, "t1", "t2") == "ok"
    used_ago(rig, "9 seconds")
    assert renewed(rig, "t1", "t2") == "ok"
    assert rig.one("SELECT count(*) FROM refresh_tokens") == 2, (
        "one successor, however often it was requested"
    )
    used_ago(rig, "1 second")
    assert renewed(rig, "t1", "t2") == "token_reused"
    assert renewed(rig, "t2", "t3") == "token_revoked"


def test_a_token_has_one_successor_even_if_the_signing_key_changes(rig):
    guest(rig)
    assert renewed(rig, "t1", "old-key") == renewed(rig, "t1", "new-key") == "ok"
    assert renewed(rig, "old-key", "x") == "token_unknown"
    assert renewed(rig, "new-key", "y") == "ok"


def test_a_session_ends_when_idle_and_after_its_lifetime(rig):
    player = guest(rig)["id"]
    lives = (
        "SELECT round(extract(epoch FROM idle_at - now()) / 86400), round(extract(epoch FROM over_at - now())"
        " / 86400) FROM sessions"
    )
    assert tuple(rig.row(lives)) == (30, 90)
    rig.rows(
        "UPDATE sessions SET idle_at = idle_at - interval '20 days', over_at = over_at - interval '70 days'"
    )
    assert renewed(rig, "t1", "t2") == "ok"
    assert tuple(rig.row(lives)) == (20, 20), "use never extends it beyond its lifetime"
    rig.rows("UPDATE sessions SET idle_at = now()")
    assert renewed(rig, "t2", "t3") == "session_expired"
    assert listed(rig, player) == []
    assert (
        rig.one("SELECT code FROM do_end_session(%s, (SELECT id FROM sessions))", player) == "session_unknown"
    )


def test_sessions_are_listed_with_their_details(rig):
    first = guest(rig)
    player = first["id"]
    second = begin(rig, player, "s1", "2001:db8:77:1:2:3:4:5")
    rig.rows("UPDATE sessions SET used_at = used_at - interval '1 hour' WHERE id = %s", first["session_id"])
    shown = [
        [item[name] for name in ("id", "app", "system", "network", "current")]
        for item in listed(rig, player, second)
    ]
    assert shown == [
        [str(second), None, None, "2001:db8:77::/48", True],
        [str(first["session_id"]), "Firefox", "Linux", "203.0.113.0/24", False],
    ]
    assert renewed(rig, "t1", "t2") == "ok"
    assert [item["network"] for item in listed(rig, player)] == [
        "198.51.100.0/24",
        "2001:db8:77::/48",
    ], "where it was last used"
    assert len(listed(rig, guest(rig, None, "e1", "e-t")["id"])) == 1


def test_only_shortened_networks_are_stored(rig):
    for address, network in (
        ("203.0.113.77", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.0/24"),
        ("::1", "::/48"),
        ("2001:DB8:1:2::3", "2001:db8:1::/48"),
        ("unknown", None),
        ("", None),
        ("1.2.3", None),
        ("203.0.113.7/32", None),
        (None, None),
    ):
        assert rig.one("SELECT network_of(%s)", address) == network, address


def test_sessions_end_one_by_one_or_all(rig):
    first = guest(rig)
    player = first["id"]
    more = [begin(rig, player, f"s{n}") for n in range(3)]
    stranger = guest(rig, None, "e1", "e-t")
    end = lambda session: tuple(rig.row("SELECT * FROM do_end_session(%s, %s)", player, session))
    assert end(stranger["session_id"]) == ("session_unknown", None)
    assert end(more[0]) == ("ok", [more[0]])
    assert end(more[0]) == ("session_unknown", None)
    assert renewed(rig, "s0", "x") == "token_revoked"
    end_all = lambda but: rig.one("SELECT ended FROM do_end_sessions(%s, %s)", player, but)
    assert end_all(more[1]) == [first["session_id"], more[2]]
    assert [s["id"] for s in listed(rig, player)] == [str(more[1])]
    assert end_all(None) == [more[1]] and end_all(None) == []
    assert [s["id"] for s in listed(rig, stranger["id"])] == [str(stranger["session_id"])]
    recent = lambda most: [row["id"] for row in rig.rows("SELECT id FROM q_ended_sessions(%s)", most)]
    assert recent(1000) == sorted([first["session_id"], *more]) and len(recent(2)) == 2
    rig.rows("UPDATE sessions SET ended_at = now() - interval '20 minutes' WHERE ended_at IS NOT NULL")
    assert recent(1000) == []


def test_signing_out_with_any_token_of_a_session_ends_it(rig):
    session = guest(rig)["session_id"]
    assert renewed(rig, "t1", "t2") == "ok"
    out = lambda token: rig.one("SELECT ended FROM do_logout(%s)", sha(token))
    assert (out("nothing"), out("t1"), out("t2")) == ([], [session], [])
    assert renewed(rig, "t2", "t3") == "token_revoked"


def test_the_number_of_sessions_per_player_is_limited(rig):
    player = guest(rig)["id"]
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'sessions_per_player_max'")
    later_ones = [begin(rig, player, f"s{n}") for n in range(4)]
    assert [int(s["id"]) for s in listed(rig, player)] == later_ones[:0:-1]
    assert renewed(rig, "t1", "x") == "token_revoked" == renewed(rig, "s0", "x")


def test_expired_rows_are_purged_in_limited_batches(rig):
    player = guest(rig)["id"]
    for n in range(3):
        begin(rig, player, f"r{n}")
        fail(rig)
        rig.sit(player)
    assert rig.one("SELECT do_purge(1000)") == 0
    rig.rows(
        "UPDATE sessions SET idle_at = now() - interval '1 s' WHERE app IS NULL; UPDATE login_attempts SET at"
        " = at - interval '1 day';UPDATE idempotency SET at = at - interval '2 days'; UPDATE tickets SET"
        " expires_at = now() - interval '2 days'"
    )
    assert rig.one("SELECT do_purge(1)") == 4
    assert rig.one("SELECT do_purge(1000)") == 2 + 2 + 2 + 2
    assert rig.one("SELECT do_purge(1000)") == 0


def test_the_purge_skips_locked_rows_without_waiting(rig):
    player = register(rig)["player_id"]
    for n in range(2):
        enter(rig, player, new_device=f"d{n}")
    rig.rows("UPDATE known_devices SET used_at = now() - interval '181 days'")
    with rig.undone() as other:
        rig.rows("UPDATE known_devices SET used_at = now() WHERE token_hash = %s", sha("d0"), via=other)
        rig.rows("SET lock_timeout = 1000")
        assert rig.one("SELECT do_purge(1000)") == 1
        other.commit()
    assert rig.one("SELECT do_purge(1000)") == 0
    assert [bytes(row[0]) for row in rig.rows("SELECT token_hash FROM known_devices")] == [sha("d0")]
