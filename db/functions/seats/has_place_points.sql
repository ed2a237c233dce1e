CREATE OR REPLACE FUNCTION has_place_points(p_variant text) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM place_points WHERE variant = p_variant);
END $$;

COMMENT ON FUNCTION has_place_points IS
'Whether a variant has its own points for places, like rummy51. The others give only variant_points.
Called by stake_refusal.';
