CREATE OR REPLACE FUNCTION do_create_player(p_kind text, p_nickname text, p_avatar text,
                                            p_withheld boolean = false) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint;
BEGIN
    INSERT INTO players (kind, nickname, avatar, nickname_folded)
    VALUES (p_kind, p_nickname, p_avatar, lower(p_nickname COLLATE "C"))
    RETURNING id INTO v_player;
    INSERT INTO accounts (kind, currency, player_id)
    VALUES ('purse', 'silver', v_player), ('purse', 'gold', v_player);
    IF p_withheld THEN
        INSERT INTO withheld_players (player_id) VALUES (v_player);
        DELETE FROM player_days WHERE player_id = v_player;
    ELSIF p_kind <> 'bot' THEN
        PERFORM welcome_player(v_player);
    END IF;
    RETURN v_player;
END $$;

COMMENT ON FUNCTION do_create_player IS
'Creates a player with purses and the welcome chips, or a bot without chips; the name is not reserved.
p_withheld: chips and rewards wait until they have confirmed a way to sign in. Returns the id.
Called by do_create_named.';
