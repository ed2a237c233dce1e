"""Guests, registration, log-in and its locks, refresh tokens."""

import hashlib


def sha(text):
    return hashlib.sha256(text.encode()).digest()


def guest(rig, device, via=None):
    return rig.row("SELECT * FROM do_guest(%s, 'Ann', 'fox')", sha(device), via=via)


def register(rig, email="Bob@Example.org"):
    return rig.row("SELECT * FROM do_register(%s, 'hash', 'Bob', 'owl')", email)


def login(rig, email="bob@example.org", address="10.0.0.1"):
    return rig.row("SELECT * FROM q_login(%s, %s)", email, address)


def fail(rig, email="bob@example.org", address="10.0.0.1"):
    rig.rows("SELECT do_login_failed(%s, %s)", email, address)


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
    assert login(rig)["code"] == "no_such_account"
    player = register(rig)["player_id"]
    assert tuple(login(rig, "BOB@example.org"))[:4] == ("ok", player, "player", "hash")
    rig.rows("UPDATE players SET banned_at = now()")
    assert login(rig)["code"] == "banned"


def test_five_failures_lock_an_account_for_a_quarter_of_an_hour(rig):
    register(rig)
    for n in range(5):
        assert login(rig, address=f"10.0.0.{n}")["code"] == "ok"
        fail(rig, address=f"10.0.0.{n}")
    locked = login(rig, address="10.9.9.9")
    assert locked["code"] == "account_locked" and 890 <= locked["retry_s"] <= 900 and locked["password_hash"] is None
    assert login(rig, "other@example.org", "10.9.9.9")["code"] == "no_such_account"
    rig.rows("UPDATE login_failures SET at = at - interval '15 minutes'")
    assert login(rig)["code"] == "ok"


def test_a_success_forgets_the_account_s_failures_but_not_the_address_s(rig):
    register(rig)
    for _ in range(4):
        fail(rig)
    rig.rows("SELECT do_login_ok('Bob@example.org')")
    fail(rig)
    assert login(rig)["code"] == "ok"
    for n in range(15):
        fail(rig, f"x{n}@example.org")
    assert login(rig)["code"] == "address_locked"
    assert login(rig, address="10.0.0.2")["code"] == "ok"


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
    rig.rows("UPDATE refresh_tokens SET expires_at = now() - interval '1 s'; UPDATE login_failures SET at = at - interval '1 day';"
             "UPDATE idempotency SET at = at - interval '2 days'; UPDATE tickets SET expires_at = now() - interval '2 days'")
    assert rig.one("SELECT do_purge(1)") == 4
    assert rig.one("SELECT do_purge(1000)") == 2 + 5 + 2 + 2
    assert rig.one("SELECT do_purge(1000)") == 0
