-- Many transfers in one statement. Whoever writes postings with an id writes what each purse holds after them, too, and the guard proves it for the
-- statement as a whole; a posting without an id is numbered and moves its purse by itself, as before. What the foreign keys of postings
-- said, the guard says: one look for all lines of a statement instead of two for each line, and no lock on the rows of house accounts.

-- A block with an exception is a transaction within the transaction: dear, in what is asked for everywhere.
CREATE OR REPLACE FUNCTION setting_int(p_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_value bigint;
BEGIN
    SELECT value::bigint INTO v_value FROM settings WHERE name = p_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'setting % is missing', p_name;
    END IF;
    RETURN v_value;
END $$;

ALTER TABLE postings DROP CONSTRAINT postings_transfer_id_fkey, DROP CONSTRAINT postings_account_id_fkey;

-- The balances of the purses and holds in `added` follow from the postings before them, line by line, and no posting of theirs came between.
-- What was not moved line by line is moved here.
CREATE FUNCTION ledger_balances_follow() RETURNS trigger
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_account bigint;
BEGIN
    WITH moved AS (
        SELECT p.account_id, (array_agg(p.balance_after ORDER BY p.id DESC))[1] AS last, sum(p.amount) AS amount
        FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house' GROUP BY p.account_id
    )
    UPDATE accounts a SET balance = m.last FROM moved m
    WHERE a.id = m.account_id AND a.balance <> m.last AND a.balance = m.last - m.amount;
    SELECT l.account_id INTO v_account
    FROM (SELECT o.account_id, min(o.id) AS first_id, count(*) AS n, count(o.balance_after) AS known, max(o.balance_after - o.running) AS began,
                 min(o.balance_after - o.running) AS began_too, (array_agg(o.balance_after ORDER BY o.id DESC))[1] AS last
          FROM (SELECT p.id, p.account_id, p.balance_after, sum(p.amount) OVER (PARTITION BY p.account_id ORDER BY p.id) AS running
                FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house') o
          GROUP BY o.account_id) l
    JOIN accounts a ON a.id = l.account_id
    WHERE l.known <> l.n OR l.began <> l.began_too OR a.balance <> l.last
       OR l.n <> (SELECT count(*) FROM postings q WHERE q.account_id = l.account_id AND q.id >= l.first_id)
       OR l.began <> coalesce((SELECT q.balance_after FROM postings q WHERE q.account_id = l.account_id AND q.id < l.first_id
                               ORDER BY q.id DESC LIMIT 1), 0)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: the balance of account % does not follow from its postings', v_account USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

-- As in 0004, with what the foreign keys said.
CREATE OR REPLACE FUNCTION ledger_transfer_balanced() RETURNS trigger
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_transfer bigint;
    v_alone    boolean;
BEGIN
    SELECT p.transfer_id, bool_or(a.id IS NULL) INTO v_transfer, v_alone
    FROM added p LEFT JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency
    HAVING sum(p.amount) <> 0 OR bool_or(a.id IS NULL) OR bool_or(a.kind = 'house' AND p.balance_after IS NOT NULL)
    ORDER BY 2 DESC LIMIT 1;
    IF FOUND AND v_alone THEN
        RAISE EXCEPTION 'ledger: transfer % has a line of no account', v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    SELECT n.transfer_id, NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = n.transfer_id) INTO v_transfer, v_alone
    FROM (SELECT transfer_id, count(*) AS added_n FROM added GROUP BY transfer_id) n
    WHERE n.added_n <> (SELECT count(*) FROM postings p WHERE p.transfer_id = n.transfer_id)
       OR NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = n.transfer_id)
    LIMIT 1;
    IF FOUND AND v_alone THEN
        RAISE EXCEPTION 'ledger: there is no transfer %', v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % has its postings already', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER posting_apply ON postings;
CREATE TRIGGER posting_apply BEFORE INSERT ON postings FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION ledger_posting_apply();
CREATE TRIGGER balances_follow AFTER INSERT ON postings
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_balances_follow();
ALTER TABLE postings ENABLE ALWAYS TRIGGER posting_apply;
ALTER TABLE postings ENABLE ALWAYS TRIGGER balances_follow;

-- --- the daily bonus, for many players at a time --------------------------------------------------------------------

CREATE FUNCTION daily_amount(p_streak integer, p_level integer, p_base bigint, p_step bigint, p_max bigint, p_level_step bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p_base + p_step * (greatest(1, least(p_streak, p_max)) - 1) + p_level_step * (p_level - 1)
$$;

-- Silver of a bonus. Without a streak it is that of a streak of one day.
CREATE OR REPLACE FUNCTION daily_amount(p_streak integer, p_level integer) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN daily_amount(p_streak, p_level, setting_int('daily_base'), setting_int('daily_streak_step'), setting_int('daily_streak_max'),
                        setting_int('daily_level_step'));
END $$;

-- As in 0031; purses are looked for once, and all lines come in one statement with what the purse holds after each.
CREATE OR REPLACE FUNCTION post_daily(p_players bigint[], p_today date) RETURNS bigint
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_base       bigint := setting_int('daily_base');
    v_step       bigint := setting_int('daily_streak_step');
    v_max        bigint := setting_int('daily_streak_max');
    v_level_step bigint := setting_int('daily_level_step');
    v_house      bigint := account_house('daily', 'silver');
    v_lost       bigint := account_house('over_cap', 'silver');
    v_n          bigint;
BEGIN
    WITH held AS (
        SELECT s.player_id, sum(b.balance)::bigint AS silver
        FROM seats s JOIN accounts b ON b.kind = 'hold' AND b.table_id = s.table_id AND b.player_id = s.player_id AND b.currency = 'silver'
        WHERE s.live AND s.player_id = ANY (p_players) GROUP BY s.player_id
    ), due AS (
        SELECT p.id, a.id AS purse, a.balance, coalesce(h.silver, 0) AS held, l.silver_cap, n.day, 'daily:' || p.id || ':' || n.day AS key,
               daily_amount(streak_before(d, n.day), p.level, v_base, v_step, v_max, v_level_step) AS bonus
        FROM unnest(p_players) u (player_id) JOIN player_days d ON d.player_id = u.player_id
        JOIN players p ON p.id = d.player_id AND p.deleted_at IS NULL JOIN levels l ON l.level = p.level
        JOIN accounts a ON a.kind = 'purse' AND a.player_id = p.id AND a.currency = 'silver'
        LEFT JOIN held h ON h.player_id = p.id
        CROSS JOIN LATERAL (SELECT d.bonus_day + g AS day FROM generate_series(1, p_today - d.bonus_day) g) n
        WHERE NOT EXISTS (SELECT 1 FROM transfers f WHERE f.key = 'daily:' || p.id || ':' || n.day)
    ), summed AS (
        SELECT *, balance + held AS owned, (sum(bonus) OVER (PARTITION BY id ORDER BY day))::bigint AS total FROM due WHERE bonus > 0
    ), known AS (
        SELECT id, day, key, purse, bonus, greatest(owned, least(silver_cap, owned + total)) - held AS after,
               bonus - (greatest(owned, least(silver_cap, owned + total)) - greatest(owned, least(silver_cap, owned + total - bonus))) AS lost
        FROM summed
    ), headed AS (
        INSERT INTO transfers (cause, key) SELECT 'daily', key FROM known ORDER BY id, day
        RETURNING id, key
    ), posted AS (
        INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)
        SELECT nextval('postings_id'), o.transfer, o.account, o.amount, o.reason, o.after
        FROM (SELECT h.id AS transfer, x.*
              FROM known k JOIN headed h ON h.key = k.key
              CROSS JOIN LATERAL (VALUES
                  (1, v_house, -k.bonus, 'daily', NULL),
                  (2, k.purse, k.bonus, 'daily', k.after + k.lost),
                  (3, k.purse, -k.lost, 'over_cap', k.after),
                  (4, v_lost, k.lost, 'over_cap', NULL)) AS x (n, account, amount, reason, after)
              WHERE x.amount <> 0
              ORDER BY k.id, k.day, x.n) o
    )
    SELECT count(*) INTO v_n FROM known;
    UPDATE player_days SET bonus_day = p_today WHERE player_id = ANY (p_players) AND bonus_day < p_today;
    RETURN v_n;
END $$;
