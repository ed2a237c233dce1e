CREATE OR REPLACE FUNCTION limit_exclusion_refuses(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF limit_of(p_player, 'exclusion') > extract(epoch FROM now()) THEN
        RAISE EXCEPTION 'limit: player % excluded themselves', p_player USING ERRCODE = 'RU001';
    END IF;
END $$;

COMMENT ON FUNCTION limit_exclusion_refuses IS
'Refuses a player who has excluded themselves. The server recognizes these refusals by their SQLSTATEs.
Refusals: RU001.
Called by limit_order_guard, limit_play_refuses.';
