CREATE OR REPLACE FUNCTION push_skip_reason(p_delivery deliveries) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN p_delivery.created_at <= now() - make_interval(secs => coalesce(
                 (SELECT k.ttl_s FROM push_kinds k WHERE k.kind = p_delivery.event), 0))
        THEN 'it is too old'
        WHEN d.here_until > now() THEN 'the player is in the lobby'
        WHEN EXISTS (SELECT 1 FROM tickets t
                     WHERE t.table_id = (p_delivery.body::jsonb ->> 'table_id')::bigint
                       AND t.player_id = d.player_id AND t.used_at >= p_delivery.created_at)
        THEN 'the player is at the table' END
    FROM push_devices d WHERE d.id = p_delivery.device_id
$$;

COMMENT ON FUNCTION push_skip_reason IS
'Why a push must no longer be sent: it is older than push_kinds allows, its kind was removed, or since it
was queued, the player has come to the lobby or to the table that it is about. NULL: send it. Always NULL
for a delivery to a webhook.
Called by do_delivery_claim.';
