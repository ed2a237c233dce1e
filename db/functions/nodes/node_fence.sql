CREATE OR REPLACE FUNCTION node_fence(p_name text, p_state text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_epoch bigint := nextval('node_epochs');
BEGIN
    UPDATE node_leases SET epoch = v_epoch, state = p_state WHERE node = p_name;
    UPDATE nodes SET epoch = v_epoch WHERE name = p_name;
    RETURN v_epoch;
END $$;

COMMENT ON FUNCTION node_fence IS
'Gives a node a new epoch, which it returns: holders of the old one can no longer write.
Called by do_adopt_tables, do_node_start, stale_tables_step.';
