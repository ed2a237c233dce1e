"""Guests, registration, log-in and its locks, refresh tokens."""

import concurrent.futures
import hashlib
import secrets
import uuid


def sha(text):
    return hashlib.sha256(text.encode()).digest()


def guest(rig, device, via=None):
    return rig.row("SELECT * FROM do_guest(%s, 'Ann', 'fox')", sha(device), via=via)


def register(rig, email="Bob@Example.org"):
    return rig.row("SELECT * FROM do_register(%s, 'hash', 'Bob', 'owl')", email)


def login(rig, email="bob@example.org", address="10.0.0.1", device=None, via=None):
    return rig.row("SELECT * FROM do_login_begin(%s, %s, %s)", email, address, device and sha(device), via=via)


def fail(rig, email="bob@example.org", address="10.0.0.1", device=None):
    """A log-in that is let through and whose password is wrong."""
    begun = login(rig, email, address, device)
    assert begun["code"] == "ok"
    rig.rows("SELECT do_login_failed(%s)", begun["attempt"])


def enter(rig, player, email="bob@example.org", address="10.0.0.1", device=None, new_device="e0"):
    """A log-in whose password is right; its device has the token new_device from now on."""
    begun = login(rig, email, address, device)
    assert begun["code"] == "ok" and begun["player_id"] == player
    return rig.one("SELECT code FROM do_enter_login(%s, %s, %s, %s, %s, %s)", begun["attempt"], player, device and sha(device),
                   sha(new_device), secrets.token_bytes(32), str(uuid.uuid4()))


def later(rig, interval):
    rig.rows(f"UPDATE login_attempts SET at = at - interval '{interval}'")


def test_a_new_player_has_a_hundred_silver_by_one_transfer(rig):
    player = guest(rig, "d1")["player_id"]
    assert rig.purse(player) == (100, 0)
    assert rig.rows("SELECT key, cause FROM transfers") == [[f"welcome:{player}", "welcome"]]
    assert rig.house("welcome", "silver") == -100
    assert rig.row("SELECT level, level_points, clover_points, kind FROM players WHERE id = %s", player) == [1, 0, 0, "guest"]
    assert rig.proof() == []


def test_a_device_is_one_guest(rig):
    first, again, other = guest(rig, "d1"), guest(rig, "d1"), guest(rig, "d2")
    assert (first["created"], again["created"], other["created"]) == (True, False, True)
    assert first["player_id"] == again["player_id"] != other["player_id"]
    rig.rows("UPDATE players SET banned_at = now() WHERE id = %s", first["player_id"])
    assert guest(rig, "d1")["code"] == "banned"
    rig.rows("UPDATE players SET deleted_at = now() WHERE id = %s", other["player_id"])
    assert guest(rig, "d2")["created"], "a deleted account is not found again"


def test_an_address_registers_once_whatever_its_case(rig):
    first = register(rig)
    assert (first["code"], first["role"]) == ("ok", "player")
    assert register(rig, "bob@example.ORG")["code"] == "email_taken"
    assert rig.one("SELECT count(*) FROM players") == 1, "no player without credentials is left behind"
    assert rig.one("SELECT count(*) FROM transfers") == 1
    assert rig.proof() == []


def test_login_finds_the_hash(rig):
    unknown = login(rig)
    assert (unknown["code"], unknown["player_id"], unknown["password_hash"]) == ("ok", None, None), "not told from a known one"
    player = register(rig)["player_id"]
    begun = login(rig, "BOB@example.org")
    assert (begun["code"], begun["player_id"], begun["password_hash"], begun["retry_s"]) == ("ok", player, "hash", 0)
    rig.rows("UPDATE players SET banned_at = now()")
    assert login(rig)["code"] == "ok", "said only to who knows the password"
    assert enter(rig, player) == "banned"
    rig.rows("UPDATE players SET deleted_at = now()")
    assert login(rig)["player_id"] is None


def test_five_failures_lock_an_account_for_a_quarter_of_an_hour_where_they_came_from(rig):
    player = register(rig)["player_id"]
    for _ in range(5):
        fail(rig, address="10.6.6.6")
    locked = login(rig, "BOB@example.org", "10.6.6.6")
    assert locked["code"] == "account_locked" and 890 <= locked["retry_s"] <= 900
    assert (locked["attempt"], locked["player_id"], locked["password_hash"]) == (None, None, None)
    assert login(rig, "other@example.org", "10.6.6.6")["code"] == "ok"
    assert enter(rig, player, address="10.0.0.1") == "ok", "the owner is somewhere else"
    assert login(rig, address="10.6.6.6")["code"] == "account_locked", "the owner's log-in opens nothing for a stranger"
    later(rig, "15 minutes")
    assert login(rig, address="10.6.6.6")["code"] == "ok"


def test_an_account_that_is_not_there_is_locked_alike(rig):
    for _ in range(5):
        fail(rig, "nobody@example.org")
    assert login(rig, "Nobody@example.org")["code"] == "account_locked"


def test_a_refused_log_in_counts_nothing(rig):
    for _ in range(5):
        fail(rig)
    for _ in range(30):
        assert login(rig)["code"] == "account_locked"
    assert rig.one("SELECT count(*) FROM login_attempts") == 5


def test_what_is_being_compared_counts_and_says_to_come_back_soon(rig):
    begun = [login(rig) for _ in range(5)]
    waits = login(rig)
    assert waits["code"] == "account_locked" and 1 <= waits["retry_s"] <= 2
    for row in begun[:4]:
        rig.rows("SELECT do_login_failed(%s)", row["attempt"])
    assert login(rig)["retry_s"] <= 2, "four have failed: the fifth decides"
    rig.rows("SELECT do_login_failed(%s)", begun[4]["attempt"])
    assert login(rig)["retry_s"] > 890


def test_a_comparison_that_never_ended_counts_as_a_failure(rig):
    for _ in range(5):
        assert login(rig)["code"] == "ok"
    later(rig, "11 seconds")
    assert 880 <= login(rig)["retry_s"] <= 890


def test_of_fifty_at_once_five_are_let_through(rig):
    """The numbers hold however many sessions ask in the same instant."""
    register(rig)
    sessions = [rig.connect() for _ in range(10)]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        codes = [code for part in pool.map(lambda via: [login(rig, via=via)["code"] for _ in range(5)], sessions) for code in part]
    for via in sessions:
        via.close()
    assert sorted(set(codes)) == ["account_locked", "ok"] and codes.count("ok") == 5


def test_of_fifty_accounts_at_once_from_one_address_twenty_are_let_through(rig):
    sessions = [rig.connect() for _ in range(10)]
    names = [[f"n{i}-{j}@example.org" for j in range(5)] for i in range(10)]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        parts = pool.map(lambda both: [login(rig, name, via=both[0])["code"] for name in both[1]], zip(sessions, names))
        codes = [code for part in parts for code in part]
    for via in sessions:
        via.close()
    assert sorted(set(codes)) == ["address_locked", "ok"] and codes.count("ok") == 20


def test_a_success_forgets_its_source_s_failures_and_no_others(rig):
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


def test_a_known_device_is_locked_out_by_nobody_else(rig):
    player = register(rig)["player_id"]
    enter(rig, player, new_device="d1")
    for _ in range(5):
        fail(rig)  # a stranger behind the same address
    for n in range(15):
        fail(rig, f"x{n}@example.org")
    assert login(rig)["code"] == "account_locked" and login(rig, "z@example.org")["code"] == "address_locked"
    for _ in range(5):
        fail(rig, device="d1")
    assert login(rig, device="d1")["code"] == "account_locked", "it has five tries of its own"
    later(rig, "15 minutes")
    assert enter(rig, player, device="d1", new_device="d2") == "ok"
    assert [(bytes(token), owner) for token, owner in rig.rows("SELECT token_hash, player_id FROM known_devices")] == [(sha("d2"), player)], "a token is good for one log-in"


def test_a_device_is_known_to_the_accounts_it_entered_alone(rig):
    bob = register(rig)["player_id"]
    eve = register(rig, "eve@example.org")["player_id"]
    enter(rig, eve, "eve@example.org", "10.6.6.6", new_device="evil")
    for _ in range(5):
        fail(rig, address="10.6.6.6", device="evil")
    assert login(rig, address="10.6.6.6", device="evil")["code"] == "account_locked"
    assert enter(rig, bob, device="evil", new_device="both") == "ok"
    assert rig.rows("SELECT player_id FROM known_devices WHERE token_hash = %s ORDER BY 1", sha("both")) == [[bob], [eve]]


def test_a_hundred_failures_from_everywhere_in_a_day_lock_unknown_devices_out(rig):
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


def test_an_account_knows_its_latest_devices_for_half_a_year(rig):
    player = register(rig)["player_id"]
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'known_devices_max'")
    for n in range(5):
        enter(rig, player, new_device=f"d{n}")
        rig.rows("UPDATE known_devices SET used_at = used_at - interval '1 minute'")
    hashes = {bytes(row[0]) for row in rig.rows("SELECT token_hash FROM known_devices")}
    assert hashes == {sha("d2"), sha("d3"), sha("d4")}
    rig.rows("UPDATE known_devices SET used_at = now() - interval '181 days' WHERE token_hash = %s", sha("d4"))
    for _ in range(5):
        fail(rig, device="d4")
    assert rig.one("SELECT count(*) FROM login_attempts WHERE device_hash IS NOT NULL") == 0
    assert rig.one("SELECT do_purge(1000)") == 1


FAMILY = "00000000-0000-4000-8000-00000000000a"


def rotate(rig, old, new):
    return rig.one("SELECT code FROM do_refresh_rotate(%s, %s)", sha(old), sha(new))


def test_refresh_tokens_rotate_and_reuse_revokes_the_family(rig):
    player = guest(rig, "d1")["player_id"]
    rig.rows("SELECT do_refresh_issue(%s, %s, %s)", player, sha("r1"), FAMILY)
    assert rotate(rig, "r0", "x") == "token_unknown"
    assert rotate(rig, "r1", "r2") == "ok"
    assert rotate(rig, "r2", "r3") == "ok"
    assert rotate(rig, "r1", "thief") == "token_reused"
    assert rotate(rig, "r3", "r4") == "token_revoked"
    assert rotate(rig, "thief", "x") == "token_unknown"


def test_refresh_tokens_end(rig):
    player = guest(rig, "d1")["player_id"]
    rig.rows("SELECT do_refresh_issue(%s, %s, %s)", player, sha("r1"), FAMILY)
    rig.rows("UPDATE refresh_tokens SET expires_at = now()")
    assert rotate(rig, "r1", "r2") == "token_expired"
    rig.rows("SELECT do_refresh_issue(%s, %s, %s)", player, sha("s1"), FAMILY)
    assert rig.one("SELECT code FROM do_refresh_revoke(%s)", sha("s1")) == "ok"
    assert rig.one("SELECT code FROM do_refresh_revoke(%s)", sha("nothing")) == "token_unknown"
    assert rotate(rig, "s1", "s2") == "token_revoked"


def test_what_has_expired_is_purged_a_bounded_number_at_a_time(rig):
    player = guest(rig, "d1")["player_id"]
    for n in range(3):
        rig.rows("SELECT do_refresh_issue(%s, %s, %s)", player, sha(f"r{n}"), FAMILY)
        fail(rig)
        rig.sit(player)
    assert rig.one("SELECT do_purge(1000)") == 0
    rig.rows("UPDATE refresh_tokens SET expires_at = now() - interval '1 s'; UPDATE login_attempts SET at = at - interval '1 day';"
             "UPDATE idempotency SET at = at - interval '2 days'; UPDATE tickets SET expires_at = now() - interval '2 days'")
    assert rig.one("SELECT do_purge(1)") == 4
    assert rig.one("SELECT do_purge(1000)") == 2 + 2 + 2 + 2
    assert rig.one("SELECT do_purge(1000)") == 0
