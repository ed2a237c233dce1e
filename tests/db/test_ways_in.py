"""Which ways into an account survive which event. docs/account-access.md has a table of all ways and all
events, and each of its cells is tested here. A new table that grants access, or a new function that removes
it, fails until it is listed."""

import hashlib
import re

import pytest
from db_rig import named
from sources import ROOT, definitions

DOCUMENT = (ROOT / "docs" / "account-access.md").read_text()
EMAIL = "ways@example.org"


def sha(text):
    return hashlib.sha256(text.encode()).digest()


# --- the ways: what is planted, and whether it remains ------------------------------------------------------

# Name in the table: (statement that plants it, statement that finds it). Parameters: %(me)s the account,
# %(here)s and %(there)s two sessions, %(bot)s a bot of the account, %(at)s when it was added, and hashes by
# name.
WAYS = {
    "password": (None, "SELECT 1 FROM credentials WHERE player_id = %(me)s AND password_hash = 'planted'"),
    "guest device": (
        "INSERT INTO guest_devices (player_id, secret_hash) VALUES (%(me)s, %(device)s)",
        "SELECT 1 FROM guest_devices WHERE player_id = %(me)s",
    ),
    "passkeys": (
        """INSERT INTO passkey_handles VALUES (%(me)s, %(handle)s);
                    INSERT INTO passkeys (player_id, credential_id, algorithm, public_key, sign_count,
                        backup_eligible, backed_up, transports, name, created_at)
                    VALUES (%(me)s, 'thief', 'EdDSA', %(handle)s, 0, false, false, '{}', 'thief', %(at)s),
                           (%(me)s, 'own', 'EdDSA', %(handle)s, 0, false, false, '{}', 'own', %(at)s)""",
        "SELECT 1 FROM passkeys WHERE player_id = %(me)s AND name = 'thief'",
    ),
    "other providers": (
        """INSERT INTO identities (player_id, issuer, subject, email, created_at)
                           VALUES (%(me)s, 'https://thief.example', 't', 'thief@example.net', %(at)s)""",
        "SELECT 1 FROM identities WHERE player_id = %(me)s AND subject = 't'",
    ),
    "provider of the address": (
        """INSERT INTO identities (player_id, issuer, subject, email, created_at)
                                   VALUES (%(me)s, 'https://mail.example', 'm', 'Ways@example.org',
                                       %(at)s)""",
        "SELECT 1 FROM identities WHERE player_id = %(me)s AND subject = 'm'",
    ),
    "second factor": (
        """INSERT INTO totp_factors (player_id, sealed, kid, on_at)
                         VALUES (%(me)s, decode(repeat('00', 60), 'hex'), 'k', %(at)s);
                         INSERT INTO recovery_codes VALUES (%(me)s, %(code)s)""",
        (
            "SELECT 1 FROM totp_factors JOIN recovery_codes USING (player_id) WHERE player_id = %(me)s AND"
            " on_at IS NOT NULL"
        ),
    ),
    "this session": (
        None,
        (
            "SELECT 1 FROM sessions JOIN refresh_tokens ON session_id = id WHERE id = %(here)s AND ended_at"
            " IS NULL"
        ),
    ),
    "other sessions": (
        None,
        (
            "SELECT 1 FROM sessions JOIN refresh_tokens ON session_id = id WHERE id = %(there)s AND ended_at"
            " IS NULL"
        ),
    ),
    "known devices": (
        "INSERT INTO known_devices (token_hash, player_id) VALUES (%(known)s, %(me)s)",
        "SELECT 1 FROM known_devices WHERE player_id = %(me)s AND token_hash = %(known)s",
    ),
    "sign-ins half done": (
        "INSERT INTO login_challenges VALUES (%(half)s, %(me)s, 0, now() + interval '1 hour')",
        "SELECT 1 FROM login_challenges WHERE player_id = %(me)s",
    ),
    "additions half done": (
        """INSERT INTO identity_flows VALUES (%(flow)s, 'https://x.example', 'https://x.example/', %(me)s,
                               's', now() + interval '1 hour');
                               INSERT INTO passkey_challenges
                                   VALUES (1, %(flow)s, %(there)s, now() + interval '1 hour')""",
        """SELECT 1 FROM sessions s JOIN passkey_challenges c ON c.session_id = s.id WHERE s.id = %(there)s
                               AND s.ended_at IS NULL
                               UNION ALL SELECT 1 FROM identity_flows f JOIN sessions s USING (player_id)
                               WHERE s.id = %(there)s AND s.ended_at IS NULL""",
    ),
    **{
        f"{kind} links": (
            (
                f"INSERT INTO mail_proofs VALUES (%({kind})s, %(me)s, '{kind}', '{address}', now() + interval"
                " '1 hour')"
            ),
            f"SELECT 1 FROM mail_proofs WHERE token_hash = %({kind})s AND used_at IS NULL",
        )
        for kind, address in (
            ("verify", EMAIL),
            ("change", "thief@example.net"),
            ("undo", "older@example.org"),
            ("reset", EMAIL),
            ("unlock", EMAIL),
        )
    },
    "bot tokens": (
        """INSERT INTO bot_tokens (player_id, name, scopes, token_hash, prefix, session_id, created_at,
                      expires_at)
                      VALUES (%(bot)s, 't', '{read}', %(bottoken)s, 'rb_1234567', %(botsession)s, %(at)s,
                          now() + interval '1 day')""",
        "SELECT 1 FROM bot_tokens WHERE player_id = %(bot)s",
    ),
    "bot sessions": (None, "SELECT 1 FROM sessions WHERE id = %(botsession)s AND ended_at IS NULL"),
    "notifications": (
        """INSERT INTO push_devices (player_id, session_id, kind, address)
           VALUES (%(me)s, %(there)s, 'fcm', 'a-device-of-somebody')""",
        (
            "SELECT 1 FROM push_devices d JOIN sessions s ON s.id = d.session_id WHERE d.player_id = %(me)s"
            " AND s.ended_at IS NULL"
        ),
    ),
}
# Tables that hold secrets or proofs but are not a way into an account.
NO_WAYS = {
    "admin_answers": "operators",
    "api_keys": "operators",
    "audit": "operators",
    "player_notes": "operators",
    "deliveries": "outgoing",
    "webhook_endpoints": "outgoing",
    "webhook_secrets": "outgoing",
    "mails": "outgoing; the links in them are mail_proofs",
    "daily_days": "seeds of cards",
    "tournament_secrets": "seeds of cards",
    "push_settings": "which events are pushed, not to whom",
    "export_parts": "read with a session only",
    "invite_codes": "identify the inviter; the invited player gets a separate account",
    "link_requests": "turned into mail_proofs",
    "idempotency": "answers, read with a session only",
    "login_attempts": "locks, which open nothing",
    **dict.fromkeys(
        [
            "puzzles",
            "puzzle_days",
            "puzzle_games_due",
            "puzzle_mining",
            "puzzle_players",
            "puzzle_tries",
        ],
        "answers of puzzles",
    ),
    "tickets": "hold the session they were given to, and the socket closes with it",
}
GUEST = {
    "password",
    "second factor",
    "sign-ins half done",
    "bot tokens",
    "bot sessions",
    "provider of the address",
    "other providers",
    *(f"{kind} links" for kind in ("verify", "change", "undo", "reset", "unlock")),
}


class Account:
    """An account with every way in. added: the age of the ways."""

    def __init__(self, rig, verified=True, guest=False, added="10 days", old_undo=False):
        self.rig, self.guest = rig, guest
        make = rig.row(
            "SELECT do_create_named(%s, %s, '')",
            "guest" if guest else "registered",
            f"[{named('Mia', ['mia'])}]",
        )
        self.me = make[0]
        sessions = [
            rig.one("SELECT session_begin(%s, %s, NULL, NULL, NULL)", self.me, sha(name))
            for name in ("here", "there")
        ]
        self.owner = rig.player()
        bot = rig.one("SELECT do_create_named('bot', %s, '')", f"[{named('Bot', ['bot'])}]")
        rig.rows("INSERT INTO bot_accounts (player_id, owner_id) VALUES (%s, %s)", bot, self.me)
        self.values = {
            "me": self.me,
            "here": sessions[0],
            "there": sessions[1],
            "bot": bot,
            "botsession": rig.one("SELECT session_begin(%s, %s, NULL, NULL, NULL)", bot, sha("bot")),
            "at": rig.one(f"SELECT now() - interval '{added}'"),
            **{
                name: sha(name)
                for name in (
                    "device",
                    "handle",
                    "code",
                    "known",
                    "half",
                    "flow",
                    "bottoken",
                    "verify",
                    "change",
                    "undo",
                    "reset",
                    "unlock",
                    "link",
                )
            },
        }
        if not guest:
            rig.rows("INSERT INTO credentials VALUES (%s, %s, 'planted')", self.me, EMAIL)
        if verified and not guest:
            rig.rows("UPDATE players SET email_verified_at = now() WHERE id = %s", self.me)
        self.planted = {way for way in WAYS if way not in (GUEST if guest else {"guest device"})}
        for way in [way for way in WAYS if way in self.planted]:
            if WAYS[way][0]:
                self.sql(WAYS[way][0])
        assert self.there() == self.planted

    def sql(self, statement):
        with self.rig.db.cursor() as cursor:
            cursor.execute(statement, self.values)
            return cursor.fetchall() if cursor.description else []

    def there(self):
        return {way for way in self.planted if self.sql(WAYS[way][1])}

    # --- events

    def link(self, kind, address=EMAIL, expires="1 hour", proved=True):
        """A link other than the planted one."""
        if kind != "undo":
            self.rig.rows("DELETE FROM mail_proofs WHERE player_id = %s AND kind = %s", self.me, kind)
            self.planted.discard(f"{kind} links")
        self.rig.rows(
            f"INSERT INTO mail_proofs VALUES (%s, %s, %s, %s, now() + interval '{expires}', NULL, %s)",
            sha("link"),
            self.me,
            kind,
            address,
            proved,
        )
        return sha("link")

    def proof(self):
        self.rig.rows("DELETE FROM login_attempts")
        return self.rig.one("SELECT attempt FROM do_reauth_begin(%s, 'x', NULL, true)", self.me)

    def ok(self, statement, *args):
        assert self.rig.row(statement, *args)["code"] == "ok"

    def admin(self, function, *args):
        self.rig.rows(
            "SELECT do_make_key('op', 'owner', 'op', 1, %s, 'rk_123456') WHERE NOT EXISTS (SELECT 1 FROM"
            " api_keys)",
            sha("op"),
        )
        places = ", ".join(["%s"] * (3 + len(args)))
        key = f"k{next(self.rig.numbers)}"
        self.ok(f"SELECT * FROM {function}({places})", sha("op"), key, b"b" + key.encode(), *args)


ENTER = (None, sha("newdevice"), sha("newtoken"), None, None, None)


def step(account):
    """A correct second-factor code."""
    account.rig.rows("UPDATE totp_factors SET last_step = 0")
    return 7


def change_password(a):
    a.ok(
        "SELECT * FROM do_change_password(%s, %s, %s, NULL, %s, 'new')",
        a.proof(),
        a.me,
        step(a),
        a.values["here"],
    )


def reset(keep):
    return lambda a: a.ok("SELECT * FROM do_reset_password(%s, 'new', %s)", a.link("reset"), keep)


def confirm(kind, signed_in):
    address = EMAIL if kind == "verify" else "fresh@example.org"
    return lambda a: a.ok(
        "SELECT do_confirm_email(%s, %s) AS code", a.link(kind, address), a.me if signed_in else None
    )


def undo(a):
    a.ok("SELECT * FROM do_undo_email(%s)", a.link("undo", expires="7 days"))


def undo_unproved(a):
    a.ok("SELECT * FROM do_undo_email(%s)", a.link("undo", expires="7 days", proved=False))


def unlock(a):
    a.ok("SELECT do_unlock_login(%s) AS code", a.link("unlock"))


def ask_deletion(a):
    a.ok(
        "SELECT * FROM do_request_deletion(%s, %s, %s, NULL, %s)", a.proof(), a.me, step(a), a.values["here"]
    )


def take_back(a):
    ask_deletion(a)
    a.ok("SELECT * FROM do_cancel_deletion(%s)", a.me)


def erase(a):
    a.rig.rows("SELECT erase_player(%s)", a.me)


def ban(a):
    a.admin("do_admin_ban", a.me, True, "why")


def unban(a):
    ban(a)
    a.admin("do_admin_ban", a.me, False, "why")


def link_provider(a):
    a.ok(
        "SELECT * FROM do_link_identity(%s, %s, 'https://new.example', 'n', 'new@example.net', 'New', %s, %s,"
        " %s, %s, %s, %s)",
        a.me,
        a.values["here"],
        *ENTER,
    )


def unlink_provider(a):
    a.rig.rows("UPDATE sessions SET created_at = now()")
    identity = a.rig.one("SELECT id FROM identities WHERE subject = 't'")
    a.ok("SELECT do_unlink_identity(%s, %s, %s, 'X', '{}') AS code", a.me, a.values["here"], identity)


def remove_passkey(a):
    passkey = a.rig.one("SELECT id FROM passkeys WHERE name = 'thief'")
    a.ok(
        "SELECT * FROM do_passkey_remove(%s, %s, %s, NULL, %s, %s, '{}')",
        a.proof(),
        a.me,
        step(a),
        a.values["here"],
        passkey,
    )


def upgrade(a):
    a.ok(
        "SELECT * FROM do_enter_upgraded(%s, 'guest@example.org', 'hash', NULL, NULL, %s, %s, %s, %s,"
        " %s, %s)",
        a.me,
        *ENTER,
    )


def claim(a):
    a.ok(
        """SELECT (answer).code FROM do_enter_identity('https://new.example', 'n', 'WAYS@example.org', '[]',
           'en', %s, %s, %s, %s, %s, %s, 'New')""",
        *ENTER,
    )


def release(a):
    """Another account confirms the address."""
    rig = a.rig
    rig.rows("UPDATE players SET kind = 'registered', email_verified_at = now() WHERE id = %s", a.owner)
    rig.rows("INSERT INTO credentials VALUES (%s, 'owner@example.org', 'x')", a.owner)
    rig.rows(
        "INSERT INTO mail_proofs VALUES (%s, %s, 'change', %s, now() + interval '1 hour')",
        sha("owner"),
        a.owner,
        EMAIL,
    )
    a.ok("SELECT do_confirm_email(%s, NULL) AS code", sha("owner"))


def factor_off(a):
    a.ok("SELECT do_factor_off(%s, %s, %s, NULL) AS code", a.proof(), a.me, step(a))


UNPROVED, OLD, GUESTS = {"verified": False}, {"added": "10 days"}, {"guest": True}
# Name in the table: (the event, the account it happens to).
EVENTS = {
    "Password changed, signed in": (change_password, {}),
    "Password reset": (reset(False), {}),
    "Password reset, ways in kept": (reset(True), {}),
    "Password reset, first proof of an address": (reset(True), UNPROVED),
    "Address proved first, signed in": (confirm("verify", True), UNPROVED),
    "Address proved first, not signed in": (confirm("verify", False), UNPROVED),
    "Address changed": (confirm("change", False), {}),
    "Address changed, first proof of an address, signed in": (confirm("change", True), UNPROVED),
    "Address changed, first proof of an address, not signed in": (confirm("change", False), UNPROVED),
    "Address change undone, ways added since": (undo, {"added": "1 hour"}),
    "Address change undone, older ways": (undo, OLD),
    "Address change undone, address never proved": (undo_unproved, OLD),
    "Lock lifted by a link": (unlock, {}),
    "Deletion requested": (ask_deletion, {}),
    "Deletion taken back": (take_back, {}),
    "Account deleted": (erase, {}),
    "Banned": (ban, {}),
    "Ban lifted": (unban, {}),
    "Sessions ended by an operator": (lambda a: a.admin("do_admin_end_sessions", a.me, "why"), {}),
    "Deletion ordered by an operator": (lambda a: a.admin("do_admin_deletion", a.me, True, "why"), {}),
    "Other sessions ended": (
        lambda a: a.ok("SELECT * FROM do_end_sessions(%s, %s)", a.me, a.values["here"]),
        {},
    ),
    "Signed out": (lambda a: a.ok("SELECT * FROM do_logout(%s)", sha("here")), {}),
    "Second factor switched off": (factor_off, {}),
    "Second factor switched off by an operator": (lambda a: a.admin("do_admin_factor_off", a.me, "why"), {}),
    "Provider linked": (link_provider, {}),
    "Provider unlinked (that one)": (unlink_provider, {}),
    "Passkey removed (that one)": (remove_passkey, {}),
    "Guest upgraded with a password": (upgrade, GUESTS),
    "Guest upgraded by a provider": (link_provider, GUESTS),
    "Provider signs in, address never proved": (claim, UNPROVED),
    "Address proved by another account": (release, UNPROVED),
}


def table():
    """event -> way -> cell, from the document."""
    lines = [line for line in DOCUMENT.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    head = cells[0]
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in cells[2:]}


TABLE = table()


def test_the_document_names_every_way_and_every_event():
    assert set(TABLE) == set(EVENTS)
    for row in TABLE.values():
        assert list(row) == list(WAYS)
        assert set(row.values()) <= {"stays", "gone", "–"}


@pytest.mark.parametrize("event", EVENTS)
def test_each_cell_of_the_table_is_true(rig, event):
    happens, kind = EVENTS[event]
    account = Account(rig, **kind)
    happens(account)
    there = account.there()
    found = {way: "–" if way not in account.planted else "stays" if way in there else "gone" for way in WAYS}
    assert found == TABLE.get(event), " | ".join([f"| {event}", *found.values()]) + " |"


# --- a new way, a new event ---------------------------------------------------------------------------------


def tables_of(statement):
    return set(re.findall(r"(?:INTO|FROM|JOIN) (\w+)", statement or ""))


def test_every_table_that_may_open_an_account_is_one_of_the_ways():
    from test_roles import SECRETS

    ways = set().union(*(tables_of(plant) | tables_of(find) for plant, find in WAYS.values())) | {
        "recovery_codes",
        "refresh_tokens",
    }
    assert SECRETS - ways == set(NO_WAYS), (SECRETS - ways) ^ set(NO_WAYS)


# Functions of the server that remove or end a row of a way without being an event of the whole account:
# they consume one, replace it with its successor, or remove the one that its owner selects.
ONE_BY_ONE = {
    "do_bot_retire",
    "do_bot_token_revoke",
    "do_end_session",
    "do_enter_bot",
    "do_enter_factor",
    "do_enter_guest",
    "do_enter_login",
    "do_enter_passkey",
    "do_enter_refresh",
    "do_factor_begin",
    "do_factor_codes",
    "do_factor_confirm",
    "do_factor_reseal",
    "do_identity_begin",
    "do_identity_take",
    "do_passkey_add",
    "do_passkey_begin",
    "do_passkey_name",
    "do_passkey_take",
    "do_push_device",
    "do_push_device_remove",
    "do_push_pause",
    "do_purge",
    "do_delivery_result",
    "do_request_export",
    "do_change_email",
    "do_links_due",
    "do_send_verification",
    "do_enter_registered",
    "do_factor_confirm_begin",
}


def test_every_function_that_removes_a_way_is_an_event():
    texts = {name: re.sub(r"--[^\n]*", "", text) for name, (_, text, _) in definitions().items()}
    ways = (
        "credentials|guest_devices|passkeys|identities|totp_factors|recovery_codes|sessions|refresh_tokens|mail_proofs|bot_tokens"
        "|known_devices|login_challenges|identity_flows|passkey_challenges|push_devices"
    )
    takes = {
        name
        for name, text in texts.items()
        if re.search(rf"(?:DELETE FROM|UPDATE) (?:{ways})\b|^\s*DELETE FROM (?:{ways})\b", text, re.M)
        or name == "do_purge"
    }
    while True:
        more = {
            name
            for name, text in texts.items()
            if set(re.findall(r"\b(\w+)\(", text.split("AS $$", 1)[-1])) & takes
        } - takes
        if not more:
            break
        takes |= more
    source = (ROOT / "tests" / "db" / "test_ways_in.py").read_text()
    tried = set(re.findall(r"\b(do_\w+|erase_player\w*)\b", source.split("# --- a new way")[0]))
    entries = {name for name in takes if name.startswith("do_")}
    unnamed = {name for name in entries if name not in tried and name not in ONE_BY_ONE and name != "do_job"}
    assert unnamed == set(), unnamed
    assert entries >= ONE_BY_ONE, ONE_BY_ONE - entries


def test_an_email_lists_the_removed_ways(rig):
    account = Account(rig, verified=False)
    reset(True)(account)
    data = rig.one("SELECT data FROM mails WHERE template = 'ways_removed' AND player_id = %s", account.me)
    assert data == {"passkeys": 2, "providers": 1, "bot_tokens": 1}
    assert (
        rig.one("SELECT count(*) FROM mails WHERE template = 'factor_off' AND player_id = %s", account.me)
        == 1
    )


def test_no_email_is_sent_if_nothing_was_removed(rig):
    account = Account(rig)
    rig.rows("DELETE FROM passkeys; DELETE FROM identities; DELETE FROM bot_tokens; DELETE FROM mails")
    account.planted -= {"passkeys", "other providers", "provider of the address", "bot tokens"}
    reset(False)(account)
    assert [row[0] for row in rig.rows("SELECT template FROM mails WHERE player_id = %s", account.me)] == [
        "password_changed"
    ]


@pytest.mark.parametrize(
    "verified, expected",
    [
        (True, {"passkeys": 2, "providers": 1, "bot_tokens": 1, "second_factor": 0, "can_keep": True}),
        (False, {"passkeys": 2, "providers": 1, "bot_tokens": 1, "second_factor": 1, "can_keep": False}),
    ],
)
def test_the_reset_page_lists_what_a_reset_would_remove(rig, verified, expected):
    account = Account(rig, verified=verified)
    link = account.link("reset")
    for _ in range(2):
        code, body = rig.row("SELECT code, body::jsonb FROM q_reset_ways(%s)", link)
        assert (code, body) == ("ok", expected)
    assert rig.row("SELECT * FROM do_reset_password(%s, 'new', false)", link)["code"] == "ok"
    assert rig.row("SELECT * FROM q_reset_ways(%s)", link)["code"] == "link_invalid"
