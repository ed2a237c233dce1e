CREATE OR REPLACE FUNCTION settle_chips(p_table tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat     seats;
    v_result   game_players;
    v_legs     ledger_leg[] := '{}';
    v_winner   boolean := EXISTS (SELECT 1 FROM game_players WHERE game_id = p_game AND won);
    v_transfer bigint;
BEGIN
    IF p_table.room_id IS NULL AND v_winner THEN
        v_legs := pot_legs(p_table, p_game);
    END IF;
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL
                  AND (p_table.room_id IS NOT NULL OR NOT v_winner) ORDER BY seat LOOP
        SELECT * INTO STRICT v_result FROM game_players WHERE game_id = p_game AND seat = v_seat.seat;
        v_legs := v_legs || settle_legs(v_seat, CASE WHEN v_result.won THEN 'won'
                                                     WHEN v_winner OR v_result.left_early THEN 'lost'
                                                     ELSE 'back' END,
                                        p_table.stake, p_table.reward);
    END LOOP;
    IF NOT EXISTS (SELECT 1 FROM unnest(v_legs) l WHERE l.amount <> 0) THEN
        RETURN; -- no stake and no reward
    END IF;
    v_transfer := ledger_post('settle', 'settle:table:' || p_table.id, p_table.id, '', v_legs);
    IF v_transfer IS NULL THEN
        RAISE EXCEPTION 'table % was settled before', p_table.id;
    END IF;
    UPDATE game_players g
    SET silver = coalesce(m.silver, 0) - s.stake_silver, gold = coalesce(m.gold, 0) - s.stake_gold,
        silver_lost = coalesce(m.lost, 0)
    FROM seats s
    LEFT JOIN (SELECT a.player_id, sum(p.amount) FILTER (WHERE a.currency = 'silver') AS silver,
                      sum(p.amount) FILTER (WHERE a.currency = 'gold') AS gold,
                      -sum(p.amount) FILTER (WHERE p.reason = 'over_cap') AS lost
               FROM postings p JOIN accounts a ON a.id = p.account_id
               WHERE p.transfer_id = v_transfer AND a.kind = 'purse'
               GROUP BY a.player_id) m ON m.player_id = s.player_id
    WHERE g.game_id = p_game AND s.table_id = p_table.id AND s.seat = g.seat AND g.player_id IS NOT NULL;
END $$;

COMMENT ON FUNCTION settle_chips IS
'Settles the chips of all seats in one transfer and notes what each purse won or lost by the game: what
reached it, less what the seat had cost. Without a winner the stakes go back, except those of people who
left. A table that players opened has a pot.
Key of the transfer: `settle:table:<table>`. Raises when the table was settled before.
Called by do_settle_table.';
