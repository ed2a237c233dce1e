CREATE OR REPLACE FUNCTION do_purge(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    -- Tables, and when their rows expire. The order matters: tokens before their sessions.
    c_over  CONSTANT text[] := ARRAY[
        ['idempotency', 'at < now() - make_interval(secs => setting_int(''idempotency_ttl_s''))'],
        ['admin_answers', 'at < now() - make_interval(secs => setting_int(''idempotency_ttl_s''))'],
        ['login_attempts', 'at < now() - make_interval(secs => greatest(setting_int(''login_window_s''),
                                                        setting_int(''login_everywhere_window_s'')))'],
        ['known_devices', 'used_at < now() - make_interval(secs => setting_int(''known_device_ttl_s''))'],
        ['refresh_tokens', 'used_at < now() - make_interval(secs => setting_int(''session_idle_s''))'],
        ['sessions', 'idle_at < now() OR ended_at < now() - interval ''1 day'''],
        ['tickets', 'expires_at < now() - make_interval(secs => setting_int(''idempotency_ttl_s''))'],
        ['name_keys', 'until < now()'],
        ['mail_proofs', 'expires_at < now()'],
        ['login_challenges', 'expires_at < now()'],
        ['totp_factors', 'on_at IS NULL
                          AND created_at < now() - make_interval(secs => setting_int(''factor_setup_s''))'],
        ['passkey_challenges', 'expires_at < now()'],
        ['identity_flows', 'expires_at < now()'],
        ['mails', 'coalesce(sent_at, failed_at)
                   < now() - make_interval(secs => setting_int(''mail_keep_s''))'],
        ['deliveries', 'coalesce(sent_at, failed_at)
                        < now() - make_interval(secs => setting_int(''delivery_keep_s''))'],
        ['webhook_secrets', 'until < now()'],
        ['club_chat', 'at < now() - make_interval(days => setting_int(''club_chat_days'')::integer)'],
        ['solo_games', 'day < local_day(now()) - 2'],
        ['account_origins', 'day < local_day(now()) - setting_int(''collusion_days'')::integer'],
        ['meetings', 'day < local_day(now()) - 2'],
        ['quest_progress', 'done_at IS NULL AND week < quest_week(now()) - 7']];
    v_kind  text[];
    v_total bigint := purge_rows('exports', 'expires_at < now()', least(p_max, 10)); -- many parts each
BEGIN
    FOREACH v_kind SLICE 1 IN ARRAY c_over LOOP
        v_total := v_total + purge_rows(v_kind[1]::regclass, v_kind[2], p_max);
    END LOOP;
    RETURN v_total;
END $$;

COMMENT ON FUNCTION do_purge IS
'Removes expired rows, at most p_max of each kind: exports (ten), stored replies, failed sign-ins, known
devices, used refresh tokens, sessions with their tokens, tickets, released names, email links, sign-ins that
wait for a second factor, lapsed setups of second factors, passkey challenges, provider sign-ins in
progress, emails, deliveries, replaced webhook secrets, club messages, counts of solo games and of meetings
on past days, addresses of new accounts, incomplete quests of past weeks. Returns the number removed.
Called by server, upkeep_step.';
