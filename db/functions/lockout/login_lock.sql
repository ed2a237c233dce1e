CREATE OR REPLACE FUNCTION login_lock(p_account bytea, p_source text, p_device bytea)
    RETURNS TABLE (code text, retry_s integer)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_known    boolean  := p_device IS NOT NULL;
    v_window   interval := make_interval(secs => setting_int('login_window_s'));
    v_wide     interval := make_interval(secs => setting_int('login_everywhere_window_s'));
    v_account  bigint   := setting_int('login_failures_account_max');
    v_every    bigint   := setting_int('login_failures_everywhere_max');
    v_address  bigint   := setting_int('login_failures_address_max');
BEGIN
    RETURN QUERY
    WITH attempts AS (
        SELECT a.at, a.account_hash = p_account AS same_account, a.source = p_source AS same_source,
               -- Attempts being verified count, too; their outcome will soon be known.
               NOT a.failed AND a.at > now() - interval '10 s' AS pending
        FROM login_attempts a
        WHERE (a.account_hash = p_account OR a.source = p_source)
              AND a.device_hash IS NOT DISTINCT FROM p_device),
    counted AS (
        SELECT b.*, CASE WHEN a.pending THEN now() + interval '2 s' ELSE a.at + b.span END AS until
        FROM attempts a
        JOIN LATERAL (VALUES
            ('account_locked', a.same_account AND (a.same_source OR v_known), v_account, v_window),
            ('account_locked', a.same_account AND NOT v_known, v_every, v_wide),
            ('address_locked', a.same_source AND NOT v_known, v_address, v_window)
        ) b (code, counts, most, span) ON b.counts AND a.at > now() - b.span),
    locks AS (
        -- A lock ends when the number of recent attempts falls below its limit.
        SELECT c.code, (array_agg(c.until ORDER BY c.until DESC))[c.most] AS ends_at
        FROM counted c GROUP BY c.code, c.most, c.span)
    SELECT l.code, greatest(1, ceil(extract(epoch FROM l.ends_at - now())))::integer
    FROM locks l WHERE l.ends_at IS NOT NULL
    ORDER BY l.code, l.ends_at DESC LIMIT 1;
END $$;

COMMENT ON FUNCTION login_lock IS
'The lock that applies to a sign-in, if any, and its remaining time; account_locked takes precedence over
address_locked. p_device: a device known to the account, whose attempts are counted separately; NULL: none.
Called by do_login_begin.';
