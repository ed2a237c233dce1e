CREATE OR REPLACE FUNCTION settle_points(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_before integer;
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF NOT p_game.practice AND has_place_points(p_game.variant) THEN
        v_clover := clover_of(p_result.game_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated THEN
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, p_result.game_points,
                           p_result.won, p_result.rummy, v_clover);
    END IF;
    UPDATE game_players g
    SET clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

COMMENT ON FUNCTION settle_points IS
'Clover points, level and rating of one person''s result.
Called by do_settle_table.';
