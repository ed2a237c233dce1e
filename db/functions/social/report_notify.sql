CREATE OR REPLACE FUNCTION report_notify(p_report reports) RETURNS void
    LANGUAGE sql AS $$
    SELECT webhook_put('report.opened', jsonb_strip_nulls(jsonb_build_object(
        'report_id', p_report.id::text, 'player_id', p_report.reported_id::text,
        'table_id', p_report.table_id::text, 'club_id', p_report.club_id::text, 'reason', p_report.reason)))
$$;

COMMENT ON FUNCTION report_notify IS
'Sends an event about a new report to webhooks.
Called by do_report, report_club.';
