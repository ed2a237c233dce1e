CREATE OR REPLACE FUNCTION tournament_played(p_tournament bigint, p_entry integer, p_player bigint)
    RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_percent bigint := setting_int('took_part_percent');
BEGIN
    RETURN EXISTS (
        SELECT FROM tournament_seats s
        JOIN tournament_tables t USING (tournament_id, round_no, table_no)
        LEFT JOIN games g ON g.table_id = t.table_id
        LEFT JOIN game_players p ON p.game_id = g.id AND p.player_id = p_player
        WHERE s.tournament_id = p_tournament AND s.entry_no = p_entry AND t.table_id IS NOT NULL
          AND CASE WHEN g.id IS NOT NULL THEN p.took_part AND NOT p.same_people
                   ELSE (SELECT took_part(coalesce(r."left", false), r.turns, r.own_turns, v_percent)
                         FROM (SELECT results FROM hands h
                               WHERE h.table_id = t.table_id AND h.ended_at IS NOT NULL
                               ORDER BY h.hand_no DESC LIMIT 1) h
                         CROSS JOIN LATERAL jsonb_to_recordset(h.results)
                                    AS r (seat smallint, "left" boolean, turns integer, own_turns integer)
                         WHERE r.seat = s.seat) END);
END $$;

COMMENT ON FUNCTION tournament_played IS
'Whether an entrant took part in a game of a tournament, other than games against opponents met too often
that day. A table that ended because the time of its round was over has no game; its last finished hand
decides.
Called by tournament_finish.';
