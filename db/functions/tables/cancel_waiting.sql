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
'Requests the end of the tables among these that still wait. Their nodes refund the stakes, as for
do_admin_cancel. Returns one of them, so that the nodes are notified; NULL: there was none. A table locked
by another transaction is skipped, so a caller that may wait for it locks it beforehand.
Called by club_end, do_admin_room.';
