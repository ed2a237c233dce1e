CREATE OR REPLACE FUNCTION do_admin_key(p_key_hash bytea, p_id bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:key', jsonb_build_object('id', p_id),
                                          (SELECT api_key_json(k) FROM api_keys k WHERE k.id = p_id),
                                          'no_such_key');
END $$;

COMMENT ON FUNCTION do_admin_key IS
'An API key as its owner sees it.
Refusals: those of admin_begin, no_such_key.
Called by api.';
