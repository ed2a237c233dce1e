CREATE OR REPLACE FUNCTION prize_table_json(p_id text) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_id, 'steps', jsonb_agg(s.step ORDER BY s.entries_min))
    FROM (SELECT entries_min, jsonb_build_object('entries_min', entries_min, 'shares',
                                                 jsonb_agg(share ORDER BY place)) AS step
          FROM prize_shares WHERE prize_table = p_id GROUP BY entries_min) s
$$;

COMMENT ON FUNCTION prize_table_json IS
'A prize table as JSON: each row of shares, the first place first, with the number of human players from
which it applies.
Called by do_admin_data, do_admin_prize_table.';
