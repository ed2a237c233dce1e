CREATE OR REPLACE FUNCTION collusion_invitations(p_low bigint, p_low_games bigint, p_high bigint,
                                                 p_high_games bigint, p_together bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    WITH RECURSIVE above (of, id, n) AS (
        SELECT p, p, 0 FROM unnest(ARRAY[p_low, p_high]) p UNION ALL
        SELECT a.of, i.inviter_id, a.n + 1 FROM above a JOIN invites i ON i.invited_id = a.id WHERE a.n < 16
    )
    SELECT jsonb_build_object(
        'inviter', i.inviter_id::text, 'state', i.state,
        'only_together', coalesce(p_together = CASE i.invited_id WHEN p_low THEN p_low_games
                                                                 WHEN p_high THEN p_high_games END, false),
        'common_inviter', (SELECT l.id::text FROM above l JOIN above h ON h.id = l.id
                           WHERE l.of = p_low AND h.of = p_high AND l.n > 0 AND h.n > 0
                           ORDER BY l.n + h.n LIMIT 1),
        'chain', (SELECT max(n) FROM above))
    FROM (SELECT 1) one
    LEFT JOIN invites i ON (i.invited_id, i.inviter_id) IN ((p_low, p_high), (p_high, p_low))
$$;

COMMENT ON FUNCTION collusion_invitations IS
'Invitations between two players, as JSON. inviter, state: who invited the other, and the state of that
invitation (NULL: neither did). only_together: the invited player has played no game without the inviter.
common_inviter: the nearest player who invited both, directly or through others. chain: length of the longer
of the two chains of invitations (counted up to 16). p_low_games, p_high_games, p_together: number of games
of each, and of both together.
Called by collusion_pairs.';
