CREATE OR REPLACE FUNCTION report_chat(p_report reports) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('at', rfc3339(c.at), 'kind', c.kind, 'text', c.text)
                              ORDER BY c.id), '[]')
    FROM (SELECT * FROM table_chat t
          WHERE t.table_id = p_report.table_id AND t.player_id = p_report.reported_id
          ORDER BY t.id DESC LIMIT setting_int('report_chat_lines')) c
$$;

COMMENT ON FUNCTION report_chat IS
'The last chat messages of the reported player at that table, in order.
Called by report_json.';
