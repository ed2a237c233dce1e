CREATE OR REPLACE FUNCTION deal_best_high(p_variant text) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT best_high FROM daily_variants WHERE variant = p_variant
$$;

COMMENT ON FUNCTION deal_best_high IS
'Whether the highest total is best in this variant; NULL: its points cannot be compared between tables.
Called by do_admin_tournament, tournament_deal.';
