CREATE OR REPLACE FUNCTION tournament_overdue(p_tournament tournaments) RETURNS SETOF bigint
    LANGUAGE sql STABLE AS $$
    SELECT b.id
    FROM tournament_tables k JOIN tables b ON b.id = k.table_id
    WHERE p_tournament.round_ends_at <= now()
      AND k.tournament_id = p_tournament.id AND k.round_no = p_tournament.round_no AND k.over_at IS NULL
      AND b.state = 'playing' AND b.cancel_asked_at IS NULL AND b.hand_no > 1
$$;

COMMENT ON FUNCTION tournament_overdue IS
'The tables that are still running although the time of the round is over, and that have finished a hand, so
that there is a standing to count. Until then, a table may finish its first hand, whose length is limited by
its clocks.
Called by do_tournament_step, tournament_due.';
