CREATE OR REPLACE FUNCTION do_close_club(p_player bigint, p_club bigint)
    RETURNS TABLE (code text, cancels bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club  clubs;
    v_owner bigint;
BEGIN
    PERFORM 1 FROM tables WHERE club_id = p_club AND state = 'waiting' ORDER BY id FOR NO KEY UPDATE;
    SELECT * INTO v_club FROM clubs c WHERE c.id = p_club FOR UPDATE;
    SELECT m.player_id INTO v_owner FROM club_members m WHERE m.club_id = p_club AND m.role = 'owner';
    code := CASE WHEN v_club.id IS NULL THEN 'no_such_club'
                 WHEN v_owner IS DISTINCT FROM p_player THEN 'not_club_owner' END;
    IF code IS NULL THEN
        cancels := club_end(v_club, 'ended');
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), cancels;
END $$;

COMMENT ON FUNCTION do_close_club IS
'The owner ends a club, as club_end does, and frees its name. cancels: one of the tables that end, whose nodes
must be notified.
Refusals: no_such_club, not_club_owner.
Locks: the club''s waiting tables, then the club.
Called by api.';
