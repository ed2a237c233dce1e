CREATE OR REPLACE FUNCTION make_league_rows(p_season integer, p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_scale     bigint := setting_int('rating_scale');
    v_most      bigint := setting_int('game_points_max');
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    INSERT INTO league_members (player_id, position, since)
    SELECT DISTINCT g.player_id, (SELECT min(position) FROM leagues), p_season
    FROM unnest(p_players) u (player_id)
    JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
    WHERE (SELECT m.position FROM league_members m WHERE m.player_id = u.player_id) IS NULL
    ON CONFLICT (player_id) DO NOTHING;
    WITH counted AS (
        SELECT g.player_id, m.position, sum(g.games)::bigint AS games, sum(g.points)::bigint AS points,
               sum(g.wins)::bigint AS wins, sum(g.lost)::bigint AS lost
        FROM unnest(p_players) u (player_id)
        JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
        JOIN league_members m ON m.player_id = g.player_id AND g.room_position >= m.position
        GROUP BY g.player_id, m.position
    ), rows AS (
        INSERT INTO league_rows AS r (season_no, player_id, position, games, points, wins, rating)
        SELECT p_season, player_id, position, games, points, wins,
               rating_of(points, games + lost, v_scale, v_most)
        FROM counted
        ON CONFLICT (season_no, player_id) DO UPDATE
        SET games = excluded.games, points = excluded.points, wins = excluded.wins, rating = excluded.rating
        RETURNING r.player_id, r.position, r.games, r.wins, r.rating
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT b.board, r.player_id, CASE WHEN r.games >= v_games_min THEN 1::bigint << 60 ELSE 0 END
           + (r.rating::bigint << 40) + (least(r.games, 1048575) << 20) + least(r.wins, 1048575)
    FROM rows r JOIN (SELECT o.position, league_board(p_season, o.position) AS board
                      FROM (SELECT DISTINCT position FROM counted) o) b ON b.position = r.position
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

COMMENT ON FUNCTION make_league_rows IS
'Builds the rows of players in the tables of their leagues from their games; replaces existing rows. A player
in no league enters the lowest. The caller holds the players'' locks.
Called by count_league_games, season_open.';
