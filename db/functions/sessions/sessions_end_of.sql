CREATE OR REPLACE FUNCTION sessions_end_of(p_player bigint, p_but bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN sessions_end(ARRAY(SELECT id FROM sessions
                              WHERE player_id = p_player AND id IS DISTINCT FROM p_but AND ended_at IS NULL));
END $$;

COMMENT ON FUNCTION sessions_end_of IS
'Ends the sessions of a player except p_but; NULL: all of them. Returns those that this call ended.
Called by deletion_begin, do_admin_end_sessions, do_end_sessions, do_enter_upgraded, do_link_identity,
do_undo_email, erase_player, identity_claim, password_changed.';
