CREATE OR REPLACE FUNCTION collusion_addresses(p_since timestamptz) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'day', day, 'accounts', n, 'withheld', withheld, 'players', players) ORDER BY n DESC, day DESC), '[]')
    FROM (SELECT o.day, count(*) AS n, count(w.player_id) AS withheld,
                 to_jsonb((array_agg(o.player_id::text ORDER BY o.player_id))[:50]) AS players
          FROM account_origins o LEFT JOIN withheld_players w ON w.player_id = o.player_id
          WHERE o.day >= local_day(p_since)
          GROUP BY o.address_hash, o.day HAVING count(*) >= setting_int('collusion_accounts_min')
          ORDER BY n DESC, day DESC LIMIT 20) a
$$;

COMMENT ON FUNCTION collusion_addresses IS
'The 20 days and addresses with the most new accounts since p_since, at least collusion_accounts_min each, as
JSON. The addresses themselves are not stored. withheld: number of these accounts whose rewards are still
withheld. players: the first 50.
Called by do_admin_collusion.';
