CREATE OR REPLACE FUNCTION q_export(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', export_json(p.id)::text FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

COMMENT ON FUNCTION q_export IS
'Progress of a player''s export. No row: the player has been deleted.
Called by api.';
