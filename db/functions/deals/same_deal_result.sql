CREATE OR REPLACE FUNCTION same_deal_result(p_player bigint, p_variant text) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    WITH last AS (
        SELECT p.deal_id, p.score, p.left_early
        FROM deal_plays p JOIN deals d ON d.id = p.deal_id
        WHERE p.player_id = p_player AND p.state = 'done' AND d.variant = p_variant AND d.opens_at <= now()
        ORDER BY p.deal_id DESC LIMIT setting_int('statistics_deals_max')),
    compared AS (
        SELECT s.percent,
               CASE WHEN NOT l.left_early
                    THEN l.score - (f.score - l.score) / nullif(f.stayed - 1, 0) END AS better
        FROM last l
        CROSS JOIN LATERAL deal_standing(l.deal_id, l.score) s
        CROSS JOIN LATERAL (SELECT sum(c.plays_n) AS stayed, sum(c.score::numeric * c.plays_n) AS score
                            FROM deal_scores c
                            WHERE c.deal_id = l.deal_id AND c.score > deal_left_score()) f
        WHERE s.of > 1 AND deal_is_open(l.deal_id))
    SELECT jsonb_build_object('deals', count(*), 'percent', round(avg(percent), 1),
                              'better', round(avg(better), 1))
    FROM compared
$$;

COMMENT ON FUNCTION same_deal_result IS
'How a player has done on deals that others met, too, so that luck of the cards is out of it: of their last
statistics_deals_max whose cards are known to all. deals: how many others have played, too. percent: what part
of the others they beat on the average (matchpoints). better: points better than the others'' mean of the same
deal, on the average, those who left on either side left out. NULL: there is nothing to compare.
Called by q_player_variant.';
