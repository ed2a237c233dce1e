CREATE OR REPLACE FUNCTION count_events(p_people settled_seat[])
    RETURNS TABLE (player_id bigint, variant text, counter text, n bigint, at bigint)
    LANGUAGE plpgsql STABLE ROWS 40 AS $$
BEGIN
    RETURN QUERY
    SELECT p.player_id, p.variant, x.counter, x.n, x.at
    FROM unnest(p_people) p
    CROSS JOIN LATERAL (SELECT (p.facts->>'opening')::bigint AS opening,
                               (p.facts->>'swaps')::bigint AS swaps OFFSET 0) f
    -- Not VALUES: PostgreSQL would initialize the expressions of each of its rows again for each player.
    CROSS JOIN LATERAL unnest(
        '{games,any_wins,wins,opened,rummies,opened_51,opened_100,opened_pure,buried,joker_out,
          swaps}'::text[],
        ARRAY[true, p.won, p.won AND p.rated, p.opened, p.rummy, f.opening = 51, f.opening >= 100,
              (p.facts->>'opened_pure')::boolean, (p.facts->>'buried')::boolean,
              p.won AND (p.facts->>'joker_out')::boolean, f.swaps > 0],
        ARRAY[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, f.swaps]) WITH ORDINALITY AS x (counter, counts, n, at)
    WHERE x.counts;
END $$;

COMMENT ON FUNCTION count_events IS
'What players did in their games, one game per player, for achievements and quests: counter grows by n.
at: the order of the counters.
Called by count_achievements, count_quests.';
