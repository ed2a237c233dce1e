CREATE OR REPLACE FUNCTION grant_json(g chip_grants) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', g.id::text, 'at', rfc3339(g.at), 'player_id', g.player_id::text, 'currency', g.currency,
        'amount', g.amount, 'reason', g.reason, 'note', g.note, 'state', grant_state(g),
        'key', (SELECT name FROM api_keys WHERE id = g.key_id),
        'holder', (SELECT holder FROM api_keys WHERE id = g.key_id),
        'lapses_at', CASE WHEN grant_state(g) = 'waiting' THEN rfc3339(g.at + grant_life()) END,
        'settled_at', rfc3339(g.settled_at),
        'settled_by', (SELECT name FROM api_keys WHERE id = g.settled_by), 'over_cap', g.over_cap)
$$;

COMMENT ON FUNCTION grant_json IS
'A grant as an operator sees it.
Called by do_admin_approve_grant, do_admin_grant, do_admin_grants, do_admin_one_grant,
do_admin_refuse_grant.';
