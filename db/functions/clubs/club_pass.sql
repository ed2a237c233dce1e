CREATE OR REPLACE FUNCTION club_pass_to_heir(p_club bigint, p_owner bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_heir bigint := (SELECT player_id FROM club_members
                      WHERE club_id = p_club AND role = 'member' AND club_can_own(player_id)
                      ORDER BY at, player_id LIMIT 1);
BEGIN
    IF v_heir IS NOT NULL THEN
        UPDATE club_members SET role = 'member' WHERE club_id = p_club AND player_id = p_owner;
        UPDATE club_members SET role = 'owner' WHERE club_id = p_club AND player_id = v_heir;
        PERFORM notify_club(p_club, v_heir, p_owner, 'owner');
    END IF;
    RETURN v_heir IS NOT NULL;
END $$;

COMMENT ON FUNCTION club_pass_to_heir IS
'Passes a club to the longest-standing member who can own it; the previous owner becomes a member. false:
there is no such member. The caller has locked the club.
Called by club_pass_on, club_pass_owned.';

CREATE OR REPLACE FUNCTION club_pass_owned(p_owner bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_club bigint;
BEGIN
    FOR v_club IN SELECT c.id FROM clubs c JOIN club_members m ON m.club_id = c.id
                  WHERE m.player_id = p_owner AND m.role = 'owner'
                  ORDER BY c.id FOR NO KEY UPDATE OF c LOOP
        PERFORM club_pass_to_heir(v_club, p_owner);
    END LOOP;
END $$;

COMMENT ON FUNCTION club_pass_owned IS
'Passes the clubs of a banned player to others; a club that no other member can own remains theirs.
Locks: the clubs in the order of their ids, after the player.
Called by do_admin_ban.';

CREATE OR REPLACE FUNCTION club_pass_on(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_club clubs;
BEGIN
    FOR v_club IN SELECT c.* FROM clubs c JOIN club_members m ON m.club_id = c.id
                  WHERE m.player_id = p_player ORDER BY c.id FOR NO KEY UPDATE OF c LOOP
        IF EXISTS (SELECT 1 FROM club_members
                   WHERE club_id = v_club.id AND player_id = p_player AND role = 'owner')
           AND NOT club_pass_to_heir(v_club.id, p_player) THEN
            PERFORM club_end(v_club, 'ended');
        END IF;
        DELETE FROM club_members WHERE club_id = v_club.id AND player_id = p_player;
        PERFORM club_count(v_club.id);
    END LOOP;
END $$;

COMMENT ON FUNCTION club_pass_on IS
'Removes a player from all clubs. Each club they own passes to the longest-standing member who can own it; if
there is none, the club ends.
Locks: the clubs in the order of their ids, after the player.
Called by erase_player.';
