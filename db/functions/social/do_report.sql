CREATE OR REPLACE FUNCTION do_report(p_player bigint, p_table bigint, p_seat integer, p_reason text,
                                     p_text text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_other  bigint;
    v_report reports; -- all NULL: the report already exists
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player) THEN
        RETURN QUERY SELECT 'no_such_table', NULL::text;
        RETURN;
    END IF;
    SELECT s.player_id INTO v_other FROM seats s
    WHERE s.table_id = p_table AND s.seat = p_seat AND s.player_id IS NOT NULL AND s.player_id <> p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_seat_there', NULL::text;
        RETURN;
    END IF;
    INSERT INTO reports (reporter_id, reported_id, table_id, reason, text)
    VALUES (p_player, v_other, p_table, p_reason, coalesce(p_text, '')) ON CONFLICT DO NOTHING
    RETURNING reports.* INTO v_report;
    IF v_report.id IS NOT NULL THEN
        PERFORM report_notify(v_report);
    END IF;
    RETURN QUERY SELECT 'ok', jsonb_build_object('id', r.id::text)::text FROM reports r
                 WHERE r.reporter_id = p_player AND r.reported_id = v_other AND r.table_id = p_table;
END $$;

COMMENT ON FUNCTION do_report IS
'Reports the player at a seat. A second report of the same player for the same table changes nothing.
Refusals: no_such_table (also: the player has no seat there), no_such_seat_there (free, a bot''s, or their
own).
Called by api.';
