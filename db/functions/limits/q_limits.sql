CREATE OR REPLACE FUNCTION q_limits(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', limits_json(id)::text FROM players WHERE id = p_player AND deleted_at IS NULL
$$;

COMMENT ON FUNCTION q_limits IS
'A player''s limits as JSON. No row: there is no such player.
Called by api.';
