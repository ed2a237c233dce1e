CREATE OR REPLACE FUNCTION do_shop_refund_result(p_refund bigint, p_given boolean, p_ref text, p_why text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    r        shop_refunds;
    o        shop_orders;
    v_event  shop_events;
    v_failed boolean;
BEGIN
    SELECT s.* INTO STRICT o FROM shop_orders s JOIN shop_refunds f ON f.order_id = s.id WHERE f.id = p_refund
    FOR UPDATE OF s;
    v_failed := EXISTS (SELECT 1 FROM shop_events e
                        WHERE e.order_id = o.id AND e.kind = 'refund_failed'
                          AND e.subject = nullif(p_ref, ''));
    UPDATE shop_refunds f SET state = CASE WHEN NOT p_given THEN 'refused' WHEN v_failed THEN 'failed'
                                           ELSE 'done' END,
                              refund_ref = nullif(p_ref, ''), why = left(p_why, 200),
                              ended_at = clock_timestamp()
    WHERE f.id = p_refund AND f.state = 'asked' RETURNING * INTO r;
    IF FOUND THEN
        IF p_given THEN
            INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor,
                                     currency)
            VALUES (o.provider, 'refund:' || r.token, 'refunded', o.id, o.payment_ref, r.refund_ref,
                    o.paid_minor, o.currency)
            RETURNING * INTO v_event;
            PERFORM shop_apply(o.id, v_event);
        ELSE
            PERFORM shop_settle(o.id, 'refund:' || r.id || ':refused');
        END IF;
        INSERT INTO audit (key_id, action, detail, code)
        VALUES (r.key_id, 'refund:said', jsonb_build_object('order', o.id, 'refund', r.id, 'why', r.why),
                CASE WHEN p_given THEN 'ok' ELSE 'payment_refused' END);
    END IF;
    RETURN QUERY SELECT CASE f.state WHEN 'done' THEN 'ok' ELSE 'payment_refused' END,
    admin_order_json(f.order_id)::text
                 FROM shop_refunds f WHERE f.id = p_refund;
END $$;

COMMENT ON FUNCTION do_shop_refund_result IS
'Stores the provider''s reply to a refund; only the first one counts. The refund''s failure may be known
before the reply.
Refusals: payment_refused.
Called by api.';
