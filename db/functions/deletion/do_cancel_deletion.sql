CREATE OR REPLACE FUNCTION do_cancel_deletion(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := deletion_end(p_player);
BEGIN
    RETURN QUERY SELECT v_code, deletion_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_cancel_deletion IS
'Cancels the deletion of an account at the player''s request. Safe to repeat.
Refusals: no_such_player.
Locks: the player.
Called by api.';
