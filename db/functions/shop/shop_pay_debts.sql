CREATE OR REPLACE FUNCTION shop_pay_debts(p_order shop_orders) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    o      shop_orders;
    v_left bigint := p_order.gold;
    v_pays bigint;
BEGIN
    -- An order that another call has locked is left for the next purchase, because that call may be waiting
    -- for this player.
    FOR o IN SELECT * FROM shop_orders s
             WHERE s.player_id = p_order.player_id AND s.gold_short > 0 AND s.id <> p_order.id
             ORDER BY s.id FOR UPDATE SKIP LOCKED LOOP
        EXIT WHEN v_left = 0;
        v_pays := least(o.gold_short, v_left);
        v_left := v_left - v_pays;
        PERFORM shop_post(o, 'back', v_pays, 'shop:' || o.id || ':back:order:' || p_order.id);
        UPDATE shop_orders SET gold_back = gold_back + v_pays, gold_short = gold_short - v_pays
        WHERE id = o.id;
        -- Each flag shows its remaining debt; the oldest is paid first.
        UPDATE shop_flags f
        SET gold = greatest(0, f.gold - greatest(0, v_pays - w.before)),
            settled_at = CASE WHEN f.gold + w.before <= v_pays THEN coalesce(f.settled_at, now())
                              ELSE f.settled_at END
        FROM (SELECT id, sum(gold) OVER (ORDER BY id) - gold AS before FROM shop_flags
              WHERE order_id = o.id AND reason = 'gold_short') w
        WHERE f.id = w.id AND f.gold > 0 AND w.before < v_pays;
    END LOOP;
END $$;

COMMENT ON FUNCTION shop_pay_debts IS
'Uses gold that was just bought to pay the buyer''s debt for orders whose money was refunded after the gold
was spent, the oldest first. The caller has locked the order''s row and the player.
Key of each transfer: `shop:<order>:back:order:<the order that pays>`.
Called by shop_apply.';
