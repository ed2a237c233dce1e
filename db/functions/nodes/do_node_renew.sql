CREATE OR REPLACE FUNCTION do_node_renew(p_name text, p_epoch bigint, p_state text, p_ws_url text,
                                         p_version text, p_table_max integer, p_tables integer,
                                         p_sockets integer, p_lobby integer)
    RETURNS TABLE (code text, lease_ms bigint, drain boolean, pass_n integer, unix_ms bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_drain  boolean;
    v_pass_n integer;
BEGIN
    PERFORM slow_turns_extend() FROM node_leases
    WHERE node = p_name AND alive_at < now() - make_interval(secs => setting_int('slow_outage_s'));
    SELECT l.drain, l.pass_n INTO v_drain, v_pass_n
    FROM node_leases l WHERE l.node = p_name AND l.epoch = p_epoch FOR NO KEY UPDATE;
    UPDATE node_leases
    SET state = p_state, renewals = renewals + 1, alive_at = now(),
        seen_at = CASE WHEN p_state = 'starting' THEN seen_at ELSE now() END,
        ws_url = p_ws_url, version = p_version, table_max = p_table_max, tables = p_tables,
        sockets = p_sockets, lobby = p_lobby, pass_n = 0
    WHERE node = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END, setting_int('node_lease_ms'),
                        v_drain, v_pass_n,
                        (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
END $$;

COMMENT ON FUNCTION do_node_renew IS
'A node''s heartbeat with its socket address and load; its lease lasts lease_ms from the time at which this
was sent. After an outage, correspondence turns are extended by its length. drain: the node must hand over
all its tables as long as this is set; pass_n: it must hand over this many tables; this is sent once.
unix_ms: the database''s time, with which the node compares its own clock.
Refusals: stale_epoch (its tables now belong to others).
Called by db.';
