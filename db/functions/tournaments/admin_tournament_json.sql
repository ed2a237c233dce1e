CREATE OR REPLACE FUNCTION admin_tournament_json(p_tournament bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT tournament_json(t) || jsonb_build_object(
        'wait_s', t.wait_s, 'pot', t.entry * t.people_n, 'prizes', tournament_prizes_json(t),
        'pot_silver', (SELECT balance FROM accounts WHERE id = account_pot(t.id, 'silver')),
        'pot_gold', (SELECT balance FROM accounts WHERE id = account_pot(t.id, 'gold')),
        'tables_open', k.open, 'tables_over', k.over,
        'log', coalesce((SELECT jsonb_agg(jsonb_build_object('at', rfc3339(a.at), 'key', y.name,
                             'action', a.action, 'reason', a.detail->>'reason') ORDER BY a.id)
                         FROM audit a JOIN api_keys y ON y.id = a.key_id
                         WHERE a.detail->>'tournament' = t.id::text AND a.code = 'ok'
                           AND a.action IN ('make_tournament', 'cancel_tournament')), '[]'))
    FROM tournaments t,
         LATERAL (SELECT count(*) FILTER (WHERE over_at IS NULL) AS open, count(over_at) AS over
                  FROM tournament_tables WHERE tournament_id = t.id AND round_no = t.round_no) k
    WHERE t.id = p_tournament
$$;

COMMENT ON FUNCTION admin_tournament_json IS
'A tournament as an operator sees it: its current pot, the tables of its round, and who announced or
canceled it, and why.
Called by do_admin_one_tournament.';
