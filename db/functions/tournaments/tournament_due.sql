CREATE OR REPLACE FUNCTION tournament_due(p_tournament tournaments) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    t tournaments := p_tournament;
BEGIN
    RETURN CASE t.state
        WHEN 'cancelling' THEN true
        WHEN 'open' THEN t.starts_at <= now() OR t.sit_and_go AND t.people_n >= t.entries_max
        WHEN 'running' THEN CASE
            WHEN t.late_until <= now() THEN true
            WHEN t.round_over THEN t.next_at <= now()
            WHEN EXISTS (SELECT 1 FROM tournament_tables k
                         WHERE k.tournament_id = t.id AND k.round_no = t.round_no AND k.over_at IS NULL)
            THEN EXISTS (SELECT 1 FROM tournament_tables k LEFT JOIN tables b ON b.id = k.table_id
                         WHERE k.tournament_id = t.id AND k.round_no = t.round_no AND k.over_at IS NULL
                           AND CASE WHEN b.id IS NULL THEN k.people_n > 0 OR tournament_room(t) > 0
                                    ELSE b.state IN ('lost', 'cancelled') END)
                 OR EXISTS (SELECT 1 FROM tournament_overdue(t))
            ELSE t.late_until IS NULL END
        ELSE false END;
END $$;

COMMENT ON FUNCTION tournament_due IS
'Whether there is something to do for a tournament.
Called by do_tournament_step, q_tournaments_due.';
