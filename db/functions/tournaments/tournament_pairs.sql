CREATE OR REPLACE FUNCTION tournament_pairs(p_tournament tournaments) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT p_tournament.state = 'running' AND p_tournament.kind = 'swiss' AND p_tournament.round_over
           AND p_tournament.next_at <= now() AND p_tournament.round_no < p_tournament.rounds_n
$$;

COMMENT ON FUNCTION tournament_pairs IS
'Whether the next step of a tournament is a draw that separates those who have met.
Called by do_tournament_step, q_tournament_order.';
