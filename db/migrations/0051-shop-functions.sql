-- What happens to orders. Locks: the payment's name, the order's row, the player, the ledger.

-- An order as its buyer sees it.
CREATE FUNCTION shop_order_json(o shop_orders) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', o.id::text, 'state', o.state, 'pack', o.pack_id, 'gold', o.gold, 'amount', o.price_minor, 'currency', o.currency,
        'provider', o.provider, 'pay_url', CASE WHEN o.state = 'pending' THEN o.pay_url END,
        'created_at', rfc3339(o.created_at), 'expires_at', rfc3339(o.expires_at), 'paid_at', rfc3339(o.paid_at),
        'refunded', o.refunded_minor, 'gold_back', o.gold_back, 'gold_short', o.gold_short,
        'why', nullif(o.why, ''))
$$;

CREATE FUNCTION q_shop_packs() RETURNS TABLE (body text)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'gold', gold, 'amount', price_minor,
                                                 'currency', currency) ORDER BY position), '[]')::text
    FROM shop_packs WHERE on_sale
$$;

-- Writes an order down; a repeat finds the one there is. code: ok, no_such_player, banned, no_such_pack, too_many_orders,
-- idempotency_key_reused. to_open: the provider has to be asked to take it.
CREATE FUNCTION do_shop_order(p_player bigint, p_key text, p_body_hash bytea, p_pack text, p_provider text)
    RETURNS TABLE (code text, to_open boolean, id bigint, token uuid, name text, gold bigint, price_minor bigint,
                   currency text, expires_s bigint, body text)
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
    ELSIF NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL) THEN
        v_code := 'no_such_player';
    ELSIF EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.banned_at IS NOT NULL) THEN
        v_code := 'banned';
    ELSIF idempotent_answer(p_player, p_key, 'shop_order', p_body_hash) IS NOT NULL THEN
        v_code := 'idempotency_key_reused';
    ELSIF NOT EXISTS (SELECT 1 FROM shop_packs k WHERE k.id = p_pack AND k.on_sale) THEN
        v_code := 'no_such_pack';
    ELSIF (SELECT count(*) FROM shop_orders o WHERE o.player_id = p_player AND o.state IN ('created', 'pending')
           AND o.expires_at > now()) >= setting_int('shop_open_orders_max') THEN
        v_code := 'too_many_orders';
    ELSE
        INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency, provider, expires_at)
        SELECT p_player, p_key, p_body_hash, k.id, k.gold, k.price_minor, k.currency, p_provider,
               date_trunc('second', now()) + make_interval(secs => setting_int('shop_order_ttl_s'))
        FROM shop_packs k WHERE k.id = p_pack
        RETURNING * INTO v_order;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_key, 'shop_order', p_body_hash, jsonb_build_object('code', 'ok', 'order', v_order.id));
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, false, NULL::bigint, NULL::uuid, NULL, NULL::bigint, NULL::bigint, NULL, NULL::bigint, NULL;
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok', v_order.state = 'created' AND v_order.expires_at > now(), v_order.id, v_order.token, k.name,
                        v_order.gold, v_order.price_minor, v_order.currency, extract(epoch FROM v_order.expires_at)::bigint,
                        shop_order_json(v_order)::text
                 FROM shop_packs k WHERE k.id = v_order.pack_id;
END $$;

-- The provider has taken the order. Two who asked at once were given the same answer, and the second changes nothing.
CREATE FUNCTION do_shop_opened(p_order bigint, p_ref text, p_url text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'pending', provider_ref = p_ref, pay_url = p_url WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'ok', shop_order_json(o)::text FROM shop_orders o WHERE o.id = p_order;
END $$;

-- The provider does not take it.
CREATE FUNCTION do_shop_refused(p_order bigint, p_why text) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'failed', why = left(p_why, 200) WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'payment_refused';
END $$;

-- none, open, won or lost: how the disputes of an order stand. A dispute that was closed is not opened by hearing late
-- of its beginning.
CREATE FUNCTION shop_dispute(p_order bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN bool_or(d.lost) THEN 'lost' WHEN bool_or(NOT d.won) THEN 'open' WHEN count(*) > 0 THEN 'won' ELSE 'none' END
    FROM (SELECT bool_or(kind = 'dispute_lost') AS lost, bool_or(kind = 'dispute_won') AS won
          FROM shop_events WHERE order_id = p_order AND kind IN ('disputed', 'dispute_won', 'dispute_lost')
          GROUP BY subject) d
$$;

-- Moves gold between the purse of the buyer and the house, as a line of the order.
CREATE FUNCTION shop_post(p_order shop_orders, p_what text, p_gold bigint, p_key text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_cause  text   := CASE p_what WHEN 'paid' THEN 'shop' ELSE 'shop_back' END;
    v_amount bigint := CASE p_what WHEN 'back' THEN -p_gold ELSE p_gold END;
    v_reason text   := CASE p_what WHEN 'paid' THEN 'shop' WHEN 'back' THEN 'shop_back' ELSE 'shop_return' END;
    v_id     bigint;
BEGIN
    v_id := ledger_post(v_cause, p_key, NULL, '', ARRAY[
        ROW(account_house(v_cause, 'gold'), -v_amount, v_reason),
        ROW(account_purse(p_order.player_id, 'gold'), v_amount, v_reason)]::ledger_leg[]);
    IF v_id IS NULL THEN
        RAISE EXCEPTION 'shop: % was posted before', p_key USING ERRCODE = 'unique_violation';
    END IF;
    INSERT INTO shop_moves (transfer_id, order_id, what, gold) VALUES (v_id, p_order.id, p_what, p_gold);
END $$;

-- Brings a paid order's gold and state to what is known of its money. The caller holds the order; p_event names the cause.
CREATE FUNCTION shop_settle(p_order bigint, p_event text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    o         shop_orders;
    v_dispute text := shop_dispute(p_order);
    v_need    bigint;
    v_move    bigint;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    IF o.paid_at IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[o.player_id]);
    v_need := CASE WHEN v_dispute IN ('open', 'lost') THEN o.gold
                   ELSE o.gold * least(o.refunded_minor, o.price_minor) / o.price_minor END - o.gold_back - o.gold_short;
    IF v_need > 0 THEN
        v_move := least(v_need, (SELECT balance FROM accounts WHERE id = account_purse(o.player_id, 'gold')));
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'back', v_move, 'shop:' || o.id || ':back:' || p_event);
        END IF;
        IF v_need > v_move THEN
            INSERT INTO shop_flags (order_id, reason, gold, detail) VALUES (o.id, 'gold_short', v_need - v_move, p_event);
        END IF;
        o.gold_back := o.gold_back + v_move;
        o.gold_short := o.gold_short + v_need - v_move;
    ELSIF v_need < 0 THEN
        -- A dispute was won: first what was owed is owed no more, then the gold comes back.
        v_move := greatest(0, -v_need - o.gold_short);
        IF v_move > 0 THEN
            PERFORM shop_post(o, 'return', v_move, 'shop:' || o.id || ':return:' || p_event);
        END IF;
        IF o.gold_short > 0 THEN
            UPDATE shop_flags SET settled_at = now() WHERE order_id = o.id AND reason = 'gold_short' AND settled_at IS NULL;
        END IF;
        o.gold_short := o.gold_short - (-v_need - v_move);
        o.gold_back := o.gold_back - v_move;
    END IF;
    UPDATE shop_orders
    SET gold_back = o.gold_back, gold_short = o.gold_short,
        state = CASE WHEN v_dispute = 'lost' THEN 'charged_back' WHEN v_dispute = 'open' THEN 'disputed'
                     WHEN refunded_minor >= price_minor THEN 'refunded' ELSE 'paid' END
    WHERE id = o.id;
END $$;

-- One fact about an order that is locked.
CREATE FUNCTION shop_apply(p_order bigint, e shop_events) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    o shop_orders;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    IF e.payment_ref IS NOT NULL AND o.payment_ref IS NULL THEN
        UPDATE shop_orders SET payment_ref = e.payment_ref WHERE id = o.id;
    END IF;
    IF e.kind = 'paid' AND (e.amount_minor, e.currency) IS DISTINCT FROM (o.price_minor, o.currency) THEN
        INSERT INTO shop_flags (order_id, reason, detail)
        VALUES (o.id, 'amount_differs', format('%s: %s %s instead of %s %s', e.event_id, e.amount_minor, e.currency, o.price_minor, o.currency));
    ELSIF e.kind = 'paid' AND o.paid_at IS NULL THEN
        PERFORM lock_players(ARRAY[o.player_id]);
        UPDATE shop_orders SET state = 'paid', paid_at = now(), why = '' WHERE id = o.id;
        PERFORM shop_post(o, 'paid', o.gold, 'shop:' || o.id || ':paid');
    ELSIF e.kind IN ('failed', 'expired') AND o.state IN ('created', 'pending') THEN
        UPDATE shop_orders SET state = e.kind, why = e.kind WHERE id = o.id;
    ELSIF e.kind = 'refunded' THEN
        UPDATE shop_orders SET refunded_minor = greatest(refunded_minor, e.amount_minor) WHERE id = o.id;
    END IF;
    PERFORM shop_settle(o.id, e.event_id);
END $$;

-- What a provider says (or was asked for). p_token, p_ref, p_payment: whatever it names the order by. code: ok, repeated,
-- kept (a payment nobody knows yet), ignored (none of our orders).
CREATE FUNCTION do_shop_event(p_provider text, p_event text, p_kind text, p_token uuid, p_ref text, p_payment text,
                              p_subject text, p_amount bigint, p_currency text)
    RETURNS TABLE (code text, order_id bigint, state text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_event shop_events;
    v_order bigint;
    e       shop_events;
BEGIN
    -- Who learns whose payment this is, and who hears of it before, wait for each other.
    IF p_payment IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('shop ' || p_provider || ' ' || p_payment, 0));
    END IF;
    SELECT o.id INTO v_order FROM shop_orders o
    WHERE o.provider = p_provider AND (o.token = p_token OR o.provider_ref = p_ref OR o.payment_ref = p_payment)
    ORDER BY o.token = p_token DESC NULLS LAST LIMIT 1 FOR UPDATE;
    IF v_order IS NULL AND (p_payment IS NULL OR p_kind NOT IN ('refunded', 'disputed', 'dispute_won', 'dispute_lost')) THEN
        RETURN QUERY SELECT 'ignored', NULL::bigint, NULL;
        RETURN;
    END IF;
    INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor, currency)
    VALUES (p_provider, p_event, p_kind, v_order, p_payment, p_subject, p_amount, p_currency)
    ON CONFLICT DO NOTHING RETURNING * INTO v_event;
    IF v_event.event_id IS NULL OR v_order IS NULL THEN
        RETURN QUERY SELECT CASE WHEN v_event.event_id IS NULL THEN 'repeated' ELSE 'kept' END, v_order,
                            (SELECT o.state FROM shop_orders o WHERE o.id = v_order);
        RETURN;
    END IF;
    PERFORM shop_apply(v_order, v_event);
    FOR e IN SELECT * FROM shop_events x WHERE x.provider = p_provider AND x.payment_ref = p_payment AND x.order_id IS NULL
             ORDER BY x.at, x.event_id LOOP
        UPDATE shop_events x SET order_id = v_order WHERE x.provider = e.provider AND x.event_id = e.event_id;
        PERFORM shop_apply(v_order, e);
    END LOOP;
    RETURN QUERY SELECT 'ok', o.id, o.state FROM shop_orders o WHERE o.id = v_order;
END $$;

-- The provider knows nothing of a pending order. Once nobody can pay it any more that ends it.
CREATE FUNCTION do_shop_unknown(p_order bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'unknown to the provider'
    WHERE id = p_order AND state = 'pending' AND expires_at < now();
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'wait' END;
END $$;

-- An order of a player. due: it waits for news, and is old enough to be asked for.
CREATE FUNCTION q_shop_order(p_player bigint, p_order bigint) RETURNS TABLE (code text, body text, due boolean, provider text)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(x.code, 'no_such_order'), x.body, x.due, x.provider
    FROM (VALUES (1)) one LEFT JOIN (
        SELECT 'ok' AS code, shop_order_json(o)::text AS body, o.provider,
               o.state = 'pending' AND coalesce(o.asked_at, o.created_at) <= now() - make_interval(secs => setting_int('shop_look_s')) AS due
        FROM shop_orders o WHERE o.id = p_order AND o.player_id = p_player) x ON true
$$;

CREATE FUNCTION q_shop_orders(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT o.id, shop_order_json(o)::text FROM shop_orders o
    WHERE o.player_id = p_player AND o.id < p_before ORDER BY o.id DESC LIMIT p_limit
$$;

-- Claims a pending order to ask the provider for; no row: somebody else has just done so.
CREATE FUNCTION do_shop_claim(p_order bigint) RETURNS TABLE (id bigint, token uuid, ref text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = p_order AND o.state = 'pending'
      AND coalesce(o.asked_at, o.created_at) <= now() - make_interval(secs => setting_int('shop_look_s'))
    RETURNING o.id, o.token, o.provider_ref
$$;

-- The same for whatever has waited longest: after shop_ask_first_s, then twice as long each time. Several may do it.
CREATE FUNCTION do_shop_claim_due(p_provider text, p_max integer) RETURNS TABLE (id bigint, token uuid, ref text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = ANY (ARRAY(
        SELECT w.id FROM shop_orders w
        WHERE w.state = 'pending' AND w.provider = p_provider
          AND coalesce(w.asked_at, w.created_at) + make_interval(secs => least(
              setting_int('shop_ask_max_s'), setting_int('shop_ask_first_s') * power(2, least(w.asks, 30)))) <= now()
        ORDER BY coalesce(w.asked_at, w.created_at) LIMIT p_max FOR UPDATE SKIP LOCKED))
    RETURNING o.id, o.token, o.provider_ref
$$;

-- Orders nobody was ever sent to pay for, and what was told of payments that are not ours.
CREATE FUNCTION do_shop_sweep() RETURNS TABLE (expired bigint, forgotten bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'never opened' WHERE state = 'created' AND expires_at < now();
    GET DIAGNOSTICS expired = ROW_COUNT;
    DELETE FROM shop_events
    WHERE order_id IS NULL AND at < now() - make_interval(secs => setting_int('shop_unmatched_s'));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN NEXT;
END $$;
