CREATE OR REPLACE FUNCTION tournament_entry_json(p_entry tournament_entries) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_table record;
BEGIN
    IF p_entry.entry_no IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT s.round_no, s.table_no, s.seat, k.table_id, k.over_at IS NULL AS on INTO v_table
    FROM tournament_seats s
    JOIN tournament_tables k ON k.tournament_id = s.tournament_id AND k.round_no = s.round_no
                            AND k.table_no = s.table_no
    WHERE s.tournament_id = p_entry.tournament_id AND s.entry_no = p_entry.entry_no
    ORDER BY s.round_no DESC LIMIT 1;
    RETURN jsonb_build_object(
        'tournament_id', p_entry.tournament_id::text, 'entry', p_entry.entry_no, 'team', p_entry.team,
        'silver', p_entry.paid_silver, 'gold', p_entry.paid_gold,
        'entered_at', rfc3339(p_entry.entered_at),
        'in', p_entry.out_round IS NULL, 'round', v_table.round_no,
        'table', v_table.table_no, 'seat', v_table.seat,
        'table_id', CASE WHEN v_table.on THEN v_table.table_id::text END,
        'score', p_entry.score, 'margin', p_entry.margin, 'place', p_entry.place,
        'prize_silver', p_entry.prize_silver, 'prize_gold', p_entry.prize_gold);
END $$;

COMMENT ON FUNCTION tournament_entry_json IS
'A player''s own entry as JSON; table_id: where they must play now.
Called by do_enter_tournament, q_tournament.';
