CREATE OR REPLACE FUNCTION do_hand_over_table(p_table bigint, p_node text, p_epoch bigint,
                                              p_to_lighter boolean)
    RETURNS TABLE (code text, ws_url text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_heir  text;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_has_epoch(p_node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.node <> p_node THEN 'already_done'
                   WHEN v_table.state NOT IN ('waiting', 'playing') OR v_table.asleep THEN 'not_live'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        v_heir := node_heir(p_node, p_to_lighter);
        PERFORM 1 FROM nodes WHERE name = v_heir FOR SHARE;
        IF EXISTS (SELECT 1 FROM node_leases l JOIN nodes n ON n.name = l.node AND n.epoch = l.epoch
                   WHERE l.node = v_heir AND l.state = 'ready') THEN
            UPDATE tables SET node = v_heir, stopped_at = clock_timestamp() WHERE id = p_table;
        ELSE
            v_code := 'no_heir';
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code IN ('ok', 'already_done') THEN coalesce(
        (SELECT l.ws_url FROM tables t JOIN node_leases l ON l.node = t.node WHERE t.id = p_table), '') END;
END $$;

COMMENT ON FUNCTION do_hand_over_table IS
'Hands a table over: from now on, it belongs to the node that node_heir selects, whose epoch remains valid
until this is committed. ws_url: address of that node''s sockets. No other write of the table may be
pending. The table''s clock stops until the other node has loaded it. If a call with an unknown outcome is
repeated, it returns already_done and the table''s location.
Refusals: already_done, no_such_table, stale_epoch, not_live (ended, lost, or asleep), no_heir (no other node
is ready and has capacity).
Called by db.';
