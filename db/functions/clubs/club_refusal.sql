CREATE OR REPLACE FUNCTION club_refusal(p_player players) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE
        WHEN p_player.banned_at IS NOT NULL THEN 'banned'
        WHEN p_player.kind = 'bot' THEN 'bots_not_here'
        WHEN EXISTS (SELECT 1 FROM deletions WHERE player_id = p_player.id) THEN 'deletion_pending'
        WHEN (SELECT count(*) FROM club_members WHERE player_id = p_player.id)
             >= setting_int('clubs_per_player_max') THEN 'too_many_clubs' END;
END $$;

COMMENT ON FUNCTION club_refusal IS
'Why a player may not join another club; NULL: they may. The caller holds the player''s lock.
Refusals: banned, bots_not_here, deletion_pending, too_many_clubs.
Called by do_create_club, do_join_club.';
