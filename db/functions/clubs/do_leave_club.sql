CREATE OR REPLACE FUNCTION do_leave_club(p_player bigint, p_club bigint, p_who bigint)
    RETURNS TABLE (code text, seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club    bigint;
    v_waiting bigint[] := waiting_seats_lock(ARRAY[p_who]);
    v_own     text;
    v_role    text;
BEGIN
    PERFORM lock_players(ARRAY[p_who]);
    SELECT c.id INTO v_club FROM clubs c WHERE c.id = p_club FOR NO KEY UPDATE;
    SELECT m.role INTO v_own FROM club_members m WHERE m.club_id = p_club AND m.player_id = p_player;
    SELECT m.role INTO v_role FROM club_members m WHERE m.club_id = p_club AND m.player_id = p_who;
    code := CASE
        WHEN v_club IS NULL THEN 'no_such_club'
        WHEN p_player <> p_who AND v_own IS DISTINCT FROM 'owner' THEN 'not_club_owner'
        WHEN v_role = 'owner' THEN 'club_owner_stays' END;
    IF code IS NULL THEN
        DELETE FROM club_members WHERE club_id = p_club AND player_id = p_who;
        PERFORM club_count(p_club);
        seats_of := ARRAY(SELECT t.id FROM tables t
                          WHERE t.id = ANY (v_waiting) AND t.club_id = p_club ORDER BY t.id);
        PERFORM waiting_seats_leave(ARRAY[p_who], seats_of);
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), seats_of;
END $$;

COMMENT ON FUNCTION do_leave_club IS
'p_who = p_player: leaves, or withdraws the request; otherwise the owner removes a member or declines a
request. Safe to repeat. The owner cannot leave before passing the club to a member, or closing it. Seats at
waiting tables of the club are given back, with their stakes; seats_of: those tables, whose nodes must be
notified.
Refusals: no_such_club, not_club_owner, club_owner_stays.
Locks: the tables at which they wait, then the player, then the club.
Called by api.';
