CREATE OR REPLACE FUNCTION do_join_club(p_player bigint, p_club bigint, p_who bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_club   clubs;
    v_own    text;
    v_role   text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, p_who]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    SELECT * INTO v_club FROM clubs WHERE id = p_club FOR NO KEY UPDATE;
    SELECT m.role INTO v_own FROM club_members m WHERE m.club_id = p_club AND m.player_id = p_player;
    SELECT m.role INTO v_role FROM club_members m WHERE m.club_id = p_club AND m.player_id = p_who;
    code := CASE
        WHEN v_player.id IS NULL THEN 'no_such_player'
        WHEN v_club.id IS NULL THEN 'no_such_club'
        WHEN p_player <> p_who AND v_own IS DISTINCT FROM 'owner' THEN 'not_club_owner'
        WHEN p_player <> p_who AND v_role IS NULL THEN 'does_not_ask'
        WHEN v_role IN ('owner', 'member') THEN NULL
        WHEN v_club.members_n >= setting_int('club_members_max') THEN 'club_full'
        WHEN v_role IS NULL AND (SELECT count(*) FROM club_members m
                                 WHERE m.club_id = p_club AND m.role = 'asks')
             >= setting_int('club_requests_max') THEN 'club_asked'
        WHEN v_role IS NULL THEN club_refusal(v_player) END;
    IF code IS NULL AND v_role IS NULL THEN
        v_role := CASE v_club.joining WHEN 'open' THEN 'member' ELSE 'asks' END;
        INSERT INTO club_members (club_id, player_id, role) VALUES (p_club, p_who, v_role);
        PERFORM club_count(p_club);
        IF v_role = 'asks' THEN
            PERFORM notify_club(p_club, owner.player_id, p_who, 'asks')
            FROM club_members owner WHERE owner.club_id = p_club AND owner.role = 'owner';
        END IF;
    ELSIF code IS NULL AND v_role = 'asks' AND (p_player <> p_who OR v_club.joining = 'open') THEN
        v_role := 'member';
        UPDATE club_members SET role = v_role, at = now() WHERE club_id = p_club AND player_id = p_who;
        PERFORM club_count(p_club);
        IF p_player <> p_who THEN
            PERFORM notify_club(p_club, p_who, p_player, 'accepted');
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), jsonb_build_object('role', v_role)::text;
END $$;

COMMENT ON FUNCTION do_join_club IS
'p_who = p_player: joins, or requests membership; otherwise the owner accepts a request. Safe to repeat.
Refusals: no_such_player, no_such_club, not_club_owner, does_not_ask, club_full, club_asked (too many requests
are pending), and those of club_refusal.
Locks: the two players, then the club.
Called by api.';
