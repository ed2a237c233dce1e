-- The shop: packs of gold for money. An order is a state machine held here; gold is credited once for each paid
-- order, and taken back with the money, whatever the order in which one hears of it (docs/shop.md).

INSERT INTO settings (name, value, about) VALUES
    ('shop_order_ttl_s',      '3600',  'a buyer may take so long to pay (Stripe wants 1800 to 86400, and some minutes to spare)'),
    ('shop_open_orders_max',  '5',     'unpaid orders one player may have'),
    ('shop_look_s',           '5',     'an order somebody looks at is asked for at most this often'),
    ('shop_ask_first_s',      '120',   'an order without news is asked for after so long, then after twice as long, …'),
    ('shop_ask_max_s',        '21600', '… and at least this often'),
    ('shop_unmatched_s',      '2592000', 'a refund or dispute of a payment nobody knows is kept so long');

INSERT INTO causes (cause, about) VALUES
    ('shop',      'gold bought'),
    ('shop_back', 'gold taken back for a refund or charge-back, or given again when a dispute was won');
INSERT INTO accounts (kind, currency, cause)
SELECT 'house', currency, cause FROM (VALUES ('shop'), ('shop_back')) AS c (cause), (VALUES ('silver'), ('gold')) AS d (currency)
ORDER BY cause, currency;

-- Prices are in the smallest unit of the currency (cents). An order keeps what it was made with.
CREATE TABLE shop_packs (
    id          text     PRIMARY KEY CHECK (id ~ '^[a-z0-9_]{1,32}$'),
    position    smallint NOT NULL UNIQUE,
    name        text     NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    gold        bigint   NOT NULL CHECK (gold BETWEEN 1 AND 1000000),
    price_minor bigint   NOT NULL CHECK (price_minor BETWEEN 1 AND 100000000),
    currency    text     NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    on_sale     boolean  NOT NULL DEFAULT true
);

INSERT INTO shop_packs (id, position, name, gold, price_minor, currency) VALUES
    ('gold_100',  1, '100 gold',   100,  199, 'eur'),
    ('gold_300',  2, '300 gold',   300,  499, 'eur'),
    ('gold_1000', 3, '1000 gold', 1000, 1499, 'eur');

-- created: written down, the provider not asked yet. pending: the provider knows it, the buyer may pay.
CREATE TABLE shop_transitions (
    from_state text NOT NULL,
    to_state   text NOT NULL,
    PRIMARY KEY (from_state, to_state)
);

-- Money that came late still buys gold: from failed and expired a way leads to paid, and none back.
INSERT INTO shop_transitions (from_state, to_state) VALUES
    ('created', 'pending'), ('created', 'failed'), ('created', 'expired'), ('created', 'paid'),
    ('pending', 'failed'), ('pending', 'expired'), ('pending', 'paid'),
    ('failed', 'paid'), ('expired', 'paid'),
    ('paid', 'refunded'), ('paid', 'disputed'), ('paid', 'charged_back'),
    ('refunded', 'disputed'), ('refunded', 'charged_back'),
    ('disputed', 'paid'), ('disputed', 'refunded'), ('disputed', 'charged_back');

-- token: the order's name outside, never that of an order of another database. expires_at: the buyer may pay until.
-- refunded_minor: money given back. gold_back: gold taken back; gold_short: what should have been but was not there.
CREATE TABLE shop_orders (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token          uuid   NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    player_id      bigint NOT NULL REFERENCES players (id),
    idem_key       text   NOT NULL,
    body_hash      bytea  NOT NULL,
    pack_id        text   NOT NULL REFERENCES shop_packs (id),
    gold           bigint NOT NULL CHECK (gold > 0),
    price_minor    bigint NOT NULL CHECK (price_minor > 0),
    currency       text   NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    provider       text   NOT NULL CHECK (provider ~ '^[a-z]{1,16}$'),
    state          text   NOT NULL DEFAULT 'created'
        CHECK (state IN ('created', 'pending', 'paid', 'failed', 'expired', 'refunded', 'disputed', 'charged_back')),
    provider_ref   text   CHECK (char_length(provider_ref) BETWEEN 1 AND 200),
    pay_url        text   CHECK (char_length(pay_url) BETWEEN 1 AND 2000),
    payment_ref    text   CHECK (char_length(payment_ref) BETWEEN 1 AND 200),
    why            text   NOT NULL DEFAULT '',
    refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
    gold_back      bigint NOT NULL DEFAULT 0 CHECK (gold_back >= 0),
    gold_short     bigint NOT NULL DEFAULT 0 CHECK (gold_short >= 0),
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    paid_at        timestamptz,
    asked_at       timestamptz,
    asks           integer NOT NULL DEFAULT 0,
    UNIQUE (player_id, idem_key),
    UNIQUE (provider, provider_ref),
    UNIQUE (provider, payment_ref),
    CHECK ((paid_at IS NOT NULL) = (state IN ('paid', 'refunded', 'disputed', 'charged_back'))),
    CHECK (state <> 'pending' OR (provider_ref IS NOT NULL AND pay_url IS NOT NULL)),
    CHECK (gold_back + gold_short <= gold),
    CHECK (paid_at IS NOT NULL OR gold_back + gold_short = 0)
);
CREATE INDEX shop_orders_player ON shop_orders (player_id, id);
CREATE INDEX shop_orders_open ON shop_orders (id) WHERE state IN ('created', 'pending');

-- What a state became, and when. Written by the guard alone.
CREATE TABLE shop_order_log (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint NOT NULL REFERENCES shop_orders (id),
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    from_state text,
    to_state   text NOT NULL,
    why        text NOT NULL
);
CREATE INDEX shop_order_log_order ON shop_order_log (order_id, id);

-- The transfers of an order. what: paid (gold given), back (taken again), return (given again).
CREATE TABLE shop_moves (
    transfer_id bigint PRIMARY KEY REFERENCES transfers (id),
    order_id    bigint NOT NULL REFERENCES shop_orders (id),
    what        text   NOT NULL CHECK (what IN ('paid', 'back', 'return')),
    gold        bigint NOT NULL CHECK (gold > 0)
);
CREATE INDEX shop_moves_order ON shop_moves (order_id);
CREATE UNIQUE INDEX shop_moves_paid ON shop_moves (order_id) WHERE what = 'paid';

-- Everything a provider told us about an order, once for each of its own ids. order_id NULL: of a payment that is
-- not known yet. subject: the dispute.
CREATE TABLE shop_events (
    provider     text NOT NULL,
    event_id     text NOT NULL CHECK (char_length(event_id) BETWEEN 1 AND 120),
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind         text NOT NULL CHECK (kind IN ('paid', 'failed', 'expired', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')),
    order_id     bigint REFERENCES shop_orders (id),
    payment_ref  text,
    subject      text,
    amount_minor bigint,
    currency     text,
    PRIMARY KEY (provider, event_id)
);
CREATE INDEX shop_events_order ON shop_events (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX shop_events_unmatched ON shop_events (provider, payment_ref) WHERE order_id IS NULL;

-- What a person has to look at. gold_short: gold that should be taken back is not there. amount_differs: another
-- amount was paid than was asked for.
CREATE TABLE shop_flags (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint NOT NULL REFERENCES shop_orders (id),
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason     text   NOT NULL CHECK (reason IN ('gold_short', 'amount_differs')),
    gold       bigint NOT NULL DEFAULT 0,
    detail     text   NOT NULL DEFAULT '',
    settled_at timestamptz
);
CREATE INDEX shop_flags_order ON shop_flags (order_id);

-- --- guards -------------------------------------------------------------------------------------------

CREATE FUNCTION shop_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'shop: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

-- An order begins as created, keeps what it was made with, and changes its state along shop_transitions alone.
CREATE FUNCTION shop_order_guard() RETURNS trigger
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
       OR NEW.refunded_minor < OLD.refunded_minor THEN
        RAISE EXCEPTION 'shop: order % keeps what it was made with', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state
       AND NOT EXISTS (SELECT 1 FROM shop_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'shop: order % does not go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION shop_order_logged() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO shop_order_log (order_id, to_state, why) VALUES (NEW.id, NEW.state, NEW.why);
    ELSIF NEW.state <> OLD.state THEN
        INSERT INTO shop_order_log (order_id, from_state, to_state, why) VALUES (NEW.id, OLD.state, NEW.state, NEW.why);
    END IF;
    RETURN NULL;
END $$;

-- The log is written from within the guard of the orders (depth 2), never by a statement of its own.
CREATE FUNCTION shop_log_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'shop: the log writes itself' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- What is wrong between an order and its gold; NULL when all is well.
CREATE FUNCTION shop_order_wrong(p_order bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN m.paid <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.gold END
            THEN 'credited ' || m.paid || ' of ' || o.gold || ' gold as ' || o.state
        WHEN m.back <> o.gold_back THEN 'taken back ' || m.back || ', noted ' || o.gold_back
        WHEN m.differ > 0 THEN 'a transfer moves other chips than its order says' END
    FROM shop_orders o
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(x.gold) FILTER (WHERE x.what = 'paid'), 0) AS paid,
               coalesce(sum(CASE x.what WHEN 'back' THEN x.gold WHEN 'return' THEN -x.gold END), 0) AS back,
               count(*) FILTER (WHERE x.gold * CASE x.what WHEN 'back' THEN -1 ELSE 1 END IS DISTINCT FROM
                   (SELECT sum(p.amount) FROM postings p WHERE p.transfer_id = x.transfer_id
                    AND p.account_id = (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = o.player_id
                                        AND currency = 'gold'))) AS differ
        FROM shop_moves x WHERE x.order_id = o.id) m
    WHERE o.id = p_order
$$;

-- At the end of the transaction an order and its gold agree.
CREATE FUNCTION shop_order_proven() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_order bigint := CASE TG_TABLE_NAME WHEN 'shop_orders' THEN (to_jsonb(NEW)->>'id')::bigint
                                         ELSE (to_jsonb(NEW)->>'order_id')::bigint END;
    v_wrong text := shop_order_wrong(v_order);
BEGIN
    IF v_wrong IS NOT NULL THEN
        RAISE EXCEPTION 'shop: order %: %', v_order, v_wrong USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION shop_transfer_of_order() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM shop_moves WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'shop: transfer % belongs to no order', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

-- An event keeps what it said; all that may be learned later is whose it is.
CREATE FUNCTION shop_event_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.order_id IS NOT NULL OR to_jsonb(NEW) - 'order_id' <> to_jsonb(OLD) - 'order_id' THEN
        RAISE EXCEPTION 'shop: event % keeps what it said', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- Only what belongs to no order may be forgotten.
CREATE FUNCTION shop_event_forgotten() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.order_id IS NOT NULL THEN
        RAISE EXCEPTION 'shop: event % belongs to an order', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN OLD;
END $$;

CREATE TRIGGER shop_order_guard BEFORE INSERT OR UPDATE ON shop_orders FOR EACH ROW EXECUTE FUNCTION shop_order_guard();
CREATE TRIGGER shop_order_logged AFTER INSERT OR UPDATE ON shop_orders FOR EACH ROW EXECUTE FUNCTION shop_order_logged();
CREATE TRIGGER shop_order_kept BEFORE DELETE OR TRUNCATE ON shop_orders FOR EACH STATEMENT EXECUTE FUNCTION shop_refuse();
CREATE CONSTRAINT TRIGGER shop_order_proven AFTER INSERT OR UPDATE ON shop_orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE CONSTRAINT TRIGGER shop_move_proven AFTER INSERT ON shop_moves
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE TRIGGER shop_move_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_moves
    FOR EACH STATEMENT EXECUTE FUNCTION shop_refuse();
CREATE TRIGGER shop_log_guard BEFORE INSERT ON shop_order_log FOR EACH ROW EXECUTE FUNCTION shop_log_guard();
CREATE TRIGGER shop_log_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_order_log
    FOR EACH STATEMENT EXECUTE FUNCTION shop_refuse();
CREATE TRIGGER shop_event_guard BEFORE UPDATE ON shop_events FOR EACH ROW EXECUTE FUNCTION shop_event_guard();
CREATE TRIGGER shop_event_forgotten BEFORE DELETE ON shop_events FOR EACH ROW EXECUTE FUNCTION shop_event_forgotten();
CREATE TRIGGER shop_event_kept BEFORE TRUNCATE ON shop_events FOR EACH STATEMENT EXECUTE FUNCTION shop_refuse();
CREATE CONSTRAINT TRIGGER shop_transfer_of_order AFTER INSERT ON transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.cause IN ('shop', 'shop_back'))
    EXECUTE FUNCTION shop_transfer_of_order();

ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_guard;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_logged;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_kept;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_proven;
ALTER TABLE shop_moves ENABLE ALWAYS TRIGGER shop_move_proven;
ALTER TABLE shop_moves ENABLE ALWAYS TRIGGER shop_move_kept;
ALTER TABLE shop_order_log ENABLE ALWAYS TRIGGER shop_log_guard;
ALTER TABLE shop_order_log ENABLE ALWAYS TRIGGER shop_log_kept;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_guard;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_forgotten;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER shop_transfer_of_order;

-- For the proof of the books: no rows, no problems.
CREATE FUNCTION q_shop_check() RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT 'order_differs', 'order ' || o.id, w.wrong
    FROM shop_orders o CROSS JOIN LATERAL (SELECT shop_order_wrong(o.id) AS wrong) w WHERE w.wrong IS NOT NULL
    UNION ALL
    SELECT 'shop_transfer_without_order', 'transfer ' || t.id, t.key
    FROM transfers t WHERE t.cause IN ('shop', 'shop_back') AND NOT EXISTS (SELECT 1 FROM shop_moves m WHERE m.transfer_id = t.id)
    ORDER BY 1, 2
$$;
