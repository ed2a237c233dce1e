CREATE OR REPLACE FUNCTION name_cooldown() RETURNS interval
    LANGUAGE sql STABLE AS $$
    SELECT make_interval(days => setting_int('name_change_days')::integer)
$$;

COMMENT ON FUNCTION name_cooldown IS
'Minimum time between two changes of a nickname, during which the old name remains reserved.
Called by name_change, name_changes_at.';
