CREATE OR REPLACE FUNCTION tournament_standing(p_table bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_seats settled_seat[];
BEGIN
    SELECT array_agg(jsonb_populate_record(NULL::settled_seat, jsonb_build_object(
               'table_id', p_table, 'seat', r.seat, 'place', r.place, 'points', coalesce(r.total, r.points),
               'left_early', coalesce(r."left", false))) ORDER BY r.seat)
    INTO v_seats
    FROM (SELECT h.results FROM hands h WHERE h.table_id = p_table AND h.ended_at IS NOT NULL
          ORDER BY h.hand_no DESC LIMIT 1) h
    CROSS JOIN LATERAL jsonb_to_recordset(h.results)
               AS r (seat smallint, place smallint, points integer, total integer, "left" boolean);
    IF v_seats IS NULL THEN
        RETURN false;
    END IF;
    PERFORM settle_tournaments(v_seats);
    RETURN true;
END $$;

COMMENT ON FUNCTION tournament_standing IS
'Ends a table of a tournament with the places and points that it had after its last finished hand. false: it
has not finished any hand, and nothing changes.
Key: over_at of the table; the caller has locked the tournament.
Called by tournament_replay_tables.';
