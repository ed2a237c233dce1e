CREATE OR REPLACE FUNCTION do_delivery_claim(p_max integer)
    RETURNS TABLE (id bigint, try integer, kind text, token uuid, url text, event text, body text,
                   secrets text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_due  deliveries;
    v_busy bigint[];
    v_n    integer := 0;
BEGIN
    WHILE v_n < p_max LOOP
        v_busy := ARRAY(SELECT endpoint_id FROM deliveries WHERE taken AND next_try > now()
                        GROUP BY endpoint_id HAVING count(*) >= setting_int('webhook_parallel_max'));
        SELECT * INTO v_due FROM deliveries
        WHERE next_try <= now() AND sent_at IS NULL AND failed_at IS NULL AND endpoint_id <> ALL (v_busy)
        ORDER BY next_try LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND;
        IF v_due.tries >= setting_int('delivery_tries_max') THEN
            UPDATE deliveries SET taken = false, failed_at = now(),
                                  said = 'its last sender never told what became of it'
            WHERE id = v_due.id;
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
                WHERE s.endpoint_id = e.id AND (s.until IS NULL OR s.until > now()))::text
        FROM webhook_endpoints e WHERE e.id = v_due.endpoint_id;
    END LOOP;
END $$;

COMMENT ON FUNCTION do_delivery_claim IS
'Takes the deliveries that have been due longest, p_max at most, for delivery_lease_s; of one endpoint no more
than webhook_parallel_max at a time, so that a slow one holds nobody up. Several may do it at once and each
gets others. A server that dies with one leaves it to the next, which may send it a second time, with the same
id. secrets: a list of [sealed, kid], the one that counts first.
Called by server.';
