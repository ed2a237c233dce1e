CREATE OR REPLACE FUNCTION shop_settle(p_order bigint, p_event text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    o         shop_orders;
    v_dispute text := shop_dispute(p_order);
    v_refund  boolean := EXISTS (SELECT 1 FROM shop_refunds WHERE order_id = p_order AND state = 'asked');
    v_need    bigint;
    v_move    bigint;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    IF o.paid_at IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[o.player_id]);
    v_need := CASE WHEN v_dispute IN ('open', 'lost') OR v_refund THEN o.gold
                   WHEN o.paid_minor = 0 THEN 0
                   ELSE o.gold * least(o.refunded_minor, o.paid_minor) / o.paid_minor END - o.gold_back
                       - o.gold_short;
    IF v_need > 0 THEN
        v_move := least(v_need, (SELECT balance FROM accounts WHERE id = account_purse(o.player_id, 'gold')));
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'back', v_move, 'shop:' || o.id || ':back:' || p_event);
        END IF;
        IF v_need > v_move THEN
            INSERT INTO shop_flags (order_id, reason, gold, event)
            VALUES (o.id, 'gold_short', v_need - v_move, p_event);
        END IF;
        o.gold_back := o.gold_back + v_move;
        o.gold_short := o.gold_short + v_need - v_move;
    ELSIF v_need < 0 THEN
        -- A dispute was won, or a refund refused: cancel the remaining debt first, then return the gold.
        v_move := greatest(0, -v_need - o.gold_short);
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'return', v_move, 'shop:' || o.id || ':return:' || p_event);
        END IF;
        IF o.gold_short > 0 THEN
            UPDATE shop_flags SET settled_at = now()
            WHERE order_id = o.id AND reason = 'gold_short' AND settled_at IS NULL;
        END IF;
        o.gold_short := o.gold_short - (-v_need - v_move);
        o.gold_back := o.gold_back - v_move;
    END IF;
    UPDATE shop_orders
    SET gold_back = o.gold_back, gold_short = o.gold_short,
        state = CASE WHEN v_dispute = 'lost' THEN 'charged_back' WHEN v_dispute = 'open' THEN 'disputed'
                     WHEN paid_minor > 0 AND refunded_minor >= paid_minor THEN 'refunded'
                     WHEN v_refund THEN 'refunding' ELSE 'paid' END
    WHERE id = o.id;
END $$;

COMMENT ON FUNCTION shop_settle IS
'Adjusts a paid order''s gold and state to what is known about its money; does nothing for an order that has
not been paid. Flags gold that should be taken back but has been spent. The caller has locked the order''s
row; p_event names the cause.
Keys of the transfers: `shop:<order>:back:<event>`, `shop:<order>:return:<event>`.
Called by do_shop_refund, do_shop_refund_result, shop_apply.';
