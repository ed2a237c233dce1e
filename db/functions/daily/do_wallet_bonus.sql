CREATE OR REPLACE FUNCTION do_wallet_bonus(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN do_daily_bonus(ARRAY[p_player], now());
END $$;

COMMENT ON FUNCTION do_wallet_bonus IS
'Credits the midnights a player has missed who asks for them, and returns how many. It asks the
clock itself: whoever may call it cannot have a midnight that is yet to come.
Key: `daily:<player>:<day>` for each midnight.
Called by api.';
