CREATE OR REPLACE FUNCTION entries_lock(p_player bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN ARRAY(SELECT t.id FROM tournaments t
                 WHERE t.state IN ('open', 'running')
                   AND t.id IN (SELECT e.tournament_id FROM tournament_entries e
                                WHERE e.player_id = p_player AND e.live AND NOT e.drawn)
                 ORDER BY t.id FOR NO KEY UPDATE);
END $$;

COMMENT ON FUNCTION entries_lock IS
'Locks the tournaments that a player has entered without a seat in a current round, and returns them.
Tournaments come before players in the order of locks, so call this before locking the player.
Locks: tournaments.
Called by deletion_begin, do_admin_ban, do_set_limits.';

CREATE OR REPLACE FUNCTION entries_leave(p_player bigint, p_tournaments bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM entry_back(e.tournament_id, p_player) FROM tournament_entries e
    WHERE e.player_id = p_player AND e.tournament_id = ANY (p_tournaments) AND NOT e.drawn;
END $$;

COMMENT ON FUNCTION entries_leave IS
'Removes a player who may no longer play from these tournaments and refunds their entries. Others can take
the free places; a sit-and-go continues to wait. The caller has locked the tournaments (entries_lock), then
the player. An entry made between the two locks is removed at the start (tournament_part).
Called by deletion_begin, do_admin_ban, do_set_limits.';
