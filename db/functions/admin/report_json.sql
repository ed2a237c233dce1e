CREATE OR REPLACE FUNCTION report_json(p_report reports) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_report.id::text, 'at', rfc3339(p_report.at),
                              'table_id', p_report.table_id::text,
        'club_id', p_report.club_id::text, 'message_id', p_report.line_id::text, 'said', p_report.said,
        'reason', p_report.reason, 'text', p_report.text, 'state', p_report.state, 'note', p_report.note,
        'closed_at', rfc3339(p_report.closed_at),
        'reporter', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reporter_id),
        'reported', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname) FROM players p
                     WHERE p.id = p_report.reported_id),
        'open_of_player', (SELECT count(*) FROM reports r
                           WHERE r.reported_id = p_report.reported_id AND r.state = 'open'),
        'chat', report_chat(p_report))
$$;

COMMENT ON FUNCTION report_json IS
'A report as an operator sees it.
Called by do_admin_close_report, do_admin_reports.';
