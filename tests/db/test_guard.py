"""Attempts to break the ledger by raw SQL, as the owner of its tables and as a superuser in replica mode.

Each must fail in the database itself, and leave the ledger unchanged and its check clean.
"""

import re

import psycopg2
import pytest
from support.volume import volume

OWN_DATABASES = True  # sessions in replica mode
REFUSED = (
    psycopg2.errors.CheckViolation,
    psycopg2.errors.ForeignKeyViolation,
    psycopg2.errors.UniqueViolation,
    psycopg2.errors.GeneratedAlways,
    psycopg2.errors.NotNullViolation,
)


LEDGER = ("accounts", "transfers", "postings", "shop_transfers")


def books(rig):
    return (
        rig.rows("SELECT * FROM accounts ORDER BY id"),
        rig.rows("SELECT * FROM transfers ORDER BY id"),
        rig.rows("SELECT * FROM postings ORDER BY id"),
    )


def peopled(rig):
    """Ann holds silver at a table. Bob has two empty holds, also of silver: there, and at a table that is
    over."""
    rig.ann, rig.bob = rig.player(gold=50), rig.player(gold=50)
    rig.other = rig.sit(rig.bob)["table_id"]
    rig.cancel(rig.other)
    table = rig.sit(rig.ann)["table_id"]
    assert rig.sit(rig.bob)["table_id"] == table
    rig.leave(rig.bob, table)
    rig.rows(
        "INSERT INTO accounts (kind, currency, player_id, table_id) VALUES ('hold', 'silver', %s, %s)",
        rig.bob,
        rig.other,
    )
    return rig


@pytest.fixture
def two(rig):
    """A database with two players who have something to lose."""
    return peopled(rig)


@pytest.fixture(scope="module")
def target(shared):
    """The same players for all attacks, because no attack may change anything."""
    return peopled(shared)


@pytest.fixture(scope="module")
def owner(target):
    """One session for all attacks, each of which is rolled back."""
    session = target.connect(autocommit=False)
    yield session
    session.close()


@pytest.fixture(scope="module")
def replica(target):
    session = target.connect(autocommit=False, user="postgres")
    target.rows("SET session_replication_role = replica", via=session)
    session.commit()
    yield session
    session.close()


NUMBERED = (
    "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
    " INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)"
    " SELECT nextval('postings_id'), id, x.a, x.n, 'x', x.b FROM t, (VALUES ({}), ({})) x (a, n, b)"
)

# {a}, {b}: purses (gold) of Ann and Bob; {h}: Ann's hold; {empty}: one of Bob's at the table {other}, which
# is over; {house}: a house account of gold; {t}: an old transfer; {p}: one of its postings.
ATTACKS = {
    # unbalanced
    "one_line": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');"
        "INSERT INTO postings (transfer_id, account_id, amount, reason) VALUES (lastval(), {a}, 5, 'x')"
    ),
    "two_lines_that_differ": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, 5), ({house}, -4)) x (a, n)"
    ),
    "balanced_across_currencies": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, 5), ({silver}, -5)) x (a, n)"
    ),
    "balanced_across_transfers": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x'), ('grant', 'y');"
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, CASE key WHEN 'x' THEN {a} ELSE {house} END,"
        " CASE key WHEN 'x' THEN 5 ELSE -5 END, 'x' FROM transfers WHERE key IN ('x', 'y')"
    ),
    "balanced_in_two_statements": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');"
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, {a}, 5, 'x' FROM transfers WHERE key = 'x';"
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, {house}, -5, 'x' FROM transfers WHERE key = 'x'"
    ),
    # additions to existing transfers
    "a_line_to_an_old_transfer": (
        "INSERT INTO postings (transfer_id, account_id, amount, reason) VALUES ({t}, {a}, 5, 'x')"
    ),
    "a_balanced_pair_to_an_old_transfer": (
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " VALUES ({t}, {a}, 5, 'x'), ({t}, {house}, -5, 'x')"
    ),
    "a_balanced_pair_to_one_of_this_transaction": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');INSERT INTO postings (transfer_id,"
        " account_id, amount, reason) SELECT id, x.a, x.n, 'x' FROM transfers, (VALUES ({a}, 5), ({house},"
        " -5)) x (a, n) WHERE key = 'x';INSERT INTO postings (transfer_id, account_id, amount, reason) SELECT"
        " id, x.a, x.n, 'x' FROM transfers, (VALUES ({a}, 5), ({house}, -5)) x (a, n) WHERE key = 'x'"
    ),
    # invalid transfers
    "transfer_without_postings": "INSERT INTO transfers (cause, key) VALUES ('grant', 'x')",
    "line_of_nothing": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');"
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, {a}, 0, 'x' FROM transfers WHERE key = 'x'"
    ),
    "line_of_no_transfer": (
        "INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " VALUES (999999, {a}, 5, 'x'), (999999, {house}, -5, 'x')"
    ),
    "line_of_no_account": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');INSERT INTO postings (transfer_id,"
        " account_id, amount, reason) SELECT id, x.a, x.n, 'x' FROM transfers, (VALUES (999999, 5), ({house},"
        " -5)) x (a, n) WHERE key = 'x'"
    ),
    "a_key_twice": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'welcome:' || {ann}) RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, 5), ({house}, -5)) x (a, n)"
    ),
    "an_unknown_cause": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('whim', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, 5), ({house}, -5)) x (a, n)"
    ),
    # changes of existing rows
    "update_amount": "UPDATE postings SET amount = amount + 1 WHERE id = {p}",
    "update_of_no_row": "UPDATE postings SET amount = amount WHERE false",
    "update_reason": "UPDATE postings SET reason = 'x' WHERE id = {p}",
    "move_posting": "UPDATE postings SET account_id = {b} WHERE id = {p}",
    "upsert_posting": (
        "INSERT INTO postings (id, transfer_id, account_id, amount, reason) VALUES ({p}, {t}, {a}, 5, 'x')"
        " ON CONFLICT (id) DO UPDATE SET amount = 5"
    ),
    "delete_posting": "DELETE FROM postings WHERE id = {p}",
    "delete_all_of_a_transfer": "DELETE FROM postings WHERE transfer_id = {t}",
    "truncate_postings": "TRUNCATE postings",
    "update_transfer": "UPDATE transfers SET key = 'other' WHERE id = {t}",
    "update_transfer_time": "UPDATE transfers SET at = now() - interval '1 day' WHERE id = {t}",
    "delete_transfer": "DELETE FROM transfers WHERE id = {t}",
    "truncate_transfers": "TRUNCATE transfers CASCADE",
    "truncate_accounts": "TRUNCATE accounts CASCADE",
    # balances
    "update_balance": "UPDATE accounts SET balance = balance + 100 WHERE id = {a}",
    "update_balances_that_cancel_out": (
        "UPDATE accounts SET balance = balance + CASE id WHEN {a} THEN 5 ELSE -5 END WHERE id IN ({a}, {b})"
    ),
    "update_hold": "UPDATE accounts SET balance = 0 WHERE id = {h}",
    "give_account_away": "UPDATE accounts SET player_id = {bob} WHERE id = {a}",
    "give_hold_away": "UPDATE accounts SET player_id = {bob} WHERE id = {h}",
    # holds: only an empty one may move to another table
    "move_what_is_held": "UPDATE accounts SET table_id = {other} WHERE id = {h}",
    "move_a_purse": "UPDATE accounts SET table_id = {other} WHERE id = {a}",
    "empty_a_hold_as_it_moves": "UPDATE accounts SET table_id = {other}, balance = 0 WHERE id = {h}",
    "fill_a_hold_as_it_moves": "UPDATE accounts SET table_id = {table}, balance = 5 WHERE id = {empty}",
    "give_a_hold_away_as_it_moves": (
        "UPDATE accounts SET table_id = {table}, player_id = {ann} WHERE id = {empty}"
    ),
    "change_a_hold_s_currency_as_it_moves": (
        "UPDATE accounts SET table_id = {table}, currency = 'gold' WHERE id = {empty}"
    ),
    "make_a_purse_of_a_hold": "UPDATE accounts SET table_id = NULL, kind = 'purse' WHERE id = {empty}",
    "move_a_hold_to_no_table": "UPDATE accounts SET table_id = 999999 WHERE id = {empty}",
    "touch_a_hold_that_stays": "UPDATE accounts SET table_id = table_id WHERE id = {empty}",
    "move_a_hold_to_where_one_is": "UPDATE accounts SET table_id = {table} WHERE id = {empty}",
    "chips_of_another_table_s_hold": (
        "WITH t AS (INSERT INTO transfers (cause, key, table_id) VALUES ('refund', 'x', {other}) RETURNING"
        " id) INSERT INTO postings (transfer_id, account_id, amount, reason) SELECT id, x.a, x.n, 'x' FROM t,"
        " (VALUES ({h}, -5), ({silver}, 5)) x (a, n)"
    ),
    "chips_of_a_hold_for_no_table": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('refund', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({h}, -5), ({silver}, 5)) x (a, n)"
    ),
    "change_currency": "UPDATE accounts SET currency = 'gold' WHERE id = {h}",
    "born_rich": (
        "INSERT INTO accounts (kind, currency, cause, balance) VALUES ('house', 'gold', 'refund', 7)"
    ),
    "born_rich_purse": (
        "INSERT INTO accounts (kind, currency, player_id, table_id, balance)"
        " VALUES ('hold', 'gold', {bob}, {table}, 7)"
    ),
    "a_second_purse": "INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'gold', {ann})",
    "delete_account": "DELETE FROM accounts WHERE id = {a}",
    "delete_unused_account": (
        "DELETE FROM accounts WHERE kind = 'house' AND cause = 'welcome' AND currency = 'gold'"
    ),
    # from within the attacker's own trigger, which passes the guard on the trigger depth
    "update_balance_in_a_trigger": (
        "CREATE TABLE trap (n integer);"
        "CREATE FUNCTION spring() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " UPDATE accounts SET balance = balance + 100 WHERE id = {a}; RETURN NEW; END $$;"
        "CREATE TRIGGER t BEFORE INSERT ON trap FOR EACH ROW EXECUTE FUNCTION spring();"
        "INSERT INTO trap VALUES (1)"
    ),
    # postings that supply their own number and balance
    "numbered_but_nothing_moves": NUMBERED.format("{a}, 5, NULL::bigint", "{house}, -5, NULL"),
    "numbered_with_a_wrong_balance": NUMBERED.format("{a}, 5, 56", "{house}, -5, NULL"),
    "numbered_and_off_on_the_way": NUMBERED.format("{a}, 5, 54", "{a}, -5, 50"),
    "numbered_with_a_balance_of_the_house": NUMBERED.format("{a}, 5, 55", "{house}, -5, -5"),
    "numbered_below_zero": NUMBERED.format("{a}, -51, -1", "{house}, 51, NULL"),
    "numbered_into_the_past": (
        "INSERT INTO transfers (cause, key) VALUES ('grant', 'x');"
        "INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)"
        " SELECT x.i, id, x.a, x.n, 'x', x.b FROM transfers,"
        " (VALUES (0, {a}, 50, 50), (-1, {house}, -50, NULL)) x (i, a, n, b) WHERE key = 'x'"
    ),
    # below zero
    "purse_below_zero": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, -51), ({b}, 51)) x (a, n)"
    ),
    "hold_below_zero": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({h}, -11), ({silver}, 11)) x (a, n)"
    ),
    "below_zero_for_a_moment": (
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, -51), ({b}, 51), ({b}, -1), ({a}, 1)) x (a, n)"
    ),
}


def fill(rig, attack):
    account = "SELECT id FROM accounts WHERE player_id = %s AND currency = %s AND kind = %s"
    return attack.format(
        ann=rig.ann,
        bob=rig.bob,
        a=rig.one(account, rig.ann, "gold", "purse"),
        b=rig.one(account, rig.bob, "gold", "purse"),
        silver=rig.one(account, rig.ann, "silver", "purse"),
        other=rig.other,
        empty=rig.one(account + " AND table_id = %s", rig.bob, "silver", "hold", rig.other),
        h=rig.one(account, rig.ann, "silver", "hold"),
        house=rig.one("SELECT account_house('grant', 'gold')"),
        table=rig.one("SELECT max(id) FROM tables"),
        t=rig.one("SELECT min(id) FROM transfers"),
        p=rig.one("SELECT min(id) FROM postings"),
    )


@pytest.mark.parametrize("name", ATTACKS)
def test_the_owner_cannot_break_the_ledger(target, owner, name):
    assert target.one("SELECT tableowner FROM pg_tables WHERE tablename = 'postings'") == target.one(
        "SELECT current_user"
    )
    refused_leaves_books(target, fill(target, ATTACKS[name]), owner)


def refused_leaves_books(rig, attack, session):
    before = books(rig)
    with pytest.raises(REFUSED):
        rig.rows(attack, via=session)
        session.commit()
    session.rollback()
    assert books(rig) == before
    assert rig.proof() == []


# In replica mode foreign keys are off, and so are triggers created without ENABLE ALWAYS.
NOT_FOR_REPLICAS = ("an_unknown_cause", "move_a_hold_to_no_table", "update_balance_in_a_trigger")


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in NOT_FOR_REPLICAS])
def test_a_superuser_in_replica_mode_cannot_break_the_ledger(target, replica, name):
    assert target.one("SHOW session_replication_role", via=replica) == "replica"
    refused_leaves_books(target, fill(target, ATTACKS[name]), replica)


# Objects that an unqualified `accounts` or `<>` in a guard would find first. Created as the owner, who may
# create all of them.
SHADOWS = {
    "empty_tables": "".join(f"CREATE TEMP TABLE {table} (LIKE public.{table});" for table in LEDGER),
    "tables_that_agree": (
        "CREATE TEMP TABLE accounts AS SELECT *, 0::bigint AS amount FROM public.accounts;"
        "CREATE TEMP TABLE transfers AS SELECT g AS id FROM generate_series(-10, 10000) g;"
        "CREATE TEMP TABLE postings (LIKE public.postings); CREATE TEMP TABLE added (LIKE public.postings);"
    ),
    "a_sequence": "CREATE TEMP SEQUENCE postings_id;",
    "operators": (
        "CREATE SCHEMA evil; CREATE FUNCTION evil.no(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT"
        " false';CREATE FUNCTION evil.no(numeric, integer) RETURNS boolean LANGUAGE sql AS 'SELECT"
        " false';CREATE OPERATOR evil.<> (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = evil.no);CREATE"
        " OPERATOR evil.<> (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = evil.no);SET search_path ="
        " evil, pg_catalog, public;"
    ),
}


def of_ours(attack):
    """The attack, changed to target the tables in the schema public."""
    return re.sub(rf"\b(INTO|UPDATE|FROM|TRUNCATE) ({'|'.join(LEDGER)})\b", r"\1 public.\2", attack).replace(
        "'postings_id'", "'public.postings_id'"
    )


@pytest.mark.parametrize("shadow", SHADOWS)
def test_the_owner_cannot_break_the_ledger_behind_decoy_objects(target, shadow):
    session = target.connect(autocommit=False)
    # In the normal run each attack is tried behind only one kind of decoy.
    for attack in list(ATTACKS.values())[volume(0, list(SHADOWS).index(shadow)) :: volume(1, len(SHADOWS))]:
        target.rows(SHADOWS[shadow], via=session)
        refused_leaves_books(target, of_ours(fill(target, attack)), session)
    session.close()


@pytest.mark.parametrize("shadow", SHADOWS)
def test_valid_transfers_pass_behind_decoy_objects(two, shadow):
    """The decoy tables remain unchanged, and the real ones pass the check."""
    session = two.connect()
    two.rows(SHADOWS[shadow], via=session)
    two.rows(of_ours(fill(two, NUMBERED.format("{a}, 5, 55", "{house}, -5, NULL"))), via=session)
    plain = fill(
        two,
        "WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'y') RETURNING id)"
        " INSERT INTO postings (transfer_id, account_id, amount, reason)"
        " SELECT id, x.a, x.n, 'x' FROM t, (VALUES ({a}, -7), ({b}, 7)) x (a, n)",
    )
    two.rows(of_ours(plain), via=session)
    assert (two.purse(two.ann), two.purse(two.bob)) == ((90, 48), (100, 57))
    assert two.rows("SELECT * FROM public.q_ledger_check()", via=session) == []
    session.close()
    assert two.proof() == []


@pytest.mark.parametrize("shadow", ["empty_tables", "tables_that_agree"])
def test_decoy_objects_do_not_blind_the_ledger_check(two, shadow):
    two.rows("ALTER TABLE accounts DISABLE TRIGGER USER")
    two.rows("UPDATE accounts SET balance = balance + 1 WHERE kind = 'purse'")
    session = two.connect()
    two.rows(SHADOWS[shadow], via=session)
    assert "balance_differs" in {row[0] for row in two.rows("SELECT * FROM q_ledger_check()", via=session)}
    session.close()


STOPPED_BY = {
    "transfer_balanced": ("postings", "two_lines_that_differ"),
    "balances_follow": ("postings", "numbered_with_a_wrong_balance"),
    "posting_kept": ("postings", "update_amount"),
    "transfer_kept": ("transfers", "update_transfer"),
    "transfer_posted": ("transfers", "transfer_without_postings"),
    "account_guard": ("accounts", "born_rich_purse"),
    "account_changed": ("accounts", "move_what_is_held"),
    "balance_posted": ("accounts", "update_balance_in_a_trigger"),
    "account_kept": ("accounts", "delete_unused_account"),
}


@pytest.mark.parametrize("trigger", STOPPED_BY)
def test_every_guard_prevents_an_attack_that_the_others_miss(two, trigger):
    """With only this trigger off, the attack that it prevents succeeds, because the others do not stop
    it."""
    table, attack = STOPPED_BY[trigger]
    two.rows(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    two.rows(fill(two, ATTACKS[attack]))


def test_copy_is_guarded(two, tmp_path):
    session = two.connect(autocommit=False)
    account = two.one("SELECT account_purse(%s, 'gold')", two.ann)
    lines = tmp_path / "lines"
    lines.write_text(f"{two.one('SELECT min(id) FROM transfers')}\t{account}\t5\tx\n")
    with pytest.raises(REFUSED), open(lines) as file, session.cursor() as cursor:
        cursor.copy_from(file, "postings", columns=("transfer_id", "account_id", "amount", "reason"))
    session.close()
    assert two.proof() == []


def test_refusals_name_the_reason(two):
    for attack, text in {
        "one_line": "ledger: transfer .* does not sum to zero",
        "a_balanced_pair_to_an_old_transfer": "ledger: transfer .* has its postings already",
        "transfer_without_postings": "ledger: transfer .* has no postings",
        "chips_of_another_table_s_hold": "ledger: transfer .* moves what is held for another table",
        "move_what_is_held": "ledger: .* the table of a hold only while it is empty",
        "numbered_with_a_wrong_balance": (
            "ledger: the balance of account .* does not follow from its postings"
        ),
        "delete_posting": "ledger: delete of postings is not allowed",
        "truncate_accounts": "ledger: truncate of .* is not allowed",
        "update_balance": "ledger: a balance changes only by a posting",
        "update_balance_in_a_trigger": "ledger: account .* has a balance of 150 without a posting",
    }.items():
        with pytest.raises(psycopg2.errors.CheckViolation, match=text):
            two.rows(fill(two, ATTACKS[attack]))


def test_a_whole_transfer_in_one_statement_is_accepted(two):
    a, house = (
        two.one("SELECT account_purse(%s, 'gold')", two.ann),
        two.one("SELECT account_house('grant', 'gold')"),
    )
    two.rows(
        """WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x') RETURNING id)
                INSERT INTO postings (transfer_id, account_id, amount, reason)
                SELECT id, x.a, x.n, 'x' FROM t, (VALUES (%s, 5), (%s, -5)) x (a, n)""",
        a,
        house,
    )
    assert two.purse(two.ann) == (90, 55)
    assert two.rows("SELECT amount, balance_after FROM postings ORDER BY id DESC LIMIT 2") == [
        [-5, None],
        [5, 55],
    ]
    assert two.proof() == []


def test_correct_numbered_lines_are_accepted(two):
    two.rows(fill(two, NUMBERED.format("{a}, 5, 55", "{house}, -5, NULL")))
    two.rows(fill(two, NUMBERED.format("{a}, -7, 48", "{b}, 7, 57").replace("'x')", "'y')")))
    assert two.purse(two.ann) == (90, 48)
    assert two.purse(two.bob) == (100, 57)
    assert two.proof() == []


def test_two_transfers_may_share_a_statement(two):
    a, house = (
        two.one("SELECT account_purse(%s, 'gold')", two.ann),
        two.one("SELECT account_house('grant', 'gold')"),
    )
    two.rows(
        """WITH t AS (INSERT INTO transfers (cause, key) VALUES ('grant', 'x'), ('grant', 'y') RETURNING id)
                INSERT INTO postings (transfer_id, account_id, amount, reason)
                SELECT id, x.a, x.n, 'x' FROM t, (VALUES (%s, 5), (%s, -5)) x (a, n)""",
        a,
        house,
    )
    assert two.purse(two.ann) == (90, 60)
    assert two.proof() == []


# --- What the ledger check finds when the guards are removed first --------------------------------------

BREAKAGES = {
    "unbalanced_transfer": (
        "UPDATE postings SET amount = amount + 1 WHERE account_id = {house} AND id = (SELECT max(id) FROM"
        " postings WHERE account_id = {house})"
    ),
    "transfer_without_postings": "INSERT INTO transfers (cause, key) VALUES ('grant', 'x')",
    "balance_differs": "UPDATE accounts SET balance = balance + 1 WHERE id = {a}",
    "balance_after_differs": "UPDATE postings SET balance_after = balance_after + 1 WHERE account_id = {a}",
    "hold_without_live_table": "UPDATE tables SET state = 'finished'",
    "seat_without_hold": "UPDATE seats SET stake_silver = 7",
    "seat_stake_differs": "UPDATE tables SET stake = 11",
    "seat_live_differs": "UPDATE seats SET live = false",
    "negative_balance": (
        "ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check; UPDATE accounts SET balance = -1 WHERE"
        " id = {a}"
    ),
    "player_without_purse": "DELETE FROM accounts WHERE id = {never}",
}


@pytest.mark.parametrize("problem", BREAKAGES)
def test_the_ledger_check_names_the_problem(two, problem):
    never = two.one("SELECT account_purse(%s, 'gold')", two.player(silver=100))
    attack = fill(two, BREAKAGES[problem].replace("{never}", str(never)))
    for table in ("accounts", "transfers", "postings"):
        two.rows(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    two.rows(attack)
    assert problem in {found[0] for found in two.proof()}


PLANTED_WITHOUT_KEYS = [
    (
        (
            "ALTER TABLE transfers DROP CONSTRAINT transfers_key_key;"
            " INSERT INTO transfers (cause, key) SELECT cause, key FROM transfers WHERE key = 'grant:again'"
        ),
        "double_cause",
        "key grant:again",
    ),
    (
        (
            "INSERT INTO transfers (cause, key, table_id) SELECT 'settle', 'settle:again:' || n, max(id) FROM"
            " tables, generate_series(1, 2) n GROUP BY n"
        ),
        "double_cause",
        "table ",
    ),
    ("DELETE FROM transfers WHERE key = 'grant:again'", "posting_without_transfer", "posting "),
    (
        (
            "DELETE FROM accounts WHERE id = (SELECT account_purse(id, 'gold') FROM players WHERE nickname ="
            " 'gone')"
        ),
        "posting_without_account",
        "posting ",
    ),
]


@pytest.mark.parametrize("attack, problem, subject", PLANTED_WITHOUT_KEYS)
def test_the_check_finds_changes_made_without_triggers_and_keys(two, attack, problem, subject):
    gone = two.player(silver=100)
    two.rows("UPDATE players SET nickname = 'gone' WHERE id = %s", gone)
    two.credit(gone, "gold", 5, key="grant:again")
    assert two.proof() == []
    for table in ("accounts", "transfers", "postings"):
        two.rows(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    session = two.connect(user="postgres")
    two.rows("SET session_replication_role = replica", via=session)
    two.rows(attack, via=session)
    session.close()
    assert any(found[0] == problem and found[1].startswith(subject) for found in two.proof()), two.proof()
