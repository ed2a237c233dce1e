CREATE OR REPLACE FUNCTION pot_payments(p_table tables, p_game bigint)
    RETURNS TABLE (seat smallint, player_id bigint, won boolean, stake_silver bigint, stake_gold bigint,
                   silver bigint, gold bigint)
    LANGUAGE sql STABLE AS $$
    SELECT s.seat, s.player_id, g.won, s.stake_silver, s.stake_gold, least(s.stake_silver, p.pays),
           least(s.stake_gold, p.pays - least(s.stake_silver, p.pays))
    FROM seats s JOIN game_players g ON g.game_id = p_game AND g.seat = s.seat
    CROSS JOIN LATERAL (SELECT CASE WHEN g.won THEN 0
                                    WHEN p_table.point_value > 0
                                       THEN least(greatest(g.points, 0) * p_table.point_value, p_table.stake)
                                    ELSE p_table.stake END AS pays) p
    WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL
$$;

COMMENT ON FUNCTION pot_payments IS
'What each seat pays into the pot, silver before gold: a loser their stake, or their points times the value
of a point.
Called by pot_legs.';

CREATE OR REPLACE FUNCTION pot_legs(p_table tables, p_game bigint) RETURNS ledger_leg[]
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_legs    ledger_leg[] := '{}';
    v_row     record;
    v_silver  bigint;
    v_gold    bigint;
    v_winners bigint;
    v_nth     bigint := 0;
    v_gain_s  bigint;
    v_gain_g  bigint;
    v_lost    bigint;
BEGIN
    SELECT sum(silver), sum(gold), count(*) FILTER (WHERE won) INTO STRICT v_silver, v_gold, v_winners
    FROM pot_payments(p_table, p_game);
    FOR v_row IN SELECT * FROM pot_payments(p_table, p_game) ORDER BY seat LOOP
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_table.id, v_row.player_id, 'silver'), -v_row.stake_silver, 'stake'),
            ROW(account_purse(v_row.player_id, 'silver'), v_row.stake_silver - v_row.silver, 'stake_back'),
            ROW(account_hold(p_table.id, v_row.player_id, 'gold'), -v_row.stake_gold, 'stake'),
            ROW(account_purse(v_row.player_id, 'gold'), v_row.stake_gold - v_row.gold,
                'stake_back')]::ledger_leg[];
        CONTINUE WHEN NOT v_row.won;
        v_gain_s := v_silver / v_winners + (v_nth < v_silver % v_winners)::integer;
        v_gain_g := v_gold / v_winners
                    + ((v_nth - v_silver % v_winners + v_winners) % v_winners < v_gold % v_winners)::integer;
        v_lost := silver_over_cap(v_row.player_id, v_gain_s);
        v_legs := v_legs || ARRAY[
            ROW(account_purse(v_row.player_id, 'silver'), v_gain_s, 'pot'),
            ROW(account_purse(v_row.player_id, 'silver'), -v_lost, 'over_cap'),
            ROW(account_house('over_cap', 'silver'), v_lost, 'over_cap'),
            ROW(account_purse(v_row.player_id, 'gold'), v_gain_g, 'pot')]::ledger_leg[];
        v_nth := v_nth + 1;
    END LOOP;
    IF v_winners = 0 THEN
        RAISE EXCEPTION 'the pot of table % has no winner among people', p_table.id;
    END IF;
    RETURN v_legs;
END $$;

COMMENT ON FUNCTION pot_legs IS
'The lines that settle a table with a winner: what a seat did not pay goes back to its purse, the pot to the
winners. Of either colour each gets the same, and what is left over goes one by one in turn order, gold
where silver stopped.
Raises when no person has won.
Called by settle_chips.';
