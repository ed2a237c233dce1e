CREATE OR REPLACE FUNCTION do_change_email(p_attempt bigint, p_player bigint, p_step bigint,
                                           p_recovery_hash bytea, p_email text)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := reauth_finish(p_attempt, p_player, p_step, p_recovery_hash);
BEGIN
    IF v_code <> 'ok' THEN
        RETURN v_code;
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    IF EXISTS (SELECT 1 FROM credentials WHERE player_id = p_player AND email = email_key(p_email)) THEN
        RETURN 'email_same';
    ELSIF recent_emails_n(p_player, 'change_email', 86400) + recent_emails_n(p_player, 'email_in_use', 86400)
          >= setting_int('mail_change_max') THEN
        RETURN 'too_many_mails';
    ELSIF email_free(p_email, p_player, true) THEN
        PERFORM mail_proof_send(p_player, 'change', p_email, 'change_email', '{}');
    ELSE -- same reply in both cases: only the owner of an address learns whose account it is
        PERFORM mail_put(p_player, email_key(p_email), 'email_in_use', '{}');
    END IF;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_change_email IS
'Sends a link to a new address, for a player who has just entered their password (p_attempt …: see
reauth_finish); the old address remains until the link is opened. If the new address belongs to another
account, its owner is notified instead.
Refusals: email_same, too_many_mails, and those of reauth_finish.
Locks: the player.
Called by api.';
