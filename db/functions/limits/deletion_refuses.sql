CREATE OR REPLACE FUNCTION deletion_refuses(p_player bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.deletions WHERE player_id = p_player) THEN
        RAISE EXCEPTION 'player % is to be deleted', p_player USING ERRCODE = 'RU004';
    END IF;
END $$;

COMMENT ON FUNCTION deletion_refuses IS
'Refuses new activities of a player whose account is scheduled for deletion. The server recognizes this
refusal by its SQLSTATE.
Refusals: RU004.
Called by limit_order_guard, limit_play_refuses.';
