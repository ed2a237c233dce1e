CREATE OR REPLACE FUNCTION q_export_part(p_player bigint, p_export bigint, p_part bigint)
    RETURNS TABLE (part text)
    LANGUAGE sql STABLE AS $$
    SELECT p.text FROM exports e JOIN export_parts p ON p.export_id = e.id
    WHERE e.id = p_export AND e.player_id = p_player AND e.expires_at > now() AND p.part = p_part
$$;

COMMENT ON FUNCTION q_export_part IS
'A part of a player''s export. No row: it does not exist, is not ready, or has expired.
Called by api.';
