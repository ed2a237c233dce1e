CREATE OR REPLACE FUNCTION do_wake_due(p_node text, p_epoch bigint, p_max integer)
    RETURNS TABLE (table_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_tables bigint[];
BEGIN
    IF NOT node_has_epoch(p_node, p_epoch) THEN
        RETURN;
    END IF;
    PERFORM vacation_end(player_id) FROM (
        SELECT player_id FROM vacations WHERE until <= now() ORDER BY until LIMIT p_max
        FOR UPDATE SKIP LOCKED) over;
    SELECT array_agg(due.id) INTO v_tables FROM (
        SELECT t.id FROM slow_turns s JOIN tables t ON t.id = s.table_id
        WHERE s.due_at <= now() AND t.state = 'playing' AND (t.asleep OR t.node = p_node)
          AND NOT EXISTS (SELECT 1 FROM slow_turns o
                          WHERE o.table_id = s.table_id AND (o.due_at > now()) IS NOT FALSE)
        ORDER BY s.due_at LIMIT p_max FOR NO KEY UPDATE OF t SKIP LOCKED) due;
    UPDATE tables SET asleep = false, node = p_node, stopped_at = NULL WHERE id = ANY (v_tables) AND asleep;
    RETURN QUERY SELECT DISTINCT unnest(v_tables);
END $$;

COMMENT ON FUNCTION do_wake_due IS
'Returns tables whose correspondence turn is over, at most p_max: sleeping ones, which belong to this node
from now on, and its own. First, ends vacations that are used up. A locked table is left for the next call.
No rows if the epoch is stale.
Called by server.';
