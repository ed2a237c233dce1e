CREATE OR REPLACE FUNCTION do_purge_days(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    DELETE FROM solo_games WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM solo_games WHERE day < local_day(now()) - 2 LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_purge_days IS
'Removes counts of solo games of past days, p_max at most; returns how many.
Called by upkeep_step.';
