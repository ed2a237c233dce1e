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
'Removes p_max rows of a table at most for which the condition p_over holds; returns how many. The condition
is run as it stands: a constant of the caller''s, never what somebody sent. A row that somebody is changing
stays for the next time.
Called by do_purge.';
