CREATE OR REPLACE FUNCTION q_login(p_email text, p_address text)
    RETURNS TABLE (code text, player_id bigint, role text, password_hash text, retry_s integer)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_window  interval := make_interval(secs => setting_int('login_window_s'));
    v_account bigint;
    v_address bigint;
    v_since   timestamptz;
BEGIN
    SELECT count(*) FILTER (WHERE subject = 'account:' || lower(p_email)),
           count(*) FILTER (WHERE subject = 'address:' || p_address), min(at)
    INTO v_account, v_address, v_since
    FROM login_failures
    WHERE subject IN ('account:' || lower(p_email), 'address:' || p_address) AND at > now() - v_window;
    IF v_account >= setting_int('login_failures_account_max')
       OR v_address >= setting_int('login_failures_address_max') THEN
        RETURN QUERY SELECT CASE WHEN v_account >= setting_int('login_failures_account_max')
                                 THEN 'account_locked' ELSE 'address_locked' END,
                            NULL::bigint, NULL::text, NULL::text,
                            greatest(1, ceil(extract(epoch FROM v_since + v_window - now())))::integer;
        RETURN;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role,
    c.password_hash, 0
                 FROM credentials c JOIN players p ON p.id = c.player_id
                 WHERE c.email = lower(p_email) AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_account', NULL::bigint, NULL::text, NULL::text, 0;
    END IF;
END $$;

COMMENT ON FUNCTION q_login IS
'What a log-in needs to know: the player and the hash of the password. retry_s: how long a lock still lasts.
Refusals: no_such_account, banned, account_locked, address_locked (too many failures of late).
Called by api.';
