CREATE OR REPLACE FUNCTION club_pass_on(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_club bigint;
    v_next bigint;
BEGIN
    FOR v_club IN SELECT c.id FROM clubs c JOIN club_members m ON m.club_id = c.id
                  WHERE m.player_id = p_player ORDER BY c.id FOR NO KEY UPDATE OF c LOOP
        IF EXISTS (SELECT 1 FROM club_members
                   WHERE club_id = v_club AND player_id = p_player AND role = 'owner') THEN
            SELECT m.player_id INTO v_next FROM club_members m JOIN players p ON p.id = m.player_id
            WHERE m.club_id = v_club AND m.role = 'member' AND p.kind = 'registered'
            ORDER BY m.at, m.player_id LIMIT 1;
            IF v_next IS NULL THEN
                DELETE FROM clubs WHERE id = v_club;
            ELSE
                DELETE FROM club_members WHERE club_id = v_club AND player_id = p_player;
                UPDATE club_members SET role = 'owner' WHERE club_id = v_club AND player_id = v_next;
                PERFORM notify_club(v_club, v_next, p_player, 'owner');
            END IF;
        END IF;
        DELETE FROM club_members WHERE club_id = v_club AND player_id = p_player;
        PERFORM club_count(v_club);
    END LOOP;
END $$;

COMMENT ON FUNCTION club_pass_on IS
'Takes a player out of all clubs. What they own passes to whoever has been a registered member longest; where
there is nobody, the club ends.
Locks: the clubs in the order of their ids, after the player.
Called by erase_player.';
