CREATE OR REPLACE FUNCTION seat_player(p_player bigint, p_table tables) RETURNS smallint
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat   smallint;
    v_take   integer;
    v_silver bigint;
    v_gold   bigint;
    v_purse  bigint := account_purse(p_player, 'silver');
BEGIN
    SELECT min(n) INTO STRICT v_seat FROM unnest('{0,1,2,3,4,5}'::smallint[]) n
    WHERE n < p_table.seats_n
      AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table.id AND s.seat = n);
    SELECT least(balance, p_table.stake) INTO STRICT v_silver FROM accounts WHERE id = v_purse;
    v_gold := p_table.stake - v_silver;
    UPDATE tables SET people_n = people_n + 1, takes_n = takes_n + 1 WHERE id = p_table.id
    RETURNING takes_n INTO v_take;
    INSERT INTO seats (table_id, seat, player_id, nickname, avatar, stake_silver, stake_gold, take)
    SELECT p_table.id, v_seat, id, nickname, avatar, v_silver, v_gold, v_take FROM players
    WHERE id = p_player;
    IF p_table.stake > 0 THEN
        PERFORM ledger_post('stake', 'stake:table:' || p_table.id || ':take:' || v_take, p_table.id, '',
        ARRAY[
            ROW(v_purse, -v_silver, 'stake'),
            ROW(CASE WHEN v_silver > 0 THEN open_hold(p_table.id, p_player, 'silver') END, v_silver, 'stake'),
            ROW(CASE WHEN v_gold > 0 THEN account_purse(p_player, 'gold') END, -v_gold, 'stake'),
            ROW(CASE WHEN v_gold > 0 THEN open_hold(p_table.id, p_player, 'gold') END, v_gold, 'stake')
            ]::ledger_leg[]);
    END IF;
    RETURN v_seat;
END $$;

COMMENT ON FUNCTION seat_player IS
'Seats the player at the lowest free seat of a locked table and holds the stake, silver first.
Key of the transfer: `stake:table:<table>:take:<n>`, n counting how often a seat was taken there.
Raises if the purse is too small: callers check seat_refusal or stake_refusal first.
Called by do_join_table, do_open_table, do_rematch, do_take_seat, open_deal_table.';
