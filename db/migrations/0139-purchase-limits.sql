-- A purchase limit is one sum, and orders may be in several currencies: each counts by what it is worth.

-- worth: of the currency's smallest unit, in the smallest unit of the currency that limits are in (whose worth is 1). An operator's to keep.
CREATE TABLE limit_currencies (
    currency text    PRIMARY KEY CHECK (currency ~ '^[a-z]{3}$'),
    worth    numeric NOT NULL CHECK (worth > 0)
);
INSERT INTO limit_currencies (currency, worth) VALUES
    ('eur', 1), ('usd', 0.87), ('gbp', 1.14), ('chf', 1.07), ('pln', 0.24), ('czk', 0.041), ('huf', 0.0026), ('sek', 0.091), ('jpy', 0.56);

-- What a price counts towards a limit, rounded up. A currency nobody has said the worth of is more than any limit.
CREATE FUNCTION limit_worth(p_minor bigint, p_currency text) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT least(limit_none('purchases'),
                 coalesce((SELECT ceil(p_minor * worth)::bigint FROM limit_currencies WHERE currency = p_currency), limit_none('purchases')))
$$;

-- As in 0102, by their worth.
CREATE OR REPLACE FUNCTION bought_minor(p_player bigint, p_at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(limit_worth(price_minor, currency)), 0)::bigint FROM shop_orders
    WHERE player_id = p_player AND created_at >= local_midnight(p_at) AND state NOT IN ('failed', 'expired')
$$;

CREATE OR REPLACE FUNCTION limit_order_guard() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_limit bigint;
BEGIN
    IF EXISTS (SELECT 1 FROM play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM limit_exclusion_refuses(NEW.player_id);
        v_limit := limit_of(NEW.player_id, 'purchases');
        IF v_limit < limit_none('purchases')
           AND bought_minor(NEW.player_id, now()) + limit_worth(NEW.price_minor, NEW.currency) > v_limit THEN
            RAISE EXCEPTION 'limit: player % bought as much as he wants', NEW.player_id USING ERRCODE = 'RU003';
        END IF;
    END IF;
    RETURN NEW;
END $$;
