CREATE OR REPLACE FUNCTION do_delivery_claim(p_max integer)
    RETURNS TABLE (id bigint, try integer, kind text, token uuid, url text, event text, body text,
                   secrets text, language text, topic text, ttl_s bigint, urgent boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_due  deliveries;
    v_busy bigint[];
    v_why  text;
    v_n    integer := 0;
BEGIN
    WHILE v_n < p_max LOOP
        v_busy := ARRAY(SELECT endpoint_id FROM deliveries
                        WHERE taken AND next_try > now() AND endpoint_id IS NOT NULL
                        GROUP BY endpoint_id HAVING count(*) >= setting_int('webhook_parallel_max'));
        SELECT * INTO v_due FROM deliveries
        WHERE next_try <= now() AND sent_at IS NULL AND failed_at IS NULL
          AND (endpoint_id IS NULL OR endpoint_id <> ALL (v_busy))
        ORDER BY next_try LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND;
        v_why := CASE WHEN v_due.tries >= setting_int('delivery_tries_max')
                      THEN 'its last sender never told what became of it'
                      ELSE push_skip_reason(v_due) END;
        IF v_why IS NOT NULL THEN
            UPDATE deliveries SET taken = false, failed_at = now(), said = v_why WHERE id = v_due.id;
            CONTINUE;
        END IF;
        UPDATE deliveries SET tries = tries + 1, taken = true,
                              next_try = now() + make_interval(secs => setting_int('delivery_lease_s'))
        WHERE id = v_due.id;
        v_n := v_n + 1;
        RETURN QUERY
        SELECT v_due.id, v_due.tries + 1, 'webhook', v_due.token, e.url, v_due.event, v_due.body,
               (SELECT json_agg(json_build_array(encode(s.sealed, 'hex'), s.kid) ORDER BY s.id DESC)
                FROM webhook_secrets s
                WHERE s.endpoint_id = e.id AND (s.until IS NULL OR s.until > now()))::text,
               NULL::text, NULL::text, NULL::bigint, NULL::boolean
        FROM webhook_endpoints e WHERE e.id = v_due.endpoint_id
        UNION ALL
        SELECT v_due.id, v_due.tries + 1, d.kind, v_due.token, d.address, v_due.event,
               notification_data(v_due.body::jsonb)::text,
               json_build_array(encode(d.point, 'hex'), encode(d.auth, 'hex'))::text, p.language,
               concat_ws('-', k.kind, v_due.body::jsonb ->> k.topic),
               k.ttl_s - extract(epoch FROM now() - v_due.created_at)::bigint, k.urgent
        FROM push_devices d JOIN players p ON p.id = d.player_id
        JOIN push_kinds k ON k.kind = v_due.event WHERE d.id = v_due.device_id;
    END LOOP;
END $$;

COMMENT ON FUNCTION do_delivery_claim IS
'Claims the deliveries that have been due longest, at most p_max, for delivery_lease_s; at most
webhook_parallel_max per endpoint at a time, so that a slow one delays no other. Concurrent callers get
different ones. If a server dies while sending one, the next may send it a second time, with the same id.
kind: webhook, or the kind of a device; devices get no unnecessary pushes. secrets: for a webhook, a list of
[sealed, kid], the current one first; for a device, its point and its secret. topic: a push replaces another
one with the same topic that waits at the service.
Called by server.';
