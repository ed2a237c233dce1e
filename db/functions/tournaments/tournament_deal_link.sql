CREATE OR REPLACE FUNCTION tournament_deal_link(p_secret bytea, p_times integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT tournament_seed(sha256('rummy-tournament-deals-1'::bytea || p_secret), p_times)
$$;

COMMENT ON FUNCTION tournament_deal_link IS
'A link of the chain that the deals of a duplicate come from, as tournament_seed is one of its draws: the deal
of round r of at most m comes from the link of m - r, whose hash is that of the round before, and for the
first one the commitment. The chain of the draws says nothing of it, for nobody is shown the secret of both.
Called by do_admin_tournament, tournament_deal.';
