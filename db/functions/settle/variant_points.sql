CREATE OR REPLACE FUNCTION variant_points(p_place integer, p_seats integer, p_most bigint, p_span bigint)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(p_most - p_span * (p_place - 1)::numeric / greatest(1, p_seats - 1))::integer
$$;

COMMENT ON FUNCTION variant_points IS
'Points of place p of n in the variants that have none of their own: floor(most - span * (p - 1) / (n - 1)).
Called by settle_seats.';
