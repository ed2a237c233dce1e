CREATE OR REPLACE FUNCTION settle_numbers() RETURNS settle_numbers
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v settle_numbers;
BEGIN
    SELECT setting_int('game_points_max'), setting_int('opened_points'), setting_int('discarded_points'),
           setting_int('variant_points_max'), setting_int('variant_points_span'),
           setting_int('rummy_clover_points'), setting_int('took_part_percent')
    INTO v.points_max, v.opened, v.discarded, v.variant_most, v.variant_span, v.rummy, v.part_percent;
    SELECT array_agg(l.from_points), array_agg(l.gold), array_agg(l.title), array_agg(l.silver_cap)
    INTO STRICT v.level_from, v.level_gold, v.level_title, v.level_cap
    FROM (SELECT level, title, silver_cap, (sum(reward_gold) OVER (ORDER BY level))::bigint AS gold,
                 -- There is no level after the last one.
                 coalesce((sum(coalesce(points_needed, 1::bigint << 60))
                           OVER (ORDER BY level ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))::bigint,
                          0) AS from_points
          FROM levels ORDER BY level) l;
    RETURN v;
END $$;

COMMENT ON FUNCTION settle_numbers IS
'The inputs of points and levels, read once for a batch. Raises if a setting is missing.
Called by settle_seats.';
