CREATE OR REPLACE FUNCTION settle_legs(p_seat seats, p_outcome text, p_stake bigint, p_reward bigint)
    RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_lost     boolean := p_outcome = 'lost';
    v_reason   text := CASE WHEN p_outcome = 'lost' THEN 'stake_lost' ELSE 'stake_back' END;
    v_currency text;
    v_stake    bigint;
    v_legs     ledger_leg[] := '{}';
    v_gold     bigint;
BEGIN
    FOREACH v_currency IN ARRAY ARRAY['silver', 'gold'] LOOP
        v_stake := CASE v_currency WHEN 'silver' THEN p_seat.stake_silver ELSE p_seat.stake_gold END;
        CONTINUE WHEN v_stake = 0;
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, v_currency), -v_stake, 'stake'),
            ROW(CASE WHEN v_lost THEN account_house('stake', v_currency)
                     ELSE account_purse(p_seat.player_id, v_currency) END, v_stake, v_reason)
            ]::ledger_leg[];
    END LOOP;
    IF p_outcome = 'won' THEN
        -- Who plays with gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

COMMENT ON FUNCTION settle_legs IS
'The lines that settle one seat. p_outcome: won (stake back and reward), lost, back (stake only).
Called by settle_chips.';
