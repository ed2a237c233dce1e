CREATE OR REPLACE FUNCTION do_admin_flags(p_key_hash bytea, p_before bigint, p_unused bigint,
                                          p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:flags', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at), 'order_id', o.id::text,
                                        'player_id', o.player_id::text,
                   'state', o.state, 'reason', f.reason, 'gold', f.gold, 'event', f.event,
                   'amount', f.amount_minor, 'currency', f.currency)::text, f.id,
                   0::bigint, 0::bigint
        FROM shop_flags f JOIN shop_orders o ON o.id = f.order_id
        WHERE f.settled_at IS NULL AND (p_before IS NULL OR f.id < p_before) ORDER BY f.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_flags IS
'A page of flagged orders that need a human decision, newest first; the first row is the head.
Refusals: those of admin_begin.
Called by api.';
