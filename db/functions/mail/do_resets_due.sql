CREATE OR REPLACE FUNCTION do_resets_due(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_email  text;
    v_player bigint;
    v_n      bigint := 0;
BEGIN
    FOR v_email IN
        DELETE FROM reset_requests WHERE id = ANY (ARRAY(
            SELECT id FROM reset_requests ORDER BY id LIMIT p_max FOR UPDATE SKIP LOCKED))
        RETURNING email
    LOOP
        v_n := v_n + 1;
        SELECT c.player_id INTO v_player FROM credentials c JOIN players p ON p.id = c.player_id
        WHERE c.email = v_email AND p.deleted_at IS NULL AND p.banned_at IS NULL;
        IF FOUND AND mails_of_late(v_player, 'reset', setting_int('mail_reset_s'))
                     < setting_int('mail_reset_max') THEN
            PERFORM mail_proof_send(v_player, 'reset', v_email, 'reset', '{}');
        END IF;
    END LOOP;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_resets_due IS
'Sends a link to reset the password for each of p_max requests whose address has an account, mail_reset_max
at most within the life of one. Several may do it at once. Returns how many requests there were.
Called by server.';
