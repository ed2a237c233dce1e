CREATE OR REPLACE FUNCTION bots_sessions_end(p_owner bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN sessions_end(ARRAY(SELECT t.session_id FROM bot_accounts b JOIN bot_tokens t USING (player_id)
                              WHERE b.owner_id = p_owner AND t.session_id IS NOT NULL));
END $$;

COMMENT ON FUNCTION bots_sessions_end IS
'Ends the sessions of a player''s bots, because the player is banned or is deleting their account. As long
as that lasts, bot tokens open no new sessions (bot_owner_refusal). Returns the sessions that this call
ended.
Called by deletion_begin, do_admin_ban.';
