CREATE OR REPLACE FUNCTION note_players_played() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_days_played(x.players, x.ended_at)
    FROM (SELECT p.ended_at, array_agg(p.player_id) AS players
          FROM (SELECT r.player_id, (SELECT g.ended_at FROM games g WHERE g.id = r.game_id) AS ended_at
                FROM new_rows r WHERE r.player_id IS NOT NULL AND r.took_part) p
          GROUP BY p.ended_at) x;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION note_players_played IS
'Records a day of play for the players who took part in finished games.
Called by the trigger note_players_played of game_players.';
