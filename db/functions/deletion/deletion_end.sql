CREATE OR REPLACE FUNCTION deletion_end(p_player bigint) RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        RETURN 'no_such_player';
    END IF;
    DELETE FROM deletions WHERE player_id = p_player;
    IF FOUND THEN
        PERFORM mail_put(p_player, NULL, 'deletion_taken_back', '{}');
    END IF;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION deletion_end IS
'Cancels the deletion of an account, with an email if it was scheduled.
Refusals: no_such_player (also: it is too late).
Locks: the player.
Called by do_admin_deletion, do_cancel_deletion.';
