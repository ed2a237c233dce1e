CREATE OR REPLACE FUNCTION welcome_player(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_silver bigint := setting_int('welcome_silver');
    v_gold   bigint := setting_int('welcome_gold');
BEGIN
    IF v_silver + v_gold > 0 THEN
        PERFORM ledger_post('welcome', 'welcome:' || p_player, NULL, '',
            credit_legs(p_player, 'silver', v_silver, 'welcome')
                || credit_legs(p_player, 'gold', v_gold, 'welcome'));
    END IF;
END $$;

COMMENT ON FUNCTION welcome_player IS
'Pays the welcome chips.
Key of the transfer: `welcome:<player>`.
Called by do_create_player, withheld_proved.';
