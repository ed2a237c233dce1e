CREATE OR REPLACE FUNCTION do_shop_refund(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                          p_order bigint, p_reason text, p_providers text[],
                                          p_refunders text[])
    RETURNS TABLE (code text, to_ask boolean, id bigint, token uuid, payment text, provider text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash,
                                       'refund', jsonb_build_object('order', p_order, 'reason', p_reason),
                                       p_idem_key, p_body_hash);
    o        shop_orders;
    v_refund bigint;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO o FROM shop_orders s WHERE s.id = p_order FOR UPDATE;
        v_code := CASE WHEN o.id IS NULL THEN 'no_such_order'
                       WHEN o.state NOT IN ('paid', 'refunding') OR o.payment_ref IS NULL
                       THEN 'not_refundable'
                       WHEN NOT o.provider = ANY (p_refunders) THEN 'refund_elsewhere'
                       WHEN NOT o.provider = ANY (p_providers) THEN 'shop_off'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO shop_refunds (order_id, key_id, reason) VALUES (o.id, v_call.key_id, p_reason)
            ON CONFLICT (order_id) WHERE state = 'asked' DO NOTHING;
            SELECT r.id INTO STRICT v_refund FROM shop_refunds r
            WHERE r.order_id = o.id AND r.state = 'asked';
            PERFORM shop_settle(o.id, 'refund:' || v_refund);
        END IF;
        v_call.answer := admin_end(v_call, v_code, jsonb_build_object('refund', v_refund));
    END IF;
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    WHERE r.id = (v_call.answer->'body'->>'refund')::bigint AND r.state = 'asked';
    RETURN QUERY
    SELECT CASE WHEN r.state = 'refused' THEN 'payment_refused' ELSE v_call.answer->>'code' END,
           coalesce(r.state = 'asked', false), r.id, r.token, s.payment_ref, s.provider,
           admin_order_json(s.id)::text
    FROM (SELECT 1) one LEFT JOIN shop_refunds r ON r.id = (v_call.answer->'body'->>'refund')::bigint
    LEFT JOIN shop_orders s ON s.id = r.order_id;
END $$;

COMMENT ON FUNCTION do_shop_refund IS
'Begins a refund of all that is left, or joins the one in progress. p_providers: names of enabled ones;
p_refunders: of those that accept refunds from us. to_ask: the provider must be called.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_order, not_refundable, refund_elsewhere, shop_off, payment_refused
(a repeat).
Called by api.';
