CREATE OR REPLACE FUNCTION pay_daily_before_games() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_daily_bonus(x.players, x.ended_at)
    FROM (SELECT g.ended_at, array_agg(s.player_id) AS players
          FROM new_rows g
          CROSS JOIN LATERAL (SELECT player_id FROM seats
                              WHERE table_id = g.table_id AND player_id IS NOT NULL OFFSET 0) s
          GROUP BY g.ended_at) x;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION pay_daily_before_games IS
'Pays due midnights before the points of games count, so that they are paid at the previous level. The
settlement has locked the players.
Called by the trigger pay_daily_before_games of games.';
