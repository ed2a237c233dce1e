CREATE OR REPLACE FUNCTION deletion_begin(p_player bigint, p_key_id bigint, p_but bigint,
                                          OUT code text, OUT ended bigint[], OUT seats_of bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_due     timestamptz := date_trunc('second', now())
                             + make_interval(days => setting_int('deletion_days')::integer);
    v_people  bigint[] := p_player || bots_of(p_player);
    v_entered bigint[] := entries_lock(p_player);
    v_waiting bigint[] := waiting_seats_lock(v_people);
BEGIN
    PERFORM lock_players(v_people);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        code := 'no_such_player';
        RETURN;
    END IF;
    INSERT INTO deletions (player_id, due_at, key_id) VALUES (p_player, v_due, p_key_id)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM entries_leave(p_player, v_entered);
        PERFORM waiting_seats_leave(v_people, v_waiting);
        PERFORM withdraw_requests(p_player);
        seats_of := v_waiting;
        PERFORM mail_put(p_player, NULL, 'deletion_asked',
                         jsonb_build_object('day', to_char(v_due AT TIME ZONE 'UTC', 'YYYY-MM-DD')));
    END IF;
    ended := bots_sessions_end(p_player) || sessions_end_of(p_player, p_but);
    code := 'ok';
END $$;

COMMENT ON FUNCTION deletion_begin IS
'Schedules the deletion of an account in deletion_days, and confirms it by email. Ends its sessions except
p_but (NULL: all) and those of its bots, and gives back seats at waiting tables and entries in tournaments
that have not begun (docs/state-changes.md). A repeat keeps the first date. p_key_id: API key of the
operator who requests it; NULL: the player requests it. seats_of: the tables where seats were given back,
whose nodes must be notified.
Refusals: no_such_player.
Locks: tournaments they have entered, their waiting tables, then players, then sessions.
Called by do_admin_deletion, do_request_deletion.';
