CREATE OR REPLACE FUNCTION do_passkey_name(p_player bigint, p_passkey bigint, p_name text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_passkey passkeys;
BEGIN
    UPDATE passkeys SET name = p_name WHERE id = p_passkey AND player_id = p_player
    RETURNING * INTO v_passkey;
    RETURN QUERY SELECT CASE WHEN v_passkey.id IS NULL THEN 'no_such_passkey' ELSE 'ok' END,
                        CASE WHEN v_passkey.id IS NOT NULL THEN passkey_json(v_passkey)::text END;
END $$;

COMMENT ON FUNCTION do_passkey_name IS
'Renames a passkey of a player.
Refusals: no_such_passkey (also: another player''s).
Called by api.';
