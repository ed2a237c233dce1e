CREATE OR REPLACE FUNCTION do_admin_table(p_key_hash bytea, p_table bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:table', jsonb_build_object('table', p_table),
                                          (SELECT t.body FROM admin_tables_json(ARRAY[p_table]) t),
                                          'no_such_table');
END $$;

COMMENT ON FUNCTION do_admin_table IS
'A table as an operator sees it.
Refusals: those of admin_begin, no_such_table.
Called by api.';
