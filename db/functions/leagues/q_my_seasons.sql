CREATE OR REPLACE FUNCTION q_my_seasons(p_player bigint, p_before bigint, p_limit bigint)
    RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT r.season_no::bigint, jsonb_build_object(
        'season', r.season_no, 'ended_at', rfc3339(s.ends_at), 'league', l.id, 'place', r.place,
        'games', r.games, 'rating', r.rating, 'to_league', t.id, 'reason', r.reason, 'rule', r.rule,
        'prize_gold', r.prize_gold)::text
    FROM season_results r JOIN seasons s ON s.no = r.season_no JOIN leagues l ON l.position = r.position
    LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.player_id = p_player AND r.season_no < p_before AND s.state = 'ended'
    ORDER BY r.season_no DESC LIMIT p_limit
$$;

COMMENT ON FUNCTION q_my_seasons IS
'The player''s past seasons, newest first, each with the reason for its result.
Called by api.';
