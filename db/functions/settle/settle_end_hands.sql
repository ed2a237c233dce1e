CREATE OR REPLACE FUNCTION settle_end_hands(p_tables bigint[], p_codes text[], p_endings text[],
                                            p_results jsonb[], p_records text[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_between bigint[];
BEGIN
    WITH ended AS (
        UPDATE hands h SET ended_at = now(), ending = u.ending, results = u.results, record = u.record
        FROM unnest(p_tables, p_codes, p_endings, p_results, p_records) u (id, code, ending, results, record)
        WHERE u.code = 'ok' AND u.record <> '' AND h.table_id = u.id AND h.table_id = ANY (p_tables)
          AND h.ended_at IS NULL AND h.dealt_at IS NOT NULL
        RETURNING h.table_id
    )
    SELECT array_agg(id) INTO v_between FROM unnest(p_tables, p_codes) u (id, code)
    WHERE u.code = 'ok' AND id <> ALL (ARRAY(SELECT table_id FROM ended));
    IF v_between IS NULL THEN
        RETURN;
    END IF;
    DELETE FROM hands WHERE table_id = ANY (v_between) AND dealt_at IS NULL;
    UPDATE hands h SET record = h.record || u.record
    FROM unnest(p_tables, p_codes, p_records) u (id, code, record)
    WHERE u.code = 'ok' AND u.record <> '' AND u.id = ANY (v_between) AND h.table_id = u.id
      AND h.hand_no = (SELECT max(l.hand_no) FROM hands l WHERE l.table_id = u.id);
END $$;

COMMENT ON FUNCTION settle_end_hands IS
'Ends the last hands of tables with code ok. If no hand is running, the event that ended the session between
hands is appended to the record of the last one, and the announced hand is dropped.
Called by do_settle_batch.';
