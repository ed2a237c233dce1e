CREATE OR REPLACE FUNCTION do_login_begin(p_email text, p_source text, p_device_hash bytea)
    RETURNS TABLE (code text, attempt bigint, player_id bigint, password_hash text, retry_s integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_account bytea := sha256(convert_to(email_key(p_email), 'UTF8'));
    v_player  bigint;
    v_hash    text;
    v_device  bytea;
    v_code    text;
    v_retry_s integer;
    v_attempt bigint;
BEGIN
    -- Concurrent attempts are counted one after another: locks by account first, then by address.
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd login ' || encode(v_account, 'hex'), 0));
    SELECT c.player_id, c.password_hash INTO v_player, v_hash
    FROM credentials c JOIN players p ON p.id = c.player_id
    WHERE c.email = email_key(p_email) AND p.deleted_at IS NULL;
    SELECT d.token_hash INTO v_device FROM known_devices d
    WHERE d.token_hash = p_device_hash AND d.player_id = v_player
          AND d.used_at > now() - make_interval(secs => setting_int('known_device_ttl_s'));
    IF v_device IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd login from ' || p_source, 0));
    END IF;
    SELECT l.code, l.retry_s INTO v_code, v_retry_s FROM login_lock(v_account, p_source, v_device) l;
    IF v_code IS NOT NULL THEN
        IF v_code = 'account_locked' THEN -- also without an account, so that both cases take the same time
            INSERT INTO link_requests (kind, email) VALUES ('unlock', email_key(p_email));
        END IF;
        RETURN QUERY SELECT v_code, NULL::bigint, NULL::bigint, NULL::text, v_retry_s;
        RETURN;
    END IF;
    INSERT INTO login_attempts (account_hash, source, device_hash) VALUES (v_account, p_source, v_device)
    RETURNING id INTO v_attempt;
    RETURN QUERY SELECT 'ok', v_attempt, v_player, v_hash, 0;
END $$;

COMMENT ON FUNCTION do_login_begin IS
'Counts a sign-in before its password is verified, so that concurrent attempts cannot bypass a lock; returns
the hash to compare the password with. The sign-in counts as failed until do_enter_login removes it.
password_hash and player_id NULL: there is no such account, which is not revealed. retry_s: remaining time
of a lock. p_source: the bucket of the address. p_device_hash: hash of the token that the device got when it
last signed in; NULL: it has none.
Refusals: account_locked (too many recent failures: by this device if the account knows it, otherwise from
this source or from all unknown devices; do_links_due decides whether to send a link that unlocks it),
address_locked; then nothing is counted and nothing may be compared.
Called by api, do_factor_begin, do_reauth_begin.';

CREATE OR REPLACE FUNCTION do_login_failed(p_attempt bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE login_attempts SET failed = true WHERE id = p_attempt;
END $$;

COMMENT ON FUNCTION do_login_failed IS
'Records that the credentials of a counted sign-in were wrong.
Called by api, do_enter_factor.';

CREATE OR REPLACE FUNCTION do_login_ok(p_attempt bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_attempt login_attempts;
BEGIN
    DELETE FROM login_attempts WHERE id = p_attempt RETURNING * INTO v_attempt;
    DELETE FROM login_attempts
    WHERE failed AND account_hash = v_attempt.account_hash
          AND device_hash IS NOT DISTINCT FROM v_attempt.device_hash
          AND (source = v_attempt.source OR v_attempt.device_hash IS NOT NULL);
END $$;

COMMENT ON FUNCTION do_login_ok IS
'Removes a counted sign-in whose password was correct, and earlier failures for the same account from the
same device or source. Attempts from elsewhere still count.
Called by do_enter_factor, do_enter_login, do_factor_setup, reauth_finish.';

CREATE OR REPLACE FUNCTION do_login_unlock(p_email text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM login_attempts
    WHERE account_hash = sha256(convert_to(email_key(p_email), 'UTF8')) AND NOT factor;
END $$;

COMMENT ON FUNCTION do_login_unlock IS
'Removes all wrong passwords counted for an account, wherever they came from, because its owner has proved
their identity in another way. Wrong second-factor codes still count, because an email does not prove that
factor.
Called by do_reset_password, do_unlock_login.';
