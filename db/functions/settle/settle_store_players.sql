CREATE OR REPLACE FUNCTION settle_store_players(p_seats settled_seat[], p_chips settled_chips[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points, clover, silver, gold,
                              silver_lost, level_gold, level, levels_gained, title, rating, facts,
                              variant, turns, own_turns, took_part, same_people)
    SELECT s.game_id, s.seat, s.player_id, s.nickname, s.avatar, s.client_seed, s.place, s.points, s.opened,
           s.cards_left, s.won, s.rummy, s.left_early, s.game_points, coalesce(s.clover, 0),
           s.gain_silver - s.silver - s.lost, s.gain_gold - s.gold, s.lost, coalesce(s.level_gold, 0),
           s.level, coalesce(s.levels_gained, 0), s.title,
           (SELECT r.rating FROM ratings r
            WHERE r.player_id = s.player_id AND r.variant = s.variant AND r.period = 'all'), s.facts,
           s.variant, s.turns, s.own_turns, s.took_part, s.same_people
    FROM ROWS FROM (unnest(p_seats), unnest(p_chips)) s;
END $$;

COMMENT ON FUNCTION settle_store_players IS
'Stores the results of each seat.
Called by do_settle_batch.';
