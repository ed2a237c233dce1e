CREATE OR REPLACE FUNCTION deal_is_open(p_deal bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT d.opens_at <= now()
                            AND NOT EXISTS (SELECT 1 FROM deal_plays p
                                            WHERE p.deal_id = d.id AND p.state = 'playing')
                     FROM deals d WHERE d.id = p_deal), true)
$$;

COMMENT ON FUNCTION deal_is_open IS
'Whether everyone may see the cards of a deal: its time has come and no play of it is running. true for
NULL, that is, for a table with its own cards.
Called by api, daily_state, do_puzzle_claim, q_daily_board, q_game_hands, q_page, q_player,
q_tournament, q_tournament_seat, q_tournament_tables, same_deal_result.';
