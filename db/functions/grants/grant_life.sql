CREATE OR REPLACE FUNCTION grant_life() RETURNS interval
    LANGUAGE sql STABLE AS $$
    SELECT make_interval(days => setting_int('grant_days')::integer)
$$;

COMMENT ON FUNCTION grant_life IS
'How long a grant waits for a second operator before it lapses.
Called by admin_waiting, do_admin_grants, grant_json, grant_state.';
