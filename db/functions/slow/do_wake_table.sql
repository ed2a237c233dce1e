CREATE OR REPLACE FUNCTION do_wake_table(p_table bigint, p_node text, p_epoch bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE tables SET asleep = false, node = p_node, stopped_at = NULL
    WHERE id = p_table AND asleep AND node_has_epoch(p_node, p_epoch);
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'not_asleep' END;
END $$;

COMMENT ON FUNCTION do_wake_table IS
'Gives a sleeping table to this node, no matter which node had it before.
Refusals: not_asleep (also: it is over, or the epoch is stale).
Called by server.';
