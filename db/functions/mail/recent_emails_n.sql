CREATE OR REPLACE FUNCTION recent_emails_n(p_player bigint, p_template text, p_s bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT count(*) FROM mails
    WHERE player_id = p_player AND template = p_template AND created_at > now() - make_interval(secs => p_s)
$$;

COMMENT ON FUNCTION recent_emails_n IS
'Number of such emails that the server has sent to a player within the last p_s seconds. With the lifetime
of a link as p_s, an attacker who requests the maximum number still leaves the player one that works.
Called by do_change_email, do_links_due, do_send_verification, unlock_send.';
