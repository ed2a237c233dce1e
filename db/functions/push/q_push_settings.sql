CREATE OR REPLACE FUNCTION q_push_settings(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', push_settings_json(p_player)::text
$$;

COMMENT ON FUNCTION q_push_settings IS
'What a player wants by push.
Called by api.';
