CREATE OR REPLACE FUNCTION open_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint := account_hold(p_table, p_player, p_currency);
BEGIN
    IF v_id IS NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id)
        VALUES ('hold', p_currency, p_player, p_table)
        RETURNING id INTO v_id;
    END IF;
    RETURN v_id;
END $$;

COMMENT ON FUNCTION open_hold IS
'The hold of a player at a table, made when it is first needed.
Called by seat_player.';
