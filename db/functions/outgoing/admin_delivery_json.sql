CREATE OR REPLACE FUNCTION admin_delivery_json(d deliveries) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', d.id::text, 'webhook_id', 'msg_' || replace(d.token::text, '-', ''), 'event', d.event,
        'created_at', rfc3339(d.created_at),
        'state', CASE WHEN d.sent_at IS NOT NULL THEN 'sent' WHEN d.failed_at IS NOT NULL THEN 'failed'
                      ELSE 'waiting' END,
        'tries', d.tries, 'status', nullif(d.status, 0), 'said', nullif(d.said, ''),
        'next_try', CASE WHEN d.sent_at IS NULL AND d.failed_at IS NULL THEN rfc3339(d.next_try) END,
        'ended_at', rfc3339(coalesce(d.sent_at, d.failed_at)), 'body', d.body::jsonb)
$$;

COMMENT ON FUNCTION admin_delivery_json IS
'A delivery to an endpoint as an operator sees it.
Called by do_admin_deliveries, do_admin_redeliver, do_admin_webhook_ping.';
