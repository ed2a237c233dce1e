CREATE OR REPLACE FUNCTION do_admin_player_by_email(p_key_hash bytea, p_email text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player bigint     := (SELECT c.player_id FROM credentials c WHERE c.email = email_key(p_email));
    v_call   admin_call := admin_begin(p_key_hash, 'read:players',
                                       jsonb_build_object('by', 'email', 'player', v_player), NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', jsonb_build_object('items', coalesce(
        (SELECT jsonb_agg(admin_player_item(p)) FROM players p WHERE p.id = v_player), '[]'))::text;
END $$;

COMMENT ON FUNCTION do_admin_player_by_email IS
'The account of an email address, as a list of one or none. The audit log is kept forever, so it contains
the id of the account instead of the address.
Refusals: those of admin_begin.
Called by api.';
