CREATE OR REPLACE FUNCTION do_links_due(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_kind     text;
    v_email    text;
    v_player   bigint;
    v_verified boolean;
    v_n        bigint := 0;
BEGIN
    FOR v_kind, v_email IN
        DELETE FROM link_requests WHERE id = ANY (ARRAY(
            SELECT id FROM link_requests ORDER BY id LIMIT p_max FOR UPDATE SKIP LOCKED))
        RETURNING kind, email
    LOOP
        v_n := v_n + 1;
        SELECT c.player_id, p.email_verified_at IS NOT NULL INTO v_player, v_verified
        FROM credentials c JOIN players p ON p.id = c.player_id
        WHERE c.email = v_email AND p.deleted_at IS NULL AND p.banned_at IS NULL;
        IF NOT FOUND THEN
            CONTINUE;
        ELSIF v_kind = 'unlock' THEN
            IF v_verified THEN
                PERFORM unlock_send(v_player, v_email);
            END IF;
        ELSIF recent_emails_n(v_player, 'reset', setting_int('mail_reset_s'))
              < setting_int('mail_reset_max') THEN
            PERFORM mail_proof_send(v_player, 'reset', v_email, 'reset', '{}');
        END IF;
    END LOOP;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_links_due IS
'Sends a link for each of p_max requests whose address has an account: to reset the password, at most
mail_reset_max within the lifetime of a link, or to lift a sign-in lock (unlock_send) if the address is
confirmed. Several servers may call this at once. Returns the number of requests.
Called by server.';
