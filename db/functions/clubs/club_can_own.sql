CREATE OR REPLACE FUNCTION club_can_own(p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM players WHERE id = p_player AND kind = 'registered' AND banned_at IS NULL)
           AND NOT EXISTS (SELECT 1 FROM deletions WHERE player_id = p_player)
$$;

COMMENT ON FUNCTION club_can_own IS
'Whether a member may become owner of a club: they are registered, not banned, and not being deleted.
Called by club_pass_to_heir, do_change_club.';
