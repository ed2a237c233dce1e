CREATE OR REPLACE FUNCTION deal_standing(p_deal bigint, p_score integer, OUT rank bigint, OUT of bigint,
                                         OUT percent numeric)
    LANGUAGE sql STABLE AS $$
    SELECT 1 + coalesce(sum(plays_n) FILTER (WHERE score > p_score), 0), coalesce(sum(plays_n), 0),
           round(100 * (coalesce(sum(plays_n) FILTER (WHERE score < p_score), 0)
                        + (sum(plays_n) FILTER (WHERE score = p_score) - 1) / 2.0)
                 / nullif(sum(plays_n) - 1, 0), 1)
    FROM deal_scores WHERE deal_id = p_deal
$$;

COMMENT ON FUNCTION deal_standing IS
'The place of a play with this score among those that have ended, their number, and the percentage of the
others that it beats; a tie counts half (matchpoints). percent NULL: there are no others.
Called by daily_own_json, q_daily_board.';
