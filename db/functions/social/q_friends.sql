CREATE OR REPLACE FUNCTION q_friends(p_player bigint, p_settled bigint, p_after bigint, p_unused bigint,
                                     p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT 'ok', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('player_id', o.id::text, 'nickname', o.nickname, 'avatar', o.avatar,
                                    'title', (SELECT l.title FROM levels l WHERE l.level = o.level),
                                    'state', o.state)::text, o.settled, o.id, 0::bigint
    FROM (SELECT p.id, p.nickname, p.avatar, p.level, f.state,
                 (f.state = 'friends')::integer::bigint AS settled
          FROM ((SELECT to_id AS other_id,
                        CASE WHEN accepted_at IS NULL THEN 'asked' ELSE 'friends' END AS state
                 FROM friends WHERE from_id BETWEEN p_player AND p_player ORDER BY from_id)
                UNION ALL
                (SELECT from_id, CASE WHEN accepted_at IS NULL THEN 'asks' ELSE 'friends' END
                 FROM friends WHERE to_id BETWEEN p_player AND p_player ORDER BY to_id)) f
          CROSS JOIN LATERAL (SELECT * FROM players WHERE id = f.other_id OFFSET 0) p
          WHERE f.state <> 'asks' OR NOT has_blocked(p_player, f.other_id)) o
    WHERE p_after IS NULL
       OR (o.settled, o.nickname, o.id)
          > (p_settled, (SELECT a.nickname FROM players a WHERE a.id = p_after), p_after)
    ORDER BY o.settled, o.nickname, o.id LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_friends IS
'A page of a player''s friends and requests: the requests first (p_settled 0), then the friends, each by
name, after the one with the id p_after; the first row is the head. A request from a blocked player is
hidden while the block lasts. Each side is read by its index, as in friends_of.
Called by api.';
