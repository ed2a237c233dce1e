CREATE OR REPLACE FUNCTION do_admin_club(p_key_hash bytea, p_club bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:club', jsonb_build_object('club', p_club),
                                          (SELECT admin_club_json(c) FROM clubs c WHERE c.id = p_club),
                                          'no_such_club');
END $$;

COMMENT ON FUNCTION do_admin_club IS
'A club as an operator sees it.
Refusals: those of admin_begin, no_such_club.
Called by api.';
