CREATE OR REPLACE FUNCTION vacation_is_on(p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM vacations WHERE player_id = p_player AND until > now())
$$;

COMMENT ON FUNCTION vacation_is_on IS
'Whether a player is on vacation now.
Called by do_vacation, vacation_json.';
