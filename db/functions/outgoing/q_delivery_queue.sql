CREATE OR REPLACE FUNCTION q_delivery_queue(OUT waiting_n bigint, OUT late_s bigint, OUT off_n bigint)
    LANGUAGE sql STABLE AS $$
    SELECT (SELECT count(*) FROM deliveries WHERE sent_at IS NULL AND failed_at IS NULL),
           (SELECT coalesce(greatest(extract(epoch FROM now() - min(next_try)), 0)::bigint, 0) FROM deliveries
            WHERE sent_at IS NULL AND failed_at IS NULL),
           (SELECT count(*) FROM webhook_endpoints WHERE off_at IS NOT NULL)
$$;

COMMENT ON FUNCTION q_delivery_queue IS
'Number of deliveries that are still to be sent, how long the oldest due one has been waiting, and how many
webhook endpoints the server has switched off.
Called by server.';
