CREATE OR REPLACE FUNCTION do_shop_receipt(p_player bigint, p_key text, p_body_hash bytea, p_store text,
                                           p_product text, p_ref text, p_payment text, p_account uuid,
                                           p_at timestamptz)
    RETURNS TABLE (code text, id bigint, token uuid, ref text, product text, to_deliver boolean, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_order shop_orders;
    v_code  text := 'ok';
BEGIN
    -- Serializes two calls that present the same receipt.
    PERFORM pg_advisory_xact_lock(hashtextextended('shop ' || p_store || ' ' || p_payment, 0));
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_order FROM shop_orders o
    WHERE o.provider = p_store AND (o.provider_ref = p_ref OR o.payment_ref = p_payment);
    IF FOUND THEN
        v_code := CASE WHEN v_order.player_id = p_player THEN 'ok' ELSE 'receipt_taken' END;
        PERFORM set_config('rummyd.repeated', (v_code = 'ok' AND v_order.idem_key = p_key)::text, true);
    ELSIF p_account <> shop_account(p_player) THEN
        v_code := 'receipt_of_another';
    ELSIF NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL) THEN
        v_code := 'no_such_player';
    ELSIF EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.banned_at IS NOT NULL) THEN
        v_code := 'banned';
    ELSIF idempotent_answer(p_player, p_key, 'shop_receipt', p_body_hash) IS NOT NULL THEN
        v_code := 'idempotency_key_reused';
    ELSIF NOT EXISTS (SELECT 1 FROM shop_products s WHERE s.store = p_store AND s.product = p_product) THEN
        v_code := 'no_such_pack';
    ELSE
        INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency,
                                 provider, product, expires_at)
        SELECT p_player, p_key, p_body_hash, k.id, k.gold, k.price_minor, k.currency, p_store, p_product,
               now() + make_interval(secs => setting_int('shop_order_ttl_s'))
        FROM shop_packs k JOIN shop_products s ON s.pack_id = k.id
        WHERE s.store = p_store AND s.product = p_product
        RETURNING * INTO v_order;
        UPDATE shop_orders SET provider_ref = p_ref WHERE id = v_order.id;
        PERFORM idempotent_keep(p_player, p_key, 'shop_receipt', p_body_hash, NULL,
                                jsonb_build_object('code', 'ok', 'order', v_order.id));
        PERFORM do_shop_event(p_store, 'receipt:' || v_order.token, 'paid', v_order.token, p_ref, p_payment,
                              NULL, v_order.price_minor, v_order.currency, p_at);
    END IF;
    RETURN QUERY
    SELECT v_code, o.id, o.token, o.provider_ref, o.product,
           o.delivered_at IS NULL AND o.paid_at IS NOT NULL, shop_order_json(o)::text
    FROM (VALUES (1)) one
    LEFT JOIN shop_orders o ON v_code = 'ok' AND o.id = v_order.id;
END $$;

COMMENT ON FUNCTION do_shop_receipt IS
'Creates and pays the order that a store''s receipt proves; a repeated receipt finds the existing order. The
order has the price that its pack has here, because the store sets the price in each country. The player''s
limits cannot refuse money that was already taken, but it counts towards them. p_account: the buyer that the
app reported to the store; NULL: none.
Key: p_payment of the store, and p_key of the player.
Refusals: receipt_taken (by another account), receipt_of_another (bought for another account), no_such_player,
banned, no_such_pack (no pack has this product), idempotency_key_reused.
Locks: the payment''s name, the player, the ledger.
Called by api.';
