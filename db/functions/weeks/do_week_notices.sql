CREATE OR REPLACE FUNCTION do_week_notices(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_week    date := quest_week(now()) - 7;
    v_after   bigint;
    v_players bigint[];
BEGIN
    INSERT INTO week_notices (week) SELECT v_week
    WHERE NOT EXISTS (SELECT 1 FROM week_notices WHERE week = v_week)
    ON CONFLICT (week) DO NOTHING;
    SELECT after INTO v_after FROM week_notices WHERE week = v_week AND done_at IS NULL
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    v_players := ARRAY(SELECT id FROM players WHERE id > v_after ORDER BY id LIMIT p_max);
    INSERT INTO notifications (player_id, kind, data)
    SELECT c.player_id, 'week', jsonb_build_object('week', to_char(v_week, 'IYYY-"W"IW'),
                                                   'games', c.games, 'wins', c.wins)
    FROM week_counts(v_players, v_week) c
    JOIN players p ON p.id = c.player_id
    WHERE c.games > 0 AND p.kind <> 'bot' AND p.banned_at IS NULL AND p.deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.player_id = p.id)
      AND NOT EXISTS (SELECT 1 FROM push_settings s
                      WHERE s.player_id = p.id AND s.setting = 'week' AND NOT s.wanted);
    UPDATE week_notices SET after = coalesce(v_players[cardinality(v_players)], after),
                            done_at = CASE WHEN cardinality(v_players) < p_max THEN now() END
    WHERE week = v_week;
    RETURN cardinality(v_players);
END $$;

COMMENT ON FUNCTION do_week_notices IS
'Notifies players of the results of the previous week, if they took part in a game in it and have not turned
this off. Continues after the players of the last call, with at most p_max; returns how many it checked, 0
when all are done or another server is doing this. Banned players and accounts pending deletion are not
notified.
Key: the week; each player is processed once.
Called by server.';
