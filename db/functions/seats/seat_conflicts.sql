CREATE OR REPLACE FUNCTION seat_conflicts(p_players bigint[], p_tables bigint[])
    RETURNS TABLE (player bigint, place bigint)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH pool AS MATERIALIZED (
        SELECT NULL::bigint AS player, k.n AS place, s.id
        FROM unnest(p_tables) WITH ORDINALITY k (id, n)
        CROSS JOIN LATERAL (SELECT x.player_id AS id FROM seats x
                            WHERE x.table_id = k.id AND x.player_id IS NOT NULL OFFSET 0) s
        UNION ALL
        SELECT u.n, cardinality(p_tables) + u.n, u.id
        FROM unnest(p_players) WITH ORDINALITY u (id, n)
    )
    SELECT p.player, p.place
    FROM pool x CROSS JOIN LATERAL (
        SELECT b.other_id AS id FROM player_blocks b WHERE b.player_id = x.id AND b.blocked
        UNION ALL SELECT a.high_id FROM separations a WHERE a.low_id = x.id
        UNION ALL SELECT x.id) o
    JOIN pool y ON y.id = o.id AND y.place <> x.place
    CROSS JOIN LATERAL (VALUES (x.player, y.place), (y.player, x.place)) p (player, place)
    WHERE p.player IS NOT NULL;
END $$;

COMMENT ON FUNCTION seat_conflicts IS
'Pairs of numbers from 1: a player, and a place where they must not sit. The places are the tables, followed
by the players themselves. No one sits at a table twice, or with a player if one of the two has blocked the
other or an operator keeps them apart.
Called by choose_tables.';
