CREATE OR REPLACE FUNCTION shop_post(p_order shop_orders, p_what text, p_gold bigint, p_key text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_cause  text   := CASE p_what WHEN 'paid' THEN 'shop' ELSE 'shop_back' END;
    v_amount bigint := CASE p_what WHEN 'back' THEN -p_gold ELSE p_gold END;
    v_reason text   := CASE p_what WHEN 'paid' THEN 'shop' WHEN 'back' THEN 'shop_back'
                            ELSE 'shop_return' END;
    v_id     bigint;
BEGIN
    v_id := ledger_post(v_cause, p_key, NULL, '', ARRAY[
        ROW(account_house(v_cause, 'gold'), -v_amount, v_reason),
        ROW(account_purse(p_order.player_id, 'gold'), v_amount, v_reason)]::ledger_leg[]);
    IF v_id IS NULL THEN
        RAISE EXCEPTION 'shop: % was posted before', p_key USING ERRCODE = 'unique_violation';
    END IF;
    INSERT INTO shop_transfers (transfer_id, order_id, what, gold) VALUES (v_id, p_order.id, p_what, p_gold);
END $$;

COMMENT ON FUNCTION shop_post IS
'Moves gold between the purse of the buyer and the house, as a line of the order. p_what: paid, back, return.
Key of the transfer: p_key. Raises unique_violation if it was posted before.
Called by shop_apply, shop_pay_debts, shop_settle.';
