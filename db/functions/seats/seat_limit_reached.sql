CREATE OR REPLACE FUNCTION seat_limit_reached(p_player bigint, p_slow boolean) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM seats s
            WHERE s.player_id = p_player AND s.live AND s.left_at IS NULL
              AND (SELECT t.state <> 'lost' AND (t.turn_hours IS NOT NULL) = p_slow
                   FROM tables t WHERE t.id = s.table_id))
           >= setting_int(CASE WHEN p_slow THEN 'slow_tables_per_player_max'
                               ELSE 'tables_per_player_max' END);
END $$;

COMMENT ON FUNCTION seat_limit_reached IS
'Whether a player sits at the maximum number of tables: correspondence tables (p_slow) or others. Lost tables
do not count, because no one plays there, nor do games they have left. Reads only the tables of their seats,
no matter what plan is cached.
Called by do_daily_play, do_join_table, do_open_table, do_rematch, seat_refusal.';
