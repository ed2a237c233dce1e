CREATE OR REPLACE FUNCTION tournament_deal_link(p_secret bytea, p_times integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT tournament_seed(sha256('rummy-tournament-deals-1'::bytea || p_secret), p_times)
$$;

COMMENT ON FUNCTION tournament_deal_link IS
'A link of the chain from which the deals of a duplicate come, as tournament_seed is for its draws: the deal
of round r of at most m comes from the link of m - r. Its hash is the link of the round before, or for the
first round the commitment. The chain of the draws reveals nothing about it, because their common secret is
never published.
Called by do_admin_tournament, tournament_deal.';
