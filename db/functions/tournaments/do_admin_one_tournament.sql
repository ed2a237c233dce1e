CREATE OR REPLACE FUNCTION do_admin_one_tournament(p_key_hash bytea, p_tournament bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:tournament',
                                          jsonb_build_object('tournament', p_tournament),
                                          admin_tournament_json(p_tournament), 'no_such_tournament');
END $$;

COMMENT ON FUNCTION do_admin_one_tournament IS
'A tournament as an operator sees it.
Refusals: those of admin_begin, no_such_tournament.
Called by api.';
