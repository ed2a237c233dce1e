CREATE OR REPLACE FUNCTION q_daily_board(p_reader bigint, p_day date, p_variant text, p_score bigint,
                                         p_after bigint, p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_deal bigint  := (SELECT deal_id FROM daily_deals WHERE day = p_day AND variant = p_variant);
    v_open boolean := deal_is_open(v_deal);
    v_own  jsonb   := daily_own_json(v_deal, p_reader);
BEGIN
    RETURN QUERY
    SELECT CASE WHEN v_deal IS NULL THEN 'no_such_daily'
                WHEN NOT v_open AND v_own ->> 'state' IS DISTINCT FROM 'done' THEN 'daily_not_played'
                WHEN NOT v_open AND v_own ->> 'ranked' = 'false' THEN 'daily_not_ranked'
                ELSE 'ok' END,
           jsonb_build_object('day', p_day, 'variant', p_variant, 'state', daily_state(p_day),
                              'entrants', (SELECT coalesce(sum(plays_n), 0) FROM deal_scores
                                           WHERE deal_id = v_deal), 'own', v_own)::text,
           NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
               'rank', s.rank, 'player_id', p.player_id::text, 'nickname', l.nickname, 'avatar', l.avatar,
               'points', p.points, 'percent', s.percent, 'left', p.left_early,
               'game_id', CASE WHEN v_open THEN p.game_id::text END, 'own', p.player_id = p_reader)::text,
           p.score::bigint, p.player_id, s.rank
    FROM (SELECT * FROM deal_plays e
          WHERE e.deal_id = v_deal AND e.state = 'done' AND e.ranked
            AND (p_score IS NULL OR e.score < p_score OR e.score = p_score AND e.player_id > p_after)
          ORDER BY e.score DESC, e.player_id LIMIT p_limit) p
    JOIN players l ON l.id = p.player_id
    CROSS JOIN LATERAL deal_standing(v_deal, p.score) s
    ORDER BY p.score DESC, p.player_id;
END $$;

COMMENT ON FUNCTION q_daily_board IS
'A page of the ranking of a daily deal after (p_score, p_after). The first row is the head, with the reader''s
own play. During the day, it is visible only to players whose own ranked play has ended.
Refusals: no_such_daily, daily_not_played, daily_not_ranked.
Called by api.';
