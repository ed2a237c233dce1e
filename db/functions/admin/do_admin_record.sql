CREATE OR REPLACE FUNCTION do_admin_record(p_key_hash bytea, p_game bigint, p_hand bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'read:record',
                                      jsonb_strip_nulls(jsonb_build_object('game', p_game, 'hand', p_hand)),
                                      NULL, NULL);
    v_bytes bigint;
    v_text  text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT sum(octet_length(h.record)),
               CASE WHEN sum(octet_length(h.record)) <= 8388608
                    THEN string_agg(h.record, E'\n' ORDER BY h.hand_no) END
        INTO v_bytes, v_text
        FROM games g JOIN hands h ON h.table_id = g.table_id
        WHERE g.id = p_game AND h.record IS NOT NULL AND (p_hand IS NULL OR h.hand_no = p_hand);
        v_call.answer := admin_end(v_call, CASE WHEN v_bytes IS NULL THEN 'no_such_game'
                                                WHEN v_text IS NULL THEN 'record_too_long'
                                                ELSE 'ok' END, NULL);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', CASE WHEN v_call.answer->>'code' = 'ok' THEN v_text END;
END $$;

COMMENT ON FUNCTION do_admin_record IS
'The record of a finished game, including private tables: all hands in order, or only number p_hand (NULL:
all).
Refusals: those of admin_begin, no_such_game, record_too_long (over 8 MiB).
Called by api.';
