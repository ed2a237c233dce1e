CREATE OR REPLACE FUNCTION notify_level(p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_result.levels_gained > 0 THEN
        PERFORM notify_player(p_result.player_id, 'level', jsonb_build_object(
            'level', p_result.level, 'title', p_result.title, 'gold', p_result.level_gold,
            'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]') FROM rooms r
                      JOIN titles t ON t.name = r.title
                      WHERE t.level_from > p_result.level - p_result.levels_gained
                        AND t.level_from <= p_result.level)));
    END IF;
END $$;

COMMENT ON FUNCTION notify_level IS
'Tells a player which level a game brought, and which rooms it opened.
Called by count_finished_table.';
