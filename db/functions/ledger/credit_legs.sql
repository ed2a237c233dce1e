CREATE OR REPLACE FUNCTION credit_legs(p_player bigint, p_currency text, p_amount bigint, p_cause text)
    RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_purse bigint := CASE WHEN p_amount <> 0 THEN account_purse(p_player, p_currency) END;
    v_lost  bigint := CASE WHEN p_amount <> 0 AND p_currency = 'silver'
                           THEN silver_over_cap(p_player, p_amount) ELSE 0 END;
BEGIN
    RETURN ARRAY[
        ROW(CASE WHEN p_amount <> 0 THEN account_house(p_cause, p_currency) END, -p_amount, p_cause),
        ROW(v_purse, p_amount, p_cause),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(CASE WHEN v_lost <> 0 THEN account_house('over_cap', p_currency) END, v_lost,
            'over_cap')]::ledger_leg[];
END $$;

COMMENT ON FUNCTION credit_legs IS
'The lines that move p_amount from the house account of p_cause to a purse. The last two lines take back any
silver over the cap. The caller holds the player''s lock.
Called by add_to_counter, add_to_quests, do_credit, pay_grant, welcome_player.';
