CREATE OR REPLACE FUNCTION posting_at(p_ms bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
    v_at     timestamptz := to_timestamp(least(greatest(p_ms, -62135596800000), 253402300799999) / 1000.0);
    v_before bigint := 0;
    v_from   bigint := coalesce((SELECT max(id) FROM postings), 0) + 1;
    v_middle bigint;
    v_id     bigint;
    v_its    timestamptz;
BEGIN
    WHILE v_from - v_before > 1 LOOP
        v_middle := v_before + (v_from - v_before) / 2;
        SELECT o.id, (SELECT t.at FROM transfers t WHERE t.id = o.transfer_id) INTO v_id, v_its
        FROM postings o WHERE o.id >= v_middle ORDER BY o.id LIMIT 1;
        IF v_id IS NULL OR v_id >= v_from OR v_its >= v_at THEN
            v_from := v_middle;
        ELSE
            v_before := v_id;
        END IF;
    END LOOP;
    RETURN v_from;
END $$;

COMMENT ON FUNCTION posting_at IS
'The number of the first posting at that time (milliseconds since 1970) or later, found like that of a game
in game_at; NULL gives NULL.
Called by api.';
