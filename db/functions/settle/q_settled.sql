CREATE OR REPLACE FUNCTION q_settled(p_table bigint, p_code text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint,
                   level_gold bigint, level integer, levels_gained integer, title text, rating integer,
                   rated boolean, practice boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p_code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover, p.silver, p.gold,
           p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating, g.rated, g.practice
    FROM games g JOIN game_players p ON p.game_id = g.id
    WHERE g.table_id = p_table
    ORDER BY p.seat
$$;

COMMENT ON FUNCTION q_settled IS
'The stored result of a table, a row for each seat, with p_code in each.
Called by do_settle_table.';
