CREATE OR REPLACE FUNCTION waiting_seats_lock(p_players bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN ARRAY(SELECT t.id FROM tables t
                 WHERE t.state = 'waiting'
                   AND t.id IN (SELECT s.table_id FROM seats s WHERE s.player_id = ANY (p_players) AND s.live)
                 ORDER BY t.id FOR NO KEY UPDATE);
END $$;

COMMENT ON FUNCTION waiting_seats_lock IS
'Locks the waiting tables at which one of these players sits, and returns them. Tables come before players in
the order of locks, so call this before locking the players.
Locks: tables.
Called by deletion_begin, do_admin_ban, do_admin_separate, do_block, do_bot_retire, do_leave_club,
do_set_limits.';

CREATE OR REPLACE FUNCTION waiting_seats_leave(p_players bigint[], p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat record;
BEGIN
    FOR v_seat IN SELECT player_id, table_id FROM seats
                  WHERE table_id = ANY (p_tables) AND player_id = ANY (p_players)
                  ORDER BY table_id, player_id LOOP
        PERFORM do_leave_seat(v_seat.player_id, v_seat.table_id);
        PERFORM withdraw_table_invites(v_seat.player_id, NULL, v_seat.table_id);
    END LOOP;
END $$;

COMMENT ON FUNCTION waiting_seats_leave IS
'Removes players from these waiting tables, with their stakes refunded, and ends their invitations to them.
They remain at a house table, because its seats are assigned. The caller has locked the tables
(waiting_seats_lock), then the players.
Called by deletion_begin, do_admin_ban, do_admin_separate, do_block, do_bot_retire, do_leave_club,
do_set_limits.';
