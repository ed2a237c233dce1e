CREATE OR REPLACE FUNCTION do_close_club(p_player bigint, p_club bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club  clubs;
    v_owner bigint;
BEGIN
    SELECT * INTO v_club FROM clubs c WHERE c.id = p_club FOR UPDATE;
    SELECT m.player_id INTO v_owner FROM club_members m WHERE m.club_id = p_club AND m.role = 'owner';
    code := CASE WHEN v_club.id IS NULL THEN 'no_such_club'
                 WHEN v_owner IS DISTINCT FROM p_player THEN 'not_club_owner' END;
    IF code IS NULL THEN
        PERFORM notify_club_members(v_club, 'ended');
        DELETE FROM clubs WHERE id = p_club;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok');
END $$;

COMMENT ON FUNCTION do_close_club IS
'The owner ends a club: it is gone, and its name is free. Its members are told.
Refusals: no_such_club, not_club_owner.
Locks: the club.
Called by api.';
