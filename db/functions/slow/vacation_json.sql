CREATE OR REPLACE FUNCTION vacation_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'on', vacation_is_on(p_player),
        'since', (SELECT rfc3339(since) FROM vacations WHERE player_id = p_player AND until > now()),
        'until', (SELECT rfc3339(until) FROM vacations WHERE player_id = p_player AND until > now()),
        'days_a_year', setting_int('vacation_days'),
        'hours_left', floor(extract(epoch FROM vacation_left(p_player)) / 3600)::bigint)
$$;

COMMENT ON FUNCTION vacation_json IS
'A player''s vacation as they see it.
Called by do_vacation, export_rows_account, q_vacation.';
