CREATE OR REPLACE FUNCTION do_purge(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_total bigint := 0;
    v_n     bigint;
BEGIN
    DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency
        WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM admin_answers WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM admin_answers
        WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM exports WHERE id = ANY (ARRAY(
        SELECT id FROM exports WHERE expires_at < now() LIMIT least(p_max, 10)));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM login_attempts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM login_attempts
        WHERE at < now() - make_interval(secs => greatest(setting_int('login_window_s'),
                                                          setting_int('login_everywhere_window_s')))
        LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM known_devices WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM known_devices
        WHERE used_at < now() - make_interval(secs => setting_int('known_device_ttl_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refresh_tokens
        WHERE used_at < now() - make_interval(secs => setting_int('session_idle_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM sessions WHERE id = ANY (ARRAY(
        SELECT id FROM sessions WHERE idle_at < now() OR ended_at < now() - interval '1 day' LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM tickets WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM tickets WHERE expires_at < now()
            - make_interval(secs => setting_int('idempotency_ttl_s'))
        LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM name_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM name_keys WHERE until < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM mail_proofs WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM mail_proofs WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM login_challenges WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM login_challenges WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM totp_factors WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM totp_factors
        WHERE on_at IS NULL AND created_at < now() - make_interval(secs => setting_int('factor_setup_s'))
        LIMIT p_max)) AND on_at IS NULL;
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM passkey_challenges WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM passkey_challenges WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM identity_flows WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM identity_flows WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM mails WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM mails
        WHERE coalesce(sent_at, failed_at) < now() - make_interval(secs => setting_int('mail_keep_s'))
        LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_total + v_n;
END $$;

COMMENT ON FUNCTION do_purge IS
'Removes what has expired, p_max rows of each kind at most: stored answers, files of own data (ten), failed
log-ins, known devices, used refresh tokens, sessions with their tokens, tickets, names given up, links sent
by mail, log-ins that wait for a second factor, set-ups of one that lapsed, challenges of passkeys, sign-ins
on their way, mails. Returns how many went.
Called by server, upkeep_step.';
