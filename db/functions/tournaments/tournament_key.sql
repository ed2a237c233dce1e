CREATE OR REPLACE FUNCTION tournament_key(p_tournament tournaments) RETURNS bytea
    LANGUAGE sql STABLE AS $$
    SELECT sha256('rummy-draw-1'::bytea
                  || tournament_seed((SELECT seed FROM tournament_secrets
                                      WHERE tournament_id = p_tournament.id),
                                     p_tournament.draws_max - p_tournament.draw_no - 1)
                  || p_tournament.clients || int8send(p_tournament.id) || int4send(p_tournament.draw_no + 1))
$$;

COMMENT ON FUNCTION tournament_key IS
'The key of the next draw of a tournament, secret until it is drawn.
Called by q_tournament_order, tournament_draw.';
