CREATE OR REPLACE FUNCTION admin_read(p_key_hash bytea, p_action text, p_detail jsonb, p_body jsonb,
                                      p_unknown text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, p_action, p_detail, NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(
        v_call, CASE WHEN p_body IS NULL THEN p_unknown ELSE 'ok' END, p_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION admin_read IS
'An item that an operator reads by its id: p_body, if the key may read it. p_unknown: the code if p_body is
NULL.
Refusals: those of admin_begin, p_unknown.
Called by do_admin_club, do_admin_key, do_admin_one_grant, do_admin_one_tournament, do_admin_order,
do_admin_player, do_admin_table.';
