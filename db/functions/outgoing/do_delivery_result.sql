CREATE OR REPLACE FUNCTION do_delivery_result(p_id bigint, p_try integer, p_outcome text, p_status integer,
                                            p_wait_s bigint, p_said text)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    e      webhook_endpoints;
    v_due  deliveries;
    v_over boolean;
BEGIN
    SELECT w.* INTO e FROM webhook_endpoints w JOIN deliveries d ON d.endpoint_id = w.id WHERE d.id = p_id
    FOR NO KEY UPDATE OF w;
    SELECT * INTO v_due FROM deliveries WHERE id = p_id AND taken AND tries = p_try FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'over';
    END IF;
    v_over := p_outcome IN ('refused', 'gone') OR v_due.tries >= setting_int('delivery_tries_max');
    UPDATE deliveries SET
        taken = false, status = p_status, said = left(p_said, 160),
        sent_at = CASE WHEN p_outcome = 'sent' THEN now() END,
        failed_at = CASE WHEN p_outcome <> 'sent' AND v_over THEN now() END,
        next_try = now() + make_interval(secs => greatest(
            least(p_wait_s, 86400),
            least(setting_int('delivery_retry_max_s'),
                  setting_int('delivery_retry_first_s') * power(4, least(v_due.tries - 1, 15)))
            * (0.75 + random() / 2)))
    WHERE id = p_id;
    IF v_due.device_id IS NOT NULL AND p_outcome = 'gone' THEN
        DELETE FROM push_devices WHERE id = v_due.device_id;
        RETURN 'gone';
    ELSIF v_due.device_id IS NOT NULL AND p_outcome = 'sent' THEN
        UPDATE push_devices SET used_at = now() WHERE id = v_due.device_id;
    END IF;
    UPDATE webhook_endpoints
    SET failing_since = CASE WHEN p_outcome <> 'sent' THEN coalesce(failing_since, now()) END
    WHERE id = e.id AND (failing_since IS NULL) = (p_outcome <> 'sent');
    IF e.active AND (p_outcome = 'gone' OR p_outcome <> 'sent' AND e.failing_since
                     < now() - make_interval(secs => setting_int('webhook_off_s'))) THEN
        PERFORM webhook_off(e.id, true);
        RETURN 'off';
    END IF;
    RETURN CASE WHEN p_outcome = 'sent' THEN 'sent' WHEN v_over THEN 'given_up' ELSE 'again' END;
END $$;

COMMENT ON FUNCTION do_delivery_result IS
'Stores the result of a try. p_outcome: sent; again: retried after delivery_retry_first_s, then four times as
long each time with 25% jitter, but not before p_wait_s, delivery_tries_max times in all; refused:
permanently; gone: the receiver no longer exists. Returns sent, again, given_up; off: given up, and its
endpoint switched off, because it no longer exists or accepted nothing for webhook_off_s; gone: given up, and
its device removed; over: this try no longer counts, because another server has claimed the delivery.
Locks: the endpoint, then the delivery.
Called by server.';
