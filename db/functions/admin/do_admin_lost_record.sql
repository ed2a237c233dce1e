CREATE OR REPLACE FUNCTION do_admin_lost_record(p_key_hash bytea, p_table bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:lost_record', jsonb_build_object('table', p_table),
                                     NULL, NULL);
    v_lost lost_tables;
    v_text text;
BEGIN
    SELECT * INTO v_lost FROM lost_tables l WHERE l.table_id = p_table;
    SELECT string_agg(h.record, E'\n' ORDER BY h.hand_no) INTO v_text FROM hands h
    WHERE h.table_id = p_table AND h.record IS NOT NULL;
    -- An empty line precedes each hand; the end of a session between two hands directly follows the last
    -- hand.
    v_text := concat(v_text, CASE WHEN v_text IS NOT NULL AND starts_with(v_lost.record, '[') THEN E'\n' END,
                     v_lost.record);
    v_text := coalesce(NULLIF(v_text, ''), E'; nothing of it plays again\n');
    v_call.answer := coalesce(v_call.answer, admin_end(
        v_call, CASE WHEN v_lost.table_id IS NULL THEN 'no_such_table'
                     WHEN octet_length(v_text) > 8388608 THEN 'record_too_long' ELSE 'ok' END, NULL));
    RETURN QUERY SELECT v_call.answer->>'code', CASE WHEN v_call.answer->>'code' = 'ok' THEN v_text END;
END $$;

COMMENT ON FUNCTION do_admin_lost_record IS
'The record of a lost table: its finished hands, and the last one as far as it replays. `rummyd verify`
reads it. If there is no record, the result is a comment that states this.
Refusals: those of admin_begin, no_such_table (also: it was never lost), record_too_long (over 8 MiB).
Called by api.';
