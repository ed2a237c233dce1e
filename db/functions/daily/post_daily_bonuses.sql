CREATE OR REPLACE FUNCTION post_daily_bonuses(p_players bigint[], p_today date) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_base       bigint := setting_int('daily_base');
    v_step       bigint := setting_int('daily_streak_step');
    v_max        bigint := setting_int('daily_streak_max');
    v_level_step bigint := setting_int('daily_level_step');
    v_house      bigint := account_house('daily', 'silver');
    v_lost       bigint := account_house('over_cap', 'silver');
    v_together   date := p_today - setting_int('daily_single_days')::integer; -- together up to this day
    v_n          bigint;
BEGIN
    WITH held AS (
        SELECT o.player_id, sum(o.silver)::bigint AS silver
        FROM (SELECT s.player_id, b.balance AS silver
              FROM seats s JOIN accounts b ON b.kind = 'hold' AND b.table_id = s.table_id
                  AND b.player_id = s.player_id AND b.currency = 'silver'
              WHERE s.live AND s.player_id = ANY (p_players)
              UNION ALL
              SELECT e.player_id, e.paid_silver FROM tournament_entries e
              WHERE e.live AND e.player_id = ANY (p_players)) o
        GROUP BY o.player_id
    ), who AS MATERIALIZED (
        SELECT d AS days, p.id, p.level, a.id AS purse, a.balance, coalesce(h.silver, 0) AS held, l.silver_cap
        FROM unnest(p_players) u (player_id) JOIN player_days d ON d.player_id = u.player_id
        JOIN players p ON p.id = d.player_id AND p.deleted_at IS NULL JOIN levels l ON l.level = p.level
        JOIN accounts a ON a.kind = 'purse' AND a.player_id = p.id AND a.currency = 'silver'
        LEFT JOIN held h ON h.player_id = p.id
    ), due AS (
        SELECT w.id, w.purse, w.balance, w.held, w.silver_cap, n.day, daily_key(w.id, n.day) AS key,
               daily_amount_of(streak_before(w.days, n.day), w.level, v_base, v_step, v_max,
                               v_level_step) AS bonus
        FROM who w
        CROSS JOIN LATERAL (SELECT f.day + g AS day
                            FROM (SELECT greatest((w.days).bonus_day, (w.days).together_day) AS day) f,
                                 generate_series(1, p_today - f.day) g) n
        WHERE (SELECT f.id FROM transfers f WHERE f.key = daily_key(w.id, n.day)) IS NULL
    ), summed AS (
        SELECT *, balance + held AS owned, (sum(bonus) OVER (PARTITION BY id ORDER BY day))::bigint AS total
        FROM due WHERE bonus > 0
    ), one_by_one AS (
        SELECT id, day, key, purse, bonus, greatest(owned, least(silver_cap, owned + total)) - held AS after,
               bonus - (greatest(owned, least(silver_cap, owned + total))
                        - greatest(owned, least(silver_cap, owned + total - bonus))) AS lost
        FROM summed
    ), known AS (
        SELECT id, day, day AS first_day, key, purse, bonus, after, lost
        FROM one_by_one WHERE day > v_together
        UNION ALL
        SELECT id, max(day), min(day), daily_key(id, max(day)), purse, sum(bonus)::bigint,
               (array_agg(after ORDER BY day DESC))[1], sum(lost)::bigint
        FROM one_by_one WHERE day <= v_together GROUP BY id, purse
    ), headed AS (
        INSERT INTO transfers (cause, key, note)
        SELECT 'daily', key, CASE WHEN first_day < day THEN to_char(first_day, 'YYYY-MM-DD') ELSE '' END
        FROM known ORDER BY id, day
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
    SELECT count(*) INTO v_n FROM one_by_one;
    UPDATE player_days
    SET bonus_day = p_today,
        together_day = CASE WHEN v_together > bonus_day THEN v_together ELSE together_day END
    WHERE player_id = ANY (p_players) AND bonus_day < p_today;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION post_daily_bonuses IS
'Credits the missed midnights up to p_today of players whom the caller has locked; returns how many. All
lines are written in one statement, with the purse''s balance after each. Silver that one midnight puts over
the cap is lost for the next one as well, so each balance follows from the running sum. A paid midnight
remains paid, even if an operator sets bonus_day back. Players are looked up before their midnights, and
paid midnights by key, because the planner cannot know how few midnights are missing, and would read all
players or all transfers for each step. After a long absence, the midnights before the last
daily_single_days come in one transfer, with their sum and the sum of what is lost, so that ten years take
no longer than a month.
Key: `daily:<player>:<day>` for each midnight; for several midnights together, that of the last, with the
first as note.
Called by do_daily_bonus.';
