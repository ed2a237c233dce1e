CREATE OR REPLACE FUNCTION bot_owner_refusal(p_owner bigint) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN p.id IS NULL THEN 'no_such_player'
                        WHEN p.banned_at IS NOT NULL THEN 'banned'
                        WHEN EXISTS (SELECT 1 FROM deletions WHERE player_id = p_owner)
                           THEN 'deletion_pending'
                        WHEN p.kind <> 'registered'
                          OR p.email_verified_at IS NULL
                             AND NOT EXISTS (SELECT 1 FROM identities WHERE player_id = p_owner)
                           THEN 'bot_owner_unverified' END
            FROM (SELECT 1) one LEFT JOIN players p ON p.id = p_owner AND p.deleted_at IS NULL);
END $$;

COMMENT ON FUNCTION bot_owner_refusal IS
'Why a player may not own bots; NULL: they may, because they are registered, with an address confirmed by a
link or by a provider that identifies them.
Refusals: no_such_player, banned, deletion_pending, bot_owner_unverified.
Called by bots_rated_at, do_bot_make, do_bot_token_make, do_enter_bot.';
