CREATE OR REPLACE FUNCTION do_forget_moves(p_table bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM journal j USING tables t
    WHERE j.table_id = p_table AND t.id = p_table AND t.state = 'finished';
END $$;

COMMENT ON FUNCTION do_forget_moves IS
'Removes moves from the journal that came again after their game had been settled. Those of any other
table stay.
Called by db.';
