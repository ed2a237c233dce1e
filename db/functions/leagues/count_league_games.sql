CREATE OR REPLACE FUNCTION count_league_games(p_players bigint[], p_room_positions smallint[],
                                              p_points bigint[], p_won boolean[], p_at timestamptz,
                                              p_took_part boolean[] DEFAULT NULL)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_season seasons;
BEGIN
    PERFORM lock_seasons(false);
    PERFORM ensure_seasons(p_at);
    SELECT * INTO v_season FROM seasons
    WHERE state IN ('coming', 'opening', 'open') AND ends_at > p_at ORDER BY no LIMIT 1;
    IF NOT FOUND THEN -- the transaction began before the season ended and ends after it
        SELECT * INTO STRICT v_season FROM seasons WHERE state = 'coming' ORDER BY no LIMIT 1;
    END IF;
    INSERT INTO league_games AS g (season_no, player_id, room_position, games, points, wins)
    SELECT v_season.no, u.player_id, u.room_position, 1, u.points, u.won::integer
    FROM unnest(p_players, p_room_positions, p_points, p_won, p_took_part)
         u (player_id, room_position, points, won, took_part)
    WHERE u.took_part IS NOT FALSE
    ON CONFLICT (season_no, player_id, room_position) DO UPDATE
    SET games = g.games + 1, points = g.points + excluded.points, wins = g.wins + excluded.wins;
    IF false = ANY (p_took_part) THEN
        UPDATE league_games g SET lost = g.lost + 1
        FROM unnest(p_players, p_room_positions, p_took_part) u (player_id, room_position, took_part)
        WHERE NOT u.took_part AND g.season_no = v_season.no AND g.player_id = u.player_id
          AND g.room_position = u.room_position;
    END IF;
    IF v_season.state <> 'coming' THEN
        PERFORM make_league_rows(v_season.no, p_players);
    END IF;
END $$;

COMMENT ON FUNCTION count_league_games IS
'Counts one game for each of several players, all of which ended at the same moment, for the current season
and, once they exist, in its tables. For a player who did not take part (p_took_part; NULL: all did), no
game is counted; it only lowers an existing rating. The caller holds the players'' locks.
Called by count_games.';
