"""Account deletion: after its grace period and not before, once, completely, and no personal data is left
anywhere; results and payments are kept. tests/db/test_personal_data.py lists what each column holds."""

import datetime
import hashlib
import subprocess
import threading
import uuid

import psycopg2
import pytest
from db_rig import named
from support.cluster import RUMMYD

OWN_DATABASES = True  # sessions in replica mode
NAME = "Zorblax"
EMAIL = "zorblax@example.org"
DAY = datetime.timedelta(days=1)
# All personal data of the player in `lived`, in any column of any table.
MARKS = ["zorblax", "zorfox", "zorhash", "zorapp", "zorsys", "198.51.100", "zorkey"]
RECORD = """[Rummyd "1"]
[Variant "rummy51"]
[Name0 "{name}"]
[Name1 "[Name0 \\"x\\"]"]
"""


def sha(text):
    return hashlib.sha256(text.encode()).digest()


def register(rig, email=EMAIL, name=NAME, told=("zorhash", "zorfox", "ZorApp", "ZorSys", "198.51.100.7")):
    password, avatar, app, system, address = told
    made = rig.row(
        "SELECT * FROM do_enter_registered(%s, %s, %s, %s, NULL, NULL, %s, %s, %s, %s, %s, 'en')",
        email,
        password,
        f"[{named(name)}]",
        avatar,
        sha("device" + email),
        sha("token" + email),
        app,
        system,
        address,
    )
    assert made["code"] == "ok"
    return made["id"], made["session_id"]


def ask(rig, player, session=None, via=None):
    attempt = rig.rows("SELECT * FROM do_reauth_begin(%s, 'x', NULL, false)", player, via=via)[0]["attempt"]
    return rig.row(
        "SELECT * FROM do_request_deletion(%s, %s, NULL, NULL, %s)", attempt, player, session, via=via
    )


def now(rig):
    return rig.one("SELECT now()")


def run(rig, days, via=None):
    return rig.steps("erase_players_step", now(rig) + days * DAY, via=via)


def deletion(rig, player):
    return rig.row("SELECT * FROM deletions WHERE player_id = %s", player)


def mails(rig, player):
    return [
        mail["template"]
        for mail in rig.rows("SELECT template FROM mails WHERE player_id = %s ORDER BY id", player)
    ]


def find(rig, words):
    """Every occurrence of any of these words, in any row of any table."""
    found = []
    for (table,) in rig.rows("""SELECT c.oid::regclass::text FROM pg_class c WHERE c.relkind = 'r'
                              AND c.relnamespace = 'public'::regnamespace"""):
        n = rig.one(
            f"SELECT count(*) FROM {table} t WHERE t::text ILIKE ANY (%s)", [f"%{word}%" for word in words]
        )
        if n:
            found.append(table)
    return found


@pytest.fixture
def operator(rig):
    rig.rows("SELECT do_make_key('op', 'owner', 'op', 1, %s, 'rk_123456')", sha("op"))
    return sha("op")


@pytest.fixture
def lived(rig, operator):
    """A player who has done everything that leaves personal data."""
    me, session = register(rig)
    friend, foe = rig.player(), rig.player()
    rig.credit(me, "gold", 500)
    for one, other in ((me, friend), (friend, me), (foe, me)):
        rig.rows("SELECT * FROM do_befriend(%s, %s)", one, other)
    rig.rows("SELECT * FROM do_block(%s, %s, true, NULL)", foe, me)
    rig.block(me, foe)
    rig.rows("SELECT * FROM do_set_limits(%s, 600, NULL, NULL)", me)
    rig.rows("INSERT INTO invite_codes VALUES (%s, 'ZORKEY')", me)
    guest = register(rig, "other@example.net", "Other", ("hash", "", None, None, None))[0]
    rig.rows("SELECT * FROM do_accept_invite(%s, 'ZORKEY', %s, 'b')", guest, uuid.uuid4().hex)
    table = rig.table_of(me, friend)
    for n in range(3):
        rig.rows("SELECT * FROM do_chat(%s, %s, 0, 'chat', %s, %s)", me, table, f"I am Zorblax {n}", f"c{n}")
    rig.rows("SELECT * FROM do_chat(%s, %s, 0, 'emote', 'wave', 'e')", me, table)
    rig.rows("SELECT * FROM do_chat(%s, %s, 1, 'chat', 'hello', 'f')", friend, table)
    rig.rows("SELECT * FROM do_report(%s, %s, 1, 'insult', 'he called me Zorblax the bad')", me, table)
    rig.rows("SELECT * FROM do_report(%s, %s, 0, 'nickname', 'Zorblax is no name')", friend, table)
    rig.settle(table, [1, 2, 3, 4], record=RECORD.format(name=NAME))
    rig.rows("SELECT * FROM do_admin_note(%s, 'k1', 'b', %s, 'Zorblax wrote us')", operator, me)
    rig.rows(
        "SELECT * FROM do_admin_separate(%s, 'k2', 'b', %s, %s, true, 'Zorblax and them')",
        operator,
        me,
        str(foe),
    )
    rig.rows("SELECT * FROM do_admin_players(%s, 'zorbl', 'zorbl', NULL, NULL, NULL, 10)", operator)
    rig.rows("SELECT do_forgot_password(%s)", EMAIL)
    rig.rows("SELECT * FROM do_lobby_ticket(%s, %s, 'b', %s)", me, "zorkey1", str(uuid.uuid4()))
    rig.rows("DELETE FROM admin_answers")  # kept for a day
    rig.rows("DELETE FROM mails WHERE player_id = %s", guest)
    assert set(find(rig, MARKS)) > {
        "players",
        "credentials",
        "sessions",
        "seats",
        "game_players",
        "table_chat",
        "reports",
        "mails",
    }
    return {"me": me, "session": session, "friend": friend, "foe": foe, "table": table}


# --- requested ----------------------------------------------------------------------------------------------


def test_a_request_needs_the_password_and_repeats_keep_the_first_date(rig):
    me, session = register(rig)
    other = rig.one("SELECT session_begin(%s, %s, NULL, NULL, NULL)", me, sha("t2"))
    answer = ask(rig, me, session)
    assert (answer["code"], answer["ended"]) == ("ok", [other]), "the other sessions end"
    due = deletion(rig, me)["due_at"]
    assert datetime.timedelta(days=13.9) < due - now(rig) <= 14 * DAY
    rig.rows("UPDATE deletions SET due_at = due_at - interval '1 day'")
    assert ask(rig, me, session)["code"] == "ok" and deletion(rig, me)["due_at"] == due - DAY
    assert mails(rig, me).count("deletion_asked") == 1
    assert (
        rig.one("SELECT code FROM do_request_deletion(NULL, %s, NULL, NULL, %s)", me, session)
        == "wrong_password"
    ), "only a guest has none"
    assert rig.one("SELECT count(*) FROM login_attempts") == 0


def test_a_guest_needs_no_password_and_a_deleted_account_is_refused(rig):
    guest = rig.player()
    assert rig.one("SELECT code FROM do_request_deletion(NULL, %s, NULL, NULL, NULL)", guest) == "ok"
    run(rig, 15)
    for call in ("do_request_deletion(NULL, %s, NULL, NULL, NULL)", "do_cancel_deletion(%s)"):
        assert rig.one(f"SELECT code FROM {call}", guest) == "no_such_player"
    assert rig.rows("SELECT * FROM q_deletion(%s)", guest) == []


def test_a_pending_deletion_prevents_new_activity(rig):
    me, session = register(rig)
    friend = rig.player()
    running, waiting = rig.table_of(me), rig.sit(me)["table_id"]
    ask(rig, me, session)
    assert [rig.one("SELECT state FROM tables WHERE id = %s", table) for table in (running, waiting)] == [
        "playing",
        "cancelled",
    ]
    for begin in (
        lambda via: rig.sit(me, via=via),
        lambda via: rig.row("SELECT * FROM do_shop_order(%s, 'k', 'b', 'gold_300', 'stripe')", me, via=via),
    ):
        with rig.undone() as via, pytest.raises(psycopg2.Error) as error:
            begin(via)
        assert error.value.pgcode == "RU004"
    assert rig.one("SELECT code FROM do_befriend(%s, %s)", friend, me) == "player_unknown"
    rig.rows("SELECT * FROM do_cancel_deletion(%s)", me)
    assert rig.sit(me)["code"] == "ok" and rig.one("SELECT code FROM do_befriend(%s, %s)", friend, me) == "ok"


def test_a_deletion_can_be_canceled_until_it_is_done(rig):
    me, session = register(rig)
    ask(rig, me, session)
    run(rig, 13.9)
    assert rig.one("SELECT code FROM do_cancel_deletion(%s)", me) == "ok"
    assert rig.one("SELECT code FROM do_cancel_deletion(%s)", me) == "ok", "safe to repeat"
    run(rig, 100)
    assert rig.one("SELECT deleted_at FROM players WHERE id = %s", me) is None
    assert mails(rig, me) == ["verify", "deletion_asked", "deletion_soon", "deletion_taken_back"]


def test_one_reminder_is_sent_before_the_deletion(rig):
    me, session = register(rig)
    ask(rig, me, session)
    for days, n in ((11.9, 0), (12.1, 1), (13, 1)):
        run(rig, days)
        assert mails(rig, me).count("deletion_soon") == n
    assert rig.one("SELECT data->>'day' FROM mails WHERE template = 'deletion_soon'") == str(
        (deletion(rig, me)["due_at"]).astimezone(datetime.UTC).date()
    )


# --- done ---------------------------------------------------------------------------------------------------


def test_no_personal_data_remains_anywhere(rig, lived):
    me = lived["me"]
    ask(rig, me, lived["session"])
    rig.rows("SELECT * FROM do_reauth_begin(%s, 'x', NULL, false)", me)
    done = run(rig, 14.1)
    assert done["players"] == 1 and done["rows"] > 0
    assert find(rig, MARKS) == ["mails"], "the last one is on its way"
    mail = rig.row("SELECT * FROM do_mail_claim()")
    assert (mail["address"], mail["template"]) == (EMAIL, "deletion_done") and mails(rig, me) == [
        "deletion_done"
    ]
    assert rig.one("SELECT do_mail_result(%s, 'sent', '')", mail["id"]) == "sent"
    assert rig.one("SELECT do_mail_result(%s, 'sent', '')", mail["id"]) == "over", "two may have sent it"
    assert find(rig, MARKS) == []


def test_games_and_payments_remain_under_another_name(rig, lived):
    me, table = lived["me"], lived["table"]
    games = rig.one("SELECT count(*) FROM game_players")
    ask(rig, me, lived["session"])
    run(rig, 14.1)
    name = rig.one("SELECT nickname FROM players WHERE id = %s", me)
    assert name == f"Deleted player {deletion(rig, me)['no']}"
    assert rig.one("SELECT count(*) FROM game_players") == games
    row = rig.row("SELECT * FROM game_players WHERE player_id = %s", me)
    assert (row["nickname"], row["avatar"], row["place"]) == (name, "", 1)
    assert rig.one("SELECT nickname FROM seats WHERE player_id = %s", me) == name
    assert rig.one("SELECT record FROM hands WHERE table_id = %s", table) == RECORD.format(name=name), (
        "that seat's name alone"
    )
    said = [
        tuple(row)
        for row in rig.rows("SELECT seat, kind, text FROM table_chat WHERE table_id = %s ORDER BY id", table)
    ]
    assert said == [(0, "chat", "")] * 3 + [
        (0, "emote", "wave"),
        (1, "chat", "hello"),
    ], "lines stay, their text does not"
    assert rig.one("SELECT array_agg(reason ORDER BY id) FROM reports") == ["insult", "nickname"]
    assert rig.purse(me) == (0, 0) and rig.house("forfeit", "gold") > 500
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []
    profile = rig.row("SELECT * FROM q_player(%s)", me)
    assert (
        profile["code"] == "ok"
        and f'"nickname": "{name}"' in profile["body"]
        and '"last_games": []' in profile["body"]
    )
    assert len(rig.rows("SELECT body FROM q_friends(%s, NULL, NULL, NULL, 9)", lived["friend"])) == 1, (
        "the head alone"
    )
    assert (
        sum(
            row["body"].count(name)
            for row in rig.rows("SELECT body FROM q_notifications(%s, 999999, 10)", lived["friend"])
        )
        == 1
    ), "named as now"


def test_the_address_is_free_again_and_the_account_is_not_found(rig):
    me, session = register(rig)
    token = sha("token" + EMAIL)
    ask(rig, me, session)
    run(rig, 15)
    begun = rig.row("SELECT * FROM do_login_begin(%s, 'x', NULL)", EMAIL)
    assert (begun["player_id"], begun["password_hash"]) == (None, None)
    assert rig.row("SELECT * FROM do_enter_refresh(%s, %s, NULL)", token, sha("n"))["code"] == "token_unknown"
    assert session in [row[0] for row in rig.rows("SELECT * FROM q_ended_sessions(10)")], (
        "every node learns of it"
    )
    again, _ = register(rig, EMAIL.upper())
    assert again != me
    assert rig.one("SELECT nickname FROM players WHERE id = %s", again) == NAME, "no names are kept"


def test_chips_that_arrive_later_are_forfeited_too(rig):
    me, session = register(rig)
    ask(rig, me, session)
    run(rig, 15)
    rig.credit(me, "gold", 30)
    assert run(rig, 16)["forfeits"] == 1 and run(rig, 16)["forfeits"] == 0
    assert rig.purse(me) == (0, 0) and rig.proof() == []


def test_a_deleted_account_is_removed_from_leaderboards(rig):
    me, session = register(rig)
    rig.count_points(me, 80, True, now(rig))
    entries = lambda: rig.one("SELECT count(*) FROM board_entries WHERE player_id = %s", me)
    assert entries() > 0
    ask(rig, me, session)
    run(rig, 15)
    assert entries() == 0
    assert rig.rows("SELECT * FROM q_ratings_check() WHERE problem = 'board_differs'") == []


# --- delayed ------------------------------------------------------------------------------------------------


def waits_for(rig, player):
    return rig.one("SELECT body::jsonb->'waits_for' FROM q_deletion(%s)", player)


def test_the_deletion_waits_until_running_tables_end(rig):
    me, session = register(rig)
    table = rig.table_of(me)
    ask(rig, me, session)
    assert waits_for(rig, me) == ["table"]
    run(rig, 15)
    assert deletion(rig, me)["erased_at"] is None and rig.held(me, table) != (0, 0)
    rig.settle(table, [1, 2, 3, 4])
    assert waits_for(rig, me) == []
    run(rig, 15)
    assert deletion(rig, me)["done_at"] is not None and rig.proof() == []


@pytest.mark.parametrize("state", ["created", "pending", "refunding", "disputed"])
def test_the_deletion_waits_for_pending_payments(rig, state):
    me, session = register(rig)
    order = rig.row("SELECT * FROM do_shop_order(%s, 'k', 'b', 'gold_300', 'stripe')", me)["id"]
    via = rig.connect(user="postgres")
    rig.rows("SET session_replication_role = replica", via=via)
    rig.rows("ALTER TABLE shop_orders DISABLE TRIGGER USER", via=via)
    rig.rows(
        """UPDATE shop_orders SET state = %s, provider_ref = 'r', pay_url = 'u',
                paid_at = CASE WHEN %s IN ('refunding', 'disputed') THEN now() END,
                paid_minor = CASE WHEN %s IN ('refunding', 'disputed') THEN 499 END WHERE id = %s""",
        state,
        state,
        state,
        order,
        via=via,
    )
    ask(rig, me, session)
    assert waits_for(rig, me) == ["order"]
    run(rig, 15)
    assert deletion(rig, me)["erased_at"] is None
    rig.rows(
        "UPDATE shop_orders SET state = 'expired', paid_at = NULL, paid_minor = NULL WHERE id = %s",
        order,
        via=via,
    )
    run(rig, 15)
    assert deletion(rig, me)["done_at"] is not None
    via.close()


# --- twice, at once, killed ---------------------------------------------------------------------------------


def test_a_second_run_changes_nothing(rig, lived):
    ask(rig, lived["me"], lived["session"])
    run(rig, 15)
    before = rig.rows("SELECT * FROM deletions"), rig.one("SELECT count(*) FROM transfers")
    assert run(rig, 16) == {"forfeits": 0} and run(rig, 400) == {"forfeits": 0}
    assert (rig.rows("SELECT * FROM deletions"), rig.one("SELECT count(*) FROM transfers")) == before


def test_several_jobs_at_once_delete_each_account_once(rig):
    players = [register(rig, f"p{n}@example.org")[0] for n in range(12)]
    for player in players:
        ask(rig, player)
    failures = []

    def job():
        via = rig.connect()
        try:
            run(rig, 15, via=via)
        except Exception as error:
            failures.append(error)
        finally:
            via.close()

    threads = [threading.Thread(target=job) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert failures == []
    run(rig, 15)
    assert rig.one("SELECT count(*) FROM deletions WHERE done_at IS NOT NULL") == 12
    assert (
        rig.one("SELECT count(DISTINCT nickname) FROM players WHERE starts_with(nickname, 'Deleted player ')")
        == 12
    )
    assert rig.one("SELECT count(*) FROM mails WHERE template = 'deletion_done'") == 12
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'forfeit'") == 12 and rig.proof() == []


def test_an_interrupted_deletion_continues_step_by_step(rig, lived):
    """Each step is a separate transaction, so a step that does not commit has no effect."""
    me = lived["me"]
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'erase_batch'")
    ask(rig, me, lived["session"])
    at = now(rig) + 15 * DAY
    steps = 0
    while True:
        with rig.undone() as via:
            rig.row("SELECT * FROM erase_players_step(%s)", at, via=via)
        more, _ = rig.row("SELECT * FROM erase_players_step(%s)", at)
        steps += 1
        if not more:
            break
    assert steps > 4 and set(find(rig, MARKS)) == {"mails"} and rig.proof() == []


def test_concurrent_cancellation_and_deletion_does_only_one_of_them(rig):
    """Exactly one of the two takes effect, completely."""
    for _ in range(10):
        player = rig.player()
        rig.rows("SELECT * FROM do_request_deletion(NULL, %s, NULL, NULL, NULL)", player)
        answer = []

        def back():
            via = rig.connect()
            answer.append(rig.one("SELECT code FROM do_cancel_deletion(%s)", player, via=via))
            via.close()

        thread = threading.Thread(target=back)
        thread.start()
        run(rig, 15)
        thread.join()
        gone = rig.one("SELECT deleted_at IS NOT NULL FROM players WHERE id = %s", player)
        assert answer == ["no_such_player" if gone else "ok"]
        assert rig.one("SELECT count(*) FROM deletions WHERE player_id = %s", player) == int(gone)


# --- records ------------------------------------------------------------------------------------------------


def test_only_the_name_is_replaced_in_records_whatever_its_characters(rig):
    for name in ("Ana", 'a\\"b', "a\\\\", "]", '\\"]', "Ä ö.*"):
        record = f'[Rummyd "1"]\n[Name1 "x"]\n[Name0 "{name}"]\n; [Name0 "c"]\n\n1. 0 stock X1, throw 6D1\n'
        assert rig.one("SELECT record_renamed(%s, 0, 'Deleted player 7')", record) == record.replace(
            f'[Name0 "{name}"]', '[Name0 "Deleted player 7"]'
        )
        assert rig.one("SELECT record_renamed(%s, 2, 'Deleted player 7')", record) == record


def verify(record):
    return subprocess.run([RUMMYD, "verify", "-"], input=record, capture_output=True, text=True, check=False)


def test_an_undeliverable_email_is_deleted_too(rig):
    me, session = register(rig)
    ask(rig, me, session)
    run(rig, 15)
    mail = rig.row("SELECT * FROM do_mail_claim()")
    assert (
        rig.one("SELECT do_mail_result(%s, 'refused', 'no')", mail["id"]) == "given_up"
        and mails(rig, me) == []
    )


# --- operators ----------------------------------------------------------------------------------------------


def test_an_operator_can_request_and_cancel_a_deletion(rig, operator):
    me, session = register(rig)
    act = lambda key, deleted: rig.row(
        "SELECT code, body::jsonb, ended FROM do_admin_deletion(%s, %s, 'b', %s, %s, 'by letter')",
        operator,
        key,
        me,
        deleted,
    )
    done = act("k1", True)
    assert (done["code"], done["body"]["deletion"]["key"], done["ended"]) == ("ok", "op", [session])
    assert act("k1", True)["body"] == done["body"], "a repeat"
    assert mails(rig, me)[-1] == "deletion_asked"
    assert act("k2", False)["body"]["deletion"] is None and mails(rig, me)[-1] == "deletion_taken_back"
    act("k3", True)
    run(rig, 15)
    assert act("k4", False)["code"] == "player_unknown"
    log = [
        tuple(row)
        for row in rig.rows("SELECT action, code, detail FROM audit WHERE key_id IS NOT NULL ORDER BY id")
    ]
    assert log == [
        ("delete", "ok", {"player": me}),
        ("delete", "repeated", {"player": me}),
        ("keep", "ok", {"player": me}),
        ("delete", "ok", {"player": me}),
        ("keep", "player_unknown", {"player": me}),
    ]
    assert rig.one("SELECT count(*) FROM player_notes") == 0, "notes are deleted, and the log has only ids"
