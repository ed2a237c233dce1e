CREATE OR REPLACE FUNCTION settle_points(p_seats settled_seat[], p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_scale bigint := setting_int('rating_scale');
    v_most  bigint := setting_int('game_points_max');
    v_month text := to_char(local_day(p_at), 'YYYY-MM');
    v_people bigint[] := ARRAY(SELECT player_id FROM unnest(p_seats) WHERE clover IS NOT NULL);
BEGIN
    UPDATE players p SET level = s.level, level_points = s.level_points,
                         clover_points = p.clover_points + s.clover
    FROM unnest(p_seats) s WHERE p.id = ANY (v_people) AND p.id = s.player_id;
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating, clover, bot)
    SELECT s.player_id, s.variant, x.period, 1, s.game_points, s.won::integer, s.rummy::integer,
           rating_of(s.game_points, 1, v_scale, v_most), coalesce(s.clover, 0), s.bots_rated
    FROM unnest(p_seats) s CROSS JOIN (VALUES (v_month), ('all')) AS x (period)
    WHERE s.player_id IS NOT NULL AND s.took_part IS NOT FALSE
      AND (s.rated OR s.bots_rated AND EXISTS (SELECT FROM bot_accounts b WHERE b.player_id = s.player_id))
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, clover = r.clover + excluded.clover,
        rating = rating_of(r.points + excluded.points, r.games + 1 + r.lost, v_scale, v_most);
    IF EXISTS (SELECT FROM unnest(p_seats) s WHERE NOT s.took_part AND (s.rated OR s.bots_rated)) THEN
        UPDATE ratings r SET lost = r.lost + 1,
                             rating = rating_of(r.points, r.games + r.lost + 1, v_scale, v_most)
        FROM unnest(p_seats) s
        WHERE NOT s.took_part AND CASE WHEN r.bot THEN s.bots_rated ELSE s.rated END
          AND r.player_id = s.player_id AND r.variant = s.variant AND r.period IN (v_month, 'all');
    END IF;
END $$;

COMMENT ON FUNCTION settle_points IS
'Gives Clover points with the levels they lead to, and counts rated games for all time and for the month in
which they ended: games between human players for everyone at the table, games of bots only for the bot
accounts. A game in which a player did not take part counts as lost: it lowers an existing rating like a
game without points, but does not create one.
Called by do_settle_batch.';
