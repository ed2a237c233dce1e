CREATE OR REPLACE FUNCTION silver_over_cap(p_player bigint, p_gain bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT least(p_gain, greatest(0, silver_owned(p.id) + p_gain - l.silver_cap))
            FROM players p JOIN levels l USING (level)
            WHERE p.id = p_player);
END $$;

COMMENT ON FUNCTION silver_over_cap IS
'The part of a silver gain that would be lost because it exceeds the cap of the player''s level.
Called by credit_legs, prize_pay.';
