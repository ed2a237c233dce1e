CREATE OR REPLACE FUNCTION opponents_met_n(p_player bigint, p_variant text DEFAULT NULL,
                                      p_from timestamptz DEFAULT NULL, p_until timestamptz DEFAULT NULL,
                                      p_in_rooms boolean DEFAULT false)
    RETURNS bigint
    LANGUAGE sql STABLE COST 10000 AS $$
    SELECT count(DISTINCT o.player_id)
    FROM game_players p
    CROSS JOIN LATERAL (SELECT rated, room_id, ended_at FROM games WHERE id = p.game_id OFFSET 0) g
    CROSS JOIN LATERAL (SELECT player_id, took_part FROM game_players WHERE game_id = p.game_id OFFSET 0) o
    WHERE p.player_id = p_player AND p.took_part AND NOT p.same_people
      AND (p_variant IS NULL OR p.variant = p_variant)
      -- Start an hour earlier, because games are only roughly numbered in the order in which they end.
      AND p.game_id >= coalesce(game_at((extract(epoch FROM p_from) * 1000)::bigint - 3600000), 0)
      AND g.rated AND (NOT p_in_rooms OR g.room_id IS NOT NULL)
      AND g.ended_at >= coalesce(p_from, '-infinity') AND g.ended_at < coalesce(p_until, 'infinity')
      AND o.player_id <> p.player_id AND o.took_part
      AND NOT EXISTS (SELECT FROM withheld_players w WHERE w.player_id = o.player_id)
$$;

COMMENT ON FUNCTION opponents_met_n IS
'How many other players a player met in rated games in which both took part, without those whose rewards are
withheld. p_variant, p_from, p_until, p_in_rooms: only in games of this variant, that ended in this period,
or in rooms. Uses the player''s index, limited to the numbers of games of this period.
Called by invite_state_due, monthly_prizes_step, season_met_enough.';
