CREATE OR REPLACE FUNCTION count_games(p_seats settled_seat[]) RETURNS earned_achievement[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_people settled_seat[] := ARRAY(SELECT s FROM unnest(p_seats) s
                                     WHERE player_id IS NOT NULL AND NOT practice ORDER BY player_id);
    v_earned earned_achievement[];
BEGIN
    IF cardinality(v_people) = 0 THEN
        RETURN '{}';
    END IF;
    PERFORM count_stats(v_people);
    v_earned := count_achievements(v_people);
    PERFORM notify_games(v_people, v_earned);
    PERFORM count_league_games(array_agg(player_id), array_agg(room_position),
                               array_agg(game_points::bigint), array_agg(won), now())
    FROM unnest(v_people) WHERE rated AND room_position IS NOT NULL HAVING count(*) > 0;
    RETURN v_earned;
END $$;

COMMENT ON FUNCTION count_games IS
'Counts finished games for their people: statistics, achievements, news, leagues. Practice counts for nothing.
Returns the achievements that were earned by it; the caller pays them.
Called by do_settle_batch.';
