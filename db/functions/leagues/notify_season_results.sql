CREATE OR REPLACE FUNCTION notify_season_results() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data)
    SELECT r.player_id, 'season', jsonb_build_object(
        'season', r.season_no, 'league', l.id, 'place', r.place, 'games', r.games, 'rating', r.rating,
        'to_league', t.id, 'reason', r.reason, 'rule', r.rule)
    FROM new_rows r JOIN leagues l ON l.position = r.position
    LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.to_position <> r.position OR r.reason IN ('room_locked', 'league_closed');
    RETURN NULL;
END $$;

COMMENT ON FUNCTION notify_season_results IS
'Notifies players for whom the end of a season changed something: those who moved, or would have moved if
the room were unlocked or the league open. A player who dropped out of all leagues is notified when they
play again.
Called by the trigger notify_season_results of season_results.';
