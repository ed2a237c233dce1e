CREATE OR REPLACE FUNCTION prize_pay(p_tournament bigint, p_player bigint, p_silver bigint, p_gold bigint)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_purse bigint := account_purse(p_player, 'silver');
    v_lost  bigint := CASE WHEN p_silver > 0 THEN silver_over_cap(p_player, p_silver) ELSE 0 END;
BEGIN
    PERFORM ledger_post('prize', 'prize:' || p_tournament || ':' || p_player, NULL, '', ARRAY[
        ROW(account_pot(p_tournament, 'silver'), -p_silver, 'prize'),
        ROW(v_purse, p_silver, 'prize'),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(account_house('over_cap', 'silver'), v_lost, 'over_cap'),
        ROW(account_pot(p_tournament, 'gold'), -p_gold, 'prize'),
        ROW(account_purse(p_player, 'gold'), p_gold, 'prize')]::ledger_leg[]);
END $$;

COMMENT ON FUNCTION prize_pay IS
'Pays a prize out of the pot; silver over the cap is lost, as everywhere. The caller holds the locks.
Key of the transfer: `prize:<tournament>:<player>`.
Called by tournament_finish.';
