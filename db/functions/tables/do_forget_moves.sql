CREATE OR REPLACE FUNCTION do_forget_moves(p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM journal j USING tables t
    WHERE j.table_id = ANY (p_tables) AND t.id = j.table_id AND t.state = 'finished';
END $$;

COMMENT ON FUNCTION do_forget_moves IS
'Removes moves from the journal that were repeated after their games had been settled. Moves of any other
table remain.
Called by db.';
