CREATE OR REPLACE FUNCTION cancel_waiting(p_tables bigint[]) RETURNS bigint
    LANGUAGE sql AS $$
    WITH asked AS (
        UPDATE tables SET cancel_asked_at = now() WHERE id IN (
            SELECT t.id FROM tables t
            WHERE t.id = ANY (p_tables) AND t.state = 'waiting' AND t.cancel_asked_at IS NULL
            FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING id)
    SELECT min(id) FROM asked
$$;

COMMENT ON FUNCTION cancel_waiting IS
'Wants those of these tables ended that still wait: their nodes give the stakes back, as for do_admin_cancel.
Returns one of them, so that the nodes are told to look; NULL: there was none. A table that somebody else has
locked is left alone, so a caller that may wait for it locks it before.
Called by club_end, do_admin_room.';
