CREATE OR REPLACE FUNCTION do_admin_order(p_key_hash bytea, p_order bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:order', jsonb_build_object('order', p_order), NULL,
                                     NULL);
    v_body jsonb := admin_order_json(p_order);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_order' ELSE 'ok' END,
                                        v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_order IS
'An order as an operator sees it.
Refusals: those of admin_begin, no_such_order.
Called by api.';
