"""The outbox: an email is queued together with its cause or not at all, and finished emails are purged."""

import hashlib
import re

import pytest
from db_rig import named
from sources import FILES, ROOT


def sha(text):
    return hashlib.sha256(text.encode()).digest()


def register(rig, email="Ana@Example.org", code="ok"):
    made = rig.row(
        "SELECT * FROM do_enter_registered(%s, 'hash', %s, '', NULL, NULL, %s, %s, NULL, NULL, NULL, 'en')",
        email,
        f"[{named('Ana')}]",
        sha("device" + email),
        sha("token" + email),
    )
    assert made["code"] == code
    return made["id"]


def mails(rig, player):
    return rig.rows("SELECT * FROM mails WHERE player_id = %s ORDER BY id", player)


def test_an_email_is_queued_together_with_its_cause_or_not_at_all(rig):
    player = register(rig)
    rig.rows("DELETE FROM mails")
    with rig.undone() as via:
        assert rig.one("SELECT mail_put(%s, 'a@b.example', 'verify', '{}')", player, via=via) is not None
    assert mails(rig, player) == []
    rig.rows("SELECT mail_put(%s, 'a@b.example', 'verify', %s)", player, '{"n": 1}')
    (mail,) = mails(rig, player)
    assert (mail["address"], mail["template"], mail["data"], mail["tries"]) == (
        "a@b.example",
        "verify",
        {"n": 1},
        0,
    )
    assert mail["sent_at"] is None and mail["failed_at"] is None


def test_the_default_address_is_the_account_s_and_guests_have_none(rig):
    player = register(rig)
    rig.rows("DELETE FROM mails")
    rig.rows("SELECT mail_put(%s, NULL, 'verify', '{}')", player)
    assert [mail["address"] for mail in mails(rig, player)] == ["ana@example.org"]
    guest = rig.player()
    assert rig.one("SELECT mail_put(%s, NULL, 'verify', '{}')", guest) is None
    assert mails(rig, guest) == []


def test_registration_sends_a_link_and_stores_only_its_hash(rig):
    player = register(rig)
    (mail,) = mails(rig, player)
    assert (mail["address"], mail["template"]) == ("ana@example.org", "verify")
    token = mail["data"]["token"]
    assert len(token) == 64
    kept = rig.row("SELECT *, extract(epoch FROM expires_at - now()) AS ttl_s FROM mail_proofs")
    assert bytes(kept["token_hash"]) == sha(token)
    assert (kept["player_id"], kept["kind"], kept["address"]) == (player, "verify", "ana@example.org")
    assert 86390 < kept["ttl_s"] <= 86400
    rig.rows("SELECT mail_proof_send(%s, 'verify', 'ana@example.org', 'verify', '{}')", player)
    assert len(mails(rig, player)) == 2
    newest = rig.row("SELECT token_hash FROM mail_proofs")
    assert bytes(newest[0]) != sha(token), "the newest link counts, no other"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("verify", "mail_verify_s"),
        ("change", "mail_verify_s"),
        ("reset", "mail_reset_s"),
        ("unlock", "mail_unlock_s"),
        ("undo", "mail_undo_s"),
    ],
)
def test_a_link_states_how_long_it_is_valid(rig, kind, name):
    player = register(rig)
    rig.rows("UPDATE settings SET value = '7200' WHERE name = %s", name)
    rig.rows("DELETE FROM mails")
    rig.rows("SELECT mail_proof_send(%s, %s, 'ana@example.org', 'verify', '{}')", player, kind)
    (mail,) = mails(rig, player)
    assert mail["data"]["valid_s"] == 7200


def test_a_refused_registration_sends_no_email(rig):
    register(rig)
    register(rig, "ana@example.org", "email_taken")
    assert rig.one("SELECT count(*) FROM mails") == 1


def test_upgrading_a_guest_sends_a_link_too(rig):
    guest = rig.player()
    assert (
        rig.row(
            "SELECT * FROM do_enter_upgraded(%s, 'g@example.org', 'hash', NULL, NULL, NULL, %s, %s, NULL,"
            " NULL, NULL)",
            guest,
            sha("device"),
            sha("token"),
        )["code"]
        == "ok"
    )
    (mail,) = mails(rig, guest)
    assert (mail["address"], mail["template"]) == ("g@example.org", "verify")


@pytest.mark.parametrize("column", ["sent_at", "failed_at"])
def test_finished_emails_and_expired_links_are_purged(rig, column):
    player = register(rig)
    rig.rows(f"UPDATE mails SET {column} = now() - interval '6 days'")
    assert rig.one("SELECT do_purge(1000)") == 0
    rig.rows(f"UPDATE mails SET {column} = now() - interval '8 days'")
    rig.rows("UPDATE mail_proofs SET expires_at = now() - interval '1 s'")
    rig.rows("SELECT mail_put(%s, NULL, 'verify', '{}')", player)
    assert rig.one("SELECT do_purge(1000)") == 2
    assert len(mails(rig, player)) == 1 and rig.one("SELECT count(*) FROM mail_proofs") == 0


def test_each_email_has_a_template():
    named = set()
    for path in FILES:
        code = re.sub(r"\nCOMMENT ON.*?';\n", "", path.read_text(), flags=re.S)
        named |= {call[1] for call in re.finditer(r"\bmail_put\((?:(?!jsonb)[^;])*?, '(\w+)',", code)}
        named |= {
            call[1] for call in re.finditer(r"\bmail_proof_send\([^;]*?, '\w+', [^;]*?, '(\w+)',", code)
        }
    pushed = (ROOT / "db" / "data" / "13-push.sql").read_text()
    named |= {"push_" + kind for kind in re.findall(r"\n    \('(\w+)',", pushed)}
    assert named == {path.stem for path in (ROOT / "mail" / "templates" / "en").glob("*.txt")}
