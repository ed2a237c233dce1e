CREATE OR REPLACE FUNCTION club_admits(p_club bigint, p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN p_club IS NULL OR EXISTS (
        SELECT 1 FROM club_members m
        WHERE m.club_id = p_club AND m.player_id = p_player AND m.role <> 'asks');
END $$;

COMMENT ON FUNCTION club_admits IS
'Whether a player may join what is open to a club''s members only: they are a member, or no club is set
(p_club NULL).
Called everywhere.';
