CREATE OR REPLACE FUNCTION do_admin_lost_moves(p_key_hash bytea, p_table bigint, p_after bigint,
                                               p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:lost_moves', jsonb_build_object('table', p_table),
                                     NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(
        v_call, CASE WHEN EXISTS (SELECT 1 FROM lost_tables l WHERE l.table_id = p_table) THEN 'ok'
                     ELSE 'no_such_table' END, NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object('hand_no', m.hand_no, 'v', m.v, 'seat', m.seat,
                                        'move', encode(m.move, 'hex'),
                                        'hash', lpad(to_hex(m.hash), 16, '0'), 'command', m.command,
                                        'at', rfc3339(m.at), 'time_bank_ms', m.time_bank_ms,
                                        'hand_clock_ms', m.hand_clock_ms)::text,
               m.v::bigint, 0::bigint, 0::bigint
        FROM lost_moves m WHERE m.table_id = p_table AND (p_after IS NULL OR m.v > p_after)
        ORDER BY m.v LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_lost_moves IS
'A page of the unmodified journal of a lost table; the first row is the head.
Refusals: those of admin_begin, no_such_table (also: it was never lost).
Called by api.';
