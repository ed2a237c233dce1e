CREATE OR REPLACE FUNCTION purge_rows(p_table regclass, p_over text, p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM %1$s WHERE %2$s LIMIT $1 FOR UPDATE SKIP LOCKED))', p_table, p_over)
    USING p_max;
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION purge_rows IS
'Removes at most p_max rows of a table for which the condition p_over holds; returns how many. The condition
is executed as SQL, so it must be a constant of the caller, never input. Locked rows are left for the next
run.
Called by do_purge.';
