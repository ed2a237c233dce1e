CREATE OR REPLACE FUNCTION push_settings_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_object_agg(a.setting, coalesce(w.wanted, a.wanted))
    FROM (SELECT 'push_' || kind, wanted FROM push_kinds UNION ALL SELECT 'mail_your_turn', false
          UNION ALL SELECT 'week', true)
             AS a (setting, wanted)
    LEFT JOIN push_settings w ON w.player_id = p_player AND w.setting = a.setting
$$;

COMMENT ON FUNCTION push_settings_json IS
'What a player wants by push, by email, and weekly: their settings, or otherwise the defaults.
Called by do_push_settings, export_rows_account, q_push_settings.';
