"""Problems that the ledger check names, and problems that only the chain can show, in a used database,
caused by an attacker with all privileges.

Each corruption is made as a superuser with every trigger of every table off and the constraints in its way
dropped; the ledger is then made as consistent as a patient attacker could make it. `SUMS` are detected by
sums; `CHAIN` leave every sum right, and only the chain detects them; `HIDDEN` are undetectable.
docs/ledger.md lists the last two."""

import pathlib
import re

import pytest
from db_rig import Rig

# After a change of amounts or accounts: recomputes the balances from the current lines.
REBALANCE = """
    UPDATE postings p SET balance_after = s.total
    FROM (SELECT q.id, sum(q.amount) OVER (PARTITION BY q.account_id ORDER BY q.id) AS total
          FROM postings q JOIN accounts a ON a.id = q.account_id WHERE a.kind <> 'house') s
    WHERE s.id = p.id AND p.balance_after IS DISTINCT FROM s.total;
    UPDATE accounts a SET balance = coalesce((SELECT sum(p.amount) FROM postings p WHERE p.account_id = a.id),
        0) WHERE a.kind <> 'house';"""
# Recomputes the chain from the current transfers, and the notes of its end and of later heads.
CHAIN_ANEW = """
    DO $$ DECLARE v_hash bytea := ''; r record; BEGIN
        DELETE FROM ledger_chain;
        FOR r IN SELECT * FROM ledger_hashes(0, 1000000) ORDER BY transfer_id LOOP
            v_hash := sha256(v_hash || r.hash);
            INSERT INTO ledger_chain VALUES (r.transfer_id, v_hash);
        END LOOP;
        UPDATE ledger_seal SET transfer_id = (SELECT max(transfer_id) FROM ledger_chain), hash = v_hash;
        UPDATE ledger_heads d SET hash = c.hash FROM ledger_chain c WHERE c.transfer_id = d.transfer_id;
    END $$;"""


def forged(cause, key, *lines, table="NULL", note="", at="now()"):
    """A transfer written by hand, with numbers and balances that follow from the existing ones. lines:
    (account, amount[, reason])."""
    values = ", ".join(
        f"({n}, ({line[0]}), ({line[1]})::bigint, '{line[2] if len(line) > 2 else cause}')"
        for n, line in enumerate(lines)
    )
    return (
        f"""
        INSERT INTO transfers (cause, key, table_id, note, at)
            VALUES ('{cause}', {key}, {table}, '{note}', {at});
        INSERT INTO postings (id, transfer_id, account_id, amount, reason)
        SELECT nextval('postings_id'), (SELECT max(id) FROM transfers), x.account, x.amount, x.reason
        FROM (VALUES {values}) x (n, account, amount, reason) ORDER BY x.n;"""
        + REBALANCE
    )


def house(cause, currency):
    return f"SELECT id FROM accounts WHERE kind = 'house' AND cause = '{cause}' AND currency = '{currency}'"


def purse(player, currency):
    return f"SELECT account_purse({{{player}}}, '{currency}')"


def hold(player):
    return (
        "SELECT id FROM accounts WHERE kind = 'hold' AND currency = 'silver' AND table_id = {live} AND"
        f" player_id = {{{player}}}"
    )


def line_of(key, which):
    return (
        f"id = (SELECT p.id FROM postings p JOIN transfers t ON t.id = p.transfer_id WHERE t.key = {key}"
        f" ORDER BY p.id LIMIT 1 OFFSET {which})"
    )


DAILY = "'daily:' || {ann} || ':'"
GRANT = "'grant:gold'"

SUMS = {
    # sums, balances, numbers
    "a_line_is_worth_more": (
        "unbalanced_transfer",
        f"UPDATE postings SET amount = amount - 1 WHERE {line_of(GRANT, 0)}",
    ),
    "a_purse_is_worth_more": (
        "balance_differs",
        "UPDATE accounts SET balance = balance + 1 WHERE id = ({ann_gold})",
    ),
    "a_balance_on_the_way": (
        "balance_after_differs",
        f"UPDATE postings SET balance_after = balance_after + 1 WHERE {line_of(GRANT, 1)}",
    ),
    "a_purse_without_a_balance": (
        "balance_differs",
        "UPDATE accounts SET balance = NULL WHERE id = ({ann_gold})",
    ),
    "a_purse_below_zero": (
        "negative_balance",
        forged("grant", "'x'", (purse("cid", "gold"), -8), (house("grant", "gold"), 8)),
    ),
    "the_lines_are_gone": (
        "transfer_without_postings",
        f"DELETE FROM postings WHERE transfer_id = (SELECT id FROM transfers WHERE key = {GRANT});"
        + REBALANCE,
    ),
    "the_head_is_gone": ("posting_without_transfer", f"DELETE FROM transfers WHERE key = {GRANT}"),
    "an_account_is_gone": ("posting_without_account", "DELETE FROM accounts WHERE id = ({ann_gold})"),
    "a_purse_is_gone": (
        "player_without_purse",
        "DELETE FROM accounts WHERE id = (" + purse("cid", "gold") + ")",
    ),
    "a_posting_numbered_far_beyond": (
        "number_ahead",
        forged("grant", "'x'", (house("grant", "gold"), -5), (purse("ann", "gold"), 5))
        + "UPDATE postings SET id = id + 1000000 WHERE transfer_id = (SELECT max(id) FROM transfers)",
    ),
    # tournaments
    "an_entry_paid_more": ("pot_differs", "UPDATE tournament_entries SET paid_silver = paid_silver + 1"),
    "an_entry_outlives_its_tournament": (
        "pot_of_ended",
        "UPDATE tournaments SET state = 'ended', ended_at = now()",
    ),
    "a_prize_that_was_not_paid": ("entry_differs", "UPDATE tournament_entries SET prize_gold = 5"),
    "a_transfer_numbered_far_beyond": (
        "number_ahead",
        "INSERT INTO transfers (id, cause, key) OVERRIDING SYSTEM VALUE VALUES (999999, 'grant', 'x');"
        "INSERT INTO postings VALUES (nextval('postings_id'), 999999, ({ann_gold}), 5, 'x'),"
        "(nextval('postings_id'), 999999, (" + house("grant", "gold") + "), -5, 'x');" + REBALANCE,
    ),
    "an_account_numbered_far_beyond": (
        "number_ahead",
        "UPDATE accounts SET id = 999999 WHERE id = (" + purse("cid", "gold") + ")",
    ),
    "silver_over_its_cap": (
        "silver_over_cap",
        forged("grant", "'x'", (house("grant", "silver"), -500), (purse("ann", "silver"), 500)),
    ),
    "silver_over_its_cap_by_a_hold": (
        "silver_over_cap",
        "UPDATE players SET level = 1; UPDATE levels SET silver_cap = 5 WHERE level = 1",
    ),
    "a_second_purse": (
        "double_account",
        "INSERT INTO accounts (kind, currency, player_id, balance) VALUES ('purse', 'gold', {ann}, 0)",
    ),
    "a_second_house": (
        "double_account",
        "INSERT INTO accounts (kind, currency, cause) VALUES ('house', 'gold', 'level')",
    ),
    "a_house_with_a_balance": (
        "house_balance",
        "UPDATE accounts SET balance = 7 WHERE id = (" + house("level", "gold") + ")",
    ),
    "a_line_of_a_house_with_a_balance": (
        "house_balance",
        f"UPDATE postings SET balance_after = 7 WHERE {line_of(GRANT, 0)}",
    ),
    # duplicates
    "a_key_twice": (
        "double_cause",
        forged("grant", GRANT, (house("grant", "gold"), -5), (purse("ann", "gold"), 5)),
    ),
    "a_table_settled_twice": (
        "double_cause",
        forged(
            "settle",
            "'settle:table:' || {game} || ':again'",
            (house("reward", "gold"), -5, "reward"),
            (purse("ann", "gold"), 5, "reward"),
            table="{game}",
        ),
    ),
    "refund_and_settlement": (
        "refunded_and_settled",
        forged(
            "refund",
            "'refund:table:' || {game} || ':take:1'",
            (house("stake", "silver"), -10),
            (purse("ann", "silver"), 10),
            table="{game}",
        ),
    ),
    "one_bonus_under_two_keys": (
        "key_wrong",
        forged(
            "daily",
            "'daily:0' || {ann} || ':' || {today}",
            (house("daily", "silver"), -1),
            (purse("ann", "silver"), 1),
        ),
    ),
    "one_bonus_under_another_name": (
        "key_wrong",
        forged(
            "daily",
            "'bonus:' || {ann} || ':' || {today}",
            (house("daily", "silver"), -1),
            (purse("ann", "silver"), 1),
        ),
    ),
    "a_bonus_of_no_day": (
        "key_wrong",
        forged(
            "daily", DAILY + " || '2026-02-30'", (house("daily", "silver"), -1), (purse("ann", "silver"), 1)
        ),
    ),
    "a_key_with_a_blank": (
        "key_wrong",
        forged(
            "daily", DAILY + " || {today} || ' '", (house("daily", "silver"), -1), (purse("ann", "silver"), 1)
        ),
    ),
    "a_grant_s_key_with_a_tab": (
        "key_wrong",
        f"UPDATE transfers SET key = key || E'\\t' WHERE key = {GRANT}",
    ),
    "a_midnight_to_come": (
        "bonus_differs",
        forged(
            "daily",
            DAILY + " || ({today}::date + 1)",
            (house("daily", "silver"), -1),
            (purse("ann", "silver"), 1),
        ),
    ),
    "midnights_paid_again_together": (
        "bonus_differs",
        forged("daily", DAILY + " || {today}", (house("daily", "silver"), -1), (purse("ann", "silver"), 1))
        .replace("''", "(SELECT ({today}::date - 40)::text)")
        .replace(DAILY + " || {today}", DAILY + " || ({today}::date - 1)"),
    ),
    # times
    "at_infinity": ("time_wrong", f"UPDATE transfers SET at = 'infinity' WHERE key = {GRANT}"),
    "at_minus_infinity": ("time_wrong", f"UPDATE transfers SET at = '-infinity' WHERE key = {GRANT}"),
    "before_the_first_game": ("time_wrong", f"UPDATE transfers SET at = '1999-12-31' WHERE key = {GRANT}"),
    "in_two_months": (
        "time_wrong",
        f"UPDATE transfers SET at = now() + interval '2 months' WHERE key = {GRANT}",
    ),
    # lines of another cause
    "a_bonus_from_the_rewards": (
        "strange_lines",
        "UPDATE postings SET account_id = ("
        + house("reward", "silver")
        + ") WHERE account_id = ("
        + house("daily", "silver")
        + ") AND id = (SELECT max(id) FROM postings WHERE account_id = ("
        + house("daily", "silver")
        + "))",
    ),
    "a_level_s_reward_from_a_purse": (
        "strange_lines",
        "UPDATE postings SET account_id = (" + purse("bob", "gold") + ") WHERE amount < 0 AND transfer_id = "
        "(SELECT id FROM transfers WHERE key = 'level:' || {ann} || ':2');" + REBALANCE,
    ),
    "a_stake_that_the_house_holds": (
        "strange_lines",
        "UPDATE postings SET account_id = (" + house("stake", "silver") + ") WHERE account_id = "
        "(SELECT id FROM accounts WHERE kind = 'hold' AND table_id = {live} AND player_id = {ann} LIMIT 1);"
        + REBALANCE,
    ),
    # tables, seats and results
    "chips_held_where_nobody_plays": (
        "hold_without_live_table",
        "UPDATE tables SET state = 'cancelled' WHERE id = {live}",
    ),
    "a_hold_that_moved_with_chips_in_it": (
        "hold_moved",
        f"UPDATE accounts SET table_id = {{game}} WHERE id = ({hold('ann')})",
    ),
    "a_hold_that_moved_without_a_line": (
        "hold_moved",
        "UPDATE accounts SET table_id = {game} WHERE kind = 'hold' AND player_id = {cid}",
    ),
    "lines_of_two_tables_at_once_in_a_hold": (
        "hold_moved",
        forged(
            "refund",
            "'refund:table:' || {game} || ':take:9'",
            (hold("ann"), -4),
            (purse("ann", "silver"), 4),
            table="{game}",
        ),
    ),
    "a_table_of_the_past_that_gives_chips": (
        "hold_differs",
        forged(
            "refund",
            "'refund:table:' || {game} || ':take:9'",
            (hold("ann"), -4),
            (purse("ann", "silver"), 4),
            table="{game}",
        ),
    ),
    "a_line_that_was_for_another_table": (
        "hold_differs",
        "UPDATE transfers SET table_id = {game} WHERE key = 'stake:table:' || {live} || ':take:1'",
    ),
    "a_seat_that_cost_less": (
        "seat_without_hold",
        "UPDATE seats SET stake_silver = 0, stake_gold = 10 WHERE table_id = {live} AND player_id = {ann}",
    ),
    "a_table_of_another_stake": ("seat_stake_differs", "UPDATE tables SET stake = 11 WHERE id = {live}"),
    "an_old_seat_that_cost_less": (
        "stake_differs",
        "UPDATE seats SET stake_silver = 0, stake_gold = 10 WHERE table_id = {game} AND player_id = {ann}",
    ),
    "a_seat_of_the_past_that_lives": (
        "seat_live_differs",
        "UPDATE seats SET live = true WHERE table_id = {game}",
    ),
    "a_settlement_is_gone": (
        "table_unsettled",
        "DELETE FROM postings WHERE transfer_id = (SELECT id FROM transfers WHERE key = 'settle:table:' ||"
        " {game});DELETE FROM transfers WHERE key = 'settle:table:' || {game};" + REBALANCE,
    ),
    "a_settlement_of_a_game_that_goes_on": (
        "settled_unfinished",
        forged(
            "settle",
            "'settle:table:' || {live}",
            (house("reward", "gold"), -5, "reward"),
            (purse("ann", "gold"), 5, "reward"),
            table="{live}",
        ),
    ),
    "a_result_with_more": (
        "result_differs",
        "UPDATE game_players SET gold = gold + 5 WHERE player_id = {bob}",
    ),
    "a_settlement_with_more": (
        "result_differs",
        "UPDATE postings SET amount = amount + sign(amount) * 5 WHERE reason = 'reward' AND transfer_id = "
        "(SELECT id FROM transfers WHERE key = 'settle:table:' || {game});" + REBALANCE,
    ),
    "silver_that_was_not_lost": (
        "result_differs",
        "UPDATE game_players SET silver_lost = 3 WHERE player_id = {bob}",
    ),
    "another_winner": (
        "winner_differs",
        "UPDATE game_players SET won = NOT won WHERE player_id IN ({ann}, {bob})",
    ),
    "a_bot_with_chips": ("result_differs", "UPDATE game_players SET silver = 25 WHERE player_id IS NULL"),
    # gold that was earned
    "a_level_paid_twice": (
        "level_reward_differs",
        forged(
            "level", "'level:' || {ann} || ':3'", (house("level", "gold"), -10), (purse("ann", "gold"), 10)
        ),
    ),
    "a_level_not_paid": (
        "level_reward_differs",
        "DELETE FROM postings WHERE transfer_id = (SELECT id FROM transfers WHERE key = 'level:' || {ann} ||"
        " ':2');DELETE FROM transfers WHERE key = 'level:' || {ann} || ':2';" + REBALANCE,
    ),
    "an_achievement_not_earned": (
        "achievement_differs",
        forged(
            "achievement",
            "'achievement:' || {bob} || ':wins_500'",
            (house("achievement", "gold"), -150),
            (purse("bob", "gold"), 150),
        ),
    ),
    "an_achievement_not_paid": (
        "achievement_differs",
        "INSERT INTO player_achievements (player_id, achievement_id, gold) VALUES ({bob}, 'wins_500', 150)",
    ),
    "an_achievement_paid_better": (
        "achievement_differs",
        "UPDATE postings SET amount = amount * 3 WHERE transfer_id = "
        "(SELECT id FROM transfers WHERE key = 'achievement:' || {ann} || ':first_game');" + REBALANCE,
    ),
    "a_quest_not_done": (
        "quest_differs",
        forged(
            "quest",
            "'quest:' || {bob} || ':2026-11-23:games_10'",
            (house("quest", "gold"), -10),
            (purse("bob", "gold"), 10),
        ),
    ),
    "a_quest_not_paid": (
        "quest_differs",
        "INSERT INTO quest_progress VALUES ({bob}, '2026-11-23', 'games_10', 10, 10, now())",
    ),
    "a_quest_of_no_day": (
        "key_wrong",
        forged(
            "quest",
            "'quest:' || {bob} || ':games_10'",
            (house("quest", "gold"), -10),
            (purse("bob", "gold"), 10),
        ),
    ),
    "a_prize_of_a_month": (
        "prize_differs",
        forged(
            "month",
            "'month:2026-01:rummy51:rating:1'",
            (house("month", "gold"), -200),
            (purse("bob", "gold"), 200),
        ),
    ),
    "a_prize_of_a_league": (
        "prize_differs",
        forged("league", "'league:1:desert:9'", (house("league", "gold"), -10), (purse("bob", "gold"), 10)),
    ),
    "a_prize_that_never_came": (
        "prize_differs",
        "UPDATE season_results SET prize_gold = 50 WHERE player_id = {bob}",
    ),
    "a_grant_nobody_gave": (
        "grant_differs",
        forged("grant", "'operator:77'", (house("grant", "gold"), -30), (purse("ann", "gold"), 30)),
    ),
    "an_invitation_that_was_none": (
        "invite_differs",
        forged("invite", "'invite:' || {bob}", (house("invite", "gold"), -30), (purse("ann", "gold"), 30)),
    ),
}

CHAIN = {
    "a_grant_is_worth_more": (
        "UPDATE postings SET amount = amount + sign(amount) * 5 WHERE transfer_id = (SELECT id FROM"
        f" transfers WHERE key = {GRANT});" + REBALANCE
    ),
    "a_grant_went_to_another": (
        "UPDATE postings SET account_id = ("
        + purse("bob", "gold")
        + f") WHERE {line_of(GRANT, 1)};"
        + REBALANCE
    ),
    "a_grant_never_was": (
        f"DELETE FROM postings WHERE transfer_id = (SELECT id FROM transfers WHERE key = {GRANT}); DELETE"
        f" FROM transfers WHERE key = {GRANT};" + REBALANCE
    ),
    "a_grant_of_another_time": f"UPDATE transfers SET at = at + interval '1 minute' WHERE key = {GRANT}",
    "a_grant_of_another_name": f"UPDATE transfers SET key = 'grant:other' WHERE key = {GRANT}",
    "a_grant_with_another_note": f"UPDATE transfers SET note = 'as agreed' WHERE key = {GRANT}",
    "a_line_with_another_reason": f"UPDATE postings SET reason = 'other' WHERE {line_of(GRANT, 1)}",
    "a_grant_in_two_pieces": (
        f"UPDATE postings SET amount = amount - 1 WHERE {line_of(GRANT, 1)};INSERT INTO postings SELECT"
        " nextval('postings_id'), transfer_id, account_id, 1, reason FROM postings WHERE"
        f" {line_of(GRANT, 1)};" + REBALANCE
    ),
    "two_purses_change_owners": (
        "UPDATE accounts SET player_id = CASE player_id WHEN {cid} THEN {dan} ELSE {cid} END"
        " WHERE kind = 'purse' AND currency = 'gold' AND player_id IN ({cid}, {dan})"
    ),
    "a_transfer_slipped_in": (
        forged("grant", "'grant:slipped'", (house("grant", "gold"), -5), (purse("ann", "gold"), 5))
        + "UPDATE postings SET transfer_id = {gap} WHERE transfer_id = (SELECT max(id) FROM transfers);"
        "UPDATE transfers SET id = {gap} WHERE key = 'grant:slipped'"
    ),
    "another_won_with_all_that_says_so": (
        "UPDATE postings SET account_id = CASE account_id WHEN ({ann_silver}) THEN ("
        + purse("bob", "silver")
        + ") ELSE account_id END WHERE reason = 'reward' AND transfer_id = (SELECT id FROM transfers WHERE"
        " key = 'settle:table:' || {game});UPDATE game_players SET won = NOT won WHERE player_id IN ({ann},"
        " {bob}) AND game_id = (SELECT id FROM games WHERE table_id = {game});UPDATE game_players r SET"
        " silver = m.silver - s.stake_silver FROM seats s, (SELECT a.player_id, sum(p.amount) AS silver"
        " FROM postings p JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse' AND a.currency ="
        " 'silver' WHERE p.transfer_id = (SELECT id FROM transfers WHERE key = 'settle:table:' || {game})"
        " GROUP BY 1) m WHERE m.player_id = r.player_id AND s.table_id = {game} AND s.player_id ="
        " r.player_id AND r.game_id = (SELECT id FROM games WHERE table_id = {game});" + REBALANCE
    ),
    "the_end_of_the_chain_is_cut_off": (
        "DELETE FROM ledger_chain WHERE transfer_id = (SELECT max(transfer_id) FROM ledger_chain)"
    ),
    "a_link_is_another": (
        "UPDATE ledger_chain SET hash = sha256('x') WHERE transfer_id = (SELECT min(transfer_id) FROM"
        " ledger_chain)"
    ),
    "the_head_of_a_day_is_another": "UPDATE ledger_heads SET hash = sha256('x')",
}

HIDDEN = {
    "gold_that_an_operator_might_have_given": forged(
        "grant", "'grant:more'", (house("grant", "gold"), -5), (purse("ann", "gold"), 5)
    ),
    "what_is_not_sealed_yet": (
        forged("grant", "'grant:last'", (house("grant", "gold"), -5), (purse("ann", "gold"), 5))
        + "UPDATE postings SET amount = amount * 7 WHERE transfer_id = (SELECT id FROM transfers WHERE key ="
        " 'grant:last');" + REBALANCE
    ),
    "a_name": "UPDATE players SET nickname = 'Eve' WHERE id = {ann}",
    "why_a_table_was_as_it_was": "UPDATE tables SET created_at = created_at - interval '1 day'",
}


def lived(rig):
    """Players who have played, won, lost, gained levels, been paid, and received grants."""
    rig.ann, rig.bob, rig.cid, rig.dan = (rig.player() for _ in range(4))
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 3")
    rig.rows("UPDATE players SET level_points = 90, created_at = created_at - interval '4 days'")
    rig.credit(rig.ann, "gold", 50, key="grant:gold")
    rig.game = rig.table_of(rig.ann, rig.bob)
    assert rig.settle(rig.game, [1, 2, 3, 4])[0]["level"] == 2
    left = rig.sit(rig.bob)["table_id"]
    assert rig.leave(rig.bob, left) == "ok"
    assert rig.leave(rig.cid, rig.sit(rig.cid)["table_id"]) == "ok"
    rig.live = rig.table_of(rig.ann, rig.bob)
    session = rig.connect(autocommit=False)
    rig.rows("SELECT do_credit(%s, 'gold', 5, 'grant', 'grant:undone', '')", rig.ann, via=session)
    rig.gap = rig.one("SELECT max(id) FROM transfers", via=session)
    session.rollback()  # its number is assigned but never used
    session.close()
    rig.rows(
        "INSERT INTO season_results (season_no, player_id, position, place, games, reason) VALUES (1, %s, 1,"
        " 1, 30, 'stays')",
        rig.bob,
    )
    for player, gold in ((rig.cid, 7), (rig.dan, 9)):
        rig.credit(player, "gold", gold)
    rig.rows(
        """WITH t AS (
                    INSERT INTO tournaments (name, kind, variant, params, seats_n, advance_n, entry,
                        prize_table, entries_min, entries_max,
                                             bots_to, bot_level, sit_and_go, late_s, wait_s, break_s,
                                             draws_max, commit)
                    VALUES ('A cup', 'knockout', 'straight', '', 4, 1, 10, 'standard', 4, 4, 0, 2, true, 0, 0,
                        0, 64, sha256(''))
                    RETURNING id)
                INSERT INTO accounts (kind, currency, tournament_id) SELECT 'pot',
                    unnest('{silver,gold}'::text[]), id FROM t"""
    )
    rig.rows("SELECT entry_pay(t, %s, '', NULL) FROM tournaments t", rig.dan)
    rig.rows("SELECT do_seal_ledger(1000)")
    return rig


@pytest.fixture(scope="module")
def books(cluster, database):
    rig = lived(Rig(cluster, database))
    rig.without_guards = None
    yield rig
    if rig.without_guards:
        rig.without_guards.close()
    rig.close()


def corrupted(rig, sql, ask="SELECT * FROM q_ledger_check() UNION ALL SELECT * FROM q_shop_check()", *args):
    """Result of the ledger check after the corruption, which is rolled back."""
    session = unguarded(rig)
    names = {name: getattr(rig, name) for name in ("ann", "bob", "cid", "dan", "game", "live", "gap")}
    names["today"] = f"'{rig.one('SELECT local_day(now())')}'"
    for currency in ("gold", "silver"):
        names[f"ann_{currency}"] = f"SELECT account_purse({rig.ann}, '{currency}')"
    try:
        for name, value in names.items():
            sql = sql.replace("{" + name + "}", str(value))
        with session.cursor() as cursor:
            cursor.execute(sql)
        return [tuple(row) for row in rig.rows(ask, *args, via=session)]
    finally:
        rig.rows("ROLLBACK TO guarded", via=session)


def unguarded(rig):
    """A superuser's session in which nothing prevents a corruption. All corruptions run in one transaction,
    each from the same savepoint. Until it ends, no other session can read the tables of the ledger."""
    if rig.without_guards:
        return rig.without_guards
    session = rig.without_guards = rig.connect(autocommit=False, user="postgres")
    for (table,) in rig.rows(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
    ):
        rig.rows(f"ALTER TABLE {table} DISABLE TRIGGER ALL", via=session)
    for table, name in rig.rows(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype IN ('c', 'u')"
        " AND conrelid IN ('transfers'::regclass, 'accounts'::regclass, 'postings'::regclass)"
    ):
        rig.rows(f"ALTER TABLE {table} DROP CONSTRAINT {name}", via=session)
    rig.rows(
        "DROP INDEX accounts_purse, accounts_house; ALTER TABLE accounts ALTER id SET GENERATED BY"
        " DEFAULT;ALTER TABLE transfers ALTER id SET GENERATED BY DEFAULT; SAVEPOINT guarded",
        via=session,
    )
    return session


def test_the_ledger_is_clean_before_the_corruptions(books):
    via = unguarded(books)
    assert books.rows("SELECT problem FROM q_ledger_check()", via=via) == []
    assert (
        books.one("SELECT count(*) FROM ledger_chain", via=via)
        == books.one("SELECT count(*) FROM transfers", via=via)
        > 12
    )
    assert corrupted(books, "SELECT 1") == []


@pytest.mark.parametrize("name", SUMS)
def test_the_check_finds_corruptions_that_break_a_sum(books, name):
    problem, sql = SUMS[name]
    found = corrupted(books, sql)
    assert problem in {row[0] for row in found}, found


@pytest.mark.parametrize("name", CHAIN)
def test_only_the_chain_reveals_balanced_corruptions(books, name):
    found = {row[0] for row in corrupted(books, CHAIN[name])}
    assert found and found <= {"chain_differs", "head_differs"}, found


@pytest.mark.parametrize(
    "name", [name for name in CHAIN if "chain" not in name and "head" not in name and "link" not in name]
)
def test_a_published_head_reveals_a_rebuilt_chain(books, name):
    head = books.row("SELECT transfer_id, hash FROM ledger_seal")
    since = "SELECT problem FROM q_ledger_since(%s, %s)"
    assert books.rows(since, *head, via=unguarded(books)) == []
    assert corrupted(books, CHAIN[name] + ";" + CHAIN_ANEW) == []
    assert corrupted(books, CHAIN[name] + ";" + CHAIN_ANEW, since, *head) == [("rewritten",)]


@pytest.mark.parametrize("name", HIDDEN)
def test_some_corruptions_cannot_be_detected(books, name):
    assert corrupted(books, HIDDEN[name]) == []


def test_the_corruptions_cover_every_problem_the_check_can_name(books):
    """The check can name exactly the problems that these corruptions plant and find."""
    kinds = set()
    for (source,) in books.rows("SELECT prosrc FROM pg_proc WHERE proname ~ '^ledger_check_'"):
        kinds |= set(re.findall(r"(?:SELECT |\()'([a-z]+_[a-z_]+)',", source))
    assert kinds == {problem for problem, _ in SUMS.values()} | {"chain_differs", "head_differs"}


def test_the_document_lists_every_problem():
    """docs/ledger.md lists each problem that the check can name."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "ledger.md").read_text()
    for problem in {problem for problem, _ in SUMS.values()} | {"chain_differs", "head_differs", "rewritten"}:
        assert f"`{problem}`" in text, problem
    assert f"makes {len(SUMS) + len(CHAIN)} corruptions" in text
    assert f"Sums reveal {len(SUMS)} of them, and only the chain reveals the other {len(CHAIN)}." in text
