CREATE OR REPLACE FUNCTION settle_close(p_tables bigint[], p_codes text[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_tables bigint[] := ARRAY(SELECT id FROM unnest(p_tables, p_codes) u (id, code) WHERE code = 'ok');
BEGIN
    DELETE FROM journal WHERE table_id = ANY (v_tables);
    DELETE FROM slow_turns WHERE table_id = ANY (v_tables);
    UPDATE seats SET live = false WHERE table_id = ANY (v_tables);
    UPDATE tables SET state = 'finished', ended_at = now() WHERE id = ANY (v_tables);
END $$;

COMMENT ON FUNCTION settle_close IS
'Removes the journals of tables with code ok, and closes the tables.
Called by do_settle_batch.';
