CREATE OR REPLACE FUNCTION limit_order_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
DECLARE
    v_limit bigint;
BEGIN
    IF NEW.product IS NOT NULL THEN
        RETURN NEW;
    END IF;
    PERFORM public.deletion_refuses(NEW.player_id);
    IF EXISTS (SELECT 1 FROM public.play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM public.limit_exclusion_refuses(NEW.player_id);
        v_limit := public.limit_of(NEW.player_id, 'purchases');
        IF v_limit < public.limit_none('purchases')
           AND v_limit < public.purchased_minor(NEW.player_id, now())
                         + public.limit_worth(NEW.price_minor, NEW.currency) THEN
            RAISE EXCEPTION 'limit: player % bought as much as they want',
                NEW.player_id USING ERRCODE = 'RU003';
        END IF;
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION limit_order_guard IS
'Enforces a player''s limits wherever an order is created, so that no new code can bypass them. A completed
store purchase (product) can no longer be refused.
Refusals: RU004 (to be deleted), RU001 (excluded), RU003 (bought as much as they want for today).
Called by the trigger limit_order_guard of shop_orders.';
