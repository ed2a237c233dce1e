-- Money that an operator gives back. The gold goes first, then the provider is asked under the refund's own name, as often as it
-- takes; refuses it, the gold comes again. Locks: the order's row, the player, the ledger.

ALTER TABLE shop_orders
    DROP CONSTRAINT shop_orders_state_check,
    DROP CONSTRAINT shop_orders_check,
    ADD CONSTRAINT shop_orders_state_check CHECK (state IN
        ('created', 'pending', 'paid', 'failed', 'expired', 'refunding', 'refunded', 'disputed', 'charged_back')),
    ADD CONSTRAINT shop_orders_check CHECK
        ((paid_at IS NOT NULL) = (state IN ('paid', 'refunding', 'refunded', 'disputed', 'charged_back')));

INSERT INTO shop_transitions (from_state, to_state) VALUES
    ('paid', 'refunding'), ('refunding', 'paid'), ('refunding', 'refunded'), ('refunding', 'disputed'),
    ('refunding', 'charged_back'), ('disputed', 'refunding');

-- All that is left of the money of an order. token: the name under which the provider is asked. state: asked until the
-- provider has said something.
CREATE TABLE shop_refunds (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint NOT NULL REFERENCES shop_orders (id),
    key_id     bigint NOT NULL REFERENCES api_keys (id),
    token      uuid   NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    reason     text   NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 200),
    state      text   NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'done', 'refused')),
    refund_ref text   CHECK (char_length(refund_ref) <= 200),
    why        text   NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    asked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    asks       integer NOT NULL DEFAULT 0,
    ended_at   timestamptz,
    CHECK ((ended_at IS NOT NULL) = (state <> 'asked'))
);
CREATE UNIQUE INDEX shop_refunds_asked ON shop_refunds (order_id) WHERE state = 'asked';
CREATE INDEX shop_refunds_order ON shop_refunds (order_id);

CREATE FUNCTION shop_refund_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'asked' OR (NEW.id, NEW.order_id, NEW.key_id, NEW.token, NEW.reason, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.order_id, OLD.key_id, OLD.token, OLD.reason, OLD.created_at) THEN
        RAISE EXCEPTION 'shop: refund % keeps what it was', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER shop_refund_guard BEFORE UPDATE ON shop_refunds FOR EACH ROW EXECUTE FUNCTION shop_refund_guard();
CREATE TRIGGER shop_refund_kept BEFORE DELETE OR TRUNCATE ON shop_refunds FOR EACH STATEMENT EXECUTE FUNCTION shop_refuse();
ALTER TABLE shop_refunds ENABLE ALWAYS TRIGGER shop_refund_guard;
ALTER TABLE shop_refunds ENABLE ALWAYS TRIGGER shop_refund_kept;

-- Brings a paid order's gold and state to what is known of its money. The caller holds the order; p_event names the cause.
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
        -- A dispute was won, or a refund refused: first what was owed is owed no more, then the gold comes back.
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
                     WHEN refunded_minor >= price_minor THEN 'refunded' WHEN v_refund THEN 'refunding' ELSE 'paid' END
    WHERE id = o.id;
END $$;

-- An order as an operator sees it: whose it is, what became of it and when, its refunds and flags.
CREATE FUNCTION admin_order_json(p_order bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT shop_order_json(o) || jsonb_build_object(
        'player_id', o.player_id::text, 'payment_ref', o.payment_ref,
        'log', (SELECT jsonb_agg(jsonb_build_object('at', rfc3339(l.at), 'state', l.to_state, 'why', nullif(l.why, '')) ORDER BY l.id)
                FROM shop_order_log l WHERE l.order_id = o.id),
        'refunds', coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id::text, 'at', rfc3339(r.created_at), 'key', k.name,
                'state', r.state, 'reason', r.reason, 'why', nullif(r.why, '')) ORDER BY r.id)
                FROM shop_refunds r JOIN api_keys k ON k.id = r.key_id WHERE r.order_id = o.id), '[]'),
        'flags', coalesce((SELECT jsonb_agg(jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at), 'reason', f.reason,
                'gold', f.gold, 'settled_at', rfc3339(f.settled_at)) ORDER BY f.id)
                FROM shop_flags f WHERE f.order_id = o.id), '[]'))
    FROM shop_orders o WHERE o.id = p_order
$$;

-- code: ok, api_key_invalid, api_key_forbidden, no_such_order.
CREATE FUNCTION do_admin_order(p_key_hash bytea, p_order bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:order', jsonb_build_object('order', p_order), NULL, NULL);
    v_body jsonb := admin_order_json(p_order);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_order' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- Begins a refund of all that is left, or joins the one that is on its way. p_providers: names of those that are switched on, with
-- commas. code: ok, those of admin_begin, no_such_order, not_refundable, shop_off, payment_refused (a repeat). to_ask: the provider has to be asked.
CREATE FUNCTION do_shop_refund(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_order bigint, p_reason text,
                               p_providers text)
    RETURNS TABLE (code text, to_ask boolean, id bigint, token uuid, payment text, provider text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash, 'refund', jsonb_build_object('order', p_order, 'reason', p_reason),
                                       p_idem_key, p_body_hash);
    o        shop_orders;
    v_refund bigint;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO o FROM shop_orders s WHERE s.id = p_order FOR UPDATE;
        v_code := CASE WHEN o.id IS NULL THEN 'no_such_order'
                       WHEN o.state NOT IN ('paid', 'refunding') OR o.payment_ref IS NULL THEN 'not_refundable'
                       WHEN NOT o.provider = ANY (string_to_array(p_providers, ',')) THEN 'shop_off' ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO shop_refunds (order_id, key_id, reason) VALUES (o.id, v_call.key_id, p_reason)
            ON CONFLICT (order_id) WHERE state = 'asked' DO NOTHING;
            SELECT r.id INTO STRICT v_refund FROM shop_refunds r WHERE r.order_id = o.id AND r.state = 'asked';
            PERFORM shop_settle(o.id, 'refund:' || v_refund);
        END IF;
        v_call.answer := admin_end(v_call, v_code, jsonb_build_object('refund', v_refund));
    END IF;
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    WHERE r.id = (v_call.answer->'body'->>'refund')::bigint AND r.state = 'asked';
    RETURN QUERY
    SELECT CASE WHEN r.state = 'refused' THEN 'payment_refused' ELSE v_call.answer->>'code' END, coalesce(r.state = 'asked', false), r.id, r.token, s.payment_ref, s.provider,
           admin_order_json(s.id)::text
    FROM (SELECT 1) one LEFT JOIN shop_refunds r ON r.id = (v_call.answer->'body'->>'refund')::bigint
    LEFT JOIN shop_orders s ON s.id = r.order_id;
END $$;

-- What the provider said to a refund; only the first word counts. code: ok, payment_refused.
CREATE FUNCTION do_shop_refund_said(p_refund bigint, p_given boolean, p_ref text, p_why text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    r       shop_refunds;
    o       shop_orders;
    v_event shop_events;
BEGIN
    SELECT s.* INTO STRICT o FROM shop_orders s JOIN shop_refunds f ON f.order_id = s.id WHERE f.id = p_refund FOR UPDATE OF s;
    UPDATE shop_refunds f SET state = CASE WHEN p_given THEN 'done' ELSE 'refused' END, refund_ref = nullif(p_ref, ''),
                              why = left(p_why, 200), ended_at = clock_timestamp()
    WHERE f.id = p_refund AND f.state = 'asked' RETURNING * INTO r;
    IF FOUND THEN
        IF p_given THEN
            INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, amount_minor, currency)
            VALUES (o.provider, 'refund:' || r.token, 'refunded', o.id, o.payment_ref, o.price_minor, o.currency)
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

-- Claims refunds without an answer, as do_shop_claim_due does orders without news.
CREATE FUNCTION do_shop_claim_refunds(p_provider text, p_max integer) RETURNS TABLE (id bigint, token uuid, payment text)
    LANGUAGE sql AS $$
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    FROM shop_orders o
    WHERE o.id = r.order_id AND r.id = ANY (ARRAY(
        SELECT w.id FROM shop_refunds w JOIN shop_orders s ON s.id = w.order_id
        WHERE w.state = 'asked' AND s.provider = p_provider
          AND w.asked_at + make_interval(secs => least(
              setting_int('shop_ask_max_s'), setting_int('shop_ask_first_s') * power(2, least(greatest(w.asks - 1, 0), 30)))) <= now()
        ORDER BY w.asked_at LIMIT p_max FOR UPDATE OF w SKIP LOCKED))
    RETURNING r.id, r.token, o.payment_ref
$$;

-- --- flags: what a person has to look at ---------------------------------------------------------------

-- A page, newest first; the first row is the head. code: as admin_begin.
CREATE FUNCTION do_admin_flags(p_key_hash bytea, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint)
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
        SELECT 'ok', jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at), 'order_id', o.id::text, 'player_id', o.player_id::text,
                   'state', o.state, 'reason', f.reason, 'gold', f.gold, 'detail', f.detail)::text, f.id, 0::bigint, 0::bigint
        FROM shop_flags f JOIN shop_orders o ON o.id = f.order_id
        WHERE f.settled_at IS NULL AND (p_before IS NULL OR f.id < p_before) ORDER BY f.id DESC LIMIT p_limit;
    END IF;
END $$;

-- Looked at and done with. code: ok, those of admin_begin, no_such_flag.
CREATE FUNCTION do_admin_settle_flag(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_flag bigint, p_note text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'settle_flag', jsonb_build_object('flag', p_flag, 'note', p_note), p_idem_key,
                                     p_body_hash);
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE shop_flags SET settled_at = coalesce(settled_at, now()) WHERE id = p_flag
        RETURNING jsonb_build_object('id', id::text, 'order_id', order_id::text, 'settled_at', rfc3339(settled_at)) INTO v_body;
        v_call.answer := admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_flag' ELSE 'ok' END, v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;
