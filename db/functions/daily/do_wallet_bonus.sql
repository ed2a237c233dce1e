CREATE OR REPLACE FUNCTION do_wallet_bonus(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN do_daily_bonus(ARRAY[p_player], now());
END $$;

COMMENT ON FUNCTION do_wallet_bonus IS
'Credits the midnights that a player has missed and claims now, and returns how many. It reads the clock
itself, so that a caller cannot obtain a future midnight.
Key: `daily:<player>:<day>` for each midnight.
Called by api.';
