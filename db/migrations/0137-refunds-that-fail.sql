-- A refund that a provider took on may fail days later: the bank sends the money back to us, so the gold goes back to the buyer, once, whatever the
-- order in which one hears of it. What is given back so far is made from all facts that are known each time.

ALTER TABLE shop_events
    ADD COLUMN said_at timestamptz, -- when it happened, by the provider's clock
    DROP CONSTRAINT shop_events_kind_check,
    ADD CONSTRAINT shop_events_kind_check CHECK (kind IN
        ('paid', 'failed', 'expired', 'refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost'));
ALTER TABLE shop_refunds
    DROP CONSTRAINT shop_refunds_state_check,
    ADD CONSTRAINT shop_refunds_state_check CHECK (state IN ('asked', 'done', 'refused', 'failed'));
ALTER TABLE shop_flags
    DROP CONSTRAINT shop_flags_reason_check,
    ADD CONSTRAINT shop_flags_reason_check CHECK (reason IN ('gold_short', 'amount_differs', 'refund_failed'));
INSERT INTO shop_transitions (from_state, to_state) VALUES ('refunded', 'paid'), ('refunded', 'refunding');

CREATE OR REPLACE FUNCTION shop_refund_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (OLD.state = 'asked' OR OLD.state = 'done' AND NEW.state = 'failed')
       OR (NEW.id, NEW.order_id, NEW.key_id, NEW.token, NEW.reason, NEW.created_at)
          IS DISTINCT FROM (OLD.id, OLD.order_id, OLD.key_id, OLD.token, OLD.reason, OLD.created_at) THEN
        RAISE EXCEPTION 'shop: refund % keeps what it was', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- As in 0050; less money is given back than was thought only if a refund failed.
CREATE OR REPLACE FUNCTION shop_order_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'created' OR NEW.refunded_minor + NEW.gold_back + NEW.gold_short <> 0
           OR NEW.provider_ref IS NOT NULL OR NEW.payment_ref IS NOT NULL THEN
            RAISE EXCEPTION 'shop: an order begins as created' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.token, NEW.player_id, NEW.idem_key, NEW.body_hash, NEW.pack_id, NEW.gold, NEW.price_minor, NEW.currency,
        NEW.provider, NEW.created_at, NEW.expires_at)
       IS DISTINCT FROM (OLD.id, OLD.token, OLD.player_id, OLD.idem_key, OLD.body_hash, OLD.pack_id, OLD.gold, OLD.price_minor,
        OLD.currency, OLD.provider, OLD.created_at, OLD.expires_at)
       OR NEW.provider_ref IS DISTINCT FROM coalesce(OLD.provider_ref, NEW.provider_ref)
       OR NEW.payment_ref IS DISTINCT FROM coalesce(OLD.payment_ref, NEW.payment_ref)
       OR NEW.paid_at IS DISTINCT FROM coalesce(OLD.paid_at, NEW.paid_at)
       OR (NEW.refunded_minor < OLD.refunded_minor OR OLD.state = 'refunded' AND NEW.state IN ('paid', 'refunding'))
          AND NOT EXISTS (SELECT 1 FROM shop_events e WHERE e.order_id = OLD.id AND e.kind = 'refund_failed') THEN
        RAISE EXCEPTION 'shop: order % keeps what it was made with', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state
       AND NOT EXISTS (SELECT 1 FROM shop_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'shop: order % does not go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- Money of an order that was given back and stayed so. Each fact `refunded` has the sum so far; what failed at that time or later, or is what the fact
-- tells of (subject: the refund), is still in that sum.
CREATE FUNCTION shop_refunded(p_order bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(greatest(0, e.amount_minor - (
        SELECT coalesce(sum(f.amount_minor), 0) FROM shop_events f
        WHERE f.order_id = p_order AND f.kind = 'refund_failed'
          AND (f.subject = e.subject OR coalesce(f.said_at, f.at) >= coalesce(e.said_at, e.at))))), 0)::bigint
    FROM shop_events e WHERE e.order_id = p_order AND e.kind = 'refunded'
$$;

-- As in 0051, with refunds that fail.
CREATE OR REPLACE FUNCTION shop_apply(p_order bigint, e shop_events) RETURNS void
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
    ELSIF e.kind = 'refund_failed' THEN
        UPDATE shop_refunds SET state = 'failed', why = 'the money came back' WHERE order_id = o.id AND refund_ref = e.subject AND state = 'done';
        INSERT INTO shop_flags (order_id, reason, detail)
        VALUES (o.id, 'refund_failed', format('%s: %s %s came back', e.subject, e.amount_minor, e.currency));
    END IF;
    IF e.kind IN ('refunded', 'refund_failed') THEN
        UPDATE shop_orders SET refunded_minor = shop_refunded(o.id) WHERE id = o.id;
    END IF;
    PERFORM shop_settle(o.id, e.event_id);
END $$;

-- As in 0051, with the time at which the provider says it happened.
DROP FUNCTION do_shop_event(text, text, text, uuid, text, text, text, bigint, text);
CREATE FUNCTION do_shop_event(p_provider text, p_event text, p_kind text, p_token uuid, p_ref text, p_payment text,
                              p_subject text, p_amount bigint, p_currency text, p_said_at timestamptz DEFAULT NULL)
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
    IF v_order IS NULL AND (p_payment IS NULL
                            OR p_kind NOT IN ('refunded', 'refund_failed', 'disputed', 'dispute_won', 'dispute_lost')) THEN
        RETURN QUERY SELECT 'ignored', NULL::bigint, NULL;
        RETURN;
    END IF;
    INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor, currency, said_at)
    VALUES (p_provider, p_event, p_kind, v_order, p_payment, p_subject, p_amount, p_currency, p_said_at)
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

-- As in 0101; that it failed may be known before the answer to the asking is.
CREATE OR REPLACE FUNCTION do_shop_refund_said(p_refund bigint, p_given boolean, p_ref text, p_why text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    r        shop_refunds;
    o        shop_orders;
    v_event  shop_events;
    v_failed boolean;
BEGIN
    SELECT s.* INTO STRICT o FROM shop_orders s JOIN shop_refunds f ON f.order_id = s.id WHERE f.id = p_refund FOR UPDATE OF s;
    v_failed := EXISTS (SELECT 1 FROM shop_events e WHERE e.order_id = o.id AND e.kind = 'refund_failed' AND e.subject = nullif(p_ref, ''));
    UPDATE shop_refunds f SET state = CASE WHEN NOT p_given THEN 'refused' WHEN v_failed THEN 'failed' ELSE 'done' END,
                              refund_ref = nullif(p_ref, ''), why = left(p_why, 200), ended_at = clock_timestamp()
    WHERE f.id = p_refund AND f.state = 'asked' RETURNING * INTO r;
    IF FOUND THEN
        IF p_given THEN
            INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor, currency)
            VALUES (o.provider, 'refund:' || r.token, 'refunded', o.id, o.payment_ref, r.refund_ref, o.price_minor, o.currency)
            RETURNING * INTO v_event;
            PERFORM shop_apply(o.id, v_event);
        ELSE
            PERFORM shop_settle(o.id, 'refund:' || r.id || ':refused');
        END IF;
        INSERT INTO audit (key_id, action, detail, code)
        VALUES (r.key_id, 'refund:said', jsonb_build_object('order', o.id, 'refund', r.id, 'why', r.why),
                CASE WHEN p_given THEN 'ok' ELSE 'payment_refused' END);
    END IF;
    RETURN QUERY SELECT CASE f.state WHEN 'done' THEN 'ok' ELSE 'payment_refused' END, admin_order_json(f.order_id)::text
                 FROM shop_refunds f WHERE f.id = p_refund;
END $$;
