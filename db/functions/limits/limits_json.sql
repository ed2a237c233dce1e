CREATE OR REPLACE FUNCTION limits_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'minutes_per_day', nullif(limit_of(p_player, 'time'), limit_none('time')),
        'purchases_per_day', nullif(limit_of(p_player, 'purchases'), limit_none('purchases')),
        'excluded_until', CASE WHEN limit_of(p_player, 'exclusion') > extract(epoch FROM now())
                               THEN rfc3339(to_timestamp(limit_of(p_player, 'exclusion'))) END,
        'minutes_today', played_today_s(p_player, now()) / 60,
        'purchases_today', purchased_minor(p_player, now()),
        'pending', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'limit', CASE kind WHEN 'time' THEN 'minutes_per_day'
                              WHEN 'purchases' THEN 'purchases_per_day' ELSE 'excluded_until' END,
                'value', CASE WHEN kind <> 'exclusion' THEN nullif(next_value, limit_none(kind)) END,
                'until', CASE WHEN kind = 'exclusion' AND next_value > 0
                              THEN rfc3339(to_timestamp(next_value)) END,
                'at', rfc3339(next_at)) ORDER BY kind)
            FROM play_limits WHERE player_id = p_player AND next_at > now()), '[]'))
$$;

COMMENT ON FUNCTION limits_json IS
'A player''s limits and what counts towards them, in the API''s format.
Called by do_set_limits, export_rows_account, q_limits.';
