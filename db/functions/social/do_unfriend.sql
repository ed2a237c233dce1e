CREATE OR REPLACE FUNCTION do_unfriend(p_player bigint, p_other bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id);
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_unfriend IS
'Ends a friendship, takes a request back, or declines one. Safe to repeat.
Called by api.';
