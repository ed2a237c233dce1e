CREATE OR REPLACE FUNCTION report_club(p_player bigint, p_other bigint, p_club bigint, p_line bigint,
                                       p_said text, p_reason text, p_text text) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_report reports;
BEGIN
    INSERT INTO reports (reporter_id, reported_id, club_id, line_id, said, reason, text)
    VALUES (p_player, p_other, p_club, p_line, p_said, p_reason, coalesce(p_text, ''))
    ON CONFLICT DO NOTHING RETURNING reports.* INTO v_report;
    IF v_report.id IS NOT NULL THEN
        PERFORM report_notify(v_report);
    ELSE
        SELECT * INTO v_report FROM reports r WHERE r.reporter_id = p_player AND r.club_id = p_club
            AND r.line_id IS NOT DISTINCT FROM p_line AND r.state = 'open';
    END IF;
    RETURN jsonb_build_object('id', v_report.id::text);
END $$;

COMMENT ON FUNCTION report_club IS
'Stores a report of a club (p_line NULL) or of a message to it, unless the same player already has such an
open report; returns its id as JSON.
Called by do_report_club, do_report_club_line.';
