CREATE OR REPLACE FUNCTION rating_bands(p_player bigint, p_table tables) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_middle bigint := setting_int('rating_scale') / 2;
    v_own    bigint := (SELECT r.rating FROM ratings r
                        WHERE r.player_id = p_player AND r.variant = p_table.variant AND r.period = 'all');
    v_others bigint := (SELECT avg(coalesce(r.rating, v_middle))::bigint FROM seats s
                        LEFT JOIN ratings r ON r.player_id = s.player_id AND r.variant = p_table.variant
                            AND r.period = 'all'
                        WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL);
BEGIN
    RETURN abs(coalesce(v_own, v_middle) - coalesce(v_others, v_middle)) / setting_int('rating_band');
END $$;

COMMENT ON FUNCTION rating_bands IS
'How many bands a player''s rating is away from that of the players at a table; a player without a rating is
in the middle.
Called by lock_joinable_table.';
