CREATE OR REPLACE FUNCTION do_admin_player(p_key_hash bytea, p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:player', jsonb_build_object('player', p_player), NULL,
                                     NULL);
    v_body jsonb := admin_player_json(p_player);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'player_unknown' ELSE 'ok' END,
                                        v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_player IS
'A player as an operator sees them.
Refusals: those of admin_begin, player_unknown.
Called by api.';
