CREATE OR REPLACE FUNCTION do_change_email(p_attempt bigint, p_player bigint, p_email text) RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_login_ok(p_attempt);
    PERFORM lock_players(ARRAY[p_player]);
    IF EXISTS (SELECT 1 FROM credentials WHERE player_id = p_player AND email = lower(p_email)) THEN
        RETURN 'email_same';
    ELSIF mails_of_late(p_player, 'change_email', 86400) + mails_of_late(p_player, 'email_in_use', 86400)
          >= setting_int('mail_change_max') THEN
        RETURN 'too_many_mails';
    ELSIF email_free(p_email, p_player) THEN
        PERFORM mail_proof_send(p_player, 'change', p_email, 'change_email', '{}');
    ELSE -- the same answer: whose address it is, is told to them alone
        PERFORM mail_put(p_player, lower(p_email), 'email_in_use', '{}');
    END IF;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_change_email IS
'Sends a link to a new address, of who has just given their password (p_attempt, see do_login_begin); the old
one stays until the link is opened. If it is another account''s, its owner is told instead.
Refusals: email_same, too_many_mails.
Locks: the player.
Called by api.';
