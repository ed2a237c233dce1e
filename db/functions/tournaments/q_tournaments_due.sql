CREATE OR REPLACE FUNCTION q_tournaments_due() RETURNS SETOF bigint
    LANGUAGE sql STABLE AS $$
    SELECT o.id FROM tournaments o
    WHERE o.state IN ('open', 'running', 'cancelling') AND tournament_due(o)
    ORDER BY o.id
$$;

COMMENT ON FUNCTION q_tournaments_due IS
'The tournaments for which there is something to do (do_tournament_step).
Called by server.';
