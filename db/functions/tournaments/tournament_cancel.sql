CREATE OR REPLACE FUNCTION tournament_cancel(p_tournament tournaments, p_reason text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tournaments SET state = 'cancelling', reason = p_reason, next_at = NULL WHERE id = p_tournament.id;
    UPDATE tables SET cancel_asked_at = now()
    WHERE tournament_id = p_tournament.id AND state IN ('waiting', 'playing') AND cancel_asked_at IS NULL;
END $$;

COMMENT ON FUNCTION tournament_cancel IS
'Cancels a tournament that the caller has locked: running tables end, and all entries are refunded, step by
step (tournament_refund).
Called by do_admin_cancel_tournament, tournament_start.';
