CREATE OR REPLACE FUNCTION count_games(p_seats settled_seat[], OUT earned earned_achievement[],
                                       OUT done done_quest[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_people settled_seat[] := ARRAY(SELECT s FROM unnest(p_seats) s
                                     WHERE player_id IS NOT NULL AND NOT practice ORDER BY player_id);
    v_count settled_seat[] := ARRAY(SELECT s FROM unnest(v_people) s
                                    WHERE took_part AND NOT same_people ORDER BY player_id);
BEGIN
    earned := '{}';
    done := '{}';
    IF cardinality(v_people) = 0 THEN
        RETURN;
    END IF;
    PERFORM count_stats(v_people);
    IF EXISTS (SELECT FROM unnest(v_people) WHERE rated AND NOT took_part) THEN
        UPDATE player_counters c SET n = 0 FROM unnest(v_people) s
        WHERE s.rated AND NOT s.took_part AND c.player_id = s.player_id AND c.counter = 'wins_in_row';
    END IF;
    IF cardinality(v_count) > 0 THEN
        earned := count_achievements(v_count);
        done := count_quests(v_count);
        PERFORM notify_games(v_count, earned, done);
    END IF;
    PERFORM note_invites_due(ARRAY(SELECT player_id FROM unnest(v_count) WHERE rated));
    PERFORM count_league_games(array_agg(player_id), array_agg(room_position),
                               array_agg(game_points::bigint), array_agg(won), now(), array_agg(took_part))
    FROM unnest(v_people) WHERE rated AND room_position IS NOT NULL HAVING count(*) > 0;
END $$;

COMMENT ON FUNCTION count_games IS
'Counts finished games for their players: statistics, achievements, quests, notifications, invitations,
leagues. Practice games are not counted. For a player who did not take part, or met the others too often
today, the game counts only in the statistics, and a lost rated game ends their winning streak. Returns the
achievements earned and the quests completed; the caller pays them.
Called by do_settle_batch.';
