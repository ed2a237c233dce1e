CREATE OR REPLACE FUNCTION q_banned_players(p_max bigint) RETURNS TABLE (id bigint)
    LANGUAGE sql STABLE AS $$
    WITH recent AS (
        SELECT id, banned_at FROM players WHERE banned_at > now() - interval '20 minutes')
    SELECT id FROM (SELECT id, banned_at FROM recent
                    UNION ALL
                    SELECT b.player_id, r.banned_at FROM recent r JOIN bot_accounts b ON b.owner_id = r.id
                    ORDER BY banned_at DESC LIMIT p_max) b ORDER BY id
$$;

COMMENT ON FUNCTION q_banned_players IS
'The ids, in order, of players who were banned within the lifetime of an access token (15 min, plus some
minutes), and of their bots; the latest p_max of them.
Called by api.';
