CREATE OR REPLACE FUNCTION do_create_player(p_kind text, p_nickname text, p_avatar text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint;
    v_silver bigint := setting_int('welcome_silver');
    v_gold   bigint := setting_int('welcome_gold');
BEGIN
    INSERT INTO players (kind, nickname, avatar, nickname_folded)
    VALUES (p_kind, p_nickname, p_avatar, lower(p_nickname))
    RETURNING id INTO v_player;
    INSERT INTO accounts (kind, currency, player_id)
    VALUES ('purse', 'silver', v_player), ('purse', 'gold', v_player);
    IF v_silver + v_gold > 0 AND p_kind <> 'bot' THEN
        PERFORM ledger_post('welcome', 'welcome:' || v_player, NULL, '',
            credit_legs(v_player, 'silver', v_silver, 'welcome')
                || credit_legs(v_player, 'gold', v_gold, 'welcome'));
    END IF;
    RETURN v_player;
END $$;

COMMENT ON FUNCTION do_create_player IS
'A new player with purses and the welcome chips, a bot without any; nobody else is kept from their name.
Returns the id.
Key of the transfer: `welcome:<player>`.
Called by do_create_named.';
