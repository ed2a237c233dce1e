CREATE OR REPLACE FUNCTION passkey_json(p_passkey passkeys) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_passkey.id::text, 'name', p_passkey.name,
                              'synced', p_passkey.backed_up, 'transports', p_passkey.transports,
                              'created_at', rfc3339(p_passkey.created_at),
                              'used_at', rfc3339(p_passkey.used_at))
$$;

COMMENT ON FUNCTION passkey_json IS
'A passkey as its owner sees it.
Called by do_passkey_add, do_passkey_name, q_passkeys.';
