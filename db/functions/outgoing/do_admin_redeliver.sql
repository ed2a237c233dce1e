CREATE OR REPLACE FUNCTION do_admin_redeliver(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                              p_webhook bigint, p_delivery bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'redeliver', jsonb_build_object(
        'webhook', p_webhook, 'delivery', p_delivery), p_idem_key, p_body_hash);
    d      deliveries;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO d FROM deliveries WHERE id = p_delivery AND endpoint_id = p_webhook FOR UPDATE;
        IF d.id IS NOT NULL AND NOT d.taken THEN
            UPDATE deliveries SET sent_at = NULL, failed_at = NULL, tries = 0, next_try = now(), said = NULL
            WHERE id = d.id RETURNING * INTO d;
        END IF;
        v_call.answer := CASE WHEN d.id IS NULL THEN admin_end(v_call, 'no_such_delivery', NULL)
                              ELSE admin_end(v_call, 'ok', admin_delivery_json(d)) END;
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_redeliver IS
'Sends a delivery again, with its original id and as many tries as a new one; a delivery that is being sent
is not changed.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_delivery.
Locks: the delivery.
Called by api.';
