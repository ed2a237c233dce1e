CREATE OR REPLACE FUNCTION webhook_put(p_event text, p_data jsonb) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO deliveries (endpoint_id, event, body, failed_at, said)
    SELECT e.id, p_event, webhook_body(p_event, p_data), CASE WHEN f.is_full THEN now() END,
           CASE WHEN f.is_full THEN 'too many wait already' END
    FROM webhook_endpoints e
    CROSS JOIN LATERAL (
        SELECT count(*) >= setting_int('webhook_waiting_max') AS is_full
        FROM (SELECT 1 FROM deliveries d
              WHERE d.endpoint_id = e.id AND d.sent_at IS NULL AND d.failed_at IS NULL
              LIMIT setting_int('webhook_waiting_max')) w) f
    WHERE e.active AND p_event = ANY (e.events)
$$;

COMMENT ON FUNCTION webhook_put IS
'Queues an event for every endpoint that subscribes to it, to be sent once the caller''s transaction has
committed. p_event: of api/webhook_events.def. p_data: ids, numbers, and times, but no text written by
players. If webhook_waiting_max deliveries to an endpoint are waiting, a new one is given up at once; an
operator may send it again.
Called by do_admin_ban, erase_player, report_notify, season_finish, webhook_orders.';
