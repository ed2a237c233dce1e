CREATE OR REPLACE FUNCTION deal_is_open(p_deal bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT d.opens_at <= now()
                            AND NOT EXISTS (SELECT 1 FROM deal_plays p
                                            WHERE p.deal_id = d.id AND p.state = 'playing')
                     FROM deals d WHERE d.id = p_deal), true)
$$;

COMMENT ON FUNCTION deal_is_open IS
'Whether everybody may see the cards of a deal: its time has come and none of its tables is played. NULL, a
table of its own cards: they may.
Called by api, daily_state, q_daily_board, same_deal_result.';
