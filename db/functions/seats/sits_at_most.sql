CREATE OR REPLACE FUNCTION sits_at_most(p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM seats s JOIN tables t ON t.id = s.table_id
            WHERE s.player_id = p_player AND s.live AND s.left_at IS NULL AND t.state <> 'lost')
           >= setting_int('tables_per_player_max');
END $$;

COMMENT ON FUNCTION sits_at_most IS
'Whether a player sits at as many tables as one may. Lost tables do not count, for nobody
plays there, nor do games they have left.
Called by do_join_table, do_open_table, do_rematch, seat_refusal.';
