CREATE OR REPLACE FUNCTION do_admin_prize_table(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                p_id text, p_mins bigint[], p_places bigint[],
                                                p_shares bigint[])
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'make_prize_table', jsonb_build_object('prize_table', p_id),
                                     p_idem_key, p_body_hash);
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        LOCK TABLE prize_tables IN SHARE ROW EXCLUSIVE MODE;
        v_code := CASE
            WHEN EXISTS (SELECT 1 FROM prize_tables WHERE id = p_id) THEN 'prize_table_exists'
            WHEN (SELECT count(*) FROM prize_tables) >= setting_int('prize_tables_max')
            THEN 'too_many_prize_tables'
            WHEN (SELECT min(m) FROM unnest(p_mins) m) IS DISTINCT FROM 1
              OR EXISTS (SELECT 1 FROM unnest(p_mins, p_places, p_shares) u (m, place, share)
                         GROUP BY m HAVING sum(share) <> 10000 OR count(DISTINCT place) <> count(*)
                                        OR max(place) <> count(*) OR min(place) <> 1 OR max(place) > m)
            THEN 'bad_prizes'
            ELSE 'ok' END;
        IF v_code = 'ok' THEN
            INSERT INTO prize_tables (id) VALUES (p_id);
            INSERT INTO prize_shares (prize_table, entries_min, place, share)
            SELECT p_id, u.* FROM unnest(p_mins, p_places, p_shares) u (m, place, share);
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN prize_table_json(p_id) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_prize_table IS
'Creates a prize table. Has rows for each number of human players from which they apply, beginning with 1.
They contain places from 1 on without a gap, no more than there are players, and shares that add up to
10000.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, prize_table_exists, too_many_prize_tables, bad_prizes.
Locks: the table of prize tables, against another such call.
Called by api.';
