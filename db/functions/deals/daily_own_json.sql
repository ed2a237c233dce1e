CREATE OR REPLACE FUNCTION daily_own_json(p_deal bigint, p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'state', p.state, 'table_id', p.table_id::text, 'game_id', p.game_id::text, 'points', p.points,
        'place', p.place, 'left', coalesce(p.left_early, false), 'ranked', p.ranked, 'rank', s.rank,
        'percent', s.percent)
    FROM deal_plays p
    LEFT JOIN LATERAL deal_standing(p.deal_id, p.score) s ON p.state = 'done' AND p.ranked
    WHERE p.deal_id = p_deal AND p.player_id = p_player
$$;

COMMENT ON FUNCTION daily_own_json IS
'A player''s own result in a deal; NULL: they have not begun it.
Called by q_daily_board, q_daily_deals.';
