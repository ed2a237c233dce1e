CREATE OR REPLACE FUNCTION do_change_club(p_player bigint, p_club bigint, p_name jsonb, p_about text,
                                          p_joining text, p_owner bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_club  clubs;
    v_owner bigint;
BEGIN
    SELECT * INTO v_club FROM clubs WHERE id = p_club FOR NO KEY UPDATE;
    SELECT m.player_id INTO v_owner FROM club_members m WHERE m.club_id = p_club AND m.role = 'owner';
    code := CASE
        WHEN v_club.id IS NULL THEN 'no_such_club'
        WHEN v_owner IS DISTINCT FROM p_player THEN 'not_club_owner'
        WHEN p_owner IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM club_members m
             WHERE m.club_id = p_club AND m.player_id = p_owner AND m.role <> 'asks'
               AND club_can_own(p_owner))
        THEN 'not_in_club' END;
    IF code IS NULL AND p_name IS NOT NULL THEN
        code := club_rename(v_club, p_name);
    END IF;
    IF code IS NULL THEN
        UPDATE clubs SET about = coalesce(p_about, about), joining = coalesce(p_joining, joining)
        WHERE id = p_club RETURNING * INTO v_club;
    END IF;
    IF code IS NULL AND p_owner <> v_owner THEN
        UPDATE club_members SET role = 'member' WHERE club_id = p_club AND player_id = v_owner;
        UPDATE club_members SET role = 'owner' WHERE club_id = p_club AND player_id = p_owner;
        PERFORM notify_club(p_club, p_owner, p_player, 'owner');
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), club_json(v_club, p_player)::text;
END $$;

COMMENT ON FUNCTION do_change_club IS
'The owner changes the name, the description, who may join, or the ownership; NULL leaves a field unchanged.
Requests made before the club was opened to all remain pending, but those players can also join directly.
Refusals: no_such_club, not_club_owner, not_in_club (only a member whom club_can_own admits can own it),
club_name_taken.
Locks: the club.
Called by api.';
