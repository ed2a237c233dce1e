CREATE OR REPLACE FUNCTION tournament_deal_link(p_secret bytea, p_times integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT tournament_seed(sha256('rummy-tournament-deals-1'::bytea || p_secret), p_times)
$$;

COMMENT ON FUNCTION tournament_deal_link IS
'A link of the chain from which the deals of a duplicate are derived, like tournament_seed for its draws:
the deal of round r of at most m comes from link m - r. Its hash is the link of the previous round or, for
the first round, the commitment. The chain of the draws reveals nothing about it, because their common
secret is never published.
Called by do_admin_tournament, tournament_deal.';
