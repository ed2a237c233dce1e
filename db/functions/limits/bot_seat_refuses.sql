CREATE OR REPLACE FUNCTION bot_seat_refuses(p_player bigint, p_table bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.bot_accounts WHERE player_id = p_player)
       AND NOT EXISTS (SELECT 1 FROM public.tables WHERE id = p_table AND bot_accounts) THEN
        RAISE EXCEPTION 'bot % may not sit at table %', p_player, p_table USING ERRCODE = 'RU005';
    END IF;
END $$;

COMMENT ON FUNCTION bot_seat_refuses IS
'Restricts bot accounts to tables that admit them. These are played without chips and points, so that bots
win nothing and appear in no league and on no leaderboard of players.
Refusals: RU005.
Called by limit_seat_guard.';
