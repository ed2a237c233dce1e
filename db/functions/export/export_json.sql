CREATE OR REPLACE FUNCTION export_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT jsonb_build_object(
                         'state', CASE WHEN ready_at IS NULL THEN 'making' ELSE 'ready' END,
                         'id', id::text, 'asked_at', rfc3339(asked_at), 'ready_at', rfc3339(ready_at),
                         'expires_at', rfc3339(expires_at), 'parts', parts_n, 'lines', lines_n,
                         'bytes', bytes)
                     FROM exports
                     WHERE player_id = p_player AND (expires_at IS NULL OR expires_at > now())
                     ORDER BY id DESC LIMIT 1), '{"state": "none"}')
$$;

COMMENT ON FUNCTION export_json IS
'Progress of a player''s export.
Called by do_request_export, q_export.';
