-- Reports of players as operators work them off: the oldest first, each closed once, with a note.

ALTER TABLE reports
    ADD COLUMN closed_at timestamptz,
    ADD COLUMN closed_by bigint REFERENCES api_keys (id),
    ADD COLUMN note      text CHECK (char_length(note) BETWEEN 1 AND 200),
    ADD CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
    ADD CHECK ((closed_at IS NULL) = (closed_by IS NULL) AND (closed_at IS NULL) = (note IS NULL));
CREATE INDEX reports_reported ON reports (reported_id) WHERE state = 'open';

INSERT INTO settings (name, value, about) VALUES
    ('report_chat_lines', '20', 'last lines of the reported player that a report shows to an operator');

-- What the reported player said at that table, the last lines of it in order.
CREATE FUNCTION report_chat(p_report reports) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('at', rfc3339(c.at), 'kind', c.kind, 'text', c.text) ORDER BY c.id), '[]')
    FROM (SELECT * FROM table_chat t WHERE t.table_id = p_report.table_id AND t.player_id = p_report.reported_id
          ORDER BY t.id DESC LIMIT setting_int('report_chat_lines')) c
$$;

CREATE FUNCTION report_json(p_report reports) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_report.id::text, 'at', rfc3339(p_report.at), 'table_id', p_report.table_id::text,
        'reason', p_report.reason, 'text', p_report.text, 'state', p_report.state, 'note', p_report.note,
        'closed_at', rfc3339(p_report.closed_at),
        'reporter', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reporter_id),
        'reported', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reported_id),
        'open_of_player', (SELECT count(*) FROM reports r WHERE r.reported_id = p_report.reported_id AND r.state = 'open'),
        'chat', report_chat(p_report))
$$;

-- A page of the open ones, oldest first. code: ok, those of admin_begin.
CREATE FUNCTION do_admin_reports(p_key_hash bytea, p_after bigint, p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:reports', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', report_json(r)::text, r.id, 0::bigint, 0::bigint FROM reports r
        WHERE r.state = 'open' AND (p_after IS NULL OR r.id > p_after) ORDER BY r.id LIMIT p_limit;
    END IF;
END $$;

-- Dealt with. code: ok, those of admin_begin, no_such_report, report_closed (somebody else did).
CREATE FUNCTION do_admin_close_report(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_report bigint, p_note text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash, 'close_report', jsonb_build_object('report', p_report, 'note', p_note),
                                       p_idem_key, p_body_hash);
    v_report reports;
    v_code   text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO v_report FROM reports r WHERE r.id = p_report FOR NO KEY UPDATE;
        v_code := CASE WHEN v_report.id IS NULL THEN 'no_such_report' WHEN v_report.state = 'closed' THEN 'report_closed'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE reports r SET state = 'closed', closed_at = now(), closed_by = v_call.key_id, note = p_note
            WHERE r.id = p_report RETURNING r.* INTO v_report;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN report_json(v_report) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;
