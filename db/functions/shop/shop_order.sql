CREATE OR REPLACE FUNCTION shop_order_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'created' OR NEW.refunded_minor + NEW.gold_back + NEW.gold_short <> 0
           OR NEW.provider_ref IS NOT NULL OR NEW.payment_ref IS NOT NULL
           OR NEW.paid_minor IS NOT NULL THEN
            RAISE EXCEPTION 'shop: an order begins as created' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.token, NEW.player_id, NEW.idem_key, NEW.body_hash, NEW.pack_id, NEW.gold, NEW.price_minor,
        NEW.currency, NEW.provider, NEW.product, NEW.created_at, NEW.expires_at)
       IS DISTINCT FROM (OLD.id, OLD.token, OLD.player_id, OLD.idem_key, OLD.body_hash, OLD.pack_id, OLD.gold,
                         OLD.price_minor,
        OLD.currency, OLD.provider, OLD.product, OLD.created_at, OLD.expires_at)
       OR NEW.provider_ref IS DISTINCT FROM coalesce(OLD.provider_ref, NEW.provider_ref)
       OR NEW.payment_ref IS DISTINCT FROM coalesce(OLD.payment_ref, NEW.payment_ref)
       OR NEW.paid_minor IS DISTINCT FROM coalesce(OLD.paid_minor, NEW.paid_minor)
       OR NEW.paid_at IS DISTINCT FROM coalesce(OLD.paid_at, NEW.paid_at)
       OR NEW.delivered_at IS DISTINCT FROM coalesce(OLD.delivered_at, NEW.delivered_at)
       OR (NEW.refunded_minor < OLD.refunded_minor OR OLD.state = 'refunded'
           AND NEW.state IN ('paid', 'refunding'))
          AND NOT EXISTS (SELECT 1 FROM public.shop_events e
                          WHERE e.order_id = OLD.id AND e.kind = 'refund_failed') THEN
        RAISE EXCEPTION 'shop: order % keeps what it was made with', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state
       AND NOT EXISTS (SELECT 1 FROM public.shop_transitions
                       WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'shop: order % does not go from % to %', OLD.id, OLD.state,
        NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION shop_order_guard IS
'Ensures that an order begins as created, keeps its initial fields, and changes its state only along
shop_transitions. The refunded amount decreases only if a refund failed.
Refusals: check_violation.
Called by the trigger shop_order_guard of shop_orders.';

CREATE OR REPLACE FUNCTION shop_order_logged() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO public.shop_order_log (order_id, to_state, why) VALUES (NEW.id, NEW.state, NEW.why);
    ELSIF NEW.state <> OLD.state THEN
        INSERT INTO public.shop_order_log (order_id, from_state, to_state, why)
        VALUES (NEW.id, OLD.state, NEW.state, NEW.why);
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION shop_order_logged IS
'Logs the states of an order.
Called by the trigger shop_order_logged of shop_orders.';

CREATE OR REPLACE FUNCTION shop_order_wrong(p_order bigint) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = public, pg_temp AS $$
    SELECT CASE
        WHEN m.paid <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.gold END
            THEN 'credited ' || m.paid || ' of ' || o.gold || ' gold as ' || o.state
        WHEN m.back <> o.gold_back THEN 'taken back ' || m.back || ', noted ' || o.gold_back
        WHEN m.differ > 0 THEN 'a transfer moves other chips than its order says' END
    FROM public.shop_orders o
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(x.gold) FILTER (WHERE x.what = 'paid'), 0) AS paid,
               coalesce(sum(CASE x.what WHEN 'back' THEN x.gold WHEN 'return' THEN -x.gold END), 0) AS back,
               count(*) FILTER (WHERE x.gold * CASE x.what WHEN 'back' THEN -1 ELSE 1 END IS DISTINCT FROM
                   (SELECT sum(p.amount) FROM public.postings p WHERE p.transfer_id = x.transfer_id
                    AND p.account_id = (SELECT id FROM public.accounts
                                        WHERE kind = 'purse' AND player_id = o.player_id
                                        AND currency = 'gold'))) AS differ
        FROM public.shop_transfers x WHERE x.order_id = o.id) m
    WHERE o.id = p_order
$$;

COMMENT ON FUNCTION shop_order_wrong IS
'The difference between an order and its gold; NULL if there is none.
Called by q_shop_check, shop_order_proven.';

CREATE OR REPLACE FUNCTION shop_order_proven() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
DECLARE
    v_order bigint := CASE TG_TABLE_NAME WHEN 'shop_orders' THEN (to_jsonb(NEW)->>'id')::bigint
                                         ELSE (to_jsonb(NEW)->>'order_id')::bigint END;
    v_wrong text := public.shop_order_wrong(v_order);
BEGIN
    IF v_wrong IS NOT NULL THEN
        RAISE EXCEPTION 'shop: order %: %', v_order, v_wrong USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION shop_order_proven IS
'Verifies at the end of the transaction that an order and its gold agree.
Refusals: check_violation.
Called by the trigger shop_order_proven of shop_orders, the trigger shop_transfer_proven of shop_transfers.';
