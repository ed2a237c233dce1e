CREATE OR REPLACE FUNCTION count_games(p_seats settled_seat[], OUT earned earned_achievement[],
                                       OUT done done_quest[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_people settled_seat[] := ARRAY(SELECT s FROM unnest(p_seats) s
                                     WHERE player_id IS NOT NULL AND NOT practice ORDER BY player_id);
BEGIN
    earned := '{}';
    done := '{}';
    IF cardinality(v_people) = 0 THEN
        RETURN;
    END IF;
    PERFORM count_stats(v_people);
    earned := count_achievements(v_people);
    done := count_quests(v_people);
    PERFORM notify_games(v_people, earned, done);
    PERFORM count_league_games(array_agg(player_id), array_agg(room_position),
                               array_agg(game_points::bigint), array_agg(won), now())
    FROM unnest(v_people) WHERE rated AND room_position IS NOT NULL HAVING count(*) > 0;
END $$;

COMMENT ON FUNCTION count_games IS
'Counts finished games for their people: statistics, achievements, quests, news, leagues. Practice counts for
nothing. Returns the achievements that were earned and the quests that were done by it; the caller pays them.
Called by do_settle_batch.';
