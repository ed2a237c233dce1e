CREATE OR REPLACE FUNCTION push_device_json(d push_devices, p_session bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', d.id::text, 'kind', d.kind, 'service', substring(d.address FROM '^https?://([^/:?]+)'),
        'current', coalesce(d.session_id = p_session, false),
        'created_at', rfc3339(d.created_at), 'used_at', rfc3339(d.used_at))
$$;

COMMENT ON FUNCTION push_device_json IS
'A device as its owner sees it, without its address, because anyone who has the address can push to the
device.
Called by do_push_device, export_rows_account, q_push_devices.';
