CREATE OR REPLACE FUNCTION do_send_verification(p_player bigint) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_email    text;
    v_verified timestamptz;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT c.email, p.email_verified_at INTO v_email, v_verified
    FROM players p LEFT JOIN credentials c ON c.player_id = p.id WHERE p.id = p_player;
    IF v_email IS NULL THEN
        RETURN 'not_registered';
    ELSIF v_verified IS NOT NULL THEN
        RETURN 'ok'; -- in another window, for example
    ELSIF recent_emails_n(p_player, 'verify', setting_int('mail_verify_s'))
          >= setting_int('mail_verify_max') THEN
        RETURN 'too_many_mails';
    END IF;
    PERFORM mail_proof_send(p_player, 'verify', v_email, 'verify', '{}');
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_send_verification IS
'Sends another link that confirms the address of an account, at most mail_verify_max within the lifetime of a
link; none if it is confirmed.
Refusals: not_registered, too_many_mails.
Locks: the player.
Called by api.';
