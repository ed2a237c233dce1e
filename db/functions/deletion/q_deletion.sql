CREATE OR REPLACE FUNCTION q_deletion(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', deletion_json(p.id)::text FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

COMMENT ON FUNCTION q_deletion IS
'Whether a player''s account is scheduled for deletion. No row: it was deleted.
Called by api.';
