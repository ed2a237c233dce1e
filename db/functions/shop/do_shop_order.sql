CREATE OR REPLACE FUNCTION do_shop_order(p_player bigint, p_key text, p_body_hash bytea, p_pack text,
                                         p_provider text)
    RETURNS TABLE (code text, to_open boolean, id bigint, token uuid, name text, gold bigint,
                   price_minor bigint, currency text, expires_s bigint, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_order shop_orders;
    v_code  text := 'ok';
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_order FROM shop_orders o WHERE o.player_id = p_player AND o.idem_key = p_key;
    IF FOUND THEN
        v_code := CASE WHEN v_order.body_hash = p_body_hash THEN 'ok' ELSE 'idempotency_key_reused' END;
        PERFORM set_config('rummyd.repeated', (v_code = 'ok')::text, true);
    ELSIF NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL) THEN
        v_code := 'no_such_player';
    ELSIF EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.banned_at IS NOT NULL) THEN
        v_code := 'banned';
    ELSIF idempotent_answer(p_player, p_key, 'shop_order', p_body_hash) IS NOT NULL THEN
        v_code := 'idempotency_key_reused';
    ELSIF NOT EXISTS (SELECT 1 FROM shop_packs k WHERE k.id = p_pack AND k.on_sale) THEN
        v_code := 'no_such_pack';
    ELSIF (SELECT count(*) FROM shop_orders o
           WHERE o.player_id = p_player AND o.state IN ('created', 'pending')
           AND o.expires_at > now()) >= setting_int('shop_open_orders_max') THEN
        v_code := 'too_many_orders';
    ELSE
        INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency,
                                 provider, expires_at)
        SELECT p_player, p_key, p_body_hash, k.id, k.gold, k.price_minor, k.currency, p_provider,
               date_trunc('second', now()) + make_interval(secs => setting_int('shop_order_ttl_s'))
        FROM shop_packs k WHERE k.id = p_pack
        RETURNING * INTO v_order;
        PERFORM idempotent_keep(p_player, p_key, 'shop_order', p_body_hash, NULL,
                                jsonb_build_object('code', 'ok', 'order', v_order.id));
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, false, NULL::bigint, NULL::uuid, NULL, NULL::bigint, NULL::bigint, NULL,
        NULL::bigint, NULL;
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok', v_order.state = 'created' AND v_order.expires_at > now(), v_order.id,
    v_order.token, k.name,
                        v_order.gold, v_order.price_minor, v_order.currency,
                        extract(epoch FROM v_order.expires_at)::bigint,
                        shop_order_json(v_order)::text
                 FROM shop_packs k WHERE k.id = v_order.pack_id;
END $$;

COMMENT ON FUNCTION do_shop_order IS
'Creates an order. to_open: it must be sent to the provider.
Key: p_key of the player; a repeat finds the existing order.
Refusals: no_such_player, banned, no_such_pack, too_many_orders, idempotency_key_reused.
Called by api.';
