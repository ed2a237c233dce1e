CREATE OR REPLACE FUNCTION q_vacation(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', vacation_json(p_player)::text
$$;

COMMENT ON FUNCTION q_vacation IS
'A player''s vacation as JSON.
Called by api.';
