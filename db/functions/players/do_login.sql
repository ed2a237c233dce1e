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
    -- Those that come at once are counted one after another: by account first, then by address.
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
        IF v_code = 'account_locked' THEN -- of an account that is not there, too: so the work is the same
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
'Counts a log-in before its password is compared, so that no number of them at once passes a lock; the answer
says with what to compare it. It counts as failed until do_enter_login takes it away. password_hash and
player_id NULL: there is no such account, which is not told. retry_s: how long a lock still lasts.
p_source: the bucket of the address. p_device_hash: of the token that a device was given when it last entered;
NULL: it has none.
Refusals: account_locked (too many failures of late: by this device when the account knows it; else from this
source, or from all unknown devices; do_links_due looks whether a mail is to open it), address_locked; then
nothing is counted and nothing may be compared.
Called by api, do_factor_begin, do_reauth_begin.';

CREATE OR REPLACE FUNCTION do_login_failed(p_attempt bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE login_attempts SET failed = true WHERE id = p_attempt;
END $$;

COMMENT ON FUNCTION do_login_failed IS
'Notes that what a counted log-in gave was found wrong.
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
'Forgets a counted log-in whose password was right, and those before it that failed for the same account from
the same device or source. What others tried from elsewhere stays.
Called by do_enter_factor, do_enter_login, do_factor_setup, reauth_done.';

CREATE OR REPLACE FUNCTION do_login_unlock(p_email text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM login_attempts
    WHERE account_hash = sha256(convert_to(email_key(p_email), 'UTF8')) AND NOT factor;
END $$;

COMMENT ON FUNCTION do_login_unlock IS
'Forgets all passwords that failed for an account, from wherever: its owner has proved who they are in another
way. Codes of a second factor that failed count on, for a mail is no proof of that.
Called by do_reset_password, do_unlock_login.';
