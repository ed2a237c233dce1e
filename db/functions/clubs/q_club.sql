CREATE OR REPLACE FUNCTION q_club(p_reader bigint, p_club bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN c.id IS NULL THEN 'no_such_club' ELSE 'ok' END,
           CASE WHEN c.id IS NOT NULL THEN club_json(c, p_reader)::text END
    FROM (SELECT p_club AS asked) a LEFT JOIN clubs c ON c.id = a.asked
$$;

COMMENT ON FUNCTION q_club IS
'A club.
Refusals: no_such_club.
Called by api.';
