CREATE OR REPLACE FUNCTION do_unfriend(p_player bigint, p_other bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM withdraw_table_invites(p_player, p_other, NULL);
    PERFORM withdraw_table_invites(p_other, p_player, NULL);
    DELETE FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id);
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_unfriend IS
'Ends a friendship, or withdraws or declines a request, and removes the invitations of the two to tables.
Safe to repeat.
Called by api.';
