CREATE OR REPLACE FUNCTION same_deal_result(p_player bigint, p_variant text) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    WITH daily AS (
        SELECT p.deal_id, p.score, p.left_early
        FROM deal_plays p JOIN deals d ON d.id = p.deal_id
        WHERE p.player_id = p_player AND p.state = 'done' AND p.ranked AND d.variant = p_variant
          AND d.opens_at <= now()
        ORDER BY p.deal_id DESC LIMIT setting_int('statistics_deals_max')),
    seated AS (
        SELECT m.deal_id, s.tournament_id, s.round_no, s.seat, k.seats_n, s.entry_no, s.beaten, s.compared,
               s.deal_points
        FROM tournament_entries e
        JOIN tournament_seats s ON s.tournament_id = e.tournament_id AND s.entry_no = e.entry_no
        JOIN tournament_tables k ON k.tournament_id = s.tournament_id AND k.round_no = s.round_no
                                AND k.table_no = s.table_no
        JOIN tournament_deals m ON m.tournament_id = s.tournament_id AND m.round_no = s.round_no
        JOIN deals d ON d.id = m.deal_id
        WHERE e.player_id = p_player AND d.variant = p_variant AND d.opens_at <= now() AND s.compared > 0
        ORDER BY m.deal_id DESC LIMIT setting_int('statistics_deals_max')),
    compared AS (
        SELECT l.deal_id,
               100 * tournament_beaten((2 * f.beaten + f.tied - 1)::integer,
                                       (f.all_n - 1)::integer) AS percent,
               CASE WHEN NOT l.left_early
                    THEN l.score - (f.score - l.score) / nullif(f.stayed - 1, 0) END AS better
        FROM daily l
        CROSS JOIN LATERAL (SELECT sum(c.plays_n) AS all_n,
                                   coalesce(sum(c.plays_n) FILTER (WHERE c.score < l.score), 0) AS beaten,
                                   sum(c.plays_n) FILTER (WHERE c.score = l.score) AS tied,
                                   sum(c.plays_n) FILTER (WHERE c.score > deal_left_score()) AS stayed,
                                   sum(c.score::numeric * c.plays_n)
                                       FILTER (WHERE c.score > deal_left_score()) AS score
                            FROM deal_scores c WHERE c.deal_id = l.deal_id) f
        WHERE f.all_n > 1 AND deal_is_open(l.deal_id)
        UNION ALL
        SELECT l.deal_id, 100 * tournament_beaten(l.beaten, l.compared),
               CASE WHEN l.deal_points > deal_left_score() THEN l.deal_points - o.mean END
        FROM seated l
        CROSS JOIN LATERAL (SELECT avg(s.deal_points) AS mean
                            FROM tournament_seats s
                            JOIN tournament_tables k ON k.tournament_id = s.tournament_id
                                                    AND k.round_no = s.round_no AND k.table_no = s.table_no
                            WHERE s.tournament_id = l.tournament_id AND s.round_no = l.round_no
                              AND s.seat = l.seat AND k.seats_n = l.seats_n AND s.entry_no <> l.entry_no
                              AND s.deal_points > deal_left_score()) o
        WHERE deal_is_open(l.deal_id))
    -- Rounded to ten digits first, because thirds are not exact.
    SELECT jsonb_build_object('deals', count(*), 'percent', round(round(avg(percent), 10), 1),
                              'better', round(round(avg(better), 10), 1))
    FROM (SELECT * FROM compared ORDER BY deal_id DESC LIMIT setting_int('statistics_deals_max')) c
$$;

COMMENT ON FUNCTION same_deal_result IS
'A player''s results in deals that others played, too, which eliminates the luck of the cards: the last
statistics_deals_max daily deals and rounds of duplicate tournaments whose cards are public. deals: the
number of those deals that others have played, too. percent: the average percentage of others beaten
(matchpoints), rounded once. better: the average number of points by which the player beat the others'' mean
in the same deal, not counting players who left. In a tournament, the others are those in the same seat.
NULL: nothing to compare.
Called by q_player_variant.';
