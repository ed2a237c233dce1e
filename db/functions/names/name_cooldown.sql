CREATE OR REPLACE FUNCTION name_cooldown() RETURNS interval
    LANGUAGE sql STABLE AS $$
    SELECT make_interval(days => setting_int('name_change_days')::integer)
$$;

COMMENT ON FUNCTION name_cooldown IS
'How long after a change of their nickname a player waits for the next one, and the old name stays theirs.
Called by name_change, name_changes_at.';
