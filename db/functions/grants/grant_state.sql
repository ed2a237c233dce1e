CREATE OR REPLACE FUNCTION grant_state(g chip_grants) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN g.state = 'waiting' AND g.at + grant_life() <= now() THEN 'lapsed' ELSE g.state END
$$;

COMMENT ON FUNCTION grant_state IS
'State of a grant: as stored, or lapsed if it has been pending for too long.
Called by do_admin_approve_grant, do_admin_refuse_grant, grant_json.';
