CREATE OR REPLACE FUNCTION settle_codes(p_tables bigint[], p_epoch bigint) RETURNS text[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_nodes text[] := ARRAY(SELECT x.node FROM (SELECT DISTINCT node FROM tables WHERE id = ANY (p_tables)) x
                            WHERE node_has_epoch(x.node, p_epoch));
BEGIN
    RETURN ARRAY(SELECT CASE WHEN t.id IS NULL THEN 'no_such_table'
                             WHEN t.state = 'finished' THEN 'already_done'
                             WHEN t.node <> ALL (v_nodes) THEN 'stale_epoch'
                             WHEN t.state <> 'playing' THEN 'not_playing'
                             ELSE 'ok' END
                 FROM unnest(p_tables) WITH ORDINALITY u (table_id, n) LEFT JOIN tables t ON t.id = u.table_id
                 ORDER BY u.n);
END $$;

COMMENT ON FUNCTION settle_codes IS
'The code for each of these tables, which the caller has locked: ok, or the reason why it is not settled.
Called by do_settle_batch.';
