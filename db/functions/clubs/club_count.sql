CREATE OR REPLACE FUNCTION club_count(p_club bigint) RETURNS void
    LANGUAGE sql AS $$
    UPDATE clubs SET members_n = (SELECT count(*) FROM club_members m
                                  WHERE m.club_id = p_club AND m.role <> 'asks')
    WHERE id = p_club
$$;

COMMENT ON FUNCTION club_count IS
'Recounts a club''s members. The caller holds the club''s lock.
Called by club_pass_on, do_join_club, do_leave_club.';
