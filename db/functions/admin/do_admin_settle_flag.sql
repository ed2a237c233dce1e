CREATE OR REPLACE FUNCTION do_admin_settle_flag(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                p_flag bigint, p_note text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash,
                                     'settle_flag', jsonb_build_object('flag', p_flag, 'note', p_note),
                                     p_idem_key, p_body_hash);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_flags SET settled_at = coalesce(settled_at, now()) WHERE id = p_flag
        RETURNING jsonb_build_object('id', id::text, 'order_id', order_id::text,
                                     'settled_at', rfc3339(settled_at)) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_flag' ELSE 'ok' END,
                                   v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_settle_flag IS
'Closes a flag after review.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_flag.
Called by api.';
