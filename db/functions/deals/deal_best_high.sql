CREATE OR REPLACE FUNCTION deal_best_high(p_variant text) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT best_high FROM daily_variants WHERE variant = p_variant
$$;

COMMENT ON FUNCTION deal_best_high IS
'Whether the greatest total is the best in this variant; NULL: none that tables compare their points in.
Called by do_admin_tournament, tournament_deal.';
