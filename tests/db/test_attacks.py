"""An attacker with the server's session: raw SQL as the server's role, against everything that balances
depend on.

Every attack must fail or change nothing. docs/ledger.md describes what the role is permitted to do (playing,
and reporting a payment); here the role also does that under hostile settings."""

import contextlib
import threading
import uuid

import psycopg2
import psycopg2.errors as pg
import pytest
from support.cluster import READER, SERVER
from support.wait import HANG_S

OWN_DATABASES = True  # sessions in replica mode, and schema changes
TRANSFER = "INSERT INTO transfers (cause, key) VALUES ('grant', 'x')"
LINES = (
    "INSERT INTO postings (transfer_id, account_id, amount, reason) SELECT id, v.* FROM transfers, (VALUES"
    " {}) v WHERE key = 'x'"
)
TRIGGER = "CREATE FUNCTION {0}.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"

# {a}, {b}: gold purses of Ann and Bob; {h}: Ann's hold; {house}: a house account of gold; {ann}, {bob}: the
# players; {waiting}, {over}: tables; {order}: an order that is pending; {epoch}: of the node.
ATTACKS = {
    # --- the ledger itself
    "one_line": f"{TRANSFER}; {LINES.format('({a}, 5, 1)')}",
    "from_the_house": f"{TRANSFER}; " + LINES.format("({a}, 500, 'x'), ({house}, -500, 'x')"),
    "from_another_player": f"{TRANSFER}; " + LINES.format("({a}, 50, 'x'), ({b}, -50, 'x')"),
    "from_ones_own_stake": f"{TRANSFER}; " + LINES.format("({h}, -10, 'x'), ({silver}, 10, 'x')"),
    "a_transfer_without_lines": TRANSFER,
    "a_pair_for_an_old_transfer": (
        "INSERT INTO postings (transfer_id, account_id, amount, reason) VALUES ({t}, {a}, 5, 'x'), ({t},"
        " {house}, -5, 'x')"
    ),
    "a_line_with_its_number": "INSERT INTO postings VALUES (1000000, {t}, {a}, 5, 'x', 55)",
    "a_line_with_a_far_number": "INSERT INTO postings VALUES (9000000000000000000, {t}, {a}, 5, 'x', 55)",
    "a_line_of_the_past": "INSERT INTO postings VALUES (0, {t}, {a}, 5, 'x', 55)",
    "a_transfer_with_a_far_number": (
        "INSERT INTO transfers (id, cause, key) OVERRIDING SYSTEM VALUE VALUES (9000000000000000000, 'grant',"
        " 'x')"
    ),
    "another_amount": "UPDATE postings SET amount = 1000 WHERE account_id = {a}",
    "another_account": "UPDATE postings SET account_id = {a} WHERE account_id = {b}",
    "another_key": "UPDATE transfers SET key = 'y' WHERE id = {t}",
    "another_time": "UPDATE transfers SET at = now() - interval '1 year'",
    "a_balance": "UPDATE accounts SET balance = balance + 1000 WHERE id = {a}",
    "a_balance_of_nobody": "UPDATE accounts SET balance = 0 WHERE false",
    "two_balances": (
        "UPDATE accounts SET balance = balance + CASE id WHEN {a} THEN 5 ELSE -5 END WHERE id IN ({a}, {b})"
    ),
    "another_owner": "UPDATE accounts SET player_id = {ann} WHERE id = {b}",
    "another_currency": "UPDATE accounts SET currency = 'gold' WHERE id = {silver}",
    "an_account_born_rich": (
        "INSERT INTO accounts (kind, currency, player_id, table_id, balance) VALUES ('hold', 'gold', {ann},"
        " {over}, 1000)"
    ),
    "a_second_purse": "INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'gold', {ann})",
    "no_account": "DELETE FROM accounts WHERE id = {b}",
    "no_line": "DELETE FROM postings WHERE account_id = {a} AND amount < 0",
    "no_transfer": "DELETE FROM transfers WHERE id = {t}",
    "no_lines_at_all": "TRUNCATE postings",
    "no_transfers_at_all": "TRUNCATE transfers CASCADE",
    "no_accounts_at_all": "TRUNCATE accounts CASCADE",
    "merge": (
        "MERGE INTO accounts a USING (SELECT {a} AS id) s ON a.id = s.id WHEN MATCHED THEN UPDATE SET balance"
        " = 1000"
    ),
    "upsert": (
        "INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'gold', {ann})"
        " ON CONFLICT (player_id, currency) WHERE kind = 'purse' DO UPDATE SET balance = 1000"
    ),
    "in_a_with": "WITH gone AS (UPDATE accounts SET balance = 1000 RETURNING 1) SELECT count(*) FROM gone",
    "in_a_block": "DO $$ BEGIN UPDATE accounts SET balance = 1000; END $$",
    "in_a_block_that_swallows": (
        "DO $$ BEGIN UPDATE accounts SET balance = 1000; EXCEPTION WHEN insufficient_privilege THEN"
        " EXECUTE 'UPDATE public.accounts SET balance = 1000'; END $$"
    ),
    "prepared": "PREPARE rich AS UPDATE accounts SET balance = 1000; EXECUTE rich",
    "explained": "EXPLAIN ANALYZE UPDATE accounts SET balance = 1000",
    "by_a_cursor": (
        "DECLARE c CURSOR FOR SELECT * FROM accounts WHERE id = {a} FOR UPDATE; MOVE c; UPDATE accounts SET"
        " balance = 9 WHERE CURRENT OF c"
    ),
    "locked_rows": "SELECT * FROM accounts FOR UPDATE",
    "a_locked_table": "BEGIN; LOCK TABLE postings IN ACCESS EXCLUSIVE MODE",
    "copy": "COPY accounts FROM PROGRAM 'echo'",
    "copy_of_a_file": "COPY postings FROM '/dev/null'",
    # --- the chain that reveals rewritten transfers
    "a_link": "INSERT INTO ledger_chain (transfer_id, hash) VALUES (1000000, sha256('x'))",
    "another_link": "UPDATE ledger_chain SET hash = sha256('x')",
    "no_chain": "TRUNCATE ledger_chain",
    "another_head": "UPDATE ledger_heads SET hash = sha256('x')",
    "a_head_to_come": (
        "INSERT INTO ledger_heads (day, transfer_id, hash) VALUES (current_date + 1, 1, sha256('x'))"
    ),
    "a_chain_begun_again": "UPDATE ledger_seal SET transfer_id = 0, hash = ''",
    "a_link_by_hand": "SELECT ledger_chain_add(0, 1, '')",
    # --- inputs from which chips are computed
    "a_higher_stake_to_come_back": (
        "UPDATE seats SET stake_silver = 90, stake_gold = 50 WHERE player_id = {ann}"
    ),
    "a_stake_that_comes_back_again": "UPDATE seats SET take = take + 1 WHERE player_id = {ann}",
    "a_seat_of_ones_own": (
        "INSERT INTO seats (table_id, seat, player_id, nickname, stake_gold) VALUES ({waiting}, 3, {bob},"
        " 'x', 10)"
    ),
    "no_seat": "DELETE FROM seats WHERE table_id = {waiting}",
    "a_table_to_settle_again": "UPDATE tables SET state = 'playing' WHERE id = {over}",
    "a_higher_reward": "UPDATE tables SET reward = 1000000",
    "a_table_of_ones_own": (
        "INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node,"
        " server_seed, commit, fill_at) SELECT room_id, variant, params, seats_n, 0, 1000, 10, node,"
        " server_seed, commit, now() FROM tables LIMIT 1"
    ),
    "a_richer_room": "UPDATE rooms SET reward = 1000000",
    "a_richer_welcome": "UPDATE settings SET value = '1000000' WHERE name = 'welcome_silver'",
    "a_richer_level": "UPDATE levels SET reward_gold = 1000000, silver_cap = 1000000",
    "a_level_of_ones_own": "UPDATE players SET level = 50 WHERE id = {ann}",
    "an_operator": "UPDATE players SET role = 'admin' WHERE id = {ann}",
    "a_richer_achievement": "UPDATE achievements SET gold = 1000000",
    "a_counter": "INSERT INTO player_counters (player_id, counter, n) VALUES ({ann}, 'wins', 1000000)",
    "a_count_that_is_due": "INSERT INTO counts_due (player_id, counter, n) VALUES ({ann}, 'wins', 1000000)",
    "an_achievement_lost_again": "DELETE FROM player_achievements",
    "midnights_missed": "UPDATE player_days SET bonus_day = bonus_day - 100",
    "a_long_streak": "UPDATE player_days SET streak = 7, streak_best = 7, played_day = bonus_day",
    "an_invitation_owed": (
        "INSERT INTO invites (invited_id, inviter_id, state, owed) VALUES ({bob}, {ann}, 'paid', true)"
    ),
    "a_month_to_close_again": "DELETE FROM month_closings",
    "a_better_place": "UPDATE board_entries SET score = 1000000 WHERE player_id = {ann}",
    "a_richer_prize": "UPDATE month_prizes SET gold = 1000000; UPDATE league_prizes SET gold = 1000000",
    "a_season_to_end_again": "UPDATE seasons SET state = 'closing', step = 'prizes'",
    "a_prize_of_a_season": (
        "INSERT INTO season_results (season_no, player_id, position, games, reason, prize_gold)"
        " VALUES (1, {ann}, 1, 30, 'stays', 1000)"
    ),
    "a_limit_lifted": "DELETE FROM play_limits",
    "an_answer_forgotten": "DELETE FROM idempotency",
    "an_epoch": "UPDATE nodes SET epoch = epoch + 1",
    "a_journal": "DELETE FROM journal",
    "a_hand": "UPDATE hands SET results = '[]'",
    "a_job": "UPDATE jobs SET done_at = NULL",
    # --- the shop
    "an_order_that_is_paid": (
        "UPDATE shop_orders SET state = 'paid', paid_at = now(), paid_minor = price_minor WHERE id = {order}"
    ),
    "a_bigger_order": "UPDATE shop_orders SET gold = 1000000 WHERE id = {order}",
    "an_order_of_ones_own": (
        "INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency,"
        " provider, expires_at) SELECT player_id, 'x', body_hash, pack_id, 1000000, 1, currency, provider,"
        " expires_at FROM shop_orders LIMIT 1"
    ),
    "an_event": (
        "INSERT INTO shop_events (provider, event_id, kind, order_id) VALUES ('stripe', 'x', 'paid', {order})"
    ),
    "a_move_of_an_order": "INSERT INTO shop_transfers VALUES ({t}, {order}, 'paid', 1000)",
    "a_cheaper_pack": "UPDATE shop_packs SET gold = 1000000, price_minor = 1",
    "another_way_of_an_order": "INSERT INTO shop_transitions VALUES ('charged_back', 'paid')",
    "a_flag_settled": "UPDATE shop_flags SET settled_at = now()",
    "a_refund": "INSERT INTO shop_refunds (order_id, key_id, reason) SELECT {order}, 1, 'x'",
    # --- secrets that would permit more calls
    "keys_of_operators": "SELECT key_hash FROM api_keys",
    "a_key_of_ones_own": (
        "INSERT INTO api_keys (name, role, holder, key_hash, prefix, expires_at) VALUES ('x', 'owner', 'x',"
        " sha256('x'), 'rk_123456', now() + interval '1 day')"
    ),
    "passwords": "SELECT password_hash FROM credentials",
    "tokens": "SELECT token_hash FROM refresh_tokens",
    "devices": "SELECT secret_hash FROM guest_devices",
    "sessions": "SELECT network FROM sessions",
    "the_end_of_a_session": "SELECT sessions_end(ARRAY[1])",
    "tickets": "SELECT id FROM tickets",
    "answers_of_players": "SELECT answer FROM idempotency",
    "answers_of_operators": "SELECT answer FROM admin_answers",
    "the_log_of_operators": "DELETE FROM audit",
    # --- functions outside the server's grants
    "credit": "SELECT do_credit({ann}, 'gold', 1000, 'grant', 'x', '')",
    "post": (
        "SELECT ledger_post('grant', 'x', NULL, '', ARRAY[ROW({a}, 5, 'x'), ROW({house}, -5,"
        " 'x')]::ledger_leg[])"
    ),
    "bonuses_to_come": "SELECT do_daily_bonus(ARRAY[{ann}], now() + interval '30 days')",
    "bonuses_at_once": "SELECT post_daily_bonuses(ARRAY[{ann}], current_date + 30)",
    "a_player_out_of_order": "SELECT do_create_player('guest', 'x', '')",
    "a_refund_of_a_stake": "SELECT refund_stake(s, 'x') FROM seats s WHERE player_id = {ann}",
    "gold_of_an_order": "SELECT shop_post(o, 'paid', 1000, 'x') FROM shop_orders o",
    "an_order_settled_by_hand": "SELECT shop_settle({order}, 'x')",
    "a_key_made": "SELECT do_make_key('x', 'owner', 'x', 1, sha256('x'), 'rk_123456')",
    "a_key_for_good": "SELECT do_revoke_key('operator')",
    "prizes_of_a_month": "SELECT monthly_prizes_step(now() + interval '1 year')",
    "a_season_ended": "SELECT season_rollover_step(now() + interval '1 year')",
    "tables_cancelled": "SELECT stale_tables_step(now() + interval '1 year')",
    "a_job_without_a_key": "SELECT job_step_of('daily_bonus', now() + interval '1 year')",
    "a_hold": "SELECT open_holds(ARRAY[{over}], ARRAY[{ann}], ARRAY[0], ARRAY[10])",
    "a_partition_made": "SELECT partition_make(p, 77) FROM partitioned p",
    "a_partition_dropped": "SELECT partition_forget(p, 1000000) FROM partitioned p",
    # --- numbers
    "postings_from_the_start": "SELECT setval('postings_id', 1)",
    "postings_from_the_end": "SELECT setval('postings_id', 9223372036854775806)",
    "a_number_used_up": "SELECT nextval('postings_id')",
    "transfers_from_the_end": "SELECT setval('transfers_id_seq', 9223372036854775806)",
    "a_sequence_begun_again": "ALTER SEQUENCE postings_id RESTART 1",
    "a_sequence_of_nobody": "ALTER SEQUENCE postings_id OWNED BY NONE",
    # --- guards
    "triggers_off": "ALTER TABLE postings DISABLE TRIGGER ALL",
    "own_triggers_off": "ALTER TABLE accounts DISABLE TRIGGER USER",
    "one_trigger_off": "ALTER TABLE transfers DISABLE TRIGGER transfer_posted",
    "a_trigger_for_replicas": "ALTER TABLE accounts ENABLE REPLICA TRIGGER account_guard",
    "no_trigger": "DROP TRIGGER transfer_balanced ON postings",
    "a_trigger_of_ones_own": (
        TRIGGER.format("public")
        + "; CREATE TRIGGER a BEFORE INSERT ON postings FOR EACH ROW EXECUTE FUNCTION f()"
    ),
    "a_trigger_with_what_is_there": (
        "CREATE TRIGGER a BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION ledger_posting_apply()"
    ),
    "another_trigger": (
        "CREATE OR REPLACE TRIGGER posting_kept BEFORE TRUNCATE ON postings FOR EACH STATEMENT EXECUTE"
        " FUNCTION ledger_refuse()"
    ),
    "no_function": "DROP FUNCTION ledger_transfer_balanced CASCADE",
    "another_function": (
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL;"
        " END'"
    ),
    "another_path_of_a_function": "ALTER FUNCTION ledger_balance_posted SET search_path = evil",
    "no_path_of_a_function": "ALTER FUNCTION do_leave_seat RESET ALL",
    "other_rights_of_a_function": "ALTER FUNCTION setting_int SECURITY DEFINER",
    "a_function_of_ones_own": (
        "CREATE FUNCTION public.setting_int(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1000000::bigint'"
    ),
    "an_operator_of_ones_own": (
        "CREATE OPERATOR public.= (LEFTARG = bigint, RIGHTARG = text, FUNCTION = starts_with)"
    ),
    "a_cast_of_ones_own": "CREATE CAST (text AS bigint) WITH INOUT AS IMPLICIT",
    "a_type_of_ones_own": "CREATE TYPE public.t AS (n integer)",
    "a_rule": "CREATE RULE nothing AS ON INSERT TO postings DO INSTEAD NOTHING",
    "a_policy": "CREATE POLICY p ON accounts USING (false)",
    "row_security": "ALTER TABLE accounts ENABLE ROW LEVEL SECURITY",
    "no_constraint": "ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check",
    "a_constraint_unproven": "ALTER TABLE accounts ADD CONSTRAINT c CHECK (true) NOT VALID",
    "no_key": "DROP INDEX accounts_purse",
    "no_unique_key": "ALTER TABLE transfers DROP CONSTRAINT transfers_key_key",
    "another_type": "ALTER TABLE accounts ALTER balance TYPE numeric",
    "a_default": "ALTER TABLE accounts ALTER balance SET DEFAULT 1000",
    "no_table": "DROP TABLE postings",
    "another_name": "ALTER TABLE accounts RENAME TO accounts_",
    "another_schema": "ALTER TABLE postings SET SCHEMA pg_temp",
    "another_owner_of_a_table": "ALTER TABLE accounts OWNER TO CURRENT_USER",
    "a_child": "CREATE TABLE public.more () INHERITS (accounts)",
    "a_partition": "CREATE TABLE public.more PARTITION OF hands FOR VALUES FROM (9000000) TO (9000001)",
    "a_partition_attached": (
        "ALTER TABLE notifications ATTACH PARTITION journal FOR VALUES FROM ('2000-01-01') TO ('2000-01-02')"
    ),
    "a_partition_detached": "ALTER TABLE hands DETACH PARTITION hands_default",
    "statistics": "CREATE STATISTICS s ON kind, currency FROM accounts",
    # --- tables of the same name that would be found first
    **{
        f"shadow_of_{table}": f"CREATE TEMP TABLE {table} AS SELECT * FROM public.{table}"
        for table in ("accounts", "transfers", "postings", "shop_orders", "players", "settings")
    },
    "shadow_of_what_it_may_not_read": (
        "CREATE TEMP TABLE shop_transfers (transfer_id bigint, order_id bigint, what text, gold bigint)"
    ),
    "shadow_by_a_view": "CREATE TEMP VIEW postings AS SELECT * FROM public.postings WHERE false",
    "shadow_by_a_sequence": "CREATE TEMP SEQUENCE postings_id",
    "shadow_by_a_function": (
        "CREATE FUNCTION pg_temp.setting_int(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1000000::bigint'"
    ),
    "shadow_by_select_into": "SELECT * INTO TEMP accounts FROM public.accounts",
    "shadow_in_a_schema": "CREATE SCHEMA evil",
    "shadow_in_the_catalog": "CREATE TABLE pg_catalog.accounts (id bigint)",
    # --- another role
    "replica": "SET session_replication_role = replica",
    "as_the_owner": "SET ROLE rummyd_owner",
    "as_a_superuser": "SET ROLE postgres",
    "as_the_owner_from_the_start": "SET SESSION AUTHORIZATION rummyd_owner",
    "a_superuser": "ALTER ROLE CURRENT_USER SUPERUSER",
    "a_maker_of_roles": "ALTER ROLE CURRENT_USER CREATEROLE",
    "a_role": "CREATE ROLE evil",
    "a_member_of_the_owner": "GRANT rummyd_owner TO CURRENT_USER",
    "a_member_of_those_who_write": "GRANT pg_write_all_data TO CURRENT_USER",
    "a_right": "GRANT ALL ON postings TO CURRENT_USER",
    "a_right_to_a_function": "GRANT EXECUTE ON FUNCTION do_credit TO CURRENT_USER",
    "a_right_to_a_schema": "GRANT CREATE ON SCHEMA public TO CURRENT_USER",
    "rights_to_come": "ALTER DEFAULT PRIVILEGES FOR ROLE rummyd_owner GRANT ALL ON TABLES TO CURRENT_USER",
    "what_the_owner_owns": "REASSIGN OWNED BY rummyd_owner TO CURRENT_USER",
    "nothing_left": "DROP OWNED BY rummyd_owner",
    "the_owner_s_settings": "ALTER ROLE rummyd_owner SET search_path = evil",
    # --- the database and its machine
    "settings_of_the_database": "ALTER DATABASE rummyd SET search_path = evil",
    "settings_of_the_cluster": "ALTER SYSTEM SET fsync = off",
    "an_extension": "CREATE EXTENSION pg_stat_statements",
    "a_library": "LOAD '/tmp/evil.so'",
    "a_program": "COPY (SELECT 1) TO PROGRAM 'true'",
    "a_file": "SELECT pg_read_file('postgresql.conf')",
    "a_file_written": "COPY (SELECT 1) TO '/tmp/evil'",
    "a_file_imported": "SELECT lo_import('/etc/passwd')",
    "an_event_trigger": "CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION ledger_refuse()",
    "a_publication": "CREATE PUBLICATION p FOR TABLE accounts",
    "a_foreign_server": "CREATE FOREIGN DATA WRAPPER evil",
    "triggers_off_in_the_catalog": "UPDATE pg_trigger SET tgenabled = 'D'",
    "functions_in_the_catalog": "UPDATE pg_proc SET prosrc = 'BEGIN RETURN NULL; END'",
    "rights_in_the_catalog": "UPDATE pg_class SET relacl = NULL",
    "constraints_in_the_catalog": "DELETE FROM pg_constraint WHERE conname = 'accounts_balance_check'",
}

# PostgreSQL only warns that nothing was granted if the grantor has some privilege already.
IN_VAIN = ("a_right", "a_right_to_a_schema")

# Permitted calls with arguments that must be rejected: SQL → the code of the reply.
CALLS = {
    "settle_as_another_node": (
        (
            "SELECT code FROM do_settle_batch(ARRAY[{playing}]::bigint[], {epoch} - 1, '{{out}}',"
            " ARRAY['{results}']::jsonb[], '{{r}}')"
        ),
        "stale_epoch",
    ),
    "settle_a_table_that_waits": (
        (
            "SELECT code FROM do_settle_batch(ARRAY[{waiting}]::bigint[], {epoch}, '{{out}}',"
            " ARRAY['{results}']::jsonb[], '{{r}}')"
        ),
        "not_playing",
    ),
    "settle_again": (
        (
            "SELECT code FROM do_settle_batch(ARRAY[{over}]::bigint[], {epoch}, '{{out}}',"
            " ARRAY['{results}']::jsonb[], '{{r}}') LIMIT 1"
        ),
        "already_done",
    ),
    "settle_no_table": (
        (
            "SELECT code FROM do_settle_batch(ARRAY[-1]::bigint[], {epoch}, '{{out}}',"
            " ARRAY['{results}']::jsonb[], '{{r}}')"
        ),
        "no_such_table",
    ),
    "cancel_as_another_node": (
        "SELECT code FROM do_cancel_table({playing}, {epoch} - 1, 'x')",
        "stale_epoch",
    ),
    "cancel_what_is_over": ("SELECT code FROM do_cancel_table({over}, {epoch}, 'x')", "table_over"),
    "leave_a_game": ("SELECT code FROM do_leave_seat({bob}, {playing})", "game_running"),
    "leave_what_is_over": ("SELECT code FROM do_leave_seat({bob}, {over})", "table_over"),
    "leave_a_seat_of_nobody": ("SELECT code FROM do_leave_seat({bob}, {waiting})", "no_such_seat"),
    "start_again": (
        (
            "SELECT DISTINCT code FROM do_start_batch(ARRAY[{playing}], {epoch}, ARRAY['A', 'B', 'C', 'D',"
            " '', ''], ARRAY[1], array_fill(''::bytea, ARRAY[6]))"
        ),
        "already_done",
    ),
    "sit_without_chips": (
        (
            "SELECT code FROM do_take_seat({poor}, 'desert', 'x1', 'b', gen_random_uuid(), sha256('a'),"
            " sha256('b'), 'n1')"
        ),
        "no_funds",
    ),
    "an_order_of_a_pack_that_is_none": (
        "SELECT code FROM do_shop_order({ann}, 'x2', 'b', 'evil', 'stripe')",
        "no_such_pack",
    ),
    "paid_again": (
        (
            "SELECT code FROM do_shop_event('stripe', gen_random_uuid()::text, 'paid', '{paid}', NULL,"
            " 'pi_x', NULL, 499, 'eur')"
        ),
        "ok",
    ),
    "paid_by_the_same_event": (
        (
            "SELECT code FROM do_shop_event('stripe', 'evt_paid', 'paid', '{paid}', NULL, NULL, NULL, 499,"
            " 'eur')"
        ),
        "repeated",
    ),
    "paid_too_little": (
        (
            "SELECT code FROM do_shop_event('stripe', gen_random_uuid()::text, 'paid', '{pending}', NULL,"
            " NULL, NULL, 1, 'eur')"
        ),
        "ok",
    ),
    "paid_in_another_currency": (
        (
            "SELECT code FROM do_shop_event('stripe', gen_random_uuid()::text, 'paid', '{pending}', NULL,"
            " NULL, NULL, 999, 'xxx')"
        ),
        "ok",
    ),
    "a_refund_without_a_key": (
        "SELECT code FROM do_shop_refund(sha256('x'), 'x', 'b', {order}, 'x', '{{stripe}}', '{{stripe}}')",
        "api_key_invalid",
    ),
    "a_job_without_a_key": (
        "SELECT code FROM do_job(sha256('x'), 'daily_bonus', 'x', 'b', 0)",
        "api_key_invalid",
    ),
    "a_job_s_second_step_without_a_key": (
        "SELECT code FROM do_job(sha256('x'), 'monthly_prizes', 'x', 'b', 1)",
        "api_key_invalid",
    ),
    "a_bonus_again": ("SELECT do_wallet_bonus({ann})", 0),
    "counts_that_are_not_due": ("SELECT do_counts_due(500)", 0),
    "an_invitation_of_oneself": (
        "SELECT code FROM do_accept_invite({ann}, 'nobody', 'x3', 'b')",
        "invite_unknown",
    ),
}


def books(rig):
    return [
        rig.rows(f"SELECT * FROM {table} ORDER BY 1")
        for table in ("accounts", "transfers", "postings", "shop_transfers")
    ]


def catalog(rig):
    """What an attack on the guards would have to change. For large tables their row counts and the
    transactions that wrote them: an update leaves its own transaction id."""
    written = "SELECT count(*), max(xmin::text::bigint), sum(xmin::text::bigint) FROM "
    return [
        rig.rows(sql)
        for sql in (
            (
                "SELECT oid, relname, relowner, relacl::text, relkind, relhastriggers, relhasrules,"
                " relrowsecurity, relispartition FROM pg_class WHERE relnamespace NOT IN"
                " ('pg_toast'::regnamespace, 'pg_catalog'::regnamespace, 'information_schema'::regnamespace)"
                " ORDER BY 1"
            ),
            *(written + table for table in ("pg_trigger", "pg_constraint", "pg_proc")),
            "SELECT oid, rolname, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles ORDER BY 1",
            "SELECT roleid, member FROM pg_auth_members ORDER BY 1, 2",
        )
    ]


def peopled(rig):
    """Ann waits with a stake; Bob plays a game and has finished another; both have orders. No player has
    anything outstanding."""
    rig.ann, rig.bob, rig.poor = rig.player(gold=50), rig.player(gold=50), rig.player(silver=5)
    rig.over = rig.table_of(rig.bob)
    assert rig.settle(rig.over, [2, 1, 3, 4])
    rig.playing = rig.table_of(rig.bob)
    rig.waiting = rig.sit(rig.ann)["table_id"]
    rig.order, rig.pending = ordered(rig, rig.ann)
    paid, rig.paid = ordered(rig, rig.bob, pack="gold_100")
    price = rig.one("SELECT price_minor FROM shop_orders WHERE id = %s", paid)
    rig.one(
        "SELECT code FROM do_shop_event('stripe', 'evt_paid', 'paid', %s, NULL, 'pi_x', NULL, %s, 'eur')",
        rig.paid,
        price,
    )
    rig.one("SELECT do_make_key('operator', 'owner', 'operator', 1, sha256('operator'), 'rk_123456')")
    assert rig.proof() == []
    return rig


def ordered(rig, player, pack="gold_300"):
    """(id, token) of a pending order."""
    order = rig.row("SELECT * FROM do_shop_order(%s, %s, 'b', %s, 'stripe')", player, uuid.uuid4().hex, pack)
    rig.rows("SELECT do_shop_opened(%s, %s, 'https://pay')", order["id"], f"cs_{order['id']}")
    return order["id"], order["token"]


@pytest.fixture(scope="module")
def target(shared):
    """One database for all attacks, because none may change anything."""
    it = peopled(shared)
    it.before, it.guards = books(it), catalog(it)
    return it


def fill(rig, attack):
    account = "SELECT id FROM accounts WHERE player_id = %s AND currency = %s AND kind = %s"
    results = [
        {
            "seat": seat,
            "place": place,
            "points": 0,
            "opened": True,
            "cards_left": 0,
            "rummy": False,
            "left": False,
        }
        for seat, place in enumerate((1, 2, 3, 4))
    ]
    names = {
        "a": rig.one(account, rig.ann, "gold", "purse"),
        "b": rig.one(account, rig.bob, "gold", "purse"),
        "silver": rig.one(account, rig.ann, "silver", "purse"),
        "h": rig.one(account, rig.ann, "silver", "hold"),
        "house": rig.one("SELECT account_house('grant', 'gold')"),
        "t": rig.one("SELECT min(id) FROM transfers"),
        "results": str(results).replace("'", '"').replace("True", "true").replace("False", "false"),
        **{
            name: getattr(rig, name)
            for name in (
                "ann",
                "bob",
                "poor",
                "over",
                "playing",
                "waiting",
                "order",
                "pending",
                "paid",
                "epoch",
            )
        },
    }
    for name, value in names.items():
        attack = attack.replace(f"{{{name}}}", str(value))
    return attack.replace("{{", "{").replace("}}", "}")


def unchanged(rig):
    assert books(rig) == rig.before
    assert catalog(rig) == rig.guards


@pytest.mark.parametrize("name", ATTACKS)
def test_the_server_role_cannot_run_attacks(target, name):
    session = target.connect(user=SERVER)
    try:
        with contextlib.nullcontext() if name in IN_VAIN else pytest.raises(pg.InsufficientPrivilege):
            target.rows(fill(target, ATTACKS[name]), via=session)
    finally:
        session.close()
    unchanged(target)


@pytest.mark.parametrize("name", CALLS)
def test_allowed_calls_with_false_arguments_change_nothing(target, name):
    call, code = CALLS[name]
    session = target.connect(user=SERVER)
    assert target.one(fill(target, call), via=session) == code
    session.close()
    unchanged(target)


def test_there_are_enough_attacks_and_the_ledger_is_still_correct(target):
    """The ledger check must also pass after all attacks, both as the server's role and as the read role."""
    assert len(ATTACKS) + len(CALLS) >= 200
    for user in (SERVER, "rummyd_read"):
        session = target.connect(user=user)
        assert (
            target.rows("SELECT * FROM q_ledger_check() UNION ALL SELECT * FROM q_shop_check()", via=session)
            == []
        )
        session.close()
    unchanged(target)


def test_the_read_role_cannot_write(target):
    session = target.connect(user=READER)
    for (table,) in target.rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
    ):
        for statement in (
            "INSERT INTO {} DEFAULT VALUES",
            "DELETE FROM {}",
            "TRUNCATE {}",
            "SELECT 1 FROM {} FOR UPDATE",
        ):
            with pytest.raises(pg.InsufficientPrivilege):
                target.rows(statement.format(table), via=session)
    for call, _ in CALLS.values():
        with pytest.raises(pg.InsufficientPrivilege):
            target.rows(fill(target, call), via=session)
    session.close()
    unchanged(target)


# --- Session settings, under which the owner's functions and guards run -------------------------------------

SETTINGS = {
    "no_path": "SET search_path = ''",
    "a_path_of_temporary_tables": "SET search_path = pg_temp",
    "a_path_without_the_catalog_first": "SET search_path = public, pg_catalog",
    "german_dates": "SET datestyle = 'German, DMY'",
    "a_far_zone": "SET timezone = 'Pacific/Kiritimati'",
    "a_far_zone_to_the_west": "SET timezone = '+14'",
    "intervals": "SET intervalstyle = 'sql_standard'",
    "bytes": "SET bytea_output = 'escape'",
    "backslashes": "SET standard_conforming_strings = off; SET escape_string_warning = off",
    "nulls": "SET transform_null_equals = on",
    "arrays": "SET array_nulls = off",
    "plans": (
        "SET plan_cache_mode = force_custom_plan; SET enable_indexscan = off; SET enable_bitmapscan = off"
    ),
    "few_joins": "SET join_collapse_limit = 1; SET from_collapse_limit = 1; SET enable_nestloop = off",
    "no_inheritance": "SET constraint_exclusion = off; SET enable_partition_pruning = off",
    "no_row_security": "SET row_security = off",
    "unchecked_bodies": "SET check_function_bodies = off",
    "numbers": "SET extra_float_digits = -15",
    "quotes": "SET quote_all_identifiers = on",
    "no_waiting_for_the_disk": "SET synchronous_commit = off",
    "guards_at_once": "SET CONSTRAINTS ALL IMMEDIATE",
    "guards_late": "SET CONSTRAINTS ALL DEFERRED",
    "repeatable": "SET default_transaction_isolation = 'repeatable read'",
    "serializable": "SET default_transaction_isolation = 'serializable'",
}


def a_day(rig, via):
    """A player's state after a returned stake, a win, and a missed midnight, and what is due afterward."""
    player, other = rig.player(gold=50), rig.player(gold=50)
    assert rig.leave(player, rig.sit(player, via=via)["table_id"], via=via) == "ok"
    table = rig.sit(player, via=via)["table_id"]
    assert rig.sit(other, via=via)["table_id"] == table
    assert rig.start(table, via=via)["code"] == "ok"
    rig.settle(table, [1, 2, 3, 4], via=via)
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = %s", player)
    paid = [rig.one("SELECT do_wallet_bonus(%s)", player, via=via) for _ in range(2)]
    # As if an operator had set the day back. Nothing is paid twice, whatever the session's date settings
    # are.
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = %s", player)
    paid.append(rig.one("SELECT do_wallet_bonus(%s)", player, via=via))
    return rig.purse(player), rig.purse(other), paid


@pytest.mark.parametrize("name", SETTINGS)
def test_session_settings_do_not_change_results(renewed_rig, name):
    rig = renewed_rig
    plain = rig.connect(user=SERVER)
    hostile = rig.connect(user=SERVER, fresh=True)  # it has not compiled any function yet
    as_text = psycopg2.extensions.new_type(
        psycopg2.extensions.PYDATETIMETZ.values, "as text", lambda value, _: value
    )
    psycopg2.extensions.register_type(as_text, hostile)
    for statement in SETTINGS[name].split("; "):
        rig.rows(statement, via=hostile)
    expected = a_day(rig, plain)
    assert expected[2] == [1, 0, 0]
    if "path" in name and name != "a_path_without_the_catalog_first":
        with pytest.raises(pg.UndefinedFunction):
            a_day(rig, hostile)
        rig.rows("SET search_path = public", via=hostile)
    if name == "backslashes":  # the owner's functions fail to compile, which also refuses the call
        with pytest.raises(pg.CharacterNotInRepertoire):
            a_day(rig, hostile)
    else:
        assert a_day(rig, hostile) == expected
    plain.close()
    hostile.close()
    assert rig.proof() == []


# --- Two sessions at once -----------------------------------------------------------------------------------


def at_once(rig, act, isolation):
    """Runs act(connection) in two sessions of the server's role, released together, each in one
    transaction; returns results or errors."""
    barrier, answers = threading.Barrier(2), [None, None]

    def run(n):
        session = rig.connect(autocommit=False, user=SERVER)
        try:
            rig.rows(f"SET TRANSACTION ISOLATION LEVEL {isolation}", via=session)
            rig.rows("SELECT count(*) FROM accounts", via=session)  # from here on its snapshot may be stale
            barrier.wait(HANG_S)
            answers[n] = act(session)
            session.commit()
        except psycopg2.Error as error:
            answers[n] = error
        finally:
            session.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * HANG_S)
    return answers


def leave(rig):
    player = rig.player(gold=50)
    table = rig.sit(player)["table_id"]
    return player, (100, 50), lambda via: rig.leave(player, table, via=via)


def cancel(rig):
    player = rig.player(gold=50)
    table = rig.table_of(player)
    return player, (100, 50), lambda via: rig.cancel(table, via=via)


def settle(rig):
    player, other = rig.player(gold=50), rig.player(gold=50)
    assert rig.settle(rig.table_of(other), [4, 1, 2, 3])
    table = rig.table_of(player)
    return player, rig.purse(other), lambda via: rig.settle(table, [4, 1, 2, 3], via=via)


def sit(rig):
    player = rig.player(silver=10)
    return player, (0, 0), lambda via: rig.sit(player, via=via)["code"]


def bonus(rig):
    player = rig.player(silver=0)
    rig.rows("UPDATE player_days SET bonus_day = bonus_day - 1 WHERE player_id = %s", player)
    return player, (40, 0), lambda via: rig.one("SELECT do_wallet_bonus(%s)", player, via=via)


def paid(rig):
    player = rig.player()
    _, token = ordered(rig, player)
    price = rig.one("SELECT price_minor FROM shop_orders WHERE token = %s", token)
    return (
        player,
        (100, 300),
        lambda via: rig.one(
            "SELECT code FROM do_shop_event('stripe', %s, 'paid', %s, NULL, %s, NULL, %s, 'eur')",
            uuid.uuid4().hex,
            token,
            f"pi_{token}",
            price,
            via=via,
        ),
    )


@pytest.mark.parametrize("isolation", ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
@pytest.mark.parametrize("attack", [leave, cancel, settle, sit, bonus, paid])
def test_two_concurrent_sessions_act_once(renewed_rig, attack, isolation):
    rig = renewed_rig
    for _ in range(5):
        player, expected, act = attack(rig)
        answers = at_once(rig, act, isolation)
        assert sum(not isinstance(answer, Exception) for answer in answers) >= 1, answers
        assert all(
            not isinstance(answer, Exception) or isinstance(answer, pg.SerializationFailure)
            for answer in answers
        ), answers
        assert rig.purse(player) == expected, answers
    assert rig.proof() == []


def test_a_session_with_locks_does_not_block_others(rig):
    """The role cannot lock rows or tables that others need, so no one waits for it."""
    player = rig.player(gold=50)
    session = rig.connect(autocommit=False, user=SERVER)
    rig.rows(
        "SELECT * FROM accounts; SELECT * FROM postings; SELECT pg_advisory_lock(n) FROM generate_series(1,"
        " 100) n",
        via=session,
    )
    rig.rows("SET statement_timeout = '5s'")
    assert (
        rig.rows(
            "SELECT mode FROM pg_locks WHERE pid = %s AND relation IS NOT NULL AND mode NOT IN"
            " ('AccessShareLock', 'RowShareLock')",
            session.info.backend_pid,
        )
        == []
    )
    table = rig.sit(player)["table_id"]
    assert rig.leave(player, table) == "ok"
    session.close()
