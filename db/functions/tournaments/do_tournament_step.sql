CREATE OR REPLACE FUNCTION do_tournament_step(p_tournament bigint, p_node text, p_max integer,
                                              p_draw integer, p_seats integer[], p_repeats bigint,
                                              p_least boolean)
    RETURNS TABLE (opened bigint[], cancels boolean, pairs boolean)
    LANGUAGE plpgsql AS $$
DECLARE
    t        tournaments;
    v_opened bigint[] := '{}';
    v_ended  boolean := false;
    v_pairs  boolean := false;
BEGIN
    SELECT * INTO t FROM tournaments o WHERE o.id = p_tournament FOR NO KEY UPDATE SKIP LOCKED;
    IF t.id IS NULL OR NOT tournament_due(t) THEN
        RETURN;
    END IF;
    IF t.state = 'cancelling' THEN
        PERFORM tournament_refund(t, 500);
    ELSIF t.state = 'open' THEN
        PERFORM tournament_start(t);
    ELSIF t.late_until <= now() THEN
        PERFORM tournament_end_late_entry(t);
    ELSIF t.round_over AND NOT EXISTS (SELECT 1 FROM tournament_entries e
                                       WHERE e.tournament_id = t.id AND e.out_round IS NULL) THEN
        PERFORM tournament_finish(t);
    ELSIF tournament_pairs(t) THEN
        v_pairs := p_draw IS DISTINCT FROM t.draw_no + 1
                   OR (SELECT array_agg(s ORDER BY s) FROM unnest(p_seats) s) IS DISTINCT FROM ARRAY(
                          SELECT e.entry_no FROM tournament_entries e
                          WHERE e.tournament_id = t.id AND e.out_round IS NULL ORDER BY e.entry_no);
        IF NOT v_pairs THEN
            PERFORM tournament_draw(t, t.round_no + 1, ROW(p_seats, p_repeats, p_least)::tournament_drawn);
        END IF;
    ELSIF t.round_over THEN
        PERFORM tournament_draw(t, t.round_no + 1, NULL);
    ELSIF EXISTS (SELECT 1 FROM tournament_tables k
                  WHERE k.tournament_id = t.id AND k.round_no = t.round_no AND k.over_at IS NULL) THEN
        UPDATE tables b SET cancel_asked_at = now() FROM tournament_overdue(t) o (id) WHERE b.id = o.id;
        v_ended := FOUND;
        IF NOT tournament_replay_tables(t) THEN
            v_opened := tournament_open_tables(t, p_node, p_max);
        END IF;
    ELSE
        PERFORM tournament_round_end(t);
    END IF;
    RETURN QUERY SELECT v_opened, v_ended OR o.state = 'cancelling', v_pairs
    FROM tournaments o WHERE o.id = t.id;
END $$;

COMMENT ON FUNCTION do_tournament_step IS
'Performs the next due step of a tournament; no row: there is nothing to do, or another node does it. opened:
tables that it opened, at most p_max, on a node with capacity; the nodes must be notified. cancels: some of
its tables end, because it was canceled or the time of the round is over. pairs: nothing was done, because
the round must be drawn first, from q_tournament_order. The caller then repeats the step with the result:
p_draw (its number), p_seats (the entries, table by table), p_repeats, and p_least (tournament_draws). A
draw for another round or for other entrants is rejected. Each step is a separate transaction and leaves
rows that determine the next one, so that everything is done exactly once, no matter which node is killed
and which one continues.
Locks: the tournament, then players.
Called by server.';
