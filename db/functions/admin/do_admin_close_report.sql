CREATE OR REPLACE FUNCTION do_admin_close_report(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                 p_report bigint, p_note text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash,
                                       'close_report', jsonb_build_object('report', p_report),
                                       p_idem_key, p_body_hash);
    v_report reports;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO v_report FROM reports r WHERE r.id = p_report FOR NO KEY UPDATE;
        v_code := CASE WHEN v_report.id IS NULL THEN 'no_such_report'
                       WHEN v_report.state = 'closed' THEN 'report_closed'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE reports r SET state = 'closed', closed_at = now(), closed_by = v_call.key_id, note = p_note
            WHERE r.id = p_report RETURNING r.* INTO v_report;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN report_json(v_report) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_close_report IS
'Closes a report.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_report, report_closed (by another operator).
Called by api.';
