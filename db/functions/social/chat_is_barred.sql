CREATE OR REPLACE FUNCTION chat_is_barred(p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM players
        WHERE id IN (p_player, (SELECT owner_id FROM bot_accounts WHERE player_id = p_player))
          AND (chat_muted_until > now() OR banned_at IS NOT NULL));
END $$;

COMMENT ON FUNCTION chat_is_barred IS
'Whether a player may not chat now, because they are banned or an operator muted them. A bot may not chat as
long as its owner may not.
Called by do_chat, do_club_chat.';
