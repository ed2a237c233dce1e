CREATE OR REPLACE FUNCTION do_admin_one_grant(p_key_hash bytea, p_grant bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:grant', jsonb_build_object('grant', p_grant),
                                          (SELECT grant_json(g) FROM chip_grants g WHERE g.id = p_grant),
                                          'no_such_grant');
END $$;

COMMENT ON FUNCTION do_admin_one_grant IS
'A grant as an operator sees it.
Refusals: those of admin_begin, no_such_grant.
Called by api.';
