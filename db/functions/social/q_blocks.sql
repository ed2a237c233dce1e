CREATE OR REPLACE FUNCTION q_blocks(p_player bigint, p_at bigint, p_after bigint, p_unused bigint,
                                    p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT 'ok', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('player_id', o.other_id::text,
                                    'nickname', (SELECT p.nickname FROM players p WHERE p.id = o.other_id),
                                    'muted', o.muted, 'blocked', o.blocked)::text, o.us, o.other_id, 0::bigint
    FROM (SELECT b.other_id, b.muted, b.blocked, (extract(epoch FROM b.at) * 1000000)::bigint AS us
          FROM player_blocks b WHERE b.player_id = p_player) o
    WHERE p_at IS NULL OR o.us < p_at OR (o.us = p_at AND o.other_id > p_after)
    ORDER BY o.us DESC, o.other_id LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_blocks IS
'A page of the players whom a player has muted or blocked, latest first, after (p_at in microseconds,
p_after); the first row is the head.
Called by api.';
