"""The hash chain of the ledger: what is sealed when, which writers delay sealing, and that no one can
change it."""

import threading

import psycopg2
import pytest
from support.chips import WELCOME_SILVER
from support.cluster import OWNER

OWN_DATABASES = True  # sessions in replica mode


def seal(rig, most=1000, via=None):
    return tuple(rig.row("SELECT sealed, more, new_head FROM do_seal_ledger(%s)", most, via=via))


def unsealed(rig):
    return [
        key
        for (key,) in rig.rows(
            "SELECT key FROM transfers WHERE id NOT IN (SELECT transfer_id FROM ledger_chain) ORDER BY id"
        )
    ]


def test_committed_transfers_are_sealed_once(rig):
    rig.player(silver=WELCOME_SILVER)
    number = rig.one("SELECT count(*) FROM transfers")
    sealed, more, head = seal(rig)
    assert (sealed, more) == (number, False)
    assert head == rig.one("SELECT transfer_id || ':' || encode(hash, 'hex') FROM ledger_seal")
    assert seal(rig) == (0, False, None)
    assert rig.proof() == []


def test_each_link_includes_the_previous_hash(rig):
    rig.player(silver=WELCOME_SILVER)
    rig.player(silver=WELCOME_SILVER)
    seal(rig)
    links = rig.rows(
        "SELECT c.hash, h.hash FROM ledger_chain c JOIN ledger_hashes(0, 1000) h USING (transfer_id) ORDER BY"
        " transfer_id"
    )
    before = b""
    for link, content in links:
        assert bytes(link) == bytes(rig.one("SELECT sha256(%s)", before + bytes(content)))
        before = bytes(link)


def test_the_hash_is_independent_of_session_settings(rig):
    rig.player(silver=WELCOME_SILVER)
    plain = rig.rows("SELECT * FROM ledger_hashes(0, 1000)")
    other = rig.connect()
    rig.rows(
        "SET timezone = 'Asia/Tokyo'; SET datestyle = 'German'; SET extra_float_digits = -5; SET bytea_output"
        " = 'escape';SET intervalstyle = 'sql_standard'; SET lc_numeric = 'C'",
        via=other,
    )
    assert [(n, bytes(h)) for n, h in rig.rows("SELECT * FROM ledger_hashes(0, 1000)", via=other)] == [
        (n, bytes(h)) for n, h in plain
    ]
    other.close()


def test_transfers_are_sealed_in_batches(rig):
    for _ in range(7):
        rig.player(silver=WELCOME_SILVER)
    assert [seal(rig, 3)[:2] for _ in range(4)] == [(3, True), (3, True), (1, False), (0, False)]
    assert unsealed(rig) == [] and rig.proof() == []


def test_sealing_waits_for_a_pending_transfer_with_a_smaller_number(rig):
    player = rig.player(silver=WELCOME_SILVER)
    seal(rig)
    slow = rig.connect(autocommit=False)
    rig.credit(player, "gold", 1, key="slow", via=slow)
    quick = rig.player(silver=WELCOME_SILVER)
    assert seal(rig)[0] == 0, "a number below may still come"
    assert unsealed(rig) == [f"welcome:{quick}"]
    late = rig.player(silver=WELCOME_SILVER)
    slow.commit()
    assert seal(rig)[0] == 3
    assert unsealed(rig) == [] and late
    slow.close()
    assert rig.proof() == []


def test_a_rolled_back_transfer_does_not_delay_sealing(rig):
    slow = rig.connect(autocommit=False)
    player = rig.player(silver=WELCOME_SILVER)
    rig.credit(player, "gold", 1, key="undone", via=slow)
    assert seal(rig)[0] == 0
    slow.rollback()
    assert seal(rig)[0] == 1
    slow.close()
    assert rig.proof() == []


def test_new_writers_do_not_delay_an_existing_mark(rig):
    """There is always some writer, so only those present when the mark was set count."""
    first, second = rig.connect(autocommit=False), rig.connect(autocommit=False)
    player, other = (rig.player(silver=WELCOME_SILVER) for _ in range(2))
    rig.credit(player, "gold", 1, key="first", via=first)
    assert seal(rig)[0] == 0
    rig.credit(other, "gold", 1, key="second", via=second)
    first.commit()
    assert seal(rig)[0] == 3, "up to the mark"
    assert unsealed(rig) == []
    second.commit()
    assert seal(rig)[0] == 1
    first.close()
    second.close()
    assert rig.proof() == []


def test_backups_and_readers_do_not_delay_sealing(rig):
    rig.player(silver=WELCOME_SILVER)
    reader = rig.connect(autocommit=False)
    rig.rows(
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count(*) FROM transfers",
        via=reader,
    )
    rig.rows("LOCK TABLE transfers IN ACCESS SHARE MODE", via=reader)
    assert seal(rig)[0] == 1
    reader.close()


def test_one_session_seals_at_a_time_and_others_do_not_wait(rig):
    rig.player(silver=WELCOME_SILVER)
    one = rig.connect(autocommit=False)
    assert seal(rig, via=one)[0] == 1
    assert seal(rig) == (0, False, None)
    one.commit()
    one.close()
    assert rig.proof() == []


def test_transfers_are_sealed_in_order_while_many_sessions_write(rig):
    """In the end the chain contains every transfer in numeric order, and none ever appeared behind its
    end."""
    players = [rig.player(silver=WELCOME_SILVER) for _ in range(4)]
    done = threading.Event()
    problems = []

    def write(player):
        via = rig.connect(autocommit=False)
        for n in range(60):
            rig.credit(player, "gold", 1, key=f"write:{player}:{n}", via=via)
            via.rollback() if n % 7 == 3 else via.commit()
        via.close()

    def keep_sealing():
        via = rig.connect()
        while not done.is_set():
            seal(rig, 10, via=via)
            problems.extend(rig.rows("SELECT * FROM ledger_check_chain()", via=via))
        via.close()

    sealer = threading.Thread(target=keep_sealing)
    writers = [threading.Thread(target=write, args=(player,)) for player in players]
    sealer.start()
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    sealer.join()
    while seal(rig, 50)[1]:
        pass
    assert problems == [] and unsealed(rig) == [] and rig.proof() == []
    assert rig.one("SELECT count(*) FROM ledger_chain") > 4 * 50


def test_each_day_has_one_head(rig):
    rig.player(silver=WELCOME_SILVER)
    assert seal(rig)[2]
    rig.player(silver=WELCOME_SILVER)
    assert seal(rig)[2] is None
    rig.rows(
        "ALTER TABLE ledger_heads DISABLE TRIGGER head_kept; UPDATE ledger_heads SET day = day - 1; ALTER"
        " TABLE ledger_heads ENABLE ALWAYS TRIGGER head_kept"
    )
    assert seal(rig)[2] == rig.one(
        "SELECT transfer_id || ':' || encode(hash, 'hex') FROM ledger_heads ORDER BY day DESC LIMIT 1"
    )
    assert rig.one("SELECT count(*) FROM ledger_heads") == 2
    assert rig.proof() == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ledger_chain SET hash = hash",
        "DELETE FROM ledger_chain",
        "TRUNCATE ledger_chain",
        "UPDATE ledger_heads SET hash = hash",
        "DELETE FROM ledger_heads",
        "TRUNCATE ledger_heads",
    ],
)
@pytest.mark.parametrize("user", [OWNER, "postgres"])
def test_sealed_rows_cannot_be_changed(shared, sql, user):
    shared.player(silver=WELCOME_SILVER)
    seal(shared)
    session = shared.connect(user=user)
    if user == "postgres":
        shared.rows("SET session_replication_role = replica", via=session)
    with pytest.raises(psycopg2.errors.CheckViolation, match="ledger: .* is not allowed"):
        shared.rows(sql, via=session)
    session.close()


def test_a_number_far_beyond_the_sequence_is_refused(shared):
    """It would freeze the purse, because every later posting would sort before it."""
    player = shared.player(silver=WELCOME_SILVER, gold=5)
    account, house = (
        shared.one(f"SELECT {of}")
        for of in (f"account_purse({player}, 'gold')", "account_house('grant', 'gold')")
    )
    lines = (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'far') RETURNING id) INSERT INTO"
        " postings SELECT x.id, t.id, x.account, x.amount, 'x', x.after FROM t, (VALUES (900000001,"
        f" {account}, 5, 10), (900000002, {house}, -5, NULL)) x (id, account, amount, after)"
    )
    far = (
        "INSERT INTO transfers (id, cause, key) OVERRIDING SYSTEM VALUE VALUES (900000001, 'grant', 'far');"
        f" INSERT INTO postings (transfer_id, account_id, amount, reason) VALUES (900000001, {account}, 5,"
        f" 'x'), (900000001, {house}, -5, 'x')"
    )
    born = (
        "INSERT INTO accounts (id, kind, currency, cause) OVERRIDING SYSTEM VALUE VALUES (900000001, 'house',"
        " 'gold', 'refund')"
    )
    for user in (OWNER, "postgres"):
        for sql in (lines, far, born):
            session = shared.connect(user=user)
            if user == "postgres":
                shared.rows("SET session_replication_role = replica", via=session)
            with pytest.raises(
                psycopg2.errors.CheckViolation, match="ledger: a number that was not given out yet"
            ):
                shared.rows(sql, via=session)
            session.close()
    assert shared.one("SELECT do_daily_bonus(ARRAY[%s], now() + interval '1 day')", player) == 1
    shared.credit(player, "gold", 1)
    assert shared.purse(player)[1] == 6 and shared.proof() == []


@pytest.mark.parametrize(
    "key", ["a b", " a", "a ", "a\tb", "a\n", "", "x" * 201, "a\u00a0b", "\u0430", "a\x7f"]
)
def test_an_ambiguous_key_is_refused(shared, key):
    with pytest.raises(psycopg2.errors.CheckViolation):
        shared.rows("INSERT INTO transfers (cause, key) VALUES ('grant', %s)", key)


@pytest.mark.parametrize("at", ["infinity", "-infinity"])
def test_a_transfer_needs_a_finite_time(shared, at):
    with pytest.raises(psycopg2.errors.CheckViolation):
        shared.rows("INSERT INTO transfers (cause, key, at) VALUES ('grant', 'x', %s)", at)
